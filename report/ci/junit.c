/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/junit.h"

#include "compare/comparison/shownvalues.h"
#include "core/escape.h"
#include "model/engine.h"
#include "report/ci/flagged.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"
#include "report/words/textblocks.h"
#include "report/words/wording.h"

#include <string.h>

#define NAME_MAX_CHARS 200
#define TEXT_MAX_CHARS 4000
#define FUNCTIONS_LISTED 10

/* Orders them by gravity. */
typedef enum { OUTCOME_PASSED, OUTCOME_SKIPPED, OUTCOME_FAILED, OUTCOME_BROKEN, OUTCOMES } Outcome;

typedef struct {
	const CheckResult *result;
	const GPtrArray *flagged;
	TextBlocks *cases;
	guint n[OUTCOMES];
	GHashTable *names; /* of name and classname, to keep them apart */
	Outcome worst;     /* of the benchmark at hand */
} Suite;

typedef struct {
	const char *class_name, *name; /* foreign text, like the others */
	const char *file;              /* NULL = none */
	Outcome outcome;
	const char *message; /* one line; NULL = none */
	const char *text;    /* details */
} Case;

static Outcome outcome_of(const Suite *suite, Verdict verdict)
{
	static const Outcome outcomes[] = {
	        [VERDICT_PASS] = OUTCOME_PASSED,
	        [VERDICT_REGRESSION] = OUTCOME_FAILED,
	        [VERDICT_INCONCLUSIVE] = OUTCOME_SKIPPED,
	        [VERDICT_ERROR] = OUTCOME_BROKEN,
	};
	/* base against itself: a regression is a remark about the machine and fails nothing */
	gboolean accuses = verdict == VERDICT_REGRESSION && suite->result->mode != CHECK_GATE;
	return accuses ? OUTCOME_SKIPPED : outcomes[verdict];
}

static void append_cut(GString *out, const char *text, gsize max_chars)
{
	g_autofree char *shortened = wording_shorten_words(text, max_chars);
	escape_xml(out, shortened, -1);
}

/* The name as it is written, with a number where there is one like it. Owned by the caller. */
static char *unique_name(Suite *suite, const Case *c, const char *class_name)
{
	g_autoptr(GString) name = g_string_new(NULL);
	append_cut(name, *c->name != '\0' ? c->name : "?", NAME_MAX_CHARS);
	gsize length = name->len;
	for (guint number = 2;; number++) {
		char *key = g_strconcat(name->str, "@", class_name, NULL);
		if (g_hash_table_add(suite->names, key))
			return g_strdup(name->str);
		g_string_truncate(name, length);
		g_string_append_printf(name, " (%u)", number);
	}
}

static void append_outcome(GString *out, const Case *c)
{
	static const char *const elements[] = {NULL, "skipped", "failure", "error"};
	const char *element = elements[c->outcome];
	if (element == NULL)
		return;
	g_string_append_printf(out, "      <%s", element);
	if (c->message != NULL) {
		g_string_append(out, " message=\"");
		append_cut(out, c->message, TEXT_MAX_CHARS);
		g_string_append_c(out, '"');
	}
	g_string_append_c(out, '>');
	append_cut(out, c->text, TEXT_MAX_CHARS);
	g_string_append_printf(out, "</%s>\n", element);
}

static void add_case(Suite *suite, const Case *c)
{
	static const guint ranks[] = {
	        [OUTCOME_PASSED] = 3, [OUTCOME_SKIPPED] = 2, [OUTCOME_FAILED] = 1, [OUTCOME_BROKEN] = 1};
	g_autoptr(GString) class_name = g_string_new(NULL);
	append_cut(class_name, *c->class_name != '\0' ? c->class_name : "?", NAME_MAX_CHARS);
	g_autofree char *name = unique_name(suite, c, class_name->str);
	GString *out = text_blocks_add(suite->cases, ranks[c->outcome], 0);
	g_string_append_printf(out, "    <testcase name=\"%s\" classname=\"%s\"", name, class_name->str);
	if (c->file != NULL) {
		g_string_append(out, " file=\"");
		append_cut(out, c->file, TEXT_MAX_CHARS);
		g_string_append_c(out, '"');
	}
	g_string_append(out, ">\n");
	append_outcome(out, c);
	if (c->outcome == OUTCOME_PASSED) {
		g_string_append(out, "      <system-out>");
		append_cut(out, c->text, TEXT_MAX_CHARS);
		g_string_append(out, "</system-out>\n");
	}
	g_string_append(out, "    </testcase>\n");
	suite->n[c->outcome]++;
	suite->worst = MAX(suite->worst, c->outcome);
}

