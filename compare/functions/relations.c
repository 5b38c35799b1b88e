/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/relations.h"

#include "compare/comparison/culprit.h"

#define MOSTLY .5 /* of a rise: what it is called by explains it */

static const StackTable *table_of(const RelationInput *input)
{
	return input->costs->base.profile->table;
}

static gboolean is_on_side(const RelationInput *input, guint side, guint frame)
{
	const SideCosts *costs = side == LINES_OF_BASE ? &input->costs->base : &input->costs->head;
	return costs->present[frame];
}

/* The path of a place, or NULL. */
static const char *path_of(const RelationInput *input, const CodePlace *place)
{
	return place != NULL && place->file.index != 0 ? stack_table_text(table_of(input), place->file) : NULL;
}

/* A file that the build made may come out otherwise without being mentioned by the change. */
static gboolean is_made(const CodePlace *place)
{
	return place != NULL && place->origin == SOURCE_MADE;
}

/* Tells the relation by the lines of one side. */
static ChangeRelation relation_on_side(const RelationInput *input, LinesSide side, guint frame)
{
	const CodePlace *place = code_facts_place(input->code, side, (FrameId){frame});
	const char *path = path_of(input, place);
	if (path == NULL || is_made(place))
		return CHANGE_UNKNOWN;
	if (!line_changes_mention(input->change, side, path))
		return CHANGE_UNTOUCHED;
	guint32 first = place->first_line, last = place->last_line;
	if (first != 0 && line_changes_touch(input->change, side, path, first, MAX(first, last)))
		return CHANGE_TOUCHED;
	if (first != 0 && last != 0)
		return CHANGE_UNTOUCHED;
	LinesSide other = side == LINES_OF_BASE ? LINES_OF_HEAD : LINES_OF_BASE;
	return is_on_side(input, other, frame) ? CHANGE_UNKNOWN : CHANGE_TOUCHED;
}

/* TRUE for code that no source of the project stands for: the kernel's, and the stubs that a linker makes. */
static gboolean is_nobodys(const RelationInput *input, FrameId frame)
{
	return stack_table_get_frame(table_of(input), frame)->kind == FRAME_KERNEL ||
	       frame_is_stub(table_of(input), frame);
}

/* The relation of a frame by its own lines and code. */
static ChangeRelation own_relation(const RelationInput *input, guint frame)
{
	FrameId id = {frame};
	guint known = 0, missing = 0;
	if (is_nobodys(input, id) || line_changes_empty(input->change))
		return CHANGE_UNTOUCHED;
	for (guint side = 0; side < LINES_SIDES; side++) {
		ChangeRelation relation = relation_on_side(input, side, frame);
		if (relation == CHANGE_TOUCHED)
			return CHANGE_TOUCHED;
		known += relation == CHANGE_UNTOUCHED;
		missing += relation == CHANGE_UNKNOWN && is_on_side(input, side, frame);
	}
	if ((known > 0 && missing == 0) || code_facts_identity(input->code, id) == CODE_SAME)
		return CHANGE_UNTOUCHED;
	return CHANGE_UNKNOWN;
}

/* Code that is inlined is code of the function around it: where it is touched, so is that one. */
static void spread_inlined(const RelationInput *input, ChangeRelation *relations, FrameId *through)
{
	const StackTable *table = table_of(input);
	g_autofree FrameId *physical = physical_frames(table);
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		FrameId leaf = stack_table_leaf(table, (StackId){s}), host = physical[s];
		if (leaf.index == host.index || relations[leaf.index] != CHANGE_TOUCHED ||
		        relations[host.index] == CHANGE_TOUCHED)
			continue;
		relations[host.index] = CHANGE_TOUCHED;
		if (through != NULL)
			through[host.index] = leaf;
	}
}

/* Says of every frame above a touched one that it calls such code: a parent has a smaller id than its children, so one
 * pass hands the news up to the roots. */
static void spread_upward(const StackTable *table, ChangeRelation *relations, guint n_frames)
{
	guint n = stack_table_n_stacks(table);
	g_autofree gboolean *below = g_new0(gboolean, n);
	g_autofree gboolean *calls = g_new0(gboolean, n_frames);
	for (guint s = n - 1; s > 0; s--) {
		guint frame = stack_table_leaf(table, (StackId){s}).index;
		guint parent = stack_table_parent(table, (StackId){s}).index;
		calls[frame] = calls[frame] || below[s];
		below[parent] = below[parent] || below[s] || relations[frame] == CHANGE_TOUCHED;
	}
	for (guint f = 0; f < n_frames; f++)
		if (calls[f] && relations[f] != CHANGE_TOUCHED)
			relations[f] = CHANGE_CALLS_TOUCHED;
}

