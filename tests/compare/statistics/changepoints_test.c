/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/changepoints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static GArray *counted(const double *values, guint n)
{
	return change_points_counted(&(ChangeSeries){.values = values, .n = n});
}

static GArray *sampled(const double *values, guint n)
{
	return change_points_sampled(&(ChangeSeries){.values = values, .n = n});
}

static const ChangePoint *at(const GArray *points, guint index)
{
	return &g_array_index(points, ChangePoint, index);
}

/* --- counted --- */

static void with_few_changes_the_fence_is_half_a_percent(void **state)
{
	(void)state;
	const double values[] = {1000, 1004, 1004, 1010, 1010};
	g_autoptr(GArray) points = counted(values, G_N_ELEMENTS(values));
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 3);
	assert_near(at(points, 0)->change, 6. / 1004, 1e-12);
	assert_near(at(points, 0)->before, 1004, 0);
	assert_near(at(points, 0)->after, 1010, 0);
	assert_true(isnan(at(points, 0)->p_value));
}

/* 0, .001, ... .029: Q1 = .00725, Q3 = .02175, by interpolation at (n - 1) q. */
static void the_fence_is_three_quartile_ranges_above_the_third_quartile(void **state)
{
	(void)state;
	double sizes[CHANGE_FENCE_WINDOW];
	for (guint i = 0; i < CHANGE_FENCE_WINDOW; i++)
		sizes[(i * 7) % CHANGE_FENCE_WINDOW] = i * .001;
	assert_near(change_fence(sizes, CHANGE_FENCE_WINDOW), .02175 + 3 * .0145, 1e-12);
	assert_near(change_fence(sizes, CHANGE_FENCE_WINDOW - 1), CHANGE_FENCE_START, 0);
}

/* Every third value is 1 % away from the one before it, so the fence is 4 %; then a step of 6 %. */
static void after_thirty_changes_the_fence_knows_the_noise(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = (i / 3 % 2 == 0 ? 1000 : 1010) * (i < 38 ? 1 : 1.06);
	g_autoptr(GArray) points = counted(values, 40);
	guint late = 0;
	for (guint i = 0; i < points->len; i++)
		late += at(points, i)->index > CHANGE_FENCE_WINDOW + 1;
	assert_int_equal(late, 1);
	assert_int_equal(at(points, points->len - 1)->index, 38);
}

static void half_a_percent_from_run_to_run_is_scatter(void **state)
{
	(void)state;
	assert_false(change_is_scattered((double[]){0, .004, .5}, 3));
	assert_true(change_is_scattered((double[]){0, .006, .5}, 3));
	assert_false(change_is_scattered(NULL, 0));
	/* runs of a commit of which the median is 0 */
	assert_true(change_is_scattered((double[]){0, .006, INFINITY}, 3));
	assert_false(change_is_scattered((double[]){0, .004, INFINITY}, 3));
	assert_true(change_is_scattered((double[]){0, INFINITY}, 2));
}

static void a_series_that_never_changed_has_a_floor(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = i < 35 ? 1e6 : i < 38 ? 1e6 + 50 : 1e6 + 250;
	g_autoptr(GArray) points = counted(values, 40);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 38);
}

static void a_function_is_measured_by_the_total(void **state)
{
	(void)state;
	const double values[] = {0, 0, 3, 3, 100}, totals[] = {1000, 1000, 1003, 1003, 1100};
	ChangeSeries series = {.values = values, .totals = totals, .n = 5};
	g_autoptr(GArray) points = change_points_counted(&series);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 4);
	assert_near(at(points, 0)->change, 97. / 1003, 1e-12);
}

static void a_rise_from_zero_is_infinite_and_a_change(void **state)
{
	(void)state;
	const double values[] = {0, 0, 5, 0};
	g_autoptr(GArray) points = counted(values, 4);
	assert_int_equal(points->len, 2);
	assert_true(isinf(at(points, 0)->change) && at(points, 0)->change > 0);
	assert_near(at(points, 1)->change, -1, 0);
}

static void nothing_and_one_value_have_no_change(void **state)
{
	(void)state;
	const double value = 7;
	for (guint n = 0; n < 2; n++) {
		g_autoptr(GArray) one = counted(&value, n), other = sampled(&value, n);
		assert_int_equal(one->len + other->len, 0);
	}
}

/* --- sampled --- */

/* Values around a level, that repeat in no simple way. */
static double noisy(guint index)
{
	return 1 + .01 * sin(index * 12.9898 + (index * index) % 17);
}

