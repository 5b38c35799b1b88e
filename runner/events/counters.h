/* SPDX-License-Identifier: Apache-2.0 */
/* Counting: totals of one process tree, over all its threads and descendants, from exec to its end or while counting is
 * switched on.
 *
 * A counter that could not be opened, or that never ran, is "not counted" and has no value; it is never 0. */
#pragma once

#include "runner/events/perfevent.h"

typedef struct Counters Counters;

/* Opens every counter that this machine has on `pid`, which waits before exec. They start with the exec, or with
 * counters_enable() if `start_disabled`. task-clock is required, everything else is taken when it opens. */
Counters *counters_open(pid_t pid, const PerfAbilities *abilities, gboolean start_disabled, GError **error);
void counters_free(Counters *counters);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Counters, counters_free)

/* Switches counting on or off for the whole tree. */
gboolean counters_enable(Counters *counters, gboolean on, GError **error);

typedef struct {
	const char *name, *unit; /* static text */
	gboolean counted;
	double value;         /* scaled to the whole time where the counter was multiplexed */
	double running_share; /* time running / time enabled */
} CounterValue;

/* task-clock from exec to the end, whatever was switched on and off meanwhile, after the tree has ended. */
gboolean counters_whole_ns(const Counters *counters, double *ns, GError **error);

/* Reads all counters after the tree has ended. Returned array of CounterValue is owned by the caller. */
GArray *counters_read(Counters *counters, GError **error);

/* value * enabled / running in 128-bit arithmetic, rounded to nearest and saturating at G_MAXUINT64. Returns FALSE, and
 * leaves *scaled alone, when the counter never ran. */
gboolean counter_scale(guint64 value, guint64 enabled, guint64 running, guint64 *scaled);
