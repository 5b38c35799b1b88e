/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/changepoints.h"

#include "compare/statistics/levels.h"
#include "compare/statistics/order.h"
#include "compare/statistics/ramps.h"
#include "compare/statistics/signvectors.h"
#include "compare/statistics/steps.h"

#include <math.h>
#include <stdlib.h>

/* Times that the penalty of a change is raised for values that remember. */
#define MEMORY_STEPS 5

/* --- shared --- */

/* Interpolates the quantile linearly at (n - 1) q. */
static double quantile_sorted(const double *sorted, guint n, double q)
{
	double place = (n - 1) * q;
	guint below = (guint)floor(place), above = MIN(below + 1, n - 1);
	/* a value above that has no part in it may be infinite, and infinity times 0 is no number */
	double part = place - below,
	       step = part > 0 && sorted[above] != sorted[below] ? sorted[above] - sorted[below] : 0;
	return sorted[below] + part * step;
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

/* --- sampled: levels --- */

static void shuffle(double *values, guint n, guint64 *state)
{
	for (guint left = n; left > 1; left--) {
		guint i = left - 1, j = (guint)(splitmix64(state) % left);
		double kept = values[i];
		values[i] = values[j];
		values[j] = kept;
	}
}

/* The share of permutations of the series whose levels gain as much; 1 as soon as it is certain that it is above alpha.
 */
static double permutation_p(const ChangeSeries *series, double penalty, double gain, double alpha)
{
	g_autofree double *shuffled = g_memdup2(series->values, series->n * sizeof *shuffled);
	guint64 state = CHANGE_SEED;
	guint permutations = MAX(CHANGE_PERMUTATIONS, (guint)ceil(1 / alpha - 1e-9) - 1);
	/* The order that was observed is one of the permutations, so p is never 0. */
	guint as_high = 1, most = (guint)floor(alpha * (permutations + 1) + 1e-9);
	/* A permutation of equal values has the same gain but for the order in which it was added up; it counts as
	 * high. */
	double least = gain - 1e-9 * fabs(gain);
	for (guint i = 0; i < permutations; i++) {
		shuffle(shuffled, series->n, &state);
		g_autoptr(Levels) levels = levels_new(shuffled, series->n, penalty);
		as_high += levels->gain >= least;
		if (as_high > most)
			return 1;
	}
	return (double)as_high / (permutations + 1);
}

/* The levels of the series, a change of which costs the more, the more its values remember those before them. */
static Levels *levels_of(const ChangeSeries *series, double *penalty)
{
	double least = CHANGE_PENALTY * log(MAX(series->n, 2));
	Levels *levels = levels_new(series->values, series->n, least);
	*penalty = least;
	for (guint i = 0; i < MEMORY_STEPS && levels->ends->len > 1; i++) {
		double memory = levels_memory(levels), more = least * (1 + memory) / (1 - memory);
		if (more <= *penalty)
			break;
		*penalty = more;
		levels_free(levels);
		levels = levels_new(series->values, series->n, more);
	}
	return levels;
}

static guint first_of(const GArray *points, guint i)
{
	return i > 0 ? g_array_index(points, ChangePoint, i - 1).index : 0;
}

static guint end_of(const GArray *points, guint i, guint n)
{
	return i + 1 < points->len ? g_array_index(points, ChangePoint, i + 1).index : n;
}

/* --- sampled: many values --- */

static void set_rank_p(const ChangeSeries *series, GArray *points, guint i)
{
	ChangePoint *point = &g_array_index(points, ChangePoint, i);
	guint first = first_of(points, i), end = end_of(points, i, series->n);
	/* a step might be at each of the values */
	point->p_value = fmin(1, series->n * step_rank_p(series->values + first, end - first, point->index - first));
}

/* Drops those that may be chance by their ranks, the least certain one first. */
static void keep_ranked(const ChangeSeries *series, GArray *points, double alpha)
{
	for (guint i = 0; i < points->len; i++)
		set_rank_p(series, points, i);
	while (points->len > 0) {
		guint worst = 0;
		for (guint i = 1; i < points->len; i++)
			if (g_array_index(points, ChangePoint, i).p_value >
			        g_array_index(points, ChangePoint, worst).p_value)
				worst = i;
		if (g_array_index(points, ChangePoint, worst).p_value <= alpha)
			return;
		g_array_remove_index(points, worst);
		if (worst > 0)
			set_rank_p(series, points, worst - 1);
		if (worst < points->len)
			set_rank_p(series, points, worst);
	}
}

/* The distance of the medians on either side of a change. */
static double size_of(const double *values, const GArray *points, guint i, guint n)
{
	guint first = first_of(points, i), end = end_of(points, i, n), at = g_array_index(points, ChangePoint, i).index;
	return fabs(order_median(values + at, end - at) - order_median(values + first, at - first));
}

/* Joins levels of fewer than CHANGE_MIN_SIDE values with the neighbour that is nearer. */
static void join_short(const double *values, GArray *points, guint n)
{
	for (guint i = 0; i <= points->len && points->len > 0;) {
		guint first = first_of(points, i),
		      end = i < points->len ? g_array_index(points, ChangePoint, i).index : n;
		if (end - first >= CHANGE_MIN_SIDE) {
			i++;
			continue;
		}
		gboolean next = i == 0 ||
		                (i < points->len && size_of(values, points, i, n) < size_of(values, points, i - 1, n));
		g_array_remove_index(points, next ? i : i - 1);
		i = i > 0 ? i - 1 : 0;
	}
}

/* The changes between levels, all of which are tested. */
static GArray *tested_changes(const ChangeSeries *series, const Levels *levels, double penalty, double alpha)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(ChangePoint));
	gboolean ranked = series->n > CHANGE_PERMUTED_VALUES;
	double p = 1;
	if (levels->ends->len > 1)
		p = ranked ? 0 : permutation_p(series, penalty, levels->gain, alpha);
	for (guint i = 0; p <= alpha && i + 1 < levels->ends->len; i++) {
		ChangePoint point = {.index = g_array_index(levels->ends, guint, i), .p_value = p};
		g_array_append_val(points, point);
	}
	join_short(levels->clipped, points, series->n);
	if (ranked)
		keep_ranked(series, points, alpha);
	return points;
}

