/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/endings.h"

#include "compare/outcome.h"
#include "compare/outcomewords.h"
#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const ResultReason *only_reason(const CheckResult *result)
{
	assert_int_equal(result->reasons->len, 1);
	return result->reasons->pdata[0];
}

static void assert_reason(const CheckResult *result, int exit_code, const char *code, const char *text)
{
	const ResultReason *reason = only_reason(result);
	assert_int_equal(reason->exit_code, exit_code);
	assert_string_equal(reason->code, code);
	assert_string_equal(reason->text, text);
}

static void a_failure_has_the_code_of_its_exit_code(void **state)
{
	(void)state;
	static const struct {
		int exit_code;
		gboolean rules_read;
		const char *code;
	} failures[] = {
	        {FIREBREAK_ERROR_USAGE, FALSE, "usage"},
	        {FIREBREAK_ERROR_INVALID, FALSE, "measurement_invalid"},
	        {FIREBREAK_ERROR_BUILD, FALSE, "build_failed"},
	        {FIREBREAK_ERROR_BASELINE, FALSE, "no_baseline"},
	        {FIREBREAK_ERROR_STORAGE, FALSE, "storage"},
	        {FIREBREAK_ERROR_ENVIRONMENT, FALSE, "environment_unsupported"},
	        {FIREBREAK_ERROR_POLICY, FALSE, "policy_changed"},
	        {FIREBREAK_ERROR_POLICY, TRUE, "tree_refused"},
	        {128 + 15, FALSE, "cancelled"},
	};
	for (guint i = 0; i < G_N_ELEMENTS(failures); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		g_autoptr(GError) error = g_error_new(FIREBREAK_ERROR, failures[i].exit_code, "first\nsecond");
		ending_add_failure(result, NULL, error, failures[i].rules_read, "first");
		assert_reason(result, failures[i].exit_code, failures[i].code, "first");
	}
}

static void a_failure_names_its_benchmark(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(GError) error = g_error_new(FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "it crashed");
	assert_string_equal(ending_add_failure(result, "one", error, TRUE, "it crashed")->benchmark, "one");
}

/* A check of one benchmark that had no time. Owned by the caller. */
static CheckResult *late_check(CheckMode mode)
{
	CheckResult *result = check_result_new();
	result->mode = mode;
	check_result_add_benchmark(result, "one");
	ending_add_not_measured(result, "one", "time ran out");
	return result;
}

static const BenchmarkComparison *settled(CheckResult *result)
{
	ResultBenchmark *row = result->benchmarks->pdata[0];
	ending_settle_not_measured(result, row);
	return row->comparison;
}

static void a_benchmark_without_time_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = late_check(CHECK_GATE);
	assert_reason(result, 3, NOT_MEASURED, "one: not measured: time ran out");
	const BenchmarkComparison *comparison = settled(result);
	assert_non_null(comparison);
	assert_int_equal(comparison->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(comparison->reason_code, NOT_MEASURED);
	assert_string_equal(comparison->reason, "not measured: time ran out");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 3);
	assert_int_equal(result->reasons->len, 1);
}

static void a_calibration_without_time_has_no_comparison(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = late_check(CHECK_CALIBRATE);
	assert_null(settled(result));
}

static void another_reason_of_the_benchmark_is_graver_than_lack_of_time(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = late_check(CHECK_GATE);
	check_result_add_reason(result, 4, "measurement_invalid", "one", "it crashed");
	assert_null(settled(result));
}

static void reasons_of_others_leave_the_lack_of_time(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = late_check(CHECK_GATE);
	check_result_add_reason(result, 4, "measurement_invalid", "two", "it crashed");
	assert_non_null(settled(result));
}

static void a_benchmark_without_any_reason_is_not_settled(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "one");
	assert_null(settled(result));
}

static void a_comparison_that_is_there_stays(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = late_check(CHECK_GATE);
	BenchmarkComparison *comparison = benchmark_comparison_new("one");
	benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("passes"));
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison = comparison;
	assert_ptr_equal(settled(result), comparison);
	assert_int_equal(comparison->verdict, VERDICT_PASS);
}

