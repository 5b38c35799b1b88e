/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/fitness.h"

#include "compare/comparison/totals.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

/* Advice never asks for more times the work than this. */
#define MAX_WORK 20
/* Shares are proposed in steps of .1 %. */
#define SHARE_STEPS 1000

static gboolean repeats(const MetricComparison *metric)
{
	return metric->deterministic || engine_counts(metric->engine) || metric->sd_log == 0;
}

static guint last_look(const LookPlan *plan)
{
	return plan->rounds[plan->n - 1];
}

/* Returns the rounds that the pass margin takes; G_MAXUINT where that cannot be told. */
static guint rounds_for(const MetricComparison *metric, const LookPlan *plan)
{
	guint rounds = totals_rounds_needed(metric->sd_log, look_plan_alpha(plan), log1p(metric->pass_margin));
	return rounds > 0 ? rounds : G_MAXUINT;
}

/* The gating metric that people mean by "slower", else the first one. */
static const MetricComparison *plain_metric(const GPtrArray *gating)
{
	static const char *const names[] = {"cycles", "task-clock", "wall"};
	for (gsize n = 0; n < G_N_ELEMENTS(names); n++)
		for (guint i = 0; i < gating->len; i++) {
			const MetricComparison *metric = gating->pdata[i];
			if (g_str_equal(metric->name, names[n]))
				return metric;
		}
	return gating->len > 0 ? gating->pdata[0] : NULL;
}

/* The gating metric that needs most rounds, if they are more than there are; or NULL. */
static const MetricComparison *noisiest(const GPtrArray *gating, const LookPlan *plan)
{
	const MetricComparison *worst = NULL;
	for (guint i = 0; i < gating->len; i++) {
		const MetricComparison *metric = gating->pdata[i];
		if (repeats(metric) || rounds_for(metric, plan) <= last_look(plan))
			continue;
		if (worst == NULL || rounds_for(metric, plan) > rounds_for(worst, plan))
			worst = metric;
	}
	return worst;
}

static GPtrArray *gating_metrics(const BenchmarkComparison *comparison)
{
	GPtrArray *gating = g_ptr_array_new();
	for (guint i = 0; i < comparison->metrics->len; i++) {
		MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && !metric->negligible)
			g_ptr_array_add(gating, metric);
	}
	return gating;
}

Fitness benchmark_fitness(const BenchmarkComparison *comparison, const LookPlan *plan)
{
	g_autoptr(GPtrArray) gating = gating_metrics(comparison);
	const MetricComparison *noisy = noisiest(gating, plan), *metric = noisy != NULL ? noisy : plain_metric(gating);
	Fitness fitness = {.metric = metric, .rounds = last_look(plan), .visible = NAN};
	if (metric == NULL)
		return fitness;
	fitness.repeats = repeats(metric);
	fitness.fit = noisy == NULL;
	if (fitness.repeats) {
		fitness.visible = metric->margin;
		return fitness;
	}
	guint needed = rounds_for(metric, plan);
	fitness.rounds_needed = needed != G_MAXUINT ? needed : 0;
	double alpha = look_plan_alpha(plan);
	fitness.too_few = fitness.rounds < look_rounds_possible(alpha);
	if (!fitness.too_few)
		fitness.visible = metric->margin + expm1(totals_mde(metric->sd_log, fitness.rounds, alpha));
	return fitness;
}

char *fitness_sentence(const Fitness *fitness, double round_s)
{
	const MetricComparison *metric = fitness->metric;
	if (metric == NULL)
		return g_strdup("not fit to gate: no metric gates");
	if (fitness->too_few) {
		g_autofree char *share = number_share(metric->pass_margin);
		return g_strdup_printf("not fit to gate at %s: %u round%s too few for a pass, however quiet it is",
		        share, fitness->rounds, fitness->rounds == 1 ? " is" : "s are");
	}
	g_autofree char *visible = number_about(fitness->visible);
	if (fitness->repeats)
		return g_strdup_printf("fit to gate at %s: %s repeats exactly", visible, metric->name);
	g_autofree char *spread = number_about(metric->sd_log), *pass = number_share(metric->pass_margin);
	g_autofree char *each = number_duration(round_s);
	if (fitness->fit)
		return g_strdup_printf(
		        "fit to gate at %s: %s varies by %s from round to round, and up to %u rounds of %s find "
		        "a change of that size",
		        visible, metric->name, spread, fitness->rounds, each);
	return g_strdup_printf("not fit to gate at %s: %s varies by %s from round to round, and %u rounds of %s find "
	                       "changes from %s on",
	        pass, metric->name, spread, fitness->rounds, each, visible);
}

char *fitness_remedy(const Fitness *fitness, double round_s)
{
	const MetricComparison *metric = fitness->metric;
	if (metric == NULL)
		return g_strdup("name a metric in `gate`");
	if (fitness->fit)
		return NULL;
	/* nor do longer runs help then */
	if (fitness->too_few)
		return fitness->rounds_needed > 0 && fitness->rounds_needed <= FITNESS_MOST_ROUNDS
		               ? g_strdup_printf("set `rounds: %u`, or leave `rounds` out", fitness->rounds_needed)
		               : g_strdup("leave `rounds` out");
	GString *text = g_string_new(NULL);
	double factor = (double)fitness->rounds_needed / fitness->rounds;
	if (fitness->rounds_needed > 0 && factor <= MAX_WORK) {
		g_autofree char *times = number_factor(factor), *round = number_duration(factor * round_s);
		g_string_append_printf(text, "let a run do %s times the work (rounds of %s), ", times, round);
	}
	if (fitness->rounds_needed > 0 && fitness->rounds_needed <= FITNESS_MOST_ROUNDS)
		g_string_append_printf(text, "set `rounds: %u`, ", fitness->rounds_needed);
	g_autofree char *pass = number_share_as(ceil(SHARE_STEPS * fitness->visible) / SHARE_STEPS, 1);
	g_string_append_printf(text,
	        "set a `pass_margin` of %s, take a quieter machine, or count instead: `engines: "
	        "[callgrind]`",
	        pass);
	return g_string_free(text, FALSE);
}
