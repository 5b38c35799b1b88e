/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlverdict.h"

#include "report/html/htmlanswers.h"
#include "report/html/htmlmetrics.h"
#include "report/html/htmltext.h"
#include "report/words/headline.h"
#include "report/words/highlights.h"
#include "report/words/standingrows.h"
#include "report/words/wording.h"

#include <string.h>

#define MAX_REASONS 50

static void append_side(GString *out, const char *word, const ResultSide *side)
{
	g_autofree char *sha = wording_sha(side->sha);
	g_string_append_printf(out, "<span class=\"side\"><span class=\"word\">%s</span> <code title=\"", word);
	html_text(out, side->sha);
	g_string_append(out, "\">");
	html_text(out, sha);
	g_string_append(out, "</code>");
	if (*side->ref != '\0' && strcmp(side->ref, side->sha) != 0) {
		g_string_append(out, " ");
		html_code(out, side->ref);
	}
	if (*side->subject != '\0') {
		g_string_append(out, " <span class=\"subject\">");
		html_short(out, side->subject, 120);
		g_string_append(out, "</span>");
	}
	g_string_append(out, "</span>");
}

/* TRUE if the benchmark of a reason is among those that the answers are about, or in the table with what was found. */
static gboolean is_said_below(const CheckResult *result, const ResultReason *reason)
{
	guint n_look;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	for (guint i = 0; reason->benchmark != NULL && i < rows->len; i++) {
		const StandingRow *row = &g_array_index(rows, StandingRow, i);
		if (strcmp(row->benchmark->name, reason->benchmark) == 0)
			return row->benchmark->comparison != NULL ||
			       (i < HTML_MAX_ANSWERED && result->mode == CHECK_GATE);
	}
	return FALSE;
}

static void append_reasons(GString *out, const CheckResult *result, const char *headline)
{
	guint n = 0;
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		if (strcmp(reason->text, headline) == 0 || is_said_below(result, reason))
			continue;
		if (n++ == 0)
			g_string_append(out, "<ul class=\"reasons\">\n");
		if (n <= MAX_REASONS)
			html_element(out, "li", NULL, reason->text);
	}
	if (n > MAX_REASONS)
		g_string_append_printf(out, "<li class=\"note\">%u more are in report.json</li>\n", n - MAX_REASONS);
	if (n > 0)
		g_string_append(out, "</ul>\n");
}

/* Appends the first lines below a verdict of pass, which say what is slower all the same. */
static void append_slower(GString *out, const CheckResult *result)
{
	g_autoptr(GPtrArray) slower = highlights_slower(result);
	for (guint i = 0; i < MIN(slower->len, MAX_REASONS); i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(slower, i);
		g_string_append_printf(out, "<p class=\"slower\"><span class=\"chip warning\">%s</span> ",
		        highlights_is_shift(benchmark) ? "cost moved" : "slower in a function");
		html_code(out, benchmark->name);
		g_string_append(out, ": ");
		html_text(out, benchmark->comparison->slower);
		g_string_append(out, "</p>\n");
	}
	if (slower->len > MAX_REASONS)
		g_string_append_printf(out,
		        "<p class=\"note\">%u more benchmarks passed with a slower function; they are "
		        "in report.json</p>\n",
		        slower->len - MAX_REASONS);
}

static const char *mode_words(CheckMode mode)
{
	return mode == CHECK_CALIBRATE   ? "calibration: base against base"
	       : mode == CHECK_SELF_TEST ? "self-test: base against base with a planted delay"
	                                 : NULL;
}

/* "1 slower, 2 faster, 7 unchanged" */
static void append_counts(GString *out, const CheckResult *result)
{
	if (result->benchmarks->len == 0)
		return;
	g_autofree char *counts = standing_counts(result);
	html_element(out, "span", "counts", counts);
}

void html_verdict_card(GString *out, const CheckResult *result)
{
	g_autofree char *headline = headline_text(result);
	g_string_append_printf(out, "<header class=\"%s\">\n<p class=\"verdict\">",
	        headline_is_first_run(result) ? "new" : verdict_name(result->verdict));
	if (headline_is_first_run(result))
		html_element(out, "span", "chip open", headline_word(result));
	else
		html_verdict_chip(out, result->verdict);
	if (mode_words(result->mode) != NULL)
		html_element(out, "span", "more", mode_words(result->mode));
	else
		append_counts(out, result);
	g_string_append(out, "</p>\n<h1>");
	html_short(out, headline, 400);
	g_string_append(out, "</h1>\n");
	append_slower(out, result);
	g_string_append(out, "<p class=\"sides\">");
	append_side(out, "base", &result->base);
	g_string_append(out, " <span class=\"arrow\">→</span> ");
	append_side(out, "head", &result->head);
	g_string_append(out, "</p>\n");
	append_reasons(out, result, headline);
	html_answers(out, result);
	g_string_append(out, "</header>\n");
}
