/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of one benchmark under valgrind, and what was counted in them.
 *
 *     gate_counts_run     some runs of either side, whose dumps stay where they are
 *     gate_counts_fold    from the dumps of all runs so far to the measurements of both sides (gate/counted/gatefold.h)
 *     gate_counts_run     more of them, if it turns out that more are needed
 *
 * A side's runs share its folder, so one side runs once at a time; base and head run beside each other where there are
 * CPUs, since counts do not depend on load. A benchmark that cannot run beside its twin is run alone.
 *
 * A side without runs here keeps the measurement that it has: stored counts of base are put there. */
#pragma once

#include "gate/steps/gatestate.h"
#include "profile/valgrind/callgrindfold.h"
#include "runner/valgrind/valgrindrun.h"

/* The counts that have a profile of their own. */
typedef enum { COUNTED_SYSTEM_CALLS, COUNTED_ALLOCATIONS, COUNTED_ALLOCATED_BYTES, N_COUNTED } CountedProfile;

/* Facts about a side besides its metrics; means per run. */
typedef struct {
	double wall_s;     /* under valgrind */
	double cut_share;  /* of the instructions: their outermost callers are not known */
	gboolean threaded; /* a process had more than one thread */
} CountsFacts;

typedef struct {
	Gate *gate;
	const ConfigBenchmark *benchmarks[N_SIDES]; /* what each side runs; borrowed */
	StackTable *table;                          /* of all profiles; borrowed */
	const Environment *environments[N_SIDES];   /* borrowed */
	gint64 deadline_ns;                         /* CLOCK_MONOTONIC; 0 = none */
	/* from here on set by the functions below */
	Executor *executor;
	GPtrArray *runs[N_SIDES]; /* of CountedRun */
	gboolean alone;           /* never two runs at once */
	gboolean cut_short;       /* the deadline ended a run */
	guint retries;
	double elapsed_s; /* in runs */
	Measurement *measurements[N_SIDES];
	gboolean base_is_stored; /* that of base was put there, and no run of base has been folded since */
	Measurement *replaced;   /* it, once base has runs of its own; else NULL */
	Profile *profiles[N_SIDES][N_COUNTED]; /* NULL = not counted, or of stored counts */
	CountsFacts facts[N_SIDES];
	CodeFacts *code;
	CallgrindFold *fold;   /* what the profiles were made from, for gate_counts_annotate() */
	FindingList *findings; /* of the last folding, for the result once it is the last */
} GateCounts;

typedef struct {
	char *recording; /* folder with its dumps */
	RunFacts facts;
	GPtrArray *complaints; /* as in RunOutcome */
} CountedRun;

/* The caller sets what is borrowed, and zeroes all else. */
void gate_counts_init(GateCounts *counts);
void gate_counts_clear(GateCounts *counts);

/* Makes so many more runs of each side; the sides are prepared. A timeout is shortened to the time that is left.
 * Errors: FIREBREAK_ERROR_INVALID if the benchmark fails, and those of the executor. */
gboolean gate_counts_run(GateCounts *counts, const guint more[N_SIDES], GError **error);
/* The number of runs of a side, stored ones included. */
guint gate_counts_n_runs(const GateCounts *counts, int side);
/* Seconds that so many runs of each side take if one takes `run_s`. */
double gate_counts_expected_s(const GateCounts *counts, const guint more[N_SIDES], double run_s);
