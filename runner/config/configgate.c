#include "runner/config/configgate.h"

#include <math.h>
#include <string.h>

const char *const config_metric_names[] = {"task-clock", "cycles", "instructions", "page-faults", "peak-rss", "wall",
        "wait", "branch-misses", "cache-misses", "context-switches", "cpu-migrations", "estimated-cycles", "l1-misses",
        "ll-misses", "allocations", "allocated-bytes", "peak-heap", "system-calls", NULL};

static const char *const perf_metrics[] = {"task-clock", "cycles", "instructions", "page-faults", "peak-rss", "wall",
        "wait", "branch-misses", "cache-misses", "context-switches", "cpu-migrations", NULL};
static const char *const callgrind_metrics[] = {"instructions", "allocations", "system-calls", NULL};
static const char *const cache_metrics[] = {"estimated-cycles", "l1-misses", "ll-misses", "branch-misses", NULL};
static const char *const heap_metrics[] = {"allocated-bytes", "peak-heap", NULL};

gboolean config_own_metric_name(const char *name)
{
	static const char *const taken[] = {"functions", "work", NULL};
	gsize length = strlen(name);
	return length > 0 && length <= CONFIG_METRIC_NAME_MAX &&
	       strspn(name, G_CSET_a_2_z G_CSET_DIGITS "-") == length && !g_strv_contains(config_metric_names, name) &&
	       !g_strv_contains(taken, name);
}

gboolean config_declares_metric(const ConfigBenchmark *benchmark, const char *metric)
{
	return benchmark->metrics != NULL && g_strv_contains((const char *const *)benchmark->metrics, metric);
}

gboolean config_measures(const ConfigBenchmark *benchmark, const char *engine, const char *metric)
{
	if (!config_uses_engine(benchmark, engine))
		return FALSE;
	if (g_str_equal(engine, CONFIG_ENGINE_PERF))
		return g_strv_contains(perf_metrics, metric) || config_declares_metric(benchmark, metric);
	return g_strv_contains(callgrind_metrics, metric) ||
	       (benchmark->cache && g_strv_contains(cache_metrics, metric)) ||
	       (benchmark->heap && g_strv_contains(heap_metrics, metric));
}

const ConfigGate *config_gate(const ConfigBenchmark *benchmark, const char *metric)
{
	/* the last one wins: a benchmark's own gate comes after that of `defaults` */
	for (guint i = benchmark->gates->len; i > 0; i--) {
		const ConfigGate *gate = benchmark->gates->pdata[i - 1];
		if (g_str_equal(gate->metric, metric))
			return gate;
	}
	return NULL;
}

void config_gate_free(ConfigGate *gate)
{
	if (gate == NULL)
		return;
	g_free(gate->metric);
	g_free(gate);
}

ConfigGate *config_gate_copy(const ConfigGate *gate)
{
	ConfigGate *copy = g_memdup2(gate, sizeof *gate);
	copy->metric = g_strdup(gate->metric);
	return copy;
}

