/* SPDX-License-Identifier: Apache-2.0 */
/* Costs by label: each stack of a profile has a label (a function, a thread, ...), and a label's self cost is that of
 * its stacks, its inclusive cost that of all stacks that have it anywhere on their path, each stack once. */
#pragma once

#include "model/profile.h"

/* The label of a stack that belongs to nothing. */
#define NO_STACK_LABEL G_MAXUINT32

typedef struct {
	const guint32 *labels; /* by StackId */
	guint n_labels;
	ProfileCell *self, *inclusive; /* by label; added to */
} LabelSums;

/* Sums all runs of the profile by label. Returns the cost of all stacks. Linear in the rows of the stack table. */
ProfileCell label_sums_fill(const LabelSums *sums, const Profile *profile);
/* Cost of each stack with everything above it: element StackId. Owned by the caller. */
ProfileCell *label_sums_subtrees(const Profile *profile);
/* Adds a cost to a sum, which stays at its largest value where it would overflow. */
void label_sums_add(ProfileCell *sum, ProfileCell cost);
