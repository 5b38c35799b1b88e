#include "compare/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add_judged(CheckResult *result, const char *name, Verdict verdict, const char *code)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->verdict = verdict;
	g_free(comparison->reason_code);
	comparison->reason_code = g_strdup(code);
	check_result_add_benchmark(result, name)->comparison = comparison;
}

static void a_new_result_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(result->base.sha, "");
}

static void zero_benchmarks_never_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_int_equal(result->reasons->len, 1);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "no benchmark was measured");
}

static void zero_benchmarks_with_a_lesser_reason_are_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 3, "contaminated", NULL, "noise");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
}

static void zero_benchmarks_keep_the_error_that_explains_them(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 6, "no_baseline", NULL, "no baseline of %s", "abc");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 6);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "no baseline of abc");
}

static void a_benchmark_without_comparison_never_passes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	check_result_add_benchmark(result, "two");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->benchmark, "two");
}

static void a_reason_of_code_zero_explains_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "two");
	check_result_add_reason(result, 0, "skipped", "two", "skipped");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
}

static void a_missing_comparison_is_explained_by_its_own_or_a_general_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) own = check_result_new();
	check_result_add_benchmark(own, "one");
	check_result_add_reason(own, 6, "no_baseline", "one", "none");
	check_result_decide(own);
	assert_int_equal(own->exit_code, 6);
	g_autoptr(CheckResult) general = check_result_new();
	check_result_add_benchmark(general, "one");
	check_result_add_reason(general, 143, "cancelled", NULL, "terminated");
	check_result_decide(general);
	assert_int_equal(general->exit_code, 143);
	assert_int_equal(general->reasons->len, 1);
}

static void a_verdict_gives_its_exit_code(void **state)
{
	static const struct {
		Verdict verdict;
		int exit_code;
	} rows[] = {{VERDICT_PASS, 0}, {VERDICT_REGRESSION, 1}, {VERDICT_INCONCLUSIVE, 3}, {VERDICT_ERROR, 4}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		add_judged(result, "one", rows[i].verdict, "code");
		check_result_decide(result);
		assert_int_equal(result->exit_code, rows[i].exit_code);
		assert_int_equal(result->verdict, rows[i].verdict);
		assert_int_equal(result->reasons->len, rows[i].exit_code != 0);
	}
}

static void the_most_important_exit_code_wins_in_every_pair(void **state)
{
	static const int order[] = {137, 77, 9, 2, 8, 7, 5, 4, 6, 1, 3, 0};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		for (guint j = 0; j < G_N_ELEMENTS(order); j++) {
			g_autoptr(CheckResult) result = check_result_new();
			add_judged(result, "one", VERDICT_PASS, "");
			check_result_add_reason(result, order[i], "a", NULL, "a");
			check_result_add_reason(result, order[j], "b", NULL, "b");
			check_result_decide(result);
			assert_int_equal(result->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[0])->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[1])->exit_code, order[MAX(i, j)]);
		}
}

static void equal_exit_codes_keep_their_order(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	add_judged(result, "two", VERDICT_REGRESSION, "regression");
	add_judged(result, "three", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 1);
	assert_int_equal(result->reasons->len, 3);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->benchmark, "one");
	assert_string_equal(((ResultReason *)result->reasons->pdata[1])->benchmark, "two");
}

static void deciding_twice_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_add_benchmark(result, "two");
	check_result_decide(result);
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 2);
	assert_int_equal(result->exit_code, 4);
}

static void a_pass_counts_its_benchmarks(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	check_result_decide(result);
	g_autofree char *one = check_result_reason(result);
	assert_string_equal(one, "1 benchmark passed");
	add_judged(result, "two", VERDICT_PASS, "");
	g_autofree char *two = check_result_reason(result);
	assert_string_equal(two, "2 benchmarks passed");
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

static void names_are_those_of_the_report(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_PASS), "pass");
	assert_string_equal(verdict_name(VERDICT_REGRESSION), "regression");
	assert_string_equal(verdict_name(VERDICT_INCONCLUSIVE), "inconclusive");
	assert_string_equal(verdict_name(VERDICT_ERROR), "error");
	assert_string_equal(function_class_name(FUNCTION_UNCHANGED), "unchanged");
	assert_string_equal(function_class_name(FUNCTION_REGRESSION), "regression");
	assert_string_equal(function_class_name(FUNCTION_IMPROVEMENT), "improvement");
	assert_string_equal(function_class_name(FUNCTION_NEW), "new");
	assert_string_equal(function_class_name(FUNCTION_REMOVED), "removed");
	assert_string_equal(function_class_name(FUNCTION_RENAMED), "renamed");
	assert_string_equal(function_class_name(FUNCTION_COST_SHIFT), "cost_shift");
	assert_string_equal(function_class_name(FUNCTION_LAYOUT_SUSPECT), "layout_suspect");
}

static void a_comparison_that_nobody_judged_is_an_error(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
	assert_int_equal(comparison->verdict, VERDICT_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_new_result_is_an_error),
	        cmocka_unit_test(zero_benchmarks_never_pass),
	        cmocka_unit_test(zero_benchmarks_with_a_lesser_reason_are_an_error),
	        cmocka_unit_test(zero_benchmarks_keep_the_error_that_explains_them),
	        cmocka_unit_test(a_benchmark_without_comparison_never_passes),
	        cmocka_unit_test(a_reason_of_code_zero_explains_nothing),
	        cmocka_unit_test(a_missing_comparison_is_explained_by_its_own_or_a_general_error),
	        cmocka_unit_test(a_verdict_gives_its_exit_code),
	        cmocka_unit_test(the_most_important_exit_code_wins_in_every_pair),
	        cmocka_unit_test(equal_exit_codes_keep_their_order),
	        cmocka_unit_test(deciding_twice_changes_nothing),
	        cmocka_unit_test(a_pass_counts_its_benchmarks),
	        cmocka_unit_test(sides_are_replaced_as_a_whole),
	        cmocka_unit_test(names_are_those_of_the_report),
	        cmocka_unit_test(a_comparison_that_nobody_judged_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
