/* SPDX-License-Identifier: Apache-2.0 */
/* Does it help to alternate the two sides of a co-scheduled round faster, or slower? Runs rounds of the same program on
 * both sides under several settings that take turns, so that whatever drifts hits all of them alike, and prints the
 * rows of a Markdown table. Built and run by slices.sh:
 *
 *     slices ROUNDS CPU FOLDER NAME COMMAND [NAME COMMAND...]
 *
 * COMMAND is a shell text that runs in FOLDER. */
#include "core/child.h"
#include "core/error.h"
#include "runner/events/counters.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* MAD of normally distributed values to their standard deviation */
#define MAD_TO_SD 1.4826

/* The ways in which the sides of a round alternate: by slices, or at the latest whenever a third process wakes on their
 * CPU. */
typedef struct {
	const char *label;
	gint64 slice_ns;
	long wake_ns; /* between two wakes; 0 = nobody wakes */
} Setting;

/* The kernel's comes twice: the second shows how much two equal settings differ by chance. The wakes are no multiple of
 * any timer tick, which else hits the same side every time. */
static const Setting settings[] = {
        {"kernel's", 0, 0},
        {"kernel's, again", 0, 0},
        {"0.1 ms", 100000, 0},
        {"0.3 ms", 300000, 0},
        {"0.5 ms", 500000, 0},
        {"1 ms", 1000000, 0},
        {"3 ms", 3000000, 0},
        {"8 ms", 8000000, 0},
        {"woken every 1.37 ms", 0, 1370000},
        {"woken every 0.37 ms", 0, 370000},
};
enum { N_SETTINGS = G_N_ELEMENTS(settings), N_SIDES = 2 };

typedef struct {
	const char *name, *command;
	GArray *log_ratios[N_SETTINGS], *cpu_ns[N_SETTINGS], *switch_rates[N_SETTINGS]; /* of double, one per round */
} Program;

typedef struct {
	int cpu;
	const char *folder;
	char **environment;
	PerfAbilities abilities;
	GRand *random;
} Bench;

typedef struct {
	Child *child;
	Counters *counters;
} Run;

static void end_if(GError *error)
{
	if (error == NULL)
		return;
	fprintf(stderr, "slices: %s\n", error->message);
	exit(firebreak_error_exit_code(error));
}

static Run prepare(const Bench *bench, const char *command, gint64 slice_ns)
{
	g_autofree char *script = g_strconcat("exec ", command, NULL);
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	const ChildSpec spec = {
	        .argv = argv,
	        .envp = (const char *const *)bench->environment,
	        .cwd = bench->folder,
	        .cpus = &bench->cpu,
	        .n_cpus = 1,
	        .slice_ns = slice_ns,
	};
	GError *error = NULL;
	Run run = {.child = child_prepare(&spec, &error)};
	end_if(error);
	run.counters = counters_open(child_pid(run.child), &bench->abilities, FALSE, &error);
	end_if(error);
	return run;
}

static double counted(const GArray *values, const char *name)
{
	for (guint i = 0; i < values->len; i++) {
		const CounterValue *value = &g_array_index(values, CounterValue, i);
		if (value->counted && g_str_equal(value->name, name))
			return value->value;
	}
	return NAN;
}

static pid_t start_waker(const Bench *bench, long wake_ns)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	const struct timespec period = {.tv_nsec = wake_ns};
	cpu_set_t cpu;
	CPU_ZERO(&cpu);
	CPU_SET(bench->cpu, &cpu);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	sched_setaffinity(0, sizeof cpu, &cpu);
	while (nanosleep(&period, NULL) == 0)
		;
	_exit(1);
}

