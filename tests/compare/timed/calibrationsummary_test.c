/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/calibrationsummary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

/* The same as R's binom.test(k, n, alternative = "less", conf.level = .95)$conf.int[2]; for k = 0 it is 1 - .05^(1/n).
 */
static void the_bound_of_a_rate_is_that_of_clopper_and_pearson(void **state)
{
	static const struct {
		guint k, n;
		double bound;
	} rows[] = {
	        {0, 1, .95},
	        {0, 24, .117346},
	        {0, 100, .029513},
	        {1, 10, .394163},
	        {1, 100, .046560},
	        {2, 20, .282619},
	        {5, 10, .777559},
	        {9, 10, .994884},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_near(binomial_upper_bound(rows[i].k, rows[i].n), rows[i].bound, 1e-6);
}

static void a_rate_of_nothing_or_of_everything_has_no_bound_below_1(void **state)
{
	(void)state;
	assert_true(binomial_upper_bound(0, 0) == 1);
	assert_true(binomial_upper_bound(7, 7) == 1);
}

/* The sum of the binomial probabilities, which the bound is made of, at the bound. */
static void at_the_bound_so_few_are_as_rare_as_promised(void **state)
{
	(void)state;
	for (guint n = 1; n <= 60; n += 7)
		for (guint k = 0; k < n; k++) {
			double p = binomial_upper_bound(k, n), sum = 0;
			for (guint i = 0; i <= k; i++)
				sum += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) +
				           (n - i) * log1p(-p));
			assert_near(sum, .05, 1e-9);
		}
}

static Calibration *add_campaign(GPtrArray *calibrations, const char *verdict)
{
	Calibration *calibration = calibration_new();
	g_free(calibration->verdict);
	calibration->verdict = g_strdup(verdict);
	g_ptr_array_add(calibrations, calibration);
	return calibration;
}

static GPtrArray *new_campaigns(guint passes, guint regressions)
{
	GPtrArray *calibrations = g_ptr_array_new_with_free_func((GDestroyNotify)calibration_free);
	for (guint i = 0; i < passes + regressions; i++)
		add_campaign(calibrations, i < passes ? "pass" : "regression");
	return calibrations;
}

static CalibrationMetric *add_metric(
        Calibration *calibration, const char *name, gboolean gates, double margin, double change_ratio)
{
	CalibrationMetric *metric = calibration_add_metric(calibration, name, &engine_perf);
	metric->gates = gates;
	metric->margin = margin;
	metric->mde_ratio = .01;
	metric->change_ratio = change_ratio;
	return metric;
}

static void nothing_is_known_without_campaigns(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) none = new_campaigns(0, 0);
	CalibrationSummary summary = calibration_summary(none);
	assert_int_equal(summary.campaigns, 0);
	assert_true(summary.alarm_rate_upper == 1);
	assert_true(isnan(summary.smallest_visible) && isnan(summary.aa_spread));
	assert_false(summary.suspicious);
}

static void outcomes_are_counted(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) campaigns = new_campaigns(21, 1);
	add_campaign(campaigns, "inconclusive")->false_functions = 2;
	((Calibration *)campaigns->pdata[0])->false_functions = 1;
	CalibrationSummary summary = calibration_summary(campaigns);
	assert_int_equal(summary.campaigns, 23);
	assert_int_equal(summary.passes, 21);
	assert_int_equal(summary.false_alarms, 1);
	assert_int_equal(summary.function_alarms, 2);
	assert_near(summary.alarm_rate_upper, binomial_upper_bound(1, 23), 1e-12);
}

/* P(X >= k) of Binomial(n, .02): 1 of 24 .3842, 3 of 24 .0118, 4 of 24 .0012; 2 of 5 .0038, 1 of 1 .02. */
static void more_alarms_than_promised_are_suspicious(void **state)
{
	static const struct {
		guint passes, regressions;
		gboolean suspicious;
	} rows[] = {{24, 0, FALSE}, {23, 1, FALSE}, {21, 3, FALSE}, {20, 4, TRUE}, {3, 2, TRUE}, {0, 1, FALSE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) campaigns = new_campaigns(rows[i].passes, rows[i].regressions);
		assert_int_equal(calibration_summary(campaigns).suspicious, rows[i].suspicious);
	}
}

static void the_smallest_visible_change_is_the_median_of_margin_and_mde(void **state)
{
	static const double margins[] = {.02, .05, .03};
	(void)state;
	g_autoptr(GPtrArray) campaigns = new_campaigns(4, 0);
	for (guint i = 0; i < G_N_ELEMENTS(margins); i++)
		add_metric(campaigns->pdata[i], "task-clock", TRUE, margins[i], 1);
	add_metric(campaigns->pdata[3], "task-clock", TRUE, .9, 1)->mde_ratio = NAN;
	assert_near(calibration_summary(campaigns).smallest_visible, .04, 1e-12);
}

