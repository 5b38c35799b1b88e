/* SPDX-License-Identifier: Apache-2.0 */
/* Tells if the machine treated the two sides alike: the yardstick, a fixed program that nobody changed, runs once on
 * either side in every round, under the same conditions as the benchmark. If its cost differs between the sides beyond
 * the margin and certainly, something other than the code does, and the campaign shows nothing. */
#pragma once

#include <glib.h>

#define CONTAMINATION_ALPHA .01
#define CONTAMINATION_MIN_ROUNDS 7 /* fewer can show nothing at that level */

typedef struct {
	guint rounds;                    /* with a value on both sides */
	double change_ratio;             /* head / base by Hodges-Lehmann; NaN without rounds */
	double lower_ratio, upper_ratio; /* exact bounds at CONTAMINATION_ALPHA each */
	gboolean contaminated;
} Contamination;

/* `base` and `head` hold the CPU time of the yardstick in each of n rounds, NaN = it did not run. `margin` is that of
 * the gating time metric (.02 = 2 %). Contaminated if the change is beyond the margin in either direction and the bound
 * on the side of no change excludes it. */
Contamination contamination_judge(const double *base, const double *head, guint n, double margin);
