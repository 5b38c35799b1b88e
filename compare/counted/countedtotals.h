/* SPDX-License-Identifier: Apache-2.0 */
/* One counted metric over the runs of both sides: ranges, change, verdict (the rules are in compare/counted/counted.h).
 *
 *     base   | |        lower = lowest head / highest base       both 1.0 = equal; where all runs of either side
 *     head      | | |   upper = highest head / lowest base       agree they are one number, the change itself
 *
 * Counts that do not repeat need COUNTED_NOISY_RUNS runs of either side. With fewer, a range that lies on both sides of
 * the margin decides all the same, since more runs only make it wider; so does a pass that is further from the margin
 * than COUNTED_SETTLED_SPREADS times what the runs differ by. Everything else has too few runs. */
#pragma once

#include "compare/counted/countedrules.h"

#define COUNTED_SETTLED_SPREADS 10

/* The values of one side. */
typedef struct {
	guint runs;
	double lowest, highest;
} CountedRange;

/* `n` is at least 1; values are finite. */
CountedRange counted_range(const double *values, guint n);
/* TRUE if all runs of the side agree. */
gboolean counted_range_repeats(const CountedRange *range);
/* TRUE if either side has as many runs as counts that do not repeat need. */
gboolean counted_enough_runs(const CountedRange *base, const CountedRange *head);
/* TRUE if `ratio` is above 1 + margin. Equality is allowed some rounding error, but not at margin 0, where every
 * instruction counts. */
gboolean counted_is_beyond(double ratio, double margin);
/* head / base; 1 if both are 0, infinite if only base is. */
double counted_ratio(double base, double head);

/* Judges one metric; NULL if it does not gate and neither side has it. Owned by the caller. A reason is set unless the
 * verdict is PASS. */
MetricComparison *counted_metric(const CountedInput *input, const MetricPolicy *policy);
