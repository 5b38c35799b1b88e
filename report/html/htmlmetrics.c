/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlmetrics.h"

#include "compare/comparison/shownvalues.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"
#include "report/words/highlights.h"
#include "report/words/standing.h"
#include "report/words/wording.h"

#include <math.h>

void html_verdict_chip(GString *out, Verdict verdict)
{
	static const char *const signs[] = {
	        [VERDICT_PASS] = "✓", [VERDICT_REGRESSION] = "✕", [VERDICT_INCONCLUSIVE] = "?", [VERDICT_ERROR] = "!"};
	g_string_append_printf(out, "<span class=\"chip %s\">%s %s</span>", verdict_name(verdict), signs[verdict],
	        wording_verdict(verdict));
}

static void append_accepted_chip(GString *out)
{
	g_string_append(out, "<span class=\"chip open\">✓ Accepted</span>");
}

void html_benchmark_chip(GString *out, const CheckResult *result, const ResultBenchmark *benchmark)
{
	Standing standing = standing_of(result, benchmark);
	if (standing == STANDING_ACCEPTED) {
		append_accepted_chip(out);
	} else if (standing == STANDING_NEW) {
		g_string_append(out, "<span class=\"chip open\">New</span>");
	} else if (standing == STANDING_SHIFTED) {
		g_string_append(out, "<span class=\"chip pass\">✓ Cost moved</span>");
	} else if (standing == STANDING_IMPROVED) {
		const char *word = standing_word(benchmark, standing);
		g_string_append_printf(
		        out, "<span class=\"chip better\">✓ %c%s</span>", g_ascii_toupper(*word), word + 1);
	} else {
		html_verdict_chip(out, result_benchmark_verdict(benchmark));
	}
}

static char *say_value(const MetricComparison *metric, double value)
{
	return engine_counts(metric->engine) ? number_counted(value, highlights_unit(metric))
	                                     : number_value(value, metric->unit);
}

static void append_name(GString *out, const MetricComparison *metric)
{
	g_string_append(out, "<th scope=\"row\">");
	html_code(out, metric->name);
	if (metric->higher_is_better)
		g_string_append(out, " <span class=\"more\">higher is better</span>");
	if (metric->engine == &engine_benchmark)
		g_string_append(out, " <span class=\"more\">reported by the benchmark</span>");
	g_string_append(out, "</th>");
}

static void append_change(GString *out, const MetricComparison *metric, double margins)
{
	g_autofree char *change = wording_metric_change(metric), *interval = wording_metric_interval(metric);
	g_autofree char *label = g_strdup_printf("%s %s", change, interval);
	html_open_cell(out, "n", metric->change_ratio);
	html_element(out, "b", NULL, change);
	if (*interval != '\0')
		html_element(out, "div", "more", interval);
	g_string_append(out, "</td><td class=\"barcell\">");
	html_metric_bar(out, metric, margins, label);
	g_string_append(out, "</td>");
}

static void append_verdict(GString *out, const MetricComparison *metric)
{
	g_string_append(out, "<td>");
	if (metric->gates && metric->accepted)
		append_accepted_chip(out);
	else if (metric->gates)
		html_verdict_chip(out, metric->verdict);
	else
		html_element(out, "span", "more", wording_metric_verdict(metric));
	if (wording_not_judged(metric) == NULL && metric->reason != NULL && metric->verdict != VERDICT_PASS)
		html_element(out, "div", "more", metric->reason);
	g_string_append(out, "</td>");
}

/* Appends the cells between the bar and the verdict: margin, what could have been found, and how often it was
 * measured. */
static void append_evidence(GString *out, const MetricComparison *metric, gboolean counted)
{
	g_autofree char *margin = metric->gates ? wording_margins(metric) : g_strdup("–");
	g_autofree char *runs = counted ? wording_runs(metric) : g_strdup_printf("%u", metric->rounds);
	g_autofree char *found = counted                              ? wording_repeats(metric)
	                         : wording_not_judged(metric) != NULL ? g_strdup("–")
	                         : isfinite(metric->mde_ratio)        ? number_share(metric->mde_ratio)
	                                                              : g_strdup("none");
	html_number_cell(out, metric->gates ? metric->margin : NAN, margin);
	html_number_cell(out, counted ? NAN : metric->mde_ratio, found);
	html_number_cell(out, metric->rounds, runs);
}

