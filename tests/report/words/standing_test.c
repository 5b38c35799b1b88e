/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/standing.h"

#include "compare/endings.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ResultBenchmark *first(const CheckResult *result)
{
	return result->benchmarks->pdata[0];
}

static MetricComparison *first_metric(const CheckResult *result)
{
	return first(result)->comparison->metrics->pdata[0];
}

/* The sample with a verdict of its own. */
static CheckResult *sample_with(Verdict verdict)
{
	CheckResult *result = sample_result();
	benchmark_comparison_decide(first(result)->comparison, verdict, "code", g_strdup("its reason"));
	first_metric(result)->verdict = verdict;
	return result;
}

static void each_verdict_has_its_outcome(void **state)
{
	static const Standing wanted[] = {
	        [VERDICT_PASS] = STANDING_PASSED,
	        [VERDICT_REGRESSION] = STANDING_REGRESSED,
	        [VERDICT_INCONCLUSIVE] = STANDING_INCONCLUSIVE,
	        [VERDICT_ERROR] = STANDING_BROKEN,
	};
	(void)state;
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		g_autoptr(CheckResult) result = sample_with(verdict);
		assert_int_equal(standing_of(result, first(result)), wanted[verdict]);
	}
}

static void what_was_not_compared_is_broken_or_new(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "gone");
	ResultBenchmark *added = check_result_add_benchmark(result, "added");
	check_result_add_reason(result, 4, "timeout", "gone", "it took too long");
	ending_nothing_to_compare(result, added, "base cannot run it", FALSE);
	assert_int_equal(standing_of(result, first(result)), STANDING_BROKEN);
	assert_int_equal(standing_of(result, added), STANDING_NEW);
	assert_null(standing_metric(first(result), STANDING_BROKEN));
}

static void an_improvement_needs_a_metric_that_gates(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_with(VERDICT_PASS);
	first_metric(result)->improved = TRUE;
	assert_int_equal(standing_of(result, first(result)), STANDING_IMPROVED);
	assert_ptr_equal(standing_metric(first(result), STANDING_IMPROVED), first_metric(result));
	first_metric(result)->gates = FALSE;
	assert_int_equal(standing_of(result, first(result)), STANDING_PASSED);
}

static void an_accepted_regression_is_no_plain_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_accept(result);
	assert_int_equal(standing_of(result, first(result)), STANDING_ACCEPTED);
	assert_ptr_equal(standing_metric(first(result), STANDING_ACCEPTED), first_metric(result));
}

static void nor_is_a_pass_with_a_slower_function(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	assert_int_equal(standing_of(result, first(result)), STANDING_SLOWER);
}

static void cost_that_moved_is_neither(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_slower_result();
	sample_row(first(result), "hash_word")->klass = FUNCTION_COST_SHIFT;
	assert_int_equal(standing_of(result, first(result)), STANDING_SHIFTED);
	g_autofree char *counts = standing_counts(result);
	assert_string_equal(counts, "1 with cost moved");
	sample_row(first(result), "count_word")->held = FUNCTION_HELD_BY_TOTAL;
	assert_int_equal(standing_of(result, first(result)), STANDING_SLOWER);
}

static void the_metric_that_failed_is_spoken_of(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	MetricComparison *memory = first(result)->comparison->metrics->pdata[1];
	first_metric(result)->verdict = VERDICT_PASS;
	memory->verdict = VERDICT_REGRESSION;
	assert_ptr_equal(standing_metric(first(result), STANDING_REGRESSED), memory);
}

static void counts_name_what_there_is_in_order(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_with(VERDICT_PASS), nothing = check_result_new();
	check_result_add_benchmark(result, "gone");
	g_autofree char *counts = standing_counts(result), *none = standing_counts(nothing);
	assert_string_equal(counts, "1 broken, 1 unchanged");
	assert_string_equal(none, "no benchmarks");
}

static void only_what_passed_needs_no_look(void **state)
{
	(void)state;
	for (Standing standing = 0; standing < N_STANDINGS; standing++)
		assert_int_equal(standing_needs_a_look(standing), standing != STANDING_PASSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_verdict_has_its_outcome),
	        cmocka_unit_test(what_was_not_compared_is_broken_or_new),
	        cmocka_unit_test(an_improvement_needs_a_metric_that_gates),
	        cmocka_unit_test(an_accepted_regression_is_no_plain_pass),
	        cmocka_unit_test(nor_is_a_pass_with_a_slower_function),
	        cmocka_unit_test(cost_that_moved_is_neither),
	        cmocka_unit_test(the_metric_that_failed_is_spoken_of),
	        cmocka_unit_test(counts_name_what_there_is_in_order),
	        cmocka_unit_test(only_what_passed_needs_no_look),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
