/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatebudget.h"

#include <math.h>

/* Until the first campaign has shown it. */
#define AFTER_RATIO_GUESS .1
/* Kept free for writing the report and the flame graphs of each benchmark. */
#define OUTPUT_S .3

static double seconds(gint64 ns)
{
	return (double)ns / 1e9;
}

void gate_budget_start(GateBudget *budget, gint64 (*now_ns)(void), double max_time_s)
{
	*budget = (GateBudget){.now_ns = now_ns, .start_ns = now_ns(), .after_ratio = AFTER_RATIO_GUESS};
	if (max_time_s > 0)
		budget->end_ns = budget->start_ns + (gint64)(max_time_s * 1e9);
}

void gate_budget_clear(GateBudget *budget)
{
	g_clear_pointer(&budget->weights, g_array_unref);
}

void gate_budget_plan(GateBudget *budget, guint n_benchmarks, GArray *weights)
{
	g_assert(weights == NULL || weights->len == n_benchmarks);
	gate_budget_clear(budget);
	budget->n_benchmarks = n_benchmarks;
	budget->weights = weights;
}

gboolean gate_budget_limited(const GateBudget *budget)
{
	return budget->end_ns != 0;
}

double gate_seconds_until(const GateBudget *budget, gint64 end_ns)
{
	return end_ns == 0 ? INFINITY : MAX(0, seconds(end_ns - budget->now_ns()));
}

gboolean gate_budget_is_over(const GateBudget *budget)
{
	return gate_seconds_until(budget, budget->end_ns) <= 0;
}

double gate_seconds_since(const GateBudget *budget, gint64 begin_ns)
{
	return seconds(budget->now_ns() - begin_ns);
}

/* The part of benchmark `index` in what it and those after it may take. */
static double part_of_rest(const GateBudget *budget, guint index)
{
	if (budget->weights == NULL)
		return 1.0 / (budget->n_benchmarks - index);
	double sum = 0;
	for (guint i = index; i < budget->n_benchmarks; i++)
		sum += g_array_index(budget->weights, double, i);
	return g_array_index(budget->weights, double, index) / sum;
}

gint64 gate_budget_outputs_ns(const GateBudget *budget)
{
	return gate_budget_limited(budget) ? budget->end_ns - (gint64)(OUTPUT_S * 1e9 * budget->n_benchmarks) : 0;
}

BudgetShare gate_budget_share(const GateBudget *budget, guint index)
{
	BudgetShare share = {.begin_ns = budget->now_ns(), .share = part_of_rest(budget, index)};
	if (!gate_budget_limited(budget))
		return share;
	double own_s = gate_seconds_until(budget, gate_budget_outputs_ns(budget)) * share.share;
	share.end_ns = share.begin_ns + (gint64)(own_s * 1e9);
	share.campaign_end_ns = share.begin_ns + (gint64)(own_s / (1 + budget->after_ratio) * 1e9);
	return share;
}

void gate_budget_learn(GateBudget *budget, double campaign_s, double after_s)
{
	if (!(campaign_s > 0))
		return;
	/* The largest ratio seen: time that was kept for nothing costs less than outputs that come too late. */
	double ratio = after_s / campaign_s;
	budget->after_ratio = budget->learnt ? MAX(budget->after_ratio, ratio) : ratio;
	budget->learnt = TRUE;
}

double gate_budget_whole_s(const GateBudget *budget, double campaign_s)
{
	return campaign_s * (1 + budget->after_ratio);
}

double gate_budget_needed_s(const GateBudget *budget, const BudgetShare *share, double campaign_s)
{
	double before_s = seconds(share->begin_ns - budget->start_ns);
	return before_s + gate_budget_whole_s(budget, campaign_s) / share->share + OUTPUT_S * budget->n_benchmarks;
}
