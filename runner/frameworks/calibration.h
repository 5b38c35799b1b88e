/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses how much work a run of a benchmark with `framework:` does, once, on one side, for both. */
#pragma once

#include "runner/executor.h"

/* The work that a run of the benchmark is to do. */
typedef struct {
	/* before: */
	const GArray *cpus; /* of int: those of the runs to come, since programs look at their number; NULL = all */
	gint64 end_ns;      /* by framework_plan_limit(); 0 = no limit but the benchmark's timeout */
	guint iterations;   /* of each case; 0 = to be chosen */
	/* after: */
	double work;      /* units of work of such a run; `iterations` 0 = its framework chooses */
	GPtrArray *cases; /* of ConfigCase: those that it runs; owned by the caller */
} FrameworkPlan;

/* Ends probes that still run so long from now; INFINITY = no limit. */
void framework_plan_limit(FrameworkPlan *plan, double seconds);
/* Runs the benchmark of the request in its tree until it is known how many iterations take about `seconds`, a round
 * number. If the plan has iterations before, they are taken as they are, and one run tells whether the framework obeys.
 * Cases that are so short that their work may have been removed are run by themselves. Errors: FIREBREAK_ERROR_INVALID
 * naming the benchmark, for one that fails, runs no case, has none with work, or whose output is not understood. */
gboolean framework_calibrate(const RunRequest *request, double seconds, FrameworkPlan *plan, GError **error);
/* Runs the benchmark of the request once with the iterations of the plan, and looks at short cases likewise. Whether
 * what it did is a unit of work is not asked: cases that are too many may be left out later. The cases (ConfigCase) are
 * owned by the caller; NULL with the same errors. */
GPtrArray *framework_look(const RunRequest *request, const FrameworkPlan *plan, GError **error);
/* The names (char *) that the program says when it is asked for its cases; NULL if it cannot. Owned by the caller. */
GPtrArray *framework_list(const RunRequest *request, const FrameworkPlan *plan);
/* The iterations that a probe may do after one that used `gained_ns` more than the start of the program, which takes
 * `start_ns`: as many as take `budget_ns` if all of it was iterations, and a hundred times as many at most. */
guint framework_next_iterations(guint iterations, double gained_ns, double start_ns, double budget_ns);
/* The largest of 1, 2, 5, 10, 20, ... that is not larger than `wanted`. */
guint framework_round(double wanted);
