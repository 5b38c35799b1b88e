/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded into a run before all others: the clocks that tell the CPU time of a process or thread go at
 * a quarter of their speed, and the timers that send a signal after so much of it with them. A fixed amount of work
 * does not care; a program that works until such a clock has come so far works four times as long
 * (runner/campaign/clockprobe.h). Clocks of the wall stay as they are, since programs wait by them. libc only. */
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define SLOWER 4 /* SLOW_CLOCKS of runner/executor.h */
#define NS_PER_S 1000000000LL

#define EXPORTED __attribute__((visibility("default")))

/* Timers by CPU time that are known; of more than so many, the others keep their speed. */
#define MAX_TIMERS 64

static int (*usual)(clockid_t, struct timespec *);
static int (*usual_create)(clockid_t, struct sigevent *, timer_t *);
static int (*usual_set)(timer_t, int, const struct itimerspec *, struct itimerspec *);
static int (*usual_get)(timer_t, struct itimerspec *);
static int (*usual_delete)(timer_t);

__attribute__((constructor)) static void find_usual(void)
{
	*(void **)&usual = dlsym(RTLD_NEXT, "clock_gettime");
	*(void **)&usual_create = dlsym(RTLD_NEXT, "timer_create");
	*(void **)&usual_set = dlsym(RTLD_NEXT, "timer_settime");
	*(void **)&usual_get = dlsym(RTLD_NEXT, "timer_gettime");
	*(void **)&usual_delete = dlsym(RTLD_NEXT, "timer_delete");
}

/* Those of other processes and threads have negative numbers (man 2 clock_getres). */
static int is_of_cpu(clockid_t id)
{
	return id < 0 || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
}

static void scale(struct timeval *time, int times, int part)
{
	long long us = (time->tv_sec * 1000000LL + time->tv_usec) * times / part;
	time->tv_sec = us / 1000000;
	time->tv_usec = us % 1000000;
}

static void slow_down(struct timeval *time)
{
	scale(time, 1, SLOWER);
}

static int read_clock(clockid_t id, struct timespec *time)
{
	int failed = usual != 0 ? usual(id, time) : (int)syscall(SYS_clock_gettime, id, time);
	if (failed == 0 && is_of_cpu(id)) {
		long long ns = (time->tv_sec * NS_PER_S + time->tv_nsec) / SLOWER;
		time->tv_sec = ns / NS_PER_S;
		time->tv_nsec = ns % NS_PER_S;
	}
	return failed;
}

EXPORTED int clock_gettime(clockid_t id, struct timespec *time)
{
	return read_clock(id, time);
}

EXPORTED clock_t clock(void)
{
	struct timespec time;
	if (read_clock(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
		return (clock_t)-1;
	return time.tv_sec * CLOCKS_PER_SEC + time.tv_nsec / (NS_PER_S / CLOCKS_PER_SEC);
}

EXPORTED clock_t times(struct tms *ticks)
{
	struct tms own;
	long now = syscall(SYS_times, &own);
	if (ticks != 0)
		*ticks = (struct tms){own.tms_utime / SLOWER, own.tms_stime / SLOWER, own.tms_cutime / SLOWER,
		        own.tms_cstime / SLOWER};
	return (clock_t)now;
}

EXPORTED int getrusage(__rusage_who_t who, struct rusage *usage)
{
	long failed = syscall(SYS_getrusage, who, usage);
	if (failed != 0)
		return -1;
	slow_down(&usage->ru_utime);
	slow_down(&usage->ru_stime);
	return 0;
}

/* --- timers --- */

/* The real ones run at full speed, so they get four times the time. */
EXPORTED int setitimer(__itimer_which_t which, const struct itimerval *wanted, struct itimerval *old)
{
	struct itimerval longer;
	if (which == ITIMER_REAL || wanted == NULL)
		return (int)syscall(SYS_setitimer, which, wanted, old);
	longer = *wanted;
	scale(&longer.it_value, SLOWER, 1);
	scale(&longer.it_interval, SLOWER, 1);
	if (syscall(SYS_setitimer, which, &longer, old) != 0)
		return -1;
	if (old != NULL) {
		slow_down(&old->it_value);
		slow_down(&old->it_interval);
	}
	return 0;
}

EXPORTED int getitimer(__itimer_which_t which, struct itimerval *value)
{
	if (syscall(SYS_getitimer, which, value) != 0)
		return -1;
	if (which != ITIMER_REAL) {
		slow_down(&value->it_value);
		slow_down(&value->it_interval);
	}
	return 0;
}

static timer_t timers[MAX_TIMERS];
static int is_used[MAX_TIMERS];

/* The place of a timer by CPU time; -1 for others. */
static int timer_place(timer_t id)
{
	for (int i = 0; i < MAX_TIMERS; i++)
		if (__atomic_load_n(&is_used[i], __ATOMIC_ACQUIRE) == 2 && timers[i] == id)
			return i;
	return -1;
}

static void remember(timer_t id)
{
	for (int i = 0; i < MAX_TIMERS; i++) {
		int none = 0;
		if (!__atomic_compare_exchange_n(&is_used[i], &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		timers[i] = id;
		__atomic_store_n(&is_used[i], 2, __ATOMIC_RELEASE);
		return;
	}
}

static void scale_spec(struct timespec *time, int times, int part)
{
	long long ns = (time->tv_sec * NS_PER_S + time->tv_nsec) * times / part;
	time->tv_sec = ns / NS_PER_S;
	time->tv_nsec = ns % NS_PER_S;
}

static void scale_timer(struct itimerspec *timer, int times, int part)
{
	scale_spec(&timer->it_value, times, part);
	scale_spec(&timer->it_interval, times, part);
}

EXPORTED int timer_create(clockid_t clock, struct sigevent *event, timer_t *id)
{
	int failed = usual_create(clock, event, id);
	if (failed == 0 && is_of_cpu(clock))
		remember(*id);
	return failed;
}

EXPORTED int timer_settime(timer_t id, int flags, const struct itimerspec *wanted, struct itimerspec *old)
{
	int of_cpu = timer_place(id) >= 0;
	struct itimerspec longer;
	if (of_cpu && wanted != NULL) {
		longer = *wanted;
		scale_timer(&longer, SLOWER, 1);
		wanted = &longer;
	}
	int failed = usual_set(id, flags, wanted, old);
	if (failed == 0 && of_cpu && old != NULL)
		scale_timer(old, 1, SLOWER);
	return failed;
}

EXPORTED int timer_gettime(timer_t id, struct itimerspec *value)
{
	int failed = usual_get(id, value);
	if (failed == 0 && timer_place(id) >= 0)
		scale_timer(value, 1, SLOWER);
	return failed;
}

EXPORTED int timer_delete(timer_t id)
{
	int place = timer_place(id), failed = usual_delete(id);
	if (failed == 0 && place >= 0)
		__atomic_store_n(&is_used[place], 0, __ATOMIC_RELEASE);
	return failed;
}
