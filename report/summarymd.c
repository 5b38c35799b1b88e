#include "report/summarymd.h"

#include "report/highlights.h"
#include "report/markdowntables.h"
#include "report/markdowntext.h"
#include "report/wording.h"

#define FUNCTIONS_SHOWN 12
#define UNCHANGED_SHOWN 3
#define UNSTABLE_SHOWN 5

/* What stands in the way of what when it does not fit; higher goes first. */
typedef enum {
	KEEP,
	DROP_LATE,   /* rows of benchmarks that did not pass, errors */
	DROP_REASON, /* reasons but the first */
	DROP_WARNING,
	DROP_DETAILS, /* functions of benchmarks that did not pass */
	DROP_PASSED,  /* rows of benchmarks that passed */
	DROP_INFO,
	DROP_FUNCTIONS, /* functions of benchmarks that passed */
} Importance;

typedef struct {
	GString *text;
	Importance importance;
} Block;

static void block_clear(gpointer data)
{
	g_string_free(((Block *)data)->text, TRUE);
}

static GArray *blocks_new(void)
{
	GArray *blocks = g_array_new(FALSE, FALSE, sizeof(Block));
	g_array_set_clear_func(blocks, block_clear);
	return blocks;
}

/* The text of a new last block, to be filled. */
static GString *add_block(GArray *blocks, Importance importance)
{
	Block block = {g_string_new(NULL), importance};
	g_array_append_val(blocks, block);
	return block.text;
}

static void add_heading(GArray *blocks, const CheckResult *result)
{
	GString *out = add_block(blocks, KEEP);
	g_autofree char *headline = highlights_headline(result);
	g_string_append_printf(
	        out, "## %s %s: ", markdown_verdict_sign(result->verdict), wording_verdict(result->verdict));
	markdown_text(out, headline);
	g_string_append(out, "\n\n");
}

static void append_side(GString *out, const char *word, const ResultSide *side)
{
	g_string_append_printf(out, "%s ", word);
	markdown_code(out, *side->sha == '\0' ? "?" : side->sha);
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

static void add_sides(GArray *blocks, const CheckResult *result)
{
	GString *out = add_block(blocks, KEEP);
	append_side(out, "base", &result->base);
	g_string_append(out, "<br>\n→ ");
	append_side(out, "head", &result->head);
	if (*result->base.chosen_by != '\0') {
		g_string_append(out, "<br>\nbase chosen by ");
		markdown_code(out, result->base.chosen_by);
	}
	g_string_append(out, "\n\n");
}

static void add_reasons(GArray *blocks, const CheckResult *result)
{
	for (guint i = 1; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		GString *out = add_block(blocks, DROP_REASON);
		g_string_append(out, "- ");
		markdown_text(out, reason->text);
		g_string_append(out, i + 1 == result->reasons->len ? "\n\n" : "\n");
	}
}

static gboolean has_passed(const ResultBenchmark *benchmark)
{
	return benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_PASS;
}

/* The rows of a benchmark in the table of what was counted, or measured; "" if it has none there. */
static char *rows_of(const ResultBenchmark *benchmark, gboolean counted)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	GString *rows = g_string_new(NULL);
	if (comparison == NULL && highlights_counts(benchmark->engine) == counted)
		markdown_missing_row(rows, benchmark->name, counted);
	for (guint i = 0; comparison != NULL && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		if (highlights_counts(metric->engine) == counted && highlights_shows_metric(comparison, metric))
			markdown_metric_row(rows, benchmark->name, metric);
	}
	return g_string_free(rows, FALSE);
}

static void add_table(GArray *blocks, const CheckResult *result, gboolean counted)
{
	gboolean begun = FALSE;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_autofree char *rows = rows_of(benchmark, counted);
		if (*rows == '\0')
			continue;
		if (!begun)
			markdown_metric_head(add_block(blocks, KEEP), counted);
		g_string_append(add_block(blocks, has_passed(benchmark) ? DROP_PASSED : DROP_LATE), rows);
		begun = TRUE;
	}
	if (begun)
		g_string_append(add_block(blocks, KEEP), "\n");
}

