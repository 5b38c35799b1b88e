/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what two engines say of one benchmark: time from the perf engine, counts from callgrind.
 *
 *     instructions up,   time up      more work is done
 *     instructions same, time up      the same work takes longer: memory, layout, environment
 *     instructions up,   time same    more work that costs no time here: hidden by waiting, or below what time can show
 *     ... and the same downwards
 *
 * "Up" is a lower bound above 1 and a change beyond the margin, or beyond what is called the same where the margin is
 * wider: a wide margin allows a change, but does not make it none. "Down" is the same mirrored. */
#pragma once

#include "compare/comparison/comparison.h"

#define PAIR_SAME_WORK .005 /* of the instructions: the largest change that is none */
#define PAIR_SAME_TIME .02  /* of the time */

typedef enum {
	PAIR_UNKNOWN,       /* one engine only, or one of them an error */
	PAIR_SAME,          /* neither moved */
	PAIR_MORE_WORK,     /* both up */
	PAIR_SLOWER_WORK,   /* time up, instructions not */
	PAIR_HIDDEN_WORK,   /* instructions up, time not */
	PAIR_LESS_WORK,     /* both down */
	PAIR_FASTER_WORK,   /* time down, instructions not */
	PAIR_HIDDEN_SAVING, /* instructions down, time not */
	PAIR_OPPOSED,       /* one up, one down */
} EnginePair;

/* The name that report.json has for it. */
const char *engine_pair_name(EnginePair pair); /* "unknown", "same", "more_work", "slower_work", ... */

/* TRUE if no metric of this engine gates: it decides nothing where another engine does. */
gboolean engine_pair_abstains(const BenchmarkComparison *comparison);

/* Joins `counted` into `timed`: copies of the metrics of `counted` are added to those of `timed`, the verdict becomes
 * the graver of both (error, regression, inconclusive, pass) with its reason and confirmation, that of the other where
 * one abstains, of two regressions that which was confirmed (CONFIRMATION_PARTLY says that only one was), what is
 * accepted of either is accepted, and `pair`, `pair_text` (one sentence with both changes) and the sentence of `timed`
 * are set. Functions stay where they are. */
void engine_pair_join(BenchmarkComparison *timed, const BenchmarkComparison *counted);
