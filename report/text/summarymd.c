#include "report/text/summarymd.h"

#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/text/markdowntables.h"
#include "report/text/markdowntext.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"
#include "report/words/highlights.h"
#include "report/words/textblocks.h"
#include "report/words/wording.h"

#define FUNCTIONS_SHOWN 12
#define UNCHANGED_SHOWN 3
#define UNSTABLE_SHOWN 5

#define HEADLINE_MAX_CHARS 400
#define SHA_MAX_CHARS 64
#define NOTE_BYTES 300 /* more than the sentence about what is left out takes */

/* Ranks of blocks (textblocks.h): what goes first when it does not fit. Rows of functions go by their place in their
 * table, so that every benchmark loses its least important ones before any loses the first. */
enum {
	KEEP,
	DROP_LATE,   /* rows of benchmarks that did not pass, errors */
	DROP_REASON, /* reasons but the first, names of the commits */
	DROP_WARNING,
	DROP_DETAILS = 10, /* functions of benchmarks that did not pass, and one more for each further row */
	DROP_PASSED = DROP_DETAILS + FUNCTIONS_SHOWN, /* rows of benchmarks that passed */
	DROP_INFO,
	DROP_FUNCTIONS, /* functions of benchmarks that passed, as above */
};

/* The kinds of blocks by which those that are left out are counted. */
typedef enum { PART_FRAME, PART_BENCHMARK, PART_FUNCTION, PART_REMARK, PARTS } Part;

static void add_heading(TextBlocks *blocks, const CheckResult *result)
{
	GString *out = text_blocks_add(blocks, KEEP, PART_FRAME);
	g_autofree char *headline = headline_text(result);
	g_autofree char *shortened = wording_shorten_words(headline, HEADLINE_MAX_CHARS);
	g_string_append_printf(
	        out, "## %s %s: ", markdown_verdict_sign(result->verdict), wording_verdict(result->verdict));
	markdown_text(out, shortened);
	g_string_append(out, "\n\n");
}

/* Adds the first lines below a verdict of pass, which say what is slower all the same. */
static void add_slower(TextBlocks *blocks, const CheckResult *result)
{
	g_autoptr(GPtrArray) slower = highlights_slower(result);
	for (guint i = 0; i < slower->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(slower, i);
		GString *out = text_blocks_add(blocks, DROP_LATE, PART_REMARK);
		g_string_append(out, "- ⚠️ ");
		markdown_code(out, benchmark->name);
		g_string_append(out, ": ");
		markdown_text(out, benchmark->comparison->slower);
		g_string_append_c(out, '\n');
	}
	if (slower->len > 0)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

static void add_side(TextBlocks *blocks, const char *word, const ResultSide *side)
{
	GString *out = text_blocks_add(blocks, KEEP, PART_FRAME);
	g_autofree char *sha = wording_shorten(side->sha, SHA_MAX_CHARS);
	g_string_append_printf(out, "%s ", word);
	markdown_code(out, *sha == '\0' ? "?" : sha);
	out = text_blocks_add(blocks, DROP_REASON, PART_FRAME);
	if (*side->ref != '\0') {
		g_string_append(out, " (");
		markdown_code(out, side->ref);
		g_string_append_c(out, ')');
	}
	if (*side->subject != '\0') {
		g_string_append(out, " ");
		markdown_text(out, side->subject);
	}
}

static void add_sides(TextBlocks *blocks, const CheckResult *result)
{
	add_side(blocks, "base", &result->base);
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "<br>\n→ ");
	add_side(blocks, "head", &result->head);
	GString *out = text_blocks_add(blocks, DROP_REASON, PART_FRAME);
	if (*result->base.chosen_by != '\0') {
		g_string_append(out, "<br>\nbase chosen by ");
		markdown_code(out, result->base.chosen_by);
	}
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n\n");
}

static void add_reasons(TextBlocks *blocks, const CheckResult *result)
{
	for (guint i = 1; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		g_autofree char *text = benchmark_line_about(reason->benchmark, reason->text);
		GString *out = text_blocks_add(blocks, DROP_REASON, PART_REMARK);
		g_string_append(out, "- ");
		markdown_message(out, text);
		g_string_append(out, i + 1 == result->reasons->len ? "\n\n" : "\n");
	}
}

static gboolean has_passed(const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	return comparison != NULL && comparison->verdict == VERDICT_PASS && !highlights_is_accepted(comparison);
}

/* The rows of a benchmark in the table of what was counted, or measured; "" if it has none there. */
static char *rows_of(const ResultBenchmark *benchmark, gboolean counted)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	GString *rows = g_string_new(NULL);
	if (comparison == NULL && engine_counts(benchmark->engine) == counted)
		markdown_missing_row(rows, benchmark->name, counted);
	g_autoptr(GPtrArray) metrics = comparison != NULL ? highlights_metrics(comparison) : NULL;
	for (guint i = 0; metrics != NULL && i < metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(metrics, i);
		if (engine_counts(metric->engine) == counted && highlights_shows_metric(comparison, metric))
			markdown_metric_row(rows, benchmark->name, metric);
	}
	return g_string_free(rows, FALSE);
}

