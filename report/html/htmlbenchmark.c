/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlbenchmark.h"

#include "core/escape.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/flame/flamediff.h"
#include "report/html/htmlannotation.h"
#include "report/html/htmlanswers.h"
#include "report/html/htmlfunctions.h"
#include "report/html/htmlhistory.h"
#include "report/html/htmlmetrics.h"
#include "report/html/htmlparts.h"
#include "report/html/htmlpicture.h"
#include "report/html/htmlrounds.h"
#include "report/html/htmlsandwich.h"
#include "report/html/htmltext.h"
#include "report/words/benchmarkline.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define PLOTS_SHOWN 4
#define METRIC_BYTES 1400   /* that a row of the table of metrics takes */
#define PLOT_BYTES 16000    /* that a plot of rounds takes, or of earlier commits */
#define FUNCTION_BYTES 1300 /* that a row of a table of functions takes */
#define MAX_FUNCTIONS 150
#define MIN_FUNCTIONS 4
#define MAX_PICTURE ((gsize)1200000)
/* Shares of the room that is left when their turn comes. */
#define METRICS_SHARE .3
#define PLOTS_SHARE .25
#define FUNCTIONS_SHARE .22
#define ANNOTATIONS_SHARE .3
#define CALLERS_SHARE .15
#define PICTURE_SHARE .8
#define FRAME_BYTES 800         /* that a frame of a picture takes, names of usual length assumed */
#define PICTURE_BYTES 12000     /* that a picture takes beside its frames */
#define MIN_FRAMES 20           /* that a picture has at least */
#define MIN_BYTES ((gsize)5000) /* with less room than that a benchmark is told in words alone */

static void append_remark(GString *out, const char *text)
{
	if (text != NULL && *text != '\0')
		html_element(out, "li", NULL, text);
}

/* Appends what belongs to the verdict: its reason, the result of the second campaign, and what both engines say
 * together. */
static void append_remarks(GString *out, const HtmlBenchmark *shown)
{
	const ResultBenchmark *benchmark = shown->benchmark;
	const BenchmarkComparison *comparison = benchmark->comparison;
	g_string_append(out, "<ul class=\"remarks\">\n");
	if (comparison != NULL) {
		g_autofree char *again = shown->result->mode == CHECK_GATE ? wording_confirmation(comparison) : NULL;
		append_remark(out, comparison->slower);
		append_remark(out, benchmark_line_rest(shown->result, benchmark));
		append_remark(out, again);
		append_remark(out, comparison->pair_text);
	}
	append_remark(out, highlights_base_source(benchmark));
	if (benchmark->calibration != NULL) {
		g_autofree char *text = wording_calibration(benchmark->calibration);
		append_remark(out, text);
	}
	g_string_append(out, "</ul>\n");
}

/* Plots of the metrics that gate, at most `most`; counts that repeat have nothing to plot. */
static void append_rounds(GString *out, const BenchmarkComparison *comparison, guint most)
{
	g_autoptr(GPtrArray) metrics = highlights_metrics(comparison);
	guint n = 0;
	for (guint i = 0; i < metrics->len && n < most; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (engine_counts(metric->engine) || !highlights_shows_metric(comparison, metric) ||
		        !html_has_rounds(metric))
			continue;
		if (n++ == 0) {
			g_string_append(out, "<h3>Rounds</h3>\n<p class=\"note\">Left: the rounds in the order of "
			                     "measuring. Right: all of them side by side.</p>\n");
			html_rounds_legend(out, metric);
			g_string_append(out, "<div class=\"plots\">\n");
		}
		html_rounds(out, metric);
	}
	if (n > 0)
		g_string_append(out, "</div>\n");
}

/* The words for what costs are means of, where the work of a measurement is that of all its runs together. */
static const char *per_words(const HtmlBenchmark *shown, const HtmlEvidence *evidence)
{
	if (!shown->summed)
		return NULL;
	const Measurement *measured = shown->benchmark->head != NULL ? shown->benchmark->head : evidence->head;
	double work = measured->runs->len > 0 ? g_array_index(measured->runs, RunFacts, 0).work : 1;
	return work > 0 && work != 1 ? "unit of work" : "run";
}

/* The picture, drawn once: narrow frames are left out where there is little room. NULL if it takes more than
 * `max_bytes` all the same. Owned by the caller. */
