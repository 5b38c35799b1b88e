/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/inlinedparts.h"

#include <math.h>
#include <string.h>

#include "core/git/linechanges.h"

static void inlined_costs_free(gpointer data)
{
	InlinedCosts *costs = data;
	g_free(costs->base_cost);
	g_free(costs->head_cost);
	g_free(costs);
}

/* The data that are needed while stacks become parts. */
typedef struct {
	const CostTable *costs;
	guint *row_of[2];     /* per side and frame: position of its row + 1; 0 = none */
	FrameId *function_of; /* per frame: the one with code of its own that has its name, else itself */
	GHashTable *index;    /* (row, frame) -> InlinedCosts */
	GPtrArray *parts;
} Gathering;

static guint *rows_of_side(const CostTable *costs, const GArray *rows, gboolean of_head)
{
	guint *row_of = g_new0(guint, MAX(costs->n_frames, 1));
	for (guint i = 0; i < rows->len; i++) {
		const FunctionRow *row = &g_array_index(rows, FunctionRow, i);
		row_of[(of_head ? row->head : row->base).index] = i + 1;
	}
	return row_of;
}

/* Functions with code of their own, by name: an inlined frame is a copy of the one with its name and module. Forms are
 * gone through in their order, in which functions with code of their own come first, so that each copy finds its own.
 */
static FrameId *functions_by_name(const StackTable *table)
{
	guint n = stack_table_n_frames(table);
	FrameId *functions = g_new0(FrameId, MAX(n, 1));
	g_autoptr(GHashTable) own = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (guint form = 0; form < N_FRAME_FORMS; form++)
		for (guint f = 0; f < n; f++) {
			const Frame *frame = stack_table_get_frame(table, (FrameId){f});
			gint64 key = (gint64)((guint64)frame->name.index << 32 | frame->module.index);
			if (stack_table_frame_form(table, (FrameId){f}) != (FrameForm)form)
				continue;
			gboolean is_inlined = form == FRAME_FORM_INLINED;
			guint known = is_inlined ? GPOINTER_TO_UINT(g_hash_table_lookup(own, &key)) : 0;
			functions[f] = (FrameId){known != 0 ? known - 1 : f};
			if (form == FRAME_FORM_OWN)
				g_hash_table_insert(own, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(f + 1));
		}
	return functions;
}

static InlinedCosts *part_of(Gathering *gathering, guint row, FrameId frame)
{
	gint64 key = (gint64)((guint64)row << 32 | frame.index);
	InlinedCosts *part = g_hash_table_lookup(gathering->index, &key);
	if (part != NULL)
		return part;
	part = g_new0(InlinedCosts, 1);
	part->frame = frame;
	part->function = gathering->function_of[frame.index];
	part->row = row;
	part->base_cost = g_new0(double, gathering->costs->base.rounds);
	part->head_cost = g_new0(double, gathering->costs->head.rounds);
	g_ptr_array_add(gathering->parts, part);
	g_hash_table_insert(gathering->index, g_memdup2(&key, sizeof key), part);
	return part;
}

static guint64 samples_on(const SideCosts *side, StackId stack)
{
	guint64 samples = 0;
	for (guint r = 0; r < side->rounds; r++)
		samples += profile_cell(side->profile, r, stack).samples;
	return samples;
}

/* Takes what was sampled in the inlined function at the end of the stack as a part of the row of the physical function
 * around it. A host without a row has no cost in the comparison, so its parts explain nothing. */
static void gather(Gathering *gathering, StackId stack, FrameId host, gboolean of_head)
{
	const SideCosts *side = of_head ? &gathering->costs->head : &gathering->costs->base;
	guint row = gathering->row_of[of_head][host.index];
	guint64 samples = samples_on(side, stack);
	if (row == 0 || samples == 0)
		return;
	InlinedCosts *part = part_of(gathering, row - 1, stack_table_leaf(side->profile->table, stack));
	*(of_head ? &part->head_samples : &part->base_samples) += samples;
	for (guint r = 0; r < side->rounds; r++)
		(of_head ? part->head_cost : part->base_cost)[r] +=
		        (double)profile_cell(side->profile, r, stack).weight * side->scale[r];
}

