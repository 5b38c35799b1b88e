/* SPDX-License-Identifier: Apache-2.0 */
/* Sign-flip max-T test over a family of functions, step-down, with a moderated statistic.
 *
 * For each function f and round i there is one difference D[i][f] = head - base in sample equivalents (one unit is
 * about one sample). If nothing changed, base and head of a round are exchangeable, so every vector w of signs, one per
 * round and the same for all functions, gives an equally likely table w_i D[i][f]. The statistic
 *
 *     T_w[f] = sqrt(k) M_w / sqrt((d0 v0 + S2 - k M_w^2) / (d0 + k - 1)),   M_w = mean_i w_i D[i][f],  S2 = sum_i D^2
 *
 * borrows d0 = 8 degrees of freedom for its variance from the family: v0 = phi max(s1, 1), s1 = mean cost of both
 * sides, phi the typical variance relative to s1. All but M_w is unchanged by flips, so the family-wise error is exact
 * whatever phi and d0 are. The p-value of the j-th largest T is the share of sign vectors under which the largest T
 * among it and all smaller ones is at least as large (Westfall and Young 1993, step-down; the moderation is that of
 * Smyth 2004).
 *
 * The sign vectors are those of signvectors.h: all 2^k of them up to k = 14, drawn ones above.
 *
 * Sums run in one fixed order, so that results are bit for bit the same everywhere: rounds in ascending order within
 * groups of FLIP_GROUP, then the groups in ascending order. The work is one addition per vector, function and group. */
#pragma once

#include <glib.h>

#include "compare/statistics/signvectors.h"

#define FLIP_PRIOR_ROUNDS 8 /* d0 */

typedef struct {
	guint functions, rounds;   /* rounds >= 1 */
	const double *base, *head; /* [function * rounds + round], sample equivalents */
	double phi;                /* flip_dispersion() of the whole profile */
	const double *margins;     /* per function, sample equivalents: test "more than this"; NULL = more than 0 */
} FlipInput;

typedef struct {
	guint functions, rounds, flips;
	double phi;
	double multiplier;  /* 95 % quantile of max |T_w|: half width of simultaneous intervals in standard errors */
	double *difference; /* D as [round * functions + function] */
	/* Per function: */
	double *s1, *s2, *v0, *mean;
	double *se; /* standard error of `mean`, around its mean, with d0 + k - 1 degrees of freedom */
	double *t;  /* T of the identity */
	double *p_value, *p_value_improvement;       /* unadjusted, one-sided */
	double *p_adjusted, *p_adjusted_improvement; /* over the family */
} FlipTest;

/* The typical variance of a difference relative to the cost: max(median of S2/k/s1 over the functions with s1 >= 2 /
 * .85, .1); 1/.85 if there is none. Over all functions of a profile, tested or not; `phi` and `margins` are not read.
 */
double flip_dispersion(const FlipInput *input);

/* The dispersion that intervals rest on: flip_dispersion(), but at most twice what it is where the squares are those
 * around each function's own mean, over k - 1. In a profile of few functions the median is that of a function that
 * changed, and its change would make the intervals of all others wide. The test keeps flip_dispersion(), which flips do
 * not change. */
double flip_interval_dispersion(const FlipInput *input);

/* Runs the test in both directions. Owned by the caller; inputs are finite, copied, and only read. */
FlipTest *flip_test_new(const FlipInput *input);
void flip_test_free(FlipTest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FlipTest, flip_test_free)

/* Writes T_w of every function for one sign vector of (rounds + 63) / 64 words into `t`. */
void flip_test_statistics(const FlipTest *test, const guint64 *signs, double *t);

/* The variance of a difference that the family suggests for a function of mean cost s1 (both sides added). */
double flip_prior_variance(double phi, double s1);
/* Moderated standard error of the mean of k differences. */
double flip_standard_error(const double *difference, guint k, double v0);
