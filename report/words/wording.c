/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/wording.h"

#include "core/escape.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"

#include "compare/comparison/shownvalues.h"
#include "compare/timed/storedmetrics.h"
#include "model/textpiece.h"
#include "report/words/highlights.h"

#include <math.h>
#include <string.h>

#define SHORT_SHA_CHARS 7

char *wording_metric_interval(const MetricComparison *metric)
{
	if (stored_metric_is_unpaired(metric))
		return g_strdup("");
	const NumberWords *words = number_words(engine_counts(metric->engine));
	return words->change_range(metric->lower_ratio, metric->upper_ratio);
}

char *wording_metric_change(const MetricComparison *metric)
{
	return number_words(engine_counts(metric->engine))->change(metric->change_ratio);
}

char *wording_metric_costs(const MetricComparison *metric)
{
	gboolean counted = engine_counts(metric->engine);
	g_autofree char *base = counted ? number_counted(metric->base, NULL) : number_value(metric->base, metric->unit);
	g_autofree char *head = counted ? number_counted(metric->head, highlights_unit(metric))
	                                : number_value(metric_shown_head(metric), metric->unit);
	return g_strdup_printf("%s → %s", base, head);
}

const char *wording_not_judged(const MetricComparison *metric)
{
	return stored_metric_is_unpaired(metric) ? "not judged: other times" : NULL;
}

char *wording_history_change(const MetricHistory *history, double change)
{
	const NumberWords *words = number_words(history->counted);
	if (*history->function != '\0')
		return words->points(change);
	/* A change from 0 is infinite, also one to a value below it. */
	double ratio = isinf(change) ? INFINITY : 1 + change;
	return words->change(ratio);
}

char *wording_history_range(const MetricHistory *history, const HistoryChange *change)
{
	if (!history_change_is_range(change))
		return NULL;
	g_autofree char *good = wording_sha(g_array_index(history->points, HistoryPoint, change->earliest - 1).sha);
	g_autofree char *last = wording_sha(g_array_index(history->points, HistoryPoint, change->latest).sha);
	return g_strdup_printf("%s..%s", good, last);
}

char *wording_history_spread(const HistoryChange *change)
{
	if (!history_change_is_range(change))
		return NULL;
	return g_strdup_printf(
	        change->drifts ? "little by little, over %u commits" : "one of %u commits", change->candidates);
}

char *wording_margins(const MetricComparison *metric)
{
	g_autofree char *margin = number_share(metric->margin), *pass = number_share(metric->pass_margin);
	if (!isfinite(metric->pass_margin) || metric->pass_margin == metric->margin)
		return g_steal_pointer(&margin);
	return g_strdup_printf("%s, pass %s", margin, pass);
}

char *wording_metric_value(const MetricSeries *series, double value)
{
	const char *unit = g_str_equal(series->unit, series->name) ? NULL : series->unit;
	return engine_counts(series->engine) ? number_counted(value, unit) : number_value(value, series->unit);
}

char *wording_sha(const char *sha)
{
	if (sha == NULL || *sha == '\0')
		return g_strdup("?");
	return text_hex_digits(sha) > 0 ? g_strndup(sha, SHORT_SHA_CHARS) : g_strdup(sha);
}

const char *wording_metric_verdict(const MetricComparison *metric)
{
	const char *not_judged = wording_not_judged(metric);
	if (!metric->gates)
		return not_judged != NULL ? not_judged : "does not gate";
	return metric->accepted ? "accepted" : verdict_name(metric->verdict);
}

const char *wording_verdict(Verdict verdict)
{
	static const char *const names[] = {
	        [VERDICT_PASS] = "Pass",
	        [VERDICT_REGRESSION] = "Regression",
	        [VERDICT_INCONCLUSIVE] = "Inconclusive",
	        [VERDICT_ERROR] = "Error",
	};
	return names[verdict];
}

static const char *const relation_words[] = {
        [CHANGE_UNKNOWN] = "",
        [CHANGE_TOUCHED] = "touched",
        [CHANGE_CALLS_TOUCHED] = "calls touched",
        [CHANGE_UNTOUCHED] = "untouched",
        [CHANGE_CALLED_BY_TOUCHED] = "called by touched",
};

const char *wording_part_relation(const InlinedPart *part)
{
	return relation_words[part->relation];
}

const char *wording_part(gboolean is_rest)
{
	return is_rest ? "the rest of it" : ", inlined";
}

