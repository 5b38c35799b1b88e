#include "report/summarymd.h"

#include "core/escape.h"
#include "report/highlights.h"
#include "report/wording.h"

#include <math.h>

#define FUNCTIONS_SHOWN 12
#define UNCHANGED_SHOWN 3
#define NAME_MAX_CHARS 200
#define TEXT_MAX_CHARS 1000

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

static void append_text(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten(text, TEXT_MAX_CHARS);
	escape_markdown_text(out, shortened, -1);
}

static void append_code(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten(text, NAME_MAX_CHARS);
	escape_markdown_code(out, shortened, -1);
}

static const char *verdict_sign(Verdict verdict)
{
	static const char *const signs[] = {
	        [VERDICT_PASS] = "✅",
	        [VERDICT_REGRESSION] = "❌",
	        [VERDICT_INCONCLUSIVE] = "❔",
	        [VERDICT_ERROR] = "🚫",
	};
	return signs[verdict];
}

static void add_heading(GArray *blocks, const CheckResult *result)
{
	GString *out = add_block(blocks, KEEP);
	g_autofree char *headline = highlights_headline(result);
	g_string_append_printf(out, "## %s %s: ", verdict_sign(result->verdict), wording_verdict(result->verdict));
	append_text(out, headline);
	g_string_append(out, "\n\n");
}

static void append_side(GString *out, const char *word, const ResultSide *side)
{
	g_string_append_printf(out, "%s ", word);
	append_code(out, *side->sha == '\0' ? "?" : side->sha);
	if (*side->ref != '\0') {
		g_string_append(out, " (");
		append_code(out, side->ref);
		g_string_append_c(out, ')');
	}
	if (*side->subject != '\0') {
		g_string_append(out, " ");
		append_text(out, side->subject);
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
		append_code(out, result->base.chosen_by);
	}
	g_string_append(out, "\n\n");
}

static void add_reasons(GArray *blocks, const CheckResult *result)
{
	for (guint i = 1; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		GString *out = add_block(blocks, DROP_REASON);
		g_string_append(out, "- ");
		append_text(out, reason->text);
		g_string_append(out, i + 1 == result->reasons->len ? "\n\n" : "\n");
	}
}

static char *detectable_words(const MetricComparison *metric)
{
	return isfinite(metric->mde_ratio) ? wording_share(metric->mde_ratio) : g_strdup("nothing");
}

static void append_metric_row(GString *out, const char *benchmark, const MetricComparison *metric)
{
	g_autofree char *base = wording_value(metric->base, metric->unit),
	                *head = wording_value(metric->head, metric->unit);
	g_autofree char *change = wording_change(metric->change_ratio);
	g_autofree char *interval = wording_change_interval(metric->lower_ratio, metric->upper_ratio);
	g_autofree char *margin = wording_share(metric->margin), *detectable = detectable_words(metric);
	g_string_append(out, "| ");
	append_code(out, benchmark);
	g_string_append(out, " | ");
	append_code(out, metric->name);
	g_string_append(out, metric->higher_is_better ? " (higher is better) | " : " | ");
	append_text(out, base);
	g_string_append(out, " | ");
	append_text(out, head);
	g_string_append_printf(out, " | **%s** | %s | ", change, interval);
	g_string_append_printf(out, "%s | %s | %u | ", metric->gates ? margin : "–", detectable, metric->rounds);
	if (metric->gates)
		g_string_append_printf(out, "%s %s", verdict_sign(metric->verdict), verdict_name(metric->verdict));
	else
		g_string_append(out, "does not gate");
	if (metric->verdict == VERDICT_ERROR && metric->reason != NULL) {
		g_string_append(out, metric->gates ? ": " : "; not compared: ");
		append_text(out, metric->reason);
	}
	g_string_append(out, " |\n");
}

static gboolean has_passed(const ResultBenchmark *benchmark)
{
	return benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_PASS;
}

/* The rows of a benchmark. */
static void add_rows(GArray *blocks, const ResultBenchmark *benchmark)
{
	GString *out = add_block(blocks, has_passed(benchmark) ? DROP_PASSED : DROP_LATE);
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL) {
		g_string_append(out, "| ");
		append_code(out, benchmark->name);
		g_string_append_printf(
		        out, " | – | – | – | – | – | – | – | – | %s not compared |\n", verdict_sign(VERDICT_ERROR));
		return;
	}
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		if (highlights_shows_metric(comparison, metric))
			append_metric_row(out, benchmark->name, metric);
	}
}

