/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedlack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
	        cmocka_unit_test(lack_of_base_is_inconclusive),
	        cmocka_unit_test(only_a_pass_and_an_open_verdict_rest_on_stored_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
