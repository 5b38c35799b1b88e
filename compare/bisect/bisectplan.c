/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/bisect/bisectplan.h"

#include <math.h>

#define MAX_DOUBLINGS 30

static const char *const verdict_names[] = {"good", "bad", "unclear", "untestable"};

typedef struct {
	gboolean suspect;
	guint attempts;
	gboolean untestable;
	guint mark;   /* of the last walk that came here */
	guint weight; /* suspects that it descends from, itself included */
} Commit;

struct BisectPlan {
	const GPtrArray *parents;
	Commit *commits;
	guint n, mark;
	GArray *stack; /* of guint, for walks */
};

const char *bisect_verdict_name(BisectVerdict verdict)
{
	return verdict_names[verdict];
}

/* --- walks among the suspects --- */

static const GArray *parents_of(const BisectPlan *plan, guint commit)
{
	return plan->parents->pdata[commit];
}

static void visit(BisectPlan *plan, guint commit)
{
	if (!plan->commits[commit].suspect || plan->commits[commit].mark == plan->mark)
		return;
	plan->commits[commit].mark = plan->mark;
	g_array_append_val(plan->stack, commit);
}

/* Marks the suspects that `commit` descends from, itself included, and returns how many they are. */
static guint mark_ancestors(BisectPlan *plan, guint commit)
{
	guint n = 0;
	plan->mark++;
	visit(plan, commit);
	while (plan->stack->len > 0) {
		guint at = g_array_index(plan->stack, guint, plan->stack->len - 1);
		const GArray *parents = parents_of(plan, at);
		g_array_set_size(plan->stack, plan->stack->len - 1);
		n++;
		for (guint i = 0; i < parents->len; i++)
			visit(plan, g_array_index(parents, guint, i));
	}
	return n;
}

static guint count_suspect_parents(const BisectPlan *plan, guint commit, guint *last)
{
	const GArray *parents = parents_of(plan, commit);
	guint n = 0;
	for (guint i = 0; i < parents->len; i++) {
		guint parent = g_array_index(parents, guint, i);
		if (plan->commits[parent].suspect) {
			*last = parent;
			n++;
		}
	}
	return n;
}

/* Gives each suspect commit its weight: itself and its suspect ancestors. With one such parent that is one more than
 * the parent has; only merges need a walk. */
static void weigh(BisectPlan *plan)
{
	for (guint i = 0; i < plan->n; i++) {
		guint parent = 0, n;
		if (!plan->commits[i].suspect)
			continue;
		n = count_suspect_parents(plan, i, &parent);
		plan->commits[i].weight = n == 0   ? 1
		                          : n == 1 ? plan->commits[parent].weight + 1
		                                   : mark_ancestors(plan, i);
	}
}

/* --- answers --- */

BisectPlan *bisect_plan_new(const GPtrArray *parents)
{
	BisectPlan *plan = g_new0(BisectPlan, 1);
	g_assert(parents->len > 0);
	plan->parents = parents;
	plan->n = parents->len;
	plan->commits = g_new0(Commit, plan->n);
	plan->stack = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < plan->n; i++)
		plan->commits[i].suspect = TRUE;
	bisect_plan_note(plan, plan->n - 1, BISECT_BAD);
	return plan;
}

void bisect_plan_free(BisectPlan *plan)
{
	if (plan == NULL)
		return;
	g_array_unref(plan->stack);
	g_free(plan->commits);
	g_free(plan);
}

/* Keeps as suspects those that descend from none of, or only those that are, `commit` and its ancestors. */
static void keep(BisectPlan *plan, guint commit, gboolean ancestors)
{
	mark_ancestors(plan, commit);
	for (guint i = 0; i < plan->n; i++)
		plan->commits[i].suspect =
		        plan->commits[i].suspect && (plan->commits[i].mark == plan->mark) == ancestors;
	weigh(plan);
}

void bisect_plan_note(BisectPlan *plan, guint commit, BisectVerdict verdict)
{
	Commit *tested = &plan->commits[commit];
	if (!tested->suspect)
		return;
	switch (verdict) {
	case BISECT_GOOD:
		keep(plan, commit, FALSE);
		break;
	case BISECT_BAD:
		keep(plan, commit, TRUE);
		break;
	case BISECT_UNCLEAR:
		tested->untestable = ++tested->attempts >= BISECT_ATTEMPTS;
		break;
	case BISECT_UNTESTABLE:
		tested->untestable = TRUE;
		break;
	}
}

