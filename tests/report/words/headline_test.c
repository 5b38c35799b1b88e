/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/headline.h"

#include "compare/endings.h"
#include "compare/outcome.h"
#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_headline(const CheckResult *result, const char *wanted)
{
	g_autofree char *headline = headline_text(result);
	assert_string_equal(headline, wanted);
}

static void the_headline_names_benchmark_and_culprit(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19");
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	comparison->confirmation = CONFIRMATION_CONFIRMED;
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; confirmed");
	comparison->confirmation = CONFIRMATION_NOT_RUN;
	ResultBenchmark *second = check_result_add_benchmark(result, "other");
	second->comparison = benchmark_comparison_new("other");
	second->comparison->verdict = VERDICT_REGRESSION;
	check_headline(result,
	        "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 1 more benchmark");
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(result);
	check_headline(result, "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 1 more "
	                       "benchmark; and an error: head does not build");
	g_ptr_array_set_size(result->benchmarks, 0);
	check_headline(result, "head does not build");
}

/* A benchmark that regressed by this metric. */
static void add_regression(CheckResult *result, const char *name, const char *metric, double change_ratio)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	g_ptr_array_add(
	        comparison->metrics, sample_metric(metric, "ns", 1e9, change_ratio, .01, VERDICT_REGRESSION, TRUE));
	benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "regression", g_strdup("it regressed"));
	g_free(comparison->sentence);
	comparison->sentence = g_strconcat(name, " is slower", NULL);
	check_result_add_benchmark(result, name)->comparison = comparison;
}

static void the_largest_slowdown_comes_first(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	((FunctionComparison *)((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->functions->pdata[0])
	        ->relation = CHANGE_TOUCHED;
	add_regression(result, "memory", "peak-rss", 3);
	add_regression(result, "small", "task-clock", 1.05);
	check_headline(result,
	        "catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19; and 2 more benchmarks");
	add_regression(result, "large", "task-clock", 1.4);
	check_headline(result, "large is slower; and 3 more benchmarks");
}

static void a_first_run_is_no_pass_to_a_reader(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ending_nothing_to_compare(result, check_result_add_benchmark(result, "parse"),
	        "base cannot run it (./parse could not be started: No such file); `files` names what it needs", FALSE);
	ending_nothing_to_compare(result, check_result_add_benchmark(result, "sort"), "base cannot run it", FALSE);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 0);
	check_headline(result, "2 new benchmarks: nothing to compare yet");
	assert_string_equal(headline_word(result), "First run");
	g_autoptr(CheckResult) known = sample_result();
	assert_string_equal(headline_word(known), "Regression");
}

static void an_inconclusive_headline_says_why(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	benchmark->comparison = benchmark_comparison_new("parse");
	benchmark->comparison->verdict = VERDICT_INCONCLUSIVE;
	g_free(benchmark->comparison->reason);
	benchmark->comparison->reason = g_strdup("wall time: too close to call");
	check_result_decide(result);
	check_headline(result, "parse: wall time: too close to call");
}

static void passes_are_counted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	for (guint i = 0; i < 2; i++) {
		ResultBenchmark *benchmark = check_result_add_benchmark(result, "b");
		benchmark->comparison = benchmark_comparison_new("b");
		benchmark->comparison->verdict = VERDICT_PASS;
	}
	check_result_decide(result);
	check_headline(result, "2 benchmarks passed");
}

/* A benchmark that passed with this change of its CPU time. */
static ResultBenchmark *add_pass(CheckResult *result, const char *name, double change_ratio, const char *sentence)
{
	ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
	MetricComparison *metric = sample_metric("task-clock", "ns", 1e9, change_ratio, .01, VERDICT_PASS, TRUE);
	metric->improved = change_ratio < .97;
	benchmark->comparison = benchmark_comparison_new(name);
	g_ptr_array_add(benchmark->comparison->metrics, metric);
	benchmark_comparison_decide(benchmark->comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	g_free(benchmark->comparison->sentence);
	benchmark->comparison->sentence = g_strdup(sentence);
	return benchmark;
}

static void of_several_that_passed_an_improvement_and_a_slower_function_are_told(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_pass(result, "sort", 1.001, "sort: no slowdown");
	add_pass(result, "render", .9, "render takes 10 % less time");
	check_result_decide(result);
	check_headline(result, "2 benchmarks passed: nothing worse by more than 6 %; render takes 10 % less time");
	add_pass(result, "parse", .6, "parse takes 40 % less time");
	check_headline(result,
	        "3 benchmarks passed: nothing worse by more than 6 %; parse takes 40 % less time, and 1 more improved");
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->slower = g_strdup("slower: hash");
	check_headline(result, "3 benchmarks passed: nothing worse by more than 6 %; parse takes 40 % less time, and 1 "
	                       "more improved; but a function of "
	                       "sort is slower");
}

static void moved_cost_is_told_as_such(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_moved_result();
	check_headline(result, "catalog: no slowdown beyond 6 % (measured +0.40 %, -0.80 to +1.6 %); cost moved from "
	                       "render_rows to hash_word");
	add_pass(result, "sort", 1.001, "sort: no slowdown");
	check_headline(result, "2 benchmarks passed: nothing worse by more than 6 %; in catalog cost moved from "
	                       "render_rows to hash_word");
	((ResultBenchmark *)result->benchmarks->pdata[1])->comparison->slower = g_strdup("slower: hash");
	check_headline(result, "2 benchmarks passed: nothing worse by more than 6 %; but a function of sort is slower; "
	                       "in catalog cost moved from render_rows to hash_word");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_headline_names_benchmark_and_culprit),
	        cmocka_unit_test(the_largest_slowdown_comes_first),
	        cmocka_unit_test(a_first_run_is_no_pass_to_a_reader),
	        cmocka_unit_test(moved_cost_is_told_as_such),
	        cmocka_unit_test(an_inconclusive_headline_says_why),
	        cmocka_unit_test(passes_are_counted),
	        cmocka_unit_test(of_several_that_passed_an_improvement_and_a_slower_function_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