GPtrArray *inlined_costs_new(const CostTable *costs, const GArray *rows)
{
	const StackTable *table = costs->base.profile->table;
	g_autoptr(GHashTable) index = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_autofree FrameId *physical = physical_frames(table);
	g_autofree guint *base_rows = rows_of_side(costs, rows, FALSE), *head_rows = rows_of_side(costs, rows, TRUE);
	g_autofree FrameId *function_of = functions_by_name(table);
	Gathering gathering = {
	        costs, {base_rows, head_rows}, function_of, index, g_ptr_array_new_with_free_func(inlined_costs_free)};
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		if (stack_table_leaf(table, (StackId){s}).index == physical[s].index)
			continue;
		gather(&gathering, (StackId){s}, physical[s], FALSE);
		gather(&gathering, (StackId){s}, physical[s], TRUE);
	}
	return gathering.parts;
}

static gboolean is_copy(const InlinedCosts *part, const FunctionRow *row)
{
	return part->function.index == row->head.index;
}

static void add_costs(double *sum, const double *costs, guint rounds)
{
	for (guint r = 0; r < rounds; r++)
		sum[r] += costs[r];
}

FunctionCopies *function_copies_new(const CostTable *costs, const GPtrArray *inlined, const FunctionRow *row)
{
	guint n_base = costs->base.rounds, n_head = costs->head.rounds;
	g_autoptr(FunctionCopies) copies = g_new0(FunctionCopies, 1);
	copies->base = g_memdup2(row->base_cost, n_base * sizeof(double));
	copies->head = g_memdup2(row->head_cost, n_head * sizeof(double));
	gboolean found = FALSE;
	for (guint i = 0; i < inlined->len; i++) {
		const InlinedCosts *part = inlined->pdata[i];
		if (!is_copy(part, row))
			continue;
		add_costs(copies->base, part->base_cost, n_base);
		add_costs(copies->head, part->head_cost, n_head);
		found = TRUE;
	}
	return found ? g_steal_pointer(&copies) : NULL;
}

/* Only groups that fell can have given cost to the function that was outlined; a group that has several copies of it
 * gives once. */
void function_copies_spend(CostGroups *groups, const GArray *rows, const GPtrArray *inlined, guint flagged)
{
	const FunctionRow *row = &g_array_index(rows, FunctionRow, flagged);
	CostGroup *own = cost_groups_at(groups, flagged);
	g_autoptr(GPtrArray) donors = g_ptr_array_new();
	for (guint i = 0; i < inlined->len; i++) {
		const InlinedCosts *part = inlined->pdata[i];
		CostGroup *group = is_copy(part, row) ? cost_groups_at(groups, part->row) : own;
		if (group != own && group->mean < 0 && !g_ptr_array_find(donors, group, NULL))
			g_ptr_array_add(donors, group);
	}
	guint taken = 0;
	cost_groups_sort(donors);
	cost_groups_merge(groups, flagged, cost_groups_sum(groups, flagged, donors, &taken));
}

void function_copies_free(FunctionCopies *copies)
{
	if (copies == NULL)
		return;
	g_free(copies->base);
	g_free(copies->head);
	g_free(copies);
}

void inlined_part_add(FunctionComparison *function, InlinedPart *part)
{
	if (function->inlined == NULL)
		function->inlined = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(function->inlined, part);
}

static FunctionPlace place_of(const CodeFacts *code, FrameId frame)
{
	const CodePlace *place = code_facts_place(code, LINES_OF_HEAD, frame);
	if (place == NULL || place->file.index == 0)
		place = code_facts_place(code, LINES_OF_BASE, frame);
	return place != NULL ? (FunctionPlace){place->file, place->first_line, place->origin} : (FunctionPlace){0};
}

static gint compare_parts(gconstpointer a, gconstpointer b, gpointer data)
{
	const StackTable *table = data;
	const InlinedPart *x = *(InlinedPart *const *)a, *y = *(InlinedPart *const *)b;
	double p = fabs(x->contribution), q = fabs(y->contribution);
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(stack_table_frame_name(table, x->frame), stack_table_frame_name(table, y->frame));
}

static void choose_parts(const InlinedChoice *choice, FunctionComparison *function)
{
	for (guint i = function->inlined->len; i-- > 0;) {
		InlinedPart *part = function->inlined->pdata[i];
		part->relation = choice->relations[part->frame.index];
		part->place = place_of(choice->code, part->frame);
		if (part->relation != CHANGE_TOUCHED && fabs(part->contribution) < choice->least)
			g_ptr_array_remove_index(function->inlined, i);
	}
	if (function->inlined->len == 0)
		g_clear_pointer(&function->inlined, g_ptr_array_unref);
	else
		g_ptr_array_sort_with_data(function->inlined, compare_parts, (gpointer)choice->table);
}

void inlined_parts_choose(const InlinedChoice *choice, GPtrArray *functions)
{
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *function = functions->pdata[i];
		if (function->inlined != NULL)
			choose_parts(choice, function);
	}
}
