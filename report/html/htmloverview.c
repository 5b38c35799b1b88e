/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmloverview.h"

#include "model/engine.h"
#include "model/numbers/numberwords.h"
#include "report/html/htmlanswers.h"
#include "report/html/htmlbenchmark.h"
#include "report/html/htmlmetrics.h"
#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"
#include "report/words/highlights.h"
#include "report/words/standing.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define MANY_UNCHANGED 12 /* more of them are folded where others need a look */

/* The data that all rows share. */
typedef struct {
	const CheckResult *result;
	const GPtrArray *ids;
	double margins;     /* how far bars reach */
	gboolean confirmed; /* a regression of any of them was to be measured again */
} Overview;

/* The metric that says most of what was measured, or counted: the one that the sentence is about, else gating ones
 * first, then the gravest verdict, then their order. NULL if there is none. */
static const MetricComparison *leading_metric(
        const CheckResult *result, const ResultBenchmark *benchmark, gboolean counted)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const MetricComparison *told = standing_metric(benchmark, standing_of(result, benchmark)), *leading = NULL;
	if (told != NULL && engine_counts(told->engine) == counted)
		return told;
	for (guint i = 0; comparison != NULL && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		if (engine_counts(metric->engine) != counted || !highlights_shows_metric(comparison, metric))
			continue;
		gboolean graver = leading != NULL && metric->gates && leading->gates &&
		                  verdict_gravity(metric->verdict) > verdict_gravity(leading->verdict);
		if (leading == NULL || (metric->gates && !leading->gates) || graver)
			leading = metric;
	}
	return leading;
}

static void append_lead(GString *out, const MetricComparison *metric)
{
	g_string_append(out, "<div class=\"lead\">");
	html_code(out, metric->name);
	g_autofree char *change = wording_metric_change(metric), *interval = wording_metric_interval(metric);
	g_string_append(out, " <b>");
	html_text(out, change);
	g_string_append(out, "</b> <span class=\"more\">");
	html_text(out, interval);
	g_string_append(out, "</span></div>");
}

static void append_lead_bar(GString *out, const MetricComparison *metric, double margins)
{
	g_autofree char *change = wording_metric_change(metric), *interval = wording_metric_interval(metric);
	g_autofree char *margin = wording_margins(metric);
	g_autofree char *label =
	        g_strdup_printf("%s %s %s, margin %s", metric->name, change, interval, metric->gates ? margin : "none");
	g_string_append(out, "<div class=\"lead\">");
	html_metric_bar(out, metric, margins, label);
	g_string_append(out, "</div>");
}

static void append_leads(GString *out, const Overview *overview, const ResultBenchmark *benchmark)
{
	double margins = overview->margins;
	const MetricComparison *leads[] = {
	        leading_metric(overview->result, benchmark, FALSE), leading_metric(overview->result, benchmark, TRUE)};
	const MetricComparison *first = leads[0] != NULL ? leads[0] : leads[1];
	html_open_cell(out, NULL, first == NULL ? NAN : first->change_ratio);
	for (gsize i = 0; i < G_N_ELEMENTS(leads); i++)
		if (leads[i] != NULL)
			append_lead(out, leads[i]);
	g_string_append(out, first == NULL ? "–</td><td class=\"barcell\">" : "</td><td class=\"barcell\">");
	for (gsize i = 0; i < G_N_ELEMENTS(leads); i++)
		if (leads[i] != NULL)
			append_lead_bar(out, leads[i], margins);
	g_string_append(out, "</td>");
}

/* The function that the benchmark's sentence names, or the one about what is slower all the same. */
static void append_culprit(GString *out, const CheckResult *result, const ResultBenchmark *benchmark)
{
	FunctionList list;
	const FunctionComparison *function = html_answers_cause(result, benchmark, &list);
	g_string_append(out, "<td>");
	if (function != NULL) {
		g_autofree char *points = number_words(list.comparison->counted)->points(function->contribution);
		html_code(out, highlights_name(list.table, function->frame));
		g_string_append_printf(out, "<div class=\"more\">%s of base</div>", points);
	} else {
		g_string_append(out, "–");
	}
	g_string_append(out, "</td>");
}

static void append_confirmation(GString *out, const CheckResult *result, const BenchmarkComparison *comparison)
{
	const char *text = comparison == NULL || result->mode != CHECK_GATE ? NULL : wording_confirmed(comparison);
	html_element(out, "td", NULL, text == NULL ? "–" : text);
}

static void append_row(GString *out, const Overview *overview, guint index)
{
	const ResultBenchmark *benchmark = g_ptr_array_index(overview->result->benchmarks, index);
	const BenchmarkComparison *comparison = benchmark->comparison;
	g_string_append_printf(
	        out, "<tr><th scope=\"row\"><a href=\"#%s\">", (char *)g_ptr_array_index(overview->ids, index));
	html_text(out, benchmark->name);
	g_string_append(out, "</a></th><td>");
	html_benchmark_chip(out, overview->result, benchmark);
	g_string_append(out, "</td>");
	append_leads(out, overview, benchmark);
	append_culprit(out, overview->result, benchmark);
	if (overview->confirmed)
		append_confirmation(out, overview->result, comparison);
	g_string_append(out, "</tr>\n");
}

static double margins_of(const CheckResult *result)
{
	double margins = HTML_MIN_MARGINS;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		for (guint counted = 0; counted < 2; counted++) {
			const MetricComparison *metric = leading_metric(result, benchmark, counted);
			if (metric != NULL)
				margins = html_margins_for(margins, metric);
		}
	}
	return margins;
}

