/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/renames.h"

#include <math.h>
#include <stdlib.h>

/* Puts the best first. */
typedef enum { SAME_CODE, SIMILAR_CODE, NEAR_LINES, SAME_CALLERS } RenameEvidence;

/* A function that only one side has. */
typedef struct {
	FrameId frame;
	double cost;         /* mean over the rounds */
	CodePlace code;      /* zeroes if not known */
	GHashTable *callers; /* frame index + 1 -> share of its inclusive samples (double *) */
} Candidate;

typedef struct {
	FrameId base, head;
	RenameEvidence evidence;
	guint line_distance; /* G_MAXUINT: not known, or far */
	double cost_distance;
} RenamePair;

static void candidate_clear(gpointer data)
{
	g_hash_table_unref(((Candidate *)data)->callers);
}

static gboolean is_one_sided(const SideCosts *here, const SideCosts *there, const StackTable *table, guint frame)
{
	return here->samples[frame] >= RENAME_MIN_SAMPLES && !there->present[frame] &&
	       frame_is_function(table, (FrameId){frame});
}

static Candidate candidate_new(const SideCosts *here, const CodePlace *code, FrameId frame)
{
	Candidate candidate = {
	        .frame = frame,
	        .cost = mean_over_rounds(side_costs_of(here, frame), here->rounds),
	        .callers = g_hash_table_new_full(NULL, NULL, NULL, g_free),
	};
	if (code != NULL)
		candidate.code = *code;
	return candidate;
}

/* The candidates of one side, and where each stands among them; G_MAXUINT for all other frames. */
typedef struct {
	GArray *all; /* of Candidate */
	guint *row_of;
} Candidates;

static void add_caller(Candidate *candidate, guint caller, double samples)
{
	gpointer key = GUINT_TO_POINTER(caller + 1);
	double *sum = g_hash_table_lookup(candidate->callers, key);
	if (sum == NULL) {
		sum = g_new0(double, 1);
		g_hash_table_insert(candidate->callers, key, sum);
	}
	*sum += samples;
}

static void to_shares(GHashTable *callers)
{
	GHashTableIter iter;
	gpointer value;
	double sum = 0;
	g_hash_table_iter_init(&iter, callers);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		sum += *(double *)value;
	g_hash_table_iter_init(&iter, callers);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		*(double *)value /= sum;
}

/* Samples on and below each stack, over the rounds compared. Owned by the caller. */
static double *inclusive_samples(const SideCosts *side)
{
	const StackTable *table = side->profile->table;
	guint n = stack_table_n_stacks(table);
	double *samples = g_new0(double, n);
	for (guint s = n - 1; s > 0; s--) {
		for (guint r = 0; r < side->rounds; r++)
			samples[s] += (double)profile_cell(side->profile, r, (StackId){s}).samples;
		samples[stack_table_parent(table, (StackId){s}).index] += samples[s];
	}
	return samples;
}

static void add_callers(const SideCosts *side, Candidates *candidates)
{
	const StackTable *table = side->profile->table;
	g_autofree double *samples = inclusive_samples(side);
	for (guint s = 1; s < stack_table_n_stacks(table); s++) {
		StackId parent = stack_table_parent(table, (StackId){s});
		guint row = candidates->row_of[stack_table_leaf(table, (StackId){s}).index];
		if (row != G_MAXUINT && parent.index != 0 && samples[s] > 0)
			add_caller(&g_array_index(candidates->all, Candidate, row),
			        stack_table_leaf(table, parent).index, samples[s]);
	}
	for (guint i = 0; i < candidates->all->len; i++)
		to_shares(g_array_index(candidates->all, Candidate, i).callers);
}

static Candidates find_candidates(const CostTable *costs, const CodeFacts *code, guint side)
{
	const SideCosts *here = side == 0 ? &costs->base : &costs->head;
	const SideCosts *there = side == 0 ? &costs->head : &costs->base;
	Candidates candidates = {
	        .all = g_array_new(FALSE, FALSE, sizeof(Candidate)), .row_of = g_new(guint, costs->n_frames)};
	g_array_set_clear_func(candidates.all, candidate_clear);
	for (guint f = 0; f < costs->n_frames; f++) {
		candidates.row_of[f] = G_MAXUINT;
		if (!is_one_sided(here, there, here->profile->table, f))
			continue;
		FrameId frame = {f};
		Candidate candidate = candidate_new(here, code_facts_place(code, side, frame), frame);
		candidates.row_of[f] = candidates.all->len;
		g_array_append_val(candidates.all, candidate);
	}
	add_callers(here, &candidates);
	return candidates;
}

