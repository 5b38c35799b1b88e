/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedfunctions.h"

#include <math.h>
#include <string.h>

#include "compare/comparison/filelabels.h"
#include "compare/comparison/sentence.h"
#include "compare/counted/countedtotals.h"
#include "compare/functions/attribution.h"
#include "compare/functions/callgraph.h"
#include "compare/functions/inlinedparts.h"
#include "compare/statistics/order.h"

typedef struct {
	const CountedInput *input;
	CostTable *costs;
	GArray *rows;         /* of FunctionRow */
	GArray *ranges[2];    /* of CountedRange, per row, of either side */
	GPtrArray *functions; /* of FunctionComparison, in row order */
	CostGroups *groups;
	GPtrArray *inlined; /* of InlinedCosts */
	RelationInput change;
	double base_total;
	gboolean total_same; /* it changed by no more than the floor, either way, for certain */
	double chance;       /* what chance puts between the runs of a function that does not repeat, in cost */
} CountedFamily;

static const StackTable *table_of(const CountedFamily *family)
{
	return family->costs->base.profile->table;
}

/* The mean, and where all values agree that value to the last bit. */
static double counted_mean(const double *values, guint n)
{
	double sum = 0;
	for (guint i = 1; i < n; i++)
		sum += values[i] - values[0];
	return values[0] + sum / n;
}

/* --- rows --- */

static const CountedRange *range_of(const CountedFamily *family, guint side, guint row)
{
	return &g_array_index(family->ranges[side], CountedRange, row);
}

static void add_ranges(CountedFamily *family, const FunctionRow *row)
{
	CountedRange base = counted_range(row->base_cost, family->costs->base.rounds);
	CountedRange head = counted_range(row->head_cost, family->costs->head.rounds);
	g_array_append_val(family->ranges[0], base);
	g_array_append_val(family->ranges[1], head);
}

static FunctionComparison *report_row(const CountedFamily *family, guint i)
{
	const FunctionRow *row = &g_array_index(family->rows, FunctionRow, i);
	const CountedRange *base = range_of(family, 0, i), *head = range_of(family, 1, i);
	FunctionComparison *out = g_new0(FunctionComparison, 1);
	out->frame = row->head;
	out->renamed_from = row->base;
	out->base_cost = counted_mean(row->base_cost, base->runs);
	out->head_cost = counted_mean(row->head_cost, head->runs);
	out->contribution = (out->head_cost - out->base_cost) / family->base_total;
	out->contribution_lower = (head->lowest - base->highest) / family->base_total;
	out->contribution_upper = (head->highest - base->lowest) / family->base_total;
	out->repeats = counted_range_repeats(base) && counted_range_repeats(head);
	out->change_ratio = out->base_cost > 0 ? out->head_cost / out->base_cost : NAN;
	out->simultaneous_lower = out->simultaneous_upper = NAN;
	out->share_of_change = out->share_lower = out->share_upper = NAN;
	out->p_value = out->p_value_improvement = out->p_adjusted = out->p_adjusted_improvement = NAN;
	out->mde_ratio = out->repeats ? 0 : NAN;
	return out;
}

static InlinedPart *report_part(const CountedFamily *family, const InlinedCosts *inlined)
{
	CountedRange base = counted_range(inlined->base_cost, family->costs->base.rounds);
	CountedRange head = counted_range(inlined->head_cost, family->costs->head.rounds);
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = inlined->frame;
	part->base_cost = counted_mean(inlined->base_cost, base.runs);
	part->head_cost = counted_mean(inlined->head_cost, head.runs);
	part->contribution = (part->head_cost - part->base_cost) / family->base_total;
	part->contribution_lower = (head.lowest - base.highest) / family->base_total;
	part->contribution_upper = (head.highest - base.lowest) / family->base_total;
	return part;
}

static void report_parts(const CountedFamily *family)
{
	const GPtrArray *parts = family->inlined;
	for (guint i = 0; i < parts->len; i++) {
		const InlinedCosts *inlined = parts->pdata[i];
		inlined_part_add(family->functions->pdata[inlined->row], report_part(family, inlined));
	}
}

static double change_of(const CountedFamily *family, const double *base, const double *head)
{
	double from = counted_mean(base, family->costs->base.rounds),
	       to = counted_mean(head, family->costs->head.rounds);
	return (to - from) / family->base_total;
}