/* The comparison of a campaign after so many rounds. Owned by the caller. */
static BenchmarkComparison *campaign_says(Verdict verdict, const char *code, guint rounds, gboolean out_of_time)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("one");
	const CampaignFacts facts = {.rounds = rounds, .out_of_time = out_of_time};
	benchmark_comparison_decide(comparison, verdict, code, g_strdup("it says so"));
	gboolean changed = ending_lacks_rounds(comparison, &facts, 10, "give it more");
	assert_int_equal(changed, !g_str_equal(comparison->reason, "it says so"));
	return comparison;
}

static void a_campaign_that_was_cut_short_is_inconclusive(void **state)
{
	(void)state;
	static const char *const lacking[] = {"zero_runs", "zero_samples", "too_few_rounds", "interval_too_wide"};
	for (guint i = 0; i < G_N_ELEMENTS(lacking); i++) {
		g_autoptr(BenchmarkComparison) comparison = campaign_says(VERDICT_ERROR, lacking[i], 3, TRUE);
		assert_int_equal(comparison->verdict, VERDICT_INCONCLUSIVE);
		assert_string_equal(comparison->reason_code, "out_of_time");
		assert_string_equal(comparison->reason, "time ran out after 3 of at most 10 rounds; give it more");
	}
}

/* Rounds that are enough for a look are enough for twenty samples: who has none of them does nothing. */
static void a_side_without_samples_is_an_error_once_a_look_was_made(void **state)
{
	(void)state;
	const CampaignFacts facts = {.rounds = 8, .out_of_time = TRUE};
	for (guint looks = 0; looks < 2; looks++) {
		g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
		const MetricLook look = {.rounds = 8, .verdict = VERDICT_INCONCLUSIVE};
		MetricComparison metric = {.name = (char *)"task-clock", .gates = TRUE};
		g_autoptr(GArray) made = g_array_new(FALSE, FALSE, sizeof(MetricLook));
		g_array_append_vals(made, &look, looks);
		metric.looks = made;
		g_ptr_array_set_free_func(comparison->metrics, NULL);
		g_ptr_array_add(comparison->metrics, &metric);
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "zero_samples", g_strdup("it did nothing"));
		assert_int_equal(ending_lacks_rounds(comparison, &facts, 20, "give it more"), looks == 0);
		assert_int_equal(comparison->verdict, looks == 0 ? VERDICT_INCONCLUSIVE : VERDICT_ERROR);
		g_ptr_array_set_size(comparison->metrics, 0);
	}
}

static void a_campaign_without_a_round_was_not_measured(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = campaign_says(VERDICT_ERROR, "zero_runs", 0, TRUE);
	assert_string_equal(comparison->reason_code, NOT_MEASURED);
}

static void what_a_short_campaign_decides_stays(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = campaign_says(VERDICT_REGRESSION, "regression", 3, TRUE);
	assert_int_equal(comparison->verdict, VERDICT_REGRESSION);
}

static void a_whole_campaign_does_not_lack_time(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = campaign_says(VERDICT_INCONCLUSIVE, "interval_too_wide", 10, FALSE);
	assert_string_equal(comparison->reason_code, "interval_too_wide");
}

static void weaker_rules_are_refused_unless_they_are_allowed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) refused = check_result_new();
	g_autoptr(CheckResult) allowed = check_result_new();
	ending_weakened_rules(refused, "margin 2 % to 9 %", FALSE, "no");
	ending_weakened_rules(allowed, "margin 2 % to 9 %", TRUE, "no");
	assert_reason(refused, 9, "policy_changed", "no");
	assert_int_equal(finding_count(refused->findings), 0);
	assert_int_equal(allowed->reasons->len, 0);
	assert_string_equal(finding_get(allowed->findings, 0)->text, "head weakens the gate: margin 2 % to 9 %");
}

static void removed_rules_are_refused(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ending_removed_rules(result, "head removes them");
	assert_reason(result, 9, "policy_changed", "head removes them");
}

