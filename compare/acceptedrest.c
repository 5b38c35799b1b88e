/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/acceptedrest.h"

#include "compare/comparison/totals.h"
#include "compare/counted/countedtotals.h"
#include "compare/functions/costs.h"
#include "model/engine.h"

/* Cost of the functions in one run of a side. */
static double cost_in_run(const SideCosts *side, const GPtrArray *functions, gboolean of_head, guint run)
{
	double sum = 0;
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *f = functions->pdata[i];
		sum += side_costs_of(side, of_head ? f->frame : f->renamed_from)[run];
	}
	return sum;
}

/* --- samples --- */

static gboolean is_cpu_time(const MetricComparison *metric)
{
	static const char *const names[] = {"task-clock", "cycles", NULL};
	return metric->engine == &engine_perf && g_strv_contains(names, metric->name);
}

/* The values of head without the rise, which is taken as a share of base's total: one scale for clock and cycles. */
static double *without_rise(
        const CostTable *costs, const MetricComparison *metric, const GPtrArray *functions, guint rounds)
{
	const double *head = (const double *)(void *)metric->head_values->data;
	double base_mean = mean_over_rounds((const double *)(void *)metric->base_values->data, rounds);
	double *values = g_new(double, MAX(rounds, 1));
	for (guint r = 0; r < rounds; r++) {
		double rise =
		        cost_in_run(&costs->head, functions, TRUE, r) - cost_in_run(&costs->base, functions, FALSE, r);
		values[r] = head[r] - rise / costs->base_total * base_mean;
	}
	return values;
}

MetricComparison *accepted_rest(const CompareInput *input, const MetricComparison *metric, const GPtrArray *functions)
{
	const MetricPolicy *policy = metric_policy_find(input->policies, metric);
	guint rounds = MIN(measurement_n_runs(input->base), measurement_n_runs(input->head));
	gboolean complete = metric->base_values->len == rounds && metric->head_values->len == rounds;
	if (!is_cpu_time(metric) || policy == NULL || input->base->profile == NULL || rounds == 0 || !complete)
		return NULL;
	g_autoptr(CostTable) costs = cost_table_new(input->base, input->head, rounds);
	if (!(costs->base_total > 0))
		return NULL;
	g_autofree double *values = without_rise(costs, metric, functions, rounds);
	g_autofree gboolean *base_first = measurement_start_order(input->base, rounds);
	TotalsInput totals = {
	        .base = (const double *)(void *)metric->base_values->data,
	        .head = values,
	        .base_first = base_first,
	        .rounds = rounds,
	        .name = metric->name,
	        .engine = metric->engine,
	        .unit = metric->unit,
	        .policy = policy,
	        .plan = &input->plan,
	};
	return totals_compare(&totals);
}

/* --- counts --- */

static double mean_cost(const SideCosts *base, const GPtrArray *functions)
{
	double sum = 0;
	for (guint r = 0; r < base->rounds; r++)
		sum += cost_in_run(base, functions, FALSE, r);
	return sum / base->rounds;
}

/* The runs of a side with nothing but the metric, in which the functions cost `mean`. Owned by the caller. */
static Measurement *with_mean_cost(const MetricComparison *metric, const SideCosts *side, const GPtrArray *functions,
        gboolean of_head, double mean)
{
	const GArray *values = of_head ? metric->head_values : metric->base_values;
	Measurement *changed = measurement_new("", "", "");
	changed->work = 1;
	MetricSeries *series =
	        measurement_add_metric(changed, metric->engine, metric->name, metric->unit, METRIC_DETERMINISTIC);
	for (guint r = 0; r < values->len; r++) {
		RunFacts facts = {.round = r + 1};
		double value = g_array_index(values, double, r) + mean - cost_in_run(side, functions, of_head, r);
		g_array_append_val(changed->runs, facts);
		g_array_append_val(series->values, value);
	}
	return changed;
}

MetricComparison *accepted_rest_counted(
        const CountedInput *input, const MetricComparison *metric, const GPtrArray *functions)
{
	const MetricPolicy *policy = metric_policy_find(input->policies, metric);
	const Profile *profile = input->head->profile;
	if (policy == NULL || profile == NULL || !g_str_equal(metric->name, profile->unit) ||
	        metric->base_values->len != measurement_n_runs(input->base) ||
	        metric->head_values->len != measurement_n_runs(input->head))
		return NULL;
	g_autoptr(CostTable) costs = cost_table_new_counted(input->base, input->head);
	double mean = mean_cost(&costs->base, functions);
	g_autoptr(Measurement) base = with_mean_cost(metric, &costs->base, functions, FALSE, mean);
	g_autoptr(Measurement) head = with_mean_cost(metric, &costs->head, functions, TRUE, mean);
	CountedInput rest = {.base = base, .head = head, .policies = input->policies};
	return counted_metric(&rest, policy);
}
