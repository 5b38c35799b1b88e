/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/request/policyset.h"

#include "compare/policy.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/perwork.h"
#include "runner/frameworks/frameworks.h"

#include <math.h>

static gboolean gates(const ConfigBenchmark *benchmark, const char *metric)
{
	const ConfigGate *gate = config_gate(benchmark, metric);
	return gate != NULL && gate->gates;
}

/* TRUE if a metric gates that has no meaning beside a second run on the same CPU. */
static gboolean gates_elapsed_time(const ConfigBenchmark *benchmark)
{
	gboolean found = gates(benchmark, "wall");
	for (char **metric = benchmark->metrics; metric != NULL && *metric != NULL; metric++)
		found = found || gates(benchmark, *metric);
	return found;
}

Schedule policy_schedule(const ConfigBenchmark *benchmark, Schedule wanted)
{
	if (wanted == SCHEDULE_AUTO)
		wanted = benchmark->schedule;
	return wanted == SCHEDULE_AUTO && gates_elapsed_time(benchmark) ? SCHEDULE_SEQUENTIAL : wanted;
}

static gboolean needs_hardware(const char *metric)
{
	static const char *const names[] = {"cycles", "instructions", "branch-misses", "cache-misses", NULL};
	return g_strv_contains(names, metric);
}

/* Metrics that co-scheduling distorts are not measured in co-scheduled runs. */
static gboolean needs_sequential(const char *metric)
{
	return g_str_equal(metric, "wall");
}

static gboolean is_cpu_time(const char *metric)
{
	return g_str_equal(metric, "task-clock") || g_str_equal(metric, "cycles");
}

/* TRUE if a metric that gates as a rule does so when the configuration names no gate: CPU time is judged once, in
 * cycles where they are counted, else as task-clock. Of a framework it alone gates: memory is that of a run, whose
 * iterations are as many as fit its time, so that a thousandth of a page fault for each is no fact about the code. */
static gboolean gates_by_default(const ConfigBenchmark *benchmark, const char *metric, PolicyMachine machine)
{
	if (framework(benchmark->framework) != NULL && !is_cpu_time(metric))
		return FALSE;
	return !(machine.hardware && g_str_equal(metric, "task-clock"));
}

static void apply_gate(MetricPolicy *policy, const ConfigGate *gate)
{
	if (!isnan(gate->margin)) {
		/* a margin without a pass margin keeps the distance of the defaults */
		policy->pass_margin = gate->margin * (policy->pass_margin / policy->margin);
		policy->margin = gate->margin;
	}
	if (!isnan(gate->pass_margin))
		policy->pass_margin = gate->pass_margin;
	policy->gates = gate->gates;
}

static void add_policy(GPtrArray *policies, MetricPolicy policy, const Engine *engine, const char *metric)
{
	policy.metric = g_strdup(metric);
	policy.engine = engine;
	g_ptr_array_add(policies, g_memdup2(&policy, sizeof policy));
}

static void add_own_metric(GPtrArray *policies, const ConfigBenchmark *benchmark, const char *metric)
{
	const ConfigGate *gate = config_gate(benchmark, metric);
	MetricPolicy policy = {0};
	own_metric_policy(&policy);
	if (gate != NULL)
		apply_gate(&policy, gate);
	add_policy(policies, policy, &engine_benchmark, metric);
}

/* Numbers of a framework that are not in `gate` are shown once they turn up: policy_add_reported(). */
static void add_own_metrics(GPtrArray *policies, const ConfigBenchmark *benchmark)
{
	for (char **metric = benchmark->metrics; metric != NULL && *metric != NULL; metric++)
		add_own_metric(policies, benchmark, *metric);
	for (const char *const *metric = config_framework_metrics(benchmark); *metric != NULL; metric++)
		if (config_gate(benchmark, *metric) != NULL && !config_declares_metric(benchmark, *metric))
			add_own_metric(policies, benchmark, *metric);
}

/* TRUE if perf is to measure a built-in metric. */
static gboolean is_wanted(
        const ConfigBenchmark *benchmark, const char *metric, Schedule schedule, PolicyMachine machine)
{
	gboolean named = config_gate(benchmark, metric) != NULL;
	if (needs_hardware(metric) && !machine.hardware)
		return named && !config_measures(benchmark, &engine_callgrind, metric);
	return named || !needs_sequential(metric) || schedule == SCHEDULE_SEQUENTIAL;
}

GPtrArray *policy_metrics(const ConfigBenchmark *benchmark, Schedule schedule, PolicyMachine machine)
{
	return policy_metrics_measured(benchmark, schedule, schedule, machine);
}

GPtrArray *policy_metrics_measured(
        const ConfigBenchmark *benchmark, Schedule asked, Schedule used, PolicyMachine machine)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(metric_policy_free);
	if (!config_uses_engine(benchmark, &engine_perf))
		return policies;
	const char *how = schedule_name(asked == SCHEDULE_AUTO ? SCHEDULE_COSCHEDULED : asked);
	for (gsize i = 0; config_metric_names[i] != NULL; i++) {
		const char *metric = config_metric_names[i];
		const ConfigGate *gate = config_gate(benchmark, metric);
		MetricPolicy policy = {0};
		if (!default_policy(metric, how, machine.hosted, &policy) ||
		        !is_wanted(benchmark, metric, used, machine))
			continue;
		/* what is negligible is so of a whole run, and values are compared per unit of its work */
		if (metric_is_per_work(&engine_perf, metric))
			policy.abs_floor /= benchmark->work;
		policy.gates = policy.gates && !benchmark->gates_given && gates_by_default(benchmark, metric, machine);
		if (gate != NULL)
			apply_gate(&policy, gate);
		add_policy(policies, policy, &engine_perf, metric);
	}
	add_own_metrics(policies, benchmark);
	return policies;
}

