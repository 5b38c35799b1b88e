/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/ramps.h"

#include "compare/statistics/levels.h"

#include <math.h>

double ramp_step_squares(const double *values, guint n, guint change)
{
	return level_squares(values, change) + level_squares(values + change, n - change);
}

/* Sums over the first i values, of which the mean was taken away: value, and index times value. */
typedef struct {
	double *sum, *moment;
	double mean, squares;
	guint n;
} Sums;

static void sums_clear(Sums *sums)
{
	g_free(sums->sum);
	g_free(sums->moment);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sums, sums_clear)

static Sums sums_of(const double *values, guint n)
{
	Sums sums = {g_new0(double, n + 1), g_new0(double, n + 1), 0, 0, n};
	for (guint i = 0; i < n; i++)
		sums.mean += values[i] / n;
	for (guint i = 0; i < n; i++) {
		double y = values[i] - sums.mean;
		sums.sum[i + 1] = sums.sum[i] + y;
		sums.moment[i + 1] = sums.moment[i] + i * y;
		sums.squares += y * y;
	}
	return sums;
}

/* Linear regression of the values on how far the ramp is, x: 0 up to `begin`, 1 from `end` on. */
static Ramp fit(const Sums *sums, guint begin, guint end)
{
	double length = end - begin, n = sums->n, ones = n - end;
	/* of the values between: 1/length, 2/length, ... */
	double x = (length - 1) / 2 + ones, xx = (length - 1) * (2 * length - 1) / (6 * length) + ones;
	double between = sums->sum[end] - sums->sum[begin + 1];
	double xy = (sums->moment[end] - sums->moment[begin + 1] - begin * between) / length;
	xy += sums->sum[sums->n] - sums->sum[end];
	double spread = xx - x * x / n, together = xy - x * sums->sum[sums->n] / n;
	double slope = spread > 0 ? together / spread : 0, before = sums->mean - slope * x / n;
	return (Ramp){begin, end, before, before + slope, fmax(sums->squares - slope * together, 0)};
}

/* The place `index` of RAMP_PLACES from `from` to `to`, both included. */
static guint place(guint from, guint to, guint index)
{
	return from + (guint)((guint64)(to - from) * index / (RAMP_PLACES - 1));
}

Ramp ramp_fit(const double *values, guint n, guint change)
{
	return ramp_fit_over(values, n, change, change);
}

Ramp ramp_fit_over(const double *values, guint n, guint first, guint last)
{
	g_auto(Sums) sums = sums_of(values, n);
	Ramp best = fit(&sums, first - 1, last);
	for (guint i = 0; i < RAMP_PLACES; i++)
		for (guint j = 0; j < RAMP_PLACES; j++) {
			Ramp own = fit(&sums, place(0, first - 1, i), place(last, n - 1, j));
			if (own.squares < best.squares)
				best = own;
		}
	return best;
}
