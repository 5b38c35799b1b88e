/* A library that is loaded into a run before all others: the clocks that tell the CPU time of a process or thread go at
 * a quarter of their speed. A fixed amount of work does not care; a program that works until such a clock has come so
 * far works four times as long (runner/campaign/clockprobe.h). Clocks of the wall stay as they are, since programs wait
 * by them. libc only. */
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define SLOWER 4 /* SLOW_CLOCKS of runner/executor.h */
#define NS_PER_S 1000000000LL

#define EXPORTED __attribute__((visibility("default")))

static int (*usual)(clockid_t, struct timespec *);

__attribute__((constructor)) static void find_usual(void)
{
	*(void **)&usual = dlsym(RTLD_NEXT, "clock_gettime");
}

/* Those of other processes and threads have negative numbers (man 2 clock_getres). */
static int is_of_cpu(clockid_t id)
{
	return id < 0 || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
}

static void slow_down(struct timeval *time)
{
	long long us = (time->tv_sec * 1000000LL + time->tv_usec) / SLOWER;
	time->tv_sec = us / 1000000;
	time->tv_usec = us % 1000000;
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