static void the_spread_is_that_of_the_log_ratios(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) campaigns = new_campaigns(3, 0);
	for (guint i = 0; i < 3; i++)
		add_metric(campaigns->pdata[i], "task-clock", TRUE, .02, exp(.01 * i));
	add_metric(add_campaign(campaigns, "pass"), "task-clock", TRUE, .02, NAN);
	assert_near(calibration_summary(campaigns).aa_spread, .01, 1e-12);
	g_ptr_array_set_size(campaigns, 1);
	assert_true(isnan(calibration_summary(campaigns).aa_spread));
}

static void time_speaks_for_a_campaign_if_it_gates(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) campaigns = new_campaigns(1, 0);
	Calibration *campaign = campaigns->pdata[0];
	add_metric(campaign, "wall", FALSE, .5, 1);
	assert_true(isnan(calibration_summary(campaigns).smallest_visible));
	add_metric(campaign, "instructions", TRUE, .005, 1);
	add_metric(campaign, "page-faults", TRUE, .1, 1);
	assert_near(calibration_summary(campaigns).smallest_visible, .015, 1e-12);
	add_metric(campaign, "task-clock", TRUE, .02, 1);
	assert_near(calibration_summary(campaigns).smallest_visible, .03, 1e-12);
	add_metric(campaign, "cycles", TRUE, .03, 1);
	assert_near(calibration_summary(campaigns).smallest_visible, .04, 1e-12);
}

static void add_function(BenchmarkComparison *comparison, FunctionClass klass, gboolean tested, double p)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->klass = klass;
	function->tested = tested;
	function->p_adjusted = p;
	function->p_adjusted_improvement = 1 - p;
	g_ptr_array_add(comparison->functions, function);
}

static BenchmarkComparison *aa_comparison(void)
{
	static const struct {
		const char *name;
		guint rounds;
		gboolean gates;
		Verdict verdict;
	} rows[] = {{"task-clock", 12, TRUE, VERDICT_REGRESSION}, {"peak-rss", 12, TRUE, VERDICT_PASS},
	        {"latency", 20, FALSE, VERDICT_INCONCLUSIVE}};
	BenchmarkComparison *comparison = benchmark_comparison_new("parse");
	comparison->verdict = VERDICT_REGRESSION;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricComparison *metric = g_new0(MetricComparison, 1);
		metric->name = g_strdup(rows[i].name);
		metric->engine = &engine_perf;
		metric->rounds = rows[i].rounds;
		metric->gates = rows[i].gates;
		metric->verdict = rows[i].verdict;
		metric->change_ratio = 1.01;
		metric->sd_log = .013;
		metric->margin = .02;
		metric->mde_ratio = .006;
		g_ptr_array_add(comparison->metrics, metric);
	}
	add_function(comparison, FUNCTION_REGRESSION, TRUE, .004);
	add_function(comparison, FUNCTION_IMPROVEMENT, TRUE, .998);
	add_function(comparison, FUNCTION_UNCHANGED, TRUE, .5);
	add_function(comparison, FUNCTION_UNCHANGED, FALSE, 0);
	return comparison;
}

static void a_campaign_is_recorded_with_what_it_said(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = aa_comparison();
	g_autoptr(Calibration) calibration = calibration_of(comparison);
	assert_string_equal(calibration->benchmark, "parse");
	assert_string_equal(calibration->verdict, "regression");
	assert_int_equal(calibration->rounds, 12);
	assert_int_equal(calibration->functions, 3);
	assert_int_equal(calibration->false_functions, 2);
	assert_near(calibration->smallest_p, .002, 1e-12);
	assert_int_equal(calibration->metrics->len, 3);
	const CalibrationMetric *first = calibration->metrics->pdata[0], *second = calibration->metrics->pdata[1];
	assert_string_equal(first->name, "task-clock");
	assert_true(first->gates && first->regressed && !first->passed);
	assert_true(second->passed && !second->regressed);
	assert_near(first->change_ratio, 1.01, 0);
	assert_near(first->margin + first->mde_ratio, .026, 1e-12);
}

static void without_functions_the_smallest_p_is_1(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("parse");
	g_autoptr(Calibration) calibration = calibration_of(comparison);
	assert_true(calibration->smallest_p == 1);
	assert_int_equal(calibration->functions, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_bound_of_a_rate_is_that_of_clopper_and_pearson),
	        cmocka_unit_test(a_rate_of_nothing_or_of_everything_has_no_bound_below_1),
	        cmocka_unit_test(at_the_bound_so_few_are_as_rare_as_promised),
	        cmocka_unit_test(nothing_is_known_without_campaigns),
	        cmocka_unit_test(outcomes_are_counted),
	        cmocka_unit_test(more_alarms_than_promised_are_suspicious),
	        cmocka_unit_test(the_smallest_visible_change_is_the_median_of_margin_and_mde),
	        cmocka_unit_test(the_spread_is_that_of_the_log_ratios),
	        cmocka_unit_test(time_speaks_for_a_campaign_if_it_gates),
	        cmocka_unit_test(a_campaign_is_recorded_with_what_it_said),
	        cmocka_unit_test(without_functions_the_smallest_p_is_1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
