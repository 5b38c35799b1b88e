/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/attribution.h"

#include <math.h>
#include <string.h>

#include "compare/comparison/culprit.h"
#include "compare/comparison/sentence.h"
#include "compare/functions/callgraph.h"
#include "compare/functions/inlinedparts.h"
#include "compare/functions/relations.h"

#define DONOR_ALPHA .05
#define EXPLAINED_REST .25 /* a shift leaves at most this share of the rise unexplained */
#define EXPLAINED_SEEN .5  /* falls of neighbours make up for at least this share when the total speaks for the rest */
#define MAIN_PART .5       /* share of a regression of the total from which on a function is what explains it */
#define MOVED .25          /* of a fall: the least rise that a reader is told it went to */

typedef struct {
	const FunctionFamily *family;
	const AttributionInput *input;
	RelationInput change;
	gboolean same_program; /* nothing that the change may have altered was seen to run */
	GPtrArray *functions;  /* of FunctionComparison, in row order */
	CostGroups *groups;
	GPtrArray *inlined; /* of InlinedCosts */
} Attribution;

static CostGroups *groups_of_rows(const FunctionFamily *family, const GPtrArray *functions)
{
	guint rounds = family->costs->rounds;
	CostGroups *groups = cost_groups_new(rounds);
	g_autofree double *difference = g_new(double, rounds);
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		for (guint r = 0; r < rounds; r++)
			difference[r] = function_row_difference(&g_array_index(family->rows, FunctionRow, i), r);
		cost_groups_add(groups, difference, f->head_cost - f->base_cost);
	}
	return groups;
}

gboolean attribution_passes_floors(const FunctionComparison *function, const FunctionPolicy *policy)
{
	gboolean large = function->base_cost <= 0 || function->change_ratio >= 1 + policy->floor_relative;
	return function->contribution >= policy->floor_contribution && large;
}

/* The p-values of a function that was not tested are NaN, and no comparison with NaN is true. */
static gboolean is_regression(const FunctionComparison *f, const FunctionPolicy *policy)
{
	return f->p_adjusted <= policy->report_alpha && attribution_passes_floors(f, policy);
}

/* A function that is most of a program can raise its total without growing by much of itself. */
static gboolean explains_total(const AttributionInput *input, const FunctionComparison *f)
{
	double floor = input->policy->floor_contribution;
	gboolean rose = input->total_failed || (f->relation == CHANGE_TOUCHED && input->total_lower >= floor);
	return rose && f->code != CODE_SAME && f->p_adjusted <= input->policy->report_alpha &&
	       f->contribution >= MAX(floor, MAIN_PART * input->total_change);
}

static gboolean is_dearer(const AttributionInput *input, const FunctionComparison *f)
{
	return is_regression(f, input->policy) || explains_total(input, f);
}

static gboolean is_improvement(const FunctionComparison *f, const FunctionPolicy *policy)
{
	return f->p_adjusted_improvement <= policy->report_alpha && f->contribution <= -policy->floor_contribution &&
	       f->change_ratio <= 1 - policy->floor_relative;
}

static FunctionClass plain_class(const Attribution *attribution, guint i)
{
	const CostTable *costs = attribution->family->costs;
	const FunctionComparison *f = attribution->functions->pdata[i];
	if (!f->tested)
		return FUNCTION_UNCHANGED;
	if (!costs->base.present[f->renamed_from.index])
		return FUNCTION_NEW;
	if (!costs->head.present[f->frame.index])
		return FUNCTION_REMOVED;
	if (is_dearer(attribution->input, f))
		return FUNCTION_REGRESSION;
	if (is_improvement(f, attribution->input->policy))
		return FUNCTION_IMPROVEMENT;
	return function_comparison_is_renamed(f) ? FUNCTION_RENAMED : FUNCTION_UNCHANGED;
}

/* TRUE if a function fell, so that it may explain the rise of a neighbour. */
static gboolean has_fallen(const FunctionComparison *f)
{
	return f->contribution < 0 && f->p_value_improvement < DONOR_ALPHA;
}

static gboolean is_near(
        const Attribution *attribution, const FunctionComparison *f, const FunctionRow *row, const gboolean *near)
{
	const StackTable *table = attribution->family->costs->base.profile->table;
	return near[f->frame.index] || near[f->renamed_from.index] ||
	       callgraph_is_related(table, row->head, f->frame) ||
	       callgraph_is_related(table, row->base, f->renamed_from);
}