/* A margin of 0 has no floor: where the configuration allows no change, the smallest one counts. */
static double counted_floor(double work, const char *metric, const MetricPolicy *policy)
{
	if (policy->margin == 0)
		return 0;
	return metric_is_per_work(&engine_callgrind, metric) ? policy->abs_floor / work : policy->abs_floor;
}

GPtrArray *policy_counted_metrics(const ConfigBenchmark *benchmark)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(metric_policy_free);
	for (gsize i = 0; config_metric_names[i] != NULL; i++) {
		const char *metric = config_metric_names[i];
		const ConfigGate *gate = config_gate(benchmark, metric);
		MetricPolicy policy = {0};
		if (!config_measures(benchmark, &engine_callgrind, metric) || !counted_policy(metric, &policy))
			continue;
		policy.gates = policy.gates && !benchmark->gates_given;
		if (gate != NULL)
			apply_gate(&policy, gate);
		policy.pass_margin = policy.margin;
		policy.abs_floor = counted_floor(benchmark->work, metric, &policy);
		add_policy(policies, policy, &engine_callgrind, metric);
	}
	return policies;
}

GPtrArray *policy_counted_defaults(const Measurement *base)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(metric_policy_free);
	for (guint i = 0; i < base->metrics->len; i++) {
		const MetricSeries *series = base->metrics->pdata[i];
		MetricPolicy policy = {0};
		if (!engine_counts(series->engine) || !counted_policy(series->name, &policy))
			continue;
		policy.abs_floor = counted_floor(base->work, series->name, &policy);
		add_policy(policies, policy, &engine_callgrind, series->name);
	}
	return policies;
}

static const MetricPolicy *find_policy(const GPtrArray *policies, const char *metric)
{
	for (guint i = 0; i < policies->len; i++) {
		const MetricPolicy *policy = policies->pdata[i];
		if (g_str_equal(policy->metric, metric))
			return policy;
	}
	return NULL;
}

void policy_add_reported(GPtrArray *policies, const Measurement *measurement)
{
	for (guint i = 0; i < measurement->metrics->len; i++) {
		const MetricSeries *series = measurement->metrics->pdata[i];
		MetricPolicy policy = {0};
		if (series->engine != &engine_benchmark || find_policy(policies, series->name) != NULL)
			continue;
		own_metric_policy(&policy);
		add_policy(policies, policy, &engine_benchmark, series->name);
	}
}

guint policy_gating(const GPtrArray *policies)
{
	guint n = 0;
	for (guint i = 0; i < policies->len; i++)
		n += ((const MetricPolicy *)policies->pdata[i])->gates ? 1 : 0;
	return n;
}

/* The policy of head that judges the metric of `was`: of the same engine, else of another one that measures it. */
static const MetricPolicy *successor(const GPtrArray *head, const MetricPolicy *was)
{
	for (guint i = 0; i < head->len; i++) {
		const MetricPolicy *policy = head->pdata[i];
		if (g_str_equal(policy->metric, was->metric) && policy->engine == was->engine)
			return policy;
	}
	return find_policy(head, was->metric);
}

static char *margins_text(const MetricPolicy *policy)
{
	g_autofree char *margin = number_margin(policy->margin), *pass = number_margin(policy->pass_margin);
	if (engine_counts(policy->engine))
		return g_steal_pointer(&margin);
	return g_strdup_printf("%s (pass %s)", margin, pass);
}

static void compare_policy(GPtrArray *list, const char *benchmark, const MetricPolicy *was, const MetricPolicy *is)
{
	const double rounding = 1e-9;
	const char *counted = engine_counts(was->engine) ? " of callgrind" : "";
	if (is == NULL || !is->gates) {
		g_ptr_array_add(list, g_strdup_printf("%s: %s%s no longer gates", benchmark, was->metric, counted));
		return;
	}
	if (is->margin <= was->margin + rounding && is->pass_margin <= was->pass_margin + rounding)
		return;
	g_autofree char *before = margins_text(was), *after = margins_text(is);
	g_ptr_array_add(list, g_strdup_printf("%s: the margin of %s%s is raised from %s to %s", benchmark, was->metric,
	                              counted, before, after));
}

/* TRUE if the engine of a policy is one of the benchmark's; what a benchmark reports itself is collected by perf. */
static gboolean has_engine_of(const ConfigBenchmark *benchmark, const MetricPolicy *policy)
{
	return config_uses_engine(benchmark, engine_that(engine_counts(policy->engine)));
}

/* The policies of both engines. */
static GPtrArray *all_policies(const ConfigBenchmark *benchmark, PolicyMachine machine)
{
	GPtrArray *policies = policy_metrics(benchmark, policy_schedule(benchmark, SCHEDULE_AUTO), machine);
	g_ptr_array_extend_and_steal(policies, policy_counted_metrics(benchmark));
	return policies;
}

GPtrArray *policy_weakened(const Config *base, const Config *head, PolicyMachine machine)
{
	GPtrArray *list = config_weakened(base, head);
	for (guint i = 0; i < base->benchmarks->len; i++) {
		const ConfigBenchmark *was = base->benchmarks->pdata[i];
		const ConfigBenchmark *is = config_benchmark(head, was->name);
		if (is == NULL)
			continue;
		g_autoptr(GPtrArray) before = all_policies(was, machine), after = all_policies(is, machine);
		for (guint p = 0; p < before->len; p++) {
			const MetricPolicy *policy = before->pdata[p];
			/* that the engine is gone has been said */
			if (policy->gates && has_engine_of(is, policy))
				compare_policy(list, was->name, policy, successor(after, policy));
		}
	}
	return list;
}
