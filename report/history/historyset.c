#include "report/history/historyset.h"

#include "compare/statistics/changepoints.h"
#include "core/json/findingjson.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/json/historyjson.h"
#include "report/words/highlights.h"

gboolean history_leads(const MetricHistory *history)
{
	if (*history->function != '\0' || history->engine == &engine_benchmark)
		return TRUE;
	return g_str_equal(history->metric, engine_counts(history->engine) ? "instructions" : "task-clock");
}

GPtrArray *history_set_shown(const HistorySet *set, gboolean all)
{
	GPtrArray *shown = g_ptr_array_new();
	for (guint i = 0; i < set->histories->len; i++)
		if (all || history_leads(set->histories->pdata[i]))
			g_ptr_array_add(shown, set->histories->pdata[i]);
	for (guint i = 0; shown->len == 0 && i < set->histories->len; i++)
		g_ptr_array_add(shown, set->histories->pdata[i]);
	return shown;
}

guint history_newest_part(const MetricHistory *history)
{
	guint first = history->points->len;
	while (first > 0)
		if (!g_array_index(history->points, HistoryPoint, --first).same_environment)
			break;
	return first;
}

/* The most points that were measured in one environment. */
static guint longest_part(const MetricHistory *history)
{
	guint longest = 0, own = 0;
	for (guint i = 0; i < history->points->len; i++) {
		own = g_array_index(history->points, HistoryPoint, i).same_environment ? own + 1 : 1;
		longest = MAX(longest, own);
	}
	return longest;
}

char *history_too_few(const MetricHistory *history)
{
	guint n = longest_part(history);
	if (history->counted || n >= CHANGE_MIN_VALUES)
		return NULL;
	return g_strdup_printf("%u commit%s%s: too few to say where the level changed; at least %d are needed", n,
	        n == 1 ? "" : "s", n < history->points->len ? " in one environment" : "", CHANGE_MIN_VALUES);
}

char *history_value(const MetricHistory *history, double value)
{
	return engine_counts(history->engine) ? number_counted(value, history->unit)
	                                      : number_value(value, history->unit);
}

char *history_set_json(const HistorySet *set)
{
	json_auto_t *root = json_object();
	json_set(root, "schema", json_string(HISTORY_SCHEMA));
	json_set(root, "revision", json_text(set->revision));
	json_set(root, "sha", json_text(set->sha));
	json_set(root, "commits", json_integer(set->commits));
	json_set(root, "findings", finding_list_json(set->findings, TRUE));
	json_set(root, "histories", history_json(set->histories));
	return json_dump_text(root, NULL);
}
