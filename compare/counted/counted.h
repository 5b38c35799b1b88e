/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of counts: one run per side is enough where counts repeat, and no test is needed.
 *
 *     runs of base  ──┐   all equal on either side:   compared directly, `> margin` fails, anything else passes
 *     runs of head  ──┘   not all equal:              compared by their ranges
 *
 * Where runs of one side differ (time, randomness, addresses as keys), a change is what separates all runs of head from
 * all runs of base: its bounds are min(head) / max(base) and max(head) / min(base). A metric fails if the lower bound
 * is beyond the margin, passes if the upper one is not, and is inconclusive otherwise. With COUNTED_NOISY_RUNS runs of
 * either side and nothing changed, the ranges lie apart with probability 1 / C(2n, n), .4 % for n = 5 (the permutation
 * test of the extreme order), so this is the level at margin 0. With fewer runs only what more of them could not change
 * is decided (compare/counted/countedtotals.h).
 *
 * Functions follow the same rule, each by its own counts. A function is flagged if its change is beyond what its own
 * runs differ by and makes at least COUNTED_FLOOR of the total. It passes the test of the gate if it is flagged as a
 * regression and costs more of the total than the margin of the gating metric that the profile counts (`instructions`);
 * new functions likewise. It then gates unless it is held, as in attribution.h: where the total, which is exact, is
 * within its margin, functions gate under a strict policy only, and equal code never gates alone.
 * Where counts do not repeat, it also has to stand out from what chance does to all functions together
 * (compare/counted/countedfunctions.h). A function whose code is the same on both sides, and which the change does not
 * touch, does not gate beside one of which that is not known, as in attribution.h. Cost that only moved is cost_shift:
 * the rise of a function is made up by falls of its neighbours (callgraph.h) up to COUNTED_SHIFT_REST of it, or the
 * inclusive cost of their nearest common ancestor did not rise beyond the floor. Where the total changed by no more
 * than the floor, falls anywhere make up for rises. A renamed function is compared with its former self (renames.h);
 * against a stored base, of which only costs are known, what is gone may make up for what is new. There is no layout
 * here: counts do not depend on it.
 *
 * All functions are pure. Costs are per unit of work. */
#pragma once

#include "compare/counted/countedrules.h"

/* Judges everything. Never fails: what cannot be compared is an error verdict with the reason codes of
 * compare/timed/verdict.h. `counted` of the result is set, and `unstable` lists what did not repeat. Owned by the
 * caller. */
BenchmarkComparison *compare_counted(const CountedInput *input);

/* The same for profiles that decide nothing (system calls, allocations): functions only, none gates. */
BenchmarkComparison *compare_counted_shown(const CountedInput *input);

/* The number of runs of either side that are needed before the verdict stands: 1 where it rests on counts that are
 * known to repeat or not even a difference within them could change it, 2 where no side was run twice,
 * COUNTED_NOISY_RUNS where a gating metric, or a function that would gate, did not repeat. Base is the side that is run
 * twice: it serves later checks, too. */
typedef struct {
	guint base, head;
} CountedRuns;
/* The runs of either side that the verdict needs, those that are there included. */
CountedRuns counted_runs_needed(const CountedInput *input);
