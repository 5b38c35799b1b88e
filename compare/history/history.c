/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/history.h"

static void point_clear(gpointer data)
{
	HistoryPoint *point = data;
	g_free(point->sha);
	g_free(point->subject);
	g_free(point->fingerprint);
}

gboolean history_change_is_range(const HistoryChange *change)
{
	return change->earliest > 0 && (change->drifts || change->earliest < change->latest);
}

static char *copy(const char *text)
{
	return g_strdup(text != NULL ? text : "");
}

MetricHistory *metric_history_new(const char *metric, const Engine *engine, const char *unit)
{
	MetricHistory *history = g_new0(MetricHistory, 1);
	history->metric = copy(metric);
	history->engine = engine;
	history->unit = copy(unit);
	history->benchmark = copy("");
	history->function = copy("");
	history->module = copy("");
	history->changes = g_array_new(FALSE, FALSE, sizeof(HistoryChange));
	history->points = g_array_new(FALSE, FALSE, sizeof(HistoryPoint));
	g_array_set_clear_func(history->points, point_clear);
	return history;
}

void metric_history_free(MetricHistory *history)
{
	if (history == NULL)
		return;
	g_free(history->metric);
	g_free(history->unit);
	g_free(history->benchmark);
	g_free(history->function);
	g_free(history->module);
	g_array_unref(history->changes);
	g_array_unref(history->points);
	g_free(history);
}

void metric_history_add(MetricHistory *history, const HistoryPoint *point)
{
	HistoryPoint kept = *point;
	kept.sha = copy(point->sha);
	kept.subject = copy(point->subject);
	kept.fingerprint = copy(point->fingerprint);
	g_array_append_val(history->points, kept);
}
