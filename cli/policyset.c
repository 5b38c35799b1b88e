#include "cli/policyset.h"

#include "compare/policy.h"

#include <math.h>

static void metric_policy_free(gpointer data)
{
	MetricPolicy *policy = data;
	g_free(policy->metric);
	g_free(policy->engine);
	g_free(policy);
}

static gboolean gates(const ConfigBenchmark *benchmark, const char *metric)
{
	const ConfigGate *gate = config_gate(benchmark, metric);
	return gate != NULL && gate->gates;
}

/* Whether a metric gates that has no meaning beside a second run on the same CPU. */
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

/* Whether a metric gates when the configuration names no gate: CPU time is judged once, in cycles where they are
 * counted, else as task-clock. */
static gboolean gates_by_default(const MetricPolicy *policy, PolicyMachine machine)
{
	return policy->gates && !(machine.hardware && g_str_equal(policy->metric, "task-clock"));
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

static void add_policy(GPtrArray *policies, MetricPolicy policy, const char *engine, const char *metric)
{
	policy.metric = g_strdup(metric);
	policy.engine = g_strdup(engine);
	g_ptr_array_add(policies, g_memdup2(&policy, sizeof policy));
}

static void add_own_metrics(GPtrArray *policies, const ConfigBenchmark *benchmark)
{
	for (char **metric = benchmark->metrics; metric != NULL && *metric != NULL; metric++) {
		const ConfigGate *gate = config_gate(benchmark, *metric);
		MetricPolicy policy = {0};
		own_metric_policy(&policy);
		if (gate != NULL)
			apply_gate(&policy, gate);
		add_policy(policies, policy, "benchmark", *metric);
	}
}

GPtrArray *policy_metrics(const ConfigBenchmark *benchmark, Schedule schedule, PolicyMachine machine)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(metric_policy_free);
	const char *how = schedule_name(schedule == SCHEDULE_AUTO ? SCHEDULE_COSCHEDULED : schedule);
	for (gsize i = 0; config_metric_names[i] != NULL; i++) {
		const char *metric = config_metric_names[i];
		const ConfigGate *gate = config_gate(benchmark, metric);
		MetricPolicy policy = {0};
		if (!default_policy(metric, how, machine.hosted, &policy))
			continue;
		policy.metric = (char *)metric; /* for gates_by_default() */
		if (gate == NULL && ((needs_hardware(metric) && !machine.hardware) ||
		                            (needs_sequential(metric) && schedule != SCHEDULE_SEQUENTIAL)))
			continue;
		policy.gates = !benchmark->gates_given && gates_by_default(&policy, machine);
		if (gate != NULL)
			apply_gate(&policy, gate);
		add_policy(policies, policy, "perf", metric);
	}
	add_own_metrics(policies, benchmark);
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
		if (!g_str_equal(series->engine, "benchmark") || find_policy(policies, series->name) != NULL)
			continue;
		own_metric_policy(&policy);
		add_policy(policies, policy, "benchmark", series->name);
	}
}

guint policy_gating(const GPtrArray *policies)
{
	guint n = 0;
	for (guint i = 0; i < policies->len; i++)
		n += ((const MetricPolicy *)policies->pdata[i])->gates ? 1 : 0;
	return n;
}

static void compare_policies(GPtrArray *list, const char *benchmark, const GPtrArray *base, const GPtrArray *head)
{
	const double rounding = 1e-9;
	for (guint i = 0; i < base->len; i++) {
		const MetricPolicy *was = base->pdata[i], *is = find_policy(head, was->metric);
		if (!was->gates)
			continue;
		if (is == NULL || !is->gates)
			g_ptr_array_add(list, g_strdup_printf("%s: %s no longer gates", benchmark, was->metric));
		else if (is->margin > was->margin + rounding || is->pass_margin > was->pass_margin + rounding)
			g_ptr_array_add(
			        list, g_strdup_printf("%s: the margin of %s is raised from %g %% (pass %g %%) to %g "
			                              "%% (pass %g %%)",
			                      benchmark, was->metric, was->margin * 100, was->pass_margin * 100,
			                      is->margin * 100, is->pass_margin * 100));
	}
}

GPtrArray *policy_weakened(const Config *base, const Config *head, PolicyMachine machine)
{
	GPtrArray *list = config_weakened(base, head);
	for (guint i = 0; i < base->benchmarks->len; i++) {
		const ConfigBenchmark *was = base->benchmarks->pdata[i];
		const ConfigBenchmark *is = config_benchmark(head, was->name);
		if (is == NULL)
			continue;
		g_autoptr(GPtrArray) before = policy_metrics(was, policy_schedule(was, SCHEDULE_AUTO), machine);
		g_autoptr(GPtrArray) after = policy_metrics(is, policy_schedule(is, SCHEDULE_AUTO), machine);
		compare_policies(list, was->name, before, after);
	}
	return list;
}
