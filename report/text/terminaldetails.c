/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/terminaldetails.h"

#include "compare/comparison/shownvalues.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"
#include "report/words/intervalbar.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define FUNCTIONS_SHOWN 8
#define UNCHANGED_SHOWN 0
#define UNSTABLE_SHOWN 5
#define COSTS_MAX_CHARS 80 /* two numbers of twenty digits, and a unit */
#define BAR_CELLS 21

static char *measured_evidence(const MetricComparison *metric)
{
	g_autofree char *size = number_share(metric->mde_ratio), *rounds = wording_repetitions(metric);
	const char *not_judged = wording_not_judged(metric);
	if (not_judged != NULL)
		return g_strdup(not_judged);
	return isfinite(metric->mde_ratio) ? g_strdup_printf("detectable %s, %s", size, rounds)
	                                   : g_strdup_printf("%s: too few", rounds);
}

/* The evidence of a metric: how much its rounds can show, or whether its counts repeat. */
static char *evidence(const MetricComparison *metric)
{
	if (metric->verdict == VERDICT_ERROR)
		return g_strdup("not compared");
	if (!engine_counts(metric->engine))
		return measured_evidence(metric);
	g_autofree char *repetitions = wording_repetitions(metric), *repeats = wording_repeats(metric);
	return g_strdup_printf("%s, %s", repeats, repetitions);
}

static char *costs(const MetricComparison *metric)
{
	g_autofree char *text = wording_metric_costs(metric);
	return wording_clean(text, COSTS_MAX_CHARS);
}

/* The change of a metric around 0. */
static IntervalBar metric_bar(const MetricComparison *metric)
{
	gboolean bounded = metric->lower_ratio > 0;
	double margin = metric->higher_is_better ? -metric->margin : metric->margin;
	double change = metric->change_ratio - 1;
	gboolean unpaired = wording_not_judged(metric) != NULL; /* a point alone */
	return (IntervalBar){.lower = unpaired  ? change
	                              : bounded ? metric->lower_ratio - 1
	                                        : NAN,
	        .estimate = change,
	        .upper = unpaired ? change : metric->upper_ratio - 1,
	        .mark = metric->gates ? margin : NAN};
}

static IntervalBar function_bar(const FunctionComparison *function)
{
	return (IntervalBar){.lower = function->contribution_lower,
	        .estimate = function->contribution,
	        .upper = function->contribution_upper,
	        .mark = NAN};
}

/* The bar of a part. The rest that the parts of a function leave has no interval: it is a point alone. */
static IntervalBar part_bar(const InlinedPart *part)
{
	gboolean known = isfinite(part->contribution_lower);
	return (IntervalBar){.lower = known ? part->contribution_lower : part->contribution,
	        .estimate = part->contribution,
	        .upper = known ? part->contribution_upper : part->contribution,
	        .mark = NAN};
}

/* Adds the cell of a bar, if bars are wanted. */
static void add_bar(const Screen *screen, TextTable *table, const BarScale *scale, IntervalBar bar)
{
	if (screen->options->bars)
		text_table_take(table, interval_bar(scale, &bar), NULL);
}

static void add_metric(const Screen *screen, TextTable *table, const BarScale *scale, const MetricComparison *metric)
{
	g_autofree char *margin = wording_margins(metric);
	const char *style = metric->accepted ? STYLE_YELLOW
	                    : metric->gates  ? screen_verdict_style(metric->verdict)
	                                     : STYLE_DIM;
	g_autofree char *name =
	        g_strdup_printf("%s%s", metric->name, metric->higher_is_better ? " (higher is better)" : "");
	text_table_take(table, screen_name(name), NULL);
	text_table_take(table, wording_metric_change(metric), screen_styled(screen, style));
	text_table_take(table, wording_metric_interval(metric), NULL);
	add_bar(screen, table, scale, metric_bar(metric));
	text_table_take(table,
	        metric->gates ? g_strdup_printf("margin %s%s", margin, metric->accepted ? ", accepted" : "")
	                      : g_strdup("does not gate"),
	        NULL);
	text_table_take(table, costs(metric), NULL);
	text_table_take(table, evidence(metric), screen_styled(screen, STYLE_DIM));
}