/* Built-in metrics and the benchmark's own, NULL-terminated; the names are borrowed. */
static GPtrArray *gate_names(const ConfigBenchmark *benchmark)
{
	GPtrArray *names = g_ptr_array_new();
	for (gsize i = 0; config_metric_names[i] != NULL; i++)
		g_ptr_array_add(names, (gpointer)config_metric_names[i]);
	for (guint i = 0; benchmark->metrics != NULL && benchmark->metrics[i] != NULL; i++)
		g_ptr_array_add(names, benchmark->metrics[i]);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean read_gate(const YamlNode *key, const YamlNode *value, ConfigBenchmark *benchmark, GError **error)
{
	static const char *const known[] = {"margin", "pass_margin", "gates", NULL};
	g_autoptr(GPtrArray) names = gate_names(benchmark);
	guint metric;
	if (!yaml_read_choice(key, (const char *const *)names->pdata, &metric, error) ||
	        !yaml_check_keys(value, known, error))
		return FALSE;
	ConfigGate *gate = g_new0(ConfigGate, 1);
	g_ptr_array_add(benchmark->gates, gate);
	*gate = (ConfigGate){
	        .metric = g_strdup(names->pdata[metric]), .margin = NAN, .pass_margin = NAN, .gates = TRUE};
	if (!yaml_read_percent(yaml_mapping_get(value, "margin"), &gate->margin, error) ||
	        !yaml_read_percent(yaml_mapping_get(value, "pass_margin"), &gate->pass_margin, error) ||
	        !yaml_read_bool(yaml_mapping_get(value, "gates"), &gate->gates, error))
		return FALSE;
	if (gate->pass_margin < gate->margin)
		return yaml_error(
		        yaml_mapping_get(value, "pass_margin"), error, "pass_margin must not be smaller than margin");
	return TRUE;
}

/* `true`, `false` or `strict`. */
static gboolean read_functions(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	benchmark->strict_functions = node->kind == YAML_SCALAR && g_str_equal(node->text, "strict");
	benchmark->gate_functions = TRUE;
	if (benchmark->strict_functions && !node->quoted)
		return TRUE;
	benchmark->strict_functions = FALSE;
	if (yaml_read_bool(node, &benchmark->gate_functions, NULL))
		return TRUE;
	return yaml_error(node, error, "expected true, false or strict");
}

gboolean config_gates_read(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_MAPPING, error))
		return FALSE;
	for (guint i = 0; i < yaml_length(node); i++) {
		if (g_str_equal(yaml_key(node, i)->text, "functions")) {
			if (!read_functions(yaml_item(node, i), benchmark, error))
				return FALSE;
		} else if (!read_gate(yaml_key(node, i), yaml_item(node, i), benchmark, error)) {
			return FALSE;
		} else {
			benchmark->gates_given = TRUE;
		}
	}
	return TRUE;
}

/* What has to be written for the metric to be measured, as the end of a message. */
static const char *what_is_missing(const ConfigBenchmark *benchmark, const char *metric)
{
	gboolean counts = config_uses_engine(benchmark, CONFIG_ENGINE_CALLGRIND);
	if (g_strv_contains(cache_metrics, metric))
		return counts ? "needs `cache: true`" : "needs `callgrind` in `engines`, and `cache: true`";
	if (g_strv_contains(heap_metrics, metric))
		return counts ? "needs `heap: true`" : "needs `callgrind` in `engines`, and `heap: true`";
	return counts ? "needs `perf` in `engines`" : "needs `callgrind` in `engines`";
}

static const YamlNode *find_key(const YamlNode *mapping, const char *key)
{
	for (guint i = 0; mapping != NULL && i < yaml_length(mapping); i++)
		if (g_str_equal(yaml_key(mapping, i)->text, key))
			return yaml_key(mapping, i);
	return NULL;
}

gboolean config_gates_check(
        const YamlNode *own, const YamlNode *defaults, const ConfigBenchmark *benchmark, GError **error)
{
	for (guint i = 0; i < benchmark->gates->len; i++) {
		const char *metric = ((const ConfigGate *)benchmark->gates->pdata[i])->metric;
		if (!config_gate(benchmark, metric)->gates || config_measures(benchmark, CONFIG_ENGINE_PERF, metric) ||
		        config_measures(benchmark, CONFIG_ENGINE_CALLGRIND, metric))
			continue;
		const YamlNode *key = find_key(own, metric);
		if (key != NULL)
			return yaml_error(key, error, "%s cannot gate, since it is not measured: it %s", metric,
			        what_is_missing(benchmark, metric));
		return yaml_error(find_key(defaults, metric), error,
		        "%s cannot gate benchmark \"%s\", where it is not measured: it %s; or write `%s: {gates: "
		        "false}` in the gate of that benchmark",
		        metric, benchmark->name, what_is_missing(benchmark, metric), metric);
	}
	return TRUE;
}
