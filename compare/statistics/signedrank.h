/* SPDX-License-Identifier: Apache-2.0 */
/* The signed-rank test of Wilcoxon turned into an estimate with exact bounds (Hodges and Lehmann 1963).
 *
 * Given k numbers d, assumed symmetric around the wanted location, the N = k(k+1)/2 Walsh averages (d_i + d_j)/2, i <=
 * j, sorted ascending, hold everything:
 *
 *     walsh[0] ... walsh[c-1]=L ... median=estimate ... U=walsh[N-c] ... walsh[N-1]
 *
 * L is a lower bound of level 1 - a and U an upper one, where c is the critical value of the null distribution of W+,
 * the sum of a random subset of 1..k. The test of "location > m" uses S, the number of Walsh averages above m: with
 * ties and zeros it counts them as not above, which is conservative, and P(W+ >= S) <= a is the same decision as L(a) >
 * m.
 *
 * Probabilities of the null distribution are multiples of 2^-k: exact in a double up to k = 53, and to about 1e-15
 * beyond. Memory and time are O(k^2 log k). */
#pragma once

#include <glib.h>

/* P(W+ = s) for s = 0 .. k(k+1)/2. Array of double, owned by the caller. */
GArray *signed_rank_null(guint k);
/* P(W+ >= s). */
double signed_rank_upper_tail(guint k, guint s);
/* The largest c >= 1 with P(W+ <= c-1) <= alpha; 0 if there is none: then no bound of that level exists. */
guint signed_rank_critical(guint k, double alpha);

/* The sorted Walsh averages of k >= 1 finite numbers. Array of double, owned by the caller. */
GArray *walsh_averages(const double *d, guint k);
/* Their median: the Hodges-Lehmann estimate. `walsh` is not empty. */
double walsh_median(const GArray *walsh);
/* One-sided bounds for the critical value `c`; c == 0: -infinity, +infinity. */
double walsh_lower(const GArray *walsh, guint c);
/* The upper one. */
double walsh_upper(const GArray *walsh, guint c);
/* S, the number of averages strictly above `limit`. */
guint walsh_above(const GArray *walsh, double limit);
