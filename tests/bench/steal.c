/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how much more ln(head/base) of a round scatters where a hypervisor takes the CPU now and then. A process of
 * a real-time class takes it instead, in bursts at random. Its time is no part of the CPU time of the run that it
 * interrupts, while that of a hypervisor is, so each burst is added to that run. Prints a row of a Markdown table, for
 * rounds of two equal runs that share the CPU, and for rounds back to back. Built and run by steal.sh:
 *
 *     steal CPU PROGRAM RUN_S BURST_MS SHARE ROUNDS
 *
 * PROGRAM is compute, cache or memory: what a run does, looking at the clock every few microseconds. A run knows the
 * gaps in its time, the bursts know when they began: a burst belongs to the run whose gap began with it. */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_GAPS 200000
#define MIN_GAP_S .0004 /* longer than an interrupt takes */
#define MAX_ROUNDS 500
#define SQUARES_OF_LENGTHS (13. / 12) /* mean square over squared mean of lengths between .5 and 1.5 */

enum { BASE, HEAD, BURSTS, LOGS };

/* The observations of a process, in memory that all of them share. */
typedef struct {
	volatile int go;
	volatile double cpu_s;
	volatile int n;
	double start_s[MAX_GAPS], end_s[MAX_GAPS];
} Log;

/* The work of a run. */
typedef struct {
	const char *name;
	int steps;
	size_t bytes; /* that it walks over at random; 0 = none */
} Program;

static const Program programs[] = {{"compute", 20000, 0}, {"cache", 4000, 256 << 10}, {"memory", 1500, 16 << 20}};

typedef struct {
	const Program *program;
	double run_s, burst_s, share;
	int rounds;
	long pieces;
	unsigned *memory;
	Log *logs;
} Bench;

static uint64_t state = 1;

static double clock_s(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double uniform(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((double)(state >> 11) + .5) / 9007199254740992.;
}

static void do_piece(const Bench *bench)
{
	size_t words = bench->program->bytes / sizeof *bench->memory;
	for (int i = 0; i < bench->program->steps; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		if (words > 0)
			state += bench->memory[(state >> 33) % words]++;
	}
}

static _Noreturn void run(const Bench *bench, Log *log)
{
	while (!log->go)
		usleep(100);
	double cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID), last_s = clock_s(CLOCK_MONOTONIC);
	log->n = 0;
	for (long i = 0; i < bench->pieces; i++) {
		do_piece(bench);
		double now_s = clock_s(CLOCK_MONOTONIC);
		if (now_s - last_s > MIN_GAP_S && log->n < MAX_GAPS) {
			log->start_s[log->n] = last_s;
			log->end_s[log->n++] = now_s;
		}
		last_s = now_s;
	}
	log->cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
	_exit(0);
}

static _Noreturn void take_bursts(const Bench *bench, int round)
{
	struct sched_param priority = {.sched_priority = 10};
	Log *log = &bench->logs[BURSTS];
	if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
		perror("steal: SCHED_FIFO");
		_exit(1);
	}
	state = 1234567 + 7919ULL * (uint64_t)round;
	for (log->n = 0; log->n < MAX_GAPS; log->n++) {
		double length_s = bench->burst_s * (.5 + uniform());
		double pause_s = -log1p(-uniform()) * bench->burst_s * (1 - bench->share) / bench->share;
		struct timespec pause = {(time_t)pause_s, (long)((pause_s - floor(pause_s)) * 1e9)};
		nanosleep(&pause, NULL);
		double start_s = clock_s(CLOCK_MONOTONIC), now_s = start_s;
		while (now_s - start_s < length_s)
			now_s = clock_s(CLOCK_MONOTONIC);
		log->start_s[log->n] = start_s;
		log->end_s[log->n] = now_s;
	}
	_exit(0);
}

/* The time that bursts took from a run. */
static double stolen_s(const Log *run_log, const Log *bursts)
{
	double sum_s = 0;
	for (int i = 0, gap = 0; i < bursts->n; i++) {
		while (gap < run_log->n && run_log->end_s[gap] < bursts->start_s[i])
			gap++;
		if (gap < run_log->n && fabs(run_log->start_s[gap] - bursts->start_s[i]) < MIN_GAP_S)
			sum_s += bursts->end_s[i] - bursts->start_s[i];
	}
	return sum_s;
}