/* The rise of the own cost of a frame. */
typedef struct {
	double all, below; /* on all stacks, on those with a touched function above */
	double most;       /* on one of the latter */
	FrameId through;   /* the nearest touched function above it on that one */
} CalledRise;

static double stack_cost(const SideCosts *side, guint stack)
{
	double sum = 0;
	for (guint r = 0; r < side->rounds; r++)
		sum += side->scale[r] * (double)profile_cell(side->profile, r, (StackId){stack}).weight;
	return side->rounds > 0 ? sum / side->rounds : 0;
}

static void add_rise(CalledRise *rise, double cost, const FrameId *touched)
{
	rise->all += cost;
	if (touched == NULL)
		return;
	rise->below += cost;
	if (cost > rise->most) {
		rise->most = cost;
		rise->through = *touched;
	}
}

/* The nearest touched frame above each stack, from the roots down; G_MAXUINT where there is none. */
static FrameId *touched_above(const StackTable *table, const ChangeRelation *relations)
{
	guint n = stack_table_n_stacks(table);
	FrameId *above = g_new0(FrameId, n);
	above[0] = (FrameId){G_MAXUINT};
	for (guint s = 1; s < n; s++) {
		StackId parent = stack_table_parent(table, (StackId){s});
		above[s] = above[parent.index];
		if (parent.index == 0)
			continue;
		FrameId caller = stack_table_leaf(table, parent);
		if (relations[caller.index] == CHANGE_TOUCHED)
			above[s] = caller;
	}
	return above;
}

static CalledRise *find_rises(const RelationInput *input, const ChangeRelation *relations)
{
	const StackTable *table = table_of(input);
	g_autofree FrameId *above = touched_above(table, relations);
	g_autofree FrameId *physical = physical_frames(table);
	CalledRise *rises = g_new0(CalledRise, input->costs->n_frames);
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		guint leaf = physical[s].index;
		double rise = stack_cost(&input->costs->head, s) - stack_cost(&input->costs->base, s);
		if (relations[leaf] == CHANGE_UNTOUCHED)
			add_rise(&rises[leaf], rise, above[s].index != G_MAXUINT ? &above[s] : NULL);
	}
	return rises;
}

/* Says of untouched functions that touched ones call them where they became dearer. */
static void spread_downward(const RelationInput *input, ChangeRelation *relations, FrameId *through)
{
	g_autofree CalledRise *rises = find_rises(input, relations);
	for (guint f = 0; f < input->costs->n_frames; f++) {
		const CalledRise *rise = &rises[f];
		if (!(rise->all > 0) || rise->most <= 0 || rise->below < MOSTLY * rise->all)
			continue;
		relations[f] = CHANGE_CALLED_BY_TOUCHED;
		if (through != NULL)
			through[f] = rise->through;
	}
}

ChangeRelation *relations_find(const RelationInput *input, FrameId *through)
{
	guint n_frames = input->costs->n_frames;
	ChangeRelation *relations = g_new0(ChangeRelation, n_frames);
	if (input->code == NULL || input->change == NULL)
		return relations;
	for (guint f = 0; f < n_frames; f++)
		if (frame_is_function(table_of(input), (FrameId){f}))
			relations[f] = own_relation(input, f);
	for (guint f = 0; through != NULL && f < n_frames; f++)
		through[f] = (FrameId){f};
	spread_inlined(input, relations, through);
	spread_upward(table_of(input), relations, n_frames);
	spread_downward(input, relations, through);
	return relations;
}

ChangeRelation relation_join(ChangeRelation base, ChangeRelation head)
{
	static const ChangeRelation order[] = {
	        CHANGE_TOUCHED, CHANGE_CALLS_TOUCHED, CHANGE_UNKNOWN, CHANGE_CALLED_BY_TOUCHED};
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		if (base == order[i] || head == order[i])
			return order[i];
	return CHANGE_UNTOUCHED;
}

const char *relation_edited_file(const RelationInput *input, FrameId frame)
{
	for (guint side = 0; side < LINES_SIDES && input->change != NULL; side++) {
		const char *path = path_of(input, code_facts_place(input->code, side, frame));
		if (path != NULL && line_changes_mention(input->change, side, path))
			return path;
	}
	return NULL;
}

