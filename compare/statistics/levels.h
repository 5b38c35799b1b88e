/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of a series: what remains of it when noise and outliers are taken away.
 *
 *     value ┤      ●            outlier: counts as the level plus LEVEL_CLIP scales
 *           ┤         ─●─●─●
 *           ┤ ─●─●─        ─●─●─●─
 *
 * The levels are those with the least sum of squared distances plus a penalty for each change, over all ways to divide
 * the series: exact, by functional pruning (Maidstone, Hocking, Rigaill and Fearnhead 2017), in time that grows with
 * the number of values and not with its square. Outliers are pulled in before (a Hampel filter over LEVEL_WINDOW
 * values), so that one or two of them make no level, while three values that agree stay what they are.
 *
 * Pure. */
#pragma once

#include <glib.h>

#define LEVEL_WINDOW 5
#define LEVEL_CLIP 3.
#define LEVEL_MAX_LAG 8
#define LEVEL_DISTANCES 10

typedef struct {
	double *clipped; /* the values, with outliers pulled in */
	double scale;    /* the noise from value to value, as a standard deviation; 0 of values that repeat */
	GArray *ends;    /* of guint: index after the last value of each level; the last one is the number of values */
	double gain;     /* by which all changes together lower the sum of squares, less their penalties; in scales^2 */
} Levels;

/* The levels of `n` values; a change costs `penalty` scales^2. Owned by the caller. */
Levels *levels_new(const double *values, guint n, double penalty);
void levels_free(Levels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Levels, levels_free)

/* The memory of values: the correlation of neighbours around their levels, 0 to .95. */
double levels_memory(const Levels *levels);

/* The scale alone: the median distance between neighbours, made that of normal noise; or between values that are 2, 4
 * or 8 apart, if that is larger: values that remember those before them are near their neighbours alone. Distances
 * count of which there are at least LEVEL_DISTANCES times the lag. Where more than half of them are 0, their mean
 * counts, so that 0 is said of a constant alone. */
double level_scale(const double *values, guint n);

/* The sum of squared distances of `n` >= 1 values from their mean: what is left of them where they are one level. */
double level_squares(const double *y, guint n);
