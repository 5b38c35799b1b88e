#include "compare/comparison.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_words_of_reports_are_stable(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_PASS), "pass");
	assert_string_equal(verdict_name(VERDICT_REGRESSION), "regression");
	assert_string_equal(verdict_name(VERDICT_INCONCLUSIVE), "inconclusive");
	assert_string_equal(verdict_name(VERDICT_ERROR), "error");
	assert_string_equal(change_relation_name(CHANGE_UNKNOWN), "unknown");
	assert_string_equal(change_relation_name(CHANGE_TOUCHED), "touched");
	assert_string_equal(change_relation_name(CHANGE_CALLS_TOUCHED), "calls_touched");
	assert_string_equal(change_relation_name(CHANGE_UNTOUCHED), "untouched");
	assert_string_equal(confirmation_name(CONFIRMATION_NOT_NEEDED), "not_needed");
	assert_string_equal(confirmation_name(CONFIRMATION_NOT_RUN), "not_run");
	assert_string_equal(confirmation_name(CONFIRMATION_CONFIRMED), "confirmed");
	assert_string_equal(confirmation_name(CONFIRMATION_NOT_CONFIRMED), "not_confirmed");
	assert_string_equal(function_class_name(FUNCTION_UNCHANGED), "unchanged");
	assert_string_equal(function_class_name(FUNCTION_REGRESSION), "regression");
	assert_string_equal(function_class_name(FUNCTION_IMPROVEMENT), "improvement");
	assert_string_equal(function_class_name(FUNCTION_NEW), "new");
	assert_string_equal(function_class_name(FUNCTION_REMOVED), "removed");
	assert_string_equal(function_class_name(FUNCTION_RENAMED), "renamed");
	assert_string_equal(function_class_name(FUNCTION_COST_SHIFT), "cost_shift");
	assert_string_equal(function_class_name(FUNCTION_LAYOUT_SUSPECT), "layout_suspect");
}

static void a_new_comparison_is_an_error_until_it_is_judged(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) c = benchmark_comparison_new("catalog");
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_int_equal(c->confirmation, CONFIRMATION_NOT_NEEDED);
	benchmark_comparison_decide(c, VERDICT_PASS, "", g_strdup("it passes"));
	benchmark_comparison_decide(c, VERDICT_REGRESSION, "regression", g_strdup("it does not"));
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason_code, "regression");
	assert_string_equal(c->reason, "it does not");
}

static void nothing_is_freed_for_nothing(void **state)
{
	(void)state;
	metric_comparison_free(NULL);
	function_comparison_free(NULL);
	benchmark_comparison_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_words_of_reports_are_stable),
	        cmocka_unit_test(a_new_comparison_is_an_error_until_it_is_judged),
	        cmocka_unit_test(nothing_is_freed_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
