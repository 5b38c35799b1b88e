/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of two profiles beside each other: the same values of all keys are the same group. Each side's costs are
 * shares of its own total, so a longer recording is no larger. */
#pragma once

#include "profile/hotspots/hotgroups.h"

typedef struct {
	const HotGroup *base, *head;   /* borrowed; NULL = this side has no such group */
	double base_share, head_share; /* 0..1, of the cost that was asked for */
	guint64 base_samples, head_samples;
} HotPair;

/* The pairs by the share of their self or inclusive costs, the largest change first, be it up or down; ties by the
 * larger share, then in the order of the groups. Groups without a share on either side are left out. Both were grouped
 * by the same keys, and must outlive the array of HotPair, which is owned by the caller. */
GArray *hot_pairs_new(const HotGroups *base, const HotGroups *head, HotspotOrder order);
/* The larger of the two shares. */
double hot_pair_share(const HotPair *pair);
