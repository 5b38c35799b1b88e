#include "compare/renames.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
	FrameId base, head;
	guint line_distance; /* G_MAXUINT: not near, judged by cost and callers */
	double cost_distance;
} RenamePair;

static gboolean is_one_sided(const SideCosts *here, const SideCosts *there, const StackTable *table, guint frame)
{
	return here->samples[frame] >= RENAME_MIN_SAMPLES && !there->present[frame] &&
	       frame_is_function(table, (FrameId){frame});
}

static GArray *one_sided(const CostTable *costs, const SideCosts *here, const SideCosts *there)
{
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(FrameId));
	for (guint f = 0; f < costs->n_frames; f++) {
		FrameId frame = {f};
		if (is_one_sided(here, there, here->profile->table, f))
			g_array_append_val(frames, frame);
	}
	return frames;
}

/* The functions that call `frame` directly, as a set of frame indices. */
static GHashTable *callers_of(const CostTable *costs, const SideCosts *side, FrameId frame)
{
	const StackTable *table = side->profile->table;
	GHashTable *callers = g_hash_table_new(NULL, NULL);
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		StackId parent = stack_table_parent(table, (StackId){s});
		if (stack_table_leaf(table, (StackId){s}).index != frame.index || parent.index == 0)
			continue;
		FrameId caller = stack_table_leaf(table, parent);
		if (caller.index < costs->n_frames && side->present[caller.index])
			g_hash_table_add(callers, GUINT_TO_POINTER(caller.index + 1));
	}
	return callers;
}

static gboolean same_callers(const CostTable *costs, FrameId base, FrameId head)
{
	g_autoptr(GHashTable) before = callers_of(costs, &costs->base, base);
	g_autoptr(GHashTable) after = callers_of(costs, &costs->head, head);
	if (g_hash_table_size(before) != g_hash_table_size(after))
		return FALSE;
	GHashTableIter iter;
	gpointer caller;
	g_hash_table_iter_init(&iter, before);
	while (g_hash_table_iter_next(&iter, &caller, NULL))
		if (!g_hash_table_contains(after, caller))
			return FALSE;
	return TRUE;
}

/* How much two costs differ, as a share of the larger one. */
static double cost_distance(const CostTable *costs, FrameId base, FrameId head)
{
	double before = mean_over_rounds(side_costs_of(&costs->base, costs->rounds, base), costs->rounds);
	double after = mean_over_rounds(side_costs_of(&costs->head, costs->rounds, head), costs->rounds);
	return fabs(before - after) / MAX(before, after);
}

/* Fills the distances of a pair; FALSE if these are not one function. */
static gboolean is_pair(const CostTable *costs, RenamePair *pair)
{
	const StackTable *table = costs->base.profile->table;
	const Frame *before = stack_table_get_frame(table, pair->base);
	const Frame *after = stack_table_get_frame(table, pair->head);
	if (before->module.index != after->module.index || before->kind != after->kind)
		return FALSE;
	gboolean files_known = before->file.index != 0 && after->file.index != 0;
	if (files_known && before->file.index != after->file.index)
		return FALSE;
	pair->cost_distance = cost_distance(costs, pair->base, pair->head);
	pair->line_distance = G_MAXUINT;
	if (files_known && before->line != 0 && after->line != 0)
		pair->line_distance = (guint)abs((int)before->line - (int)after->line);
	if (pair->line_distance <= RENAME_NEAR_LINES)
		return TRUE;
	pair->line_distance = G_MAXUINT;
	return pair->cost_distance <= RENAME_SIMILAR_COST && same_callers(costs, pair->base, pair->head);
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
	const RenamePair *x = a, *y = b;
	if (x->line_distance != y->line_distance)
		return x->line_distance < y->line_distance ? -1 : 1;
	if (x->cost_distance != y->cost_distance)
		return x->cost_distance < y->cost_distance ? -1 : 1;
	if (x->base.index != y->base.index)
		return x->base.index < y->base.index ? -1 : 1;
	return (x->head.index > y->head.index) - (x->head.index < y->head.index);
}

static GArray *find_pairs(const CostTable *costs)
{
	g_autoptr(GArray) gone = one_sided(costs, &costs->base, &costs->head);
	g_autoptr(GArray) come = one_sided(costs, &costs->head, &costs->base);
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(RenamePair));
	for (guint i = 0; i < gone->len; i++)
		for (guint j = 0; j < come->len; j++) {
			RenamePair pair = {
			        .base = g_array_index(gone, FrameId, i), .head = g_array_index(come, FrameId, j)};
			if (is_pair(costs, &pair))
				g_array_append_val(pairs, pair);
		}
	g_array_sort(pairs, compare_pairs);
	return pairs;
}

FrameId *renames_find(const CostTable *costs)
{
	FrameId *other = g_new(FrameId, costs->n_frames);
	for (guint f = 0; f < costs->n_frames; f++)
		other[f] = (FrameId){f};
	g_autoptr(GArray) pairs = find_pairs(costs);
	for (guint i = 0; i < pairs->len; i++) {
		const RenamePair *pair = &g_array_index(pairs, RenamePair, i);
		if (other[pair->base.index].index != pair->base.index ||
		        other[pair->head.index].index != pair->head.index)
			continue;
		other[pair->base.index] = pair->head;
		other[pair->head.index] = pair->base;
	}
	return other;
}
