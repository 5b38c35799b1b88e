/* SPDX-License-Identifier: Apache-2.0 */
#include "report/history/historyset.h"

#include "compare/statistics/changepoints.h"
#include "core/json/document.h"
#include "model/engine.h"
#include "model/numbers/numberwords.h"
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
	return number_words(engine_counts(history->engine))->value(value, history->unit);
}

static json_t *histories_json(gconstpointer set, G_GNUC_UNUSED gboolean counted)
{
	return history_json(((const HistorySet *)set)->histories);
}

static const Field set_fields[] = {
        FIELD("revision", TEXT, HistorySet, revision),
        FIELD("sha", TEXT, HistorySet, sha),
        FIELD("commits", COUNT, HistorySet, commits),
        FIELD_MADE("histories", histories_json, NULL),
};

char *history_set_json(const HistorySet *set)
{
	const JsonDocument document = {
	        .schema = HISTORY_SCHEMA,
	        .table = FIELD_TABLE(set_fields),
	        .benchmarks = TRUE,
	        .findings = set->findings,
	};
	return json_document(&document, set, NULL);
}
