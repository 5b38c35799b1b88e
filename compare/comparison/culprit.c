/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/culprit.h"

#include <string.h>

#define STUB_SUFFIX "@plt"

gboolean frame_is_stub(const StackTable *table, FrameId frame)
{
	const char *name = stack_table_frame_name(table, frame);
	return g_str_has_suffix(name, STUB_SUFFIX) && strlen(name) > strlen(STUB_SUFFIX);
}

char *culprit_name(const StackTable *table, FrameId frame)
{
	const char *name = stack_table_frame_name(table, frame);
	gsize cut = frame_is_stub(table, frame) ? strlen(STUB_SUFFIX) : 0;
	return g_strndup(name, strlen(name) - cut);
}

gboolean culprit_is_elsewhere(const Culprit *culprit)
{
	return culprit->seen != NULL && culprit->seen->frame.index != culprit->frame.index;
}

/* --- who is asked --- */

typedef struct {
	const BenchmarkComparison *comparison;
	CulpritScope scope;
	double alpha;
} Question;

static gboolean is_risen(const Question *question, const FunctionComparison *f)
{
	gboolean dearer = f->klass == FUNCTION_REGRESSION || f->klass == FUNCTION_NEW;
	return dearer && f->contribution > 0 && (question->comparison->counted || f->p_adjusted <= question->alpha);
}

static gboolean is_fallen(const Question *question, const FunctionComparison *f)
{
	gboolean cheaper = f->klass == FUNCTION_IMPROVEMENT || f->klass == FUNCTION_REMOVED;
	return cheaper && f->contribution < 0 &&
	       (question->comparison->counted || f->p_adjusted_improvement <= question->alpha);
}

static gboolean is_asked(const Question *question, const FunctionComparison *f)
{
	if (question->scope == CULPRIT_OF_FALLS)
		return is_fallen(question, f);
	if (f->gates || f->excused)
		return TRUE;
	return question->scope == CULPRIT_OF_RISES && is_risen(question, f);
}

/* The part that it has in what is asked for, a rise or a fall. */
static double part_of(const Question *question, const FunctionComparison *f)
{
	return question->scope == CULPRIT_OF_FALLS ? -f->contribution : f->contribution;
}

/* Finds the edited function that caused the cost of another one; FALSE if there is none. */
static gboolean edited_cause(const FunctionComparison *f, FrameId *cause)
{
	*cause = f->relation == CHANGE_CALLED_BY_TOUCHED ? f->through : f->frame;
	return f->relation == CHANGE_TOUCHED || f->relation == CHANGE_CALLED_BY_TOUCHED;
}

/* --- 1. edited functions --- */

/* The additional cost of an edited function, or what it saves: its own and that of what it calls. */
typedef struct {
	double sum;
	const FunctionComparison *largest;
} Blame;

static void add_blame(const Question *question, Blame *blame, const FunctionComparison *f)
{
	blame->sum += part_of(question, f);
	if (blame->largest == NULL || part_of(question, f) > part_of(question, blame->largest))
		blame->largest = f;
}

static const FunctionComparison *row_of(const BenchmarkComparison *comparison, FrameId frame)
{
	for (guint i = 0; i < comparison->functions->len; i++) {
		const FunctionComparison *f = comparison->functions->pdata[i];
		if (f->frame.index == frame.index)
			return f;
	}
	return NULL;
}

/* Ties go to the function that comes first in the comparison. */
static Culprit find_edited(const Question *question)
{
	const GPtrArray *functions = question->comparison->functions;
	g_autoptr(GHashTable) blames = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		FrameId cause;
		if (!is_asked(question, f) || !edited_cause(f, &cause))
			continue;
		Blame *blame = g_hash_table_lookup(blames, GUINT_TO_POINTER(cause.index));
		if (blame == NULL) {
			blame = g_new0(Blame, 1);
			g_hash_table_insert(blames, GUINT_TO_POINTER(cause.index), blame);
		}
		add_blame(question, blame, f);
	}
	Culprit culprit = {0};
	double most = 0;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		FrameId cause;
		const Blame *blame = is_asked(question, f) && edited_cause(f, &cause)
		                             ? g_hash_table_lookup(blames, GUINT_TO_POINTER(cause.index))
		                             : NULL;
		if (blame == NULL || (culprit.seen != NULL && blame->sum <= most))
			continue;
		most = blame->sum;
		culprit = (Culprit){blame->largest, row_of(question->comparison, cause), cause};
	}
	return culprit;
}

/* --- 2. and 3. all others --- */

/* 0 = to be named before all others. Code that is the same is called more often, or works on other data. */
static guint rank_of(const Question *question, const FunctionComparison *f)
{
	const StackTable *table = question->comparison->table;
	if (table != NULL && frame_is_stub(table, f->frame))
		return 5;
	if (f->relation == CHANGE_CALLS_TOUCHED && f->code != CODE_SAME)
		return 0;
	return (f->gates ? 1 : 3) + (f->code == CODE_SAME ? 1 : 0);
}

static const FunctionComparison *find_largest(const Question *question)
{
	const GPtrArray *functions = question->comparison->functions;
	const FunctionComparison *best = NULL;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		if (!is_asked(question, f))
			continue;
		guint rank = rank_of(question, f), best_rank = best != NULL ? rank_of(question, best) : G_MAXUINT;
		if (rank < best_rank || (rank == best_rank && part_of(question, f) > part_of(question, best)))
			best = f;
	}
	return best;
}

Culprit culprit_find(const BenchmarkComparison *comparison, CulpritScope scope, double alpha)
{
	const Question question = {comparison, scope, alpha};
	Culprit culprit = find_edited(&question);
	if (culprit.seen != NULL)
		return culprit;
	const FunctionComparison *largest = find_largest(&question);
	if (largest == NULL)
		return culprit;
	return (Culprit){largest, largest, largest->frame};
}
