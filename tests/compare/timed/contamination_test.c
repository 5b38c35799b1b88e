/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/contamination.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

enum { ROUNDS = 8 };

/* A yardstick of about 20 ms, of which head's runs take `change` more, and a scatter of some per mille. */
static void fill(double *base, double *head, double change, double scatter)
{
	for (guint i = 0; i < ROUNDS; i++) {
		base[i] = 20e6 * (1 + .01 * (i % 3));
		head[i] = base[i] * (1 + change) * (1 + scatter * ((double)(i * 5 % 8) - 3.5) / 3.5);
	}
}

static void a_yardstick_that_stays_shows_nothing(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	fill(base, head, 0, .003);
	Contamination c = contamination_judge(base, head, ROUNDS, .02);
	assert_false(c.contaminated);
	assert_int_equal(c.rounds, ROUNDS);
	assert_near(c.change_ratio, 1, .002);
	assert_true(c.lower_ratio < 1 && c.upper_ratio > 1);
}

static void a_certain_drift_beyond_the_margin_contaminates_in_either_direction(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	for (double change = -.04; change < .05; change += .08) {
		fill(base, head, change, .003);
		Contamination c = contamination_judge(base, head, ROUNDS, .02);
		assert_true(c.contaminated);
		assert_near(c.change_ratio, 1 + change, .002);
		Contamination mirrored = contamination_judge(head, base, ROUNDS, .02);
		assert_true(mirrored.contaminated);
		assert_near(mirrored.change_ratio * c.change_ratio, 1, 1e-12);
		assert_near(mirrored.lower_ratio * c.upper_ratio, 1, 1e-12);
	}
}

static void a_certain_drift_within_the_margin_does_not(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	fill(base, head, .015, .001);
	Contamination c = contamination_judge(base, head, ROUNDS, .02);
	assert_true(c.lower_ratio > 1);
	assert_false(c.contaminated);
}

static void a_large_drift_that_may_be_chance_does_not(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	fill(base, head, .04, .2);
	Contamination c = contamination_judge(base, head, ROUNDS, .02);
	assert_true(c.change_ratio > 1.02);
	assert_true(c.lower_ratio < 1);
	assert_false(c.contaminated);
}

/* 2^-6 is above .01, 2^-7 is not. */
static void fewer_than_seven_rounds_can_show_nothing(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	fill(base, head, .5, .001);
	Contamination six = contamination_judge(base, head, CONTAMINATION_MIN_ROUNDS - 1, .02);
	Contamination seven = contamination_judge(base, head, CONTAMINATION_MIN_ROUNDS, .02);
	assert_false(six.contaminated);
	assert_near(six.lower_ratio, 0, 0);
	assert_true(isinf(six.upper_ratio));
	assert_near(six.change_ratio, 1.5, .002);
	assert_true(seven.contaminated);
}

static void rounds_in_which_it_did_not_run_do_not_count(void **state)
{
	static const double missing[] = {NAN, INFINITY, 0, -1};
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(missing); i++)
		for (guint side = 0; side < 2; side++) {
			fill(base, head, .04, .003);
			(side == 0 ? base : head)[3] = missing[i];
			Contamination c = contamination_judge(base, head, ROUNDS, .02);
			assert_int_equal(c.rounds, ROUNDS - 1);
			assert_true(c.contaminated);
			assert_near(c.change_ratio, 1.04, .003);
		}
}

static void no_round_is_no_contamination(void **state)
{
	const double nothing[] = {NAN, NAN};
	(void)state;
	Contamination none = contamination_judge(NULL, NULL, 0, .02);
	Contamination failed = contamination_judge(nothing, nothing, 2, .02);
	assert_false(none.contaminated);
	assert_true(isnan(none.change_ratio));
	assert_int_equal(failed.rounds, 0);
	assert_true(isnan(failed.change_ratio));
	assert_false(failed.contaminated);
}

static void a_large_fall_that_may_be_chance_does_not_contaminate(void **state)
{
	double base[ROUNDS], head[ROUNDS];
	(void)state;
	fill(base, head, .04, .2);
	Contamination c = contamination_judge(head, base, ROUNDS, .02);
	assert_true(c.change_ratio < 1 / 1.02);
	assert_true(c.upper_ratio > 1);
	assert_false(c.contaminated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_yardstick_that_stays_shows_nothing),
	        cmocka_unit_test(a_certain_drift_beyond_the_margin_contaminates_in_either_direction),
	        cmocka_unit_test(a_certain_drift_within_the_margin_does_not),
	        cmocka_unit_test(a_large_drift_that_may_be_chance_does_not),
	        cmocka_unit_test(fewer_than_seven_rounds_can_show_nothing),
	        cmocka_unit_test(rounds_in_which_it_did_not_run_do_not_count),
	        cmocka_unit_test(no_round_is_no_contamination),
	        cmocka_unit_test(a_large_fall_that_may_be_chance_does_not_contaminate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