/* The numbers of a metric in one line. */
static char *metric_text(const MetricComparison *metric)
{
	g_autofree char *costs = wording_metric_costs(metric), *change = wording_metric_change(metric);
	g_autofree char *interval = wording_metric_interval(metric);
	g_autofree char *margin = wording_margins(metric);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "%s: %s, %s", metric->name, costs, change);
	if (*interval != '\0')
		g_string_append_printf(text, " %s", interval);
	if (metric->gates)
		g_string_append_printf(text, ", margin %s", margin);
	g_autofree char *repetitions = wording_repetitions(metric);
	g_string_append_printf(text, ", %s", repetitions);
	return g_string_free(text, FALSE);
}

/* The outcome of a metric, never graver than that of the benchmark: a regression that a second campaign did not confirm
 * accuses nobody. */
static Outcome metric_outcome(const Suite *suite, const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	if (!metric->gates || metric->accepted)
		return OUTCOME_SKIPPED;
	gboolean stands = metric->verdict != VERDICT_REGRESSION || comparison->verdict == VERDICT_REGRESSION;
	return stands ? outcome_of(suite, metric->verdict) : OUTCOME_SKIPPED;
}

static void add_metric(Suite *suite, const ResultBenchmark *benchmark, const MetricComparison *metric)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	g_autofree char *numbers = metric_text(metric);
	g_autofree char *name = g_strdup_printf("%s (%s)", metric->name, metric->engine->name);
	const Case c = {.class_name = benchmark->name,
	        .name = name,
	        .outcome = metric_outcome(suite, comparison, metric),
	        .message = benchmark_line_metric(comparison, metric),
	        .text = numbers};
	add_case(suite, &c);
}

/* TRUE if any function of the list gates; adds the worst few in lines of text; `file` is that of the first. */
static gboolean gating_functions(const Suite *suite, const FunctionList *list, GString *text, const char **file)
{
	guint n = 0;
	for (guint i = 0; i < suite->flagged->len; i++) {
		const FlaggedFunction *flagged = g_ptr_array_index(suite->flagged, i);
		if (flagged->list.comparison != list->comparison || flagged->weight != FLAGGED_GATES)
			continue;
		if (n++ == 0)
			*file = flagged->place.path;
		if (n > FUNCTIONS_LISTED)
			continue;
		g_autofree char *line = flagged_text(flagged);
		g_string_append_printf(text, "%s%s", n > 1 ? "\n" : "", line);
		if (flagged->place.path != NULL)
			g_string_append_printf(text, " (%s:%u)", flagged->place.path, flagged->place.line);
	}
	if (n > FUNCTIONS_LISTED)
		g_string_append_printf(text, "\nand %u more", n - FUNCTIONS_LISTED);
	return n > 0;
}

static void add_functions(Suite *suite, const ResultBenchmark *benchmark, const FunctionList *list)
{
	Verdict verdict = benchmark->comparison->verdict;
	gboolean decided = verdict == VERDICT_PASS || verdict == VERDICT_REGRESSION;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *name = highlights_list_title(list);
	Case c = {.class_name = benchmark->name, .name = name};
	if (list->comparison->functions->len == 0)
		return;
	gboolean gate = gating_functions(suite, list, text, &c.file);
	if (!gate)
		g_string_append_printf(text, "%u functions compared", list->comparison->functions->len);
	if (decided && !gate)
		c.outcome = OUTCOME_PASSED;
	else
		c.outcome = verdict == VERDICT_REGRESSION ? outcome_of(suite, verdict) : OUTCOME_SKIPPED;
	c.message = benchmark_line_functions(suite->result, benchmark, list->comparison, gate);
	if (list->comparison == benchmark->comparison && benchmark->comparison->slower != NULL)
		g_string_prepend(g_string_prepend_c(text, '\n'), benchmark->comparison->slower);
	c.text = text->str;
	add_case(suite, &c);
}

