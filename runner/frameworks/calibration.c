#include "runner/frameworks/calibration.h"

#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/frameworks.h"
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
#define MAX_PROBES 12
/* Others have this much of a CPU at most; what is even longer by the wall waits. */
#define MAX_LOAD 8
#define QUOTED_BYTES 4096

typedef struct {
	const RunRequest *request;
	GPtrArray *cases;
	double cpu_ns, wall_ns; /* of the process */
	double case_ns;         /* of one iteration of each case */
} Probe;

guint framework_round(double wanted)
{
	double step = 1;
	wanted = CLAMP(wanted, 1, MAX_ITERATIONS);
	while (step * 10 <= wanted)
		step *= 10;
	return (guint)(wanted >= 5 * step ? 5 * step : wanted >= 2 * step ? 2 * step : step);
}

/* Starts it and waits for it. Owned by the caller. */
static Child *run_child(const FrameworkRun *run, const RunRequest *request, GError **error)
{
	g_autofree char *cwd = run_folder_cwd(request, error);
	if (cwd == NULL)
		return NULL;
	g_auto(GStrv) command = framework_command(run);
	g_auto(GStrv) environment = framework_environment(run, run_environment(request, run->dir, 0));
	const ChildSpec spec = {
	        .argv = (const char *const *)command,
	        .envp = (const char *const *)environment,
	        .cwd = cwd,
	        .no_new_privileges = !request->benchmark->privileges,
	        .timeout_ms = request->benchmark->timeout_ms,
	        .keep_bytes = framework_keep_bytes(request->benchmark),
	};
	return child_run(&spec, error);
}

/* Of one iteration of each case. On a busy machine what the framework says is too long, as it may go by the wall; CPU
 * time has the start of the program in it, so the smaller of the two is nearer. */
static double case_ns(const Probe *probe, const FrameworkRun *run)
{
	double ns = framework_cases_ns(probe->cases);
	if (run->iterations == 0 || probe->cpu_ns <= 0)
		return ns;
	return CLAMP(probe->cpu_ns / run->iterations, ns / MAX_LOAD, ns);
}

static gboolean judge(Probe *probe, const FrameworkRun *run, const ChildResult *result, GError **error)
{
	g_autofree char *failure = child_describe_failure(result);
	gsize shown = MIN(result->err->len, QUOTED_BYTES);
	if (failure != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s %s\n%s", run->benchmark->command[0],
		        failure, result->err->str + result->err->len - shown);
	g_clear_pointer(&probe->cases, g_ptr_array_unref);
	probe->cases = framework_read(run, result, error);
	probe->cpu_ns = (double)(result->user_ns + result->system_ns);
	probe->wall_ns = (double)(result->end_ns - result->start_ns);
	probe->case_ns = probe->cases != NULL ? case_ns(probe, run) : 0;
	return probe->cases != NULL && framework_measures(run, probe->cases, error);
}

/* Runs it once with so many iterations. */
static gboolean probe_run(Probe *probe, guint iterations, GError **error)
{
	char *dir = run_folder_new(probe->request, error);
	if (dir == NULL)
		return FALSE;
	const FrameworkRun run = {probe->request->benchmark, dir, iterations};
	g_autoptr(Child) child = run_child(&run, probe->request, error);
	gboolean ok = child != NULL && judge(probe, &run, child_result(child), error);
	run_folder_free(probe->request, dir);
	return ok;
}

/* The units of work of the last run. */
static gboolean probe_work(const Probe *probe, guint iterations, double *work, GError **error)
{
	const FrameworkRun run = {probe->request->benchmark, NULL, iterations};
	double run_ns = framework_run_ns(run.benchmark, probe->cpu_ns, probe->wall_ns);
	return framework_work(&run, probe->cases, run_ns, work, error);
}

/* Asks for more and more, since the first iterations are slow. */
static gboolean search(Probe *probe, guint iterations, double ns, guint *chosen, GError **error)
{
	double wanted = iterations;
	for (guint i = 0; i < MAX_PROBES && wanted * probe->case_ns < TELLING_PART * ns; i++) {
		double more = TELLING_PART * 1.5 * ns / MAX(probe->case_ns, 1e-3);
		wanted = MIN(MAX(more, wanted * 2), MAX_ITERATIONS);
		if (!probe_run(probe, (guint)wanted, error))
			return FALSE;
	}
	*chosen = framework_round(ns / MAX(probe->case_ns, 1e-3));
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
	return probe_work(probe, (guint)last, &plan->work, error);
}

static guint first_iterations(const Framework *row)
{
	return row->work == FRAMEWORK_FIXES ? FIRST_ITERATIONS : row->work == FRAMEWORK_SAMPLES ? FIRST_SAMPLES : 0;
}

/* One run that tells its work. */
static gboolean probe_plan(Probe *probe, guint iterations, FrameworkPlan *plan, GError **error)
{
	plan->iterations = iterations;
	if (!probe_run(probe, iterations, error))
		return FALSE;
	plan->cases = probe->cases->len;
	return probe_work(probe, iterations, &plan->work, error);
}

static gboolean calibrate(Probe *probe, double seconds, FrameworkPlan *plan, GError **error)
{
	const Framework *row = framework(probe->request->benchmark->framework);
	guint first = first_iterations(row);
	g_autoptr(GError) failed = NULL;
	if (plan->iterations > 0 || first == 0)
		return probe_plan(probe, plan->iterations, plan, error);
	if (!probe_plan(probe, first, plan, &failed)) {
		/* a version that cannot be told says in its log what it did */
		if (row->id == FRAMEWORK_GOOGLE_BENCHMARK && probe->cases != NULL)
			return probe_plan(probe, 0, plan, error);
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	if (row->work == FRAMEWORK_SAMPLES)
		return search_samples(probe, seconds * 1e9, plan, error);
	double before = plan->iterations;
	if (!search(probe, first, seconds * 1e9, &plan->iterations, error))
		return FALSE;
	plan->work *= plan->iterations / before;
	return TRUE;
}

gboolean framework_calibrate(const RunRequest *request, double seconds, FrameworkPlan *plan, GError **error)
{
	Probe probe = {.request = request};
	gboolean ok = calibrate(&probe, seconds, plan, error);
	g_clear_pointer(&probe.cases, g_ptr_array_unref);
	if (!ok)
		g_prefix_error(error, "benchmark %s of %s: ", request->benchmark->name, request->side->name);
	return ok;
}
