/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/plotaxis.h"

#include "model/numbers/number.h"

#include <math.h>

#define TICKS_WANTED 4
/* Beyond that nobody reads them. */
#define MAX_DECIMALS 6

PlotAxis plot_axis_new(const char *unit)
{
	return (PlotAxis){.from = INFINITY, .to = -INFINITY, .unit = unit};
}

void plot_axis_include(PlotAxis *axis, double value)
{
	if (!isfinite(value))
		return;
	axis->from = fmin(axis->from, value);
	axis->to = fmax(axis->to, value);
}

/* 1, 2 or 5 times a power of ten, so that about TICKS_WANTED of them cover the span. */
static double nice_step(double span)
{
	double raw = span / TICKS_WANTED, power = pow(10, floor(log10(raw))), digit = raw / power;
	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* The divisor of values before they are written. */
static double divisor_of(const PlotAxis *axis)
{
	return axis->unit != NULL ? number_divisor(axis->largest, axis->unit) : 1;
}

void plot_axis_settle(PlotAxis *axis)
{
	if (!(axis->from <= axis->to))
		axis->from = axis->to = 0;
	axis->largest = fmax(fabs(axis->from), fabs(axis->to));
	double span = axis->to - axis->from, least = axis->largest * 1e-3, divisor = divisor_of(axis);
	if (least == 0)
		least = axis->unit != NULL ? 1 : 1e-9;
	double air = span > least ? .1 * span : least;
	/* what is never negative has no room below 0 */
	axis->from = axis->unit != NULL && axis->from >= 0 ? fmax(axis->from - air, 0) : axis->from - air;
	axis->to += air;
	axis->step = nice_step((axis->to - axis->from) / divisor) * divisor;
}

double plot_axis_first(const PlotAxis *axis)
{
	return ceil(axis->from / axis->step);
}

char *plot_axis_label(const PlotAxis *axis, double value)
{
	double decimals = fmax(0, -floor(log10(axis->step / divisor_of(axis)) + 1e-9));
	if (decimals > MAX_DECIMALS)
		return number_value(value, axis->unit);
	return number_value_as(value, axis->largest, (int)decimals, axis->unit);
}