/* The groups that may explain row `flagged`, largest fall first. Borrowed elements. */
static GPtrArray *find_donors(const Attribution *attribution, guint flagged)
{
	const FunctionFamily *family = attribution->family;
	const FunctionRow *row = &g_array_index(family->rows, FunctionRow, flagged);
	g_autofree gboolean *near = callgraph_neighbours(family->costs, row);
	GPtrArray *donors = g_ptr_array_new();
	for (guint i = 0; i < attribution->functions->len; i++) {
		const FunctionComparison *f = attribution->functions->pdata[i];
		CostGroup *group = cost_groups_at(attribution->groups, i);
		if (has_fallen(f) && group->mean < 0 && is_near(attribution, f, row, near) &&
		        !g_ptr_array_find(donors, group, NULL))
			g_ptr_array_add(donors, group);
	}
	cost_groups_sort(donors);
	return donors;
}

static SeriesBounds ancestor_bounds(const Attribution *attribution, const CostGroup *group)
{
	const FunctionFamily *family = attribution->family;
	g_autofree gboolean *members = g_new0(gboolean, family->costs->n_frames);
	g_autofree double *difference = g_new0(double, family->costs->rounds);
	for (guint i = 0; i < group->rows->len; i++) {
		guint row = g_array_index(group->rows, guint, i);
		const FunctionComparison *f = attribution->functions->pdata[row];
		members[f->frame.index] = members[f->renamed_from.index] = TRUE;
	}
	callgraph_common_ancestor(family->costs, members, difference);
	return series_bounds(difference, family->costs->rounds);
}

/* TRUE if the sum over `group`, in which a function rose by `rise`, is no regression. */
static gboolean is_shift(const Attribution *attribution, const CostGroup *group, double rise)
{
	const FunctionFamily *family = attribution->family;
	double floor_cost = attribution->input->policy->floor_contribution * family->costs->base_total;
	SeriesBounds sum = series_bounds(group->difference, family->costs->rounds);
	if (sum.upper < floor_cost)
		return TRUE;
	double total_upper_cost = attribution->input->total_upper * family->costs->base_total;
	gboolean total_is_steady = total_upper_cost < MAX(floor_cost, EXPLAINED_REST * rise);
	if (sum.lower < floor_cost && sum.upper < EXPLAINED_REST * rise)
		return TRUE;
	if (sum.lower < floor_cost && total_is_steady && group->mean <= (1 - EXPLAINED_SEEN) * rise)
		return TRUE;
	return ancestor_bounds(attribution, group).upper < floor_cost;
}

/* The first function of a group that fell; a group whose sum fell has one. */
static FunctionComparison *fallen_member(const GPtrArray *functions, const CostGroup *group)
{
	const guint *row = (const guint *)group->rows->data;
	while (((const FunctionComparison *)functions->pdata[*row])->contribution >= 0)
		row++;
	return functions->pdata[*row];
}

void attribution_note_shift(const StackTable *table, FunctionComparison *f, const AttributionDonors *donors)
{
	FunctionComparison *donor = fallen_member(donors->functions, donors->largest);
	g_autofree char *more = donors->n > 1 ? g_strdup_printf(" and %u more", donors->n - 1) : g_strdup("");
	function_comparison_add_note(
	        f, g_strdup_printf(MOVED_FROM "%s%s", stack_table_frame_name(table, donor->frame), more));
	if (donor->note == NULL && f->contribution >= MOVED * -donor->contribution)
		donor->note = g_strdup_printf("cost moved to %s", stack_table_frame_name(table, f->frame));
}

/* Tries to explain the rise of row `flagged` by falls of its neighbours. */
static gboolean find_shift(Attribution *attribution, guint flagged)
{
	FunctionComparison *f = attribution->functions->pdata[flagged];
	g_autoptr(GPtrArray) donors = find_donors(attribution, flagged);
	guint taken = 0;
	g_autoptr(CostGroup) sum = cost_groups_sum(attribution->groups, flagged, donors, &taken);
	if (taken == 0 || !is_shift(attribution, sum, f->head_cost - f->base_cost))
		return FALSE;
	const AttributionDonors gave = {attribution->functions, donors->pdata[0], taken};
	attribution_note_shift(attribution->family->costs->base.profile->table, f, &gave);
	cost_groups_merge(attribution->groups, flagged, g_steal_pointer(&sum));
	return TRUE;
}

