/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamereasons.h"

#include "model/pairindex.h"
#include "report/flame/flamereverse.h"

#include <math.h>

/* The change of one function above one row. */
typedef struct {
	guint32 row;
	FrameId frame;
	double cost;
} Part;

typedef struct {
	const StackTable *table;
	PairIndex index; /* (row, frame) to a row of `parts` */
	GArray *parts;   /* of Part */
	double least;
} Builder;

static guint32 parent_of(const StackTable *table, guint32 row)
{
	return stack_table_parent(table, (StackId){row}).index;
}

/* Adds the cost to the row and to all rows below it. */
static void add(Builder *builder, guint32 row, FrameId frame, double cost)
{
	if (!(fabs(cost) >= builder->least) || cost == 0)
		return;
	for (;; row = parent_of(builder->table, row)) {
		gboolean is_new;
		guint32 at = pair_index_find_or_add(&builder->index, row, frame.index, &is_new);
		Part part = {row, frame, 0};
		if (is_new)
			g_array_append_val(builder->parts, part);
		g_array_index(builder->parts, Part, at).cost += cost;
		if (row == STACK_ROOT.index)
			return;
	}
}

static void add_paths(Builder *builder, const FlamePaths *paths, const FunctionComparison *const *functions)
{
	for (guint32 i = 1; i < paths->n_rows; i++) {
		FrameId frame = stack_table_leaf(builder->table, (StackId){i});
		if (paths->own[i] != 0 && functions[frame.index] != NULL)
			add(builder, parent_of(builder->table, i), functions[frame.index]->frame, paths->own[i]);
	}
	for (guint i = 0; i < paths->rests->len; i++) {
		const FlameRest *rest = &g_array_index(paths->rests, FlameRest, i);
		add(builder, rest->row, rest->frame, rest->cost);
	}
}

static double *sum_subtrees(const FlamePaths *paths, const StackTable *table)
{
	double *sums = g_memdup2(paths->known, paths->n_rows * sizeof *sums);
	for (guint32 i = paths->n_rows - 1; i > 0; i--)
		sums[parent_of(table, i)] += sums[i];
	return sums;
}

static gboolean is_larger(const Part *part, const FlameReason *than, const StackTable *table)
{
	if (than->cost == 0 || fabs(part->cost) != fabs(than->cost))
		return fabs(part->cost) > fabs(than->cost);
	return stack_table_frame_order(table, part->frame, than->frame) < 0;
}

FlameReason *flame_reasons_new(
        const FlamePaths *paths, const StackTable *table, const FunctionComparison *const *functions, double least)
{
	FlameReason *reasons = g_new0(FlameReason, paths->n_rows);
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
	g_autofree double *sums = sum_subtrees(paths, table);
	Builder builder = {.table = table, .parts = parts, .least = least};
	add_paths(&builder, paths, functions);
	for (guint i = 0; i < parts->len; i++) {
		const Part *part = &g_array_index(parts, Part, i);
		FlameReason *reason = &reasons[part->row];
		if (!(part->cost * sums[part->row] > 0))
			continue;
		guint others = reason->cost != 0 ? reason->others + 1 : 0;
		if (is_larger(part, reason, table))
			*reason = (FlameReason){.frame = part->frame, .cost = part->cost};
		reason->others = others;
	}
	pair_index_clear(&builder.index);
	return reasons;
}
