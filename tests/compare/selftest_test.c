/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include "compare/selftest.h"
#include "model/engine.h"
#include "runner/campaign/yardstick.h"

/* Then nobody can name the planted function. */
static void a_side_without_a_profile_is_judged_by_its_time_alone(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, NULL, FUNCTION_UNCHANGED);
	((ResultBenchmark *)result->benchmarks->pdata[0])->head = measurement_new("parse", "", "");
	check_outcome(result, "self-test: the delay planted in 1 benchmark was found");
	assert_int_equal(result->exit_code, 0);
}

static void the_planted_function_is_that_of_the_yardstick(void **state)
{
	(void)state;
	assert_string_equal(CHECK_PLANTED_FUNCTION, YARDSTICK_DELAY_FUNCTION);
}

static void a_planted_delay_that_is_found_and_named_passes(void **state)
{
	static const FunctionClass classes[] = {FUNCTION_REGRESSION, FUNCTION_NEW};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
		add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, classes[i]);
		check_outcome(result, "self-test: the delay planted in 1 benchmark was found");
		assert_int_equal(result->exit_code, 0);
		assert_int_equal(result->verdict, VERDICT_PASS);
	}
	g_autoptr(CheckResult) gating = result_in_mode(CHECK_SELF_TEST);
	add_planted(gating, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_UNCHANGED)->gates = TRUE;
	check_result_decide(gating);
	assert_int_equal(gating->exit_code, 0);
	g_autoptr(CheckResult) unsampled = result_in_mode(CHECK_SELF_TEST);
	add_planted(unsampled, VERDICT_REGRESSION, NULL, FUNCTION_UNCHANGED);
	add_planted(unsampled, VERDICT_REGRESSION, NULL, FUNCTION_UNCHANGED);
	check_outcome(unsampled, "self-test: the delay planted in 2 benchmarks was found");
}

static void check_missed(CheckResult *result, const char *wanted)
{
	check_outcome(result, wanted);
	assert_int_equal(result->exit_code, 3);
	assert_int_equal(result->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(reason_at(result, 0)->code, "self_test_missed");
	assert_string_equal(reason_at(result, 0)->benchmark, "parse");
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 1);
}

static void a_planted_delay_that_is_missed_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(CheckResult) passed = result_in_mode(CHECK_SELF_TEST);
	add_planted(passed, VERDICT_PASS, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
	check_missed(passed, "self-test: parse: the planted delay was missed: the verdict is pass (task-clock +6.1 % "
	                     "[+5.0, +7.2])");
	g_autoptr(CheckResult) open = result_in_mode(CHECK_SELF_TEST);
	add_planted(open, VERDICT_INCONCLUSIVE, NULL, FUNCTION_UNCHANGED);
	g_free(comparison_at(open, 0)->sentence);
	g_free(comparison_at(open, 0)->reason);
	comparison_at(open, 0)->sentence = g_strdup("");
	comparison_at(open, 0)->reason = g_strdup("too few rounds");
	check_missed(
	        open, "self-test: parse: the planted delay was missed: the verdict is inconclusive (too few rounds)");
}

static void a_regression_that_blames_another_function_missed_the_delay(void **state)
{
	(void)state;
	g_autoptr(CheckResult) other = result_in_mode(CHECK_SELF_TEST);
	add_planted(other, VERDICT_REGRESSION, "hash", FUNCTION_REGRESSION);
	check_missed(other, "self-test: parse: the planted delay was missed: the verdict is regression, but "
	                    "firebreak_planted_delay is not among the functions that rose; the first of them is hash");
	static const FunctionClass classes[] = {FUNCTION_UNCHANGED, FUNCTION_IMPROVEMENT, FUNCTION_COST_SHIFT,
	        FUNCTION_LAYOUT_SUSPECT, FUNCTION_REMOVED, FUNCTION_RENAMED};
	for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
		add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, classes[i]);
		check_missed(result, "self-test: parse: the planted delay was missed: the verdict is regression, but "
		                     "firebreak_planted_delay is not among the functions that rose");
	}
}

