/* SPDX-License-Identifier: Apache-2.0 */
/* Rows whose changes are summed up because they were found to belong together: a rise and the falls that make up for
 * it.
 *
 *     row      0   1   2   3   4          every row starts as a group of its own;
 *     group    a   b   a   d   b          a merge gives all rows of both groups one home
 *
 * So a fall is spent once: where it explains several rises, they are summed up together. A row is a position in the
 * caller's list of functions; changes are head minus base, in cost. */
#pragma once

#include <glib.h>

typedef struct {
	GArray *rows;       /* of guint, the one that the group was made for first */
	double *difference; /* per round */
	double mean;
} CostGroup;

typedef struct {
	guint rounds;
	GPtrArray *groups; /* of CostGroup, one per row; a merged one is shared: see group_of */
	GArray *group_of;  /* of guint, per row */
} CostGroups;

void cost_group_free(CostGroup *group);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CostGroup, cost_group_free)

/* No groups yet, of rows with `rounds` values, which may be 0. Owned by the caller. */
CostGroups *cost_groups_new(guint rounds);
void cost_groups_free(CostGroups *groups);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CostGroups, cost_groups_free)
/* Adds the next row, in a group of its own. `difference` is copied. */
void cost_groups_add(CostGroups *groups, const double *difference, double mean);
/* The group that a row is in now; borrowed. */
CostGroup *cost_groups_at(const CostGroups *groups, guint row);

/* Sorts an array of CostGroup: the largest fall first. */
void cost_groups_sort(GPtrArray *array);
/* Adds falls to the group of `row`: the groups in `donors` in their order, until the sum is not positive any more. Sets
 * *taken to how many. Changes nothing else; owned by the caller. */
CostGroup *cost_groups_sum(const CostGroups *groups, guint row, const GPtrArray *donors, guint *taken);
/* Makes all rows of `sum`, which is taken, one group in place of that of `row`. */
void cost_groups_merge(CostGroups *groups, guint row, CostGroup *sum);
