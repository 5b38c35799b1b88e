/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/comparison.h"

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
	assert_string_equal(confirmation_name(CONFIRMATION_UNCLEAR), "unclear");
	assert_string_equal(confirmation_name(CONFIRMATION_PARTLY), "partly_confirmed");
	assert_string_equal(function_class_name(FUNCTION_UNCHANGED), "unchanged");
	assert_string_equal(function_class_name(FUNCTION_REGRESSION), "regression");
	assert_string_equal(function_class_name(FUNCTION_IMPROVEMENT), "improvement");
	assert_string_equal(function_class_name(FUNCTION_NEW), "new");
	assert_string_equal(function_class_name(FUNCTION_REMOVED), "removed");
	assert_string_equal(function_class_name(FUNCTION_RENAMED), "renamed");
	assert_string_equal(function_class_name(FUNCTION_COST_SHIFT), "cost_shift");
	assert_string_equal(function_class_name(FUNCTION_LAYOUT_SUSPECT), "layout_suspect");
}

static void verdicts_grow_in_gravity_from_pass_to_error(void **state)
{
	(void)state;
	assert_int_equal(verdict_gravity(VERDICT_PASS), 0);
	assert_int_equal(verdict_gravity(VERDICT_INCONCLUSIVE), 1);
	assert_int_equal(verdict_gravity(VERDICT_REGRESSION), 2);
	assert_int_equal(verdict_gravity(VERDICT_ERROR), 3);
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

static MetricComparison *metric_named(const Engine *engine, const char *name, gboolean gates)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->gates = gates;
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	return metric;
}

static void metrics_that_gate_come_first_then_engine_and_name_decide(void **state)
{
	static const char *const wanted[] = {"instructions", "cycles", "wall", "allocations"};
	(void)state;
	g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	g_ptr_array_add(metrics, metric_named(&engine_callgrind, "allocations", FALSE));
	g_ptr_array_add(metrics, metric_named(&engine_perf, "wall", TRUE));
	g_ptr_array_add(metrics, metric_named(&engine_perf, "cycles", TRUE));
	g_ptr_array_add(metrics, metric_named(&engine_callgrind, "instructions", TRUE));
	metric_comparisons_sort(metrics);
	for (guint i = 0; i < metrics->len; i++)
		assert_string_equal(((const MetricComparison *)metrics->pdata[i])->name, wanted[i]);
}

static void a_copy_of_a_metric_owns_all_that_it_holds(void **state)
{
	double value = 12;
	(void)state;
	MetricComparison *metric = metric_named(&engine_perf, "wall", TRUE);
	g_array_append_val(metric->head_values, value);
	metric->change_ratio = 1.5;
	metric->reason = g_strdup("too few rounds");
	MetricComparison *copy = metric_comparison_copy(metric);
	metric_comparison_free(metric);
	assert_string_equal(copy->name, "wall");
	assert_ptr_equal(copy->engine, &engine_perf);
	assert_string_equal(copy->reason, "too few rounds");
	assert_null(copy->unit);
	assert_true(copy->change_ratio == 1.5 && copy->gates);
	assert_true(g_array_index(copy->head_values, double, 0) == 12);
	assert_int_equal(copy->looks->len + copy->base_values->len, 0);
	metric_comparison_free(copy);
}

static void notes_are_strung_together(void **state)
{
	(void)state;
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	function_comparison_add_note(f, g_strdup("renamed from a"));
	assert_string_equal(f->note, "renamed from a");
	function_comparison_add_note(f, g_strdup("cost moved from b"));
	assert_string_equal(f->note, "renamed from a; cost moved from b");
	assert_false(function_comparison_is_renamed(f));
	f->renamed_from.index = 3;
	assert_true(function_comparison_is_renamed(f));
	function_comparison_free(f);
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
	        cmocka_unit_test(verdicts_grow_in_gravity_from_pass_to_error),
	        cmocka_unit_test(the_words_of_reports_are_stable),
	        cmocka_unit_test(a_new_comparison_is_an_error_until_it_is_judged),
	        cmocka_unit_test(metrics_that_gate_come_first_then_engine_and_name_decide),
	        cmocka_unit_test(a_copy_of_a_metric_owns_all_that_it_holds),
	        cmocka_unit_test(notes_are_strung_together),
	        cmocka_unit_test(nothing_is_freed_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
