/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: for each run, how much of a cost was seen on each stack.
 *
 *                 run 0        run 1      ...
 *     stack 17    samples,weight  ...
 *
 * `weight` is in the unit of the event (nanoseconds for cpu-clock and task-clock, counts for hardware events, units of
 * the count column for folded text); `samples` is the number of samples that it sums up. Columns are dense arrays
 * indexed by StackId, shorter than the table where later stacks did not occur. A value belongs to the stack itself
 * (self cost), not to its subtree. The stack table is shared, the columns are owned. */
#pragma once

#include "model/stacktable.h"

typedef struct {
	guint64 samples;
	guint64 weight;
} ProfileCell;

typedef struct {
	StackTable *table; /* shared */
	char *event;       /* name of the sampled event with modifiers: "cpu-clock:u" */
	char *unit;        /* unit of `weight`: "ns", "cycles", "instructions", "samples", ... */
	guint64 scale;     /* so many weights are one unit: 1, or 1000, 10^6 or 10^9 for fractions of folded text */
	GPtrArray *runs;   /* of GArray of ProfileCell, one per run, indexed by StackId */
} Profile;

/* `table` is referenced. */
Profile *profile_new(StackTable *table, const char *event, const char *unit);
void profile_free(Profile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Profile, profile_free)

/* Writes all costs in smaller parts of the unit, `scale` of them, a multiple of what they are in. FALSE if the total of
 * a run is too large for that; the profile is then untouched. */
gboolean profile_rescale(Profile *profile, guint64 scale);
/* Brings both to the larger of their scales, so that their costs can be compared; FALSE if one is too large. */
gboolean profile_match_scales(Profile *a, Profile *b);
/* Appends a weight as a number of units with all its digits: 1750 of scale 1000 is "1.75". */
void profile_append_cost(GString *out, const Profile *profile, guint64 weight);

/* Appends an empty run and returns its index. */
guint profile_add_run(Profile *profile);
/* The number of runs that it has weights of. */
guint profile_n_runs(const Profile *profile);
/* Adds to one cell. Sums saturate at G_MAXUINT64. */
void profile_add(Profile *profile, guint run, StackId stack, ProfileCell cost);
/* The cell, zero where nothing was seen. Inline, as loops over all stacks and runs read nothing else. */
static inline ProfileCell profile_cell(const Profile *profile, guint run, StackId stack)
{
	g_assert(run < profile->runs->len);
	const GArray *column = (const GArray *)profile->runs->pdata[run];
	return stack.index < column->len ? g_array_index(column, ProfileCell, stack.index) : (ProfileCell){0};
}
/* Sum over all stacks of one run. */
ProfileCell profile_run_total(const Profile *profile, guint run);
/* Sum over all runs of one stack. */
ProfileCell profile_stack_total(const Profile *profile, StackId stack);

/* A profile with one run, in which every sample of run 0 weighs 1. Owned by the caller. */
Profile *profile_of_samples(const Profile *profile);

/* Self cost per function: element [frame * n_runs + run], frames as in the table at the time of the call.
 * Returned array is owned by the caller; *n_frames is set. */
ProfileCell *profile_self_by_frame(const Profile *profile, guint *n_frames);