/* --- sampled: steps and drifts --- */

/* Goes on with a drift in the same direction that reaches the next one. */
static gboolean is_continued(const ChangePoint *last, const ChangePoint *next)
{
	return last->drifts && (last->after > last->before) == (next->after > next->before) &&
	       next->earliest <= last->latest + 2;
}

static void set_ramp(ChangePoint *point, guint first, const Ramp *ramp)
{
	point->drifts = TRUE;
	point->index = point->earliest = first + ramp->begin + 1;
	point->latest = first + ramp->end;
	point->before = ramp->before;
	point->after = ramp->after;
}

/* The squares around levels, the first of which begins at `first` and the last of which ends at `end`. */
static double squares_of_stairs(const double *values, const GArray *changes, guint from, guint to, guint n)
{
	double squares = 0;
	for (guint i = from; i <= to; i++) {
		guint first = first_of(changes, i), end = end_of(changes, i, n),
		      at = g_array_index(changes, ChangePoint, i).index;
		squares += ramp_step_squares(values + first, i < to ? at - first + 1 : end - first, at - first);
	}
	return squares;
}

/* TRUE if the changes `from` to `to` are better told by one ramp; fills the point then. Stairs have to be told as well
 * as by their steps, which are more; a single step has to be told much better, for a ramp is never worse. */
static gboolean becomes_drift(
        const Levels *levels, const GArray *changes, guint from, guint to, guint n_values, ChangePoint *point)
{
	guint first = first_of(changes, from), end = end_of(changes, to, n_values), n = end - first;
	guint begin = g_array_index(changes, ChangePoint, from).index,
	      last = g_array_index(changes, ChangePoint, to).index;
	Ramp ramp = ramp_fit_over(levels->clipped + first, n, begin - first, last - first);
	double steps = squares_of_stairs(levels->clipped, changes, from, to, n_values);
	double least = from == to ? CHANGE_DRIFT_EVIDENCE * log(n) : 0;
	if (ramp.end - ramp.begin < CHANGE_MIN_SIDE || !(n * log(steps / ramp.squares) > least))
		return FALSE;
	*point = g_array_index(changes, ChangePoint, from);
	set_ramp(point, first, &ramp);
	return TRUE;
}

/* TRUE if the changes `from` to `to` are stairs, none of which is a drift by itself, and one ramp tells them as well.
 */
static gboolean are_one_drift(
        const Levels *levels, const GArray *changes, guint from, guint to, guint n_values, ChangePoint *point)
{
	ChangePoint own;
	for (guint i = from; i <= to; i++)
		if (becomes_drift(levels, changes, i, i, n_values, &own))
			return FALSE;
	return from < to && becomes_drift(levels, changes, from, to, n_values, point);
}

/* The last of the changes that go in the same direction as the one at `from`, one after the other. */
static guint last_of_stairs(const Levels *levels, const GArray *changes, guint from, guint n)
{
	gboolean up = FALSE;
	for (guint i = from; i < changes->len; i++) {
		guint first = first_of(changes, i), at = g_array_index(changes, ChangePoint, i).index,
		      end = end_of(changes, i, n);
		double before = order_median(levels->clipped + first, at - first);
		double after = order_median(levels->clipped + at, end - at);
		if (i > from && (after > before) != up)
			return i - 1;
		up = after > before;
	}
	return changes->len - 1;
}

/* Puts a step where its values say. FALSE if too few values are left on a side. */
static gboolean becomes_step(const ChangeSeries *series, double scale, guint first, guint end, ChangePoint *point)
{
	StepPlace place = step_place(series->values + first, end - first, point->index - first, scale);
	point->index = first + place.index;
	point->earliest = first + place.earliest;
	point->latest = first + place.latest;
	return place.index >= CHANGE_MIN_SIDE && end - point->index >= CHANGE_MIN_SIDE;
}