/* Tells why a metric was not compared, unless that is the benchmark's own reason. */
static void write_missing_comparison(
        const Screen *screen, const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	if (metric->verdict != VERDICT_ERROR || metric->reason == NULL ||
	        strstr(comparison->reason, metric->reason) != NULL)
		return;
	g_autofree char *line = g_strdup_printf("%s: %s", metric->name, metric->reason);
	g_autofree char *text = wording_clean(line, TERMINAL_TEXT_MAX_CHARS);
	g_string_append(screen->out, "    ");
	screen_append_wrapped(screen, text, 4, 6);
}

static BarScale metric_scale(const BenchmarkComparison *comparison)
{
	BarScale scale;
	bar_scale_init(&scale, BAR_CELLS);
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		IntervalBar bar = metric_bar(metric);
		if (highlights_shows_metric(comparison, metric))
			bar_scale_include(&scale, &bar);
	}
	return scale;
}

static void write_metrics(const Screen *screen, const BenchmarkComparison *comparison)
{
	g_autoptr(TextTable) table = text_table_new(screen->options->bars ? "lrlllll" : "lrllll");
	BarScale scale = metric_scale(comparison);
	g_autoptr(GPtrArray) metrics = highlights_metrics(comparison);
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (highlights_shows_metric(comparison, metric))
			add_metric(screen, table, &scale, metric);
	}
	text_table_append(screen->out, table, "    ", screen->options->width);
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (highlights_shows_metric(comparison, metric))
			write_missing_comparison(screen, comparison, metric);
	}
}

static const char *function_style(const FunctionComparison *function)
{
	if (function->gates)
		return STYLE_BOLD_RED;
	if (function->klass == FUNCTION_REGRESSION || function->klass == FUNCTION_NEW)
		return STYLE_RED;
	return function->klass == FUNCTION_IMPROVEMENT || function->klass == FUNCTION_REMOVED ? STYLE_GREEN
	                                                                                      : STYLE_YELLOW;
}

/* A line of foreign text below a benchmark; NULL = none. */
static void write_line(const Screen *screen, const char *style, const char *line)
{
	if (line == NULL || *line == '\0')
		return;
	g_autofree char *text = wording_clean(line, TERMINAL_TEXT_MAX_CHARS);
	g_string_append(screen->out, "    ");
	if (screen->options->colour && style != NULL)
		g_string_append(screen->out, style);
	screen_append_wrapped(screen, text, 4, 6);
	if (screen->options->colour && style != NULL) {
		g_string_truncate(screen->out, screen->out->len - 1);
		g_string_append(screen->out, STYLE_RESET "\n");
	}
}

/* The table of functions and what its rows need. */
typedef struct {
	TextTable *table;
	const FunctionList *list;
	gboolean with_relation; /* a column says what the change did to a function */
	BarScale scale;
} FunctionTable;

/* The evidence of a function's numbers: samples, or the counted costs themselves. */
static char *counted_evidence(const FunctionList *list, double base_cost, double head_cost)
{
	g_autofree char *base = number_counted(base_cost, NULL);
	g_autofree char *head = number_counted(head_cost, list->unit);
	g_autofree char *text = g_strdup_printf("%s → %s", base, head);
	return wording_clean(text, COSTS_MAX_CHARS);
}

static char *sampled_evidence(guint64 base_samples, guint64 head_samples)
{
	g_autofree char *base = number_count(base_samples), *head = number_count(head_samples);
	return g_strdup_printf("%s → %s samples", base, head);
}

static const char *direction_mark(double points)
{
	return points < 0 ? "▼" : points == 0 ? "=" : "▲";
}

static char *place_words(const FunctionList *list, const FunctionComparison *function)
{
	g_autofree char *where = highlights_where(list->comparison, list->table, function);
	g_autofree char *was = highlights_was(list->table, function);
	return was == NULL ? g_steal_pointer(&where) : g_strdup_printf("%s (was %s)", where, was);
}

/* "regression", "slower, total passes" */
static char *class_words(const FunctionList *list, const FunctionComparison *function)
{
	const char *class = highlights_class(list->comparison, function), *hold = wording_hold(function);
	return hold == NULL ? g_strdup(class) : g_strdup_printf("%s, %s", class, hold);
}