guint32 relation_edited_line(const RelationInput *input, FrameId frame)
{
	const CodePlace *place = code_facts_place(input->code, LINES_OF_HEAD, frame);
	const char *path = path_of(input, place);
	if (input->change == NULL || path == NULL || place->first_line == 0)
		return 0;
	guint32 first = place->first_line;
	return line_changes_first(input->change, LINES_OF_HEAD, path, first, MAX(first, place->last_line));
}

/* TRUE if the bytes of a function that runs on both sides are known to be the same. Those of an inlined one are part of
 * the function that it is inlined into. */
static gboolean has_same_code(const RelationInput *input, guint frame)
{
	CodeIdentity identity = code_facts_identity(input->code, (FrameId){frame});
	FrameKind kind = stack_table_get_frame(table_of(input), (FrameId){frame})->kind;
	if (is_nobodys(input, (FrameId){frame}))
		return TRUE;
	gboolean may_be_unknown =
	        kind == FRAME_INLINED || !input->costs->base.present[frame] || !input->costs->head.present[frame];
	return identity == CODE_SAME || (identity == CODE_UNKNOWN && may_be_unknown);
}

/* TRUE if the change is known to leave the source of a function alone: it stands in files that the change does not
 * mention, or belongs to nobody or to a library outside of the checkouts. */
static gboolean is_known_unedited(const RelationInput *input, guint frame)
{
	FrameId id = {frame};
	if (is_nobodys(input, id) || code_facts_is_outside(input->code, id))
		return TRUE;
	for (guint side = 0; side < LINES_SIDES; side++) {
		const CodePlace *place = code_facts_place(input->code, side, id);
		if (is_made(place) || (is_on_side(input, side, frame) && path_of(input, place) == NULL))
			return FALSE;
	}
	return relation_edited_file(input, id) == NULL;
}

gboolean relations_same_program(const RelationInput *input, double floor_share)
{
	const CostTable *costs = input->costs;
	if (input->code == NULL || input->change == NULL)
		return FALSE;
	for (guint f = 0; f < costs->n_frames; f++) {
		gboolean ran = costs->base.present[f] || costs->head.present[f];
		if (!ran || !frame_is_function(table_of(input), (FrameId){f}))
			continue;
		if (!has_same_code(input, f) || !is_known_unedited(input, f))
			return FALSE;
	}
	double unknown = MAX(mean_over_rounds(costs->base.no_function, costs->base.rounds),
	        mean_over_rounds(costs->head.no_function, costs->head.rounds));
	return unknown <= floor_share * costs->base_total;
}

/* The part of a side's cost that other code than base's may have, or that no code explains. */
static double other_cost(const RelationInput *input, const SideCosts *side, const gboolean *same)
{
	double other = mean_over_rounds(side->no_function, side->rounds);
	for (guint f = 0; f < input->costs->n_frames; f++)
		if (!same[f] && frame_is_function(table_of(input), (FrameId){f}))
			other += mean_over_rounds(side_costs_of(side, (FrameId){f}), side->rounds);
	return other;
}

/* The rise of the kernel and of cost that no sample saw: the code of the program does not explain that. */
static double outside_rise(const RelationInput *input)
{
	const SideCosts *base = &input->costs->base, *head = &input->costs->head;
	double rise = mean_over_rounds(head->unsampled, head->rounds) - mean_over_rounds(base->unsampled, base->rounds);
	rise = MAX(rise, 0);
	for (guint f = 0; f < input->costs->n_frames; f++)
		if (stack_table_get_frame(table_of(input), (FrameId){f})->kind == FRAME_KERNEL)
			rise += mean_over_rounds(side_costs_of(head, (FrameId){f}), head->rounds) -
			        mean_over_rounds(side_costs_of(base, (FrameId){f}), base->rounds);
	return rise;
}

gboolean relations_same_code_ran(const RelationInput *input, double floor_share)
{
	const CostTable *costs = input->costs;
	if (input->code == NULL || input->change == NULL)
		return FALSE;
	g_autofree ChangeRelation *relations = relations_find(input, NULL);
	g_autofree gboolean *same = g_new0(gboolean, costs->n_frames);
	for (guint f = 0; f < costs->n_frames; f++)
		same[f] = relations[f] != CHANGE_TOUCHED &&
		          (is_nobodys(input, (FrameId){f}) ||
		                  code_facts_identity(input->code, (FrameId){f}) == CODE_SAME);
	double floor = floor_share * costs->base_total;
	return other_cost(input, &costs->base, same) <= floor && other_cost(input, &costs->head, same) <= floor &&
	       outside_rise(input) <= floor;
}
