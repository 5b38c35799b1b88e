/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/secondlook.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static BenchmarkComparison *comparison_of(Verdict verdict)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("parse");
	benchmark_comparison_decide(comparison, verdict, "", g_strdup(""));
	return comparison;
}

static void add_metric(BenchmarkComparison *comparison, gboolean gates, gboolean exact, Verdict verdict)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("peak-rss");
	metric->gates = gates;
	metric->deterministic = exact;
	metric->verdict = verdict;
	g_ptr_array_add(comparison->metrics, metric);
}

static const SecondCampaign possible = {.mode = CHECK_GATE, .needed_s = 10, .left_s = 10};

/* `wanted` is the reason not to measure a regression again, NULL if it is to be. */
static void check_due(const BenchmarkComparison *comparison, const SecondCampaign *second, const char *wanted)
{
	g_autofree char *why = NULL;
	assert_int_equal(second_look_is_due(comparison, second, &why), wanted == NULL);
	if (wanted == NULL)
		assert_null(why);
	else
		assert_string_equal(why, wanted);
}

static void a_second_campaign_has_no_fewer_rounds_than_the_first_nor_than_one_look_needs(void **state)
{
	(void)state;
	assert_int_equal(second_look_rounds(3), 8);
	assert_int_equal(second_look_rounds(8), 8);
	assert_int_equal(second_look_rounds(20), 20);
}

static void only_a_regression_is_measured_again(void **state)
{
	(void)state;
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		g_autoptr(BenchmarkComparison) comparison = comparison_of(verdict);
		g_autofree char *why = NULL;
		assert_int_equal(second_look_is_due(comparison, &possible, &why), verdict == VERDICT_REGRESSION);
		assert_null(why);
	}
}

static void base_against_itself_is_not_asked_again(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) regression = comparison_of(VERDICT_REGRESSION);
	SecondCampaign second = possible;
	second.mode = CHECK_SELF_TEST;
	check_due(regression, &second, "the delay is known to be there");
	second.mode = CHECK_CALIBRATE;
	check_due(regression, &second, "false alarms are counted as they come");
}

static void an_exact_metric_that_failed_would_say_the_same_again(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) regression = comparison_of(VERDICT_REGRESSION);
	add_metric(regression, FALSE, TRUE, VERDICT_REGRESSION);
	add_metric(regression, TRUE, FALSE, VERDICT_REGRESSION);
	add_metric(regression, TRUE, TRUE, VERDICT_PASS);
	check_due(regression, &possible, NULL);
	add_metric(regression, TRUE, TRUE, VERDICT_REGRESSION);
	check_due(regression, &possible, "peak-rss is exact");
}

static void whoever_wants_none_gets_none(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) regression = comparison_of(VERDICT_REGRESSION);
	SecondCampaign second = possible;
	second.no_confirm = TRUE;
	check_due(regression, &second, "--no-confirm");
}

static void a_campaign_that_does_not_fit_into_the_time_is_not_begun(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) regression = comparison_of(VERDICT_REGRESSION);
	SecondCampaign second = possible;
	second.left_s = INFINITY;
	check_due(regression, &second, NULL);
	second.left_s = 9;
	check_due(regression, &second, "it takes about 10 s, and 9.0 s are left");
}

static void counts_are_counted_again_only_where_that_can_tell_more(void **state)
{
	static const struct {
		CountedOnce counted;
		Recount wanted;
		const char *why;
	} cases[] = {
	        {{CHECK_GATE, FALSE, FALSE, 1}, RECOUNT_HEAD, NULL},
	        {{CHECK_GATE, FALSE, TRUE, 1}, RECOUNT_BASE, NULL},
	        {{CHECK_GATE, FALSE, TRUE, 2}, RECOUNT_BASE, NULL},
	        {{CHECK_GATE, FALSE, FALSE, 2}, RECOUNT_DONE, NULL},
	        {{CHECK_GATE, TRUE, FALSE, 2}, RECOUNT_DONE, NULL},
	        {{CHECK_GATE, TRUE, FALSE, 1}, RECOUNT_REFUSED, "--no-confirm"},
	        {{CHECK_GATE, TRUE, TRUE, 2}, RECOUNT_REFUSED, "--no-confirm"},
	        {{CHECK_SELF_TEST, FALSE, FALSE, 2}, RECOUNT_REFUSED, "the delay is known to be there"},
	        {{CHECK_CALIBRATE, FALSE, FALSE, 1}, RECOUNT_REFUSED, "false alarms are counted as they come"},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) regression = comparison_of(VERDICT_REGRESSION);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *why = "unset";
		assert_int_equal(second_look_recount(regression, &cases[i].counted, &why), cases[i].wanted);
		if (cases[i].why == NULL)
			assert_null(why);
		else
			assert_string_equal(why, cases[i].why);
	}
}

static void counts_without_a_regression_are_not_counted_again(void **state)
{
	(void)state;
	const CountedOnce counted = {CHECK_GATE, FALSE, TRUE, 1};
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		g_autoptr(BenchmarkComparison) comparison = comparison_of(verdict);
		const char *why = "unset";
		if (verdict == VERDICT_REGRESSION)
			continue;
		assert_int_equal(second_look_recount(comparison, &counted, &why), RECOUNT_NOTHING);
		assert_null(why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_second_campaign_has_no_fewer_rounds_than_the_first_nor_than_one_look_needs),
	        cmocka_unit_test(only_a_regression_is_measured_again),
	        cmocka_unit_test(base_against_itself_is_not_asked_again),
	        cmocka_unit_test(an_exact_metric_that_failed_would_say_the_same_again),
	        cmocka_unit_test(whoever_wants_none_gets_none),
	        cmocka_unit_test(a_campaign_that_does_not_fit_into_the_time_is_not_begun),
	        cmocka_unit_test(counts_are_counted_again_only_where_that_can_tell_more),
	        cmocka_unit_test(counts_without_a_regression_are_not_counted_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