const char *wording_hold(const FunctionComparison *function)
{
	static const char *const words[FUNCTION_HOLDS] = {
	        [FUNCTION_NOT_HELD] = NULL,
	        [FUNCTION_HELD_BY_TOTAL] = "total passes",
	        [FUNCTION_HELD_BY_CODE] = "same code",
	        [FUNCTION_HELD_BY_LEVEL] = "too little to fail",
	};
	return words[function->held];
}

char *wording_relation(const FunctionComparison *function)
{
	const char *word = relation_words[function->relation];
	if (function->code != CODE_SAME)
		return g_strdup(word);
	return g_strconcat(word, *word != '\0' ? ", same code" : "same code", NULL);
}

char *wording_rest(const BenchmarkComparison *comparison, const GPtrArray *shown)
{
	double rest = highlights_rest(comparison, shown);
	if (!isfinite(rest) || rest == 0)
		return NULL;
	const NumberWords *words = number_words(comparison->counted);
	g_autofree char *points = words->points(rest), *total = words->points(comparison->total_change);
	return g_strdup_printf("all other cost: %s, of %s in %s", points, total,
	        comparison->counted ? "all" : "the mean of all rounds");
}

/* "1", "5", or "1 + 5" where the sides differ; a report of before values were read has only the number of rounds. */
char *wording_runs(const MetricComparison *metric)
{
	guint base = metric->base_values == NULL ? 0 : metric->base_values->len;
	guint head = metric->head_values == NULL ? 0 : metric->head_values->len;
	if (base == head)
		return g_strdup_printf("%u", base > 0 ? base : metric->rounds);
	return g_strdup_printf("%u + %u", base, head);
}

char *wording_repetitions(const MetricComparison *metric)
{
	if (!engine_counts(metric->engine))
		return g_strdup_printf("%u round%s", metric->rounds, metric->rounds == 1 ? "" : "s");
	g_autofree char *runs = wording_runs(metric);
	return g_strdup_printf("%s run%s", runs, strcmp(runs, "1") == 0 ? "" : "s");
}

/* NaN is the spread of a single run, and fmax() leaves it out. */
char *wording_repeats(const MetricComparison *metric)
{
	double spread = fmax(metric->base_spread, metric->head_spread);
	if (!(spread > 0))
		return g_strdup("exact");
	g_autofree char *size = number_count_size(spread);
	return g_strdup_printf("up to %s apart", size);
}

char *wording_unstable_title(guint n)
{
	return g_strdup_printf("in %u function%s the counts differ between runs of one side; the largest differences:",
	        n, n == 1 ? "" : "s");
}

char *wording_all_same(const BenchmarkComparison *comparison)
{
	g_autofree char *n = number_count(comparison->functions->len);
	return g_strdup_printf("all functions (%s) have the same counts on both sides", n);
}

char *wording_unstable(const UnstableFunction *function, const char *unit)
{
	g_autofree char *lowest = number_counted(function->lowest, NULL);
	g_autofree char *highest = number_counted(function->highest, unit);
	return g_strdup_printf("%s to %s in %s", lowest, highest, function->side == 0 ? "base" : "head");
}

/* TRUE if it may not have been a campaign that confirmed the verdict: beside perf something was counted. */
static gboolean is_counted_too(const BenchmarkComparison *comparison)
{
	for (guint i = 0; comparison->metrics != NULL && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (engine_counts(metric->engine))
			return comparison->confirmation != CONFIRMATION_NOT_RUN;
	}
	return FALSE;
}

const char *wording_confirmed(const BenchmarkComparison *comparison)
{
	static const char *const words[] = {
	        [CONFIRMATION_NOT_NEEDED] = NULL,
	        [CONFIRMATION_NOT_RUN] = "not done",
	        [CONFIRMATION_CONFIRMED] = "confirmed",
	        [CONFIRMATION_NOT_CONFIRMED] = "not confirmed",
	        [CONFIRMATION_UNCLEAR] = "inconclusive",
	        [CONFIRMATION_PARTLY] = "partly confirmed",
	};
	return words[comparison->confirmation];
}

