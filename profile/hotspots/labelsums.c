/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/labelsums.h"

void label_sums_add(ProfileCell *sum, ProfileCell cost)
{
	sum->samples = sum->samples > G_MAXUINT64 - cost.samples ? G_MAXUINT64 : sum->samples + cost.samples;
	sum->weight = sum->weight > G_MAXUINT64 - cost.weight ? G_MAXUINT64 : sum->weight + cost.weight;
}

ProfileCell *label_sums_subtrees(const Profile *profile)
{
	guint n = stack_table_n_stacks(profile->table);
	ProfileCell *costs = g_new0(ProfileCell, n);
	for (guint i = n; i-- > 1;) {
		label_sums_add(&costs[i], profile_stack_total(profile, (StackId){i}));
		label_sums_add(&costs[stack_table_parent(profile->table, (StackId){i}).index], costs[i]);
	}
	return costs;
}

/* The trie can be walked downwards by these: the first child of each row, and the next child of the same parent. 0 =
 * none. */
typedef struct {
	guint32 *child, *sibling;
} Downwards;

static void downwards_init(Downwards *down, const StackTable *table)
{
	guint n = stack_table_n_stacks(table);
	down->child = g_new0(guint32, n);
	down->sibling = g_new0(guint32, n);
	for (guint32 i = n; i-- > 1;) {
		guint32 parent = stack_table_parent(table, (StackId){i}).index;
		down->sibling[i] = down->child[parent];
		down->child[parent] = i;
	}
}

static void downwards_clear(Downwards *down)
{
	g_free(down->child);
	g_free(down->sibling);
}

/* Walks the trie depth first, counting how often each label is on the path. A subtree counts for a label where the path
 * meets it for the first time. */
static void sum_inclusive(const LabelSums *sums, const StackTable *table, const ProfileCell *subtrees)
{
	g_autofree guint32 *on_path = g_new0(guint32, MAX(1, sums->n_labels));
	Downwards down;
	downwards_init(&down, table);
	for (guint32 row = down.child[0]; row != 0;) {
		guint32 label = sums->labels[row];
		if (label != NO_STACK_LABEL && on_path[label]++ == 0)
			label_sums_add(&sums->inclusive[label], subtrees[row]);
		if (down.child[row] != 0) {
			row = down.child[row];
			continue;
		}
		while (row != 0) {
			if (sums->labels[row] != NO_STACK_LABEL)
				on_path[sums->labels[row]]--;
			if (down.sibling[row] != 0)
				break;
			row = stack_table_parent(table, (StackId){row}).index;
		}
		row = down.sibling[row];
	}
	downwards_clear(&down);
}

ProfileCell label_sums_fill(const LabelSums *sums, const Profile *profile)
{
	g_autofree ProfileCell *subtrees = label_sums_subtrees(profile);
	for (guint i = 1; i < stack_table_n_stacks(profile->table); i++)
		if (sums->labels[i] != NO_STACK_LABEL)
			label_sums_add(&sums->self[sums->labels[i]], profile_stack_total(profile, (StackId){i}));
	sum_inclusive(sums, profile->table, subtrees);
	return subtrees[STACK_ROOT.index];
}
