/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotpairs.h"

#include <math.h>

/* The values of all keys as one text, which is the same for the same group of another table. Owned by the caller. */
static char *identity_of(const HotGroups *groups, const HotGroup *group)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < groups->grouping.n_keys; i++) {
		g_string_append_printf(text, "%s\n", hot_group_text(groups, group, i));
		if (groups->grouping.keys[i] != HOT_FUNCTION)
			continue;
		FrameId frame = hot_group_frame(group, i);
		g_string_append_printf(text, "%s\n%d\n", stack_table_frame_module(groups->table, frame),
		        stack_table_frame_form(groups->table, frame));
	}
	return g_string_free(text, FALSE);
}

static ProfileCell cost_of(const HotGroup *group, HotspotOrder order)
{
	return order == HOTSPOTS_BY_SELF ? group->self : group->inclusive;
}

static void set_base(HotPair *pair, const HotGroups *base, const HotGroup *group, HotspotOrder order)
{
	pair->base = group;
	pair->base_samples = cost_of(group, order).samples;
	pair->base_share = hotspots_share(cost_of(group, order).weight, base->total.weight);
}

double hot_pair_share(const HotPair *pair)
{
	return MAX(pair->base_share, pair->head_share);
}

static gint compare_pairs(gconstpointer left, gconstpointer right)
{
	const HotPair *a = left, *b = right;
	double of_a = fabs(a->head_share - a->base_share), of_b = fabs(b->head_share - b->base_share);
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	double share_a = hot_pair_share(a), share_b = hot_pair_share(b);
	return share_a == share_b ? 0 : share_a > share_b ? -1 : 1;
}

/* The pairs of all groups of head, and the row of each by its identity plus 1. */
static GHashTable *add_head(GArray *pairs, const HotGroups *head, HotspotOrder order)
{
	GHashTable *rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < head->groups->len; i++) {
		const HotGroup *group = &g_array_index(head->groups, HotGroup, i);
		const HotPair pair = {.head = group,
		        .head_samples = cost_of(group, order).samples,
		        .head_share = hotspots_share(cost_of(group, order).weight, head->total.weight)};
		g_array_append_val(pairs, pair);
		g_hash_table_insert(rows, identity_of(head, group), GUINT_TO_POINTER(pairs->len));
	}
	return rows;
}

GArray *hot_pairs_new(const HotGroups *base, const HotGroups *head, HotspotOrder order)
{
	GArray *pairs = g_array_new(FALSE, TRUE, sizeof(HotPair));
	g_autoptr(GHashTable) rows = add_head(pairs, head, order);
	for (guint i = 0; i < base->groups->len; i++) {
		const HotGroup *group = &g_array_index(base->groups, HotGroup, i);
		g_autofree char *identity = identity_of(base, group);
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(rows, identity));
		if (row == 0)
			g_array_set_size(pairs, pairs->len + 1);
		set_base(&g_array_index(pairs, HotPair, (row == 0 ? pairs->len : row) - 1), base, group, order);
	}
	g_array_sort(pairs, compare_pairs);
	/* Those without a share have no change either, so they stand at the end. */
	while (pairs->len > 0 && hot_pair_share(&g_array_index(pairs, HotPair, pairs->len - 1)) == 0)
		g_array_set_size(pairs, pairs->len - 1);
	return pairs;
}
