/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarydetails.h"

#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/text/markdowntables.h"
#include "report/text/markdowntext.h"
#include "report/words/benchmarkline.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#define UNCHANGED_SHOWN 3
#define UNSTABLE_SHOWN 5

static const StandingRow *row_at(const Summary *summary, guint index)
{
	return &g_array_index(summary->rows, StandingRow, index);
}

/* --- folds --- */

/* A fold is a group of blocks: its first line goes last of those of its rank, and takes what is left with it. */
typedef struct {
	guint first;
	gsize bytes;
} Fold;

static Fold fold_begin(TextBlocks *blocks, guint rank, const char *title)
{
	Fold fold = {.first = text_blocks_count(blocks)};
	g_string_append_printf(text_blocks_add(blocks, rank, PART_FRAME), "<details><summary>%s</summary>\n\n", title);
	fold.bytes = text_blocks_bytes(blocks);
	return fold;
}

/* Ends it; a fold with nothing in it is none. */
static void fold_end(TextBlocks *blocks, const Fold *fold)
{
	if (text_blocks_bytes(blocks) == fold->bytes)
		text_blocks_truncate(blocks, fold->first);
	else
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "</details>\n\n");
	if (text_blocks_count(blocks) > fold->first)
		text_blocks_bind(blocks, fold->first);
}

/* --- metrics --- */

/* The rows of a benchmark in the table of what was counted, or measured. */
static void append_rows(GString *out, const ResultBenchmark *benchmark, gboolean counted)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL && engine_counts(benchmark->engine) == counted)
		markdown_missing_row(out, benchmark->name, counted);
	g_autoptr(GPtrArray) metrics = comparison != NULL ? highlights_metrics(comparison) : NULL;
	for (guint i = 0; metrics != NULL && i < metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (engine_counts(metric->engine) == counted && highlights_shows_metric(comparison, metric))
			markdown_metric_row(out, benchmark->name, metric);
	}
}

/* The rows of some benchmarks, and what they are if they are left out. */
typedef struct {
	guint first, end; /* of the summary's rows */
	guint rank;
	SummaryPart part;
} RowRange;

/* The head stands in one block with the first row, so no table is without rows. */
static void add_table(TextBlocks *blocks, const Summary *summary, const RowRange *range, gboolean counted)
{
	gboolean begun = FALSE;
	for (guint i = range->first; i < range->end; i++) {
		g_autoptr(GString) rows = g_string_new(NULL);
		append_rows(rows, row_at(summary, i)->benchmark, counted);
		if (rows->len == 0)
			continue;
		GString *out = text_blocks_add(blocks, range->rank, range->part);
		if (!begun)
			markdown_metric_head(out, counted);
		g_string_append_len(out, rows->str, (gssize)rows->len);
		begun = TRUE;
	}
	if (begun)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

static void add_metrics(TextBlocks *blocks, const Summary *summary, const RowRange *range, const char *title)
{
	Fold fold = fold_begin(blocks, range->rank, title);
	add_table(blocks, summary, range, FALSE);
	add_table(blocks, summary, range, TRUE);
	fold_end(blocks, &fold);
}

void summary_passed_add(TextBlocks *blocks, const Summary *summary)
{
	RowRange range = {summary->n_look, summary->rows->len, DROP_PASSED, PART_BENCHMARK};
	g_autofree char *count = number_count(range.end - range.first), *title = g_strconcat(count, " passed", NULL);
	add_metrics(blocks, summary, &range, title);
}

void summary_metrics_add(TextBlocks *blocks, const Summary *summary)
{
	RowRange range = {0, summary->n_look, DROP_METRICS, PART_METRIC};
	add_metrics(blocks, summary, &range, "All metrics of the benchmarks that need a look");
}

/* --- functions --- */

static gboolean is_look(const Summary *summary, guint index)
{
	return index < summary->n_look;
}

/* Appends the text above the rows, with the sentence of the benchmark above the first list. */
static void append_list_head(GString *out, const ResultBenchmark *benchmark, const FunctionList *list, guint n_shown)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	g_autofree char *title = highlights_list_title(list);
	g_string_append(out, "<details><summary>");
	markdown_text(out, benchmark->name); /* neither has angle brackets, so it is as good inside of HTML */
	g_string_append(out, ": ");
	markdown_text(out, title);
	g_string_append_printf(out, " (%u of %u)</summary>\n\n", n_shown, list->comparison->functions->len);
	if (list->comparison == comparison && !highlights_accuses(comparison) && *comparison->sentence != '\0') {
		markdown_text(out, comparison->sentence);
		g_string_append(out, "\n\n");
	}
}

