/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/statistics/signedrank.h"
#include "tests/compare/near.h"

static void looks_and_critical_values_follow_the_number_of_endpoints(void **state)
{
	static const guint rows[][7] = {
	        {1, 8, 12, 20, 1, 6, 34},
	        {2, 9, 13, 21, 1, 6, 34},
	        {3, 10, 14, 22, 1, 7, 36},
	        {4, 10, 14, 22, 1, 6, 34},
	        {5, 11, 15, 23, 1, 8, 37},
	        {8, 11, 15, 23, 1, 6, 34},
	        {10, 12, 16, 24, 1, 8, 37},
	        {16, 12, 16, 24, 1, 6, 34},
	        {32, 13, 17, 25, 1, 6, 33},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		LookPlan plan = look_plan_sequential(rows[i][0]);
		assert_int_equal(plan.n, 3);
		for (guint j = 0; j < 3; j++) {
			assert_int_equal(plan.rounds[j], rows[i][1 + j]);
			assert_int_equal(signed_rank_critical(plan.rounds[j], plan.alpha_fail[j]), rows[i][4 + j]);
		}
	}
}

static void the_levels_of_one_endpoint_are_the_documented_ones(void **state)
{
	static const guint pass[] = {4, 12, 48};
	(void)state;
	LookPlan plan = look_plan_sequential(1);
	assert_near(plan.alpha_fail[0], .004, 0);
	assert_near(plan.alpha_fail[1], .003, 0);
	assert_near(look_plan_alpha(&plan), LOOKS_ALPHA, 1e-15);
	for (guint j = 0; j < 3; j++)
		assert_int_equal(signed_rank_critical(plan.rounds[j], plan.alpha_pass[j]), pass[j]);
}

static void pass_levels_are_not_divided_and_fail_levels_are(void **state)
{
	(void)state;
	LookPlan one = look_plan_sequential(1), ten = look_plan_sequential(10);
	assert_near(ten.alpha_pass[0], one.alpha_pass[0], 0);
	assert_near(ten.alpha_fail[0], one.alpha_fail[0] / 10, 1e-18);
	assert_near(look_plan_fixed(10, 4).alpha_fail[0], .0025, 1e-18);
	assert_near(look_plan_fixed(10, 4).alpha_pass[0], .05, 0);
}

static void no_endpoint_counts_as_one(void **state)
{
	(void)state;
	assert_int_equal(look_plan_sequential(0).rounds[0], 8);
	assert_near(look_plan_fixed(10, 0).alpha_fail[0], .01, 0);
}

static void a_level_needs_a_smallest_number_of_rounds(void **state)
{
	(void)state;
	assert_int_equal(look_rounds_possible(.05), 5);
	assert_int_equal(look_rounds_possible(.01), 7);
	assert_int_equal(look_rounds_possible(.004), 8);
	assert_int_equal(look_rounds_possible(.001), 10);
	assert_int_equal(look_rounds_possible(1.0 / 256), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(looks_and_critical_values_follow_the_number_of_endpoints),
	        cmocka_unit_test(the_levels_of_one_endpoint_are_the_documented_ones),
	        cmocka_unit_test(pass_levels_are_not_divided_and_fail_levels_are),
	        cmocka_unit_test(no_endpoint_counts_as_one),
	        cmocka_unit_test(a_level_needs_a_smallest_number_of_rounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
