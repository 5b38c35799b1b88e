/* SPDX-License-Identifier: Apache-2.0 */
/* A confidence interval drawn with characters, one line of a table:
 *
 *           │      ┆          zero, and the margin
 *           │      ┆ ──●──    an estimate with its interval
 *       ─●──┼─     ┆
 *
 * All bars of a table have one scale, on which zero is always. An end that is open goes to the edge. */
#pragma once

#include <glib.h>

typedef struct {
	double lowest, highest; /* of everything that is drawn */
	guint cells;
} BarScale;

typedef struct {
	double lower, estimate, upper; /* ends may be infinite or NaN: open */
	double mark;                   /* NaN = none */
} IntervalBar;

/* A scale of so many cells (at least 3) with zero alone on it. */
void bar_scale_init(BarScale *scale, guint cells);
/* Widens the scale so that the finite numbers of the bar are on it. */
void bar_scale_include(BarScale *scale, const IntervalBar *bar);
/* `cells` characters of UTF-8, each one column wide; "" if the estimate is not known. Owned by the caller. */
char *interval_bar(const BarScale *scale, const IntervalBar *bar);
