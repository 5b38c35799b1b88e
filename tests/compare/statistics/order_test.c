/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static void the_median_needs_no_order(void **state)
{
	const double odd[] = {9, -1, 4}, even[] = {8, 1, 2, 3};
	(void)state;
	assert_near(order_median(odd, 3), 4, 0);
	assert_near(order_median(even, 4), 2.5, 0);
	assert_near(odd[0], 9, 0); /* only read */
}

static void the_median_of_nothing_is_not_a_number(void **state)
{
	(void)state;
	assert_true(isnan(order_median(NULL, 0)));
}

static void the_median_of_large_values_is_finite(void **state)
{
	(void)state;
	const double large[] = {1e308, 1.5e308}, opposed[] = {-1e308, 1e308}, tiny[] = {5e-324, 5e-324};
	assert_near(order_median(large, 2), 1.25e308, 1e293);
	assert_near(order_median(opposed, 2), 0, 0);
	assert_true(order_median(tiny, 2) > 0);
}

static void infinite_values_sort_to_the_ends(void **state)
{
	double values[] = {INFINITY, 0, -INFINITY};
	(void)state;
	qsort(values, 3, sizeof(double), order_compare);
	assert_true(values[0] < 0 && isinf(values[0]));
	assert_near(values[1], 0, 0);
	assert_true(values[2] > 0 && isinf(values[2]));
}

static void selecting_finds_what_sorting_finds(void **state)
{
	guint64 generator = 1;
	(void)state;
	for (guint n = 1; n < 60; n++)
		for (guint index = 0; index < n; index++) {
			double values[60], sorted[60];
			for (guint i = 0; i < n; i++) {
				generator = generator * 6364136223846793005ULL + 1442695040888963407ULL;
				values[i] = sorted[i] = (double)(generator >> 59) - 16; /* many are equal */
			}
			qsort(sorted, n, sizeof(double), order_compare);
			assert_near(order_select(values, n, index), sorted[index], 0);
			qsort(values, n, sizeof(double), order_compare);
			assert_memory_equal(values, sorted, n * sizeof(double)); /* nothing is lost */
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_median_needs_no_order),
	        cmocka_unit_test(the_median_of_nothing_is_not_a_number),
	        cmocka_unit_test(the_median_of_large_values_is_finite),
	        cmocka_unit_test(infinite_values_sort_to_the_ends),
	        cmocka_unit_test(selecting_finds_what_sorting_finds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
