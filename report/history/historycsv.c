/* SPDX-License-Identifier: Apache-2.0 */
#include "report/history/historycsv.h"

#include "core/escape.h"

#include <math.h>

static const char header[] = "benchmark,function,module,engine,metric,unit,commit,time_s,subject,fingerprint,"
                             "same_environment,unmeasured,median,lower,upper,runs,change_ratio\n";

static void append_text(GString *out, const char *text)
{
	escape_csv(out, text, -1);
	g_string_append_c(out, ',');
}

static void append_number(GString *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	if (isfinite(value))
		g_string_append(out, g_ascii_dtostr(text, sizeof text, value));
}

static const HistoryChange *change_at(const MetricHistory *history, guint point)
{
	for (guint i = 0; i < history->changes->len; i++) {
		const HistoryChange *change = &g_array_index(history->changes, HistoryChange, i);
		if (change->point == point)
			return change;
	}
	return NULL;
}

static void append_point(GString *out, const MetricHistory *history, guint index)
{
	const HistoryPoint *point = &g_array_index(history->points, HistoryPoint, index);
	const HistoryChange *change = change_at(history, index);
	const char *const owner[] = {history->benchmark, history->function, history->module, history->engine->name,
	        history->metric, history->unit, point->sha};
	const double values[] = {point->median, point->lower, point->upper};
	for (guint i = 0; i < G_N_ELEMENTS(owner); i++)
		append_text(out, owner[i]);
	g_string_append_printf(out, "%" G_GINT64_FORMAT ",", point->time_s);
	append_text(out, point->subject);
	append_text(out, point->fingerprint);
	g_string_append_printf(out, "%s,%u,", point->same_environment ? "true" : "false", point->unmeasured);
	for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
		append_number(out, values[i]);
		g_string_append_c(out, ',');
	}
	g_string_append_printf(out, "%u,", point->runs);
	if (change != NULL)
		append_number(out, 1 + change->change);
	g_string_append_c(out, '\n');
}

char *history_csv(const HistorySet *set)
{
	GString *out = g_string_new(header);
	for (guint i = 0; i < set->histories->len; i++) {
		const MetricHistory *history = set->histories->pdata[i];
		for (guint p = 0; p < history->points->len; p++)
			append_point(out, history, p);
	}
	return g_string_free(out, FALSE);
}
