/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which commit of a history to test next, so that the first bad one is found with few tests. Pure.
 *
 * A commit is known to be bad, and one from which it descends to be good; the commits between them are suspects. A
 * commit that tests bad leaves itself and its ancestors as suspects, one that tests good clears itself and its
 * ancestors. What cannot be told of a commit leaves it a suspect that is not tested any more:
 *
 *     good    bad    unclear      the test was made and could not tell: it is made once more, with more effort
 *                    untestable   it does not build or run: never again
 *
 * Tested is the commit that tells most to be expected: the entropy of the split, in bits, times the chance that it can
 * be tested. That chance is less near commits that could not be, and between them: with s of them among the suspects,
 * at a distance of d ancestors from the nearest, it is 1 - 2^(-d / 2^(s-1)), and between two of them 2^(1-s) of that.
 * So one broken commit costs one test, and a long broken stretch is left with growing steps (as `git bisect` leaves it
 * by chance). Ties go to the older commit; the same answers lead to the same questions. */
#pragma once

#include <glib.h>

#define BISECT_ATTEMPTS 2 /* at a commit whose tests are unclear */

typedef enum { BISECT_GOOD, BISECT_BAD, BISECT_UNCLEAR, BISECT_UNTESTABLE } BisectVerdict;
/* The name that the report of a bisection has for it. */
const char *bisect_verdict_name(BisectVerdict verdict); /* "good", "bad", "unclear", "untestable" */

typedef enum {
	BISECT_TEST,  /* a commit is to be tested */
	BISECT_FOUND, /* one suspect is left */
	BISECT_STUCK, /* several are, and none of them can be tested */
} BisectState;

typedef struct {
	guint commit;     /* to be tested, or found */
	guint attempt;    /* 0 the first time, then 1 */
	guint n_suspects; /* that are left */
	guint n_tests;    /* that are to be expected, if all can be told: log2 of the suspects, rounded up */
} BisectStep;

typedef struct BisectPlan BisectPlan;

/* `parents` has for each commit a GArray of guint: the positions of its parents, each smaller than its own; parents
 * that are known to be good are left out. The last commit is the bad one. Borrowed. At least one commit. */
BisectPlan *bisect_plan_new(const GPtrArray *parents);
void bisect_plan_free(BisectPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BisectPlan, bisect_plan_free)

/* The next step: which commit to ask about, or that the plan is at its end. Sets *step. */
BisectState bisect_plan_next(const BisectPlan *plan, BisectStep *step);
/* Enters the outcome of a test. Of a commit that is no suspect any more it changes nothing. */
void bisect_plan_note(BisectPlan *plan, guint commit, BisectVerdict verdict);
/* Positions of the suspects, ascending: a GArray of guint, owned by the caller. */
GArray *bisect_plan_suspects(const BisectPlan *plan);
