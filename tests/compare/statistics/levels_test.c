/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"
#include "tests/statistics/scenarios.h"

/* The least cost over all divisions, by trying all of them: one bit for each place between two values. */
static double least_cost(const double *values, guint n, double penalty)
{
	double least = INFINITY;
	for (guint bits = 0; bits < 1u << (n - 1); bits++) {
		double cost = 0;
		for (guint first = 0, end; first < n; first = end) {
			double sum = 0, squares = 0;
			for (end = first; end < n && (end == first || !(bits >> (end - 1) & 1)); end++) {
				sum += values[end];
				squares += values[end] * values[end];
			}
			cost += squares - sum * sum / (end - first) + (first > 0 ? penalty : 0);
		}
		least = fmin(least, cost);
	}
	return least;
}

static void the_levels_are_the_best_of_all_divisions(void **state)
{
	Draws draws = {11};
	(void)state;
	for (guint round = 0; round < 50; round++) {
		double values[12], scaled[12], squares = 0, mean = 0;
		for (guint i = 0; i < 12; i++)
			values[i] = draw_normal(&draws) + 3 * (i / 4);
		g_autoptr(Levels) levels = levels_new(values, 12, 4);
		for (guint i = 0; i < 12; i++) {
			scaled[i] = levels->clipped[i] / levels->scale;
			mean += scaled[i] / 12;
		}
		for (guint i = 0; i < 12; i++)
			squares += (scaled[i] - mean) * (scaled[i] - mean);
		assert_near(levels->gain, squares - least_cost(scaled, 12, 4), 1e-6);
	}
}

static void an_outlier_is_pulled_in_and_three_values_stay(void **state)
{
	(void)state;
	double values[] = {0, 1, 0, 1, 90, 1, 0, 1, 0, 50, 51, 50, 1, 0, 1, 0};
	g_autoptr(Levels) levels = levels_new(values, G_N_ELEMENTS(values), 20);
	assert_near(levels->clipped[4], 1 + LEVEL_CLIP * levels->scale, 1e-9);
	assert_near(levels->clipped[10], 51, 1e-9);
	assert_int_equal(levels->ends->len, 3);
}

static void the_scale_of_normal_noise_is_its_deviation(void **state)
{
	Draws draws = {12};
	double values[4000];
	(void)state;
	for (guint i = 0; i < 4000; i++)
		values[i] = 5 * draw_normal(&draws) + (i < 2000 ? 0 : 1000);
	assert_near(level_scale(values, 4000), 5, .4);
}

static void values_that_wander_have_the_scale_of_their_walk(void **state)
{
	Draws draws = {13};
	double values[4000] = {0};
	(void)state;
	for (guint i = 1; i < 4000; i++)
		values[i] = values[i - 1] + draw_normal(&draws);
	assert_true(level_scale(values, 4000) > 1.5);
	g_autoptr(Levels) levels = levels_new(values, 4000, 1e9);
	assert_true(levels_memory(levels) > .9);
}

static void a_constant_has_one_level(void **state)
{
	const double values[] = {3, 3, 3, 3, 3, 3};
	(void)state;
	for (guint n = 0; n <= 6; n++) {
		g_autoptr(Levels) levels = levels_new(values, n, 5);
		assert_int_equal(levels->ends->len, 1);
		assert_near(levels->gain, 0, 0);
		assert_near(levels->scale, 0, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_levels_are_the_best_of_all_divisions),
	        cmocka_unit_test(an_outlier_is_pulled_in_and_three_values_stay),
	        cmocka_unit_test(the_scale_of_normal_noise_is_its_deviation),
	        cmocka_unit_test(values_that_wander_have_the_scale_of_their_walk),
	        cmocka_unit_test(a_constant_has_one_level),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
