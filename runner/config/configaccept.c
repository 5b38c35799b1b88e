/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configaccept.h"

#include "core/nearestword.h"
#include "runner/config/configfields.h"
#include "runner/config/configlookup.h"

static gboolean unknown_benchmark(const YamlNode *node, const Config *config, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (guint i = 0; i < config->benchmarks->len; i++)
		g_ptr_array_add(names, ((const ConfigBenchmark *)config->benchmarks->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	const char *near = nearest_word(node->text, (const char *const *)(void *)names->pdata);
	if (near != NULL)
		return yaml_error(node, error, "no benchmark is named \"%s\"; did you mean \"%s\"?", node->text, near);
	return yaml_error(node, error, "no benchmark is named \"%s\"", node->text);
}

static gboolean read_entry(const YamlNode *map, const Config *config, ConfigAccept *accept, GError **error)
{
	if (!config_keys_check(CONFIG_IN_ACCEPT, CONFIG_ALL_KEYS, map, error) ||
	        !config_keys_read(CONFIG_IN_ACCEPT, CONFIG_ALL_KEYS, map, accept, error))
		return FALSE;
	accept->line = map->line;
	return config_benchmark(config, accept->benchmark) != NULL ||
	       unknown_benchmark(yaml_mapping_get(map, "benchmark"), config, error);
}

gboolean config_accept_read(const YamlNode *root, Config *config, GError **error)
{
	const YamlNode *list = yaml_mapping_get(root, "accept");
	guint most = (guint)config_key_find(CONFIG_IN_ROOT, "accept")->max;
	if (!yaml_expect(list, YAML_SEQUENCE, error))
		return FALSE;
	for (guint i = 0; list != NULL && i < yaml_length(list); i++) {
		if (i >= most)
			return yaml_error(
			        list, error, "there are at most %u entries: remove those that base has, too", most);
		ConfigAccept *accept = g_new0(ConfigAccept, 1);
		g_ptr_array_add(config->accept, accept);
		if (!read_entry(yaml_item(list, i), config, accept, error))
			return FALSE;
	}
	return TRUE;
}

gboolean config_accepts_already(const Config *config, const ConfigAccept *entry)
{
	for (guint i = 0; i < config->accept->len; i++) {
		const ConfigAccept *known = config->accept->pdata[i];
		if (g_str_equal(known->benchmark, entry->benchmark) && g_str_equal(known->reason, entry->reason) &&
		        g_strcmp0(known->function, entry->function) == 0 && g_strcmp0(known->until, entry->until) == 0)
			return TRUE;
	}
	return FALSE;
}