static void what_is_stored_and_cannot_be_used_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) unlike = check_result_new();
	g_autoptr(CheckResult) missing = check_result_new();
	g_autoptr(CheckResult) unread = check_result_new();
	g_autoptr(GError) error = g_error_new(FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "the disk is gone");
	ending_not_comparable(unlike, "one", "two machines");
	ending_no_baseline(missing, "one", "nothing");
	ending_unread_baseline(unread, "one", error);
	assert_reason(unlike, 6, "not_comparable", "one: two machines");
	assert_reason(missing, 6, "no_baseline", "one: nothing");
	assert_reason(unread, 7, "no_baseline", "one: the disk is gone");
}

/* The result of a drift. Owned by the caller. */
static CheckResult *drifted(gboolean added, gboolean gates, const char *accepted, const char *finding)
{
	CheckResult *result = check_result_new();
	const Drift drift = {.added = added};
	ending_drift(result, "one", &drift, gates, "it grew", accepted);
	assert_string_equal(finding_get(result->findings, 0)->text, finding);
	return result;
}

static void drift_that_gates_is_a_regression(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = drifted(TRUE, TRUE, NULL, "it grew");
	assert_reason(result, 1, "drift", "one: it grew");
}

static void drift_is_a_warning_where_it_does_not_gate_or_is_not_of_this_change_or_accepted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) shown = drifted(TRUE, FALSE, NULL, "it grew");
	g_autoptr(CheckResult) earlier = drifted(FALSE, TRUE, NULL, "it grew; this change adds nothing to it");
	g_autoptr(CheckResult) accepted = drifted(TRUE, TRUE, "; fine", "it grew; fine");
	assert_int_equal(shown->reasons->len, 0);
	assert_int_equal(earlier->reasons->len, 0);
	assert_int_equal(accepted->reasons->len, 0);
}

static void results_that_cannot_be_written_are_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 1, "drift", NULL, "it grew");
	result->exit_code = 1;
	ending_not_written(result, 7, "no room");
	assert_int_equal(result->exit_code, 7);
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->code, "output");
}

static void what_ended_so_anyway_has_no_second_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 7, "storage", NULL, "no room");
	check_result_decide(result);
	ending_not_written(result, 7, "no room");
	assert_reason(result, 7, "storage", "no room");
}

/* Something else failed before: a reader needs both to mend them. */
static void another_failure_of_the_same_kind_keeps_its_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 7, "no_baseline", "one", "one: a stored file cannot be read");
	check_result_decide(result);
	ending_not_written(result, 7, "no room");
	assert_int_equal(result->reasons->len, 2);
	assert_string_equal(((ResultReason *)result->reasons->pdata[1])->code, "output");
	assert_string_equal(((ResultReason *)result->reasons->pdata[1])->text, "no room");
}

/* Whatever could not be written then, the user ended it. */
static void the_end_by_a_signal_is_one_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 130, "cancelled", NULL, "interrupted");
	check_result_decide(result);
	ending_not_written(result, 130, "interrupted while writing");
	assert_reason(result, 130, "cancelled", "interrupted");
}

static void results_that_stand_in_for_others_never_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) begun = check_result_new();
	g_autoptr(CheckResult) never = check_result_new();
	ending_not_ended(begun, "merge");
	ending_not_started(never, "check");
	assert_reason(begun, 4, "not_ended", "`firebreak merge` began to write here and did not finish");
	assert_reason(never, 2, "usage",
	        "the last `firebreak check` that was to write here was not started: there is a mistake in its options");
}

/* --- new benchmarks --- */

static void add_row(CheckResult *result, const char *name, Verdict verdict)
{
	ResultBenchmark *row = check_result_add_benchmark(result, name);
	row->comparison = benchmark_comparison_new(name);
	benchmark_comparison_decide(
	        row->comparison, verdict, verdict == VERDICT_PASS ? "" : "regression", g_strdup("slow"));
}

static CheckResult *with_nothing_to_compare(Verdict others, guint n, gboolean incomplete)
{
	static const char *const names[] = {"a", "b", "c"};
	CheckResult *result = check_result_new();
	if (n > 1)
		add_row(result, "known", others);
	for (guint i = 0; i < n; i++)
		ending_nothing_to_compare(
		        result, check_result_add_benchmark(result, names[i]), "base cannot run it", incomplete);
	check_result_decide(result);
	return result;
}