static void a_step_is_found_where_it_is(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = noisy(i) * (i < 23 ? 100 : 110);
	g_autoptr(GArray) points = sampled(values, 40);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 23);
	assert_near(at(points, 0)->p_value, 1. / (CHANGE_PERMUTATIONS + 1), 1e-12);
	assert_near(at(points, 0)->change, .1, .02);
}

static void two_steps_are_found_one_after_the_other(void **state)
{
	(void)state;
	double values[60];
	for (guint i = 0; i < 60; i++)
		values[i] = noisy(i) * (i < 20 ? 100 : i < 41 ? 120 : 105);
	g_autoptr(GArray) points = sampled(values, 60);
	assert_int_equal(points->len, 2);
	assert_int_equal(at(points, 0)->index, 20);
	assert_int_equal(at(points, 1)->index, 41);
	assert_near(at(points, 0)->before, 100, 1);
	assert_near(at(points, 0)->after, at(points, 1)->before, 0);
}

static void noise_is_no_change(void **state)
{
	(void)state;
	double values[50];
	for (guint i = 0; i < 50; i++)
		values[i] = noisy(i);
	g_autoptr(GArray) points = sampled(values, 50);
	assert_int_equal(points->len, 0);
}

static void equal_values_are_no_change(void **state)
{
	(void)state;
	double values[50];
	for (guint i = 0; i < 50; i++)
		values[i] = 3.25;
	g_autoptr(GArray) points = sampled(values, 50);
	assert_int_equal(points->len, 0);
}

/* Of six values in two groups of three 2 of 20 orders are as clear, and that is chance. */
/* TRUE if the clearest step at any place of `n` values is found. */
static gboolean finds_a_step_of(guint n)
{
	double values[CHANGE_MIN_VALUES];
	gboolean found = FALSE;
	for (guint at = 1; at < n; at++) {
		for (guint i = 0; i < n; i++)
			values[i] = i < at ? 1 : 2;
		g_autoptr(GArray) points = sampled(values, n);
		found |= points->len > 0;
	}
	return found;
}

static void the_least_number_of_values_is_the_least(void **state)
{
	(void)state;
	assert_true(finds_a_step_of(CHANGE_MIN_VALUES));
	assert_false(finds_a_step_of(CHANGE_MIN_VALUES - 1));
}

static void six_values_are_too_few(void **state)
{
	(void)state;
	const double few[] = {1, 1, 1, 2, 2, 2}, enough[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
	g_autoptr(GArray) none = sampled(few, 6), one = sampled(enough, 12);
	assert_int_equal(none->len, 0);
	assert_int_equal(one->len, 1);
	assert_int_equal(at(one, 0)->index, 6);
}

static void two_odd_values_at_the_end_are_no_change_yet(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = noisy(i) * (i < 38 ? 100 : 150);
	g_autoptr(GArray) points = sampled(values, 40);
	for (guint i = 0; i < points->len; i++)
		assert_true(at(points, i)->index <= 40 - CHANGE_MIN_SIDE);
}

static void a_change_below_the_floor_is_dropped(void **state)
{
	(void)state;
	double values[60];
	for (guint i = 0; i < 60; i++)
		values[i] = (i < 30 ? 1 : 1.005) * (1 + (noisy(i) - 1) * .05);
	g_autoptr(GArray) points = sampled(values, 60);
	assert_int_equal(points->len, 0);
}

static void the_same_values_scaled_have_the_same_changes(void **state)
{
	(void)state;
	double values[40], scaled[40], mirrored[40];
	for (guint i = 0; i < 40; i++) {
		values[i] = noisy(i) * (i < 17 ? 100 : 108);
		scaled[i] = values[i] * 1024;
		mirrored[i] = 300 - values[i];
	}
	g_autoptr(GArray) one = sampled(values, 40), other = sampled(scaled, 40), third = sampled(mirrored, 40);
	assert_int_equal(one->len, 1);
	assert_int_equal(other->len, 1);
	assert_int_equal(third->len, 1);
	assert_int_equal(at(other, 0)->index, at(one, 0)->index);
	assert_int_equal(at(third, 0)->index, at(one, 0)->index);
	assert_near(at(other, 0)->change, at(one, 0)->change, 1e-12);
	assert_true(at(third, 0)->change < 0);
}

static void of_very_many_values_all_are_looked_at(void **state)
{
	(void)state;
	guint n = 5000;
	g_autofree double *values = g_new(double, n);
	for (guint i = 0; i < n; i++)
		values[i] = noisy(i) * (i < 20 ? 1 : i < n - 10 ? 2 : 3);
	g_autoptr(GArray) points = sampled(values, n);
	assert_int_equal(points->len, 2);
	assert_int_equal(at(points, 0)->index, 20);
	assert_int_equal(at(points, 1)->index, n - 10);
}

static void what_was_reverted_after_five_commits_is_found(void **state)
{
	(void)state;
	double values[100];
	for (guint i = 0; i < 100; i++)
		values[i] = noisy(i) * (i >= 60 && i < 65 ? 2 : 1);
	g_autoptr(GArray) points = sampled(values, 100);
	assert_int_equal(points->len, 2);
	assert_int_equal(at(points, 0)->index, 60);
	assert_int_equal(at(points, 1)->index, 65);
	assert_near(at(points, 0)->change, 1, .05);
}

static void two_outliers_hide_no_step(void **state)
{
	(void)state;
	double values[100];
	for (guint i = 0; i < 100; i++)
		values[i] = noisy(i) * (i < 50 ? 1 : 1.1) * (i == 20 || i == 77 ? 10 : 1);
	g_autoptr(GArray) points = sampled(values, 100);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 50);
}

