/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static void the_incomplete_beta_function_has_its_known_values(void **state)
{
	(void)state;
	assert_near(incomplete_beta(2, 3, .5), .6875, 1e-12);
	assert_near(incomplete_beta(.5, 5, .2), .8550723946, 1e-9);
	assert_near(incomplete_beta(2, 3, 0), 0, 0);
	assert_near(incomplete_beta(2, 3, 1), 1, 0);
}

static void the_tails_of_student_t_are_the_known_ones(void **state)
{
	(void)state;
	assert_near(student_upper_tail(2, 7), .04280966428, 1e-10);
	assert_near(student_upper_tail(3, 17), .004027348405, 1e-11);
	assert_near(student_upper_tail(0, 9), .5, 1e-12);
	assert_near(student_upper_tail(-2, 7), 1 - .04280966428, 1e-10);
}

static void the_quantiles_of_student_t_are_the_tabulated_ones(void **state)
{
	static const double df[] = {7, 9, 11, 15, 17, 19, 27};
	static const double p[] = {.2, .05, .025, .01};
	static const double wanted[4][7] = {
	        {.89603, .88340, .87553, .86624, .86328, .86095, .85514},
	        {1.89458, 1.83311, 1.79588, 1.75305, 1.73961, 1.72913, 1.70329},
	        {2.36462, 2.26216, 2.20099, 2.13145, 2.10982, 2.09302, 2.05183},
	        {2.99795, 2.82144, 2.71808, 2.60248, 2.56693, 2.53948, 2.47266},
	};
	(void)state;
	for (guint i = 0; i < 4; i++)
		for (guint j = 0; j < 7; j++)
			assert_near(student_upper_quantile(p[i], df[j]), wanted[i][j], 6e-6);
	assert_near(student_upper_quantile(.025, 5), 2.57058, 6e-6);
	assert_near(student_upper_quantile(.025, 13), 2.16037, 6e-6);
}

static void a_quantile_is_the_inverse_of_the_tail(void **state)
{
	(void)state;
	for (double df = 1; df < 200; df *= 3)
		for (double p = .001; p < .5; p *= 2)
			assert_near(student_upper_tail(student_upper_quantile(p, df), df), p, 1e-9);
}

/* Heavy tails have quantiles far away: that of one degree of freedom is a cotangent. */
static void far_quantiles_are_found(void **state)
{
	(void)state;
	for (double p = .4; p > 1e-12; p /= 7)
		assert_near(student_upper_quantile(p, 1) * tan(G_PI * p), 1, 1e-7);
	assert_near(student_upper_quantile(.5, 3), 0, 0);
}

static void the_quantiles_of_the_normal_distribution_are_the_tabulated_ones(void **state)
{
	(void)state;
	assert_near(normal_upper_quantile(.5), 0, 0);
	assert_near(normal_upper_quantile(.2), .8416212336, 1e-9);
	assert_near(normal_upper_quantile(.025), 1.959963985, 1e-9);
	assert_near(normal_upper_quantile(1e-9), 5.997807015, 1e-8);
	assert_near(student_upper_quantile(.01, 1e5), normal_upper_quantile(.01), 1e-4);
}

static void what_is_not_a_number_stays_so(void **state)
{
	(void)state;
	assert_true(isnan(incomplete_beta(1, 1, NAN)));
	assert_true(isnan(student_upper_tail(NAN, 3)));
	assert_true(isnan(student_upper_quantile(NAN, 3)));
	assert_true(isnan(student_upper_quantile(.05, NAN)));
	assert_true(isnan(normal_upper_quantile(NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_incomplete_beta_function_has_its_known_values),
	        cmocka_unit_test(the_tails_of_student_t_are_the_known_ones),
	        cmocka_unit_test(the_quantiles_of_student_t_are_the_tabulated_ones),
	        cmocka_unit_test(a_quantile_is_the_inverse_of_the_tail),
	        cmocka_unit_test(far_quantiles_are_found),
	        cmocka_unit_test(the_quantiles_of_the_normal_distribution_are_the_tabulated_ones),
	        cmocka_unit_test(what_is_not_a_number_stays_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
