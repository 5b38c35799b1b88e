/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/changepoints.h"

#include "compare/statistics/order.h"
#include "compare/statistics/signvectors.h"

#include <math.h>
#include <stdlib.h>

/* --- shared --- */

/* Interpolates the quantile linearly at (n - 1) q. */
static double quantile_sorted(const double *sorted, guint n, double q)
{
	double place = (n - 1) * q;
	guint below = (guint)floor(place), above = MIN(below + 1, n - 1);
	/* neighbours that are equal may be infinite */
	double step = sorted[above] == sorted[below] ? 0 : sorted[above] - sorted[below];
	return sorted[below] + (place - below) * step;
}

static double *sorted_copy(const double *values, guint n)
{
	double *sorted = g_memdup2(values, n * sizeof *values);
	qsort(sorted, n, sizeof *sorted, order_compare);
	return sorted;
}

static double median_of(const double *values, guint n)
{
	g_autofree double *sorted = sorted_copy(values, n);
	return quantile_sorted(sorted, n, .5);
}

/* (after - before) as a share of `total`. */
static double relative_change(double before, double after, double total)
{
	if (after == before)
		return 0;
	return total != 0 ? (after - before) / fabs(total) : copysign(INFINITY, after - before);
}

/* --- counted --- */

double change_fence(const double *sizes, guint n)
{
	if (n < CHANGE_FENCE_WINDOW)
		return CHANGE_FENCE_START;
	g_autofree double *sorted = sorted_copy(sizes, n);
	double q1 = quantile_sorted(sorted, n, .25), q3 = quantile_sorted(sorted, n, .75);
	/* a change from 0 is infinite, and so may the quantiles be */
	return isfinite(q3) ? q3 + 3 * (q3 - q1) : INFINITY;
}

gboolean change_is_scattered(const double *ranges, guint n)
{
	return n > 0 && median_of(ranges, n) > CHANGE_FENCE_START;
}

GArray *change_points_counted(const ChangeSeries *series)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(ChangePoint));
	g_autofree double *sizes = g_new0(double, MAX(series->n, 1));
	for (guint i = 1; i < series->n; i++) {
		double before = series->values[i - 1], after = series->values[i];
		double total = series->totals != NULL ? series->totals[i - 1] : before;
		guint n = MIN(i - 1, CHANGE_FENCE_WINDOW);
		double fence = MAX(change_fence(sizes + i - n, n), CHANGE_COUNTED_FLOOR);
		ChangePoint point = {i, before, after, relative_change(before, after, total), NAN};
		sizes[i] = fabs(point.change);
		if (sizes[i] > fence)
			g_array_append_val(points, point);
	}
	return points;
}

/* --- sampled --- */

typedef struct {
	double score; /* negative if there is no place to split at */
	guint index;
} Split;

/* The best place to split `n` values at. Sums of distances are carried along while value after value goes from the
 * right side to the left one. */
static Split best_split(const double *values, guint n)
{
	Split best = {-1, 0};
	double left = 0, right = 0, across = 0;
	for (guint i = 0; i < n; i++)
		for (guint j = i + 1; j < n; j++)
			right += fabs(values[i] - values[j]);
	for (guint t = 0; t + CHANGE_MIN_SIDE < n; t++) {
		double to_left = 0, to_right = 0;
		for (guint i = 0; i < t; i++)
			to_left += fabs(values[i] - values[t]);
		for (guint i = t + 1; i < n; i++)
			to_right += fabs(values[i] - values[t]);
		left += to_left;
		right -= to_right;
		across += to_right - to_left;
		double a = t + 1, b = n - t - 1;
		if (t + 1 < CHANGE_MIN_SIDE)
			continue;
		double distance = 2 * across / (a * b) - 2 * left / (a * (a - 1)) - 2 * right / (b * (b - 1));
		double score = a * b / (a + b) * distance;
		if (score > best.score)
			best = (Split){score, t + 1};
	}
	return best;
}

/* The best of all segments; `ends` are their ends, the last one that of the series. */
static Split best_of_segments(const double *values, const GArray *ends)
{
	Split best = {-1, 0};
	for (guint s = 0, first = 0; s < ends->len; s++) {
		guint end = g_array_index(ends, guint, s);
		Split split = best_split(values + first, end - first);
		if (split.score > best.score)
			best = (Split){split.score, first + split.index};
		first = end;
	}
	return best;
}