static void add_table(TextBlocks *blocks, const CheckResult *result, gboolean counted)
{
	gboolean begun = FALSE;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_autofree char *rows = rows_of(benchmark, counted);
		if (*rows == '\0')
			continue;
		if (!begun)
			markdown_metric_head(text_blocks_add(blocks, KEEP, PART_FRAME), counted);
		guint rank = has_passed(benchmark) ? DROP_PASSED : DROP_LATE;
		g_string_append(text_blocks_add(blocks, rank, PART_BENCHMARK), rows);
		begun = TRUE;
	}
	if (begun)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

/* Adds what is slower in each benchmark, and if it was seen again. */
static void add_regressions(TextBlocks *blocks, const CheckResult *result)
{
	GString *out = NULL;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const BenchmarkComparison *comparison = benchmark->comparison;
		if (comparison == NULL || !highlights_accuses(comparison) || *comparison->sentence == '\0')
			continue;
		g_autofree char *confirmation = result->mode == CHECK_GATE ? wording_confirmation(comparison) : NULL;
		out = text_blocks_add(blocks, DROP_LATE, PART_REMARK);
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
	if (out != NULL)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
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

/* Appends what belongs to the counts of a benchmark: what they say beside time, where base comes from, that nothing
 * changed, or what did not repeat. */
static void append_remarks(GString *out, const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const char *source = highlights_base_source(benchmark);
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	const FunctionList *unstable = highlights_unstable(lists, n);
	if (comparison != NULL && comparison->slower != NULL && !highlights_is_slower(result, benchmark))
		append_remark(out, benchmark, comparison->slower);
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

static void add_remarks(TextBlocks *blocks, const CheckResult *result)
{
	gsize length = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		GString *out = text_blocks_add(blocks, has_passed(benchmark) ? DROP_INFO : DROP_WARNING, PART_REMARK);
		append_remarks(out, result, benchmark);
		length += out->len;
	}
	if (length > 0)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

/* Appends the text above the rows: with the sentence of the benchmark above the first list, unless that stands with the
 * regressions. */
static void append_list_head(GString *out, const ResultBenchmark *benchmark, const FunctionList *list, guint n_shown)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	gboolean first = list->comparison == comparison;
	g_autofree char *title = highlights_list_title(list);
	g_string_append_printf(out, "<details%s><summary>", has_passed(benchmark) ? "" : " open");
	markdown_text(out, benchmark->name); /* neither has angle brackets, so it is as good inside of HTML */
	g_string_append(out, ": ");
	markdown_text(out, title);
	g_string_append_printf(out, " (%u of %u)</summary>\n\n", n_shown, list->comparison->functions->len);
	if (first && !highlights_accuses(comparison) && *comparison->sentence != '\0') {
		markdown_text(out, comparison->sentence);
		g_string_append(out, "\n\n");
	}
}

/* The first row stands in one block with what is above it, so no table is without rows. */
static void add_functions(TextBlocks *blocks, const ResultBenchmark *benchmark, const FunctionList *list)
{
	g_autoptr(GPtrArray) functions = highlights_functions(list->comparison, FUNCTIONS_SHOWN, UNCHANGED_SHOWN);
	if (functions->len == 0)
		return;
	MarkdownFunctions table = markdown_functions(list, functions);
	guint rank = has_passed(benchmark) ? DROP_FUNCTIONS : DROP_DETAILS, first = text_blocks_count(blocks);
	GString *out = text_blocks_add(blocks, rank, PART_FUNCTION);
	append_list_head(out, benchmark, list, functions->len);
	markdown_functions_head(out, &table);
	markdown_functions_row(out, &table, g_ptr_array_index(functions, 0));
	for (guint i = 1; i < functions->len; i++)
		markdown_functions_row(text_blocks_add(blocks, rank + MIN(i, FUNCTIONS_SHOWN - 1), PART_FUNCTION),
		        &table, g_ptr_array_index(functions, i));
	out = text_blocks_add(blocks, KEEP, PART_FRAME);
	markdown_functions_note(out, &table, functions);
	g_string_append(out, "\n\n</details>\n\n");
	text_blocks_bind(blocks, first);
}

static void add_function_lists(TextBlocks *blocks, const ResultBenchmark *benchmark)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = benchmark->comparison != NULL ? highlights_function_lists(benchmark, lists) : 0;
	for (guint i = 0; i < n; i++)
		add_functions(blocks, benchmark, &lists[i]);
}

