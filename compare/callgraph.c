#include "compare/callgraph.h"

#include <string.h>

/* The frame above stack `s`, or a frame out of range if that is the root. */
static guint caller_of(const StackTable *table, guint s)
{
	StackId parent = stack_table_parent(table, (StackId){s});
	return parent.index == 0 ? G_MAXUINT : stack_table_leaf(table, parent).index;
}

static gboolean is_row_frame(const FunctionRow *row, guint frame)
{
	return frame == row->base.index || frame == row->head.index;
}

static void mark_callers_and_callees(
        const StackTable *table, const FunctionRow *row, gboolean *callers, gboolean *near, guint n_frames)
{
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		guint leaf = stack_table_leaf(table, (StackId){s}).index, caller = caller_of(table, s);
		if (is_row_frame(row, leaf) && caller < n_frames)
			callers[caller] = near[caller] = TRUE;
		if (is_row_frame(row, caller))
			near[leaf] = TRUE;
	}
}

static void mark_siblings(const StackTable *table, const gboolean *callers, gboolean *near, guint n_frames)
{
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		guint caller = caller_of(table, s);
		if (caller < n_frames && callers[caller])
			near[stack_table_leaf(table, (StackId){s}).index] = TRUE;
	}
}

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
	mark_callers_and_callees(table, row, callers, near, costs->n_frames);
	mark_siblings(table, callers, near, costs->n_frames);
	return near;
}

static gboolean has_samples(const SideCosts *side, StackId stack)
{
	for (guint r = 0; r < side->rounds; r++)
		if (profile_cell(side->profile, r, stack).samples > 0)
			return TRUE;
	return FALSE;
}

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
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		StackId stack = {s};
		if (!members[stack_table_leaf(table, stack).index] ||
		        (!has_samples(&costs->base, stack) && !has_samples(&costs->head, stack)))
			continue;
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
