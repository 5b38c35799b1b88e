/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/measured.h"
#include "compare/outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Measurement *side_of(guint n_runs)
{
	Measurement *side = measurement_new("one", "", "");
	RunFacts run = {0};
	for (guint i = 0; i < n_runs; i++)
		g_array_append_val(side->runs, run);
	return side;
}

static MetricComparison *metric_of(Verdict verdict, const char *reason)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("task-clock");
	metric->engine = &engine_perf;
	metric->unit = g_strdup("ns");
	metric->gates = TRUE;
	metric->verdict = verdict;
	metric->reason = g_strdup(reason);
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	return metric;
}

/* A benchmark with so many runs of either side whose one metric says that. */
static CheckResult *checked(const char *code, Verdict of_metric, const char *metric_reason, guint base, guint head)
{
	CheckResult *result = check_result_new();
	ResultBenchmark *row = check_result_add_benchmark(result, "one");
	row->base = side_of(base);
	row->head = side_of(head);
	row->comparison = benchmark_comparison_new("one");
	g_ptr_array_add(row->comparison->metrics, metric_of(of_metric, metric_reason));
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, code, g_strdup("because"));
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
	return result;
}

static void what_did_not_settle_was_measured(void **state)
{
	static const char *const codes[] = {"interval_too_wide", "contaminated", "not_confirmed",
	        "confirmation_unclear", "unclear", "acceptance_unclear", "out_of_time"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(CheckResult) open = checked(codes[i], VERDICT_INCONCLUSIVE, "too close to call: ...", 8, 8);
		assert_true(result_is_measured(open));
	}
}

static void reasons_of_what_was_not_measured_and_unknown_ones_are_not(void **state)
{
	static const char *const codes[] = {
	        NOT_MEASURED, "too_few_rounds", "time_not_judged", "base_not_built", SELF_TEST_MISSED, "from_later"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(CheckResult) open = checked(codes[i], VERDICT_INCONCLUSIVE, "too close to call: ...", 8, 8);
		assert_false(result_is_measured(open));
	}
}

static void a_graver_reason_does_not_hide_that_there_were_too_few_rounds(void **state)
{
	(void)state;
	g_autoptr(CheckResult) open =
	        checked("contaminated", VERDICT_INCONCLUSIVE, "too few rounds: 3, and the first look is after 8", 3, 3);
	assert_false(result_is_measured(open));
	g_autoptr(CheckResult) silent = checked("contaminated", VERDICT_INCONCLUSIVE, NULL, 3, 3);
	assert_false(result_is_measured(silent));
}

static void a_side_that_did_not_run_was_not_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) no_head = checked("out_of_time", VERDICT_PASS, NULL, 8, 0);
	assert_false(result_is_measured(no_head));
	g_autoptr(CheckResult) no_base = checked("out_of_time", VERDICT_PASS, NULL, 0, 8);
	assert_false(result_is_measured(no_base));
}

static void one_benchmark_without_a_round_is_enough(void **state)
{
	(void)state;
	g_autoptr(CheckResult) open = checked("interval_too_wide", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	ResultBenchmark *row = check_result_add_benchmark(open, "two");
	row->comparison = benchmark_comparison_new("two");
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, NOT_MEASURED, g_strdup("no time"));
	check_result_decide(open);
	assert_int_equal(open->exit_code, 3);
	assert_false(result_is_measured(open));
}

static void one_engine_that_did_not_run_is_enough(void **state)
{
	(void)state;
	g_autoptr(CheckResult) open = checked("interval_too_wide", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	check_result_add_reason(open, 3, NOT_MEASURED, "one", "one: not measured: the time was over");
	check_result_decide(open);
	assert_false(result_is_measured(open));
}

static void nothing_that_gates_and_no_benchmark_are_not_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) shown = checked("interval_too_wide", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	ResultBenchmark *row = shown->benchmarks->pdata[0];
	((MetricComparison *)row->comparison->metrics->pdata[0])->gates = FALSE;
	assert_false(result_is_measured(shown));
	g_autoptr(CheckResult) none = check_result_new();
	check_result_add_reason(none, 3, "out_of_time", NULL, "x");
	none->exit_code = 3;
	assert_false(result_is_measured(none));
}