char *wording_confirmation(const BenchmarkComparison *comparison)
{
	static const char *const words[][2] = {
	        [CONFIRMATION_NOT_NEEDED] = {NULL, NULL},
	        [CONFIRMATION_NOT_RUN] = {"not measured a second time", "not counted a second time"},
	        [CONFIRMATION_CONFIRMED] = {"confirmed by a second campaign", "confirmed"},
	        [CONFIRMATION_NOT_CONFIRMED] = {"not confirmed by a second campaign", "not confirmed"},
	        [CONFIRMATION_UNCLEAR] = {"a second campaign was inconclusive", "a second campaign was inconclusive"},
	        [CONFIRMATION_PARTLY] = {"partly confirmed", "partly confirmed"},
	};
	const char *word = words[comparison->confirmation][comparison->counted || is_counted_too(comparison) ? 1 : 0];
	const char *text = comparison->confirmation_text;
	if (word == NULL || text == NULL || *text == '\0')
		return g_strdup(word);
	return g_strconcat(word, ": ", text, NULL);
}

char *wording_calibration(const CalibrationSummary *calibration)
{
	g_autofree char *bound = number_share(calibration->alarm_rate_upper);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text,
	        "in %u A/A campaign%s on this kind of machine %u false alarm%s (at most %s with 95 %% confidence)",
	        calibration->campaigns, calibration->campaigns == 1 ? "" : "s", calibration->false_alarms,
	        calibration->false_alarms == 1 ? "" : "s", bound);
	if (calibration->suspicious)
		g_string_append(text, ", more than are promised: do not trust its regressions");
	if (isfinite(calibration->smallest_visible)) {
		g_autofree char *about = number_about(calibration->smallest_visible);
		g_string_append_printf(text, "; changes from about %s on are visible", about);
	}
	return g_string_free(text, FALSE);
}

/* The code point at `text`, or the byte itself if it is not UTF-8; *length is set to its bytes. */
static gunichar next_char(const char *text, gsize *length)
{
	gunichar c = g_utf8_get_char_validated(text, (gssize)strnlen(text, 6));
	if (c == (gunichar)-1 || c == (gunichar)-2) {
		*length = 1;
		return (guchar)*text;
	}
	*length = (gsize)(g_utf8_next_char(text) - text);
	return c;
}

char *wording_shorten(const char *text, gsize max_chars)
{
	const char *end = text, *last = text;
	for (gsize chars = 0; *end != '\0'; chars++) {
		if (chars == max_chars)
			return max_chars == 0 ? g_strdup("") : g_strdup_printf("%.*s…", (int)(last - text), text);
		gsize length;
		next_char(end, &length);
		last = end;
		end += length;
	}
	return g_strdup(text);
}

/* Words are broken where more than this part of the text would be lost. */
#define MIDDLE_MIN_CHARS 12 /* of less there is no middle to leave out */
#define MAX_LOST 3

char *wording_shorten_words(const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten(text, max_chars);
	gsize end = strlen(shortened), cut = end - MIN(end, strlen("…"));
	if (strcmp(shortened, text) == 0 || text[cut] == ' ')
		return g_steal_pointer(&shortened);
	const char *blank = g_strrstr_len(shortened, (gssize)cut, " ");
	if (blank == NULL || cut - (gsize)(blank - shortened) > cut / MAX_LOST)
		return g_steal_pointer(&shortened);
	while (blank > shortened && strchr(" ,;", blank[-1]) != NULL)
		blank--;
	return g_strdup_printf("%.*s…", (int)(blank - shortened), shortened);
}

char *wording_clean(const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten_words(text, max_chars);
	return escape_to_string(escape_terminal, shortened);
}

char *wording_shorten_middle(const char *text, gsize max_chars)
{
	gboolean valid = g_utf8_validate(text, -1, NULL);
	gsize chars = valid ? (gsize)g_utf8_strlen(text, -1) : 0;
	if (chars <= max_chars || max_chars < MIDDLE_MIN_CHARS)
		return wording_shorten(text, max_chars);
	gsize tail = (max_chars - 1) * 2 / 5, front = max_chars - 1 - tail;
	const char *front_end = g_utf8_offset_to_pointer(text, (glong)front);
	return g_strdup_printf(
	        "%.*s…%s", (int)(front_end - text), text, g_utf8_offset_to_pointer(text, (glong)(chars - tail)));
}

gsize wording_columns(const char *text)
{
	gsize columns = 0;
	while (*text != '\0') {
		gsize length;
		gunichar c = next_char(text, &length);
		columns += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
		text += length;
	}
	return columns;
}
