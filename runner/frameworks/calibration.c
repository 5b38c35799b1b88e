/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/calibration.h"

#include "core/error.h"
#include "runner/frameworks/frameworkcases.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/frameworks.h"
#include "runner/frameworks/libtestrun.h"
#include "runner/hints/runhint.h"
#include "runner/runfolder.h"

#include <math.h>

#define MAX_ITERATIONS 1e9
#define FIRST_ITERATIONS 3 /* a number that no version does by chance */
#define FIRST_SAMPLES 10
#define MAX_SAMPLES 1000000
#define MAX_SAMPLE_PROBES 4
#define MAX_SAMPLES_FACTOR 5. /* from one probe to the next */
/* Samples take at least so many times the CPU time of all else that a run does. */
#define SAMPLES_PART 3
/* No more samples are asked for when a run takes as long by the wall. */
#define MAX_RUN_NS 6e9
/* A run of this part of the wanted time tells how long one iteration takes. */
#define TELLING_PART .1
#define MAX_PROBES 14
/* Others have this much of a CPU at most; what is even longer by the wall waits. */
#define MAX_LOAD 8
/* A probe takes about as long at most, if iterations cost what the one before it shows. */
#define PROBE_NS 2e9
#define MAX_GROWTH 100.
/* The CPU time of two starts of a program differs by as much, and by this part of it. */
#define START_NS 2e6
#define START_PART .02
/* A run has this part of its timeout at most, since other load may make it longer. */
#define TIMEOUT_PART .25
#define QUOTED_BYTES 2000
/* Cases that take less, or are measured for less, may have lost their work: times by the wall are too long where the
 * CPU is shared, and those of few iterations are too long anyway. */
#define SHORT_NS 4
#define SHORT_CASE_NS 1e6
/* So many iterations tell whether one takes a cycle, or so much CPU time that it does not matter. */
#define LOOK_ITERATIONS 1e8
#define LOOK_NS 2e8
#define MAX_LOOKS 16

typedef struct {
	const RunRequest *request;
	const FrameworkPlan *plan;
	GPtrArray *cases;
	guint iterations;                   /* of the last run */
	double cpu_ns, wall_ns;             /* of its process */
	guint first;                        /* iterations of the first one, */
	double first_cpu_ns, first_wall_ns; /* whose time is nearly all that of the start */
} Probe;

guint framework_round(double wanted)
{
	double step = 1;
	wanted = CLAMP(wanted, 1, MAX_ITERATIONS);
	while (step * 10 <= wanted)
		step *= 10;
	return (guint)(wanted >= 5 * step ? 5 * step : wanted >= 2 * step ? 2 * step : step);
}

void framework_plan_limit(FrameworkPlan *plan, double seconds)
{
	plan->end_ns = isfinite(seconds) ? g_get_monotonic_time() * 1000 + (gint64)(seconds * 1e9) : 0;
}

static gint64 timeout_ms(const Probe *probe)
{
	gint64 timeout = probe->request->benchmark->timeout_ms, end_ns = probe->plan->end_ns;
	gint64 left = end_ns > 0 ? (end_ns - g_get_monotonic_time() * 1000) / 1000000 : timeout;
	return CLAMP(left, 1, timeout);
}

/* Starts it and waits for it. Owned by the caller. */
static Child *run_child(const Probe *probe, char **command, const FrameworkRun *run, GError **error)
{
	const RunRequest *request = probe->request;
	const GArray *cpus = probe->plan->cpus;
	g_autofree char *cwd = run_folder_cwd(request, error);
	if (cwd == NULL)
		return NULL;
	g_auto(GStrv) environment = framework_environment(run, run_environment(request, run->dir, 0));
	const ChildSpec spec = {
	        .argv = (const char *const *)command,
	        .envp = (const char *const *)environment,
	        .cwd = cwd,
	        .cpus = cpus != NULL ? (const int *)(void *)cpus->data : NULL,
	        .n_cpus = cpus != NULL ? cpus->len : 0,
	        .no_new_privileges = !request->benchmark->privileges,
	        .timeout_ms = timeout_ms(probe),
	        .keep_bytes = framework_keep_bytes(request->benchmark),
	};
	return child_run(&spec, error);
}

/* Why the run failed, and what to change. */
static gboolean refuse_failure(
        const RunRequest *request, const ChildResult *result, const char *failure, GError **error)
{
	RunOutcome outcome = {0};
	gsize shown = MIN(result->err->len, QUOTED_BYTES);
	g_autoptr(FindingList) findings = finding_list_new();
	run_outcome_fail(&outcome, "benchmark_failed", FALSE, "%s %s%s%s", request->benchmark->command[0], failure,
	        shown > 0 ? "\n" : "", result->err->str + result->err->len - shown);
	run_hint(request, result, TRUE, findings, &outcome);
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s", outcome.failure);
	run_outcome_clear(&outcome);
	return FALSE;
}

