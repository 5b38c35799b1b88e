/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configgate.h"

#include "model/engine.h"
#include "runner/config/configfields.h"
#include "runner/config/configlookup.h"

#include <math.h>

/* Built-in metrics, the benchmark's own and those of its framework, NULL-terminated; the names are borrowed. */
static GPtrArray *gate_names(const ConfigBenchmark *benchmark)
{
	GPtrArray *names = g_ptr_array_new();
	for (gsize i = 0; config_metric_names[i] != NULL; i++)
		g_ptr_array_add(names, (gpointer)config_metric_names[i]);
	for (guint i = 0; benchmark->metrics != NULL && benchmark->metrics[i] != NULL; i++)
		g_ptr_array_add(names, benchmark->metrics[i]);
	for (const char *const *name = config_framework_metrics(benchmark); *name != NULL; name++)
		g_ptr_array_add(names, (gpointer)*name);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean read_gate(const YamlNode *key, const YamlNode *value, ConfigBenchmark *benchmark, GError **error)
{
	g_autoptr(GPtrArray) names = gate_names(benchmark);
	guint metric;
	const char *objection = config_framework_objection(benchmark, key->text);
	if (objection != NULL)
		return yaml_error(key, error, "%s cannot gate: it %s", key->text, objection);
	if (!yaml_read_choice(key, (const char *const *)names->pdata, &metric, error) ||
	        !config_keys_check(CONFIG_IN_METRIC, CONFIG_ALL_KEYS, value, error))
		return FALSE;
	ConfigGate *gate = g_new0(ConfigGate, 1);
	g_ptr_array_add(benchmark->gates, gate);
	*gate = (ConfigGate){.metric = g_strdup(names->pdata[metric]), .margin = NAN, .pass_margin = NAN};
	config_keys_init(CONFIG_IN_METRIC, gate);
	if (!config_keys_read(CONFIG_IN_METRIC, CONFIG_ALL_KEYS, value, gate, error))
		return FALSE;
	if (gate->pass_margin < gate->margin)
		return yaml_error(
		        yaml_mapping_get(value, "pass_margin"), error, "pass_margin must not be smaller than margin");
	return TRUE;
}

gboolean config_gates_read(const YamlNode *node, ConfigBenchmark *benchmark, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (!yaml_expect(node, YAML_MAPPING, error))
		return FALSE;
	for (guint i = 0; i < yaml_length(node); i++) {
		if (g_str_equal(yaml_key(node, i)->text, "functions"))
			continue;
		if (!read_gate(yaml_key(node, i), yaml_item(node, i), benchmark, error))
			return FALSE;
		benchmark->gates_given = TRUE;
	}
	return config_keys_read(CONFIG_IN_GATE, CONFIG_ALL_KEYS, node, benchmark, error);
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
		if (!config_gate(benchmark, metric)->gates || config_measures(benchmark, &engine_perf, metric) ||
		        config_measures(benchmark, &engine_callgrind, metric))
			continue;
		const YamlNode *key = find_key(own, metric);
		if (key != NULL)
			return yaml_error(key, error, "%s cannot gate, since it is not measured: it %s", metric,
			        config_metric_needs(benchmark, metric));
		return yaml_error(find_key(defaults, metric), error,
		        "%s cannot gate benchmark \"%s\", where it is not measured: it %s; or write `%s: {gates: "
		        "false}` in the gate of that benchmark",
		        metric, benchmark->name, config_metric_needs(benchmark, metric), metric);
	}
	return TRUE;
}
