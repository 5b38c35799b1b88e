/* SPDX-License-Identifier: Apache-2.0 */
/* The value axis of a plot: what it spans, and ticks at round values that are all written in one unit.
 *
 *      1.1 s ┤        not 1.10 s
 *      1.0 s ┤            1000 ms
 *      0.9 s ┤            899 ms */
#pragma once

#include <glib.h>

typedef struct {
	double from, to;  /* the values at its ends; from > to = nothing is included yet */
	double step;      /* between ticks, which are multiples of it */
	double largest;   /* whose unit all ticks have */
	const char *unit; /* of the values, as number_value() takes it; NULL = shares of one. Borrowed */
} PlotAxis;

/* An axis without values. */
PlotAxis plot_axis_new(const char *unit);
/* Makes room for a value; one that is not finite needs none. */
void plot_axis_include(PlotAxis *axis, double value);
/* Leaves some air at the ends and chooses the step. An axis without extent gets one. */
void plot_axis_settle(PlotAxis *axis);
/* The number of the first tick; tick n is at n * step, as long as that is not beyond `to`. */
double plot_axis_first(const PlotAxis *axis);
/* The text of a tick of an axis with a unit. Owned by the caller. */
char *plot_axis_label(const PlotAxis *axis, double value);
