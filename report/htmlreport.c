#include "report/htmlreport.h"

#include "report/highlights.h"
#include "report/htmlbenchmark.h"
#include "report/htmlclosing.h"
#include "report/htmlmetrics.h"
#include "report/htmloverview.h"
#include "report/htmltext.h"
#include "report/wording.h"

#include <string.h>

#define PICTURES_BYTES 1200000 /* of all flame graphs together */
#define FUNCTION_ROWS 400      /* of all tables together; a row has about 1,100 bytes */
#define MOST_ROWS 150
#define LEAST_ROWS 12
#define OPEN_BENCHMARKS 3 /* so few are all unfolded, whatever they say */

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

/* TRUE if the benchmark of a reason stands in the table with what was found. */
static gboolean is_said_below(const CheckResult *result, const ResultReason *reason)
{
	for (guint i = 0; reason->benchmark != NULL && i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (strcmp(benchmark->name, reason->benchmark) == 0)
			return benchmark->comparison != NULL;
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
		html_element(out, "li", NULL, reason->text);
	}
	if (n > 0)
		g_string_append(out, "</ul>\n");
}

static const char *mode_words(CheckMode mode)
{
	return mode == CHECK_CALIBRATE   ? "calibration: base against base"
	       : mode == CHECK_SELF_TEST ? "self-test: base against base with a planted delay"
	                                 : NULL;
}

static void append_header(GString *out, const CheckResult *result)
{
	g_autofree char *headline = highlights_headline(result);
	g_string_append_printf(out, "<header class=\"%s\">\n<p class=\"verdict\">", verdict_name(result->verdict));
	html_verdict_chip(out, result->verdict);
	if (mode_words(result->mode) != NULL)
		html_element(out, "span", "more", mode_words(result->mode));
	g_string_append(out, "</p>\n<h1>");
	html_short(out, headline, 400);
	g_string_append(out, "</h1>\n<p class=\"sides\">");
	append_side(out, "base", &result->base);
	g_string_append(out, " <span class=\"arrow\">→</span> ");
	append_side(out, "head", &result->head);
	g_string_append(out, "</p>\n");
	append_reasons(out, result, headline);
	g_string_append(out, "</header>\n");
}

static gboolean is_worth_opening(const ResultBenchmark *benchmark)
{
	return benchmark->comparison == NULL || benchmark->comparison->verdict != VERDICT_PASS;
}

static guint count_lists(const CheckResult *result)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++)
		n += highlights_function_lists(g_ptr_array_index(result->benchmarks, i), lists);
	return MAX(n, 1);
}

static void append_benchmarks(HtmlPage *page, const CheckResult *result, const GPtrArray *ids)
{
	guint lists = count_lists(result);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		html_benchmark(
		        page, &(HtmlBenchmark){
		                      .result = result,
		                      .benchmark = benchmark,
		                      .id = g_ptr_array_index(ids, i),
		                      .open = is_worth_opening(benchmark) || result->benchmarks->len <= OPEN_BENCHMARKS,
		                      .max_functions = CLAMP(FUNCTION_ROWS / lists, LEAST_ROWS, MOST_ROWS),
		                      .max_picture = PICTURES_BYTES / lists,
		              });
	}
}

char *report_html(const HtmlReport *report, gsize *length)
{
	const CheckResult *result = report->result;
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *headline = highlights_headline(result);
	g_autofree char *title = g_strdup_printf("%s: %s", wording_verdict(result->verdict), headline);
	HtmlPage page;
	html_page_init(&page);
	for (guint i = 0; i < result->benchmarks->len; i++)
		g_ptr_array_add(ids, html_page_id(&page, "benchmark",
		                             ((ResultBenchmark *)g_ptr_array_index(result->benchmarks, i))->name));
	append_header(page.body, result);
	g_string_append(page.body, "<main>\n");
	html_overview(&page, result, ids);
	append_benchmarks(&page, result, ids);
	html_closing(&page, result);
	g_string_append(page.body, "</main>\n");
	return html_page_finish(&page, title, length);
}