/* --- the next question --- */

/* The suspect that is known to be bad: the last, since all others are its ancestors. */
static guint bad_one(const BisectPlan *plan)
{
	guint i = plan->n - 1;
	while (!plan->commits[i].suspect)
		i--;
	return i;
}

/* Weights of the suspects that cannot be tested, ascending. */
static GArray *broken_weights(const BisectPlan *plan)
{
	GArray *weights = g_array_new(FALSE, TRUE, sizeof(guint));
	g_autofree guint8 *seen = g_new0(guint8, plan->n + 1);
	for (guint i = 0; i < plan->n; i++)
		if (plan->commits[i].suspect && plan->commits[i].untestable)
			seen[plan->commits[i].weight] = 1;
	for (guint weight = 1; weight <= plan->n; weight++)
		if (seen[weight])
			g_array_append_val(weights, weight);
	return weights;
}

/* The number of the ascending weights that are smaller. */
static guint count_below(const GArray *weights, guint weight)
{
	guint low = 0, high = weights->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (g_array_index(weights, guint, middle) < weight)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The chance that a commit can be tested; never 0, so that each is asked about in the end. */
static double chance(const GArray *broken, guint weight)
{
	guint below = count_below(broken, weight), distance = G_MAXUINT;
	if (broken->len == 0)
		return 1;
	if (below < broken->len)
		distance = g_array_index(broken, guint, below) - weight;
	if (below > 0)
		distance = MIN(distance, weight - g_array_index(broken, guint, below - 1));
	double scale = exp2(MIN(broken->len, MAX_DOUBLINGS) - 1);
	gboolean between = below > 0 && below < broken->len;
	return (1 - exp2(-MAX(distance, .5) / scale)) / (between ? scale : 1);
}

static double entropy(double share)
{
	return share <= 0 || share >= 1 ? 0 : -share * log2(share) - (1 - share) * log2(1 - share);
}

static guint count_suspects(const BisectPlan *plan)
{
	guint n = 0;
	for (guint i = 0; i < plan->n; i++)
		n += plan->commits[i].suspect;
	return n;
}

static guint tests_for(guint suspects)
{
	guint tests = 0;
	while (suspects > 1U << tests)
		tests++;
	return tests;
}

/* FALSE if no suspect but the bad one can be tested. */
static gboolean choose(const BisectPlan *plan, guint n_suspects, guint bad, guint *chosen)
{
	g_autoptr(GArray) broken = broken_weights(plan);
	double best = 0;
	for (guint i = 0; i < plan->n; i++) {
		const Commit *commit = &plan->commits[i];
		if (!commit->suspect || commit->untestable || i == bad)
			continue;
		double value = entropy((double)commit->weight / n_suspects) * chance(broken, commit->weight);
		if (value > best) {
			best = value;
			*chosen = i;
		}
	}
	return best > 0;
}

BisectState bisect_plan_next(const BisectPlan *plan, BisectStep *step)
{
	guint bad = bad_one(plan);
	*step = (BisectStep){.commit = bad, .n_suspects = count_suspects(plan)};
	step->n_tests = tests_for(step->n_suspects);
	if (step->n_suspects == 1)
		return BISECT_FOUND;
	/* what was unclear once is asked again before anything else */
	for (guint i = 0; i < bad; i++)
		if (plan->commits[i].suspect && plan->commits[i].attempts > 0 && !plan->commits[i].untestable) {
			step->commit = i;
			step->attempt = plan->commits[i].attempts;
			return BISECT_TEST;
		}
	return choose(plan, step->n_suspects, bad, &step->commit) ? BISECT_TEST : BISECT_STUCK;
}

GArray *bisect_plan_suspects(const BisectPlan *plan)
{
	GArray *suspects = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < plan->n; i++)
		if (plan->commits[i].suspect)
			g_array_append_val(suspects, i);
	return suspects;
}
