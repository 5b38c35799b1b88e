/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/callgraph.h"

#include <string.h>

/* The physical function that calls the last frame of stack `s`; a frame out of range if that is the root, or if the
 * frame is a part of the one above it. */
static guint caller_of(const StackTable *table, const FrameId *physical, guint s)
{
	StackId parent = stack_table_parent(table, (StackId){s});
	gboolean is_part = physical[s].index != stack_table_leaf(table, (StackId){s}).index;
	return parent.index == 0 || is_part ? G_MAXUINT : physical[parent.index].index;
}

static gboolean is_row_frame(const FunctionRow *row, guint frame)
{
	return frame == row->base.index || frame == row->head.index;
}

/* The findings on a row. */
typedef struct {
	const StackTable *table;
	FrameId *physical; /* by stack */
	gboolean *callers, *near;
	guint n_frames;
} Nearness;

static void mark_callers_and_callees(const Nearness *found, const FunctionRow *row)
{
	const StackTable *table = found->table;
	gboolean *callers = found->callers, *near = found->near;
	guint n_frames = found->n_frames;
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		guint leaf = stack_table_leaf(table, (StackId){s}).index, caller = caller_of(table, found->physical, s);
		if (is_row_frame(row, leaf) && caller < n_frames)
			callers[caller] = near[caller] = TRUE;
		if (is_row_frame(row, caller))
			near[leaf] = TRUE;
	}
}

static void mark_siblings(const Nearness *found)
{
	for (guint s = 1; s < stack_table_n_stacks(found->table); s++) {
		guint caller = caller_of(found->table, found->physical, s);
		if (caller < found->n_frames && found->callers[caller])
			found->near[stack_table_leaf(found->table, (StackId){s}).index] = TRUE;
	}
}

/* The stem is the name without its last part: `hash_word` of `hash_word_slow`, `rank` of `rank::score<int>`. */
static gsize stem_length(const char *name)
{
	gsize length = strcspn(name, "(<"), end = length;
	while (end > 0 && strchr("_.:", name[end - 1]) == NULL)
		end--;
	while (end > 0 && strchr("_.:", name[end - 1]) != NULL)
		end--;
	return end;
}

static gboolean is_prefix_of_length(const char *stem, gsize length, const char *name, gsize name_length)
{
	return length >= 3 && length == name_length && strncmp(stem, name, length) == 0;
}

gboolean callgraph_same_stem(const char *a, const char *b)
{
	gsize stem_a = stem_length(a), stem_b = stem_length(b);
	return is_prefix_of_length(a, stem_a, b, stem_b) || is_prefix_of_length(a, stem_a, b, strcspn(b, "(<")) ||
	       is_prefix_of_length(b, stem_b, a, strcspn(a, "(<"));
}

gboolean callgraph_is_related(const StackTable *table, FrameId a, FrameId b)
{
	const Frame *x = stack_table_get_frame(table, a), *y = stack_table_get_frame(table, b);
	if (x->module.index != y->module.index)
		return FALSE;
	return (x->file.index != 0 && x->file.index == y->file.index) ||
	       callgraph_same_stem(stack_table_text(table, x->name), stack_table_text(table, y->name));
}

gboolean *callgraph_neighbours(const CostTable *costs, const FunctionRow *row)
{
	const StackTable *table = costs->base.profile->table;
	gboolean *near = g_new0(gboolean, costs->n_frames);
	g_autofree gboolean *callers = g_new0(gboolean, costs->n_frames);
	g_autofree FrameId *physical = physical_frames(table);
	const Nearness found = {table, physical, callers, near, costs->n_frames};
	mark_callers_and_callees(&found, row);
	mark_siblings(&found);
	return near;
}

static gboolean has_samples(const SideCosts *side, StackId stack)
{
	for (guint r = 0; r < side->rounds; r++)
		if (profile_cell(side->profile, r, stack).samples > 0)
			return TRUE;
	return FALSE;
}

/* A parent has a smaller number than its children, so the one with the larger number cannot be above the other. */
static StackId common_ancestor(const StackTable *table, StackId a, StackId b)
{
	while (a.index != b.index) {
		if (a.index > b.index)
			a = stack_table_parent(table, a);
		else
			b = stack_table_parent(table, b);
	}
	return a;
}

StackId callgraph_ancestor(const CostTable *costs, const gboolean *members)
{
	const StackTable *table = costs->base.profile->table;
	StackId ancestor = STACK_ROOT;
	gboolean found = FALSE;
	g_autofree FrameId *physical = physical_frames(table);
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		StackId stack = {s};
		if (!members[physical[s].index] ||
		        (!has_samples(&costs->base, stack) && !has_samples(&costs->head, stack)))
			continue;
		while (stack_table_leaf(table, stack).index != physical[s].index)
			stack = stack_table_parent(table, stack);
		ancestor = found ? common_ancestor(table, ancestor, stack) : stack;
		found = TRUE;
	}
	return ancestor;
}

void callgraph_inclusive(const SideCosts *side, StackId stack, double *cost)
{
	const StackTable *table = side->profile->table;
	guint n = stack_table_n_stacks(table);
	g_autofree gboolean *inside = g_new0(gboolean, n);
	for (guint s = stack.index; s < n; s++)
		inside[s] = s == stack.index || inside[stack_table_parent(table, (StackId){s}).index];
	for (guint r = 0; r < side->rounds; r++) {
		double weight = 0;
		for (guint s = stack.index; s < n; s++)
			if (inside[s])
				weight += (double)profile_cell(side->profile, r, (StackId){s}).weight;
		cost[r] = weight * side->scale[r];
	}
}

void callgraph_common_ancestor(const CostTable *costs, const gboolean *members, double *difference)
{
	StackId ancestor = callgraph_ancestor(costs, members);
	g_assert(costs->base.rounds == costs->rounds && costs->head.rounds == costs->rounds);
	g_autofree double *base = g_new0(double, costs->rounds);
	callgraph_inclusive(&costs->base, ancestor, base);
	callgraph_inclusive(&costs->head, ancestor, difference);
	for (guint r = 0; r < costs->rounds; r++)
		difference[r] -= base[r];
}