static void report_rows(CountedFamily *family, BenchmarkComparison *comparison)
{
	const CostTable *costs = family->costs;
	for (guint i = 0; i < family->rows->len; i++) {
		add_ranges(family, &g_array_index(family->rows, FunctionRow, i));
		FunctionComparison *f = report_row(family, i);
		g_ptr_array_add(comparison->functions, f);
		cost_groups_add(family->groups, NULL, f->head_cost - f->base_cost);
	}
	report_parts(family);
	CountedRange base = counted_range(costs->base.total, costs->base.rounds);
	CountedRange head = counted_range(costs->head.total, costs->head.rounds);
	double most = COUNTED_FLOOR * family->base_total;
	family->total_same = head.highest - base.lowest <= most && base.highest - head.lowest <= most;
	comparison->total_change = change_of(family, costs->base.total, costs->head.total);
	comparison->unknown_contribution = change_of(family, costs->base.no_function, costs->head.no_function);
}

/* --- what does not repeat --- */

static void add_unstable(GArray *unstable, FrameId frame, guint side, const CountedRange *range)
{
	UnstableFunction found = {frame, side, range->lowest, range->highest};
	if (!counted_range_repeats(range))
		g_array_append_val(unstable, found);
}

static gint compare_unstable(gconstpointer a, gconstpointer b, gpointer data)
{
	/* Names decide where sizes are equal: numbers of frames depend on the order in which dumps were read. */
	const StackTable *table = data;
	const UnstableFunction *x = a, *y = b;
	double p = x->highest - x->lowest, q = y->highest - y->lowest;
	if (p != q)
		return p > q ? -1 : 1;
	int by_name = strcmp(stack_table_frame_name(table, x->frame), stack_table_frame_name(table, y->frame));
	if (by_name != 0)
		return by_name;
	int by_module = strcmp(stack_table_frame_module(table, x->frame), stack_table_frame_module(table, y->frame));
	return by_module != 0 ? by_module : (gint)x->side - (gint)y->side;
}

static GArray *find_unstable(const CountedFamily *family)
{
	GArray *unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
	for (guint i = 0; i < family->rows->len; i++) {
		const FunctionRow *row = &g_array_index(family->rows, FunctionRow, i);
		add_unstable(unstable, row->base, 0, range_of(family, 0, i));
		add_unstable(unstable, row->head, 1, range_of(family, 1, i));
	}
	g_array_sort_with_data(unstable, compare_unstable, (gpointer)table_of(family));
	return unstable;
}

/* The distance between the lower n and the upper m of the runs of both sides. */
static double middle_gap(const FunctionRow *row, guint n, guint m)
{
	g_autoptr(GArray) runs = g_array_sized_new(FALSE, FALSE, sizeof(double), n + m);
	g_array_append_vals(runs, row->base_cost, n);
	g_array_append_vals(runs, row->head_cost, m);
	g_array_sort(runs, order_compare);
	return g_array_index(runs, double, n) - g_array_index(runs, double, n - 1);
}

/* A function whose sides overlap shows no change, so whatever lies between its lower and its upper runs is chance. */
static double largest_chance(const CountedFamily *family)
{
	double largest = 0;
	for (guint i = 0; i < family->rows->len; i++) {
		const FunctionComparison *f = family->functions->pdata[i];
		gboolean told_apart = f->contribution_lower > 0 || f->contribution_upper < 0;
		if (f->repeats || told_apart)
			continue;
		double gap = middle_gap(&g_array_index(family->rows, FunctionRow, i), family->costs->base.rounds,
		        family->costs->head.rounds);
		largest = MAX(largest, gap);
	}
	return largest;
}

/* --- classes --- */

static gboolean has_risen(const FunctionComparison *f)
{
	return f->contribution_lower > 0 && f->contribution >= COUNTED_FLOOR;
}

static gboolean has_fallen(const FunctionComparison *f)
{
	return f->contribution_upper < 0 && f->contribution <= -COUNTED_FLOOR;
}

static FunctionClass plain_class(const CountedFamily *family, const FunctionComparison *f)
{
	if (!has_risen(f) && !has_fallen(f))
		return function_comparison_is_renamed(f) ? FUNCTION_RENAMED : FUNCTION_UNCHANGED;
	if (!family->costs->base.present[f->renamed_from.index])
		return FUNCTION_NEW;
	if (!family->costs->head.present[f->frame.index])
		return FUNCTION_REMOVED;
	return has_risen(f) ? FUNCTION_REGRESSION : FUNCTION_IMPROVEMENT;
}

static gboolean is_one_sided(const CountedFamily *family, const FunctionComparison *f)
{
	return !family->costs->base.present[f->renamed_from.index] || !family->costs->head.present[f->frame.index];
}

/* TRUE if `other` may be the former name of `f`: of a base that is only stored, nothing but costs is known. */
static gboolean may_be_renamed(
        const CountedFamily *family, const FunctionComparison *f, const FunctionComparison *other)
{
	return family->input->stored_base && f->klass == FUNCTION_NEW && other->klass == FUNCTION_REMOVED;
}

/* TRUE if code may have moved between two functions, for want of anything nearer because one of them came or went and
 * they stand in one source file or have names of one stem. `near` marks the neighbours of `f`. */
