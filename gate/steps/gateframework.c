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

/* Side base, if there is one. */
static const Side *calibrated_side(const Gate *gate)
{
	const Side *base = gate_trees_as_built(&gate->trees, SIDE_BASE);
	return base != NULL ? base : gate_trees_as_built(&gate->trees, SIDE_HEAD);
}

/* Counts that are stored of base are of so many iterations, and so are those of head then. */
static guint stored_iterations(const GateWork *work)
{
	const Measurement *stored = work->base->stored;
	double units = stored != NULL ? stored->work : 0;
	return units > 1 && work->benchmark->framework == FRAMEWORK_GO ? (guint)units - 1 : (guint)units;
}

static gboolean calibrate_counted(
        const GateWork *work, const RunRequest *request, ConfigBenchmark *benchmark, GError **error)
{
	double units = 0;
	guint stored = benchmark->iterations > 0 ? benchmark->iterations : stored_iterations(work);
	if (framework(benchmark->framework)->work != FRAMEWORK_FIXES)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "benchmark %s: callgrind counts a fixed amount of work, and %s cannot be told how much to do: "
		        "take "
		        "callgrind out of `engines`",
		        benchmark->name, framework_name(benchmark->framework));
	benchmark->counted_iterations = stored;
	if (stored == 0 &&
	        !framework_calibrate(request, COUNTED_SECONDS, &benchmark->counted_iterations, &units, error))
		return FALSE;
	return benchmark->counted_iterations > 0 ||
	       firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	               "benchmark %s: callgrind counts a fixed amount of work, and this version of %s cannot be told "
	               "how "
	               "much to do: use version 1.8 or newer, or take callgrind out of `engines`",
	               benchmark->name, framework_name(benchmark->framework));
}

static gboolean calibrate_timed(const RunRequest *request, ConfigBenchmark *benchmark, GError **error)
{
	/* what takes its time by the wall cannot share a CPU with its twin */
	if (framework(benchmark->framework)->work == FRAMEWORK_TIMES && benchmark->schedule == SCHEDULE_AUTO)
		benchmark->schedule = SCHEDULE_SEQUENTIAL;
	return framework_calibrate(request, TIMED_SECONDS, &benchmark->iterations, &benchmark->work, error);
}

gboolean gate_framework_calibrate(const GateWork *work, GError **error)
{
	Gate *gate = work->gate;
	ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[work->index];
	const Side *side = calibrated_side(gate);
	const RunRequest request = {.benchmark = benchmark, .side = side, .pass_env = gate->config->pass_env};
	if (framework(benchmark->framework) == NULL || side == NULL)
		return TRUE;
	if (work->counted && !calibrate_counted(work, &request, benchmark, error))
		return FALSE;
	if (!work->timed) {
		benchmark->work = benchmark->counted_iterations;
		return TRUE;
	}
	if (!calibrate_timed(&request, benchmark, error))
		return FALSE;
	if (benchmark->iterations > 0)
		gate_progress(gate, "%s: %u iterations in each run", benchmark->name, benchmark->iterations);
	return TRUE;
}