static void shuffle_segments(double *values, const GArray *ends, guint64 *state)
{
	for (guint s = 0, first = 0; s < ends->len; s++) {
		guint end = g_array_index(ends, guint, s);
		for (guint left = end - first; left > 1; left--) {
			guint i = first + left - 1, j = first + (guint)(splitmix64(state) % left);
			double kept = values[i];
			values[i] = values[j];
			values[j] = kept;
		}
		first = end;
	}
}

/* The share of permutations with a score as high; 1 as soon as it is certain that it is above alpha. */
static double permutation_p(const double *values, guint n, const GArray *ends, double score, double alpha)
{
	g_autofree double *shuffled = g_memdup2(values, n * sizeof *values);
	guint64 state = CHANGE_SEED;
	/* The order that was observed is one of the permutations, so p is never 0. */
	guint as_high = 1, most = (guint)floor(alpha * (CHANGE_PERMUTATIONS + 1) + 1e-9);
	/* A permutation of equal values has the same score but for the order in which it was added up; it counts as
	 * high. */
	double least = score - 1e-9 * fabs(score);
	for (guint i = 0; i < CHANGE_PERMUTATIONS; i++) {
		shuffle_segments(shuffled, ends, &state);
		as_high += best_of_segments(shuffled, ends).score >= least;
		if (as_high > most)
			return 1;
	}
	return (double)as_high / (CHANGE_PERMUTATIONS + 1);
}

static gint compare_points(gconstpointer a, gconstpointer b)
{
	const ChangePoint *x = a, *y = b;
	return (x->index > y->index) - (x->index < y->index);
}

static GArray *segment_ends(const GArray *points, guint n)
{
	GArray *ends = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < points->len; i++)
		g_array_append_val(ends, g_array_index(points, ChangePoint, i).index);
	g_array_append_val(ends, n);
	return ends;
}

/* Adds the next change. FALSE if there is none any more. */
static gboolean divide(const ChangeSeries *series, GArray *points, double alpha)
{
	g_autoptr(GArray) ends = segment_ends(points, series->n);
	Split split = best_of_segments(series->values, ends);
	if (!(split.score > 0))
		return FALSE;
	ChangePoint point = {.index = split.index};
	point.p_value = permutation_p(series->values, series->n, ends, split.score, alpha);
	if (point.p_value > alpha)
		return FALSE;
	g_array_append_val(points, point);
	g_array_sort(points, compare_points);
	return TRUE;
}

static void set_levels(const ChangeSeries *series, GArray *points)
{
	g_autoptr(GArray) ends = segment_ends(points, series->n);
	guint first = 0;
	for (guint i = 0; i < points->len; i++) {
		ChangePoint *point = &g_array_index(points, ChangePoint, i);
		guint at = point->index, end = g_array_index(ends, guint, i + 1);
		point->before = median_of(series->values + first, at - first);
		point->after = median_of(series->values + at, end - at);
		double total = series->totals != NULL ? median_of(series->totals + first, at - first) : point->before;
		point->change = relative_change(point->before, point->after, total);
		first = at;
	}
}

/* Drops the smallest change below the floor; its neighbours' levels are others then. FALSE if there is none. */
static gboolean drop_smallest(GArray *points)
{
	guint smallest = 0;
	double size = INFINITY;
	for (guint i = 0; i < points->len; i++) {
		double own = fabs(g_array_index(points, ChangePoint, i).change);
		if (own < size) {
			size = own;
			smallest = i;
		}
	}
	if (size >= CHANGE_SAMPLED_FLOOR)
		return FALSE;
	g_array_remove_index(points, smallest);
	return TRUE;
}

GArray *change_points_sampled(const ChangeSeries *series)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(ChangePoint));
	ChangeSeries newest = *series;
	guint left_out = series->n > CHANGE_MAX_VALUES ? series->n - CHANGE_MAX_VALUES : 0;
	newest.values += left_out;
	newest.totals = series->totals != NULL ? series->totals + left_out : NULL;
	newest.n -= left_out;
	while (divide(&newest, points, CHANGE_ALPHA / MAX(series->tests, 1)))
		;
	do
		set_levels(&newest, points);
	while (drop_smallest(points));
	for (guint i = 0; i < points->len; i++)
		g_array_index(points, ChangePoint, i).index += left_out;
	return points;
}