static gboolean judge(Probe *probe, const FrameworkRun *run, const ChildResult *result, GError **error)
{
	g_autofree char *failure = child_describe_failure(result);
	/* a run that fails has none, and those of the run before it are not its own */
	g_clear_pointer(&probe->cases, g_ptr_array_unref);
	if (failure != NULL)
		return refuse_failure(probe->request, result, failure, error);
	probe->cases = framework_read(run, result, error);
	probe->iterations = run->iterations;
	probe->cpu_ns = (double)(result->user_ns + result->system_ns);
	probe->wall_ns = (double)(result->end_ns - result->start_ns);
	if (probe->first == 0) {
		probe->first = run->iterations;
		probe->first_cpu_ns = probe->cpu_ns;
		probe->first_wall_ns = probe->wall_ns;
	}
	return probe->cases != NULL && framework_measures(run, probe->cases, error);
}

/* Runs it once with so many iterations. */
static gboolean probe_run(Probe *probe, guint iterations, GError **error)
{
	char *dir = run_folder_new(probe->request, error);
	if (dir == NULL)
		return FALSE;
	const FrameworkRun run = {probe->request->benchmark, dir, iterations, probe->plan->cases};
	g_auto(GStrv) command = framework_command(&run);
	g_autoptr(Child) child = run_child(probe, command, &run, error);
	gboolean ok = child != NULL && judge(probe, &run, child_result(child), error);
	run_folder_free(probe->request, dir);
	return ok;
}

/* The time that a run took longer than the first one, by either clock, for one iteration more. */
static double slope(double ns, double first_ns, const Probe *probe)
{
	return probe->iterations > probe->first ? MAX(ns - first_ns, 0) / (probe->iterations - probe->first) : 0;
}

/* Of one iteration of each case. CPU time has the work of all threads in it. What the framework says may go by the
 * wall, where others make it too long, or leave out what other threads do. */
static double iteration_ns(const Probe *probe)
{
	double said = framework_cases_ns(probe->cases), wall = slope(probe->wall_ns, probe->first_wall_ns, probe);
	return MAX(slope(probe->cpu_ns, probe->first_cpu_ns, probe), MAX(said, wall) / MAX_LOAD);
}

guint framework_next_iterations(guint iterations, double gained_ns, double start_ns, double budget_ns)
{
	double noise_ns = START_NS + START_PART * start_ns;
	double growth = CLAMP(budget_ns / MAX(gained_ns, noise_ns), 2, MAX_GROWTH);
	return (guint)MIN(iterations * growth, MAX_ITERATIONS);
}

static guint max_iterations(const Probe *probe)
{
	gboolean libtest = probe->request->benchmark->framework == FRAMEWORK_LIBTEST;
	return libtest ? LIBTEST_MAX_ITERATIONS : (guint)MAX_ITERATIONS;
}

/* The most iterations that the next run may do. Of the first one nobody knows what is start and what are iterations. */
static guint next_iterations(const Probe *probe)
{
	gboolean first = probe->iterations <= probe->first;
	double budget_ns = MIN(PROBE_NS, TIMEOUT_PART * 1e6 * (double)probe->request->benchmark->timeout_ms);
	double cpu_ns = probe->cpu_ns - (first ? 0 : probe->first_cpu_ns);
	double wall_ns = probe->wall_ns - (first ? 0 : probe->first_wall_ns);
	guint next = framework_next_iterations(
	        probe->iterations, MAX(cpu_ns, wall_ns / MAX_LOAD), first ? 0 : probe->first_cpu_ns, budget_ns);
	return MIN(next, max_iterations(probe));
}

/* The units of work of the last run. */
static gboolean probe_work(const Probe *probe, double *work, GError **error)
{
	const FrameworkRun run = {.benchmark = probe->request->benchmark, .iterations = probe->iterations};
	double run_ns = framework_run_ns(run.benchmark, probe->cpu_ns, probe->wall_ns);
	return framework_work(&run, probe->cases, run_ns, work, error);
}

