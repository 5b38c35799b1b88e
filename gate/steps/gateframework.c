#include "gate/steps/gateframework.h"

#include "compare/endings.h"
#include "core/error.h"
#include "gate/steps/gatetrees.h"
#include "runner/frameworks/calibration.h"
#include "runner/frameworks/commandframework.h"
#include "runner/frameworks/frameworks.h"

/* A run that is timed is long enough for its samples; one that is counted takes some fifty times as long. */
#define TIMED_SECONDS .7
#define COUNTED_SECONDS .02

gboolean gate_framework_accepts(const GateWork *work)
{
	const ConfigBenchmark *benchmark = work->benchmark;
	for (int s = SIDE_BASE; s < N_SIDES && benchmark->framework == FRAMEWORK_AUTO; s++) {
		const Side *side = gate_trees_as_built(&work->gate->trees, s);
		g_autofree char *program = NULL;
		FrameworkId id =
		        side != NULL ? framework_of_command(side->tree_dir, benchmark, &program) : FRAMEWORK_NONE;
		if (id == FRAMEWORK_NONE)
			continue;
		ending_add_calibrating(work->gate->result, benchmark->name, program, side->name, framework_name(id));
		return FALSE;
	}
	return TRUE;
}

/* Base, or head where a single commit is measured. */
static const Side *calibrated_side(const Gate *gate)
{
	const Side *base = gate_trees_as_built(&gate->trees, SIDE_BASE);
	return base != NULL ? base : gate_trees_as_built(&gate->trees, SIDE_HEAD);
}

/* The iterations that base's stored counts were made with, which those of head are then made with, too; 0 without any.
 * Go does one more than it is asked for, unless that is one. */
static guint stored_iterations(const GateWork *work)
{
	const Measurement *stored = work->base->stored;
	double units = stored != NULL ? stored->work : 0;
	return units > 1 && work->benchmark->framework == FRAMEWORK_GO ? (guint)units - 1 : (guint)units;
}

/* `what` comes before the name: "this version of ", or nothing. */
static gboolean refuse_counting(const ConfigBenchmark *benchmark, const char *what, GError **error)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: callgrind needs a fixed number of iterations, and %s%s has no option that sets it: take "
	        "callgrind out of `engines`",
	        benchmark->name, what, framework_name(benchmark->framework));
}

static gboolean calibrate_counted(
        const GateWork *work, const RunRequest *request, ConfigBenchmark *benchmark, GError **error)
{
	FrameworkPlan plan = {.iterations = benchmark->iterations};
	if (framework(benchmark->framework)->work != FRAMEWORK_FIXES)
		return refuse_counting(benchmark, "", error);
	if (plan.iterations == 0)
		plan.iterations = stored_iterations(work);
	/* base need not even be built where its counts are stored */
	if (plan.iterations == 0 && !framework_calibrate(request, COUNTED_SECONDS, &plan, error))
		return FALSE;
	benchmark->counted_iterations = plan.iterations;
	if (!work->timed)
		benchmark->work = plan.iterations;
	return plan.iterations > 0 || refuse_counting(benchmark, "this version of ", error);
}

/* Cases that each measure for a while share a run by time and not by iterations, so that a function's part in it is not
 * its part in an iteration of each. */
static void release_functions(const GateWork *work, ConfigBenchmark *benchmark, const FrameworkPlan *plan)
{
	if (framework(benchmark->framework)->work == FRAMEWORK_FIXES || plan->cases < 2 || !benchmark->gate_functions)
		return;
	benchmark->gate_functions = FALSE;
	finding_add(work->gate->result->findings, FINDING_WARNING, "framework_cases", benchmark->name,
	        "a run has %u benchmarks that %s gives the same time, whatever one costs, so functions do not gate, "
	        "and their shares are no costs; let each be a benchmark of its own, with `filter`",
	        plan->cases, framework_name(benchmark->framework));
}

static gboolean calibrate_timed(
        const GateWork *work, const RunRequest *request, ConfigBenchmark *benchmark, GError **error)
{
	gboolean fixes = framework(benchmark->framework)->work == FRAMEWORK_FIXES;
	FrameworkPlan plan = {.iterations = benchmark->iterations};
	if (!framework_calibrate(request, TIMED_SECONDS, &plan, error))
		return FALSE;
	if (framework(benchmark->framework)->median && benchmark->schedule == SCHEDULE_AUTO)
		benchmark->schedule = SCHEDULE_SEQUENTIAL;
	benchmark->iterations = plan.iterations;
	benchmark->work = plan.work;
	release_functions(work, benchmark, &plan);
	if (plan.iterations > 0)
		gate_progress(work->gate, "%s: %u %s in each run", benchmark->name, plan.iterations,
		        fixes ? "iterations" : "samples");
	return TRUE;
}

gboolean gate_framework_calibrate(const GateWork *work, GError **error)
{
	Gate *gate = work->gate;
	ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[work->index];
	const Side *side = calibrated_side(gate);
	const RunRequest request = {.benchmark = benchmark, .side = side, .pass_env = gate->config->pass_env};
	if (framework(benchmark->framework) == NULL || side == NULL)
		return TRUE;
	return (!work->counted || calibrate_counted(work, &request, benchmark, error)) &&
	       (!work->timed || calibrate_timed(work, &request, benchmark, error));
}
