/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/levels.h"

#include "compare/statistics/order.h"

#include <math.h>
#include <stdlib.h>

/* --- scale and outliers --- */

/* Of normal noise: the median of |x - y| is this many standard deviations. */
#define NORMAL_MEDIAN_DISTANCE (.6744897501960817 * G_SQRT2)

static double scale_at(const double *values, guint n, guint lag)
{
	g_autofree double *distances = g_new(double, n - lag);
	double sum = 0;
	for (guint i = 0; i + lag < n; i++) {
		distances[i] = fabs(values[i + lag] - values[i]);
		sum += distances[i];
	}
	double median = order_median(distances, n - lag);
	return median > 0 ? median / NORMAL_MEDIAN_DISTANCE : sum / (n - lag);
}

double level_scale(const double *values, guint n)
{
	if (n < 2)
		return 0;
	double scale = scale_at(values, n, 1);
	for (guint lag = 2; lag <= LEVEL_MAX_LAG && lag * LEVEL_DISTANCES <= n; lag *= 2)
		scale = fmax(scale, scale_at(values, n, lag));
	return scale;
}

/* Of the range: squares of what is much finer than the steps would lose their digits. */
#define LEAST_SCALE 1e-6

static double range_of(const double *values, guint n)
{
	double low = INFINITY, high = -INFINITY;
	for (guint i = 0; i < n; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return n > 0 ? high - low : 0;
}

/* The median of the LEVEL_WINDOW values around `at`, of the outermost ones at the ends. */
static double median_around(const double *values, guint n, guint at)
{
	double own[LEVEL_WINDOW];
	guint first = at < LEVEL_WINDOW / 2 ? 0 : MIN(at - LEVEL_WINDOW / 2, n - LEVEL_WINDOW);
	for (guint i = 0; i < LEVEL_WINDOW; i++) {
		double value = values[first + i];
		guint place = i;
		for (; place > 0 && own[place - 1] > value; place--)
			own[place] = own[place - 1];
		own[place] = value;
	}
	return own[LEVEL_WINDOW / 2];
}

static double *clip(const double *values, guint n, double scale)
{
	double *clipped = g_memdup2(values, MAX(n, 1) * sizeof *values);
	for (guint i = 0; n >= LEVEL_WINDOW && i < n; i++) {
		double median = median_around(values, n, i), most = LEVEL_CLIP * scale;
		clipped[i] = CLAMP(values[i], median - most, median + most);
	}
	return clipped;
}

/* --- the best levels --- */

/* The cost of the best division whose last level is `x`, for x from `low` to `high`: a x^2 + b x + c. */
typedef struct {
	double low, high, a, b, c;
	guint begin; /* of the last level */
} Piece;

static double piece_at(const Piece *piece, double x)
{
	return (piece->a * x + piece->b) * x + piece->c;
}

static double piece_least(const Piece *piece)
{
	double x = -piece->b / (2 * piece->a);
	return piece_at(piece, CLAMP(x, piece->low, piece->high));
}

/* The pieces side by side, from the lowest level to the highest. */
typedef struct {
	Piece *pieces;
	guint n, room;
} Row;

static void row_clear(Row *row)
{
	g_free(row->pieces);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Row, row_clear)

/* Appends [low, high] of the piece; what begins anew is joined with a neighbour that does, too. */
static void append_part(Row *row, const Piece *piece, double low, double high)
{
	if (!(low < high))
		return;
	Piece *last = row->n > 0 ? &row->pieces[row->n - 1] : NULL;
	if (last != NULL && last->begin == piece->begin && last->c == piece->c && last->b == piece->b) {
		last->high = high;
		return;
	}
	if (row->n == row->room) {
		row->room = MAX(2 * row->room, 16);
		row->pieces = g_renew(Piece, row->pieces, row->room);
	}
	row->pieces[row->n] = *piece;
	row->pieces[row->n].low = low;
	row->pieces[row->n++].high = high;
}

/* Keeps of a piece what costs at most as much as a level that begins anew, which replaces the rest. */
static void keep_cheaper(Row *row, const Piece *piece, double fresh, guint at)
{
	Piece anew = {.c = fresh, .begin = at};
	double low = piece->low, high = piece->high, from = high, to = high;
	double root = piece->b * piece->b - 4 * piece->a * (piece->c - fresh);
	if (root > 0) {
		root = sqrt(root);
		from = CLAMP((-piece->b - root) / (2 * piece->a), low, high);
		to = CLAMP((-piece->b + root) / (2 * piece->a), low, high);
	}
	append_part(row, &anew, low, from);
	append_part(row, piece, from, to);
	append_part(row, &anew, to, high);
}

/* Adds the distance of `y` to all; the least cost and where its last level begins. */
static double add_value(Row *row, double y, guint *begin)
{
	double best = INFINITY;
	for (guint i = 0; i < row->n; i++) {
		Piece *piece = &row->pieces[i];
		piece->a += 1;
		piece->b -= 2 * y;
		piece->c += y * y;
		double own = piece_least(piece);
		if (own < best) {
			best = own;
			*begin = piece->begin;
		}
	}
	return best;
}

static GArray *ends_of(const guint *begins, guint n)
{
	GArray *ends = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint end = n; end > 0; end = begins[end - 1])
		g_array_prepend_val(ends, end);
	return ends;
}