/* Asks for more and more, since the first iterations are slow. */
static gboolean search(Probe *probe, double ns, guint *chosen, GError **error)
{
	double each = iteration_ns(probe);
	guint most = max_iterations(probe);
	for (guint i = 0; i < MAX_PROBES && probe->iterations < most &&
	                  (probe->iterations <= probe->first || probe->iterations * each < TELLING_PART * ns);
	        i++) {
		double wanted = MAX(TELLING_PART * 1.5 * ns / MAX(each, 1e-3), 2. * probe->iterations);
		if (!probe_run(probe, (guint)MIN(wanted, next_iterations(probe)), error))
			return FALSE;
		each = iteration_ns(probe);
	}
	double wall = slope(probe->wall_ns, probe->first_wall_ns, probe);
	double most_ns = TIMEOUT_PART * 1e6 * (double)probe->request->benchmark->timeout_ms;
	*chosen = framework_round(MIN(MIN(ns / MAX(each, 1e-3), most_ns / MAX(wall, 1e-3)), most));
	return TRUE;
}

/* By what the framework says, which goes by the wall: samples of Catch2 are as long as its clock is coarse. */
static double said_samples(const Probe *probe, double ns)
{
	double sample_ns = 0;
	for (guint i = 0; i < probe->cases->len; i++) {
		const FrameworkCase *one = probe->cases->pdata[i];
		sample_ns += one->ns * one->iterations / FIRST_SAMPLES;
	}
	return CLAMP(ns / MAX(sample_ns, 1), FIRST_SAMPLES, MAX_SAMPLES);
}

double framework_samples(double samples, double gained_ns, double wall_ns, double ns)
{
	double factor = gained_ns > 0 ? ns / gained_ns : MAX_SAMPLES_FACTOR;
	factor = MIN(factor, MAX_RUN_NS / wall_ns);
	return CLAMP(samples * CLAMP(factor, 1 / MAX_SAMPLES_FACTOR, MAX_SAMPLES_FACTOR), FIRST_SAMPLES, MAX_SAMPLES);
}

/* Looks for the samples that make a run use `ns` of CPU time more than the few of the first one, in which nearly all is
 * looking at the clock. That goes by the wall, so that its part of a run changes with the load, and the cost of an
 * iteration with it unless samples are most of the run. */
static gboolean search_samples(Probe *probe, double ns, FrameworkPlan *plan, GError **error)
{
	double idle_ns = probe->cpu_ns, gained = 0;
	ns = MAX(ns, SAMPLES_PART * idle_ns);
	double samples = said_samples(probe, ns), last = plan->iterations;
	for (guint i = 0; i < MAX_SAMPLE_PROBES && gained < ns / 2 && probe->wall_ns < MAX_RUN_NS; i++) {
		last = samples;
		if (!probe_run(probe, (guint)last, error))
			return FALSE;
		gained = probe->cpu_ns - idle_ns;
		samples = framework_samples(last, gained, probe->wall_ns, ns);
	}
	plan->iterations = framework_round(samples);
	return probe_work(probe, &plan->work, error);
}

/* --- cases whose work was removed --- */

/* Of a case, for each that is asked for. */
static guint per_asked(const Probe *probe)
{
	return probe->request->benchmark->framework == FRAMEWORK_LIBTEST ? LIBTEST_PER_ASKED : 1;
}

static gboolean is_short(const FrameworkCase *one, double iterations)
{
	return one->ns < SHORT_NS || one->ns * iterations < SHORT_CASE_NS;
}

/* The CPU time of an iteration of the only case that the benchmark runs, by more and more of them; NaN if that fails
 * or tells nothing. */
static double look_closely(const RunRequest *request, const FrameworkPlan *plan)
{
	Probe probe = {.request = request, .plan = plan};
	double ns = NAN;
	/* a run that is refused since no work is left has its times, too */
	gboolean ok = probe_run(&probe, 1, NULL) || probe.cases != NULL;
	guint most = (guint)(LOOK_ITERATIONS / per_asked(&probe));
	for (guint i = 0;
	        ok && i < MAX_PROBES && probe.iterations < most && probe.cpu_ns - probe.first_cpu_ns < LOOK_NS; i++) {
		ok = probe_run(&probe, MIN(next_iterations(&probe), most), NULL) || probe.cases != NULL;
		ns = ok ? slope(probe.cpu_ns, probe.first_cpu_ns, &probe) / per_asked(&probe) : NAN;
	}
	g_clear_pointer(&probe.cases, g_ptr_array_unref);
	gboolean tells = probe.iterations >= most || probe.cpu_ns - probe.first_cpu_ns >= LOOK_NS;
	return tells ? ns : NAN;
}

/* Runs the case alone. */
static void look_at_case(const Probe *probe, FrameworkCase *one)
{
	g_autoptr(ConfigBenchmark) alone = config_benchmark_copy(probe->request->benchmark);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	RunRequest request = *probe->request;
	g_ptr_array_add(names, one->name);
	g_free(alone->case_filter);
	alone->case_filter =
	        framework_cases_filter(alone->framework, names, probe->plan->cpus != NULL ? probe->plan->cpus->len : 0);
	request.benchmark = alone;
	one->ns = fmin(one->ns, look_closely(&request, probe->plan));
}