/* Adds a drift, or joins it with the last one. */
static void add_drift(GArray *points, const ChangePoint *point)
{
	ChangePoint *last = points->len > 0 ? &g_array_index(points, ChangePoint, points->len - 1) : NULL;
	if (last == NULL || !is_continued(last, point)) {
		g_array_append_val(points, *point);
		return;
	}
	last->latest = point->latest;
	last->after = point->after;
}

static GArray *steps_and_drifts(const ChangeSeries *series, const Levels *levels, const GArray *changes)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(ChangePoint));
	for (guint i = 0, last; i < changes->len; i++) {
		ChangePoint point = g_array_index(changes, ChangePoint, i);
		guint first = first_of(changes, i), end = end_of(changes, i, series->n);
		last = last_of_stairs(levels, changes, i, series->n);
		if (are_one_drift(levels, changes, i, last, series->n, &point)) {
			add_drift(points, &point);
			i = last;
		} else if (becomes_drift(levels, changes, i, i, series->n, &point)) {
			add_drift(points, &point);
		} else if (becomes_step(series, levels->scale, first, end, &point)) {
			g_array_append_val(points, point);
		}
	}
	return points;
}

/* --- sampled: sizes --- */

/* Where what comes after the change begins. */
static guint after_of(const ChangePoint *point)
{
	return point->drifts ? point->latest : point->index;
}

/* The medians on either side of a step, up to its neighbours; a drift has the ends of its ramp. */
static void set_levels(const ChangeSeries *series, GArray *points)
{
	for (guint i = 0; i < points->len; i++) {
		ChangePoint *point = &g_array_index(points, ChangePoint, i);
		guint at = point->index, first = i > 0 ? after_of(point - 1) : 0, end = end_of(points, i, series->n);
		first = MIN(first, at - MIN(at, CHANGE_MIN_SIDE));
		if (!point->drifts) {
			point->before = order_median(series->values + first, at - first);
			point->after = order_median(series->values + at, MAX(end, at + 1) - at);
		}
		double total =
		        series->totals != NULL ? order_median(series->totals + first, at - first) : point->before;
		point->change = relative_change(point->before, point->after, total);
	}
}

/* Drops the smallest change below the floor; its neighbours' levels are others then. FALSE if there is none. */
static gboolean drop_smallest(GArray *points, double floor)
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
	if (size >= floor)
		return FALSE;
	g_array_remove_index(points, smallest);
	return TRUE;
}

static GArray *change_points_above(const ChangeSeries *series, double floor)
{
	double penalty, alpha = CHANGE_ALPHA / MAX(series->tests, 1);
	g_autoptr(Levels) levels = levels_of(series, &penalty);
	g_autoptr(GArray) changes = tested_changes(series, levels, penalty, alpha);
	GArray *points = steps_and_drifts(series, levels, changes);
	do
		set_levels(series, points);
	while (drop_smallest(points, floor));
	return points;
}

GArray *change_points_sampled(const ChangeSeries *series)
{
	return change_points_above(series, CHANGE_SAMPLED_FLOOR);
}

/* --- counted: changes --- */

/* The share of what changes are shares of, from one value to the next. */
static double neighbour_change(const ChangeSeries *series, guint i)
{
	double before = series->values[i - 1];
	return relative_change(before, series->values[i], series->totals != NULL ? series->totals[i - 1] : before);
}

/* TRUE if most values differ from the one before them: they do not repeat. */
static gboolean is_restless(const ChangeSeries *series)
{
	guint beyond = 0;
	for (guint i = 1; i < series->n; i++)
		beyond += fabs(neighbour_change(series, i)) > CHANGE_COUNTED_FLOOR;
	return series->n >= CHANGE_MIN_VALUES && 2 * beyond > series->n - 1;
}

static GArray *changes_of_neighbours(const ChangeSeries *series)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(ChangePoint));
	g_autofree double *sizes = g_new0(double, MAX(series->n, 1));
	for (guint i = 1; i < series->n; i++) {
		guint n = MIN(i - 1, CHANGE_FENCE_WINDOW);
		double fence = MAX(change_fence(sizes + i - n, n), CHANGE_COUNTED_FLOOR);
		ChangePoint point = {.index = i,
		        .earliest = i,
		        .latest = i,
		        .before = series->values[i - 1],
		        .after = series->values[i],
		        .change = neighbour_change(series, i),
		        .p_value = NAN};
		sizes[i] = fabs(point.change);
		if (sizes[i] > fence)
			g_array_append_val(points, point);
	}
	return points;
}

GArray *change_points_counted(const ChangeSeries *series)
{
	return is_restless(series) ? change_points_above(series, CHANGE_COUNTED_FLOOR) : changes_of_neighbours(series);
}