static void add_function(const Screen *screen, const FunctionTable *rows, const FunctionComparison *function)
{
	const FunctionList *list = rows->list;
	TextTable *table = rows->table;
	gboolean counted = list->comparison->counted;
	const NumberWords *words = number_words(counted);
	const char *style = screen_styled(screen, function_style(function));
	double own = function->change_ratio;
	g_autofree char *place = place_words(list, function);
	g_autofree char *name = screen_name(highlights_name(list->table, function->frame));
	text_table_take(table, g_strdup_printf("%s %s", direction_mark(function->contribution), name), style);
	text_table_take(table, words->points(function->contribution), style);
	text_table_take(table, words->points_range(function->contribution_lower, function->contribution_upper), NULL);
	add_bar(screen, table, &rows->scale, function_bar(function));
	text_table_take(table, class_words(list, function), NULL);
	if (rows->with_relation)
		text_table_take(table, wording_relation(function), NULL);
	text_table_take(table, isnan(own) ? g_strdup("") : words->change(own), NULL);
	text_table_take(table, screen_name(place), screen_styled(screen, STYLE_DIM));
	text_table_take(table,
	        counted ? counted_evidence(list, function->base_cost, function->head_cost)
	                : sampled_evidence(function->base_samples, function->head_samples),
	        screen_styled(screen, STYLE_DIM));
}

/* "  ▲ LZ4_count, inlined" */
static char *part_name(const FunctionList *list, const InlinedPart *part, gboolean is_rest)
{
	g_autofree char *name = is_rest ? g_strdup("") : screen_name(highlights_name(list->table, part->frame));
	return g_strdup_printf("  %s %s%s", direction_mark(part->contribution), name, wording_part(is_rest));
}

/* A row below that of the function whose contribution it is a part of. */
static void add_part(const Screen *screen, const FunctionTable *rows, const InlinedPart *part, gboolean is_rest)
{
	const FunctionList *list = rows->list;
	TextTable *table = rows->table;
	gboolean counted = list->comparison->counted;
	const NumberWords *words = number_words(counted);
	const char *style = screen_styled(screen, STYLE_DIM);
	g_autofree char *place = highlights_part_where(list->comparison, list->table, part);
	text_table_take(table, part_name(list, part, is_rest), style);
	text_table_take(table, words->points(part->contribution), style);
	text_table_take(table, words->points_range(part->contribution_lower, part->contribution_upper), style);
	add_bar(screen, table, &rows->scale, part_bar(part));
	text_table_cell(table, "", NULL);
	if (rows->with_relation)
		text_table_cell(table, wording_part_relation(part), style);
	text_table_cell(table, "", NULL);
	text_table_take(table, screen_name(place), style);
	text_table_take(table,
	        counted ? counted_evidence(list, part->base_cost, part->head_cost)
	                : sampled_evidence(part->base_samples, part->head_samples),
	        style);
}

static void add_function_with_parts(const Screen *screen, const FunctionTable *rows, const FunctionComparison *function)
{
	g_autoptr(GPtrArray) parts = highlights_parts(function);
	add_function(screen, rows, function);
	for (guint i = 0; i < parts->len; i++) {
		const InlinedPart *part = g_ptr_array_index(parts, i);
		add_part(screen, rows, part, highlights_is_rest(function, part));
	}
}

/* Makes room for the bars of a function and of its parts. */
static void include_bars(BarScale *scale, const FunctionComparison *function)
{
	g_autoptr(GPtrArray) parts = highlights_parts(function);
	IntervalBar drawn = function_bar(function);
	bar_scale_include(scale, &drawn);
	for (guint i = 0; i < parts->len; i++) {
		IntervalBar bar = part_bar(g_ptr_array_index(parts, i));
		bar_scale_include(scale, &bar);
	}
}

static void write_rest(const Screen *screen, const FunctionList *list, const GPtrArray *shown)
{
	g_autofree char *rest = wording_rest(list->comparison, shown);
	write_line(screen, STYLE_DIM, rest);
}