/* All levels that there could be, as one piece that costs nothing. */
static Piece whole_range(const double *y, guint n)
{
	Piece whole = {.low = INFINITY, .high = -INFINITY};
	for (guint i = 0; i < n; i++) {
		whole.low = fmin(whole.low, y[i]);
		whole.high = fmax(whole.high, y[i]);
	}
	return whole;
}

/* The division of standardized values that are not all equal; *cost is its sum of squares with the penalties. */
static GArray *divide(const double *y, guint n, double penalty, double *cost)
{
	g_auto(Row) row = {0}, next = {0};
	g_autofree guint *begins = g_new0(guint, n);
	Piece whole = whole_range(y, n);
	append_part(&row, &whole, whole.low, whole.high);
	*cost = add_value(&row, y[0], &begins[0]);
	for (guint i = 1; i < n; i++) {
		next.n = 0;
		for (guint p = 0; p < row.n; p++)
			keep_cheaper(&next, &row.pieces[p], *cost + penalty, i);
		Row kept = row;
		row = next;
		next = kept;
		*cost = add_value(&row, y[i], &begins[i]);
	}
	return ends_of(begins, n);
}

double level_squares(const double *y, guint n)
{
	double sum = 0, squares = 0;
	for (guint i = 0; i < n; i++)
		sum += y[i];
	for (guint i = 0; i < n; i++)
		squares += (y[i] - sum / n) * (y[i] - sum / n);
	return squares;
}

Levels *levels_new(const double *values, guint n, double penalty)
{
	Levels *levels = g_new0(Levels, 1);
	levels->scale = fmax(level_scale(values, n), LEAST_SCALE * range_of(values, n));
	levels->clipped = clip(values, n, levels->scale);
	if (n < 2 || !(levels->scale > 0)) {
		levels->ends = g_array_new(FALSE, FALSE, sizeof(guint));
		g_array_append_val(levels->ends, n);
		return levels;
	}
	g_autofree double *y = g_new(double, n);
	/* from the middle of the series, so that squares keep their digits */
	for (guint i = 0; i < n; i++)
		y[i] = (levels->clipped[i] - levels->clipped[n / 2]) / levels->scale;
	double cost, none = level_squares(y, n);
	levels->ends = divide(y, n, penalty, &cost);
	levels->gain = none - cost;
	return levels;
}

double levels_memory(const Levels *levels)
{
	double products = 0, squares = 0;
	for (guint s = 0, first = 0; s < levels->ends->len; s++) {
		guint end = g_array_index(levels->ends, guint, s);
		double mean = 0, before = 0;
		for (guint i = first; i < end; i++)
			mean += levels->clipped[i] / (end - first);
		for (guint i = first; i < end; i++) {
			double own = levels->clipped[i] - mean;
			squares += own * own;
			products += own * before;
			before = own;
		}
		first = end;
	}
	return squares > 0 ? CLAMP(products / squares, 0, .95) : 0;
}

void levels_free(Levels *levels)
{
	if (levels == NULL)
		return;
	g_free(levels->clipped);
	g_array_unref(levels->ends);
	g_free(levels);
}