/* What is slower in each benchmark, and whether it was seen again. */
static void add_regressions(GArray *blocks, const CheckResult *result)
{
	GString *out = NULL;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const BenchmarkComparison *comparison = benchmark->comparison;
		if (comparison == NULL || !highlights_accuses(comparison) || *comparison->sentence == '\0')
			continue;
		g_autofree char *confirmation = result->mode == CHECK_GATE ? wording_confirmation(comparison) : NULL;
		out = add_block(blocks, DROP_LATE);
		g_string_append_printf(out, "- %s ", markdown_verdict_sign(comparison->verdict));
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
		g_string_append(add_block(blocks, KEEP), "\n");
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

/* What belongs to the counts of a benchmark: what they say beside time, where base comes from, that nothing changed, or
 * what did not repeat. */
static void append_remarks(GString *out, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const char *source = highlights_base_source(benchmark);
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	const FunctionList *unstable = highlights_unstable(lists, n);
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

static void add_remarks(GArray *blocks, const CheckResult *result)
{
	gsize length = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		GString *out = add_block(blocks, has_passed(benchmark) ? DROP_INFO : DROP_WARNING);
		append_remarks(out, benchmark);
		length += out->len;
	}
	if (length > 0)
		g_string_append(add_block(blocks, KEEP), "\n");
}

/* With the sentence of the benchmark above the first list, unless that stands with the regressions. */
static void add_functions(GArray *blocks, const ResultBenchmark *benchmark, const FunctionList *list, gboolean first)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	guint n = list->comparison->functions->len;
	g_autoptr(GPtrArray) functions = highlights_functions(list->comparison, FUNCTIONS_SHOWN, UNCHANGED_SHOWN);
	if (functions->len == 0)
		return;
	GString *out = add_block(blocks, has_passed(benchmark) ? DROP_FUNCTIONS : DROP_DETAILS);
	g_autofree char *title = highlights_list_title(list);
	g_string_append_printf(out, "<details%s><summary>", has_passed(benchmark) ? "" : " open");
	markdown_text(out, benchmark->name); /* neither has angle brackets, so it is as good inside of HTML */
	g_string_append(out, ": ");
	markdown_text(out, title);
	g_string_append_printf(out, " (%u of %u)</summary>\n\n", functions->len, n);
	if (first && !highlights_accuses(comparison) && *comparison->sentence != '\0') {
		markdown_text(out, comparison->sentence);
		g_string_append(out, "\n\n");
	}
	markdown_function_table(out, list, functions);
	g_string_append(out, "\n\n</details>\n\n");
}

static void add_function_lists(GArray *blocks, const ResultBenchmark *benchmark)
{
	FunctionList lists[FUNCTION_LISTS];
	guint n = benchmark->comparison != NULL ? highlights_function_lists(benchmark, lists) : 0;
	for (guint i = 0; i < n; i++)
		add_functions(blocks, benchmark, &lists[i], i == 0);
}

/* How far the gate can be trusted on this kind of machine. */
static void add_calibrations(GArray *blocks, const CheckResult *result)
{
	const char *advice = highlights_advice(result);
	GString *out = NULL;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		if (benchmark->calibration == NULL)
			continue;
		g_autofree char *text = wording_calibration(benchmark->calibration);
		out = add_block(blocks, benchmark->calibration->suspicious ? DROP_WARNING : DROP_INFO);
		g_string_append_printf(out, "- %s", benchmark->calibration->suspicious ? "⚠️ " : "");
		markdown_code(out, benchmark->name);
		g_string_append_printf(out, ": %s\n", text);
	}
	if (advice != NULL) {
		out = add_block(blocks, DROP_INFO);
		g_string_append_printf(out, "- %s\n", advice);
	}
	if (out != NULL)
		g_string_append(add_block(blocks, KEEP), "\n");
}

