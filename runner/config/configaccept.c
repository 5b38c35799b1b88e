#include "runner/config/configaccept.h"

#include "core/nearestword.h"

#include <string.h>

static const char *const source_names[] = {"config", "trailer", NULL};

void config_accept_free(ConfigAccept *accept)
{
	if (accept == NULL)
		return;
	g_free(accept->benchmark);
	g_free(accept->function);
	g_free(accept->until);
	g_free(accept->reason);
	g_free(accept);
}

/* --- accept_from --- */

static gboolean read_source_list(const YamlNode *node, guint *from, GError **error)
{
	guint named = 0;
	if (yaml_length(node) == 0)
		return yaml_error(node, error, "expected at least one of config, trailer; or write `none`");
	for (guint i = 0; i < yaml_length(node); i++) {
		guint source = 0;
		if (!yaml_read_choice(yaml_item(node, i), source_names, &source, error))
			return FALSE;
		if ((named & 1U << source) != 0)
			return yaml_error(yaml_item(node, i), error, "%s is there already", source_names[source]);
		named |= 1U << source;
	}
	*from = named;
	return TRUE;
}

static gboolean read_sources(const YamlNode *node, guint *from, GError **error)
{
	if (node == NULL)
		return TRUE;
	if (node->kind != YAML_SCALAR)
		return yaml_expect(node, YAML_SEQUENCE, error) && read_source_list(node, from, error);
	if (!g_str_equal(node->text, "none"))
		return yaml_error(node, error, "expected a list of config and trailer, or `none`");
	*from = 0;
	return TRUE;
}

/* --- accept --- */

static gboolean looks_like_a_date(const char *text)
{
	static const char pattern[] = "dddd-dd-dd";
	if (strlen(text) != strlen(pattern))
		return FALSE;
	for (gsize i = 0; pattern[i] != '\0'; i++)
		if (pattern[i] == '-' ? text[i] != '-' : !g_ascii_isdigit(text[i]))
			return FALSE;
	return TRUE;
}

/* The first second after that day in UTC; FALSE unless it is a date written like 2026-12-31. */
static gboolean day_end(const char *text, gint64 *seconds)
{
	if (!looks_like_a_date(text))
		return FALSE;
	guint year = (guint)strtoul(text, NULL, 10), month = (guint)strtoul(text + 5, NULL, 10);
	guint day = (guint)strtoul(text + 8, NULL, 10);
	if (!g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year))
		return FALSE;
	g_autoptr(GDateTime) begin = g_date_time_new_utc((int)year, (int)month, (int)day, 0, 0, 0);
	*seconds = g_date_time_to_unix(begin) + 24 * 60 * 60;
	return TRUE;
}

static gboolean read_until(const YamlNode *node, ConfigAccept *accept, GError **error)
{
	if (!yaml_read_string(node, &accept->until, error))
		return FALSE;
	return node == NULL || day_end(accept->until, &accept->until_end_s) ||
	       yaml_error(node, error, "expected a date such as 2026-12-31; it is the last day that counts, in UTC");
}

static gboolean read_reason(const YamlNode *map, ConfigAccept *accept, GError **error)
{
	const YamlNode *node = yaml_require(map, "reason", error);
	if (node == NULL || !yaml_read_string(node, &accept->reason, error))
		return FALSE;
	if (*g_strstrip(accept->reason) == '\0')
		return yaml_error(node, error, "a reason has words: reviewers read it beside the verdict");
	return g_utf8_strlen(accept->reason, -1) <= CONFIG_ACCEPT_REASON_MAX ||
	       yaml_error(node, error, "a reason has at most %d characters", CONFIG_ACCEPT_REASON_MAX);
}

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
	static const char *const known[] = {"benchmark", "function", "until", "reason", NULL};
	if (!yaml_check_keys(map, known, error))
		return FALSE;
	const YamlNode *benchmark = yaml_require(map, "benchmark", error);
	if (benchmark == NULL || !yaml_read_string(benchmark, &accept->benchmark, error))
		return FALSE;
	if (config_benchmark(config, accept->benchmark) == NULL)
		return unknown_benchmark(benchmark, config, error);
	accept->line = map->line;
	return yaml_read_string(yaml_mapping_get(map, "function"), &accept->function, error) &&
	       read_until(yaml_mapping_get(map, "until"), accept, error) && read_reason(map, accept, error);
}

gboolean config_accept_read(const YamlNode *root, Config *config, GError **error)
{
	const YamlNode *list = yaml_mapping_get(root, "accept");
	config->accept_from = ACCEPT_FROM_CONFIG | ACCEPT_FROM_TRAILERS;
	if (!read_sources(yaml_mapping_get(root, "accept_from"), &config->accept_from, error))
		return FALSE;
	if (list == NULL)
		return TRUE;
	if (!yaml_expect(list, YAML_SEQUENCE, error))
		return FALSE;
	if (yaml_length(list) > CONFIG_MAX_ACCEPT)
		return yaml_error(list, error, "there are at most %d entries: remove those that base has, too",
		        CONFIG_MAX_ACCEPT);
	for (guint i = 0; i < yaml_length(list); i++) {
		ConfigAccept *accept = g_new0(ConfigAccept, 1);
		g_ptr_array_add(config->accept, accept);
		if (!read_entry(yaml_item(list, i), config, accept, error))
			return FALSE;
	}
	return TRUE;
}

/* --- base and head --- */

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

char *config_accept_weakened(const Config *base, const Config *head)
{
	guint added = head->accept_from & ~base->accept_from;
	if (added == 0)
		return NULL;
	return g_strdup_printf("accept_from allows %s", added == ACCEPT_FROM_CONFIG ? "entries of `accept`"
	                                                : added == ACCEPT_FROM_TRAILERS
	                                                        ? "commit trailers"
	                                                        : "entries of `accept` and commit trailers");
}
