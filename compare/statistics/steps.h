/* SPDX-License-Identifier: Apache-2.0 */
/* A step from one level to another: where it is, how surely, and how likely it is by chance.
 *
 *     value ┤        ●─●─●─●      the value at `index` is the first of the new level;
 *           ┤    ●                values between the levels may belong to either: earliest to latest
 *           ┤ ●─●
 *
 * Pure. */
#pragma once

#include <glib.h>

/* By so many squared scales the best place may be better than another one that is still possible. */
#define STEP_DOUBT 9.
/* A value counts as at most so many scales away from a level: one outlier moves no step. */
#define STEP_CLIP 4.
/* Values on either side that are ranked: the nearest. */
#define STEP_RANKED 200

typedef struct {
	guint index;            /* first value of the new level, where that fits best */
	guint earliest, latest; /* the first and the last index that could be it as well */
} StepPlace;

/* The place of the step near `change`, 1 <= change < n, between the medians of what lies on either side of it. `scale`
 * is the noise of a value. */
StepPlace step_place(const double *values, guint n, guint change, double scale);

/* The chance that values in random order are as well divided at `change`: Mann and Whitney's U of the STEP_RANKED
 * nearest values on either side, two-sided. The normal approximation with a correction for continuity, which is too
 * large far out, or where it is smaller the number of arrangements with as small an U among all of them (at most that
 * of partitions, Hardy and Ramanujan 1918). */
double step_rank_p(const double *values, guint n, guint change);
