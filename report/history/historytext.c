/* SPDX-License-Identifier: Apache-2.0 */
#include "report/history/historytext.h"

#include "core/escape.h"
#include "profile/hotspots/hotspots.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"

#include <math.h>

#define LEVELS 8
#define SUBJECT_CHARS 60
/* Smaller differences are drawn as what they are: small. */
#define MIN_SPAN .01

static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const letters[LEVELS] = {"_", ".", "-", "~", "=", "+", "*", "#"};

static const HistoryPoint *point_at(const MetricHistory *history, guint index)
{
	return &g_array_index(history->points, HistoryPoint, index);
}

static guint level_of(double value, double low, double span)
{
	double share = span > 0 ? (value - low) / span : 0;
	return (guint)CLAMP(floor(share * LEVELS), 0, LEVELS - 1);
}

char *history_spark(const MetricHistory *history, gboolean utf8)
{
	guint n = history->points->len, first = n > HISTORY_SPARK_POINTS ? n - HISTORY_SPARK_POINTS : 0;
	double low = INFINITY, high = -INFINITY;
	GString *spark = g_string_new(NULL);
	for (guint i = first; i < n; i++) {
		low = fmin(low, point_at(history, i)->median);
		high = fmax(high, point_at(history, i)->median);
	}
	double span = fmax(high - low, MIN_SPAN * fabs(high));
	for (guint i = first; i < n; i++) {
		const HistoryPoint *point = point_at(history, i);
		guint level = isfinite(point->median) ? level_of(point->median, low, span) : 0;
		if (i > first && !point->same_environment)
			g_string_append(spark, utf8 ? "╎" : "|");
		if (!isfinite(point->median))
			g_string_append_c(spark, '?');
		else
			g_string_append(spark, utf8 ? blocks[level] : letters[level]);
	}
	return g_string_free(spark, FALSE);
}

static void append_safe(GString *out, const char *text)
{
	escape_terminal(out, text, -1);
}

static void append_title(GString *out, const MetricHistory *history)
{
	append_safe(out, history->benchmark);
	g_string_append(out, ": ");
	if (*history->function != '\0') {
		g_autofree char *name = hotspots_short_name(history->function, SUBJECT_CHARS);
		append_safe(out, name);
		g_string_append(out, ", self ");
	}
	append_safe(out, history->metric);
	g_string_append(out, " (");
	g_string_append(out, history->engine->name);
	g_string_append_printf(out, "), %u commit%s\n", history->points->len, history->points->len == 1 ? "" : "s");
}

/* Tells the change from the first to the last value of the newest environment. */
static void append_course(GString *out, const MetricHistory *history, gboolean utf8)
{
	guint first = history_newest_part(history), last = history->points->len - 1;
	double from = point_at(history, first)->median, to = point_at(history, last)->median;
	g_autofree char *spark = history_spark(history, utf8), *sha = wording_sha(point_at(history, first)->sha);
	g_autofree char *before = history_value(history, from), *after = history_value(history, to);
	g_string_append_printf(out, "  %s  ", spark);
	if (first < last) {
		append_safe(out, before);
		g_string_append(out, utf8 ? " → " : " -> ");
	}
	append_safe(out, after);
	/* of a function it would be a share of something else than where its own values stand */
	if (first < last && *history->function == '\0') {
		g_autofree char *change = wording_history_change(history, from == to ? 0 : to / from - 1);
		g_string_append_printf(out, ", %s", change);
	}
	if (first < last)
		g_string_append_printf(out, " since %s", sha);
	g_string_append_c(out, '\n');
}

/* "" where it is not known. Owned by the caller. */
static char *date_of(gint64 time_s)
{
	g_autoptr(GDateTime) time = time_s != 0 ? g_date_time_new_from_unix_utc(time_s) : NULL;
	return time != NULL ? g_date_time_format(time, "%Y-%m-%d") : g_strdup("");
}

static void append_cause(TextTable *table, const MetricHistory *history, const HistoryChange *change)
{
	g_autofree char *spread = wording_history_spread(change);
	if (spread != NULL) {
		text_table_cell(table, spread, NULL);
		return;
	}
	const HistoryPoint *point = point_at(history, change->point);
	g_autofree char *subject = wording_shorten(point->subject, SUBJECT_CHARS);
	g_autoptr(GString) cause = g_string_new(NULL);
	append_safe(cause, subject);
	if (change->candidates == 2)
		g_string_append(cause, " (or the commit before it, not measured)");
	else if (change->candidates > 2)
		g_string_append_printf(cause, " (or one of the %u before it, not measured)", change->candidates - 1);
	text_table_cell(table, cause->str, NULL);
}

static void append_changes(GString *out, const MetricHistory *history, gboolean colour)
{
	g_autoptr(TextTable) table = text_table_new("rllll");
	for (guint i = 0; i < history->changes->len; i++) {
		const HistoryChange *change = &g_array_index(history->changes, HistoryChange, i);
		gboolean is_range = history_change_is_range(change);
		const HistoryPoint *point = point_at(history, is_range ? change->latest : change->point);
		const char *style = !colour ? NULL : change->worse ? "\033[31m" : "\033[32m";
		g_autofree char *size = wording_history_change(history, change->change);
		g_autofree char *sha = wording_sha(point->sha), *date = date_of(point->time_s);
		g_autofree char *range = wording_history_range(history, change);
		text_table_cell(table, size, style);
		text_table_cell(table, change->worse ? "worse" : "better", style);
		text_table_cell(table, range != NULL ? range : sha, NULL);
		text_table_cell(table, date, NULL);
		append_cause(table, history, change);
	}
	text_table_append(out, table, "  ", 0);
}

static void append_too_few(GString *out, const MetricHistory *history)
{
	g_autofree char *words = history_too_few(history);
	if (words != NULL)
		g_string_append_printf(out, "  %s\n", words);
}

static void append_environments(GString *out, const MetricHistory *history)
{
	for (guint i = 1; i < history->points->len; i++) {
		g_autofree char *sha = wording_sha(point_at(history, i)->sha);
		if (!point_at(history, i)->same_environment)
			g_string_append_printf(out, "  another environment from %s on\n", sha);
	}
}

char *history_text(const HistorySet *set, const HistoryTextOptions *options)
{
	GString *out = g_string_new(NULL);
	g_autoptr(GPtrArray) shown = history_set_shown(set, options->all);
	for (guint i = 0; i < shown->len; i++) {
		const MetricHistory *history = shown->pdata[i];
		append_title(out, history);
		append_course(out, history, options->utf8);
		append_changes(out, history, options->colour);
		append_too_few(out, history);
		append_environments(out, history);
	}
	if (shown->len < set->histories->len)
		g_string_append_printf(out, "%u more with --all\n", set->histories->len - shown->len);
	return g_string_free(out, FALSE);
}