static gboolean is_near(
        const CountedFamily *family, const FunctionComparison *f, const FunctionComparison *other, const gboolean *near)
{
	if (near[other->frame.index] || near[other->renamed_from.index] || may_be_renamed(family, f, other))
		return TRUE;
	return (is_one_sided(family, f) || is_one_sided(family, other)) &&
	       callgraph_is_related(table_of(family), f->frame, other->frame);
}

/* The groups that may explain the rise of a row, largest fall first: those around it, or any. Borrowed elements. */
static GPtrArray *find_donors(const CountedFamily *family, guint flagged, gboolean anywhere)
{
	const FunctionComparison *f = family->functions->pdata[flagged];
	g_autofree gboolean *near =
	        callgraph_neighbours(family->costs, &g_array_index(family->rows, FunctionRow, flagged));
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GPtrArray *donors = g_ptr_array_new();
	for (guint i = 0; i < family->functions->len; i++) {
		const FunctionComparison *other = family->functions->pdata[i];
		CostGroup *group = cost_groups_at(family->groups, i);
		if (other->contribution_upper < 0 && group->mean < 0 && (anywhere || is_near(family, f, other, near)) &&
		        g_hash_table_add(seen, group))
			g_ptr_array_add(donors, group);
	}
	cost_groups_sort(donors);
	return donors;
}

/* The rise of the inclusive cost of the function that is above all of a group; infinite if there is none. */
static double ancestor_rise(const CountedFamily *family, const CostGroup *group)
{
	const CostTable *costs = family->costs;
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	for (guint i = 0; i < group->rows->len; i++) {
		const FunctionComparison *f = family->functions->pdata[g_array_index(group->rows, guint, i)];
		members[f->frame.index] = members[f->renamed_from.index] = TRUE;
	}
	StackId ancestor = callgraph_ancestor(costs, members);
	if (ancestor.index == 0 || !frame_is_function(table_of(family), stack_table_leaf(table_of(family), ancestor)))
		return INFINITY;
	g_autofree double *base = g_new(double, costs->base.rounds);
	g_autofree double *head = g_new(double, costs->head.rounds);
	callgraph_inclusive(&costs->base, ancestor, base);
	callgraph_inclusive(&costs->head, ancestor, head);
	return counted_mean(head, costs->head.rounds) - counted_mean(base, costs->base.rounds);
}

/* TRUE if the sum over `group`, in which a function rose by `rise`, is no regression. Of falls that have nothing else
 * to do with it, the common ancestor tells nothing. */
static gboolean is_shift(const CountedFamily *family, const CostGroup *group, double rise, gboolean anywhere)
{
	if (group->mean <= COUNTED_SHIFT_REST * rise)
		return TRUE;
	return !anywhere && group->mean <= (1 - COUNTED_SHIFT_SEEN) * rise &&
	       ancestor_rise(family, group) <= COUNTED_FLOOR * family->base_total;
}

/* Looks for the falls that make up for a rise among its neighbours, or anywhere. */
static gboolean find_shift(CountedFamily *family, guint flagged, gboolean anywhere)
{
	FunctionComparison *f = family->functions->pdata[flagged];
	g_autoptr(GPtrArray) donors = find_donors(family, flagged, anywhere);
	guint taken = 0;
	g_autoptr(CostGroup) sum = cost_groups_sum(family->groups, flagged, donors, &taken);
	if (taken == 0 || !is_shift(family, sum, f->head_cost - f->base_cost, anywhere))
		return FALSE;
	const AttributionDonors gave = {family->functions, donors->pdata[0], taken};
	attribution_note_shift(table_of(family), f, &gave);
	if (anywhere)
		function_comparison_add_note(f, g_strdup("the total did not change"));
	cost_groups_merge(family->groups, flagged, g_steal_pointer(&sum));
	return TRUE;
}

/* TRUE if the rise of a row is that copies of its function are inlined no more: with them, hardly anything remains. */
static gboolean is_outlined(const CountedFamily *family, guint flagged)
{
	FunctionComparison *f = family->functions->pdata[flagged];
	const CostTable *costs = family->costs;
	g_autoptr(FunctionCopies) copies =
	        function_copies_new(costs, family->inlined, &g_array_index(family->rows, FunctionRow, flagged));
	if (copies == NULL)
		return FALSE;
	double rest = counted_mean(copies->head, costs->head.rounds) - counted_mean(copies->base, costs->base.rounds);
	if (rest > COUNTED_SHIFT_REST * (f->head_cost - f->base_cost))
		return FALSE;
	function_copies_spend(family->groups, family->rows, family->inlined, flagged);
	function_comparison_add_note(f, g_strdup(ATTRIBUTION_OUTLINED));
	return TRUE;
}

/* --- gates --- */