/* The first row stands in one block with what is above it, so no table is without rows. */
static void add_functions(TextBlocks *blocks, const ResultBenchmark *benchmark, const FunctionList *list, guint rank)
{
	g_autoptr(GPtrArray) functions =
	        highlights_functions(list->comparison, SUMMARY_FUNCTIONS_SHOWN, UNCHANGED_SHOWN);
	if (functions->len == 0)
		return;
	MarkdownFunctions table = markdown_functions(list, functions);
	guint first = text_blocks_count(blocks), last = SUMMARY_FUNCTIONS_SHOWN - 1;
	GString *out = text_blocks_add(blocks, rank, PART_FUNCTION);
	append_list_head(out, benchmark, list, functions->len);
	markdown_functions_head(out, &table);
	markdown_functions_row(out, &table, g_ptr_array_index(functions, 0));
	for (guint i = 1; i < functions->len; i++)
		markdown_functions_row(text_blocks_add(blocks, rank + MIN(i, last), PART_FUNCTION), &table,
		        g_ptr_array_index(functions, i));
	out = text_blocks_add(blocks, KEEP, PART_FRAME);
	markdown_functions_note(out, &table, functions);
	g_string_append(out, "\n\n</details>\n\n");
	text_blocks_bind(blocks, first);
}

void summary_functions_add(TextBlocks *blocks, const Summary *summary)
{
	for (guint i = 0; i < summary->rows->len; i++) {
		const ResultBenchmark *benchmark = row_at(summary, i)->benchmark;
		FunctionList lists[FUNCTION_LISTS];
		guint n = benchmark->comparison != NULL ? highlights_function_lists(benchmark, lists) : 0;
		for (guint j = 0; j < n; j++)
			add_functions(
			        blocks, benchmark, &lists[j], is_look(summary, i) ? DROP_DETAILS : DROP_FUNCTIONS);
	}
}

/* --- remarks --- */

/* Appends what is slower in a benchmark, and if it was seen again. */
static void append_regression(GString *out, const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL || !highlights_accuses(comparison) || *comparison->sentence == '\0')
		return;
	g_autofree char *confirmation = result->mode == CHECK_GATE ? wording_confirmation(comparison) : NULL;
	Verdict sign = highlights_is_accepted(comparison) ? VERDICT_INCONCLUSIVE : comparison->verdict;
	g_string_append_printf(out, "- %s ", markdown_verdict_sign(sign));
	markdown_code(out, benchmark->name);
	g_string_append(out, ": ");
	markdown_text(out, comparison->sentence);
	if (confirmation != NULL) {
		g_string_append(out, "; ");
		markdown_text(out, confirmation);
	}
	g_string_append_c(out, '\n');
}

/* A list entry about a benchmark. */
static void append_remark(GString *out, const ResultBenchmark *benchmark, const char *text)
{
	g_string_append(out, "- ");
	markdown_code(out, benchmark->name);
	g_string_append(out, ": ");
	markdown_text(out, text);
	g_string_append_c(out, '\n');
}

static void append_unstable(GString *out, const FunctionList *list)
{
	const GArray *unstable = list->comparison->unstable;
	for (guint i = 0; i < MIN(unstable->len, UNSTABLE_SHOWN); i++) {
		const UnstableFunction *function = &g_array_index(unstable, UnstableFunction, i);
		g_autofree char *spread = wording_unstable(function, list->unit);
		g_string_append(out, "  - ");
		markdown_code(out, highlights_name(list->table, function->frame));
		g_string_append(out, ": ");
		markdown_text(out, spread);
		g_string_append_c(out, '\n');
	}
}

