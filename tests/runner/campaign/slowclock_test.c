/* SPDX-License-Identifier: Apache-2.0 */
/* The library that slows down the clocks of CPU time, beside the clocks as they are. */
#include <dlfcn.h>
#include <glib.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include <cmocka.h>

#define SLOWER 4
#define ENOUGH_S .4

static void *library;

static double seconds(struct timespec time)
{
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return seconds(time);
}

/* The function of that name in the library. */
static void *slow(const char *name)
{
	void *function = dlsym(library, name);
	assert_non_null(function);
	return function;
}

static int set_up(void **state)
{
	(void)state;
	volatile unsigned long x = 1;
	library = dlopen(BUILD_DIR "/firebreak-slowclock.so", RTLD_NOW | RTLD_LOCAL);
	while (cpu_s() < ENOUGH_S)
		x = x * 3;
	return library != NULL ? 0 : -1;
}

/* A time of the library is a quarter of that between two looks at the clock around it, at 1/100 s. */
static void assert_quarter(double before_s, double slow_s, double after_s)
{
	print_message("%g <= 4 * %g <= %g\n", before_s, slow_s, after_s);
	assert_true(slow_s * SLOWER >= before_s - .05 && slow_s * SLOWER <= after_s + .05);
}

static void clocks_of_cpu_time_are_slow(void **state)
{
	(void)state;
	int (*gettime)(clockid_t, struct timespec *) = NULL;
	clock_t (*of_process)(void) = NULL;
	int (*rusage)(int, struct rusage *) = NULL;
	clock_t (*ticks)(struct tms *) = NULL;
	*(void **)&gettime = slow("clock_gettime");
	*(void **)&of_process = slow("clock");
	*(void **)&rusage = slow("getrusage");
	*(void **)&ticks = slow("times");
	struct timespec time;
	struct rusage usage;
	struct tms tms;
	double before_s = cpu_s();
	assert_int_equal(gettime(CLOCK_PROCESS_CPUTIME_ID, &time), 0);
	assert_quarter(before_s, seconds(time), cpu_s());
	before_s = cpu_s();
	assert_quarter(before_s, (double)of_process() / CLOCKS_PER_SEC, cpu_s());
	before_s = cpu_s();
	assert_int_equal(rusage(RUSAGE_SELF, &usage), 0);
	double used_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	                (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	assert_quarter(before_s, used_s, cpu_s());
	assert_true(ticks(&tms) != (clock_t)-1);
	assert_true(tms.tms_utime + tms.tms_stime <= (clock_t)(cpu_s() * 100 / SLOWER) + 1);
	assert_int_equal(rusage(-99, &usage), -1);
	assert_int_equal(gettime(12345, &time), -1);
}

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
	(void)number;
	signalled = 1;
}

/* CPU time until the signal of a timer that was set to .1 s, .4 s with the library. The kernel counts the ticks that
 * meet the process, which on a busy machine are some more or fewer. */
static double until_signal(void)
{
	volatile unsigned long x = 1;
	double before_s = cpu_s();
	while (!signalled)
		x = x * 3;
	signalled = 0;
	return cpu_s() - before_s;
}

static void timers_by_CPU_time_are_slow(void **state)
{
	(void)state;
	int (*set)(int, const struct itimerval *, struct itimerval *) = NULL;
	int (*get)(int, struct itimerval *) = NULL;
	const struct itimerval wanted = {.it_value = {.tv_usec = 100000}};
	struct itimerval left;
	*(void **)&set = slow("setitimer");
	*(void **)&get = slow("getitimer");
	signal(SIGPROF, note_signal);
	assert_int_equal(set(ITIMER_PROF, &wanted, NULL), 0);
	assert_int_equal(get(ITIMER_PROF, &left), 0);
	assert_true(left.it_value.tv_usec > 80000 && left.it_value.tv_usec <= 110000);
	assert_true(until_signal() > .2);
	assert_int_equal(set(ITIMER_PROF, &wanted, NULL), 0);
	assert_int_equal(set(ITIMER_PROF, &(struct itimerval){0}, &left), 0);
	assert_true(left.it_value.tv_usec > 80000 && left.it_value.tv_usec <= 110000);
	assert_int_equal(set(-1, &wanted, NULL), -1);
}

static void timers_of_POSIX_by_CPU_time_are_slow(void **state)
{
	(void)state;
	int (*create)(clockid_t, struct sigevent *, timer_t *) = NULL;
	int (*set)(timer_t, int, const struct itimerspec *, struct itimerspec *) = NULL;
	int (*get)(timer_t, struct itimerspec *) = NULL;
	int (*delete)(timer_t) = NULL;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	const struct itimerspec wanted = {.it_value = {.tv_nsec = 100000000}};
	struct itimerspec left;
	timer_t of_cpu, of_wall;
	*(void **)&create = slow("timer_create");
	*(void **)&set = slow("timer_settime");
	*(void **)&get = slow("timer_gettime");
	*(void **)&delete = slow("timer_delete");
	signal(SIGUSR1, note_signal);
	assert_int_equal(create(CLOCK_PROCESS_CPUTIME_ID, &event, &of_cpu), 0);
	assert_int_equal(create(CLOCK_MONOTONIC, &event, &of_wall), 0);
	assert_int_equal(set(of_cpu, 0, &wanted, NULL), 0);
	assert_int_equal(get(of_cpu, &left), 0);
	assert_true(left.it_value.tv_nsec > 80000000 && left.it_value.tv_nsec <= 110000000);
	assert_true(until_signal() > .2);
	assert_int_equal(set(of_wall, 0, &wanted, NULL), 0);
	assert_int_equal(get(of_wall, &left), 0);
	assert_true(left.it_value.tv_nsec <= 100000000);
	assert_int_equal(set(of_wall, 0, &(struct itimerspec){0}, &left), 0);
	assert_true(left.it_value.tv_nsec > 50000000);
	assert_int_equal(delete (of_cpu), 0);
	assert_int_equal(delete (of_wall), 0);
}

static void timers_of_the_wall_are_not_slow(void **state)
{
	(void)state;
	int (*set)(int, const struct itimerval *, struct itimerval *) = NULL;
	const struct itimerval wanted = {.it_value = {.tv_sec = 100}};
	struct itimerval left;
	*(void **)&set = slow("setitimer");
	assert_int_equal(set(ITIMER_REAL, &wanted, NULL), 0);
	assert_int_equal(getitimer(ITIMER_REAL, &left), 0);
	assert_true(left.it_value.tv_sec <= 100);
	assert_int_equal(set(ITIMER_REAL, &(struct itimerval){0}, NULL), 0);
}

static void clocks_of_the_wall_are_not(void **state)
{
	(void)state;
	int (*gettime)(clockid_t, struct timespec *) = NULL;
	static const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME};
	*(void **)&gettime = slow("clock_gettime");
	for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
		struct timespec before, time, after;
		clock_gettime(ids[i], &before);
		assert_int_equal(gettime(ids[i], &time), 0);
		clock_gettime(ids[i], &after);
		assert_true(seconds(before) <= seconds(time) && seconds(time) <= seconds(after));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(clocks_of_cpu_time_are_slow),
	        cmocka_unit_test(timers_by_CPU_time_are_slow),
	        cmocka_unit_test(timers_of_POSIX_by_CPU_time_are_slow),
	        cmocka_unit_test(timers_of_the_wall_are_not_slow),
	        cmocka_unit_test(clocks_of_the_wall_are_not),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
