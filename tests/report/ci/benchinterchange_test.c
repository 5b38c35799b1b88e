/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/benchinterchange.h"

#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

#include "core/jsontext.h"

static void what_bencher_reads_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	gsize length;
	g_autofree char *text = bench_bmf_json(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("bmf.json", text);
	leave_for_parsers("texts-sample.bmf.json", text, length);
}

static void what_benchmark_actions_read_is_as_it_was(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	gsize length;
	g_autofree char *text = bench_smaller_json(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("smaller.json", text);
	leave_for_parsers("texts-sample.smaller.json", text, length);
}

static void the_value_lies_within_its_bounds(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	gsize length;
	g_autofree char *text = bench_bmf_json(result, &length);
	json_auto_t *root = json_load_text(text, length, "bmf", NULL);
	const json_t *metric = json_object_get(json_object_get(root, "catalog"), "task-clock");
	double value = json_number_value(json_object_get(metric, "value"));
	assert_true(json_number_value(json_object_get(metric, "lower_value")) <= value);
	assert_true(json_number_value(json_object_get(metric, "upper_value")) >= value);
}

static void more_is_better_has_no_place_among_what_should_be_small(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	((MetricComparison *)comparison->metrics->pdata[0])->higher_is_better = TRUE;
	g_autofree char *smaller = bench_smaller_json(result, NULL), *bmf = bench_bmf_json(result, NULL);
	assert_null(strstr(smaller, "catalog: task-clock"));
	assert_non_null(strstr(bmf, "\"task-clock\""));
}

static void what_is_not_known_is_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "not compared");
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "not measured");
	benchmark->comparison = benchmark_comparison_new("not measured");
	g_ptr_array_add(benchmark->comparison->metrics, sample_metric("wall", "ns", NAN, 1, .01, VERDICT_ERROR, TRUE));
	g_autofree char *smaller = bench_smaller_json(result, NULL), *bmf = bench_bmf_json(result, NULL);
	assert_string_equal(smaller, "[]\n");
	assert_string_equal(bmf, "{}\n");
}

static void two_engines_of_one_metric_both_have_a_name(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	MetricComparison *counted = sample_metric("task-clock", "ns", 5e8, 1.2, .01, VERDICT_PASS, TRUE);
	counted->engine = &engine_callgrind;
	g_ptr_array_add(comparison->metrics, counted);
	g_autofree char *bmf = bench_bmf_json(result, NULL), *smaller = bench_smaller_json(result, NULL);
	assert_non_null(strstr(bmf, "\"task-clock (callgrind)\""));
	assert_non_null(strstr(smaller, "\"catalog: task-clock (counted)\""));
}

static void hostile_names_stay_text(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result();
	gsize bmf_length, smaller_length;
	g_autofree char *bmf = bench_bmf_json(result, &bmf_length);
	g_autofree char *smaller = bench_smaller_json(result, &smaller_length);
	json_auto_t *array = json_load_text(smaller, smaller_length, "smaller", NULL);
	assert_int_equal(json_array_size(array), G_N_ELEMENTS(hostile_texts));
	leave_for_parsers("texts-hostile.bmf.json", bmf, bmf_length);
	leave_for_parsers("texts-hostile.smaller.json", smaller, smaller_length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_bencher_reads_is_as_it_was),
	        cmocka_unit_test(what_benchmark_actions_read_is_as_it_was),
	        cmocka_unit_test(the_value_lies_within_its_bounds),
	        cmocka_unit_test(more_is_better_has_no_place_among_what_should_be_small),
	        cmocka_unit_test(what_is_not_known_is_left_out),
	        cmocka_unit_test(two_engines_of_one_metric_both_have_a_name),
	        cmocka_unit_test(hostile_names_stay_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
