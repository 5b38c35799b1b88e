/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded into a run before all others: it fixes the iterations of Catch2, which has no option for
 * that (runner/frameworks/catch2run.h). Catch2 reads its clock on the main thread:
 *
 *     1. once for each program, some 50,000 times one after the other, to learn how fine the clock is;
 *     2. for each BENCHMARK around 1, 2, 4, ... iterations, until they take 1000 times as long as the clock is fine:
 *        so many iterations make a sample;
 *     3. 10,002 times, to warm up, and then around each sample.
 *
 * So the clock of that thread is an artificial one, which moves by one tick from reading to reading, and by 1000 ticks
 * around the 2^d-th iterations of 2. Catch2 prints before 2, between 2 and 3, and after 3, which is how they are told
 * apart. The readings between two prints are written to a log, with the true time that passed around samples: code
 * that reads the clock itself makes them others. Other threads have the true clock. libc only. */
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

/* CATCH2_WARM_READINGS, CATCH2_VARIABLE and so on of runner/frameworks/catch2run.h */
#define WARM_READINGS 10002
#define DOUBLINGS "FIREBREAK_CATCH2_DOUBLINGS"
#define LOG "FIREBREAK_CATCH2_LOG"
#define OPTION "--benchmark-samples=" /* that firebreak adds; programs without it are left alone */

#define NS_PER_S 1000000000L
#define TICK_NS 50000L /* so that 10,000 readings take the 500 ms that Catch2 wants for 1 */
#define SAMPLE_TICKS 1000
#define LEARNING_READINGS 30000UL /* those of 1 are more, those of a test case before it fewer */

static int (*usual_clock)(clockid_t, struct timespec *);
static ssize_t (*usual_write)(int, const void *, size_t);
static ssize_t (*usual_writev)(int, const struct iovec *, int);
static size_t (*usual_fwrite)(const void *, size_t, size_t, FILE *);
static pthread_t main_thread;
static unsigned long last_doubling; /* the reading after the iterations that are said to be enough; 0 = not Catch2 */
static int has_learnt;
static unsigned long readings; /* since something was printed */
static long now_ns;            /* of the artificial clock */
static long sample_began_ns, samples_ns;

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	const char *doublings = getenv(DOUBLINGS);
	*(void **)&usual_clock = dlsym(RTLD_NEXT, "clock_gettime");
	*(void **)&usual_write = dlsym(RTLD_NEXT, "write");
	*(void **)&usual_writev = dlsym(RTLD_NEXT, "writev");
	*(void **)&usual_fwrite = dlsym(RTLD_NEXT, "fwrite");
	main_thread = pthread_self();
	for (int i = 1; doublings != NULL && i < argc; i++)
		if (strncmp(argv[i], OPTION, strlen(OPTION)) == 0)
			last_doubling = 2 * (strtoul(doublings, NULL, 10) + 1);
}

static int is_ours(void)
{
	return last_doubling > 0 && pthread_equal(pthread_self(), main_thread);
}

static int true_clock(clockid_t id, struct timespec *time)
{
	return usual_clock != NULL ? usual_clock(id, time) : (int)syscall(SYS_clock_gettime, id, time);
}

static long true_ns(void)
{
	struct timespec time = {0};
	true_clock(CLOCK_MONOTONIC, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* The readings after the warm-up come in pairs around samples. */
static void time_sample(void)
{
	if (readings <= WARM_READINGS)
		return;
	if (readings % 2 == 1)
		sample_began_ns = true_ns();
	else
		samples_ns += true_ns() - sample_began_ns;
}

static void advance(void)
{
	if (now_ns == 0)
		now_ns = true_ns();
	readings++;
	has_learnt |= readings > LEARNING_READINGS;
	now_ns += has_learnt && readings == last_doubling ? SAMPLE_TICKS * TICK_NS : TICK_NS;
}

EXPORTED int clock_gettime(clockid_t id, struct timespec *time)
{
	if (id != CLOCK_MONOTONIC || !is_ours())
		return true_clock(id, time);
	advance();
	if (has_learnt)
		time_sample();
	*time = (struct timespec){now_ns / NS_PER_S, now_ns % NS_PER_S};
	return 0;
}

static void note_readings(void)
{
	const char *path = getenv(LOG);
	char line[64];
	int length = snprintf(line, sizeof line, "%lu %ld\n", readings, samples_ns);
	int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd >= 0) {
		/* a line that is lost makes the log too short, and the run invalid */
		ssize_t written = syscall(SYS_write, fd, line, (size_t)length);
		(void)written;
		close(fd);
	}
}

/* Before something is printed. */
static void end_phase(void)
{
	int error = errno;
	if (!is_ours() || readings == 0)
		return;
	note_readings();
	readings = 0;
	samples_ns = 0;
	errno = error;
}

/* std::cout calls it. */
EXPORTED size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file)
{
	if (fileno(file) == STDOUT_FILENO)
		end_phase();
	return usual_fwrite != NULL ? usual_fwrite(bytes, size, n, file) : 0;
}

EXPORTED ssize_t write(int fd, const void *bytes, size_t length)
{
	if (fd == STDOUT_FILENO)
		end_phase();
	return usual_write != NULL ? usual_write(fd, bytes, length) : syscall(SYS_write, fd, bytes, length);
}

EXPORTED ssize_t writev(int fd, const struct iovec *pieces, int n)
{
	if (fd == STDOUT_FILENO)
		end_phase();
	return usual_writev != NULL ? usual_writev(fd, pieces, n) : syscall(SYS_writev, fd, pieces, n);
}