static Importance finding_importance(FindingSeverity severity)
{
	return severity == FINDING_ERROR ? DROP_LATE : severity == FINDING_WARNING ? DROP_WARNING : DROP_INFO;
}

static void add_findings(GArray *blocks, const CheckResult *result)
{
	static const char *const signs[] = {
	        [FINDING_INFO] = "ℹ️", [FINDING_WARNING] = "⚠️", [FINDING_ERROR] = "🚫"};
	for (guint i = 0; i < finding_count(result->findings); i++) {
		const Finding *finding = finding_get(result->findings, i);
		GString *out = add_block(blocks, finding_importance(finding->severity));
		g_string_append_printf(out, "- %s ", signs[finding->severity]);
		if (finding->benchmark != NULL) {
			markdown_code(out, finding->benchmark);
			g_string_append(out, ": ");
		}
		markdown_text(out, finding->text);
		g_string_append(out, " (");
		markdown_code(out, finding->code);
		g_string_append(out, ")\n");
	}
	if (finding_count(result->findings) > 0)
		g_string_append(add_block(blocks, KEEP), "\n");
}

static void append_extra_diffs(GString *out, const ResultBenchmark *benchmark)
{
	g_autoptr(GPtrArray) files = highlights_extra_diffs(benchmark);
	for (guint i = 0; i < files->len; i++) {
		g_string_append(out, i == 0 ? "; extra profiles: " : ", ");
		markdown_code(out, files->pdata[i]);
	}
}

static void add_files(GArray *blocks, const CheckResult *result)
{
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const char *file = highlights_artifact(benchmark, "diff_svg");
		if (file == NULL)
			continue;
		GString *out = add_block(blocks, has_passed(benchmark) ? DROP_INFO : DROP_WARNING);
		g_string_append(out, "- differential flame graph of ");
		markdown_code(out, benchmark->name);
		g_string_append(out, ": open ");
		markdown_code(out, file);
		g_string_append(out, " of the output folder in a browser");
		append_extra_diffs(out, benchmark);
		g_string_append_c(out, '\n');
	}
}

static gsize total_bytes(const GArray *blocks)
{
	gsize bytes = 0;
	for (guint i = 0; i < blocks->len; i++)
		bytes += g_array_index(blocks, Block, i).text->len;
	return bytes;
}

/* Empties blocks, the least important kind first and of one kind the last first, until the rest fits. Returns how many.
 */
static guint drop_blocks(GArray *blocks, gsize max_bytes)
{
	guint dropped = 0;
	gsize bytes = total_bytes(blocks);
	for (guint importance = DROP_FUNCTIONS; importance > KEEP; importance--) {
		for (guint i = blocks->len; i-- > 0 && bytes > max_bytes;) {
			Block *block = &g_array_index(blocks, Block, i);
			if (block->importance != (Importance)importance)
				continue;
			bytes -= block->text->len;
			g_string_truncate(block->text, 0);
			dropped++;
		}
	}
	return dropped;
}

char *summary_markdown(const CheckResult *result, gsize max_bytes, gsize *length)
{
	static const char dropped_note[] = "\n%u parts are left out to stay below the size limit; see `report.json`.\n";
	g_autoptr(GArray) blocks = blocks_new();
	add_heading(blocks, result);
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

	gsize limit = max_bytes > 0 ? max_bytes : SUMMARY_MAX_BYTES;
	guint dropped =
	        total_bytes(blocks) <= limit ? 0 : drop_blocks(blocks, limit - MIN(limit, sizeof dropped_note + 10));
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < blocks->len; i++) {
		const Block *block = &g_array_index(blocks, Block, i);
		g_string_append_len(out, block->text->str, (gssize)block->text->len);
	}
	if (dropped > 0)
		g_string_append_printf(out, dropped_note, dropped);
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
