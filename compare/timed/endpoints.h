/* SPDX-License-Identifier: Apache-2.0 */
/* Several gating metrics of one benchmark in too few rounds to test each on its own.
 *
 * With M gating metrics in a check, each gets the level a / M (looks.h), and a regression of one metric needs a / M >=
 * 2^-k. In fewer rounds the metrics of one benchmark are tested as a family: they were measured in the same rounds, so
 * one vector of signs, one per round, flips all of them at once, and nothing has to be known of how they depend on each
 * other.
 *
 *     x[e][i] = d[e][i] - ln(1 + margin[e])           symmetric around 0 or below it unless metric e regressed
 *     W_w[e]  = sum of the ranks of |x[e][i]| over the rounds i with w_i x[e][i] > 0
 *
 * All metrics have the same rounds, so the same null distribution, and their statistics compare directly. The adjusted
 * p of the j-th largest W is the share of vectors w for which the largest W among it and all smaller ones is at least
 * as large (Westfall and Young 1993, step-down); the sign vectors are those of signvectors.h. For one metric it is the
 * p-value of signedrank.h, ties included. It is never above M times that, so the family at level a fails whatever
 * Bonferroni fails, and sometimes more: where the metrics agree about every round, 2^-k <= a is enough.
 *
 * Assumption: at its margin the vector of all x of a round is as likely as its negative, which random start order
 * guarantees for margins of 0. */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/statistics/looks.h"

typedef struct {
	const double *d; /* log ratio of every round; larger is worse; not NaN, infinite ones of one sign only */
	double margin;   /* .02 = 2 % */
} Endpoint;

typedef struct {
	double p_value;    /* of this one alone: signed_rank_upper_tail() where all sign vectors are used */
	double p_adjusted; /* over the family */
	gboolean fails;    /* p_adjusted <= alpha */
} EndpointVerdict;

/* Tests `n` endpoints of `rounds` >= 1 rounds at the family level `alpha`; fills `verdicts`. */
void endpoints_test(const Endpoint *endpoints, guint n, guint rounds, double alpha, EndpointVerdict *verdicts);

/* Judges those gating metrics of one benchmark that had a look at which no regression of a single one can be shown, as
 * a family at the sum of their levels. What fails becomes a REGRESSION with its reason; nothing becomes a PASS, since a
 * regression of one metric alone would still not have been seen. `metrics` holds the MetricComparison of totals.h, of
 * which each has its policy in `policies`; `plan` is what they were judged by. A plan of look_plan_sequential() has no
 * such look, so this is about `--rounds N`. */
void endpoints_judge(const GPtrArray *metrics, const GPtrArray *policies, const LookPlan *plan);
