/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/ramps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static void a_straight_line_is_fitted_exactly(void **state)
{
	double values[30];
	(void)state;
	for (guint i = 0; i < 30; i++)
		values[i] = 7 + 2. * i;
	Ramp ramp = ramp_fit(values, 30, 15);
	assert_near(ramp.squares, 0, 1e-6);
	assert_int_equal(ramp.begin, 0);
	assert_int_equal(ramp.end, 29);
	assert_near(ramp.before, 7, 1e-9);
	assert_near(ramp.after, 65, 1e-9);
}

static void a_step_is_the_shortest_ramp(void **state)
{
	double values[20];
	(void)state;
	for (guint i = 0; i < 20; i++)
		values[i] = i < 8 ? 1 : 3;
	Ramp ramp = ramp_fit(values, 20, 8);
	assert_int_equal(ramp.begin, 7);
	assert_int_equal(ramp.end, 8);
	assert_near(ramp.squares, 0, 1e-9);
	assert_near(ramp_step_squares(values, 20, 8), 0, 1e-12);
	assert_near(ramp_step_squares(values, 20, 10), 2 * 4 - 2. * 2 * 2 * 2 / 10, 1e-9);
}

/* From 12 to 24 with both ends among the places tried. */
static void level_ends_are_not_part_of_the_ramp(void **state)
{
	double values[36];
	(void)state;
	for (guint i = 0; i < 36; i++)
		values[i] = CLAMP((int)i - 11, 0, 13);
	Ramp ramp = ramp_fit(values, 36, 18);
	assert_in_range(ramp.begin, 10, 12);
	assert_in_range(ramp.end, 23, 25);
	assert_near(ramp.after - ramp.before, 13, .5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_straight_line_is_fitted_exactly),
	        cmocka_unit_test(a_step_is_the_shortest_ramp),
	        cmocka_unit_test(level_ends_are_not_part_of_the_ramp),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
