/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/highlights.h"

#include "tests/report/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void functions_come_by_size_whether_they_rose_or_fell(void **state)
{
	(void)state;
	static const char *const order[] = {
	        "hash_word", "render_rows", "hash_mix", "print_page", "count_word", "compare_rows"};
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autoptr(GPtrArray) functions = highlights_functions(benchmark->comparison, 20, 2);
	assert_int_equal(functions->len, G_N_ELEMENTS(order));
	for (guint i = 0; i < functions->len; i++) {
		const FunctionComparison *function = g_ptr_array_index(functions, i);
		assert_string_equal(highlights_name(highlights_table(benchmark), function->frame), order[i]);
	}
	g_autoptr(GPtrArray) few = highlights_functions(benchmark->comparison, 3, 2);
	assert_int_equal(few->len, 3);
}

static void contributions_that_are_not_known_come_last(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *unknown = g_ptr_array_index(benchmark->comparison->functions, 3);
	unknown->klass = FUNCTION_IMPROVEMENT;
	unknown->contribution = NAN;
	g_autoptr(GPtrArray) functions = highlights_functions(benchmark->comparison, 20, 0);
	assert_ptr_equal(g_ptr_array_index(functions, functions->len - 1), unknown);
}

static void a_function_that_gates_is_shown_however_small_it_is(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_row(benchmark, "count_word")->gates = TRUE;
	g_autoptr(GPtrArray) functions = highlights_functions(benchmark->comparison, 2, 0);
	assert_int_equal(functions->len, 3);
	assert_ptr_equal(g_ptr_array_index(functions, 2), sample_row(benchmark, "count_word"));
}

static void shown_rows_and_the_rest_add_up_to_the_total(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	g_autoptr(GPtrArray) functions = highlights_functions(comparison, 2, 0);
	const FunctionComparison *first = functions->pdata[0], *second = functions->pdata[1];
	double sum = first->contribution + second->contribution + highlights_rest(comparison, functions);
	assert_true(fabs(sum - comparison->total_change) < 1e-12);
}

static void what_failed_stands_above_what_passed_and_what_gates_above_the_rest(void **state)
{
	static MetricComparison metrics[] = {
	        {.name = (char *)"free"},
	        {.name = (char *)"passed", .gates = TRUE, .verdict = VERDICT_PASS},
	        {.name = (char *)"open", .gates = TRUE, .verdict = VERDICT_INCONCLUSIVE},
	        {.name = (char *)"slower", .gates = TRUE, .verdict = VERDICT_REGRESSION},
	        {.name = (char *)"also passed", .gates = TRUE, .verdict = VERDICT_PASS},
	};
	static const char *const wanted[] = {"slower", "open", "passed", "also passed", "free"};
	(void)state;
	BenchmarkComparison comparison = {.metrics = g_ptr_array_new()};
	for (guint i = 0; i < G_N_ELEMENTS(metrics); i++)
		g_ptr_array_add(comparison.metrics, &metrics[i]);
	g_autoptr(GPtrArray) sorted = highlights_metrics(&comparison);
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_string_equal(((MetricComparison *)sorted->pdata[i])->name, wanted[i]);
	g_ptr_array_unref(comparison.metrics);
}

static void of_equal_gravity_what_the_verdict_is_about_stands_above_the_rest(void **state)
{
	static MetricComparison metrics[] = {
	        {.name = (char *)"page-faults", .gates = TRUE, .verdict = VERDICT_PASS},
	        {.name = (char *)"peak-rss", .gates = TRUE, .verdict = VERDICT_INCONCLUSIVE},
	        {.name = (char *)"wall", .gates = TRUE, .verdict = VERDICT_PASS},
	        {.name = (char *)"instructions", .gates = TRUE, .verdict = VERDICT_PASS},
	        {.name = (char *)"task-clock", .gates = TRUE, .verdict = VERDICT_PASS},
	};
	static const char *const wanted[] = {"peak-rss", "task-clock", "wall", "instructions", "page-faults"};
	(void)state;
	BenchmarkComparison comparison = {.metrics = g_ptr_array_new()};
	for (guint i = 0; i < G_N_ELEMENTS(metrics); i++)
		g_ptr_array_add(comparison.metrics, &metrics[i]);
	g_autoptr(GPtrArray) sorted = highlights_metrics(&comparison);
	for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
		assert_string_equal(((MetricComparison *)sorted->pdata[i])->name, wanted[i]);
	g_ptr_array_unref(comparison.metrics);
}

