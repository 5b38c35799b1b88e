/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded into a run before all others: it fixes the iterations of Rust's libtest, which has no option
 * for that (runner/frameworks/libtestrun.h). libtest reads the clock 204 times for each `Bencher::iter`, on the thread
 * that also prints:
 *
 *     1, 2       around the very first iteration, by whose time it chooses n: 1 ms / time
 *     3          before the samples
 *     4 .. 203   around each of 50 samples of n iterations, then of 50 of 5 n
 *     204        after them: if more than 3 s have passed, it does no more
 *
 * So two answers are changed: the second, for the n that was asked for, and the last, by some seconds. All others are
 * true, and so is the time that libtest prints. The readings before each thing that is printed are counted and written
 * to a log, since code that reads the clock itself shifts them. libc only. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* LIBTEST_READINGS, LIBTEST_VARIABLE and so on of runner/frameworks/libtestrun.h */
#define READINGS 204
#define ITERATIONS "FIREBREAK_LIBTEST_ITERATIONS"
#define LOG "FIREBREAK_LIBTEST_LOG"

#define NS_PER_S 1000000000L
#define TARGET_NS 1000000L /* of a sample of n iterations */
#define ENOUGH_S 4
#define BEGINNING "running " /* of what libtest prints first, after a newline; other programs are left alone */

static int (*usual_clock)(clockid_t, struct timespec *);
static ssize_t (*usual_write)(int, const void *, size_t);
static ssize_t (*usual_writev)(int, const struct iovec *, int);
static pthread_t main_thread;
static long first_ns; /* the time that the very first iteration is said to take; 0 = nothing is changed */
static int is_libtest;
static unsigned long readings; /* since something was printed */
static struct timespec first;

__attribute__((constructor)) static void begin(void)
{
	const char *iterations = getenv(ITERATIONS);
	long n = iterations != NULL ? atol(iterations) : 0;
	*(void **)&usual_clock = dlsym(RTLD_NEXT, "clock_gettime");
	*(void **)&usual_write = dlsym(RTLD_NEXT, "write");
	*(void **)&usual_writev = dlsym(RTLD_NEXT, "writev");
	main_thread = pthread_self();
	if (n > 0)
		first_ns = n < TARGET_NS ? TARGET_NS / n : 1;
}

static void change(struct timespec *time)
{
	unsigned long phase = readings % READINGS;
	if (phase == 1)
		first = *time;
	if (phase == 2) {
		long ns = first.tv_nsec + first_ns;
		*time = (struct timespec){first.tv_sec + ns / NS_PER_S, ns % NS_PER_S};
	}
	if (phase == 0)
		time->tv_sec += ENOUGH_S;
}

EXPORTED int clock_gettime(clockid_t id, struct timespec *time)
{
	int failed = usual_clock != NULL ? usual_clock(id, time) : (int)syscall(SYS_clock_gettime, id, time);
	if (failed != 0 || id != CLOCK_MONOTONIC || !is_libtest || !pthread_equal(pthread_self(), main_thread))
		return failed;
	readings++;
	change(time);
	return 0;
}

/* One reading is that of the end, after all cases. */
static void note_readings(void)
{
	const char *path = getenv(LOG);
	char line[32];
	int length = snprintf(line, sizeof line, "%lu\n", readings);
	int fd = readings > 1 && path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd >= 0) {
		/* a line that is lost makes the log too short, and the run invalid */
		ssize_t written = syscall(SYS_write, fd, line, (size_t)length);
		(void)written;
		close(fd);
	}
	readings = 0;
}

static void before_print(int fd, const char *text, size_t length)
{
	int error = errno;
	if (fd != STDOUT_FILENO || first_ns == 0 || !pthread_equal(pthread_self(), main_thread))
		return;
	size_t begins = length > 0 && *text == '\n';
	if (length >= begins + strlen(BEGINNING) && memcmp(text + begins, BEGINNING, strlen(BEGINNING)) == 0)
		is_libtest = 1;
	if (is_libtest)
		note_readings();
	errno = error;
}

EXPORTED ssize_t write(int fd, const void *bytes, size_t length)
{
	before_print(fd, bytes, length);
	return usual_write != NULL ? usual_write(fd, bytes, length) : syscall(SYS_write, fd, bytes, length);
}

EXPORTED ssize_t writev(int fd, const struct iovec *pieces, int n)
{
	if (n > 0)
		before_print(fd, pieces[0].iov_base, pieces[0].iov_len);
	return usual_writev != NULL ? usual_writev(fd, pieces, n) : syscall(SYS_writev, fd, pieces, n);
}