static void nothing_to_compare_passes_and_is_told_first(void **state)
{
	(void)state;
	g_autoptr(CheckResult) alone = with_nothing_to_compare(VERDICT_PASS, 1, FALSE);
	g_autoptr(CheckResult) others = with_nothing_to_compare(VERDICT_PASS, 2, FALSE);
	g_autofree char *one = check_result_reason(alone), *all = check_result_reason(others);
	assert_int_equal(alone->exit_code, 0);
	assert_reason(alone, 0, "nothing_to_compare", "a: nothing to compare yet: base cannot run it");
	assert_string_equal(one, "1 new benchmark: nothing to compare yet");
	assert_int_equal(others->exit_code, 0);
	assert_string_equal(all, "1 benchmark passed; 2 new benchmarks: nothing to compare yet");
}

static void nothing_to_compare_is_decided_once(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = with_nothing_to_compare(VERDICT_PASS, 1, FALSE);
	check_result_decide(result);
	only_reason(result);
	g_autoptr(CheckResult) open = with_nothing_to_compare(VERDICT_PASS, 1, TRUE);
	only_reason(open);
}

static void nothing_to_compare_is_no_pass_where_benchmarks_of_base_are_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = with_nothing_to_compare(VERDICT_PASS, 1, TRUE);
	assert_int_equal(result->exit_code, 3);
	assert_int_equal(result->verdict, VERDICT_INCONCLUSIVE);
}

static void a_regression_comes_before_nothing_to_compare(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = with_nothing_to_compare(VERDICT_REGRESSION, 2, FALSE);
	assert_int_equal(result->exit_code, 1);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "slow");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_failure_has_the_code_of_its_exit_code),
	        cmocka_unit_test(a_failure_names_its_benchmark),
	        cmocka_unit_test(a_benchmark_without_time_is_inconclusive),
	        cmocka_unit_test(a_calibration_without_time_has_no_comparison),
	        cmocka_unit_test(another_reason_of_the_benchmark_is_graver_than_lack_of_time),
	        cmocka_unit_test(reasons_of_others_leave_the_lack_of_time),
	        cmocka_unit_test(a_benchmark_without_any_reason_is_not_settled),
	        cmocka_unit_test(a_comparison_that_is_there_stays),
	        cmocka_unit_test(a_campaign_that_was_cut_short_is_inconclusive),
	        cmocka_unit_test(a_side_without_samples_is_an_error_once_a_look_was_made),
	        cmocka_unit_test(a_campaign_without_a_round_was_not_measured),
	        cmocka_unit_test(what_a_short_campaign_decides_stays),
	        cmocka_unit_test(a_whole_campaign_does_not_lack_time),
	        cmocka_unit_test(weaker_rules_are_refused_unless_they_are_allowed),
	        cmocka_unit_test(removed_rules_are_refused),
	        cmocka_unit_test(what_is_stored_and_cannot_be_used_is_an_error),
	        cmocka_unit_test(drift_that_gates_is_a_regression),
	        cmocka_unit_test(drift_is_a_warning_where_it_does_not_gate_or_is_not_of_this_change_or_accepted),
	        cmocka_unit_test(results_that_cannot_be_written_are_an_error),
	        cmocka_unit_test(what_ended_so_anyway_has_no_second_reason),
	        cmocka_unit_test(another_failure_of_the_same_kind_keeps_its_reason),
	        cmocka_unit_test(the_end_by_a_signal_is_one_reason),
	        cmocka_unit_test(results_that_stand_in_for_others_never_pass),
	        cmocka_unit_test(nothing_to_compare_passes_and_is_told_first),
	        cmocka_unit_test(nothing_to_compare_is_decided_once),
	        cmocka_unit_test(nothing_to_compare_is_no_pass_where_benchmarks_of_base_are_left_out),
	        cmocka_unit_test(a_regression_comes_before_nothing_to_compare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
