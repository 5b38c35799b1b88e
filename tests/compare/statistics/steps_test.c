/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

/* Told to be at 6, it is at 5. */
static void a_step_is_put_where_its_values_say(void **state)
{
	const double values[] = {0, 1, 0, 1, 0, 20, 21, 20, 21, 20};
	(void)state;
	StepPlace place = step_place(values, 10, 6, 1);
	assert_int_equal(place.index, 5);
	assert_int_equal(place.earliest, 5);
	assert_int_equal(place.latest, 5);
}

static void values_between_the_levels_belong_to_either(void **state)
{
	const double values[] = {0, 1, 0, 1, 0, 10, 10, 20, 21, 20, 21, 20};
	(void)state;
	StepPlace place = step_place(values, 12, 6, 3);
	assert_int_equal(place.earliest, 5);
	assert_int_equal(place.latest, 7);
}

static void values_without_noise_keep_their_place(void **state)
{
	const double values[] = {1, 1, 2, 2};
	(void)state;
	assert_int_equal(step_place(values, 4, 2, 0).index, 2);
}

/* Of 5 and 40 values 2 of 1,221,759 arrangements are as clear. */
static void the_chance_is_at_least_that_of_counting(void **state)
{
	double values[45];
	(void)state;
	for (guint i = 0; i < 45; i++)
		values[i] = i < 5 ? i : 100 + i;
	double p = step_rank_p(values, 45, 5);
	assert_true(p >= 2. / 1221759 * (1 - 1e-9) && p < 1e-5);
	assert_near(step_rank_p((double[]){1, 2, 1, 2, 1, 2, 1, 2}, 8, 4), 1, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_step_is_put_where_its_values_say),
	        cmocka_unit_test(values_between_the_levels_belong_to_either),
	        cmocka_unit_test(values_without_noise_keep_their_place),
	        cmocka_unit_test(the_chance_is_at_least_that_of_counting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