static void add_table(GArray *blocks, const CheckResult *result)
{
	if (result->benchmarks->len == 0)
		return;
	g_string_append(add_block(blocks, KEEP),
	        "| benchmark | metric | base | head | change | interval, % | margin | detectable | rounds | verdict |\n"
	        "|---|---|--:|--:|--:|---|--:|--:|--:|---|\n");
	for (guint i = 0; i < result->benchmarks->len; i++)
		add_rows(blocks, g_ptr_array_index(result->benchmarks, i));
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
		g_string_append_printf(out, "- %s ", verdict_sign(comparison->verdict));
		append_code(out, benchmark->name);
		g_string_append(out, ": ");
		append_text(out, comparison->sentence);
		if (confirmation != NULL) {
			g_string_append(out, "; ");
			append_text(out, confirmation);
		}
		g_string_append_c(out, '\n');
	}
	if (out != NULL)
		g_string_append(add_block(blocks, KEEP), "\n");
}

static void append_function(
        GString *out, const StackTable *table, const FunctionComparison *function, gboolean with_relation)
{
	g_autofree char *place = highlights_place(table, function->frame);
	g_autofree char *points = wording_points(function->contribution);
	g_autofree char *interval = wording_points_interval(function->contribution_lower, function->contribution_upper);
	g_autofree char *own = isnan(function->change_ratio) ? g_strdup("–") : wording_change(function->change_ratio);
	g_autofree char *base = wording_count(function->base_samples), *head = wording_count(function->head_samples);
	g_autofree char *p = wording_p_value(!function->tested            ? NAN
	                                     : function->contribution < 0 ? function->p_adjusted_improvement
	                                                                  : function->p_adjusted);
	g_string_append(out, function->gates ? "| ❌ " : "| ");
	append_code(out, highlights_name(table, function->frame));
	g_string_append(out, " | ");
	if (*place != '\0')
		append_code(out, place);
	g_string_append_printf(out, " | **%s** | %s | %s | %s → %s | %s | %s", points, interval, own, base, head, p,
	        function_class_name(function->klass));
	if (function->note != NULL) {
		g_string_append(out, ": ");
		append_text(out, function->note);
	}
	if (with_relation) {
		g_autofree char *relation = wording_relation(function);
		g_string_append_printf(out, " | %s", *relation != '\0' ? relation : "–");
	}
	g_string_append(out, " |\n");
}

static void add_functions(GArray *blocks, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL || comparison->functions->len == 0)
		return;
	GString *out = add_block(blocks, has_passed(benchmark) ? DROP_FUNCTIONS : DROP_DETAILS);
	g_autoptr(GPtrArray) functions = highlights_functions(comparison, FUNCTIONS_SHOWN, UNCHANGED_SHOWN);
	g_string_append_printf(out, "<details%s><summary>", has_passed(benchmark) ? "" : " open");
	append_text(out, benchmark->name); /* character references only, so it is as good inside of HTML */
	g_string_append_printf(out, ": functions (%u of %u)</summary>\n\n", functions->len, comparison->functions->len);
	if (!highlights_accuses(comparison) && *comparison->sentence != '\0') {
		append_text(out, comparison->sentence);
		g_string_append(out, "\n\n");
	}
	gboolean with_relation = highlights_has_relations(functions);
	g_string_append_printf(out,
	        "| function | where | contribution | interval, pp | own change | samples | adjusted p | class |%s\n"
	        "|---|---|--:|---|--:|--:|--:|---|%s\n",
	        with_relation ? " lines |" : "", with_relation ? "---|" : "");
	for (guint i = 0; i < functions->len; i++)
		append_function(out, highlights_table(benchmark), g_ptr_array_index(functions, i), with_relation);
	g_string_append(out, "\nContributions are percentage points of the base's total cost.");
	if (with_relation)
		g_string_append(out, " Lines: what the change did to those of a function.");
	g_string_append(out, "\n\n</details>\n\n");
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
		append_code(out, benchmark->name);
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
			append_code(out, finding->benchmark);
			g_string_append(out, ": ");
		}
		append_text(out, finding->text);
		g_string_append(out, " (");
		append_code(out, finding->code);
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
		append_code(out, files->pdata[i]);
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
		append_code(out, benchmark->name);
		g_string_append(out, ": open ");
		append_code(out, file);
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
	add_table(blocks, result);
	add_regressions(blocks, result);
	for (guint i = 0; i < result->benchmarks->len; i++)
		add_functions(blocks, g_ptr_array_index(result->benchmarks, i));
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