static void a_new_function_that_costs_nothing_did_not_rise(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_NEW)->contribution = 0;
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
}

/* Starting a program in another way costs page faults; that shows nothing about time. */
static void a_self_test_in_which_only_another_metric_regressed_is_missed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_NEW);
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	MetricComparison *metric = benchmark->comparison->metrics->pdata[0];
	g_free(metric->name);
	metric->name = g_strdup("page-faults");
	check_missed(result, "self-test: parse: the planted delay was missed: neither the gating time nor "
	                     "firebreak_planted_delay itself regressed (task-clock +6.1 % [+5.0, +7.2])");
}

static void one_of_several_planted_delays_that_is_missed_is_named(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, NULL, FUNCTION_UNCHANGED);
	add_judged(result, "two", VERDICT_PASS, "");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
	assert_int_equal(result->reasons->len, 1);
	assert_string_equal(reason_at(result, 0)->benchmark, "two");
}

static void a_self_test_that_cannot_measure_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	add_judged(result, "two", VERDICT_ERROR, "zero_runs");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(reason_at(result, 0)->code, "zero_runs");
}

static FunctionComparison *add_function(CheckResult *result, const char *name, FunctionClass klass)
{
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	FunctionComparison *row = g_new0(FunctionComparison, 1);
	row->frame = stack_table_frame_named(benchmark->head->profile->table, name, "yardstick", FRAME_USER);
	row->klass = klass;
	g_ptr_array_add(benchmark->comparison->functions, row);
	return row;
}

static void of_several_accused_functions_the_first_is_named(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, "hash", FUNCTION_REGRESSION);
	add_function(result, "sort", FUNCTION_REGRESSION);
	check_missed(result, "self-test: parse: the planted delay was missed: the verdict is regression, but "
	                     "firebreak_planted_delay is not among the functions that rose; the first of them is hash");
}

/* The only metric of the benchmark is then none of time. */
static void forget_time(CheckResult *result)
{
	MetricComparison *metric = comparison_at(result, 0)->metrics->pdata[0];
	g_free(metric->name);
	metric->name = g_strdup("page-faults");
}

static void a_planted_function_that_gates_needs_no_time_that_does(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION)->gates = TRUE;
	forget_time(result);
	check_outcome(result, "self-test: the delay planted in 1 benchmark was found");
}

static void another_function_that_gates_does_not_speak_for_the_planted_one(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
	add_function(result, "hash", FUNCTION_REGRESSION)->gates = TRUE;
	forget_time(result);
	check_missed(result, "self-test: parse: the planted delay was missed: neither the gating time nor "
	                     "firebreak_planted_delay itself regressed (task-clock +6.1 % [+5.0, +7.2])");
}

static void time_that_does_not_gate_or_did_not_regress_does_not_speak_for_the_delay(void **state)
{
	(void)state;
	for (guint gates = 0; gates < 2; gates++) {
		g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
		add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
		MetricComparison *time = comparison_at(result, 0)->metrics->pdata[0];
		time->gates = gates;
		time->verdict = gates ? VERDICT_PASS : VERDICT_REGRESSION;
		check_missed(result, "self-test: parse: the planted delay was missed: neither the gating time nor "
		                     "firebreak_planted_delay itself regressed (task-clock +6.1 % [+5.0, +7.2])");
	}
}

/* Gives the first benchmark a profile of another engine in which this function rose. Borrowed. */
static FunctionComparison *add_counted(CheckResult *result, const char *function, gboolean decides)
{
	ResultProfile profile = {.event = (char *)"instructions", .engine = &engine_callgrind, .decides = decides};
	g_autoptr(StackTable) table = stack_table_new();
	profile.head = measurement_new("parse", "", "");
	profile.head->profile = profile_new(table, "instructions", "instructions");
	profile.comparison = benchmark_comparison_new("parse");
	FunctionComparison *row = g_new0(FunctionComparison, 1);
	row->frame = stack_table_frame_named(table, function, "yardstick", FRAME_USER);
	row->klass = FUNCTION_REGRESSION;
	g_ptr_array_add(profile.comparison->functions, row);
	result_benchmark_add_profile(result->benchmarks->pdata[0], &profile);
	return row;
}

