/* Chooses how much work a run of a benchmark with `framework:` does, once, on one side, for both. */
#pragma once

#include "runner/executor.h"

/* The work that a run of a benchmark is to do. */
typedef struct {
	guint iterations; /* of each case; of Catch2, samples; 0 = its framework chooses */
	double work;      /* units of work of such a run */
	guint cases;      /* that it runs */
} FrameworkPlan;

/* Runs the benchmark of the request in its tree until it is known how many iterations take about `seconds`, a round
 * number. If the plan has iterations before, they are taken as they are, and one run tells whether the framework obeys.
 * Errors: FIREBREAK_ERROR_INVALID naming the benchmark, for one that fails, runs no case, or whose output is not
 * understood. */
gboolean framework_calibrate(const RunRequest *request, double seconds, FrameworkPlan *plan, GError **error);
/* The largest of 1, 2, 5, 10, 20, ... that is not larger than `wanted`. */
guint framework_round(double wanted);
/* The samples to try after a run of so many, which took `wall_ns`, used `gained_ns` of CPU time more than one of very
 * few, for `ns` to be used: not too many times as many at once, since the time of a few says little. */
double framework_samples(double samples, double gained_ns, double wall_ns, double ns);