static void write_functions(const Screen *screen, const FunctionList *list)
{
	g_autoptr(GPtrArray) functions = highlights_functions(list->comparison, FUNCTIONS_SHOWN, UNCHANGED_SHOWN);
	gboolean with_relation = highlights_has_relations(functions);
	const char *relation = with_relation ? "l" : "", *bar = screen->options->bars ? "l" : "";
	g_autofree char *columns = g_strconcat("lrl", bar, "l", relation, "rlr", NULL);
	g_autoptr(TextTable) table = text_table_new(columns);
	FunctionTable rows = {.table = table, .list = list, .with_relation = with_relation};
	bar_scale_init(&rows.scale, BAR_CELLS);
	for (guint i = 0; i < functions->len; i++)
		include_bars(&rows.scale, g_ptr_array_index(functions, i));
	for (guint i = 0; i < functions->len; i++)
		add_function_with_parts(screen, &rows, g_ptr_array_index(functions, i));
	if (functions->len > 0 && list->beside_others) {
		g_autofree char *title = highlights_list_title(list);
		write_line(screen, STYLE_BOLD, title);
	}
	text_table_append(screen->out, table, "    ", screen->options->width);
	if (functions->len > 0)
		write_rest(screen, list, functions);
	if (highlights_all_same(list->comparison)) {
		g_autofree char *same = wording_all_same(list->comparison);
		write_line(screen, NULL, same);
	}
}

/* Functions whose counts differ from run to run, most first. */
static void write_unstable(const Screen *screen, const FunctionList *list)
{
	const GArray *unstable = list == NULL ? NULL : list->comparison->unstable;
	if (unstable == NULL)
		return;
	g_autoptr(TextTable) table = text_table_new("ll");
	for (guint i = 0; i < MIN(unstable->len, UNSTABLE_SHOWN); i++) {
		const UnstableFunction *function = &g_array_index(unstable, UnstableFunction, i);
		g_autofree char *spread = wording_unstable(function, list->unit);
		text_table_take(table, screen_name(highlights_name(list->table, function->frame)), NULL);
		text_table_take(table, wording_clean(spread, COSTS_MAX_CHARS), screen_styled(screen, STYLE_DIM));
	}
	g_autofree char *title = wording_unstable_title(highlights_count_unstable(list));
	write_line(screen, STYLE_YELLOW, title);
	text_table_append(screen->out, table, "      ", screen->options->width);
}

/* Writes what was seen, unless the first line of the text has just said that, and if it was seen again, unless the line
 * above says that. Only a gate has a use for a second campaign. */
static void write_sentence(const Screen *screen, const BenchmarkComparison *comparison)
{
	gboolean regressed = comparison->verdict == VERDICT_REGRESSION || comparison->accepted != NULL;
	gboolean gate = screen->result->mode == CHECK_GATE;
	gboolean said = regressed && gate && screen->result->benchmarks->len == 1;
	g_autofree char *confirmation = regressed && gate ? wording_confirmation(comparison) : NULL;
	if (highlights_accuses(comparison) && !said)
		write_line(screen, NULL, comparison->sentence);
	write_line(screen, NULL, confirmation);
}

/* Writes what two engines say together, unless the sentence has said it, in the first line of the text or just
 * above. */
static void write_pair(const Screen *screen, const BenchmarkComparison *comparison)
{
	gboolean in_headline = screen->result->benchmarks->len == 1 && comparison->verdict == VERDICT_PASS;
	gboolean said = in_headline || highlights_accuses(comparison);
	if (comparison->pair_text != NULL && !(said && strstr(comparison->sentence, comparison->pair_text) != NULL))
		write_line(screen, NULL, comparison->pair_text);
}

static void write_function_lists(const Screen *screen, const ResultBenchmark *benchmark)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	for (guint i = 0; i < n; i++)
		write_functions(screen, &lists[i]);
	write_unstable(screen, highlights_unstable(lists, n));
}

static void write_calibration(const Screen *screen, const CalibrationSummary *calibration)
{
	g_autofree char *line = calibration != NULL ? wording_calibration(calibration) : NULL;
	write_line(screen, calibration != NULL && calibration->suspicious ? STYLE_YELLOW : STYLE_DIM, line);
}