/* Runs from `first` to `last` at once; adds to what they cost and to what was stolen. */
static void run_beside_bursts(const Bench *bench, int first, int last, int round, double cpu_s[2], double *stolen)
{
	pid_t burst = bench->share > 0 ? fork() : -1, runs[2];
	if (burst == 0)
		take_bursts(bench, round);
	for (int side = first; side <= last; side++) {
		bench->logs[side].go = 0;
		if ((runs[side] = fork()) == 0)
			run(bench, &bench->logs[side]);
	}
	usleep(2000);
	for (int side = first; side <= last; side++)
		bench->logs[side].go = 1;
	for (int side = first; side <= last; side++)
		waitpid(runs[side], NULL, 0);
	if (burst > 0) {
		kill(burst, SIGKILL);
		waitpid(burst, NULL, 0);
	}
	for (int side = first; side <= last; side++) {
		double taken_s = burst > 0 ? stolen_s(&bench->logs[side], &bench->logs[BURSTS]) : 0;
		cpu_s[side] = bench->logs[side].cpu_s + taken_s;
		*stolen += taken_s;
	}
}

static double spread(const double *values, int n)
{
	double sum = 0, squares = 0;
	for (int i = 0; i < n; i++)
		sum += values[i];
	for (int i = 0; i < n; i++)
		squares += (values[i] - sum / n) * (values[i] - sum / n);
	return sqrt(squares / (n - 1));
}

/* Prints the share that was stolen and the spread that came out, with that of the formula. */
static void measure(const Bench *bench, int together)
{
	double ratios[MAX_ROUNDS], stolen = 0, whole = 0;
	for (int r = 0; r < bench->rounds; r++) {
		double cpu_s[2];
		if (together)
			run_beside_bursts(bench, BASE, HEAD, r, cpu_s, &stolen);
		for (int side = BASE; !together && side <= HEAD; side++)
			run_beside_bursts(bench, side, side, 2 * r + side, cpu_s, &stolen);
		ratios[r] = log(cpu_s[HEAD] / cpu_s[BASE]);
		whole += cpu_s[BASE] + cpu_s[HEAD];
	}
	double share = stolen / whole;
	printf(" %.1f %% | %.2f %% (%.2f) |", 100 * share, 100 * spread(ratios, bench->rounds),
	        100 * sqrt(2 * share * (1 - share) * bench->burst_s * SQUARES_OF_LENGTHS / bench->run_s));
	fflush(stdout);
}

/* So many pieces are a run. */
static long count_pieces(const Bench *bench)
{
	double least_s = INFINITY;
	for (int i = 0; i < 30; i++) {
		double start_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
		do_piece(bench);
		least_s = fmin(least_s, clock_s(CLOCK_PROCESS_CPUTIME_ID) - start_s);
	}
	return (long)(bench->run_s / least_s);
}

int main(int argc, char **argv)
{
	if (argc != 7)
		return 2;
	Bench bench = {.run_s = atof(argv[3]),
	        .burst_s = atof(argv[4]) / 1e3,
	        .share = atof(argv[5]),
	        .rounds = atoi(argv[6])};
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)atoi(argv[1]), &cpus);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (strcmp(programs[i].name, argv[2]) == 0)
			bench.program = &programs[i];
	if (bench.program == NULL || bench.rounds < 2 || bench.rounds > MAX_ROUNDS ||
	        sched_setaffinity(0, sizeof cpus, &cpus) != 0)
		return 2;
	bench.memory = calloc(1, bench.program->bytes + 1);
	bench.logs = mmap(NULL, LOGS * sizeof(Log), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (bench.memory == NULL || bench.logs == MAP_FAILED)
		return 1;
	memset(bench.memory, 1, bench.program->bytes);
	bench.pieces = count_pieces(&bench);
	printf("| %s | %s ms |", bench.program->name, argv[4]);
	fflush(stdout);
	measure(&bench, 1);
	measure(&bench, 0);
	printf("\n");
	return 0;
}