static void a_calibration_without_a_round_does_not_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result->mode = CHECK_CALIBRATE;
	ResultBenchmark *row = check_result_add_benchmark(result, "one");
	row->comparison = benchmark_comparison_new("one");
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, NOT_MEASURED, g_strdup("no time"));
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
}

static MetricComparison *first_metric(const CheckResult *result)
{
	return ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->metrics->pdata[0];
}

/* A second metric may have settled, or not have been measured at all, while the first one is open. */
static void a_metric_with_a_verdict_is_judged_unless_that_is_an_error(void **state)
{
	static const struct {
		Verdict verdict;
		gboolean measured;
	} rows[] = {{VERDICT_PASS, TRUE}, {VERDICT_REGRESSION, TRUE}, {VERDICT_ERROR, FALSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
		first_metric(open)->verdict = rows[i].verdict;
		assert_int_equal(result_is_measured(open), rows[i].measured);
	}
}

static void a_metric_that_does_not_gate_need_not_be_judged(void **state)
{
	(void)state;
	g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	MetricComparison *shown = metric_of(VERDICT_ERROR, "round 1 of head has the value 0");
	shown->gates = FALSE;
	g_ptr_array_add(((ResultBenchmark *)open->benchmarks->pdata[0])->comparison->metrics, shown);
	assert_true(result_is_measured(open));
	shown->gates = TRUE;
	assert_false(result_is_measured(open));
}

/* "base_not_built" and its like end with other codes, and may stand beside a reason that leaves a result open. */
static void only_reasons_of_a_regression_or_of_what_is_open_are_of_something_measured(void **state)
{
	static const struct {
		int exit_code;
		const char *code;
		gboolean measured;
	} rows[] = {{1, "regression", TRUE}, {3, "contaminated", TRUE}, {4, "contaminated", FALSE},
	        {7, "output_failed", FALSE}, {0, "contaminated", FALSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
		check_result_add_reason(open, rows[i].exit_code, rows[i].code, "one", "because");
		check_result_decide(open);
		assert_int_equal(result_is_measured(open), rows[i].measured);
	}
}

static void a_benchmark_without_both_measurements_was_not_measured(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
		ResultBenchmark *row = open->benchmarks->pdata[0];
		g_clear_pointer(side == 0 ? &row->base : &row->head, measurement_free);
		assert_false(result_is_measured(open));
	}
}

static void a_benchmark_that_was_not_compared_or_is_an_error_was_not_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) none = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	ResultBenchmark *row = none->benchmarks->pdata[0];
	row->comparison->verdict = VERDICT_ERROR;
	assert_false(result_is_measured(none));
	g_clear_pointer(&row->comparison, benchmark_comparison_free);
	assert_false(result_is_measured(none));
}

static void what_passes_was_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) passed = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	ResultBenchmark *row = passed->benchmarks->pdata[0];
	g_ptr_array_set_size(passed->reasons, 0);
	benchmark_comparison_decide(row->comparison, VERDICT_PASS, "", g_strdup("passes"));
	check_result_decide(passed);
	assert_int_equal(passed->exit_code, 0);
	assert_true(result_is_measured(passed));
}

/* Counts that repeat need no second run. */
static void one_run_of_either_side_is_a_measurement(void **state)
{
	(void)state;
	g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 1, 1);
	assert_true(result_is_measured(open));
}

/* No reason speaks of the second benchmark. */
static void every_benchmark_has_to_be_measured(void **state)
{
	(void)state;
	for (guint runs = 0; runs < 2; runs++) {
		g_autoptr(CheckResult) open = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
		ResultBenchmark *row = check_result_add_benchmark(open, "two");
		row->base = side_of(8 * runs);
		row->head = side_of(8 * runs);
		row->comparison = benchmark_comparison_new("two");
		g_ptr_array_add(row->comparison->metrics, metric_of(VERDICT_PASS, NULL));
		benchmark_comparison_decide(row->comparison, VERDICT_PASS, "", g_strdup("passes"));
		check_result_decide(open);
		assert_int_equal(open->exit_code, 3);
		assert_int_equal(result_is_measured(open), runs);
	}
}

