/* Chooses how much work a run of a benchmark with `framework:` does, once, on one side, for both. */
#pragma once

#include "runner/executor.h"

/* Runs the benchmark of the request in its tree until it is known how many iterations take about `seconds`, and sets
 * *iterations to that, a round number; 0 if its framework cannot fix them. If it is not 0 before, it is taken as it is,
 * and one run tells whether the framework obeys. *work is set to the units of work of such a run. Errors:
 * FIREBREAK_ERROR_INVALID naming the benchmark, for one that fails, runs no case, or whose output is not understood. */
gboolean framework_calibrate(
        const RunRequest *request, double seconds, guint *iterations, double *work, GError **error);
/* The largest of 1, 2, 5, 10, 20, ... that is not larger than `wanted`. */
guint framework_round(double wanted);
