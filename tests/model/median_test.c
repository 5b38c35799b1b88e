/* SPDX-License-Identifier: Apache-2.0 */
/* The median of a few numbers. */
#include "model/median.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double median_of_values(const double *values, guint n)
{
	g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(array, values, n);
	return median_of(array);
}

static void median_is_the_middle_value_or_the_mean_of_two(void **state)
{
	(void)state;
	assert_true(median_of_values((const double[]){3, 1, 100}, 3) == 3);
	assert_true(median_of_values((const double[]){3, 1, 100, 5}, 4) == 4);
}

static void median_leaves_out_what_is_no_number(void **state)
{
	(void)state;
	assert_true(median_of_values((const double[]){NAN, 1, INFINITY, 2, 9}, 5) == 2);
}

static void median_of_nothing_is_no_number(void **state)
{
	(void)state;
	assert_true(isnan(median_of_values((const double[]){NAN}, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(median_is_the_middle_value_or_the_mean_of_two),
	        cmocka_unit_test(median_leaves_out_what_is_no_number),
	        cmocka_unit_test(median_of_nothing_is_no_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