static void a_regression_does_not_make_up_for_what_was_not_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) failed = checked("contaminated", VERDICT_INCONCLUSIVE, "too close to call", 8, 0);
	check_result_add_reason(failed, 1, "regression", "one", "slower");
	check_result_decide(failed);
	assert_int_equal(failed->exit_code, 1);
	assert_false(result_is_measured(failed));
}

/* A calibration that could not tell passes, and is not asked for more. */
static void what_passes_with_open_metrics_was_measured(void **state)
{
	(void)state;
	g_autoptr(CheckResult) passed = checked("contaminated", VERDICT_INCONCLUSIVE, "too few rounds: 3", 3, 3);
	g_ptr_array_set_size(passed->reasons, 0);
	passed->mode = CHECK_CALIBRATE;
	check_result_decide(passed);
	assert_int_equal(passed->exit_code, 0);
	assert_true(result_is_measured(passed));
}

/* Exit codes other than 3, and 3 itself where nothing else is chosen, stay. */
static void only_an_inconclusive_result_has_another_ending_and_only_by_choice(void **state)
{
	static const int codes[] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 130};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		CheckResult result = {.exit_code = codes[i]};
		for (InconclusiveChoice c = INCONCLUSIVE_REPORT; c <= INCONCLUSIVE_PASS; c++)
			assert_int_equal(inconclusive_exit_code(&result, c), codes[i]);
	}
	g_autoptr(CheckResult) open = checked("interval_too_wide", VERDICT_INCONCLUSIVE, "too close to call", 8, 8);
	assert_int_equal(inconclusive_exit_code(open, INCONCLUSIVE_REPORT), 3);
	assert_int_equal(inconclusive_exit_code(open, INCONCLUSIVE_FAIL), 1);
	assert_int_equal(inconclusive_exit_code(open, INCONCLUSIVE_PASS), 0);
}

static void what_was_not_measured_may_fail_but_never_passes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) few = checked("too_few_rounds", VERDICT_INCONCLUSIVE, "too few rounds: 3", 3, 3);
	assert_int_equal(inconclusive_exit_code(few, INCONCLUSIVE_PASS), 3);
	assert_int_equal(inconclusive_exit_code(few, INCONCLUSIVE_FAIL), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(only_an_inconclusive_result_has_another_ending_and_only_by_choice),
	        cmocka_unit_test(what_was_not_measured_may_fail_but_never_passes),
	        cmocka_unit_test(what_did_not_settle_was_measured),
	        cmocka_unit_test(reasons_of_what_was_not_measured_and_unknown_ones_are_not),
	        cmocka_unit_test(a_graver_reason_does_not_hide_that_there_were_too_few_rounds),
	        cmocka_unit_test(a_side_that_did_not_run_was_not_measured),
	        cmocka_unit_test(one_benchmark_without_a_round_is_enough),
	        cmocka_unit_test(one_engine_that_did_not_run_is_enough),
	        cmocka_unit_test(nothing_that_gates_and_no_benchmark_are_not_measured),
	        cmocka_unit_test(a_calibration_without_a_round_does_not_pass),
	        cmocka_unit_test(a_metric_with_a_verdict_is_judged_unless_that_is_an_error),
	        cmocka_unit_test(a_metric_that_does_not_gate_need_not_be_judged),
	        cmocka_unit_test(only_reasons_of_a_regression_or_of_what_is_open_are_of_something_measured),
	        cmocka_unit_test(a_benchmark_without_both_measurements_was_not_measured),
	        cmocka_unit_test(a_benchmark_that_was_not_compared_or_is_an_error_was_not_measured),
	        cmocka_unit_test(what_passes_was_measured),
	        cmocka_unit_test(one_run_of_either_side_is_a_measurement),
	        cmocka_unit_test(every_benchmark_has_to_be_measured),
	        cmocka_unit_test(a_regression_does_not_make_up_for_what_was_not_measured),
	        cmocka_unit_test(what_passes_with_open_metrics_was_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
