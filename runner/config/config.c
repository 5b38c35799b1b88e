/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/config.h"

#include "runner/config/configaccept.h"
#include "runner/config/configbenchmark.h"
#include "runner/config/configfields.h"

/* Reads a mapping of the root whose keys go into the Config itself. */
static gboolean read_section(
        const YamlNode *root, const char *name, ConfigSection section, Config *config, GError **error)
{
	const YamlNode *map = yaml_mapping_get(root, name);
	return map == NULL || (config_keys_check(section, CONFIG_ALL_KEYS, map, error) &&
	                              config_keys_read(section, CONFIG_ALL_KEYS, map, config, error));
}

Config *config_parse(const char *text, gsize length, const char *file, GError **error)
{
	g_autoptr(YamlNode) root = yaml_parse(text, length, file, error);
	if (root == NULL || !config_keys_check(CONFIG_IN_ROOT, CONFIG_ALL_KEYS, root, error))
		return NULL;
	g_autoptr(Config) config = config_new();
	config_keys_init(CONFIG_IN_ROOT, config);
	config_keys_init(CONFIG_IN_BUILD, config);
	config_keys_init(CONFIG_IN_BASELINES, config);
	if (!config_keys_read(CONFIG_IN_ROOT, CONFIG_ALL_KEYS, root, config, error) ||
	        !read_section(root, "build", CONFIG_IN_BUILD, config, error) ||
	        !read_section(root, "baselines", CONFIG_IN_BASELINES, config, error) ||
	        !config_benchmarks_read(root, config, error) || !config_accept_read(root, config, error))
		return NULL;
	return g_steal_pointer(&config);
}

GPtrArray *config_weakened(const Config *base, const Config *head)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	config_keys_compare(CONFIG_IN_BASELINES, base, head, list);
	config_keys_compare(CONFIG_IN_BUILD, base, head, list);
	config_keys_compare(CONFIG_IN_ROOT, base, head, list);
	for (guint i = 0; i < base->benchmarks->len; i++) {
		const ConfigBenchmark *was = base->benchmarks->pdata[i];
		const ConfigBenchmark *is = config_benchmark(head, was->name);
		if (is == NULL) {
			g_ptr_array_add(list, g_strdup_printf("%s: the benchmark is removed", was->name));
			continue;
		}
		config_keys_compare(CONFIG_IN_BENCHMARK, was, is, list);
		config_keys_compare(CONFIG_IN_GATE, was, is, list);
	}
	return list;
}
