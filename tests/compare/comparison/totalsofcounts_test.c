/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/totalsinput.h"

#include "compare/statistics/order.h"
#include "tests/compare/near.h"

/* Throughput: more is better. */
static MetricComparison *compare_rates(
        const double *b, const double *h, const MetricPolicy *policy, const LookPlan *plan)
{
	static const gboolean base_first[10] = {TRUE, FALSE, TRUE, TRUE, FALSE};
	TotalsInput input = {.base = b,
	        .head = h,
	        .base_first = base_first,
	        .rounds = 10,
	        .name = "throughput",
	        .engine = &engine_benchmark,
	        .unit = "1/s",
	        .higher_is_better = TRUE,
	        .policy = policy,
	        .plan = plan};
	return totals_compare(&input);
}

static void where_higher_is_better_a_decrease_is_the_regression(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) fell = compare_rates(head, base, &policy, &plan);
	g_autoptr(MetricComparison) rose = compare_rates(base, head, &policy, &plan);
	assert_int_equal(fell->verdict, VERDICT_REGRESSION);
	assert_true(fell->higher_is_better);
	assert_non_null(strstr(fell->reason, "at least -3.2 %, beyond the margin of 2 %"));
	assert_false(fell->improved);
	assert_int_equal(rose->verdict, VERDICT_PASS);
	assert_true(rose->improved);
}

static void where_higher_is_better_everything_shown_is_head_over_base(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .gates = TRUE};
	LookPlan plan = look_plan_fixed(10, 1);
	(void)state;
	g_autoptr(MetricComparison) cost = compare(base, head, 10, &policy, &plan);
	g_autoptr(MetricComparison) rate = compare_rates(head, base, &policy, &plan);
	assert_near(rate->change_ratio * cost->change_ratio, 1, 1e-12);
	assert_near(rate->upper_ratio * cost->lower_ratio, 1, 1e-12);
	assert_near(rate->lower_ratio * cost->upper_ratio, 1, 1e-12);
	assert_true(rate->lower_ratio <= rate->change_ratio && rate->change_ratio <= rate->upper_ratio);
	assert_near(rate->p_value, cost->p_value, 0);
	assert_near(rate->mde_ratio, cost->mde_ratio, 1e-12);
	const MetricLook *look = &g_array_index(rate->looks, MetricLook, 0);
	assert_near(exp(look->lower), rate->lower_ratio, 1e-12);
	assert_near(exp(look->upper), rate->upper_ratio, 1e-12);
	assert_near(rate->base, cost->head, 0);
}

/* A count that may be 0, such as one of errors. */
static MetricComparison *compare_counts(const double *b, const double *h, guint rounds, gboolean higher_is_better)
{
	static const MetricPolicy policy = {.margin = .05, .pass_margin = .15, .gates = TRUE};
	LookPlan plan = look_plan_fixed(rounds, 1);
	TotalsInput input = {.base = b,
	        .head = h,
	        .rounds = rounds,
	        .name = "errors",
	        .engine = &engine_benchmark,
	        .unit = "count",
	        .higher_is_better = higher_is_better,
	        .zero_is_measured = TRUE,
	        .policy = &policy,
	        .plan = &plan};
	return totals_compare(&input);
}

static const double no_errors[8] = {0}, many[8] = {5, 7, 6, 9, 5, 5, 8, 6};

static void zero_on_both_sides_is_no_change(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) c = compare_counts(no_errors, no_errors, 8, FALSE);
	g_autoptr(MetricComparison) early = compare_counts(no_errors, no_errors, 2, FALSE);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_near(c->change_ratio, 1, 0);
	assert_near(c->base, 0, 0);
	assert_int_equal(early->verdict, VERDICT_INCONCLUSIVE);
}