static void the_function_to_look_at_is_the_one_that_the_sentence_names(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	const FunctionComparison *culprit = highlights_culprit(benchmark, &list);
	assert_string_equal(highlights_name(list.table, culprit->frame), "hash_word");
	benchmark->comparison->verdict = VERDICT_PASS;
	assert_null(highlights_culprit(benchmark, &list));
}

static void of_what_is_accepted_the_accepted_function_is_to_be_looked_at_and_else_what_rose(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	assert_false(highlights_is_accepted(benchmark->comparison));
	sample_accept(result);
	assert_true(highlights_is_accepted(benchmark->comparison));
	assert_ptr_equal(highlights_culprit(benchmark, &list), sample_row(benchmark, "hash_word"));
	sample_row(benchmark, "count_word")->accepted = TRUE;
	assert_ptr_equal(highlights_culprit(benchmark, &list), sample_row(benchmark, "count_word"));
}

static void a_place_is_file_and_line_or_the_module(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	const StackTable *table = highlights_table(benchmark);
	g_autofree char *own = highlights_head_place(NULL, table, sample_frame(table, "hash_word"));
	g_autofree char *library = highlights_head_place(NULL, table, sample_frame(table, "msort"));
	g_autofree char *nowhere = highlights_head_place(NULL, NULL, (FrameId){0});
	assert_string_equal(own, "catalog.c:19");
	assert_string_equal(library, "libc.so.6");
	assert_string_equal(nowhere, "");
}

static void only_tested_functions_are_significant(void **state)
{
	(void)state;
	BenchmarkComparison sampled = {.counted = FALSE};
	FunctionComparison function = {.tested = TRUE, .p_adjusted = .05, .p_adjusted_improvement = 1};
	assert_true(highlights_significant(&sampled, &function, .05));
	assert_false(highlights_significant(&sampled, &function, .04));
	function.tested = FALSE;
	assert_false(highlights_significant(&sampled, &function, .05));
	FunctionComparison unknown = {.tested = TRUE, .p_adjusted = NAN, .p_adjusted_improvement = NAN};
	assert_false(highlights_significant(&sampled, &unknown, .05));
}

static void counted_functions_need_no_test(void **state)
{
	(void)state;
	BenchmarkComparison counted = {.counted = TRUE};
	FunctionComparison function = {.klass = FUNCTION_COST_SHIFT, .p_adjusted = NAN, .p_adjusted_improvement = NAN};
	assert_true(highlights_significant(&counted, &function, .05));
	function.klass = FUNCTION_UNCHANGED;
	assert_false(highlights_significant(&counted, &function, .05));
}

static void the_lists_of_two_engines_are_told_apart(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionList lists[FUNCTION_LISTS];
	assert_int_equal(highlights_function_lists(benchmark, lists), 1);
	g_autofree char *alone = highlights_list_title(&lists[0]);
	assert_string_equal(alone, "functions");
	ResultProfile waits = {.event = (char *)"off-cpu", .comparison = benchmark_comparison_new("catalog")};
	ResultProfile counts = {.event = (char *)"instructions",
	        .head = measurement_new("catalog", "", ""),
	        .comparison = benchmark_comparison_new("catalog"),
	        .engine = &engine_callgrind,
	        .decides = TRUE};
	counts.comparison->counted = TRUE;
	counts.head->profile = profile_new(benchmark->head->profile->table, "instructions", "count");
	result_benchmark_add_profile(benchmark, &waits);
	result_benchmark_add_profile(benchmark, &counts);
	assert_int_equal(highlights_function_lists(benchmark, lists), 2);
	assert_ptr_equal(lists[1].comparison, counts.comparison);
	g_autofree char *first = highlights_list_title(&lists[0]), *second = highlights_list_title(&lists[1]);
	assert_string_equal(first, "functions by time");
	assert_string_equal(second, "functions by instructions");
}

static void a_stored_base_is_said_of_what_it_is_the_base_of(void **state)
{
	(void)state;
	ResultBenchmark benchmark = {.engine = &engine_callgrind, .base_source = BASE_MEASURED};
	assert_null(highlights_base_source(&benchmark));
	benchmark.base_source = BASE_STORED;
	assert_string_equal(highlights_base_source(&benchmark), "base: stored baseline");
	benchmark.engine = &engine_perf;
	assert_string_equal(highlights_base_source(&benchmark), "base: stored baseline for what is counted");
}

