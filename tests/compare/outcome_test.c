/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

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
	static const int lesser[] = {0, 1, 3};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(lesser); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		check_result_add_reason(result, lesser[i], "contaminated", NULL, "noise");
		check_result_decide(result);
		assert_int_equal(result->exit_code, 4);
		assert_int_equal(result->reasons->len, 2);
	}
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

static void another_reason_of_the_same_exit_code_does_not_hide_a_verdict(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_add_reason(result, 3, "contaminated", "one", "noise");
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 2);
	assert_string_equal(reason_at(result, 0)->code, "contaminated");
	assert_string_equal(reason_at(result, 1)->code, "too_few_rounds");
}

static void a_general_reason_that_is_no_error_does_not_explain_a_missing_comparison(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "one");
	check_result_add_reason(result, 3, "contaminated", NULL, "noise");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(reason_at(result, 0)->code, "not_compared");
}

static void asking_for_the_exit_code_changes_nothing(void **state)
{
	static const struct {
		Verdict verdict;
		CheckMode mode;
		int of_reason, exit_code;
	} rows[] = {
	        {VERDICT_PASS, CHECK_GATE, 0, 0},
	        {VERDICT_PASS, CHECK_GATE, 3, 3},
	        {VERDICT_REGRESSION, CHECK_GATE, 3, 1},
	        {VERDICT_REGRESSION, CHECK_GATE, 5, 5},
	        {VERDICT_REGRESSION, CHECK_CALIBRATE, 0, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = result_in_mode(rows[i].mode);
		add_judged(result, "one", rows[i].verdict, "code");
		if (rows[i].of_reason != 0)
			check_result_add_reason(result, rows[i].of_reason, "a", "one", "%s", "100 %s");
		guint n_reasons = result->reasons->len;
		assert_int_equal(check_result_decided(result), rows[i].exit_code);
		assert_int_equal(result->reasons->len, n_reasons);
		assert_int_equal(finding_count(result->findings), 0);
		assert_int_equal(result->exit_code, 4);
		check_result_decide(result);
		assert_int_equal(result->exit_code, rows[i].exit_code);
	}
}

static void with_one_side_whatever_is_a_reason_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) quiet = check_result_new();
	g_autoptr(CheckResult) failed = check_result_new();
	check_result_decide_measured(quiet);
	assert_int_equal(quiet->exit_code, 0);
	assert_int_equal(quiet->verdict, VERDICT_PASS);
	check_result_add_reason(failed, 3, NOT_MEASURED, "one", "no time");
	check_result_add_reason(failed, 4, "measurement_invalid", "two", "it crashed");
	check_result_decide_measured(failed);
	assert_int_equal(failed->exit_code, 3);
	assert_int_equal(failed->verdict, VERDICT_ERROR);
}

static void a_false_alarm_is_no_fault_of_the_code_and_stays_visible(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_CALIBRATE);
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	add_judged(result, "two", VERDICT_INCONCLUSIVE, "interval_too_wide");
	add_judged(result, "three", VERDICT_PASS, "");
	check_outcome(
	        result, "calibrated 3 benchmarks, base against base: 1 false alarm in 3 A/A campaigns, 1 inconclusive");
	assert_int_equal(result->exit_code, 0);
	assert_int_equal(result->verdict, VERDICT_PASS);
	assert_int_equal(result->reasons->len, 0);
	assert_int_equal(finding_count(result->findings), 2);
	assert_string_equal(finding_get(result->findings, 0)->code, "false_alarm");
	assert_string_equal(finding_get(result->findings, 0)->benchmark, "one");
	assert_string_equal(finding_get(result->findings, 1)->code, "aa_inconclusive");
	assert_string_equal(finding_get(result->findings, 1)->benchmark, "two");
	check_result_decide(result);
	assert_int_equal(finding_count(result->findings), 2);
}

static void a_calibration_that_measured_nothing_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) none = result_in_mode(CHECK_CALIBRATE);
	check_outcome(none, "calibration: no benchmark was measured");
	assert_int_equal(none->exit_code, 4);
	g_autoptr(CheckResult) broken = result_in_mode(CHECK_CALIBRATE);
	add_judged(broken, "one", VERDICT_PASS, "");
	add_judged(broken, "two", VERDICT_ERROR, "zero_samples");
	check_result_decide(broken);
	assert_int_equal(broken->exit_code, 4);
	g_autoptr(CheckResult) missing = result_in_mode(CHECK_CALIBRATE);
	check_result_add_benchmark(missing, "one");
	check_result_decide(missing);
	assert_int_equal(missing->exit_code, 4);
	g_autoptr(CheckResult) unbuilt = result_in_mode(CHECK_CALIBRATE);
	check_result_add_reason(unbuilt, 5, "build_failed", NULL, "base does not build");
	check_outcome(unbuilt, "calibration: base does not build");
	assert_int_equal(unbuilt->exit_code, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(zero_benchmarks_never_pass),
	        cmocka_unit_test(zero_benchmarks_with_a_lesser_reason_are_an_error),
	        cmocka_unit_test(zero_benchmarks_keep_the_error_that_explains_them),
	        cmocka_unit_test(a_benchmark_without_comparison_never_passes),
	        cmocka_unit_test(a_reason_of_code_zero_explains_nothing),
	        cmocka_unit_test(a_missing_comparison_is_explained_by_its_own_or_a_general_error),
	        cmocka_unit_test(equal_exit_codes_keep_their_order),
	        cmocka_unit_test(deciding_twice_changes_nothing),
	        cmocka_unit_test(another_reason_of_the_same_exit_code_does_not_hide_a_verdict),
	        cmocka_unit_test(a_general_reason_that_is_no_error_does_not_explain_a_missing_comparison),
	        cmocka_unit_test(asking_for_the_exit_code_changes_nothing),
	        cmocka_unit_test(with_one_side_whatever_is_a_reason_is_an_error),
	        cmocka_unit_test(a_false_alarm_is_no_fault_of_the_code_and_stays_visible),
	        cmocka_unit_test(a_calibration_that_measured_nothing_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
