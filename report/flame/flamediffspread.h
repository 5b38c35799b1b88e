/* SPDX-License-Identifier: Apache-2.0 */
/* The precision of the cost of a frame: half of the 95 % interval of its mean over the runs of a side, by Student's t,
 * for the cost with everything it calls.
 *
 * Assumes that runs are independent and nearly normal around their mean. It says how precisely each side is known, and
 * not whether they differ: that is what the function tests say, which compare the two runs of each round. */
#pragma once

#include "model/profile.h"

/* Runs below which an interval would be wider than it is useful. */
#define FLAME_SPREAD_RUNS 5

/* Per StackId, in cost per run and unit of work (`work`, 0 counts as 1). NULL without a profile or with fewer than
 * FLAME_SPREAD_RUNS runs. Owned by the caller. */
double *flame_spread_new(const Profile *profile, double work);
