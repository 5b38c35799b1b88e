/* SPDX-License-Identifier: Apache-2.0 */
/* Results for the tests of texts that machines read: one full of hostile names, and one too large for any limit. */
#pragma once

#include "compare/outcome.h"
#include "tests/report/sample.h"

static const char *const hostile_texts[] = {
        "</testcase><script>alert(1)</script>",
        "]]><!--",
        "a\"b'c&amp;<d>",
        "::error file=x,line=1::forged",
        "line\n::error::forged\r\n##[error]forged",
        "%0A::error::forged",
        "a,b:c=d{e}f\\g\"h",
        "\x1b[2J\x07\x7f\x01",
        "\xff\xfe not utf-8 \xc3",
        "\xe2\x80\xaereversed\xe2\x80\x8b\xef\xbb\xbf",
        "@everyone #1 [x](javascript:alert(1)) ![y](http://example.org/z) | `a`` </details>",
        "{\"a\": 1e999}\xe2\x80\xa8",
        "# EOF",
        "../../etc/passwd",
        "",
        " ",
        "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
        "$CI_JOB_TOKEN ${CI_JOB_TOKEN} $(id)",
};

static inline void replace_field(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

/* The function `name` in the table of the benchmark, with a file of that name, too. */
static inline FunctionComparison *hostile_function(ResultBenchmark *benchmark, const char *text)
{
	StackTable *table = benchmark->head->profile->table;
	NameId name = stack_table_name(table, text, -1);
	Frame frame = {.name = name, .raw_name = name, .module = name, .file = name, .line = 7, .kind = FRAME_USER};
	FunctionComparison *function = sample_function(benchmark, "hash_word", FUNCTION_REGRESSION, .001, TRUE);
	function->frame = function->renamed_from = stack_table_frame(table, &frame);
	function->sentence = g_strconcat(text, " +17.6 pp", NULL);
	function->note = g_strdup(text);
	return function;
}

/* A benchmark with everything that is text set to this one. */
static inline void add_hostile_benchmark(CheckResult *result, const char *text)
{
	ResultBenchmark *benchmark = check_result_add_benchmark(result, text);
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->base = sample_measurement(table, FALSE);
	benchmark->head = sample_measurement(table, TRUE);
	benchmark->comparison = benchmark_comparison_new(text);
	benchmark_comparison_decide(benchmark->comparison, VERDICT_REGRESSION, "regression", g_strdup(text));
	replace_field(&benchmark->comparison->sentence, text);
	MetricComparison *metric = sample_metric(text, text, 1e9, 1.2, .01, VERDICT_REGRESSION, TRUE);
	metric->reason = g_strdup(text);
	g_ptr_array_add(benchmark->comparison->metrics, metric);
	g_ptr_array_add(benchmark->comparison->functions, hostile_function(benchmark, text));
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup(text));
}

static inline CheckResult *hostile_result(void)
{
	CheckResult *result = check_result_new();
	for (guint i = 0; i < G_N_ELEMENTS(hostile_texts); i++) {
		const char *text = hostile_texts[i];
		add_hostile_benchmark(result, text);
		finding_add(result->findings, FINDING_WARNING, text, text, "%s", text);
		check_result_add_reason(result, 4, text, NULL, "%s", text);
	}
	result_side_set(&result->base, hostile_texts[0], hostile_texts[4], hostile_texts[10], hostile_texts[7]);
	result_side_set(&result->head, hostile_texts[8], hostile_texts[9], "--head", hostile_texts[10]);
	check_result_decide(result);
	return result;
}

/* `benchmarks` benchmarks that pass but for the first of each ten, with `functions` functions each, of which those of
 * the regressions gate. */
static inline CheckResult *many_functions(guint benchmarks, guint functions)
{
	CheckResult *result = check_result_new();
	for (guint i = 0; i < benchmarks; i++) {
		gboolean slower = i % 10 == 0;
		g_autofree char *name = g_strdup_printf("size-%u", i);
		g_autoptr(StackTable) table = stack_table_new();
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->base = sample_measurement(table, FALSE);
		benchmark->head = sample_measurement(table, TRUE);
		benchmark->comparison = benchmark_comparison_new(name);
		Verdict verdict = slower ? VERDICT_REGRESSION : VERDICT_PASS;
		benchmark_comparison_decide(
		        benchmark->comparison, verdict, verdict_name(verdict), g_strdup("task-clock says so"));
		g_ptr_array_add(benchmark->comparison->metrics,
		        sample_metric("task-clock", "ns", 1e9, slower ? 1.2 : 1, .01, verdict, TRUE));
		FunctionComparison *like = sample_function(benchmark, "hash_word", FUNCTION_REGRESSION, .001, slower);
		for (guint j = 0; j < functions; j++) {
			g_autofree char *text = g_strdup_printf("fünktion_%u_%u", i, j);
			g_autofree char *file = g_strdup_printf("src/f%u.c", j);
			Frame frame = {.name = stack_table_name(table, text, -1),
			        .module = stack_table_name(table, "catalog", -1),
			        .file = stack_table_name(table, file, -1),
			        .line = j + 1};
			FunctionComparison *function = g_memdup2(like, sizeof *like);
			function->frame = function->renamed_from = stack_table_frame(table, &frame);
			function->contribution = .2 / (1 + j);
			g_ptr_array_add(benchmark->comparison->functions, function);
		}
		function_comparison_free(like);
	}
	check_result_decide(result);
	return result;
}

/* Leaves an output beside the test programs, for a parser of another hand (tests/report/interchange_test.sh). */
static inline void leave_for_parsers(const char *name, const char *text, gsize length)
{
	g_autofree char *path = g_build_filename(BUILD_DIR, name, NULL);
	g_assert_true(g_file_set_contents(path, text, (gssize)length, NULL));
}
