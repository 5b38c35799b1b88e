/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/junit.h"

#include "compare/outcome.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"
#include "tests/report/wellformed.h"

static guint count_of(const char *text, const char *word)
{
	guint n = 0;
	for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
		n++;
	return n;
}

static void the_tests_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	gsize length;
	g_autofree char *text = junit_xml(result, 0, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("junit.xml", text);
	leave_for_parsers("texts-sample.junit.xml", text, length);
}

static void equal_results_give_equal_bytes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) first = sample_result(), second = sample_result();
	g_autofree char *a = junit_xml(first, 0, NULL), *b = junit_xml(second, 0, NULL);
	assert_string_equal(a, b);
}

static void a_result_without_benchmarks_is_an_error_and_not_an_empty_list(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_decide(result);
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_non_null(strstr(text, "tests=\"1\" failures=\"0\" errors=\"1\""));
}

static void a_build_that_failed_is_an_error_with_its_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(result);
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_non_null(strstr(text, "name=\"build_failed\" classname=\"firebreak\""));
	assert_non_null(strstr(text, "<error message=\"head does not build\">"));
}

static void a_benchmark_that_was_not_compared_says_its_own_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "half");
	check_result_add_reason(result, 4, "benchmark_failed", "half", "half: head run failed");
	check_result_decide(result);
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_non_null(strstr(text, "name=\"verdict\" classname=\"half\""));
	assert_non_null(strstr(text, "<error message=\"half: head run failed\">"));
}

static void a_regression_of_a_function_alone_is_a_failure(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	((MetricComparison *)comparison->metrics->pdata[0])->verdict = VERDICT_PASS;
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_int_equal(count_of(text, "<failure"), 1);
	assert_non_null(strstr(text, "name=\"functions\" classname=\"catalog\" file=\"src/catalog.c\""));
}

static void a_regression_that_was_not_confirmed_fails_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	comparison->verdict = VERDICT_INCONCLUSIVE;
	result->verdict = VERDICT_INCONCLUSIVE;
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_int_equal(count_of(text, "<failure"), 0);
	assert_int_equal(count_of(text, "<error"), 0);
	assert_true(count_of(text, "<skipped") >= 2);
}

static void an_inconclusive_benchmark_of_passing_metrics_is_no_list_of_passes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		MetricComparison *metric = comparison->metrics->pdata[i];
		metric->verdict = VERDICT_PASS;
		metric->gates = TRUE;
	}
	g_ptr_array_set_size(comparison->functions, 0);
	comparison->verdict = result->verdict = VERDICT_INCONCLUSIVE;
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_int_equal(count_of(text, "<skipped"), 1);
	assert_non_null(strstr(text, "name=\"verdict\" classname=\"catalog\""));
}

static void what_a_calibration_finds_fails_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result->mode = CHECK_CALIBRATE;
	result->verdict = VERDICT_PASS;
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_int_equal(count_of(text, "<failure") + count_of(text, "<error"), 0);
}

static void metrics_of_one_name_are_told_apart(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	g_ptr_array_add(comparison->metrics, sample_metric("task-clock", "ns", 1e9, 1, .004, VERDICT_PASS, TRUE));
	g_autofree char *text = junit_xml(result, 0, NULL);
	assert_non_null(strstr(text, "\"task-clock (perf)\""));
	assert_non_null(strstr(text, "\"task-clock (perf) (2)\""));
}

static void passed_cases_are_left_out_before_failures(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(200, 3);
	gsize length;
	g_autofree char *text = junit_xml(result, 40000, &length);
	assert_true(length < 42000);
	assert_int_equal(count_of(text, "<failure"), 40);
	assert_non_null(strstr(text, "testcases do not fit into this file"));
	WellFormed xml = wellformed_parse(text);
	wellformed_clear(&xml);
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result();
	gsize length;
	g_autofree char *text = junit_xml(result, 0, &length);
	WellFormed xml = wellformed_parse(text);
	assert_int_equal(wellformed_count(&xml, "script"), 0);
	assert_int_equal(wellformed_count(&xml, "testcase"), 3 * G_N_ELEMENTS(hostile_texts));
	wellformed_clear(&xml);
	leave_for_parsers("texts-hostile.junit.xml", text, length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_tests_are_as_they_were),
	        cmocka_unit_test(equal_results_give_equal_bytes),
	        cmocka_unit_test(a_result_without_benchmarks_is_an_error_and_not_an_empty_list),
	        cmocka_unit_test(a_build_that_failed_is_an_error_with_its_reason),
	        cmocka_unit_test(a_benchmark_that_was_not_compared_says_its_own_reason),
	        cmocka_unit_test(a_regression_of_a_function_alone_is_a_failure),
	        cmocka_unit_test(a_regression_that_was_not_confirmed_fails_nothing),
	        cmocka_unit_test(an_inconclusive_benchmark_of_passing_metrics_is_no_list_of_passes),
	        cmocka_unit_test(what_a_calibration_finds_fails_nothing),
	        cmocka_unit_test(metrics_of_one_name_are_told_apart),
	        cmocka_unit_test(passed_cases_are_left_out_before_failures),
	        cmocka_unit_test(hostile_names_stay_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
