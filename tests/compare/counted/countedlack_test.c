/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedlack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/measured.h"
#include "compare/outcome.h"

/* With one function that gates. Owned by the caller. */
static BenchmarkComparison *counts_say(Verdict verdict)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("one");
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	comparison->counted = TRUE;
	comparison->table = stack_table_new();
	function->gates = TRUE;
	function->frame = stack_table_frame(
	        comparison->table, &(Frame){.name = stack_table_name(comparison->table, "hash_word", -1)});
	g_ptr_array_add(comparison->functions, function);
	benchmark_comparison_decide(comparison, verdict, "", g_strdup("they say so"));
	return comparison;
}

static Measurement *measured_once(void)
{
	Measurement *side = measurement_new("one", "", "");
	RunFacts run = {0};
	g_array_append_val(side->runs, run);
	return side;
}

static MetricComparison *judged_as(Verdict verdict)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("instructions");
	metric->engine = &engine_callgrind;
	metric->unit = g_strdup("count");
	metric->gates = TRUE;
	metric->verdict = verdict;
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	return metric;
}

static gboolean is_settled(Verdict verdict, const char *doubt, gboolean lacks)
{
	g_autoptr(BenchmarkComparison) comparison = counts_say(verdict);
	return counted_is_settled(comparison, doubt, lacks);
}

static void more_runs_do_not_change_a_regression_or_an_error(void **state)
{
	(void)state;
	assert_true(is_settled(VERDICT_REGRESSION, NULL, TRUE));
	assert_true(is_settled(VERDICT_ERROR, NULL, TRUE));
}

static void a_pass_is_settled_if_no_run_is_lacking(void **state)
{
	(void)state;
	assert_true(is_settled(VERDICT_PASS, NULL, FALSE));
	assert_false(is_settled(VERDICT_PASS, NULL, TRUE));
}

static void stored_counts_that_are_doubted_settle_only_errors(void **state)
{
	(void)state;
	assert_true(is_settled(VERDICT_ERROR, "another library", FALSE));
	assert_false(is_settled(VERDICT_REGRESSION, "another library", FALSE));
	assert_false(is_settled(VERDICT_PASS, "another library", FALSE));
}

static void assert_open(const BenchmarkComparison *comparison, const char *code, const char *reason)
{
	assert_int_equal(comparison->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(comparison->reason_code, code);
	assert_string_equal(comparison->reason, reason);
	assert_false(((FunctionComparison *)comparison->functions->pdata[0])->gates);
}

static void lack_of_time_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = counts_say(VERDICT_PASS);
	counted_lacks_time(comparison, NULL, "base twice", "give it more");
	assert_open(comparison, "out_of_time",
	        "the counts do not repeat, and time ran out before they were made again (base twice); give it more");
}

/* Counts of another library's time are no evidence for a pass, nor for anything else, whoever wants to let through what
 * did not settle. */
static void what_was_compared_with_a_base_in_doubt_was_not_measured(void **state)
{
	static const Verdict verdicts[] = {VERDICT_PASS, VERDICT_REGRESSION};
	(void)state;
	for (guint i = 0; i < 2 * G_N_ELEMENTS(verdicts); i++) {
		const char *doubt = i % 2 == 0 ? "another library" : NULL;
		g_autoptr(CheckResult) result = check_result_new();
		ResultBenchmark *row = check_result_add_benchmark(result, "one");
		row->base = measured_once();
		row->head = measured_once();
		row->comparison = counts_say(verdicts[i / 2]);
		g_ptr_array_add(row->comparison->metrics, judged_as(verdicts[i / 2]));
		counted_lacks_time(row->comparison, doubt, "base twice", "give it more");
		check_result_decide(result);
		assert_int_equal(inconclusive_exit_code(result, INCONCLUSIVE_PASS), doubt != NULL ? 3 : 0);
		const MetricComparison *metric = row->comparison->metrics->pdata[0];
		assert_int_equal(metric->verdict, doubt != NULL ? VERDICT_INCONCLUSIVE : verdicts[i / 2]);
	}
}

static void lack_of_base_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = counts_say(VERDICT_PASS);
	counted_lacks_base(comparison, "another library", "make failed");
	assert_open(comparison, "base_not_built",
	        "another library, and base could not be built again to be counted: make failed");
}

static void only_a_pass_and_an_open_verdict_rest_on_stored_counts(void **state)
{
	(void)state;
	static const gboolean rests[] = {
	        [VERDICT_PASS] = TRUE,
	        [VERDICT_REGRESSION] = FALSE,
	        [VERDICT_INCONCLUSIVE] = TRUE,
	        [VERDICT_ERROR] = FALSE,
	};
	for (guint verdict = 0; verdict < G_N_ELEMENTS(rests); verdict++) {
		g_autoptr(BenchmarkComparison) comparison = counts_say((Verdict)verdict);
		assert_int_equal(counted_rests_on_stored(comparison), rests[verdict]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(more_runs_do_not_change_a_regression_or_an_error),
	        cmocka_unit_test(a_pass_is_settled_if_no_run_is_lacking),
	        cmocka_unit_test(stored_counts_that_are_doubted_settle_only_errors),
	        cmocka_unit_test(lack_of_time_is_inconclusive),
	        cmocka_unit_test(what_was_compared_with_a_base_in_doubt_was_not_measured),
	        cmocka_unit_test(lack_of_base_is_inconclusive),
	        cmocka_unit_test(only_a_pass_and_an_open_verdict_rest_on_stored_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