/* TRUE if the rise of a row is that copies of its function are inlined no more: with them, it did not rise. */
static gboolean is_outlined(const Attribution *attribution, guint flagged)
{
	const FunctionFamily *family = attribution->family;
	FunctionComparison *f = attribution->functions->pdata[flagged];
	g_autoptr(FunctionCopies) copies = function_copies_new(
	        family->costs, attribution->inlined, &g_array_index(family->rows, FunctionRow, flagged));
	if (copies == NULL)
		return FALSE;
	guint rounds = family->costs->rounds;
	for (guint r = 0; r < rounds; r++)
		copies->head[r] -= copies->base[r];
	SeriesBounds sum = series_bounds(copies->head, rounds);
	double floor_cost = attribution->input->policy->floor_contribution * family->costs->base_total;
	double rest = EXPLAINED_REST * (f->head_cost - f->base_cost);
	if (!(sum.lower < floor_cost && sum.upper < MAX(floor_cost, rest)))
		return FALSE;
	function_copies_spend(attribution->groups, family->rows, attribution->inlined, flagged);
	function_comparison_add_note(f, g_strdup(ATTRIBUTION_OUTLINED));
	return TRUE;
}

/* --- code and change --- */

/* A renamed function has its code on base's side under the one name, on head's under the other. */
static CodeIdentity code_identity(const CodeFacts *code, const FunctionComparison *f)
{
	if (!function_comparison_is_renamed(f))
		return code_facts_identity(code, f->frame);
	const CodePlace *base = code_facts_place(code, LINES_OF_BASE, f->renamed_from);
	const CodePlace *head = code_facts_place(code, LINES_OF_HEAD, f->frame);
	if (base == NULL || head == NULL || base->hash == 0 || head->hash == 0)
		return CODE_UNKNOWN;
	return base->hash == head->hash ? CODE_SAME : CODE_CHANGED;
}

static FunctionPlace place_on(const CodeFacts *code, LinesSide side, FrameId frame)
{
	const CodePlace *place = code_facts_place(code, side, frame);
	if (place == NULL)
		return (FunctionPlace){0};
	return (FunctionPlace){place->file, place->first_line, place->origin};
}

/* A reader has head before him, so what head has is named as it is there. */
static void find_places(const CodeFacts *code, FunctionComparison *f)
{
	f->base_place = place_on(code, LINES_OF_BASE, f->renamed_from);
	f->place = place_on(code, LINES_OF_HEAD, f->frame);
	if (f->place.file.index == 0)
		f->place = f->base_place;
}

/* Tells where the edited function is: `through` is the function itself where no other one caused it. Of a function in
 * head it is the first line that the change edits, since that is what a diff shows. */
static FunctionPlace edited_place(const RelationInput *change, const FunctionComparison *f)
{
	if (f->relation != CHANGE_TOUCHED && f->relation != CHANGE_CALLED_BY_TOUCHED)
		return (FunctionPlace){0};
	FunctionPlace place = place_on(change->code, LINES_OF_HEAD, f->through);
	guint32 edited = relation_edited_line(change, f->through);
	if (place.file.index != 0)
		return (FunctionPlace){place.file, edited != 0 ? edited : place.line, place.origin};
	return f->through.index == f->frame.index ? f->place : place_on(change->code, LINES_OF_BASE, f->through);
}

GArray *attribution_head_places(const CodeFacts *code)
{
	if (code == NULL)
		return NULL;
	GArray *places = g_array_sized_new(FALSE, TRUE, sizeof(FunctionPlace), code->n_frames);
	for (guint i = 0; i < code->n_frames; i++) {
		FunctionPlace place = place_on(code, LINES_OF_HEAD, (FrameId){i});
		g_array_append_val(places, place);
	}
	return places;
}