/* Adds how far the gate can be trusted on this kind of machine. */
static void add_calibrations(TextBlocks *blocks, const CheckResult *result)
{
	const char *advice = highlights_advice(result);
	GString *out = NULL;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (benchmark->calibration == NULL)
			continue;
		g_autofree char *text = wording_calibration(benchmark->calibration);
		out = text_blocks_add(
		        blocks, benchmark->calibration->suspicious ? DROP_WARNING : DROP_INFO, PART_REMARK);
		g_string_append_printf(out, "- %s", benchmark->calibration->suspicious ? "⚠️ " : "");
		markdown_code(out, benchmark->name);
		g_string_append_printf(out, ": %s\n", text);
	}
	if (advice != NULL) {
		out = text_blocks_add(blocks, DROP_INFO, PART_REMARK);
		g_string_append_printf(out, "- %s\n", advice);
	}
	if (out != NULL)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

static guint finding_rank(FindingSeverity severity)
{
	return severity == FINDING_ERROR ? DROP_LATE : severity == FINDING_WARNING ? DROP_WARNING : DROP_INFO;
}

static void add_findings(TextBlocks *blocks, const CheckResult *result)
{
	static const char *const signs[] = {
	        [FINDING_INFO] = "ℹ️", [FINDING_WARNING] = "⚠️", [FINDING_ERROR] = "🚫"};
	for (guint i = 0; i < finding_count(result->findings); i++) {
		const Finding *finding = finding_get(result->findings, i);
		GString *out = text_blocks_add(blocks, finding_rank(finding->severity), PART_REMARK);
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
	if (finding_count(result->findings) > 0)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

static void append_extra_diffs(GString *out, const ResultBenchmark *benchmark)
{
	g_autoptr(GPtrArray) files = highlights_extra_diffs(benchmark);
	for (guint i = 0; i < files->len; i++) {
		g_string_append(out, i == 0 ? "; extra profiles: " : ", ");
		markdown_code(out, files->pdata[i]);
	}
}

static void add_files(TextBlocks *blocks, const CheckResult *result)
{
	if (result->benchmarks->len > 0)
		g_string_append(text_blocks_add(blocks, DROP_LATE, PART_REMARK),
		        "- everything in one page: open `report.html` of the output folder in a browser\n");
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const char *file = highlights_artifact(benchmark, "diff_svg");
		if (file == NULL)
			continue;
		GString *out = text_blocks_add(blocks, has_passed(benchmark) ? DROP_INFO : DROP_WARNING, PART_REMARK);
		g_string_append(out, "- differential flame graph of ");
		markdown_code(out, benchmark->name);
		g_string_append(out, ": open ");
		markdown_code(out, file);
		g_string_append(out, " of the output folder in a browser");
		append_extra_diffs(out, benchmark);
		g_string_append_c(out, '\n');
	}
}

/* "40 benchmarks, 1 function and 3 remarks". Owned by the caller. */
static char *count_parts(const guint dropped[TEXT_BLOCK_KINDS])
{
	static const char *const words[PARTS] = {NULL, "benchmark", "function", "remark"};
	GString *out = g_string_new(NULL);
	for (guint i = PART_BENCHMARK; i < PARTS; i++)
		if (dropped[i] > 0)
			g_string_append_printf(out, "%s%u %s%s", out->len > 0 ? ", " : "", dropped[i], words[i],
			        dropped[i] == 1 ? "" : "s");
	if (out->len == 0)
		g_string_append(out, "the names of the commits");
	return g_string_free(out, FALSE);
}

/* Makes room, and for the sentence that says what for; NULL if all fits. Owned by the caller. */
static char *make_room(TextBlocks *blocks, gsize max_bytes)
{
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	if (text_blocks_bytes(blocks) <= max_bytes)
		return NULL;
	text_blocks_drop(blocks, max_bytes - NOTE_BYTES, dropped);
	g_autofree char *parts = count_parts(dropped), *limit = number_count(max_bytes);
	return g_strdup_printf("\nLeft out to stay within %s bytes: %s. `report.html` and `report.json` of the output "
	                       "folder have everything.\n",
	        limit, parts);
}

char *summary_markdown(const CheckResult *result, gsize max_bytes, gsize *length)
{
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	add_heading(blocks, result);
	add_slower(blocks, result);
	add_sides(blocks, result);
	add_reasons(blocks, result);
	add_table(blocks, result, FALSE);
	add_table(blocks, result, TRUE);
	add_regressions(blocks, result);
	add_remarks(blocks, result);
	for (guint i = 0; i < result->benchmarks->len; i++)
		add_function_lists(blocks, g_ptr_array_index(result->benchmarks, i));
	add_calibrations(blocks, result);
	add_findings(blocks, result);
	add_files(blocks, result);

	gsize limit = max_bytes > 0 ? MAX(max_bytes, SUMMARY_MIN_BYTES) : SUMMARY_MAX_BYTES;
	g_autofree char *note = make_room(blocks, limit);
	GString *out = g_string_new(NULL);
	text_blocks_append(out, blocks);
	g_string_append(out, note != NULL ? note : "");
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