/* The value at 20 lies between the levels: it may be the first of the new one, or the last of the old one. */
static void a_value_between_the_levels_makes_a_range(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = noisy(i) * (i < 20 ? 1 : i == 20 ? 1.1 : 1.2);
	g_autoptr(GArray) points = sampled(values, 40);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->earliest, 20);
	assert_int_equal(at(points, 0)->latest, 21);
}

static void a_clear_step_has_one_place(void **state)
{
	(void)state;
	double values[40];
	for (guint i = 0; i < 40; i++)
		values[i] = noisy(i) * (i < 20 ? 1 : 1.2);
	g_autoptr(GArray) points = sampled(values, 40);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->earliest, 20);
	assert_int_equal(at(points, 0)->latest, 20);
}

static void what_grows_little_by_little_is_a_drift(void **state)
{
	(void)state;
	double values[100];
	for (guint i = 0; i < 100; i++)
		values[i] = noisy(i) * (1 + .5 * CLAMP((int)i - 20, 0, 60) / 60);
	g_autoptr(GArray) points = sampled(values, 100);
	assert_int_equal(points->len, 1);
	assert_true(at(points, 0)->drifts);
	assert_in_range(at(points, 0)->earliest, 12, 28);
	assert_in_range(at(points, 0)->latest, 72, 88);
	assert_near(at(points, 0)->change, .5, .05);
}

static void counts_that_do_not_repeat_are_compared_by_levels(void **state)
{
	(void)state;
	double values[60];
	for (guint i = 0; i < 60; i++)
		values[i] = noisy(i) * (i < 30 ? 1 : 1.1);
	g_autoptr(GArray) points = counted(values, 60);
	assert_int_equal(points->len, 1);
	assert_int_equal(at(points, 0)->index, 30);
	assert_false(isnan(at(points, 0)->p_value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(with_few_changes_the_fence_is_half_a_percent),
	        cmocka_unit_test(the_fence_is_three_quartile_ranges_above_the_third_quartile),
	        cmocka_unit_test(after_thirty_changes_the_fence_knows_the_noise),
	        cmocka_unit_test(half_a_percent_from_run_to_run_is_scatter),
	        cmocka_unit_test(a_series_that_never_changed_has_a_floor),
	        cmocka_unit_test(a_function_is_measured_by_the_total),
	        cmocka_unit_test(a_rise_from_zero_is_infinite_and_a_change),
	        cmocka_unit_test(nothing_and_one_value_have_no_change),
	        cmocka_unit_test(a_step_is_found_where_it_is),
	        cmocka_unit_test(two_steps_are_found_one_after_the_other),
	        cmocka_unit_test(noise_is_no_change),
	        cmocka_unit_test(equal_values_are_no_change),
	        cmocka_unit_test(the_least_number_of_values_is_the_least),
	        cmocka_unit_test(six_values_are_too_few),
	        cmocka_unit_test(two_odd_values_at_the_end_are_no_change_yet),
	        cmocka_unit_test(a_change_below_the_floor_is_dropped),
	        cmocka_unit_test(the_same_values_scaled_have_the_same_changes),
	        cmocka_unit_test(of_very_many_values_all_are_looked_at),
	        cmocka_unit_test(what_was_reverted_after_five_commits_is_found),
	        cmocka_unit_test(two_outliers_hide_no_step),
	        cmocka_unit_test(a_value_between_the_levels_makes_a_range),
	        cmocka_unit_test(a_clear_step_has_one_place),
	        cmocka_unit_test(what_grows_little_by_little_is_a_drift),
	        cmocka_unit_test(counts_that_do_not_repeat_are_compared_by_levels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
