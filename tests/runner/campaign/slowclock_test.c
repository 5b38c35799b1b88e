/* The library that slows down the clocks of CPU time, beside the clocks as they are. */
#include <dlfcn.h>
#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
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
	        cmocka_unit_test(clocks_of_the_wall_are_not),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
