/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where a series of values over commits changed its level.
 *
 *     value ┤          ●   ●        change point: the first value of the new level
 *           ┤        ●   ●   ●      what was sampled: groups of values are compared
 *           ┤ ●   ●                 what was counted: each value with the one before it
 *           ┤   ●   ●
 *
 * Sampled values: the best levels are looked for over the whole series (levels.h), a change of which costs
 * CHANGE_PENALTY ln(n) scales^2, more where values remember those before them. Up to CHANGE_PERMUTED_VALUES values all
 * changes together are believed if at most alpha of the permutations of the series gain as much by their best levels,
 * outliers pulled in again in each; so a series of exchangeable values without any change has one with probability
 * alpha at most, whatever their distribution. Of more values each change has to be beyond chance by the ranks of what
 * lies on either side, at alpha / n (steps.h). Values that remember those before them are not exchangeable;
 * docs/STATISTICS.md says how often they deceive.
 *
 * A change that a ramp tells better than a step is a drift (ramps.h), and so are stairs that a ramp tells as well. A
 * step has a range of places: those at which its values fit nearly as well. CHANGE_MIN_SIDE values lie on either side
 * of it, so one or two values at the end are no change yet. Changes that are smaller than CHANGE_SAMPLED_FLOOR are
 * dropped.
 *
 * Counted values: the fence rule. A change between two neighbours counts if it is beyond Q3 + 3 (Q3 - Q1) of the sizes
 * of the CHANGE_FENCE_WINDOW changes before it (quantiles by linear interpolation, index (n - 1) q), or where there are
 * fewer, beyond CHANGE_FENCE_START; at least it is CHANGE_COUNTED_FLOOR. It is for values that repeat: where runs of
 * the same program scatter beyond CHANGE_FENCE_START, neighbours differ by chance, and the values count as sampled.
 * Where more than half of the neighbours differ by more than CHANGE_COUNTED_FLOOR, they do so, too: then levels are
 * compared, down to that floor.
 *
 * Pure: the permutations come from a generator with a fixed seed, so the same values give the same answer anywhere. */
#pragma once

#include <glib.h>

#define CHANGE_ALPHA .01
#define CHANGE_PERMUTATIONS 199    /* at least; as many as the level needs */
#define CHANGE_PERMUTED_VALUES 400 /* of more values the ranks are tested */
#define CHANGE_PENALTY 4.          /* of a change, times ln(n) scales^2 */
#define CHANGE_DRIFT_EVIDENCE 5.   /* by which a ramp has to be better than a step, times ln(n) */
#define CHANGE_SEED 0x6368616e6765ULL
#define CHANGE_MIN_SIDE 3
/* With fewer sampled values no change can be found: too many permutations have the same groups. */
#define CHANGE_MIN_VALUES 10
#define CHANGE_SAMPLED_FLOOR .01
#define CHANGE_FENCE_WINDOW 30
#define CHANGE_FENCE_START .005
#define CHANGE_COUNTED_FLOOR 1e-4

typedef struct {
	const double *values; /* finite, oldest first, all of one environment */
	/* what changes are shares of, one for each value; NULL = the value before the change itself */
	const double *totals;
	guint n;
	guint tests; /* series that are looked at together: alpha is shared out over them; 0 counts as 1. At most 10 */
} ChangeSeries;

typedef struct {
	guint index;            /* of the first value of the new level, at least 1 */
	guint earliest, latest; /* a step: the indexes that could be it as well; a drift: the first value that left the
	                         * old level, which is `index`, and the first one of the new level */
	gboolean drifts;        /* little by little, so no single value did it */
	double before, after;   /* sampled: medians of the two levels; counted: the two neighbours */
	double change;          /* (after - before) / what it is a share of; infinite from 0 */
	double p_value;         /* NaN where nothing was tested */
} ChangePoint;

/* The changes of sampled values, a GArray of ChangePoint by index. Owned by the caller. */
GArray *change_points_sampled(const ChangeSeries *series);
/* The same of counted values. */
GArray *change_points_counted(const ChangeSeries *series);

/* TRUE if values scatter too much for the fence rule: the median of `n` ranges of the runs of one commit each, as
 * shares of what changes are shares of, is beyond CHANGE_FENCE_START. FALSE of none. */
gboolean change_is_scattered(const double *ranges, guint n);

/* Q3 + 3 (Q3 - Q1) of `n` sizes of changes, CHANGE_FENCE_START if n is below CHANGE_FENCE_WINDOW. */
double change_fence(const double *sizes, guint n);
