/* SPDX-License-Identifier: Apache-2.0 */
/* One metric over the rounds of a campaign: estimate, bounds, verdict.
 *
 *     rounds   1 2 3 4 5 6 7 | 8 9 10 11 | 12 ...        d_i = ln(head_i / base_i)
 *     looks                  ^           ^               each with its own levels (looks.h)
 *
 * At a look with FAIL level a_f and PASS level a_p: FAIL if L(a_f) > ln(1 + margin), else PASS if U(a_p) < ln(1 +
 * pass_margin), else INCONCLUSIVE, with the exact signed-rank bounds of signedrank.h. FAIL is tested first: a precise
 * effect between the margins meets both conditions. The first look that decides is final; rounds after it do not count
 * for this metric. The function is pure and replays all looks from all values so far, so a live campaign and a stored
 * one are judged by the same code.
 *
 * Where higher is better, a decrease is what is looked for: d_i = ln(base_i / head_i), and margins are about base /
 * head. Everything that leaves this module but the bounds' meaning is about head / base again.
 *
 * No test is needed, and three rounds are enough, where all values of either side are equal (deterministic: compared
 * directly) or both medians lie below the absolute floor (negligible: PASS).
 *
 * Half the floor is added to both values before they are compared, so that a few more of next to nothing are no story.
 * What is stated is about the values themselves all the same: with the floor f and the median b of base a tested ratio
 * r is the ratio 1 + (r - 1) (1 + f / 2b), and the margins grow by that factor, so change, bounds, margins and medians
 * agree. Where b is 0 or higher is better, the tested ratio is stated.
 *
 * Zero has no logarithm. Where it can be measured (`zero_is_measured`) and one side is 0 in every round, the other one
 * may be so, too (d_i = 0, no change), or above 0 in every round: then every d_i is infinite, of one sign, and the
 * ranks are as clear as they can be. Zeros in some rounds only, and values below 0, are no ratios: ERROR, with the
 * medians.
 *
 * Assumption: the d_i are symmetric around the effect, which random start order guarantees when nothing changed. Never
 * a pass: a value that is not finite or has no ratio (ERROR), no rounds (ERROR), fewer rounds than the first look or
 * than a FAIL needs at all (INCONCLUSIVE). */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/statistics/looks.h"

#define TOTALS_DETERMINISTIC_ROUNDS 3 /* enough where no test is needed */

typedef struct {
	const double *base, *head;  /* per round and unit of work */
	const gboolean *base_first; /* per round: base started first; NULL = not known */
	guint rounds;
	const char *name, *unit;
	const Engine *engine;
	gboolean higher_is_better;
	gboolean zero_is_measured; /* 0 is a value like any other, not a sign that nothing was measured */
	const MetricPolicy *policy;
	const LookPlan *plan;
} TotalsInput;

/* Judges one metric. Owned by the caller; inputs are only read. A reason is set unless the verdict is PASS. */
MetricComparison *totals_compare(const TotalsInput *input);

/* ln(head / base), exact 0 for equal values, infinite where one of them is 0. Values are not negative. */
double totals_log_ratio(double base, double head);
/* Median of the finite values, NaN if there is none. */
double totals_known_median(const double *values, guint n);
/* sd of the log ratios that is neither shrunk nor blown up by a few outliers: max(sd, 1.4826 MAD). NaN for k < 2,
 * and where one of them is infinite. */
double totals_spread(const double *d, guint k);
/* Smallest effect, as log ratio beyond the margin, that a one-sided test of level `alpha` finds with 80 % power in k
 * rounds of spread `sd`, by the t formula. NaN for k < 2. */
double totals_mde(double sd, guint k, double alpha);
/* Rounds needed until totals_mde() <= `effect`; 0 if 10000 are not enough or it cannot be told. */
guint totals_rounds_needed(double sd, double alpha, double effect);

/* TRUE if the metric that a profile samples is shown to have risen by less than its margin. */
gboolean compare_total_holds(const GPtrArray *metrics, const Profile *profile);
