/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/judgement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static MetricComparison *add_metric(
        BenchmarkComparison *comparison, const char *name, Verdict verdict, gboolean gates, const char *reason)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = &engine_perf;
	metric->unit = g_strdup("count");
	metric->verdict = verdict;
	metric->gates = gates;
	metric->margin = .02;
	metric->reason = g_strdup(reason);
	g_ptr_array_add(comparison->metrics, metric);
	return metric;
}

static void add_function(BenchmarkComparison *comparison)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->gates = TRUE;
	function->contribution = .03;
	g_ptr_array_add(comparison->functions, function);
}

static char *say_function(const BenchmarkComparison *comparison, const FunctionComparison *function, double margin)
{
	(void)comparison;
	return g_strdup_printf("a function costs %.0f hundredths, of %.0f", 100 * function->contribution, 100 * margin);
}

static void assert_decided(const BenchmarkComparison *comparison, Verdict verdict, const char *code, const char *reason)
{
	assert_int_equal(comparison->verdict, verdict);
	assert_string_equal(comparison->reason_code, code);
	assert_string_equal(comparison->reason, reason);
}

/* Everything speaks against a pass; reasons are taken away, the first one first. */
static void the_gravest_reason_comes_first(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
	MetricComparison *failed = add_metric(comparison, "cycles", VERDICT_REGRESSION, TRUE, "at least +9 %");
	MetricComparison *open = add_metric(comparison, "wall", VERDICT_INCONCLUSIVE, TRUE, "too few rounds");
	add_function(comparison);
	for (int step = 0; step < 6; step++) {
		JudgementInput input = {
		        .function_reason = say_function,
		        .margin = .02,
		        .campaign = {step < 3 ? "contaminated" : NULL, step < 3 ? g_strdup("it moved") : NULL},
		        .functions = {step < 5 ? "too_few_rounds" : NULL, step < 5 ? g_strdup("run more") : NULL},
		};
		if (step == 1)
			failed->verdict = VERDICT_PASS;
		if (step == 2)
			g_ptr_array_set_size(comparison->functions, 0);
		if (step == 4)
			open->verdict = VERDICT_PASS;
		judgement_decide(comparison, &input);
		static const struct {
			Verdict verdict;
			const char *code, *reason;
		} expected[] = {
		        {VERDICT_REGRESSION, "regression", "cycles regressed: at least +9 %"},
		        {VERDICT_REGRESSION, "function_regression", "a function costs 3 hundredths, of 2"},
		        {VERDICT_INCONCLUSIVE, "contaminated", "it moved"},
		        {VERDICT_INCONCLUSIVE, "too_few_rounds", "wall time: too few rounds"},
		        {VERDICT_INCONCLUSIVE, "too_few_rounds", "run more"},
		        {VERDICT_PASS, "", "every gating metric passes"},
		};
		assert_decided(comparison, expected[step].verdict, expected[step].code, expected[step].reason);
	}
}

static void an_open_metric_has_a_code_for_rounds_and_one_for_width(void **state)
{
	(void)state;
	assert_string_equal(
	        judgement_open_code(&(MetricComparison){.reason = (char *)"too few rounds"}), "too_few_rounds");
	assert_string_equal(
	        judgement_open_code(&(MetricComparison){.reason = (char *)"-1 % to +9 %"}), "interval_too_wide");
}

static void a_metric_that_does_not_gate_is_no_endpoint(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
	add_metric(comparison, "wall", VERDICT_PASS, FALSE, "");
	assert_false(judgement_has_endpoints(comparison));
	assert_decided(comparison, VERDICT_ERROR, "zero_endpoints", "no metric gates, so nothing was judged");
	add_metric(comparison, "cycles", VERDICT_PASS, TRUE, "");
	assert_true(judgement_has_endpoints(comparison));
}

static void the_first_gating_metric_of_a_verdict_is_found(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
	add_metric(comparison, "wall", VERDICT_ERROR, FALSE, "");
	add_metric(comparison, "branches", VERDICT_PASS, TRUE, "");
	assert_null(judgement_gating(comparison->metrics, VERDICT_ERROR));
	const MetricComparison *cycles = add_metric(comparison, "cycles", VERDICT_ERROR, TRUE, "");
	assert_ptr_equal(judgement_gating(comparison->metrics, VERDICT_ERROR), cycles);
}

/* With `runs` runs. Owned by the caller. */
static Profile *profile_of(StackTable *table, guint runs)
{
	Profile *profile = profile_new(table, "instructions", "count");
	for (guint r = 0; r < runs; r++)
		profile_add_run(profile);
	return profile;
}

static void the_side_whose_profile_is_short_or_missing_is_named(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) two = profile_of(table, 2);
	g_autoptr(Profile) one = profile_of(table, 1);
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("one");
	assert_true(judgement_has_profiles(comparison, two, 2, one, 1));
	assert_false(judgement_has_profiles(comparison, two, 2, one, 2));
	assert_decided(
	        comparison, VERDICT_ERROR, "profile_missing", "the profile of head is missing or has too few runs");
	assert_false(judgement_has_profiles(comparison, NULL, 2, NULL, 2));
	assert_decided(
	        comparison, VERDICT_ERROR, "profile_missing", "the profile of base is missing or has too few runs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_gravest_reason_comes_first),
	        cmocka_unit_test(an_open_metric_has_a_code_for_rounds_and_one_for_width),
	        cmocka_unit_test(a_metric_that_does_not_gate_is_no_endpoint),
	        cmocka_unit_test(the_first_gating_metric_of_a_verdict_is_found),
	        cmocka_unit_test(the_side_whose_profile_is_short_or_missing_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
