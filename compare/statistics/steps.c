/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/steps.h"

#include "compare/statistics/order.h"

#include <math.h>
#include <stdlib.h>

/* --- place --- */

/* The lead of the new level over the old one in fitting a value, in scales^2. */
static double preference(double value, double before, double after, double scale)
{
	double old = fmin(fabs(value - before) / scale, STEP_CLIP), new = fmin(fabs(value - after) / scale, STEP_CLIP);
	return old * old - new *new;
}

/* The cost of a step at each index from 1 to n - 1, but for a constant. */
static double *costs_of_places(const double *values, guint n, guint change, double scale)
{
	double before = order_median(values, change), after = order_median(values + change, n - change), sum = 0;
	double *costs = g_new0(double, n);
	for (guint i = 1; i < n; i++) {
		sum += preference(values[i - 1], before, after, scale);
		costs[i] = sum;
	}
	return costs;
}

StepPlace step_place(const double *values, guint n, guint change, double scale)
{
	if (!(scale > 0))
		return (StepPlace){change, change, change};
	g_autofree double *costs = costs_of_places(values, n, change, scale);
	StepPlace place = {change, change, change};
	for (guint i = 1; i < n; i++)
		if (costs[i] < costs[place.index])
			place.index = i;
	place.earliest = place.latest = place.index;
	for (guint i = 1; i < n; i++)
		if (costs[i] < costs[place.index] + STEP_DOUBT) {
			place.earliest = MIN(place.earliest, i);
			place.latest = i;
		}
	return place;
}

/* --- chance --- */

/* Pairs of which the left value is larger; equal ones count half. `right` is sorted. */
static double pairs_above(const double *left, guint n_left, const double *right, guint n_right)
{
	double pairs = 0;
	for (guint i = 0; i < n_left; i++) {
		guint below = 0, beyond = n_right;
		for (guint low = 0, high = n_right; low < high;) {
			guint middle = (low + high) / 2;
			if (right[middle] < left[i])
				below = low = middle + 1;
			else
				high = middle;
		}
		for (guint low = below, high = n_right; low < high;) {
			guint middle = (low + high) / 2;
			if (right[middle] <= left[i])
				low = middle + 1;
			else
				beyond = high = middle;
		}
		pairs += below + (beyond - below) / 2.;
	}
	return pairs;
}

static double log_arrangements(guint a, guint b)
{
	return lgamma(a + b + 1.) - lgamma(a + 1.) - lgamma(b + 1.);
}

double step_rank_p(const double *values, guint n, guint change)
{
	guint a = MIN(change, STEP_RANKED), b = MIN(n - change, STEP_RANKED);
	g_autofree double *right = g_memdup2(values + change, b * sizeof *right);
	qsort(right, b, sizeof *right, order_compare);
	double u = pairs_above(values + change - a, a, right, b);
	u = fmin(u, (double)a * b - u);
	double z = fmax((double)a * b / 2 - u - .5, 0) / sqrt(a * (double)b * (a + b + 1) / 12);
	double by_count = 2 * (u + 1) * exp(G_PI * sqrt(2 * ceil(u) / 3) - log_arrangements(a, b));
	return fmin(fmin(erfc(z / G_SQRT2), by_count), 1);
}