static gboolean is_costly(const CountedFunctions *functions, const FunctionComparison *f)
{
	return counted_is_beyond(1 + f->contribution_lower, functions->margin);
}

/* TRUE if it rose beyond the margin for certain, or by more than chance makes of all counts that do not repeat. */
static gboolean is_certain(const CountedFamily *family, const CountedFunctions *functions, const FunctionComparison *f)
{
	return f->repeats || (f->contribution_lower - functions->margin) * family->base_total > family->chance;
}

static void judge_flagged(CountedFamily *family, CountedFunctions *functions, guint i)
{
	FunctionComparison *f = family->functions->pdata[i];
	if (is_outlined(family, i) || find_shift(family, i, FALSE) ||
	        (family->total_same && find_shift(family, i, TRUE))) {
		f->klass = FUNCTION_COST_SHIFT;
		f->held = is_costly(functions, f) ? attribution_hold_shift(&functions->hold, f) : FUNCTION_NOT_HELD;
		return;
	}
	if (!is_costly(functions, f))
		return;
	FunctionHold hold = attribution_hold(&functions->hold, f);
	if (f->repeats || counted_enough_runs(range_of(family, 0, i), range_of(family, 1, i))) {
		gboolean certain = is_certain(family, functions, f);
		f->held = certain ? hold : FUNCTION_NOT_HELD;
		f->gates = certain && hold == FUNCTION_NOT_HELD;
	} else if (hold == FUNCTION_NOT_HELD && functions->open == NULL) {
		functions->open = f;
	}
}

static void judge_all(CountedFamily *family, CountedFunctions *functions)
{
	g_autoptr(GArray) order = attribution_claims(family->functions);
	for (guint j = 0; j < order->len; j++) {
		guint i = g_array_index(order, guint, j);
		const FunctionComparison *f = family->functions->pdata[i];
		if (f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_NEW)
			judge_flagged(family, functions, i);
	}
	attribution_excuse(family->functions);
}

/* --- words --- */

static void describe(const CountedFamily *family, FunctionComparison *f)
{
	attribution_note_edited(&family->change, f);
	if (f->contribution != 0 && code_facts_is_outside(family->input->code, f->frame))
		function_comparison_add_note(f, g_strdup("outside of the checkout, so not edited"));
	if (f->klass != FUNCTION_UNCHANGED && f->klass != FUNCTION_RENAMED)
		f->sentence = sentence_of_counted_function(table_of(family), f);
}

static void classify(CountedFamily *family, CountedFunctions *functions)
{
	attribution_relate(&family->change, family->functions, COUNTED_FLOOR);
	for (guint i = 0; i < family->functions->len; i++) {
		FunctionComparison *f = family->functions->pdata[i];
		f->klass = plain_class(family, f);
		if (function_comparison_is_renamed(f))
			function_comparison_add_note(
			        f, g_strdup_printf("renamed from %s",
			                   stack_table_frame_name(table_of(family), f->renamed_from)));
	}
	judge_all(family, functions);
	for (guint i = 0; i < family->functions->len; i++) {
		attribution_settle_rename(family->functions->pdata[i]);
		describe(family, family->functions->pdata[i]);
	}
}

/* --- the whole --- */

static void family_init(CountedFamily *family, const CountedInput *input, GPtrArray *functions)
{
	family->input = input;
	family->costs = cost_table_new_counted(input->base, input->head);
	family->rows = function_rows_new(family->costs, input->code);
	for (guint side = 0; side < 2; side++)
		family->ranges[side] = g_array_new(FALSE, FALSE, sizeof(CountedRange));
	family->functions = functions;
	family->groups = cost_groups_new(0);
	family->inlined = inlined_costs_new(family->costs, family->rows);
	family->change = (RelationInput){.costs = family->costs, .code = input->code, .change = input->change};
	family->base_total = counted_mean(family->costs->base.total, family->costs->base.rounds);
}

static void family_clear(CountedFamily *family)
{
	cost_groups_free(family->groups);
	g_ptr_array_unref(family->inlined);
	for (guint side = 0; side < 2; side++)
		g_array_unref(family->ranges[side]);
	g_array_unref(family->rows);
	cost_table_free(family->costs);
}

void counted_functions_compare(const CountedInput *input, CountedFunctions *functions, BenchmarkComparison *comparison)
{
	CountedFamily family = {0};
	family_init(&family, input, comparison->functions);
	functions->open = NULL;
	comparison->table = stack_table_ref(input->base->profile->table);
	comparison->head_places = attribution_head_places(input->code);
	report_rows(&family, comparison);
	family.chance = largest_chance(&family);
	comparison->unstable = find_unstable(&family);
	classify(&family, functions);
	attribution_sort(table_of(&family), comparison->functions);
	file_labels_set(comparison, comparison->table);
	family_clear(&family);
}