static void candidates_clear(Candidates *candidates)
{
	g_array_unref(candidates->all);
	g_free(candidates->row_of);
}

/* The share of two functions' samples that comes from callers that both have; that of the function with fewer of them.
 */
static double shared_callers(const Candidate *base, const Candidate *head)
{
	double of_base = 0, of_head = 0;
	GHashTableIter iter;
	gpointer caller, share;
	if (g_hash_table_size(base->callers) == 0 && g_hash_table_size(head->callers) == 0)
		return 1;
	g_hash_table_iter_init(&iter, base->callers);
	while (g_hash_table_iter_next(&iter, &caller, &share)) {
		const double *other = g_hash_table_lookup(head->callers, caller);
		of_base += other != NULL ? *(const double *)share : 0;
		of_head += other != NULL ? *other : 0;
	}
	return MIN(of_base, of_head);
}

/* A function with code of its own on one side and inlined on the other is still the same. */
static FrameKind comparable_kind(FrameKind kind)
{
	return kind == FRAME_INLINED ? FRAME_USER : kind;
}

/* Fills in why two functions are one; FALSE if they are not. */
static gboolean is_pair(const StackTable *table, const Candidate *base, const Candidate *head, RenamePair *pair)
{
	const Frame *before = stack_table_get_frame(table, base->frame);
	const Frame *after = stack_table_get_frame(table, head->frame);
	if (before->module.index != after->module.index ||
	        comparable_kind(before->kind) != comparable_kind(after->kind))
		return FALSE;
	gboolean files_known = before->file.index != 0 && after->file.index != 0;
	gboolean same_file = files_known && before->file.index == after->file.index;
	gboolean similar_cost = pair->cost_distance <= RENAME_SIMILAR_COST;
	if (same_file && before->line != 0 && after->line != 0)
		pair->line_distance = (guint)llabs((long long)before->line - (long long)after->line);
	gboolean near = pair->line_distance <= RENAME_NEAR_LINES;
	pair->line_distance = near ? pair->line_distance : G_MAXUINT;
	if (base->code.hash != 0 && base->code.hash == head->code.hash)
		pair->evidence = SAME_CODE;
	else if (similar_cost && code_sketches_similar(base->code.sketch, head->code.sketch))
		pair->evidence = SIMILAR_CODE;
	else if (near)
		pair->evidence = NEAR_LINES;
	else
		pair->evidence = SAME_CALLERS;
	return pair->evidence != SAME_CALLERS ||
	       (similar_cost && (same_file || !files_known) && shared_callers(base, head) >= RENAME_SHARED_CALLERS);
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
	const RenamePair *x = a, *y = b;
	if (x->evidence != y->evidence)
		return x->evidence < y->evidence ? -1 : 1;
	if (x->line_distance != y->line_distance)
		return x->line_distance < y->line_distance ? -1 : 1;
	return (x->cost_distance > y->cost_distance) - (x->cost_distance < y->cost_distance);
}

static GArray *find_pairs(const StackTable *table, const Candidates *gone, const Candidates *come)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(RenamePair));
	for (guint i = 0; i < gone->all->len; i++)
		for (guint j = 0; j < come->all->len; j++) {
			const Candidate *base = &g_array_index(gone->all, Candidate, i);
			const Candidate *head = &g_array_index(come->all, Candidate, j);
			RenamePair pair = {
			        .base = base->frame,
			        .head = head->frame,
			        .line_distance = G_MAXUINT,
			        .cost_distance = fabs(base->cost - head->cost) / MAX(base->cost, head->cost),
			};
			if (is_pair(table, base, head, &pair))
				g_array_append_val(pairs, pair);
		}
	g_array_sort(pairs, compare_pairs); /* stable: equal ones stay in table order */
	return pairs;
}

FrameId *renames_find(const CostTable *costs, const CodeFacts *code)
{
	FrameId *other = g_new0(FrameId, costs->n_frames);
	for (guint f = 0; f < costs->n_frames; f++)
		other[f] = (FrameId){f};
	Candidates gone = find_candidates(costs, code, 0), come = find_candidates(costs, code, 1);
	g_autoptr(GArray) pairs = find_pairs(costs->base.profile->table, &gone, &come);
	for (guint i = 0; i < pairs->len; i++) {
		/* The best evidence is taken first, and each function once. */
		const RenamePair *pair = &g_array_index(pairs, RenamePair, i);
		if (other[pair->base.index].index != pair->base.index ||
		        other[pair->head.index].index != pair->head.index)
			continue;
		other[pair->base.index] = pair->head;
		other[pair->head.index] = pair->base;
	}
	candidates_clear(&gone);
	candidates_clear(&come);
	return other;
}