static void append_all_same(GString *out, const ResultBenchmark *benchmark, const FunctionList *list)
{
	if (!highlights_all_same(list->comparison))
		return;
	g_autofree char *same = wording_all_same(list->comparison);
	append_remark(out, benchmark, same);
}

/* Appends what belongs to the numbers of a benchmark: which functions are slower all the same, what counts say beside
 * time, where base comes from, that nothing changed, or what did not repeat. */
static void append_remarks(GString *out, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const char *source = highlights_base_source(benchmark);
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	const FunctionList *unstable = highlights_unstable(lists, n);
	if (comparison != NULL && comparison->slower != NULL)
		append_remark(out, benchmark, comparison->slower);
	if (result_benchmark_is_uncompared(benchmark))
		append_remark(out, benchmark, comparison->reason);
	if (comparison != NULL && comparison->pair_text != NULL)
		append_remark(out, benchmark, comparison->pair_text);
	if (source != NULL)
		append_remark(out, benchmark, source);
	for (guint i = 0; i < n; i++)
		append_all_same(out, benchmark, &lists[i]);
	if (unstable == NULL)
		return;
	g_autofree char *title = wording_unstable_title(highlights_count_unstable(unstable));
	append_remark(out, benchmark, title);
	append_unstable(out, unstable);
}

/* Adds how far the gate can be trusted on this kind of machine. */
static void add_calibration(TextBlocks *blocks, const ResultBenchmark *benchmark)
{
	const CalibrationSummary *calibration = benchmark->calibration;
	if (calibration == NULL)
		return;
	g_autofree char *text = wording_calibration(calibration);
	GString *out = text_blocks_add(blocks, calibration->suspicious ? DROP_WARNING : DROP_INFO, PART_REMARK);
	g_string_append_printf(out, "- %s", calibration->suspicious ? "⚠️ " : "");
	markdown_code(out, benchmark->name);
	g_string_append_printf(out, ": %s\n", text);
}

void summary_findings_add(TextBlocks *blocks, const Summary *summary, gboolean errors)
{
	static const char *const signs[] = {
	        [FINDING_INFO] = "ℹ️", [FINDING_WARNING] = "⚠️", [FINDING_ERROR] = "🚫"};
	static const guint ranks[] = {
	        [FINDING_INFO] = DROP_INFO, [FINDING_WARNING] = DROP_WARNING, [FINDING_ERROR] = DROP_WORST};
	GString *out = NULL;
	for (guint i = 0; i < finding_count(summary->result->findings); i++) {
		const Finding *finding = finding_get(summary->result->findings, i);
		if ((finding->severity == FINDING_ERROR) != errors)
			continue;
		out = text_blocks_add(blocks, ranks[finding->severity], PART_REMARK);
		g_string_append_printf(out, "- %s ", signs[finding->severity]);
		if (finding->benchmark != NULL) {
			markdown_code(out, finding->benchmark);
			g_string_append(out, ": ");
		}
		markdown_message(out, finding->text);
		g_string_append(out, " (");
		markdown_code(out, finding->code);
		g_string_append(out, ")\n");
	}
	if (out != NULL)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

static void add_list(TextBlocks *blocks, const Summary *summary)
{
	const char *advice = highlights_advice(summary->result);
	gsize before = text_blocks_bytes(blocks);
	for (guint i = 0; i < summary->rows->len; i++) {
		const ResultBenchmark *benchmark = row_at(summary, i)->benchmark;
		GString *out = text_blocks_add(blocks, is_look(summary, i) ? DROP_WARNING : DROP_INFO, PART_REMARK);
		append_regression(out, summary->result, benchmark);
		append_remarks(out, benchmark);
		add_calibration(blocks, benchmark);
	}
	if (advice != NULL)
		g_string_append_printf(text_blocks_add(blocks, DROP_INFO, PART_REMARK), "- %s\n", advice);
	if (text_blocks_bytes(blocks) > before)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

void summary_remarks_add(TextBlocks *blocks, const Summary *summary)
{
	Fold fold = fold_begin(blocks, DROP_WARNING, "Remarks");
	add_list(blocks, summary);
	summary_findings_add(blocks, summary, FALSE);
	fold_end(blocks, &fold);
}
