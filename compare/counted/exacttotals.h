/* One exact metric over the runs of both sides: ranges, change, verdict (the rules are in compare/counted/exact.h).
 *
 *     base   | |        lower = lowest head / highest base       both 1.0 = equal; where all runs of either side
 *     head      | | |   upper = highest head / lowest base       agree they are one number, the change itself
 *
 * Counts that do not repeat need EXACT_NOISY_RUNS runs of either side. With fewer, a range that lies on both sides of
 * the margin decides all the same, since more runs only make it wider; so does a pass that is further from the margin
 * than EXACT_SETTLED_SPREADS times what the runs differ by. Everything else has too few runs. */
#pragma once

#include "compare/counted/exact.h"

#define EXACT_SETTLED_SPREADS 10

/* The values of one side. */
typedef struct {
	guint runs;
	double lowest, highest;
} ExactRange;

/* `n` is at least 1; values are finite. */
ExactRange exact_range(const double *values, guint n);
gboolean exact_range_repeats(const ExactRange *range);
/* TRUE if either side has as many runs as counts that do not repeat need. */
gboolean exact_enough_runs(const ExactRange *base, const ExactRange *head);
/* TRUE if `ratio` is above 1 + margin. Equality is allowed some rounding error, but not at margin 0, where every
 * instruction counts. */
gboolean exact_is_beyond(double ratio, double margin);
/* head / base; 1 if both are 0, infinite if only base is. */
double exact_ratio(double base, double head);

/* Judges one metric; NULL if it does not gate and neither side has it. Owned by the caller. A reason is set unless the
 * verdict is PASS. */
MetricComparison *exact_metric(const ExactInput *input, const MetricPolicy *policy);