/* --- order --- */

typedef struct {
	guint index;
	guint gravity;
	double size; /* of the larger change that leads, in margins */
} Ranked;

static double size_of(const CheckResult *result, const ResultBenchmark *benchmark)
{
	double size = 0;
	for (guint counted = 0; counted < 2; counted++) {
		const MetricComparison *metric = leading_metric(result, benchmark, counted);
		if (metric != NULL && metric->gates && metric->margin > 0 && isfinite(metric->change_ratio))
			size = fmax(size, fabs(metric->change_ratio - 1) / metric->margin);
	}
	return size;
}

static gint by_rank(gconstpointer left, gconstpointer right)
{
	const Ranked *a = left, *b = right;
	if (a->gravity != b->gravity)
		return a->gravity > b->gravity ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* 0 if it is unchanged. What passed and needs a look all the same comes between that and the rest. */
static guint gravity_of(const CheckResult *result, const ResultBenchmark *benchmark)
{
	Verdict verdict = result_benchmark_verdict(benchmark);
	gboolean noted = verdict == VERDICT_PASS && standing_needs_a_look(standing_of(result, benchmark));
	return noted ? 1 : 2 * verdict_gravity(verdict);
}

GArray *html_overview_order(const CheckResult *result)
{
	g_autoptr(GArray) ranked = g_array_new(FALSE, FALSE, sizeof(Ranked));
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		Ranked one = {i, gravity_of(result, benchmark), size_of(result, benchmark)};
		g_array_append_val(ranked, one);
	}
	g_array_sort(ranked, by_rank);
	GArray *order = g_array_sized_new(FALSE, FALSE, sizeof(guint), ranked->len);
	for (guint i = 0; i < ranked->len; i++)
		g_array_append_val(order, g_array_index(ranked, Ranked, i).index);
	return order;
}

static gboolean is_unchanged(const CheckResult *result, guint index)
{
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, index);
	return gravity_of(result, benchmark) == 0;
}

guint html_overview_folded(const CheckResult *result, const GPtrArray *ids)
{
	guint unchanged = 0, others = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		if (g_ptr_array_index(ids, i) == NULL)
			continue;
		if (is_unchanged(result, i))
			unchanged++;
		else
			others++;
	}
	return others > 0 && unchanged > MANY_UNCHANGED ? unchanged : 0;
}

void html_open_unchanged(GString *out, guint n)
{
	g_string_append_printf(out, "<details class=\"rest\"><summary>%u benchmarks unchanged</summary>\n", n);
}

/* --- tables --- */

static void append_head(GString *out, const Overview *overview)
{
	static const char *const columns[] = {
	        "benchmark", "verdict", "change", "against the margin", "main cause", "measured again"};
	g_string_append_printf(out,
	        "<div class=\"scroll\"><table class=\"sortable overview\">\n<caption><span>Right of the thin line "
	        "head costs more, left of it less. The dot is the measured change, the bar the range in which "
	        "the true one lies (an arrow: open), the grey zone what the margin allows. pp: hundredths of "
	        "the cost of base.%s</span></caption>\n<thead><tr>",
	        html_bars_words(overview->margins));
	for (gsize i = 0; i < G_N_ELEMENTS(columns) - (overview->confirmed ? 0 : 1); i++)
		g_string_append_printf(out, "<th scope=\"col\">%s</th>", columns[i]);
	g_string_append(out, "</tr></thead>\n<tbody>\n");
}

/* Those from the one in place `from` to the one before `to`. */
static void append_table(GString *out, const Overview *overview, const GArray *order, guint from, guint to)
{
	append_head(out, overview);
	for (guint i = from; i < to; i++) {
		guint index = g_array_index(order, guint, i);
		if (g_ptr_array_index(overview->ids, index) != NULL)
			append_row(out, overview, index);
	}
	g_string_append(out, "</tbody></table></div>\n");
}

static gboolean was_confirmed(const CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (benchmark->comparison != NULL && wording_confirmed(benchmark->comparison) != NULL)
			return result->mode == CHECK_GATE;
	}
	return FALSE;
}

static guint count_hidden(const GPtrArray *ids)
{
	guint hidden = 0;
	for (guint i = 0; i < ids->len; i++)
		hidden += g_ptr_array_index(ids, i) == NULL;
	return hidden;
}

static guint count_looked_at(const CheckResult *result)
{
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++)
		n += !is_unchanged(result, i);
	return n;
}

void html_overview(HtmlPage *page, const CheckResult *result, const GPtrArray *ids)
{
	GString *out = page->body;
	Overview overview = {result, ids, margins_of(result), was_confirmed(result)};
	guint hidden = count_hidden(ids), folded = html_overview_folded(result, ids);
	guint n = result->benchmarks->len, seen = folded > 0 ? count_looked_at(result) : n;
	if (n < 2)
		return;
	g_autoptr(GArray) order = html_overview_order(result);
	g_string_append(out, "<section id=\"benchmarks\">\n<h2>Benchmarks</h2>\n");
	append_table(out, &overview, order, 0, seen);
	if (folded > 0) {
		html_open_unchanged(out, folded);
		append_table(out, &overview, order, seen, n);
		g_string_append(out, "</details>\n");
	}
	if (hidden > 0)
		g_string_append_printf(out, "<p class=\"note\">%u more benchmark%s in report.json.</p>\n", hidden,
		        hidden == 1 ? " is" : "s are");
	g_string_append(out, "</section>\n");
}