/* Lowers the times of cases that look shorter than they may be. FALSE if nothing is left of any. */
static gboolean look_at_cases(const Probe *probe, guint iterations, GError **error)
{
	const FrameworkRun run = {probe->request->benchmark, NULL, iterations, probe->plan->cases};
	gboolean fixes = framework(run.benchmark->framework)->work == FRAMEWORK_FIXES && iterations > 0;
	guint looks = 0;
	framework_correct(&run, probe->cases, NAN, probe->cpu_ns, probe->wall_ns);
	for (guint i = 0; fixes && i < probe->cases->len && looks < MAX_LOOKS; i++)
		if (is_short(probe->cases->pdata[i], (double)probe->iterations * per_asked(probe))) {
			look_at_case(probe, probe->cases->pdata[i]);
			looks++;
		}
	return framework_measures(&run, probe->cases, error);
}

/* --- the whole --- */

static guint first_iterations(const Framework *row)
{
	return row->work == FRAMEWORK_FIXES ? FIRST_ITERATIONS : row->work == FRAMEWORK_SAMPLES ? FIRST_SAMPLES : 0;
}

/* One run that tells its work. */
static gboolean probe_plan(Probe *probe, guint iterations, FrameworkPlan *plan, GError **error)
{
	plan->iterations = iterations;
	return probe_run(probe, iterations, error) && probe_work(probe, &plan->work, error);
}

static gboolean calibrate(Probe *probe, double seconds, FrameworkPlan *plan, GError **error)
{
	const Framework *row = framework(probe->request->benchmark->framework);
	guint first = first_iterations(row);
	g_autoptr(GError) failed = NULL;
	if (row->id == FRAMEWORK_LIBTEST && !libtest_can_fix(error))
		return FALSE;
	if (plan->iterations > 0 || first == 0)
		return probe_plan(probe, plan->iterations, plan, error);
	if (!probe_plan(probe, first, plan, &failed)) {
		/* a version that cannot be told says in its log what it did; libtest, how long an iteration takes */
		if ((row->id == FRAMEWORK_GOOGLE_BENCHMARK || row->id == FRAMEWORK_LIBTEST) && probe->cases != NULL)
			return probe_plan(probe, 0, plan, error);
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	if (row->work == FRAMEWORK_SAMPLES)
		return search_samples(probe, seconds * 1e9, plan, error);
	double before = plan->iterations;
	if (!search(probe, seconds * 1e9, &plan->iterations, error))
		return FALSE;
	plan->work *= plan->iterations / before;
	return TRUE;
}

static gboolean end_probe(Probe *probe, gboolean ok, GError **error)
{
	g_clear_pointer(&probe->cases, g_ptr_array_unref);
	if (!ok)
		g_prefix_error(
		        error, "benchmark %s of %s: ", probe->request->benchmark->name, probe->request->side->name);
	return ok;
}

gboolean framework_calibrate(const RunRequest *request, double seconds, FrameworkPlan *plan, GError **error)
{
	Probe probe = {.request = request, .plan = plan};
	gboolean ok = calibrate(&probe, seconds, plan, error) && look_at_cases(&probe, plan->iterations, error);
	if (ok)
		plan->cases = framework_cases_settle(probe.cases);
	return end_probe(&probe, ok, error);
}

GPtrArray *framework_look(const RunRequest *request, const FrameworkPlan *plan, GError **error)
{
	Probe probe = {.request = request, .plan = plan};
	gboolean ok = probe_run(&probe, plan->iterations, error) && look_at_cases(&probe, plan->iterations, error);
	GPtrArray *cases = ok ? framework_cases_settle(probe.cases) : NULL;
	end_probe(&probe, ok, error);
	return cases;
}

GPtrArray *framework_list(const RunRequest *request, const FrameworkPlan *plan)
{
	const Probe probe = {.request = request, .plan = plan};
	g_auto(GStrv) command = framework_list_command(request->benchmark);
	char *dir = command != NULL ? run_folder_new(request, NULL) : NULL;
	if (dir == NULL)
		return NULL;
	const FrameworkRun run = {.benchmark = request->benchmark, .dir = dir};
	g_autoptr(Child) child = run_child(&probe, command, &run, NULL);
	const ChildResult *result = child != NULL ? child_result(child) : NULL;
	/* Catch2 ends with the number of cases */
	gboolean ok =
	        result != NULL && result->exit_code >= 0 && !result->timed_out && result->out_bytes == result->out->len;
	GPtrArray *names = ok ? framework_cases(request->benchmark->framework, result->out->str) : NULL;
	run_folder_free(request, dir);
	return names;
}