void attribution_relate(const RelationInput *change, GPtrArray *functions, double least_part)
{
	g_autofree FrameId *through = g_new0(FrameId, change->costs->n_frames);
	g_autofree ChangeRelation *relations = relations_find(change, through);
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *f = functions->pdata[i];
		gboolean is_stub = frame_is_stub(change->costs->base.profile->table, f->frame);
		f->code = is_stub ? CODE_SAME : code_identity(change->code, f);
		find_places(change->code, f);
		f->relation = relation_join(relations[f->renamed_from.index], relations[f->frame.index]);
		f->through = through[f->frame.index];
		f->edited_place = edited_place(change, f);
	}
	const InlinedChoice parts = {change->costs->base.profile->table, change->code, relations, least_part};
	inlined_parts_choose(&parts, functions);
}

static void relate_to_change(Attribution *attribution)
{
	attribution->change = (RelationInput){
	        .costs = attribution->family->costs,
	        .code = attribution->input->code,
	        .change = attribution->input->change,
	};
	double least_part = attribution->input->policy->floor_contribution;
	attribution_relate(&attribution->change, attribution->functions, least_part);
	attribution->same_program =
	        relations_same_program(&attribution->change, attribution->input->policy->floor_contribution);
}

/* TRUE if as many instructions ran, and none of the function's lines was edited: it did not do more. */
static gboolean has_same_work(const Attribution *attribution, const FunctionComparison *f)
{
	return attribution->input->instructions_steady && f->relation != CHANGE_TOUCHED;
}

/* TRUE if the rise of a flagged function is likely where its code lies in memory. */
static gboolean is_layout(const Attribution *attribution, const FunctionComparison *f)
{
	const AttributionInput *input = attribution->input;
	return f->code == CODE_SAME &&
	       (has_same_work(attribution, f) || (attribution->same_program && !input->total_failed));
}

gboolean attribution_is_consequence(const FunctionComparison *f)
{
	return f->code == CODE_SAME && f->relation != CHANGE_TOUCHED;
}

void attribution_excuse(GPtrArray *functions)
{
	gboolean has_cause = FALSE;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		has_cause = has_cause || (f->gates && !attribution_is_consequence(f));
	}
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *f = functions->pdata[i];
		f->excused = f->gates && has_cause && attribution_is_consequence(f);
		f->gates = f->gates && !f->excused;
	}
}

FunctionHold attribution_hold(const HoldInput *input, const FunctionComparison *f)
{
	if (f->code == CODE_SAME && !input->total_failed)
		return FUNCTION_HELD_BY_CODE;
	return input->total_holds && !input->strict ? FUNCTION_HELD_BY_TOTAL : FUNCTION_NOT_HELD;
}

FunctionHold attribution_hold_shift(const HoldInput *input, const FunctionComparison *f)
{
	gboolean told = f->relation == CHANGE_TOUCHED && f->code != CODE_SAME;
	return told && !input->total_failed ? FUNCTION_HELD_BY_TOTAL : FUNCTION_NOT_HELD;
}

/* Without counted instructions nobody knows whether the function did more, so the rise is told. */
static void suspect_layout(const Attribution *attribution, FunctionComparison *f, gboolean passes_test)
{
	gboolean same_work = has_same_work(attribution, f);
	f->klass = FUNCTION_LAYOUT_SUSPECT;
	f->held = passes_test && !same_work ? FUNCTION_HELD_BY_CODE : FUNCTION_NOT_HELD;
	function_comparison_add_note(
	        f, g_strdup(same_work ? "same code and as many instructions on both sides: layout"
	                              : "all code seen to run is the same on both sides: another build layout, or "
	                                "something other than code changed"));
}

static void judge_flagged(Attribution *attribution, guint i)
{
	const AttributionInput *input = attribution->input;
	FunctionComparison *f = attribution->functions->pdata[i];
	const HoldInput hold = {input->total_failed, input->total_holds, input->policy->strict};
	gboolean passes_test = input->policy->gates && !input->contaminated &&
	                       f->p_adjusted <= input->policy->gate_alpha &&
	                       attribution_passes_floors(f, input->policy);
	if (is_outlined(attribution, i) || find_shift(attribution, i)) {
		f->klass = FUNCTION_COST_SHIFT;
		f->held = passes_test ? attribution_hold_shift(&hold, f) : FUNCTION_NOT_HELD;
	} else if (is_layout(attribution, f)) {
		suspect_layout(attribution, f, passes_test);
	} else if (passes_test) {
		f->held = attribution_hold(&hold, f);
		f->gates = f->held == FUNCTION_NOT_HELD;
	} else if (f->relation == CHANGE_TOUCHED && !input->total_failed) {
		f->held = FUNCTION_HELD_BY_LEVEL;
	}
}