static void what_was_seen_once_is_told_also_if_it_was_not_confirmed(void **state)
{
	(void)state;
	BenchmarkComparison comparison = {.verdict = VERDICT_REGRESSION};
	assert_true(highlights_accuses(&comparison));
	comparison.verdict = VERDICT_INCONCLUSIVE;
	assert_false(highlights_accuses(&comparison));
	comparison.confirmation = CONFIRMATION_NOT_CONFIRMED;
	assert_true(highlights_accuses(&comparison));
	comparison.confirmation = CONFIRMATION_UNCLEAR;
	assert_true(highlights_accuses(&comparison));
}

static void functions_of_which_nothing_is_known_have_no_relations(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	const GPtrArray *functions = benchmark->comparison->functions;
	assert_false(highlights_has_relations(functions));
	((FunctionComparison *)functions->pdata[3])->code = CODE_CHANGED;
	assert_false(highlights_has_relations(functions));
	((FunctionComparison *)functions->pdata[3])->relation = CHANGE_UNTOUCHED;
	assert_true(highlights_has_relations(functions));
}

static void advice_is_for_gates_that_judged_something(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	assert_non_null(highlights_advice(result));
	benchmark->comparison->verdict = VERDICT_ERROR;
	assert_null(highlights_advice(result));
	benchmark->comparison->verdict = VERDICT_PASS;
	sample_trust(benchmark);
	assert_null(highlights_advice(result));
	check_result_add_benchmark(result, "failed");
	assert_null(highlights_advice(result));
	ResultBenchmark *counted = check_result_add_benchmark(result, "counted");
	counted->comparison = benchmark_comparison_new("counted");
	counted->comparison->verdict = VERDICT_PASS;
	assert_non_null(highlights_advice(result));
	counted->comparison->counted = TRUE;
	assert_null(highlights_advice(result));
}

static void unchanged_is_only_said_of_what_no_interval_contradicts(void **state)
{
	(void)state;
	BenchmarkComparison comparison = {0};
	FunctionComparison function = {.tested = TRUE,
	        .contribution_lower = .001,
	        .contribution_upper = .02,
	        .p_adjusted = .2,
	        .p_adjusted_improvement = 1};
	assert_string_equal(highlights_class(&comparison, &function), "not significant");
	function.p_adjusted = .05;
	assert_string_equal(highlights_class(&comparison, &function), "small change");
	function.p_adjusted = .2;
	function.contribution_lower = -.001;
	assert_string_equal(highlights_class(&comparison, &function), "unchanged");
	function.contribution_upper = -.0005;
	assert_string_equal(highlights_class(&comparison, &function), "not significant");
	function.klass = FUNCTION_IMPROVEMENT;
	assert_string_equal(highlights_class(&comparison, &function), "improvement");
}

/* Their interval is the range over the runs, and there is no test. */
static void classes_of_counts_are_as_they_are(void **state)
{
	(void)state;
	BenchmarkComparison counted = {.counted = TRUE};
	FunctionComparison function = {.tested = TRUE, .contribution_lower = .001, .contribution_upper = .001};
	assert_string_equal(highlights_class(&counted, &function), "unchanged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(functions_come_by_size_whether_they_rose_or_fell),
	        cmocka_unit_test(a_function_that_gates_is_shown_however_small_it_is),
	        cmocka_unit_test(shown_rows_and_the_rest_add_up_to_the_total),
	        cmocka_unit_test(what_failed_stands_above_what_passed_and_what_gates_above_the_rest),
	        cmocka_unit_test(of_equal_gravity_what_the_verdict_is_about_stands_above_the_rest),
	        cmocka_unit_test(the_function_to_look_at_is_the_one_that_the_sentence_names),
	        cmocka_unit_test(contributions_that_are_not_known_come_last),
	        cmocka_unit_test(of_what_is_accepted_the_accepted_function_is_to_be_looked_at_and_else_what_rose),
	        cmocka_unit_test(a_place_is_file_and_line_or_the_module),
	        cmocka_unit_test(only_tested_functions_are_significant),
	        cmocka_unit_test(counted_functions_need_no_test),
	        cmocka_unit_test(the_lists_of_two_engines_are_told_apart),
	        cmocka_unit_test(a_stored_base_is_said_of_what_it_is_the_base_of),
	        cmocka_unit_test(what_was_seen_once_is_told_also_if_it_was_not_confirmed),
	        cmocka_unit_test(functions_of_which_nothing_is_known_have_no_relations),
	        cmocka_unit_test(advice_is_for_gates_that_judged_something),
	        cmocka_unit_test(unchanged_is_only_said_of_what_no_interval_contradicts),
	        cmocka_unit_test(classes_of_counts_are_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
