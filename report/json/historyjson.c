/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/historyjson.h"

#include "core/json/fieldtable.h"
#include "core/json/jsonfields.h"
#include "model/engine.h"

#include <math.h>

static const Field point_fields[] = {
        FIELD("sha", WORDS, HistoryPoint, sha),
        FIELD("subject", WORDS, HistoryPoint, subject),
        FIELD("time_s", SECONDS, HistoryPoint, time_s),
        FIELD("same_environment", FLAG, HistoryPoint, same_environment),
        FIELD("median", COST, HistoryPoint, median),
        FIELD("range", COST_PAIR, HistoryPoint, lower),
        FIELD("runs", COUNT, HistoryPoint, runs),
        FIELD_RARE("fingerprint", WORDS, HistoryPoint, fingerprint),
        FIELD_NEW("unmeasured", COUNT, HistoryPoint, unmeasured),
};

static const Field change_fields[] = {
        FIELD("point", COUNT, HistoryChange, point),
        FIELD_LATER("sha"),
        FIELD("before", COST, HistoryChange, before),
        FIELD("after", COST, HistoryChange, after),
        FIELD("change_pct", SHARE, HistoryChange, change),
        FIELD("p", NUMBER, HistoryChange, p_value),
        FIELD("worse", FLAG, HistoryChange, worse),
        FIELD("candidates", COUNT, HistoryChange, candidates),
        FIELD_NEW("earliest", COUNT, HistoryChange, earliest),
        FIELD_NEW("latest", COUNT, HistoryChange, latest),
        FIELD_NEW("drift", FLAG, HistoryChange, drifts),
};

/* Whose history it is stands there where that does not go without saying. */
static const Field history_fields[] = {
        FIELD_RARE("benchmark", WORDS, MetricHistory, benchmark),
        FIELD_RARE("function", WORDS, MetricHistory, function),
        FIELD_RARE("module", WORDS, MetricHistory, module),
        FIELD("metric", WORDS, MetricHistory, metric),
        FIELD_CHOICE("engine", MetricHistory, engine, engine_row, ENGINES),
        FIELD("unit", WORDS, MetricHistory, unit),
        FIELD("higher_is_better", FLAG, MetricHistory, higher_is_better),
        FIELD("counted", FLAG, MetricHistory, counted),
        FIELD_LATER("points"),
        FIELD_LATER("changes"),
};

static json_t *metric_json(const MetricHistory *history)
{
	gboolean counted = engine_counts(history->engine);
	json_t *object = fields_json(FIELD_TABLE(history_fields), history, FALSE);
	json_t *changes = rows_json(ELEMENT_TABLE(change_fields, HistoryChange), history->changes, counted);
	for (guint i = 0; i < history->changes->len; i++) {
		guint point = g_array_index(history->changes, HistoryChange, i).point;
		json_set(json_array_get(changes, i), "sha",
		        json_text(g_array_index(history->points, HistoryPoint, point).sha));
	}
	json_set(object, "points", rows_json(ELEMENT_TABLE(point_fields, HistoryPoint), history->points, counted));
	json_set(object, "changes", changes);
	return object;
}

json_t *history_json(const GPtrArray *history)
{
	json_t *array = json_array();
	for (guint i = 0; history != NULL && i < history->len; i++)
		json_array_append_new(array, metric_json(g_ptr_array_index(history, i)));
	return array;
}

/* A change from 0 has no number. One of a point that is not there is none. */
static void read_change(MetricHistory *history, const json_t *object)
{
	HistoryChange change = {0};
	fields_read(NULL, object, FIELD_TABLE(change_fields), &change, engine_counts(history->engine));
	if (isnan(change.change))
		change.change = copysign(INFINITY, change.after - change.before);
	if (change.earliest == 0 || change.latest < change.earliest || change.latest >= history->points->len)
		change.earliest = change.latest = 0;
	if (change.point > 0 && change.point < history->points->len)
		g_array_append_val(history->changes, change);
}

static MetricHistory *read_metric(FieldReading *reading, const json_t *object)
{
	const json_t *points = json_object_get(object, "points"), *changes = json_object_get(object, "changes");
	MetricHistory *history = metric_history_new(NULL, NULL, NULL);
	fields_read(reading, object, FIELD_TABLE(history_fields), history, FALSE);
	rows_read(NULL, points, ELEMENT_TABLE(point_fields, HistoryPoint), history->points,
	        engine_counts(history->engine));
	for (gsize i = 0; i < json_array_size(changes); i++)
		read_change(history, json_array_get(changes, i));
	return history;
}

GPtrArray *history_read(FieldReading *reading, const json_t *array)
{
	if (json_array_size(array) == 0)
		return NULL;
	GPtrArray *history = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(history, read_metric(reading, json_array_get(array, i)));
	return history;
}