void attribution_settle_rename(FunctionComparison *f)
{
	gboolean differs = f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_IMPROVEMENT;
	if (function_comparison_is_renamed(f) && f->code == CODE_SAME && differs && !f->gates)
		f->klass = FUNCTION_RENAMED;
}

void attribution_note_edited(const RelationInput *change, FunctionComparison *f)
{
	const char *edited = relation_edited_file(change, f->frame);
	if (f->klass == FUNCTION_REGRESSION && f->relation == CHANGE_UNTOUCHED && edited != NULL)
		function_comparison_add_note(f, g_strdup_printf("the change edits other lines of %s", edited));
}

/* The words of a function, now that everything is known of it. */
static void describe(const Attribution *attribution, FunctionComparison *f)
{
	attribution_note_edited(&attribution->change, f);
	if (f->klass != FUNCTION_UNCHANGED && f->klass != FUNCTION_RENAMED)
		f->sentence = sentence_of_function(attribution->family->costs->base.profile->table, f);
	if (f->klass == FUNCTION_REGRESSION && attribution_is_consequence(f))
		function_comparison_add_note(
		        f, g_strdup("same code on both sides: called more often, or on other data"));
}

static gint compare_contributions(gconstpointer a, gconstpointer b, gpointer data)
{
	GPtrArray *functions = data;
	guint i = *(const guint *)a, j = *(const guint *)b;
	const FunctionComparison *x = functions->pdata[i], *y = functions->pdata[j];
	if (x->contribution != y->contribution)
		return x->contribution > y->contribution ? -1 : 1;
	return (i > j) - (i < j);
}

GArray *attribution_claims(GPtrArray *functions)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < functions->len; i++)
		g_array_append_val(order, i);
	g_array_sort_with_data(order, compare_contributions, functions);
	return order;
}

static void judge_all(Attribution *attribution)
{
	GPtrArray *functions = attribution->functions;
	/* The largest rise looks for its falls first: a fall that it took is in the sum of its group, and explains no
	 * other. */
	g_autoptr(GArray) order = attribution_claims(functions);
	for (guint j = 0; j < order->len; j++) {
		guint i = g_array_index(order, guint, j);
		if (is_dearer(attribution->input, functions->pdata[i]))
			judge_flagged(attribution, i);
	}
	attribution_excuse(functions);
}

void attribution_classify(const FunctionFamily *family, const AttributionInput *input, GPtrArray *functions)
{
	const StackTable *table = family->costs->base.profile->table;
	Attribution attribution = {.family = family, .input = input, .functions = functions};
	attribution.groups = groups_of_rows(family, functions);
	attribution.inlined = inlined_costs_new(family->costs, family->rows);
	relate_to_change(&attribution);
	for (guint i = 0; i < functions->len; i++) {
		FunctionComparison *f = functions->pdata[i];
		f->klass = plain_class(&attribution, i);
		if (function_comparison_is_renamed(f))
			function_comparison_add_note(
			        f, g_strdup_printf("renamed from %s", stack_table_frame_name(table, f->renamed_from)));
	}
	judge_all(&attribution);
	for (guint i = 0; i < functions->len; i++) {
		attribution_settle_rename(functions->pdata[i]);
		describe(&attribution, functions->pdata[i]);
	}
	cost_groups_free(attribution.groups);
	g_ptr_array_unref(attribution.inlined);
}

static gint compare_magnitude(gconstpointer a, gconstpointer b, gpointer data)
{
	const StackTable *table = data;
	const FunctionComparison *x = *(FunctionComparison *const *)a, *y = *(FunctionComparison *const *)b;
	double p = fabs(x->contribution), q = fabs(y->contribution);
	if (p != q)
		return p > q ? -1 : 1;
	/* Numbers of frames depend on the order in which samples came, so they decide no order that a reader sees. */
	int by_name = strcmp(stack_table_frame_name(table, x->frame), stack_table_frame_name(table, y->frame));
	if (by_name != 0)
		return by_name;
	return strcmp(stack_table_frame_module(table, x->frame), stack_table_frame_module(table, y->frame));
}

void attribution_sort(const StackTable *table, GPtrArray *functions)
{
	g_ptr_array_sort_with_data(functions, compare_magnitude, (gpointer)table);
}
