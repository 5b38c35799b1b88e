#include "compare/order.h"

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

static void infinite_values_sort_to_the_ends(void **state)
{
	double values[] = {INFINITY, 0, -INFINITY};
	(void)state;
	qsort(values, 3, sizeof(double), order_compare);
	assert_true(values[0] < 0 && isinf(values[0]));
	assert_near(values[1], 0, 0);
	assert_true(values[2] > 0 && isinf(values[2]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_median_needs_no_order),
	        cmocka_unit_test(the_median_of_nothing_is_not_a_number),
	        cmocka_unit_test(infinite_values_sort_to_the_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
