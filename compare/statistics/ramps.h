/* SPDX-License-Identifier: Apache-2.0 */
/* A level that turns into another one little by little: was it a step, or a ramp?
 *
 *     value ┤                 ●─●─●─●      begin: last value of the old level
 *           ┤            ●  ●              end: first value of the new one
 *           ┤ ●─●─●─●  ●
 *                   begin      end
 *
 * The ramp that fits best by least squares, begin and end out of RAMP_PLACES places on either side of the change. A
 * level that grows from its first value on has begin 0; one that still grows at its last has end n - 1. Pure. */
#pragma once

#include <glib.h>

#define RAMP_PLACES 12

typedef struct {
	guint begin, end;     /* begin < end */
	double before, after; /* the levels */
	double squares;       /* sum of squared distances of the values from it */
} Ramp;

/* The best ramp of `n` >= 2 values over a change at index `change`, 1 <= change < n. */
Ramp ramp_fit(const double *values, guint n, guint change);
/* The best one over several changes, the first and the last of which are at these indexes. */
Ramp ramp_fit_over(const double *values, guint n, guint first, guint last);
/* The sum of squares around two levels, the second of which begins at `change`. */
double ramp_step_squares(const double *values, guint n, guint change);