static void from_zero_to_more_is_a_regression_where_lower_is_better(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) worse = compare_counts(no_errors, many, 8, FALSE);
	g_autoptr(MetricComparison) better = compare_counts(many, no_errors, 8, FALSE);
	assert_int_equal(worse->verdict, VERDICT_REGRESSION);
	assert_string_equal(worse->reason, "0 in every run of base and above 0 in every run of head");
	assert_true(isinf(worse->change_ratio));
	assert_near(worse->head, 6, 0);
	assert_near(worse->p_value, 1 / 256.0, 1e-15);
	assert_true(isnan(worse->sd_log));
	assert_int_equal(worse->rounds_needed, 0);
	assert_int_equal(better->verdict, VERDICT_PASS);
	assert_true(better->improved);
	assert_near(better->change_ratio, 0, 0);
}

static void from_more_to_zero_is_a_regression_where_higher_is_better(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) worse = compare_counts(many, no_errors, 8, TRUE);
	g_autoptr(MetricComparison) better = compare_counts(no_errors, many, 8, TRUE);
	assert_int_equal(worse->verdict, VERDICT_REGRESSION);
	assert_true(g_str_has_prefix(worse->reason, "above 0 in every run of base and 0 in every run of head"));
	assert_near(worse->change_ratio, 0, 0);
	assert_int_equal(better->verdict, VERDICT_PASS);
	assert_true(isinf(better->change_ratio));
}

static void a_rise_from_zero_needs_as_many_rounds_as_any_other(void **state)
{
	(void)state;
	g_autoptr(MetricComparison) c = compare_counts(no_errors, many, 6, FALSE);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_true(g_str_has_prefix(c->reason, "too few rounds"));
}

