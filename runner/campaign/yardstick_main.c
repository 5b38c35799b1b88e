/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak-yardstick: a program with a fixed amount of work, and a known delay after any command. See
 * runner/campaign/yardstick.h.
 *
 *     firebreak-yardstick fixed
 *     firebreak-yardstick extend SHARE COMMAND [ARG...]
 *     firebreak-yardstick repeat TURNS COMMAND [ARG...]
 *
 * Libc only. The fixed work is arithmetic that stays in registers, passes over a few MiB of memory, and branches that
 * depend on data. Nothing depends on time, addresses or chance. There are no random reads over much memory: where the
 * kernel happens to place the pages would then decide about the cost of a run, by several percent, and hide what the
 * yardstick is to show. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_USAGE 2
#define EXIT_CANNOT_START 127
#define MAX_SHARE 100.0
#define MAX_TURNS 1e15

#define FIRST_NUMBER 88172645463325252u
#define MIX_ROUNDS 16000000u
#define TABLE_ENTRIES (1u << 20) /* 4 MiB of uint32_t */
#define PASSES 8
#define SORTED_NUMBERS (1u << 17)
/* Not more: what is aligned further lies in a segment of its own, and valgrind then knows no function of the file. */
#define ALIGNMENT 4096

/* Arithmetic between two looks at the clock: some 20 us, so that looking costs little beside it. */
#define DELAY_ROUNDS 10000u

static uint32_t table[TABLE_ENTRIES] __attribute__((aligned(ALIGNMENT)));
static uint32_t numbers[SORTED_NUMBERS] __attribute__((aligned(ALIGNMENT)));

/* One step of a generator whose next number needs the one before (Marsaglia 2003). */
static inline uint64_t next_number(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

__attribute__((noinline)) static uint64_t mix_numbers(void)
{
	uint64_t x = FIRST_NUMBER;
	for (uint32_t i = 0; i < MIX_ROUNDS; i++)
		x = next_number(x);
	return x;
}

/* Each entry needs the sum of those before it, so the compiler cannot do several at once. */
__attribute__((noinline)) static uint32_t pass_over_memory(void)
{
	uint32_t sum = 0;
	for (uint32_t pass = 0; pass < PASSES; pass++)
		for (uint32_t i = 0; i < TABLE_ENTRIES; i++) {
			sum = sum * 5 + table[i] + i;
			table[i] = sum >> 7;
		}
	return sum;
}

/* Shell's sort with Knuth's gaps (Knuth, The Art of Computer Programming 3, 5.2.1). */
__attribute__((noinline)) static uint64_t sort_numbers(uint64_t seed)
{
	uint32_t gap = 1;
	for (uint32_t i = 0; i < SORTED_NUMBERS; i++)
		numbers[i] = (uint32_t)(seed = next_number(seed));
	while (gap < SORTED_NUMBERS / 3)
		gap = 3 * gap + 1;
	for (; gap > 0; gap /= 3)
		for (uint32_t i = gap; i < SORTED_NUMBERS; i++) {
			uint32_t number = numbers[i], j = i;
			for (; j >= gap && numbers[j - gap] > number; j -= gap)
				numbers[j] = numbers[j - gap];
			numbers[j] = number;
		}
	return numbers[SORTED_NUMBERS / 2];
}

static void take_small_pages_for(void *bytes, size_t size)
{
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)bytes / page_size * page_size;
	madvise((void *)begin, (uintptr_t)bytes + size - begin, MADV_NOHUGEPAGE);
}

/* Where huge pages are to be had changes from run to run, so none are taken. */
static void take_small_pages(void)
{
	take_small_pages_for(table, sizeof table);
	take_small_pages_for(numbers, sizeof numbers);
}

static int run_fixed(void)
{
	take_small_pages();
	uint64_t mixed = mix_numbers();
	uint32_t passed = pass_over_memory();
	uint64_t sorted = sort_numbers(mixed);
	int written = dprintf(
	        STDOUT_FILENO, "%016llx %08x %016llx\n", (unsigned long long)mixed, passed, (unsigned long long)sorted);
	return written > 0 ? 0 : EXIT_USAGE;
}

static int64_t own_cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The arithmetic stands in here and not in functions of its own, so that samples of the delay name this one. It lasts
 * so long, and so many turns; who only wants turns does not look at the clock. */
__attribute__((noinline)) void firebreak_planted_delay(int64_t cpu_ns, uint64_t turns);
void firebreak_planted_delay(int64_t cpu_ns, uint64_t turns)
{
	volatile uint64_t result;
	uint64_t x = FIRST_NUMBER;
	for (uint64_t i = 0; i < turns; i++)
		x = next_number(x);
	result = x;
	for (int64_t end_ns = cpu_ns > 0 ? own_cpu_ns() + cpu_ns : 0; cpu_ns > 0 && own_cpu_ns() < end_ns;) {
		for (uint32_t i = 0; i < DELAY_ROUNDS; i++)
			x = next_number(x);
		result = x;
	}
	(void)result;
}

/* Of all children that ended and were waited for, by us and by those of them that did. */
static int64_t children_cpu_ns(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	int64_t seconds = (int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
	return seconds * 1000000000 + ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

/* Returns only if it cannot be started. */
static int start_command(char **argv)
{
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "firebreak-yardstick: cannot start %s: %s\n", argv[0], strerror(errno));
	return EXIT_CANNOT_START;
}

/* Ends this process as the command ended; the command has dumped its core already, so this one does not. */
static int end_like(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	int number = WTERMSIG(status);
	sigset_t all;
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(number, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	kill(getpid(), number);
	return 128 + number;
}

/* `share` of the time of the command, and so many turns. */
static int run_extended(double share, double turns, char **argv)
{
	int status;
	pid_t pid = fork();
	if (pid < 0) {
		dprintf(STDERR_FILENO, "firebreak-yardstick: cannot make a process: %s\n", strerror(errno));
		return EXIT_CANNOT_START;
	}
	if (pid == 0)
		return start_command(argv);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_CANNOT_START;
	firebreak_planted_delay((int64_t)(share * (double)children_cpu_ns()), (uint64_t)turns);
	return end_like(status);
}

static int usage(void)
{
	dprintf(STDERR_FILENO,
	        "usage: firebreak-yardstick fixed | extend SHARE COMMAND [ARG...] | repeat TURNS COMMAND [ARG...]\n");
	return EXIT_USAGE;
}

/* A number from 0 to `most`. */
static int read_number(const char *text, double most, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return end != text && *end == '\0' && *number >= 0 && *number <= most;
}

int main(int argc, char **argv)
{
	double number;
	if (argc == 2 && strcmp(argv[1], "fixed") == 0)
		return run_fixed();
	if (argc >= 4 && strcmp(argv[1], "extend") == 0 && read_number(argv[2], MAX_SHARE, &number))
		return run_extended(number, 0, argv + 3);
	if (argc >= 4 && strcmp(argv[1], "repeat") == 0 && read_number(argv[2], MAX_TURNS, &number))
		return run_extended(0, number, argv + 3);
	return usage();
}
