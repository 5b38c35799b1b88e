/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configbenchmark.h"

#include "model/engine.h"
#include "runner/config/configfields.h"
#include "runner/config/configgate.h"
#include "runner/config/configlookup.h"

/* Fails at the first key of a mapping that only the engine callgrind knows. NULL is fine. */
static gboolean refuse_counted(const YamlNode *map, GError **error)
{
	const ConfigKey *key;
	for (gsize i = 0; (key = config_key(i)) != NULL; i++) {
		const YamlNode *value = yaml_mapping_get(map, key->name);
		if (value != NULL && key->section == CONFIG_IN_BENCHMARK && config_key_set(key) == CONFIG_COUNTED_KEYS)
			return yaml_error(value, error,
			        "`%s` is of the engine callgrind: add it to `engines`, as in `engines: [perf, "
			        "callgrind]`",
			        key->name);
	}
	return TRUE;
}

static gboolean check_name(const YamlNode *map, const ConfigBenchmark *benchmark, const Config *config, GError **error)
{
	if (config_benchmark(config, benchmark->name) == benchmark)
		return TRUE;
	return yaml_error(
	        yaml_mapping_get(map, "name"), error, "another benchmark is named \"%s\" already", benchmark->name);
}

static gboolean check_metrics(const YamlNode *map, const ConfigBenchmark *benchmark, GError **error)
{
	if (benchmark->metrics == NULL || config_uses_engine(benchmark, &engine_perf))
		return TRUE;
	return yaml_error(yaml_mapping_get(map, "metrics"), error,
	        "metrics that the benchmark reports are collected by the engine perf alone: add `perf` to `engines`");
}

/* A framework says how much work a run did, and only it has cases. */
static gboolean check_framework(const YamlNode *map, const ConfigBenchmark *benchmark, GError **error)
{
	gboolean named = benchmark->framework > FRAMEWORK_NONE;
	const YamlNode *work = yaml_mapping_get(map, "work");
	if (named && work != NULL)
		return yaml_error(work, error,
		        "costs of `framework: %s` are per iteration: leave `work` out, or write `framework: none`",
		        framework_name(benchmark->framework));
	if (!named && benchmark->filter != NULL)
		return yaml_error(yaml_mapping_get(map, "filter"), error,
		        "`filter` chooses cases of a framework: name it, as in `framework: google-benchmark`");
	if (!named && benchmark->iterations > 0)
		return yaml_error(yaml_mapping_get(map, "iterations"), error,
		        "`iterations` are those of a framework: name it, as in `framework: google-benchmark`");
	return TRUE;
}

/* Reads the keys that may stand in `defaults`, from there or from the benchmark itself. NULL is fine. */
static gboolean read_settings(const YamlNode *map, ConfigBenchmark *benchmark, GError **error)
{
	gboolean counted = config_uses_engine(benchmark, &engine_callgrind);
	guint sets = counted ? CONFIG_SHARED_KEYS | CONFIG_COUNTED_KEYS : CONFIG_SHARED_KEYS;
	return config_keys_read(CONFIG_IN_BENCHMARK, sets, map, benchmark, error) &&
	       config_gates_read(yaml_mapping_get(map, "gate"), benchmark, error);
}

static gboolean read_benchmark(const YamlNode *map, const YamlNode *defaults, Config *config, GError **error)
{
	ConfigBenchmark *benchmark = config_benchmark_new();
	g_ptr_array_add(config->benchmarks, benchmark);
	config_keys_init(CONFIG_IN_BENCHMARK, benchmark);
	config_keys_init(CONFIG_IN_GATE, benchmark);
	if (!config_keys_check(CONFIG_IN_BENCHMARK, CONFIG_ALL_KEYS, map, error) ||
	        !config_keys_read(CONFIG_IN_BENCHMARK, CONFIG_OWN_KEYS, map, benchmark, error) ||
	        !check_metrics(map, benchmark, error) || !check_framework(map, benchmark, error))
		return FALSE;
	if (!config_uses_engine(benchmark, &engine_callgrind) && !refuse_counted(map, error))
		return FALSE;
	return read_settings(defaults, benchmark, error) && read_settings(map, benchmark, error) &&
	       config_gates_check(
	               yaml_mapping_get(map, "gate"), yaml_mapping_get(defaults, "gate"), benchmark, error) &&
	       check_name(map, benchmark, config, error);
}

gboolean config_benchmarks_read(const YamlNode *root, Config *config, GError **error)
{
	const YamlNode *defaults = yaml_mapping_get(root, "defaults"), *list = yaml_mapping_get(root, "benchmarks");
	guint most = (guint)config_key_find(CONFIG_IN_ROOT, "benchmarks")->max;
	if (!yaml_expect(list, YAML_SEQUENCE, error) ||
	        (defaults != NULL && !config_keys_check(CONFIG_IN_BENCHMARK, CONFIG_SHARED_KEYS | CONFIG_COUNTED_KEYS,
	                                     defaults, error)))
		return FALSE;
	if (yaml_length(list) == 0 || yaml_length(list) > most)
		return yaml_error(
		        list, error, "there must be 1 to %u benchmarks: nothing measured is never a pass", most);
	gboolean counted = FALSE;
	for (guint i = 0; i < yaml_length(list); i++) {
		if (!read_benchmark(yaml_item(list, i), defaults, config, error))
			return FALSE;
		counted = counted || config_uses_engine(config->benchmarks->pdata[i], &engine_callgrind);
	}
	return counted || refuse_counted(defaults, error);
}
