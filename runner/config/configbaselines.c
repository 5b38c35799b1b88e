#include "runner/config/configbaselines.h"

#include <string.h>

#define DRIFT_MARGIN .05

void config_baselines_init(Config *config)
{
	config->anchor = g_strdup(CONFIG_ANCHOR_RELEASE);
	config->drift_margin = DRIFT_MARGIN;
}

/* A number is one of commits; whether a revision exists is for the check to find out. */
static gboolean check_anchor(const YamlNode *node, const char *anchor, GError **error)
{
	guint64 n;
	if (strspn(anchor, "0123456789") == strlen(anchor) &&
	        !g_ascii_string_to_unsigned(anchor, 10, 1, CONFIG_ANCHOR_MAX, &n, NULL))
		return yaml_error(
		        node, error, "an anchor is at least 1 and at most %d commits back", CONFIG_ANCHOR_MAX);
	if (*anchor == '-')
		return yaml_error(node, error, "an anchor is release, none, a number of commits, or a revision");
	return TRUE;
}

gboolean config_baselines_read(const YamlNode *map, Config *config, GError **error)
{
	static const char *const known[] = {"anchor", "drift_margin", "gate_drift", NULL};
	if (map == NULL)
		return TRUE;
	const YamlNode *anchor = yaml_mapping_get(map, "anchor");
	return yaml_check_keys(map, known, error) && yaml_read_string(anchor, &config->anchor, error) &&
	       (anchor == NULL || check_anchor(anchor, config->anchor, error)) &&
	       yaml_read_percent(yaml_mapping_get(map, "drift_margin"), &config->drift_margin, error) &&
	       yaml_read_bool(yaml_mapping_get(map, "gate_drift"), &config->gate_drift, error);
}

void config_baselines_compare(GPtrArray *list, const Config *base, const Config *head)
{
	if (!base->gate_drift)
		return;
	if (!head->gate_drift)
		g_ptr_array_add(list, g_strdup("drift no longer gates"));
	else if (head->drift_margin > base->drift_margin)
		g_ptr_array_add(list, g_strdup("drift_margin is larger"));
	if (!g_str_equal(head->anchor, base->anchor))
		g_ptr_array_add(list, g_strdup("drift is measured from another anchor"));
}