static void values_without_a_ratio_are_errors_that_keep_their_medians(void **state)
{
	static const double some[8] = {0, 0, 3, 0, 0, 1, 0, 0}, negative[8] = {-5, -5, -5, -5, -5, -5, -5, -5};
	const struct {
		const double *base, *head;
		const char *reason;
	} rows[] = {
	        {some, many, "cannot be compared as a ratio: round 1 of base has the value 0; report the value plus 1"},
	        {no_errors, some, "round 1 of base has the value 0; report"},
	        {many, some, "round 1 of head has the value 0; report"},
	        {some, no_errors, "round 1 of base has the value 0; report"},
	        {negative, many, "round 1 of base has the value -5; report"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(MetricComparison) c = compare_counts(rows[i].base, rows[i].head, 8, FALSE);
		assert_int_equal(c->verdict, VERDICT_ERROR);
		assert_non_null(strstr(c->reason, rows[i].reason));
		assert_true(isnan(c->change_ratio) && isnan(c->lower_ratio) && isnan(c->upper_ratio));
		assert_near(c->base, order_median(rows[i].base, 8), 0);
		assert_near(c->head, order_median(rows[i].head, 8), 0);
	}
}

static void values_below_the_floor_pass_before_the_first_look(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 64, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double b[] = {1, 2, .01, 1}, h[] = {60, 50, 63, 61};
	(void)state;
	g_autoptr(MetricComparison) c = compare(b, h, 4, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_true(c->negligible);
	assert_false(c->deterministic);
	assert_null(c->reason);
}

/* The floor makes its logarithm possible, but no count is below 0. */
static void a_value_below_zero_is_an_error_that_the_floor_does_not_hide(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 10, .gates = TRUE};
	LookPlan plan = look_plan_fixed(3, 1);
	const double b[] = {-1, 8, 8}, h[] = {8, 8, 8};
	(void)state;
	g_autoptr(MetricComparison) c = compare(b, h, 3, &policy, &plan);
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_string_equal(c->reason, "cannot be compared as a ratio: round 1 of base has the value -1");
}

/* A program without resident memory has not run: half the floor would make two such sides equal, and negligible. */
static void zero_where_nothing_is_zero_is_an_error_that_the_floor_does_not_hide(void **state)
{
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 4194304, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	const double zero[8] = {0}, some[] = {1e8, 1e8, 1e8, 1e8, 1e8, 1e8, 1e8, 1e8};
	const double *const sides[][2] = {{zero, zero}, {some, zero}, {zero, some}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(sides); i++) {
		TotalsInput input = {.base = sides[i][0],
		        .head = sides[i][1],
		        .rounds = 8,
		        .name = "peak-rss",
		        .engine = &engine_perf,
		        .unit = "bytes",
		        .policy = &policy,
		        .plan = &plan};
		g_autoptr(MetricComparison) c = totals_compare(&input);
		assert_int_equal(c->verdict, VERDICT_ERROR);
		assert_non_null(strstr(c->reason, "has the value 0, which cannot be compared"));
		assert_false(c->improved);
	}
}

/* Only who writes a benchmark can report another value. */
static void the_remedy_for_a_count_of_perf_is_not_to_gate_on_it(void **state)
{
	static const MetricPolicy policy = {.margin = .05, .pass_margin = .15, .gates = TRUE};
	const double b[] = {0, 1, 0}, h[] = {1, 1, 1};
	LookPlan plan = look_plan_fixed(3, 1);
	(void)state;
	TotalsInput input = {.base = b,
	        .head = h,
	        .rounds = 3,
	        .name = "cpu-migrations",
	        .engine = &engine_perf,
	        .unit = "count",
	        .zero_is_measured = TRUE,
	        .policy = &policy,
	        .plan = &plan};
	g_autoptr(MetricComparison) c = totals_compare(&input);
	assert_string_equal(
	        c->reason, "cannot be compared as a ratio: round 1 of base has the value 0; do not gate on it");
}

/* With a floor of 100, what is tested is the value plus 50. Of a cost the ratio of the values themselves is told, of a
 * rate that of what is tested. */
static void a_floor_changes_the_ratio_that_is_told_of_a_rate_alone(void **state)
{
	static const double ratios[] = {1100. / 1000, 1150. / 1050};
	double b[8], h[8];
	MetricPolicy policy = {.margin = .02, .pass_margin = .05, .abs_floor = 100, .gates = TRUE};
	LookPlan plan = look_plan_sequential(1);
	(void)state;
	for (guint i = 0; i < 8; i++) {
		b[i] = 1000;
		h[i] = 1100;
	}
	for (guint rate = 0; rate < 2; rate++) {
		TotalsInput input = {.base = b,
		        .head = h,
		        .rounds = 8,
		        .name = "x",
		        .engine = &engine_benchmark,
		        .unit = "1",
		        .higher_is_better = rate,
		        .policy = &policy,
		        .plan = &plan};
		g_autoptr(MetricComparison) c = totals_compare(&input);
		assert_int_equal(c->verdict, rate ? VERDICT_PASS : VERDICT_REGRESSION);
		assert_near(c->change_ratio, ratios[rate], 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(where_higher_is_better_a_decrease_is_the_regression),
	        cmocka_unit_test(where_higher_is_better_everything_shown_is_head_over_base),
	        cmocka_unit_test(zero_on_both_sides_is_no_change),
	        cmocka_unit_test(from_zero_to_more_is_a_regression_where_lower_is_better),
	        cmocka_unit_test(from_more_to_zero_is_a_regression_where_higher_is_better),
	        cmocka_unit_test(a_rise_from_zero_needs_as_many_rounds_as_any_other),
	        cmocka_unit_test(values_without_a_ratio_are_errors_that_keep_their_medians),
	        cmocka_unit_test(values_below_the_floor_pass_before_the_first_look),
	        cmocka_unit_test(a_value_below_zero_is_an_error_that_the_floor_does_not_hide),
	        cmocka_unit_test(zero_where_nothing_is_zero_is_an_error_that_the_floor_does_not_hide),
	        cmocka_unit_test(the_remedy_for_a_count_of_perf_is_not_to_gate_on_it),
	        cmocka_unit_test(a_floor_changes_the_ratio_that_is_told_of_a_rate_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