static char *draw_within(const HtmlBenchmark *shown, const HtmlEvidence *evidence, gsize max_bytes)
{
	g_autofree char *base = wording_sha(shown->result->base.sha), *head = wording_sha(shown->result->head.sha);
	g_autofree char *title = g_strdup_printf("base %s → head %s", base, head);
	FlameDiff diff = {
	        .base = evidence->base->profile,
	        .head = evidence->head->profile,
	        .base_work = evidence->base->work,
	        .head_work = evidence->head->work,
	        .comparison = evidence->list.comparison,
	        .counted = evidence->counted,
	        .without_data = TRUE,
	        .per = per_words(shown, evidence),
	        .frames_only = TRUE,
	        .max_frames = (guint)MAX(((double)max_bytes - PICTURE_BYTES) / FRAME_BYTES, MIN_FRAMES),
	        .benchmark = shown->benchmark->name,
	        .title = title,
	};
	g_autofree char *svg = flame_diff_svg(&diff, NULL);
	return html_picture_bytes(svg) <= max_bytes ? g_steal_pointer(&svg) : NULL;
}

/* A link to a file of the output folder, if its name is one that we give; else nothing, and FALSE. */
static gboolean append_link(GString *out, const char *file)
{
	if (file == NULL || *file == '.' || *file == '-' || *file == '\0' ||
	        file[strspn(file, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-")] != '\0')
		return FALSE;
	g_string_append(out, "<a href=\"");
	html_text(out, file);
	g_string_append(out, "\">");
	html_text(out, file);
	g_string_append(out, "</a>");
	return TRUE;
}

static void append_file(GString *out, const char *file)
{
	gsize before = out->len;
	g_string_append(out, "<p class=\"note\">The picture as a file of the output folder: ");
	if (append_link(out, file))
		g_string_append(out, "</p>\n");
	else
		g_string_truncate(out, before);
}

/* Pictures of what was sampled beside what decides, which are files only. */
static void append_other_pictures(GString *out, const ResultBenchmark *benchmark)
{
	guint n = 0;
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		g_autofree char *event = escape_to_string(escape_filename, profile->event);
		g_autofree char *kind = g_strconcat(event, ".diff_svg", NULL);
		const char *file = highlights_artifact(benchmark, kind);
		if (profile->decides || file == NULL)
			continue;
		g_string_append(out, n++ == 0 ? "<h3>Other profiles</h3>\n<ul>\n<li>" : "<li>");
		html_text(out, profile->event);
		g_string_append(out, ", base → head: ");
		append_link(out, file);
		g_string_append(out, "</li>\n");
	}
	if (n > 0)
		g_string_append(out, "</ul>\n");
}

/* The name of the function that explains the change, if it is one of these; else NULL. Borrowed. */
static const char *cause_of(const HtmlBenchmark *shown, const HtmlEvidence *evidence)
{
	FunctionList list;
	const FunctionComparison *function = html_answers_cause(shown->result, shown->benchmark, &list);
	return function != NULL && list.comparison == evidence->list.comparison
	               ? highlights_name(list.table, function->frame)
	               : NULL;
}

static void append_drawn(HtmlPage *page, const HtmlBenchmark *shown, const HtmlEvidence *evidence, gsize max_bytes)
{
	g_autofree char *svg = draw_within(shown, evidence, max_bytes);
	if (svg == NULL) {
		g_string_append(page->body, "<p class=\"note\">It is too large for this page.</p>\n");
		return;
	}
	html_picture(page, svg, "differential flame graph", cause_of(shown, evidence));
}

static void append_picture(HtmlPage *page, const HtmlBenchmark *shown, const HtmlEvidence *evidence, gsize max_bytes)
{
	gboolean drawn = html_evidence_has_profiles(evidence);
	if (!drawn && evidence->diff_file == NULL)
		return;
	g_string_append(page->body, "<h4>Flame graph, base → head</h4>\n");
	if (drawn)
		append_drawn(page, shown, evidence, max_bytes);
	append_file(page->body, evidence->diff_file);
}

/* The room of a benchmark that is left while it is rendered. */
typedef struct {
	const HtmlPage *page;
	gsize start, room;
} Meter;

static Meter meter_start(const HtmlPage *page, gsize room)
{
	return (Meter){page, page->body->len + page->data->len, room};
}

/* A share of what is left. */
static gsize meter_share(const Meter *meter, double share)
{
	gsize used = meter->page->body->len + meter->page->data->len - meter->start;
	return (gsize)(share * (double)(meter->room - MIN(used, meter->room)));
}

/* The table has its room first, then source, and the picture what is left; a reader sees source, picture and table. */
static void append_evidence(
        HtmlParts *parts, const HtmlBenchmark *shown, const HtmlEvidence *evidence, const Meter *meter)
{
	HtmlPage *page = parts->page;
	guint list = evidence->list.comparison == shown->benchmark->comparison ? 0 : 1;
	g_autofree char *title = highlights_list_title(&evidence->list);
	*title = g_ascii_toupper(*title);
	g_string_append(page->body, "<section>\n");
	html_element(page->body, "h3", NULL, title);
	gsize start = page->body->len;
	html_functions(page, evidence);
	html_unstable(page, evidence);
	html_part_end(parts, html_part_of(HTML_PART_FUNCTIONS, list), start);
	gsize functions = page->body->len;
	html_annotations(page, evidence, meter_share(meter, ANNOTATIONS_SHARE));
	html_part_end(parts, html_part_of(HTML_PART_SOURCE, list), functions);
	html_part_move(parts, functions, start);
	gsize source_end = start + page->body->len - functions;
	gsize picture = page->body->len;
	append_picture(page, shown, evidence, MIN(meter_share(meter, PICTURE_SHARE), MAX_PICTURE));
	html_part_end(parts, html_part_of(HTML_PART_PICTURE, list), picture);
	html_part_move(parts, picture, source_end);
	gsize callers = page->body->len;
	html_sandwich(page, evidence);
	html_part_end(parts, html_part_of(HTML_PART_CALLERS, list), callers);
	g_string_append(page->body, "</section>\n");
}

static void append_fact(GString *out, const char *name, const char *text)
{
	html_element(out, "dt", NULL, name);
	html_element(out, "dd", NULL, text);
}

static void append_yardstick(GString *out, const Contamination *yardstick)
{
	if (yardstick->rounds == 0)
		return;
	g_autofree char *change = number_change(yardstick->change_ratio);
	g_autofree char *interval = number_change_interval(yardstick->lower_ratio, yardstick->upper_ratio);
	g_autofree char *text = g_strdup_printf("%s %s%s", change, interval,
	        yardstick->contaminated ? ": something other than the code made a difference" : "");
	append_fact(out, "control program, the same on both sides", text);
}

/* Appends how it was measured; nothing where that is not known. */
static void append_campaign(GString *out, const ResultBenchmark *benchmark)
{
	const CampaignFacts *campaign = &benchmark->campaign;
	const Measurement *side = benchmark->head != NULL ? benchmark->head : benchmark->base;
	if (campaign->rounds == 0)
		return;
	g_autofree char *rounds = g_strdup_printf("%u, %u measured again", campaign->rounds, campaign->retries);
	g_autofree char *stack = number_value(campaign->stack_bytes, "bytes");
	g_autofree char *layouts = g_strdup_printf("%u", campaign->layouts);
	g_autofree char *overlap = number_share(campaign->overlap_share);
	g_autofree char *needed = number_value(campaign->elapsed_s * 1e9, "ns");
	g_string_append(out, "<details class=\"facts\"><summary>How it was measured</summary><dl>\n");
	append_fact(out, "rounds", rounds);
	if (side != NULL && *side->schedule != '\0')
		append_fact(out, "schedule", side->schedule);
	if (campaign->layouts > 1)
		append_fact(out, "layouts of each side", layouts);
	if (isfinite(campaign->overlap_share))
		append_fact(out, "time that both ran", overlap);
	append_yardstick(out, &campaign->yardstick);
	if (campaign->stack_bytes > 0)
		append_fact(out, "stack looked at with each sample", stack);
	append_fact(out, "time needed", needed);
	if (campaign->out_of_time)
		append_fact(out, "stopped", "before the last look, for the limit on time");
	g_string_append(out, "</dl></details>\n");
}

static void append_summary(GString *out, const HtmlBenchmark *shown)
{
	g_string_append_printf(out, "<details class=\"benchmark%s\" id=\"%s\"%s>\n<summary><h2>",
	        shown->card ? "" : " line", shown->id, shown->card ? " open=\"\"" : "");
	html_benchmark_chip(out, shown->result, shown->benchmark);
	g_string_append(out, " <span class=\"what\">");
	html_text(out, shown->benchmark->name);
	g_string_append(out, "</span></h2>\n");
	html_element(out, "p", "sentence", benchmark_line(shown->result, shown->benchmark));
	g_string_append(out, "</summary>\n");
}

/* Plots of metrics at earlier commits, where they are known. */
static void append_history(GString *out, const HtmlBenchmark *shown, guint most)
{
	const GPtrArray *history = shown->benchmark->history;
	guint n = 0;
	for (guint i = 0; history != NULL && i < history->len && n < most; i++) {
		HtmlHistory one = {.history = g_ptr_array_index(history, i),
		        .base_sha = shown->result->base.sha,
		        .head_sha = shown->result->head.sha};
		if (!html_has_history(one.history))
			continue;
		if (n++ == 0)
			g_string_append(out, "<h3>History</h3>\n<div class=\"plots\">\n");
		html_history(out, &one);
	}
	if (n > 0)
		g_string_append(out, "</div>\n");
}

static void append_metrics(HtmlParts *parts, const HtmlBenchmark *shown, const Meter *meter)
{
	const BenchmarkComparison *comparison = shown->benchmark->comparison;
	gsize start = parts->page->body->len;
	if (comparison == NULL || comparison->metrics->len == 0)
		return;
	g_string_append(parts->page->body, "<h3>Metrics</h3>\n");
	html_metrics(parts->page, comparison, (guint)MAX(meter_share(meter, METRICS_SHARE) / METRIC_BYTES, 1));
	html_part_end(parts, HTML_PART_METRICS, start);
}

static void append_plots(HtmlParts *parts, const HtmlBenchmark *shown, const Meter *meter)
{
	const BenchmarkComparison *comparison = shown->benchmark->comparison;
	GString *out = parts->page->body;
	gsize start = out->len;
	if (comparison == NULL || comparison->metrics->len == 0)
		return;
	append_rounds(out, comparison, (guint)MIN(meter_share(meter, PLOTS_SHARE) / PLOT_BYTES, PLOTS_SHOWN));
	html_part_end(parts, HTML_PART_ROUNDS, start);
	start = out->len;
	append_history(out, shown, (guint)MIN(meter_share(meter, PLOTS_SHARE) / PLOT_BYTES, PLOTS_SHOWN));
	html_part_end(parts, HTML_PART_HISTORY, start);
}

static void append_all_evidence(HtmlParts *parts, const HtmlBenchmark *shown, const Meter *meter)
{
	FunctionList lists[FUNCTION_LISTS];
	HtmlEvidence evidence[HTML_EVIDENCE];
	guint n_lists = highlights_function_lists(shown->benchmark, lists);
	gsize rows = meter_share(meter, FUNCTIONS_SHARE) / FUNCTION_BYTES / MAX(n_lists, 1);
	guint n = html_evidence_of(
	        parts->page, shown->benchmark, (guint)CLAMP(rows, MIN_FUNCTIONS, MAX_FUNCTIONS), evidence);
	parts->n_lists = n;
	for (guint i = 0; i < n; i++) {
		gsize room = meter_share(meter, 1. / (n - i));
		Meter own = meter_start(parts->page, room);
		html_sandwich_prepare(&evidence[i], (gsize)(CALLERS_SHARE * (double)room));
		append_evidence(parts, shown, &evidence[i], &own);
		html_evidence_clear(&evidence[i]);
	}
}

/* Metrics and plots are told their room before pictures take what is left, but stand after them. */
static void append_parts(HtmlPage *page, const HtmlBenchmark *shown, const Meter *meter)
{
	HtmlParts parts = {.page = page, .name = shown->benchmark->name};
	g_autoptr(GString) links = g_string_new(NULL);
	gsize start = page->body->len;
	append_metrics(&parts, shown, meter);
	append_plots(&parts, shown, meter);
	gsize functions = page->body->len;
	append_all_evidence(&parts, shown, meter);
	html_part_move(&parts, functions, start);
	html_parts_links(&parts, links);
	g_string_insert(page->body, (gssize)start, links->str);
	if (shown->links != NULL)
		g_string_append(shown->links, links->str);
	html_parts_clear(&parts);
}

void html_benchmark(HtmlPage *page, const HtmlBenchmark *shown)
{
	Meter meter = meter_start(page, shown->room);
	append_summary(page->body, shown);
	append_remarks(page->body, shown);
	if (shown->room < MIN_BYTES) {
		g_string_append(page->body, "<p class=\"note\">There are so many benchmarks that the metrics and "
		                            "functions of this one are in report.json alone.</p>\n</details>\n");
		return;
	}
	append_parts(page, shown, &meter);
	append_other_pictures(page->body, shown->benchmark);
	append_campaign(page->body, shown->benchmark);
	g_string_append(page->body, "</details>\n");
}