static void write_benchmark(const Screen *screen, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	Verdict verdict = result_benchmark_verdict(benchmark);
	g_autofree char *name = screen_name(benchmark->name);
	g_string_append(screen->out, "\n  ");
	screen_append_styled(screen, STYLE_BOLD, name);
	g_string_append(screen->out, "  ");
	gboolean accepted = comparison != NULL && highlights_is_accepted(comparison);
	screen_append_styled(
	        screen, accepted ? STYLE_BOLD_YELLOW : screen_verdict_style(verdict), screen_verdict_sign(verdict));
	g_autofree char *reason =
	        wording_clean(benchmark_line_reason(screen->result, benchmark), TERMINAL_TEXT_MAX_CHARS);
	g_string_append_c(screen->out, ' ');
	screen_append_wrapped(screen, reason, 2 + wording_columns(name) + 4, 4);
	if (comparison == NULL)
		return;
	if (!highlights_is_slower(screen->result, benchmark))
		write_line(screen, STYLE_YELLOW, comparison->slower);
	write_sentence(screen, comparison);
	write_pair(screen, comparison);
	write_line(screen, STYLE_DIM, highlights_base_source(benchmark));
	write_metrics(screen, comparison);
	write_function_lists(screen, benchmark);
	write_calibration(screen, benchmark->calibration);
}

static void write_findings(const Screen *screen)
{
	static const char *const styles[] = {
	        [FINDING_INFO] = STYLE_DIM, [FINDING_WARNING] = STYLE_YELLOW, [FINDING_ERROR] = STYLE_RED};
	for (guint i = 0; i < finding_count(screen->result->findings); i++) {
		const Finding *finding = finding_get(screen->result->findings, i);
		const char *severity = finding_severity_name(finding->severity);
		g_autofree char *text = wording_clean(finding->text, TERMINAL_TEXT_MAX_CHARS);
		g_autofree char *benchmark = finding->benchmark == NULL ? NULL : screen_name(finding->benchmark);
		g_autofree char *line = benchmark == NULL ? g_strdup(text) : g_strdup_printf("%s: %s", benchmark, text);
		g_string_append(screen->out, i == 0 ? "\n  " : "  ");
		screen_append_styled(screen, styles[finding->severity], severity);
		g_string_append(screen->out, ": ");
		screen_append_wrapped(screen, line, 4 + strlen(severity), 4);
	}
}

static void write_advice(const Screen *screen)
{
	const char *advice = highlights_advice(screen->result);
	if (advice == NULL)
		return;
	g_string_append(screen->out, finding_count(screen->result->findings) == 0 ? "\n  " : "  ");
	screen_append_styled(screen, STYLE_DIM, "advice");
	g_string_append(screen->out, ": ");
	screen_append_wrapped(screen, advice, 10, 4);
}

/* Names of files in the output folder, which have no blanks. */
static void write_extra_graphs(const Screen *screen, const GPtrArray *files)
{
	static const char intro[] = "    flame graphs of extra profiles:";
	g_autoptr(GString) names = g_string_new(NULL);
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *text = wording_clean(files->pdata[i], TERMINAL_TEXT_MAX_CHARS);
		g_string_append_printf(names, "%s%s", i == 0 ? " " : ", ", text);
	}
	if (files->len == 0)
		return;
	g_string_append(screen->out, intro);
	screen_append_wrapped(screen, names->str, sizeof intro - 1, 6);
}

static void write_benchmark_files(const Screen *screen, const ResultBenchmark *benchmark)
{
	const char *file = highlights_artifact(benchmark, "diff_svg");
	g_autoptr(GPtrArray) extra = highlights_extra_diffs(benchmark);
	if (file != NULL)
		screen_append_file(screen, "differential flame graph", file);
	write_extra_graphs(screen, extra);
}

static void write_pictures(const Screen *screen)
{
	if (screen->options->out_dir == NULL)
		return;
	g_string_append_c(screen->out, '\n');
	for (guint i = 0; i < screen->result->benchmarks->len; i++)
		write_benchmark_files(screen, g_ptr_array_index(screen->result->benchmarks, i));
}

void terminal_details_write(const Screen *screen)
{
	for (guint i = 0; i < screen->result->benchmarks->len; i++)
		write_benchmark(screen, g_ptr_array_index(screen->result->benchmarks, i));
	write_findings(screen);
	write_advice(screen);
	write_pictures(screen);
}