static void add_benchmark(Suite *suite, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	FunctionList lists[FUNCTION_LISTS];
	guint n = highlights_function_lists(benchmark, lists);
	Outcome verdict = outcome_of(suite, result_benchmark_verdict(benchmark));
	const char *line = benchmark_line(suite->result, benchmark);
	suite->worst = OUTCOME_PASSED;
	for (guint i = 0; comparison != NULL && i < comparison->metrics->len; i++)
		add_metric(suite, benchmark, g_ptr_array_index(comparison->metrics, i));
	for (guint i = 0; i < n; i++)
		add_functions(suite, benchmark, &lists[i]);
	Case c = {.class_name = benchmark->name,
	        .name = "verdict",
	        .outcome = verdict,
	        .message = line,
	        .text = verdict == OUTCOME_PASSED ? line : benchmark_line_rest(suite->result, benchmark)};
	if (suite->worst < verdict || comparison == NULL || comparison->metrics->len == 0)
		add_case(suite, &c);
}

/* Adds what ended the check as a whole, and its verdict if no reason said it. */
static void add_check(Suite *suite, Outcome worst)
{
	const CheckResult *result = suite->result;
	g_autofree char *headline = headline_text(result);
	suite->worst = worst;
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		Case c = {.class_name = "firebreak",
		        .name = reason->code,
		        .outcome = OUTCOME_BROKEN,
		        .message = reason->text,
		        .text = ""};
		if (reason->benchmark == NULL && reason->exit_code != 0 && reason->exit_code != 1 &&
		        reason->exit_code != 3)
			add_case(suite, &c);
	}
	Outcome verdict = outcome_of(suite, result->verdict);
	Case c = {.class_name = "firebreak",
	        .name = "verdict",
	        .outcome = verdict,
	        .message = verdict != OUTCOME_PASSED ? headline : NULL,
	        .text = verdict_name(result->verdict)};
	if (suite->worst < verdict || text_blocks_count(suite->cases) == 0)
		add_case(suite, &c);
}

/* Leaves out what does not fit, and says how much. */
static void limit_cases(Suite *suite, gsize max_bytes)
{
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	text_blocks_drop(suite->cases, max_bytes, dropped);
	if (dropped[0] == 0)
		return;
	g_autofree char *message =
	        g_strdup_printf("%u testcases do not fit into this file; report.json has all", dropped[0]);
	Case c = {.class_name = "firebreak",
	        .name = "left out",
	        .outcome = OUTCOME_SKIPPED,
	        .message = message,
	        .text = "the counts of this file are those of all testcases"};
	add_case(suite, &c);
}

static void append_counts(GString *out, const Suite *suite)
{
	guint tests = 0;
	for (guint i = 0; i < OUTCOMES; i++)
		tests += suite->n[i];
	g_string_append_printf(out, " name=\"firebreak\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
	        tests, suite->n[OUTCOME_FAILED], suite->n[OUTCOME_BROKEN], suite->n[OUTCOME_SKIPPED]);
}

char *junit_xml(const CheckResult *result, gsize max_bytes, gsize *length)
{
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	g_autoptr(TextBlocks) cases = text_blocks_new();
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Suite suite = {.result = result, .flagged = flagged, .cases = cases, .names = names};
	Outcome worst = OUTCOME_PASSED;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		add_benchmark(&suite, g_ptr_array_index(result->benchmarks, i));
		worst = MAX(worst, suite.worst);
	}
	add_check(&suite, worst);
	limit_cases(&suite, max_bytes > 0 ? max_bytes : JUNIT_MAX_BYTES);
	GString *out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	append_counts(out, &suite);
	g_string_append(out, "  <testsuite");
	append_counts(out, &suite);
	text_blocks_append(out, cases);
	g_string_append(out, "  </testsuite>\n</testsuites>\n");
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
