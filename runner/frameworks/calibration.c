/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/calibration.h"

#include "core/error.h"
#include "runner/frameworks/catch2run.h"
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
	run_outcome_fail(&outcome, result->timed_out ? TIMEOUT_FAILURE : "benchmark_failed", FALSE, "%s %s%s%s",
	        request->benchmark->command[0], failure, shown > 0 ? "\n" : "",
	        result->err->str + result->err->len - shown);
	run_hint(request, result, TRUE, findings, &outcome);
	firebreak_refuse(error, run_outcome_error(&outcome), "%s", outcome.failure);
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
	const FrameworkRun run = {probe->request->benchmark, dir, FALSE, iterations, probe->plan->cases};
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
	if (framework(alone->framework)->filters_cases) {
		g_free(alone->case_filter);
		alone->case_filter = framework_cases_filter(
		        alone->framework, names, probe->plan->cpus != NULL ? probe->plan->cpus->len : 0);
	}
	request.benchmark = alone;
	one->ns = fmin(one->ns, look_closely(&request, probe->plan));
}

/* Lowers the times of cases that look shorter than they may be. FALSE if nothing is left of any. */
static gboolean look_at_cases(const Probe *probe, guint iterations, GError **error)
{
	const FrameworkRun run = {probe->request->benchmark, NULL, FALSE, iterations, probe->plan->cases};
	const Framework *row = framework(run.benchmark->framework);
	gboolean alone = row->filters_cases || probe->cases->len == 1;
	gboolean fixes = row->work == FRAMEWORK_FIXES && iterations > 0 && alone;
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

/* FALSE if the library is missing that fixes the work of that framework. */
static gboolean can_fix(FrameworkId id, GError **error)
{
	return id == FRAMEWORK_LIBTEST ? libtest_can_fix(error) : id == FRAMEWORK_CATCH2 ? catch2_can_fix(error) : TRUE;
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
	guint first = row->work == FRAMEWORK_FIXES ? FIRST_ITERATIONS : 0;
	g_autoptr(GError) failed = NULL;
	if (!can_fix(row->id, error))
		return FALSE;
	if (plan->iterations > 0 || first == 0)
		return probe_plan(probe, plan->iterations, plan, error);
	if (!probe_plan(probe, first, plan, &failed)) {
		/* a version that cannot be told says in its log what it did; others, how long an iteration takes */
		if ((row->id == FRAMEWORK_GOOGLE_BENCHMARK || row->own_word) && probe->cases != NULL)
			return probe_plan(probe, 0, plan, error);
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
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