static void append_row(GString *out, const MetricComparison *metric, double margins)
{
	gboolean counted = engine_counts(metric->engine);
	double shown = metric_shown_head(metric);
	g_autofree char *base = say_value(metric, metric->base), *head = say_value(metric, shown);
	g_string_append(out, metric->gates ? "<tr class=\"gating\">" : "<tr>");
	append_name(out, metric);
	html_number_cell(out, metric->base, base);
	html_number_cell(out, shown, head);
	append_change(out, metric, margins);
	append_evidence(out, metric, counted);
	append_verdict(out, metric);
	g_string_append(out, "</tr>\n");
}

static void append_head(GString *out, gboolean counted)
{
	g_string_append_printf(out,
	        "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">base</th><th scope=\"col\" "
	        "class=\"n\">"
	        "head</th><th scope=\"col\" class=\"n\">change</th><th scope=\"col\">against the margin</th><th "
	        "scope=\"col\" class=\"n\">margin</th><th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" "
	        "class=\"n\">"
	        "%s</th><th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n",
	        counted ? "counted" : "measured", counted ? "repeats" : "least detectable",
	        counted ? "runs" : "rounds");
}

static void append_table(GString *out, const GPtrArray *metrics, gboolean counted)
{
	gboolean begun = FALSE;
	double margins = HTML_MIN_MARGINS;
	for (guint i = 0; i < metrics->len; i++)
		margins = html_margins_for(margins, g_ptr_array_index(metrics, i));
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (engine_counts(metric->engine) != counted)
			continue;
		if (!begun) {
			g_string_append(
			        out, "<div class=\"scroll\"><table class=\"sortable metrics\">\n<caption><span>");
			g_string_append(
			        out, counted ? "Counts per unit of work, and their range over the runs."
			                     : "Per unit of work: the median of base, and head by the change that "
			                       "pairs of runs show. The bar is the interval of the change, the "
			                       "dot its estimate; the shaded zone ends at the margin.");
			g_string_append_printf(out, "%s</span></caption>\n", html_bars_words(margins));
			append_head(out, counted);
			begun = TRUE;
		}
		append_row(out, metric, margins);
	}
	if (begun)
		g_string_append(out, "</tbody></table></div>\n");
}

/* Gating ones come first. */
static guint count_kept(const GPtrArray *metrics, guint max_rows)
{
	guint n = 0;
	while (n < metrics->len && (n < max_rows || ((MetricComparison *)g_ptr_array_index(metrics, n))->gates))
		n++;
	return n;
}

/* Appends both tables of those that a reader wants to see at once, or of the others; returns how many there are. */
static guint append_tables(GString *out, const BenchmarkComparison *comparison, const GPtrArray *metrics, gboolean seen)
{
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();
	for (guint i = 0; i < metrics->len; i++) {
		MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (!highlights_shows_metric(comparison, metric) == !seen)
			g_ptr_array_add(chosen, metric);
	}
	append_table(out, chosen, FALSE);
	append_table(out, chosen, TRUE);
	return chosen->len;
}

static void append_rest(GString *out, const BenchmarkComparison *comparison, const GPtrArray *metrics)
{
	g_autoptr(GString) rest = g_string_new(NULL);
	guint n = append_tables(rest, comparison, metrics, FALSE);
	if (n == 0)
		return;
	g_string_append_printf(out,
	        "<details class=\"rest\"><summary>show %u more that %s not gate</summary>\n%s</details>\n", n,
	        n == 1 ? "does" : "do", rest->str);
}

void html_metrics(HtmlPage *page, const BenchmarkComparison *comparison, guint max_rows)
{
	g_autoptr(GPtrArray) metrics = highlights_metrics(comparison);
	guint all = metrics->len, kept = count_kept(metrics, max_rows);
	g_ptr_array_set_size(metrics, (gint)kept);
	append_tables(page->body, comparison, metrics, TRUE);
	append_rest(page->body, comparison, metrics);
	if (kept < all)
		g_string_append_printf(page->body, "<p class=\"note\">%u more metric%s in report.json.</p>\n",
		        all - kept, all - kept == 1 ? " that does not gate is" : "s that do not gate are");
}
