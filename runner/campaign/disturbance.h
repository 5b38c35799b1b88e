/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which rounds were disturbed by something that kept the runs from their CPUs, told by how long they waited.
 *
 * The wait of a run is its wall time over its CPU time; that of a round is the smaller of its two. A round is unusual
 * if its wait is above 1.5 times the median of the rounds that were kept, once there are three of them.
 *
 * The smaller of the two, because a rule that throws rounds away must not see which side is the slower one. It does not
 * change if the two runs of any round change places, so tests by exchange stay exact. And a head that waits where base
 * does not (for a lock, a disk, a timer) is what a wall time is measured for: its own waits alone never remove a round,
 * however long they are. What else uses the CPUs delays both. */
#pragma once

#include "runner/executor.h"

typedef struct {
	GArray *kept; /* of double: the wait of each round */
} Disturbance;

Disturbance *disturbance_new(void);
void disturbance_free(Disturbance *disturbance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Disturbance, disturbance_free)

/* The wait of a round of n >= 1 runs; NaN if one of them has no wall time or no CPU time. */
double wait_of_round(const RunOutcome *outcomes, guint n);
/* TRUE if a round with this wait is unusual; never for NaN. */
gboolean disturbance_unusual(const Disturbance *disturbance, double wait);
/* Takes the wait of a round that was kept. */
void disturbance_keep(Disturbance *disturbance, double wait);
/* Forgets all rounds: those that follow are of another kind. */
void disturbance_forget(Disturbance *disturbance);
/* Median of the rounds that were kept; NaN without. */
double disturbance_usual(const Disturbance *disturbance);
