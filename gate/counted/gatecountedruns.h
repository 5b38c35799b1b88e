/* SPDX-License-Identifier: Apache-2.0 */
/* Decides how often a benchmark is counted: the first runs of either side, and as many more as its verdict needs.
 *
 *     first use            base twice, head once       stored base, two runs or more    head once
 *                                                      stored base, one run             head twice
 *     what does not repeat, and matters                COUNTED_NOISY_RUNS of either side
 *
 * Base that is stored is not run; if its one run turns out too few, or it is not believed, it is prepared and counted
 * after all (gate/counted/gatecountedbase.h). Internal to gate/counted/gatecounted.h. */
#pragma once

#include "compare/counted/counted.h"
#include "gate/counted/gatecounts.h"
#include "gate/steps/gatework.h"

/* One benchmark under callgrind. */
typedef struct {
	const GateWork *work;
	Gate *gate;
	BudgetShare share;
	GPtrArray *policies;      /* of MetricPolicy */
	ConfigBenchmark *planted; /* what head runs in a self-test: with a delay; or NULL */
	ConfigBenchmark *plain;   /* what base runs there: started in the same way, without one; or NULL */
	GateCounts counts;
	gboolean replaces;       /* base was counted anew, and what is stored of it is not to be believed any more */
	gboolean same_as_stored; /* base was counted, and the counts are those that are stored */
	char *doubt; /* why head is not to be compared with what is stored of base, though nothing else is there: a
	              * clause; NULL = nothing speaks against it */
	BenchmarkComparison *comparison; /* NULL until it is judged, and with one side */
	GPtrArray *annotations;          /* of it (compare/source/annotation.h); NULL = none */
} GateCounted;

/* Out of time: what is not there yet has no time, or was cut short. No base: it is only stored, and cannot be built. */
typedef enum { COUNTING_DONE, COUNTING_FAILED, COUNTING_OUT_OF_TIME, COUNTING_NO_BASE } Counting;

/* `job` is cleared by the caller. Takes base's stored counts from `work`. */
void gate_counted_init(GateCounted *job, const GateWork *work, const BudgetShare *share);
void gate_counted_clear(GateCounted *job);

/* Makes so many more runs of each side, and measurements of all there are. What there is no time for is not begun. */
Counting gate_counted_run(GateCounted *job, const guint more[N_SIDES], GError **error);
/* The runs that every benchmark needs. */
Counting gate_counted_run_first(GateCounted *job, GError **error);
/* Says which runs are lacking for a verdict that stands; FALSE if none. */
gboolean gate_counted_lacks(const GateCounted *job, guint more[N_SIDES]);

/* Stored counts stand until base has runs of its own, and also then if those say the same. */
BaseSource gate_counted_base_source(const GateCounted *job);
/* Seconds that a run takes, by those that were made or are stored; 0 = not known. */
double gate_counted_run_s(const GateCounted *job);
/* "base twice and head once". Owned by the caller. */
char *gate_counted_runs_text(const guint runs[N_SIDES]);
/* The input that it is judged from; borrowed. */
CountedInput gate_counted_input(const GateCounted *job);

/* Seconds that counting benchmark `index` is expected to take, by base's stored counts; 0 = not known. */
double gate_counted_expected_s(const Gate *gate, guint index);