static void the_planted_function_may_stand_in_the_profile_of_another_engine(void **state)
{
	(void)state;
	g_autoptr(CheckResult) found = result_in_mode(CHECK_SELF_TEST);
	add_planted(found, VERDICT_REGRESSION, "hash", FUNCTION_REGRESSION);
	add_counted(found, CHECK_PLANTED_FUNCTION, TRUE);
	check_outcome(found, "self-test: the delay planted in 1 benchmark was found");
	g_autoptr(CheckResult) shown = result_in_mode(CHECK_SELF_TEST);
	add_planted(shown, VERDICT_REGRESSION, "hash", FUNCTION_REGRESSION);
	add_counted(shown, CHECK_PLANTED_FUNCTION, FALSE);
	check_missed(shown, "self-test: parse: the planted delay was missed: the verdict is regression, but "
	                    "firebreak_planted_delay is not among the functions that rose; the first of them is hash");
}

static void a_planted_function_that_gates_by_its_counts_needs_no_time_that_does(void **state)
{
	(void)state;
	for (guint gates = 0; gates < 2; gates++) {
		g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
		add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
		forget_time(result);
		add_counted(result, CHECK_PLANTED_FUNCTION, TRUE)->gates = gates;
		check_result_decide(result);
		assert_int_equal(result->exit_code, gates ? 0 : 3);
	}
}

static void a_profile_that_could_not_be_compared_is_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
	result_benchmark_add_profile(result->benchmarks->pdata[0],
	        &(ResultProfile){.event = (char *)"instructions", .engine = &engine_callgrind, .decides = TRUE});
	check_outcome(result, "self-test: the delay planted in 1 benchmark was found");
}

/* Instructions are the delay only where they are counted exactly. */
static void counted_instructions_speak_for_the_delay(void **state)
{
	static const Engine *const engines[] = {&engine_perf, &engine_callgrind};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(engines); i++) {
		g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
		add_planted(result, VERDICT_REGRESSION, CHECK_PLANTED_FUNCTION, FUNCTION_REGRESSION);
		MetricComparison *metric = comparison_at(result, 0)->metrics->pdata[0];
		g_free(metric->name);
		metric->name = g_strdup("instructions");
		metric->engine = engines[i];
		check_result_decide(result);
		assert_int_equal(result->exit_code, i == 0 ? 3 : 0);
		g_free(metric->name);
		metric->name = g_strdup("allocations");
		check_result_decide(result);
		assert_int_equal(result->exit_code, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_side_without_a_profile_is_judged_by_its_time_alone),
	        cmocka_unit_test(the_planted_function_is_that_of_the_yardstick),
	        cmocka_unit_test(a_planted_delay_that_is_found_and_named_passes),
	        cmocka_unit_test(a_planted_delay_that_is_missed_is_inconclusive),
	        cmocka_unit_test(a_regression_that_blames_another_function_missed_the_delay),
	        cmocka_unit_test(a_new_function_that_costs_nothing_did_not_rise),
	        cmocka_unit_test(a_self_test_in_which_only_another_metric_regressed_is_missed),
	        cmocka_unit_test(one_of_several_planted_delays_that_is_missed_is_named),
	        cmocka_unit_test(a_self_test_that_cannot_measure_is_an_error),
	        cmocka_unit_test(of_several_accused_functions_the_first_is_named),
	        cmocka_unit_test(a_planted_function_that_gates_needs_no_time_that_does),
	        cmocka_unit_test(another_function_that_gates_does_not_speak_for_the_planted_one),
	        cmocka_unit_test(time_that_does_not_gate_or_did_not_regress_does_not_speak_for_the_delay),
	        cmocka_unit_test(the_planted_function_may_stand_in_the_profile_of_another_engine),
	        cmocka_unit_test(a_planted_function_that_gates_by_its_counts_needs_no_time_that_does),
	        cmocka_unit_test(a_profile_that_could_not_be_compared_is_left_out),
	        cmocka_unit_test(counted_instructions_speak_for_the_delay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
