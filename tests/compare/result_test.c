/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include "compare/exitcodes.h"
#include "model/engine.h"

#include <math.h>

static void a_new_result_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(result->base.sha, "");
}

static void a_benchmark_has_the_verdict_of_its_comparison_or_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	assert_int_equal(result_benchmark_verdict(benchmark), VERDICT_ERROR);
	benchmark->comparison = benchmark_comparison_new("parse");
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		benchmark->comparison->verdict = verdict;
		assert_int_equal(result_benchmark_verdict(benchmark), verdict);
		assert_int_equal(exit_code_verdict(verdict_exit_code(verdict)), verdict);
	}
}

static void a_new_benchmark_knows_nothing_of_its_campaign(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	const ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	assert_int_equal(benchmark->campaign.rounds, 0);
	assert_true(isnan(benchmark->campaign.overlap_share) && isnan(benchmark->campaign.interference_ratio));
	assert_true(isnan(benchmark->campaign.estimate_s) && isnan(benchmark->campaign.elapsed_s));
	assert_null(benchmark->calibration);
}

static void sides_are_replaced_as_a_whole(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(&result->head, "abc", "main", "--base", "fix");
	result_side_set(&result->head, "def", NULL, "merge-base", NULL);
	assert_string_equal(result->head.sha, "def");
	assert_string_equal(result->head.ref, "");
	assert_string_equal(result->head.subject, "");
}

/* It fails by crashing. */
static void freeing_no_result_does_nothing(void **state)
{
	(void)state;
	check_result_free(NULL);
}

static void sources_of_base_have_the_names_of_the_report(void **state)
{
	(void)state;
	assert_null(base_source_name(BASE_NONE));
	assert_string_equal(base_source_name(BASE_MEASURED), "measured");
	assert_string_equal(base_source_name(BASE_STORED), "stored");
}

static void benchmarks_and_profiles_are_of_perf_until_said_otherwise(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	assert_ptr_equal(benchmark->engine, &engine_perf);
	assert_int_equal(benchmark->base_source, BASE_NONE);
	result_benchmark_add_profile(benchmark, &(ResultProfile){.event = (char *)"off-cpu"});
	result_benchmark_add_profile(benchmark,
	        &(ResultProfile){.event = (char *)"instructions", .engine = &engine_callgrind, .decides = TRUE});
	const ResultProfile *first = benchmark->profiles->pdata[0], *second = benchmark->profiles->pdata[1];
	assert_ptr_equal(first->engine, &engine_perf);
	assert_ptr_equal(second->engine, &engine_callgrind);
	assert_true(!first->decides && second->decides);
}

static void count_freed(gpointer count)
{
	++*(guint *)count;
}

static GPtrArray *counted_list(guint *freed)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(count_freed);
	g_ptr_array_add(list, freed);
	return list;
}

static void a_result_owns_annotations_and_history(void **state)
{
	guint freed = 0;
	(void)state;
	CheckResult *result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	benchmark->annotations = counted_list(&freed);
	benchmark->history = counted_list(&freed);
	result_benchmark_add_profile(
	        benchmark, &(ResultProfile){.event = (char *)"off-cpu", .annotations = counted_list(&freed)});
	check_result_free(result);
	assert_int_equal(freed, 3);
}

static void modes_have_the_names_of_the_report(void **state)
{
	(void)state;
	assert_string_equal(check_mode_name(CHECK_GATE), "gate");
	assert_string_equal(check_mode_name(CHECK_CALIBRATE), "calibrate");
	assert_string_equal(check_mode_name(CHECK_SELF_TEST), "self_test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_new_result_is_an_error),
	        cmocka_unit_test(a_benchmark_has_the_verdict_of_its_comparison_or_is_an_error),
	        cmocka_unit_test(a_new_benchmark_knows_nothing_of_its_campaign),
	        cmocka_unit_test(sides_are_replaced_as_a_whole),
	        cmocka_unit_test(freeing_no_result_does_nothing),
	        cmocka_unit_test(sources_of_base_have_the_names_of_the_report),
	        cmocka_unit_test(benchmarks_and_profiles_are_of_perf_until_said_otherwise),
	        cmocka_unit_test(a_result_owns_annotations_and_history),
	        cmocka_unit_test(modes_have_the_names_of_the_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