static void end_waker(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void let_go(const Bench *bench, const Run runs[N_SIDES])
{
	Child *children[N_SIDES] = {runs[0].child, runs[1].child};
	GError *error = NULL;
	gboolean first = g_rand_boolean(bench->random);
	child_release(children[first]);
	child_release(children[!first]);
	child_wait_all(children, N_SIDES, NULL, &error);
	end_if(error);
}

static void check_end(const Program *program, const ChildResult *result)
{
	g_autofree char *failure = child_describe_failure(result);
	if (failure == NULL)
		return;
	fprintf(stderr, "slices: %s %s\n%s", program->name, failure, result->err->str);
	exit(FIREBREAK_ERROR_INVALID);
}

static void keep(GArray *values, double value)
{
	g_array_append_val(values, value);
}

static void run_round(const Bench *bench, Program *program, guint s)
{
	const Setting *setting = &settings[s];
	double cpu_ns[N_SIDES], switches = 0;
	gint64 start_ns = G_MAXINT64, end_ns = 0;
	Run runs[N_SIDES];
	for (guint i = 0; i < N_SIDES; i++)
		runs[i] = prepare(bench, program->command, setting->slice_ns);
	pid_t waker = setting->wake_ns != 0 ? start_waker(bench, setting->wake_ns) : 0;
	let_go(bench, runs);
	if (waker > 0)
		end_waker(waker);
	for (guint i = 0; i < N_SIDES; i++) {
		GError *error = NULL;
		const ChildResult *result = child_result(runs[i].child);
		check_end(program, result);
		g_autoptr(GArray) values = counters_read(runs[i].counters, &error);
		end_if(error);
		cpu_ns[i] = counted(values, "task-clock");
		switches += counted(values, "context-switches");
		start_ns = MIN(start_ns, result->start_ns);
		end_ns = MAX(end_ns, result->end_ns);
		counters_free(runs[i].counters);
		child_free(runs[i].child);
	}
	keep(program->log_ratios[s], log(cpu_ns[1] / cpu_ns[0]));
	keep(program->cpu_ns[s], (cpu_ns[0] + cpu_ns[1]) / 2);
	keep(program->switch_rates[s], switches / ((double)(end_ns - start_ns) / 1e9));
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const GArray *values)
{
	g_autoptr(GArray) sorted = g_array_copy((GArray *)values);
	g_array_sort(sorted, compare_doubles);
	return (g_array_index(sorted, double, (sorted->len - 1) / 2) + g_array_index(sorted, double, sorted->len / 2)) /
	       2;
}

static double robust_sd(const GArray *values)
{
	double center = median(values);
	g_autoptr(GArray) distances = g_array_copy((GArray *)values);
	for (guint i = 0; i < distances->len; i++)
		g_array_index(distances, double, i) = fabs(g_array_index(distances, double, i) - center);
	return MAD_TO_SD * median(distances);
}

static double plain_sd(const GArray *values)
{
	double sum = 0, squares = 0;
	for (guint i = 0; i < values->len; i++)
		sum += g_array_index(values, double, i);
	for (guint i = 0; i < values->len; i++) {
		double off = g_array_index(values, double, i) - sum / values->len;
		squares += off * off;
	}
	return sqrt(squares / (values->len - 1));
}

static void print_rows(const Program *program)
{
	double usual_ns = median(program->cpu_ns[0]), usual_sd = robust_sd(program->log_ratios[0]);
	for (guint s = 0; s < N_SETTINGS; s++) {
		double cpu_ns = median(program->cpu_ns[s]), sd = robust_sd(program->log_ratios[s]);
		printf("| %s | %.3f | %s | %.0f | %.2f %% | %.2f %% | %.1f | %+.1f %% |\n", program->name, cpu_ns / 1e9,
		        settings[s].label, median(program->switch_rates[s]), 100 * plain_sd(program->log_ratios[s]),
		        100 * sd, usual_sd / sd, 100 * (cpu_ns / usual_ns - 1));
	}
}

static GArray *programs_of(char **arguments, int n)
{
	GArray *programs = g_array_new(FALSE, TRUE, sizeof(Program));
	for (int i = 0; i + 1 < n; i += 2) {
		Program program = {.name = arguments[i], .command = arguments[i + 1]};
		for (guint s = 0; s < N_SETTINGS; s++) {
			program.log_ratios[s] = g_array_new(FALSE, FALSE, sizeof(double));
			program.cpu_ns[s] = g_array_new(FALSE, FALSE, sizeof(double));
			program.switch_rates[s] = g_array_new(FALSE, FALSE, sizeof(double));
		}
		g_array_append_val(programs, program);
	}
	return programs;
}

int main(int argc, char **argv)
{
	GError *error = NULL;
	FindingList *findings = finding_list_new();
	guint rounds = argc > 1 ? (guint)strtoul(argv[1], NULL, 10) : 0;
	if (argc < 6 || argc % 2 != 0 || rounds < 2) {
		fprintf(stderr, "usage: slices ROUNDS CPU FOLDER NAME COMMAND [NAME COMMAND...]\n");
		return FIREBREAK_ERROR_USAGE;
	}
	Bench bench = {
	        .cpu = atoi(argv[2]),
	        .folder = argv[3],
	        .environment = g_get_environ(),
	        .random = g_rand_new_with_seed(7),
	};
	perf_probe(&bench.abilities, findings, &error);
	end_if(error);
	GArray *programs = programs_of(argv + 4, argc - 4);
	for (guint r = 0; r < rounds; r++)
		for (guint s = 0; s < N_SETTINGS; s++)
			for (guint p = 0; p < programs->len; p++)
				run_round(&bench, &g_array_index(programs, Program, p), (r + s) % N_SETTINGS);
	for (guint p = 0; p < programs->len; p++)
		print_rows(&g_array_index(programs, Program, p));
	return 0;
}
