/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/fliptest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/functions/functions.h"
#include "compare/statistics/special.h"
#include "tests/compare/near.h"

/* Three functions, six rounds; counts are sample equivalents already. [function * rounds + round] */
static const double base[] = {100, 98, 103, 101, 99, 102, 50, 55, 47, 52, 49, 51, 10, 12, 9, 11, 8, 13};
static const double head[] = {101, 99, 100, 104, 97, 103, 66, 70, 62, 71, 65, 68, 9, 12, 11, 10, 9, 11};

static FlipInput example(void)
{
	FlipInput input = {.functions = 3, .rounds = 6, .base = base, .head = head};
	input.phi = flip_dispersion(&input);
	return input;
}

static void the_example_has_its_known_moments(void **state)
{
	static const double s1[] = {201.1666667, 117.6666667, 20.83333333}, s2[] = {25, 1612, 11},
	                    ratio[] = {.02071251036, 2.283286119, .088}, v0[] = {20.82666667, 12.18196078, 2.156862745};
	(void)state;
	FlipInput input = example();
	assert_near(input.phi, .1035294118, 1e-10);
	g_autoptr(FlipTest) test = flip_test_new(&input);
	assert_int_equal(test->flips, 64);
	for (guint f = 0; f < 3; f++) {
		assert_near(test->s1[f], s1[f], 1e-7);
		assert_near(test->s2[f], s2[f], 0);
		assert_near(test->s2[f] / 6 / test->s1[f], ratio[f], 1e-9);
		assert_near(test->v0[f], v0[f], 1e-8);
	}
}

static void the_example_has_its_known_statistics_and_p_values(void **state)
{
	static const double t[] = {.1063829787, 13.83023613, -.2777370534}, up[] = {.90625, .015625, .90625},
	                    down[] = {.890625, 1, .890625};
	(void)state;
	FlipInput input = example();
	g_autoptr(FlipTest) test = flip_test_new(&input);
	for (guint f = 0; f < 3; f++) {
		assert_near(test->t[f], t[f], 6e-9);
		assert_near(test->p_adjusted[f], up[f], 0);
		assert_near(test->p_adjusted_improvement[f], down[f], 0);
	}
	assert_near(test->multiplier, 3.266788086, 1e-9);
}

/* The single-step p-value compares every function with the maximum over all of them. */
static void single_step_p_values_of_the_example_are_the_known_ones(void **state)
{
	static const double wanted[] = {.9375, .015625, 1};
	guint reached[3] = {0};
	(void)state;
	FlipInput input = example();
	g_autoptr(FlipTest) test = flip_test_new(&input);
	for (guint64 signs = 0; signs < 64; signs++) {
		double t[3];
		flip_test_statistics(test, &signs, t);
		double largest = MAX(t[0], MAX(t[1], t[2]));
		for (guint f = 0; f < 3; f++)
			reached[f] += largest >= test->t[f] - 1e-9;
	}
	for (guint f = 0; f < 3; f++) {
		assert_near(reached[f] / 64.0, wanted[f], 0);
		assert_true(test->p_value[f] <= test->p_adjusted[f]);
		assert_true(test->p_adjusted[f] <= wanted[f]);
	}
}

static void intervals_and_resolution_of_the_example_are_the_known_ones(void **state)
{
	static const double contribution[] = {.1030927835, 10.10309278, -.1030927835},
	                    half[] = {2.093553131, 1.57816575, .8019038707},
	                    change[] = {.1658374793, 32.23684211, -1.587301587},
	                    mde[] = {7.544941957, 11.28153665, 27.6611982};
	double total = 0, per_function[3] = {0};
	(void)state;
	for (guint i = 0; i < 18; i++) {
		total += base[i] / 6;
		per_function[i / 6] += base[i] / 6;
	}
	FlipInput input = example();
	g_autoptr(FlipTest) test = flip_test_new(&input);
	for (guint f = 0; f < 3; f++) {
		assert_near(100 * test->mean[f] / total, contribution[f], 1e-8);
		assert_near(100 * student_upper_quantile(.025, 13) * test->se[f] / total, half[f], 1e-8);
		assert_near(100 * test->mean[f] / per_function[f], change[f], 1e-8);
		assert_near(100 * 4.84 * test->se[f] / per_function[f], mde[f], 1e-7);
	}
}

static void the_share_of_the_change_of_the_example_is_the_known_one(void **state)
{
	double function[6], total[6];
	(void)state;
	for (guint i = 0; i < 6; i++) {
		function[i] = head[6 + i] - base[6 + i];
		total[i] = function[i] + head[i] - base[i] + head[12 + i] - base[12 + i];
	}
	ChangeShare share = change_share(function, total, 6);
	assert_near(share.share, 1, 1e-12);
	assert_near(share.lower, .9279932906, 1e-9);
	assert_near(share.upper, 1.094006213, 1e-9);
	/* The first function's own differences stand for a total that did not change. */
	double noise[6];
	for (guint i = 0; i < 6; i++)
		noise[i] = head[i] - base[i];
	assert_true(isnan(change_share(function, noise, 6).share));
	assert_true(isnan(change_share(function, total, 1).share));
}

static void swapped_sides_swap_the_directions(void **state)
{
	(void)state;
	FlipInput input = example(), swapped = example();
	swapped.base = head;
	swapped.head = base;
	g_autoptr(FlipTest) test = flip_test_new(&input);
	g_autoptr(FlipTest) mirror = flip_test_new(&swapped);
	for (guint f = 0; f < 3; f++) {
		assert_near(mirror->t[f], -test->t[f], 0);
		assert_near(mirror->p_adjusted[f], test->p_adjusted_improvement[f], 0);
		assert_near(mirror->p_value[f], test->p_value_improvement[f], 0);
	}
	assert_near(mirror->multiplier, test->multiplier, 0);
}

static void identical_sides_have_no_evidence(void **state)
{
	(void)state;
	FlipInput input = example();
	input.head = base;
	g_autoptr(FlipTest) test = flip_test_new(&input);
	for (guint f = 0; f < 3; f++) {
		assert_near(test->t[f], 0, 0);
		assert_near(test->p_adjusted[f], 1, 0);
		assert_near(test->p_adjusted_improvement[f], 1, 0);
	}
}

static void dispersion_has_a_floor_and_a_default(void **state)
{
	const double few[] = {1, 0, 1}, none[] = {0, 1, 0}, steady[] = {500, 501, 500};
	(void)state;
	FlipInput small = {.functions = 1, .rounds = 3, .base = few, .head = none};
	assert_near(flip_dispersion(&small), 1 / .85, 1e-15);
	FlipInput counted = {.functions = 1, .rounds = 3, .base = steady, .head = steady};
	assert_near(flip_dispersion(&counted), .1, 0);
	FlipInput nothing = {.functions = 0, .rounds = 3};
	assert_near(flip_dispersion(&nothing), 1 / .85, 1e-15);
}

static void the_median_dispersion_of_two_functions_is_their_mean(void **state)
{
	const double b[] = {10, 10, 10, 10}, h[] = {20, 20, 40, 40}; /* ratios 100/30 and 900/50 */
	(void)state;
	FlipInput input = {.functions = 2, .rounds = 2, .base = b, .head = h};
	assert_near(flip_dispersion(&input), (100 / 30.0 + 900 / 50.0) / 2 / .85, 1e-12);
}

static void a_family_of_nothing_is_fine(void **state)
{
	(void)state;
	FlipInput input = {.functions = 0, .rounds = 3, .phi = 1};
	g_autoptr(FlipTest) test = flip_test_new(&input);
	assert_int_equal(test->functions, 0);
	assert_near(test->multiplier, 0, 0);
}

static void the_smallest_p_value_depends_on_the_rounds_alone(void **state)
{
	(void)state;
	for (guint k = 3; k <= 10; k++) {
		double b[20] = {0}, h[20] = {0};
		for (guint i = 0; i < 2 * k; i++) {
			b[i] = 1000 + i % 3;
			h[i] = i < k ? 2000 + i % 2 : b[i];
		}
		FlipInput input = {.functions = 2, .rounds = k, .base = b, .head = h, .phi = 1};
		g_autoptr(FlipTest) test = flip_test_new(&input);
		assert_near(test->p_adjusted[0], ldexp(1, -(int)k), 0);
	}
}

/* More than 14 rounds: drawn sign vectors, the same in every run. */
static void many_rounds_use_the_same_drawn_vectors_every_time(void **state)
{
	double b[40], h[40];
	(void)state;
	for (guint i = 0; i < 40; i++) {
		b[i] = 100 + i * 7 % 5;
		h[i] = 101 + i * 3 % 7;
	}
	FlipInput input = {.functions = 2, .rounds = 20, .base = b, .head = h, .phi = 1};
	g_autoptr(FlipTest) test = flip_test_new(&input);
	g_autoptr(FlipTest) again = flip_test_new(&input);
	assert_int_equal(test->flips, FLIP_DRAWN);
	assert_memory_equal(test->p_adjusted, again->p_adjusted, 2 * sizeof(double));
	assert_true(test->p_adjusted[0] >= 1.0 / FLIP_DRAWN && test->p_adjusted[0] < .2);
	assert_memory_equal(&test->multiplier, &again->multiplier, sizeof(double));
}

static void a_clear_effect_gets_the_smallest_p_of_the_drawn_vectors(void **state)
{
	double b[70], h[70];
	(void)state;
	for (guint i = 0; i < 70; i++) {
		b[i] = 100 + i % 3;
		h[i] = 200 + i % 5;
	}
	FlipInput input = {.functions = 1, .rounds = 70, .base = b, .head = h, .phi = 1};
	g_autoptr(FlipTest) test = flip_test_new(&input);
	assert_near(test->p_adjusted[0], 1.0 / FLIP_DRAWN, 0);
}

static void a_margin_makes_the_test_stricter(void **state)
{
	const double margins[] = {5, 5, 5}, huge[] = {50, 50, 50};
	(void)state;
	FlipInput input = example();
	g_autoptr(FlipTest) plain = flip_test_new(&input);
	input.margins = margins;
	g_autoptr(FlipTest) strict = flip_test_new(&input);
	input.margins = huge;
	g_autoptr(FlipTest) beyond = flip_test_new(&input);
	for (guint f = 0; f < 3; f++)
		assert_true(strict->p_value[f] >= plain->p_value[f]);
	assert_near(strict->p_adjusted[1], .015625, 0); /* 16 samples more is still beyond 5 */
	assert_near(beyond->p_adjusted[1], 1, 0);
}

static void a_margin_counts_for_a_function_that_did_not_move(void **state)
{
	const double b[] = {10, 12, 10, 12}, h[] = {12, 10, 12, 10}, margin = 3;
	(void)state;
	FlipInput input = {.functions = 1, .rounds = 4, .base = b, .head = h, .phi = 1, .margins = &margin};
	g_autoptr(FlipTest) test = flip_test_new(&input);
	assert_near(test->mean[0], 0, 0);
	assert_near(test->p_value[0], 1, 0); /* no vector gets as far below it */
	assert_near(test->p_value_improvement[0], 1, 0);
}

/* Counts of three functions that tie often. */
static void fill_counts(double *b, double *h, guint rounds)
{
	guint64 state = 3;
	for (guint i = 0; i < 3 * rounds; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		b[i] = 20 + (state >> 60);
		h[i] = 20 + (state >> 56 & 15) + (i < rounds ? 4 : 0);
	}
}

static void plain_count(const FlipTest *test, const SignVectors *signs, guint *reached, guint *reached_by)
{
	for (guint vector = 0; vector < signs->vectors; vector++) {
		guint64 bits = 0;
		double t[3];
		for (guint i = 0; i < signs->rounds; i++)
			bits |= (guint64)sign_vectors_is_minus(signs, vector, i) << i;
		flip_test_statistics(test, &bits, t);
		for (guint f = 0; f < 3; f++) {
			double largest = t[f];
			for (guint g = 0; g < 3; g++)
				if (test->t[g] < test->t[f])
					largest = MAX(largest, t[g]);
			double slack = 1e-9 * MAX(1, fabs(test->t[f]));
			reached[f] += t[f] >= test->t[f] - slack;
			reached_by[f] += largest >= test->t[f] - slack;
		}
	}
}

/* Whatever is done to be fast, the p-values are those of the definition, ties included. */
static void p_values_are_those_of_a_plain_count(void **state)
{
	static const guint rounds[] = {1, 2, 7, 8, 9, 12, 14, 15, 20};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rounds); i++) {
		double b[60], h[60], previous = 0;
		guint reached[3] = {0}, reached_by[3] = {0};
		fill_counts(b, h, rounds[i]);
		FlipInput input = {.functions = 3, .rounds = rounds[i], .base = b, .head = h, .phi = 1};
		g_autoptr(FlipTest) test = flip_test_new(&input);
		g_autoptr(SignVectors) signs = sign_vectors_new(rounds[i]);
		plain_count(test, signs, reached, reached_by);
		for (guint f = 0; f < 3; f++)
			assert_near(test->p_value[f], (double)reached[f] / signs->vectors, 0);
		for (guint done = 0; done < 3; done++) {
			guint next = 3;
			for (guint f = 0; f < 3; f++)
				if (reached_by[f] != G_MAXUINT && (next == 3 || test->t[f] > test->t[next]))
					next = f;
			previous = MAX(previous, (double)reached_by[next] / signs->vectors);
			assert_near(test->p_adjusted[next], previous, 0);
			reached_by[next] = G_MAXUINT;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_example_has_its_known_moments),
	        cmocka_unit_test(the_example_has_its_known_statistics_and_p_values),
	        cmocka_unit_test(single_step_p_values_of_the_example_are_the_known_ones),
	        cmocka_unit_test(intervals_and_resolution_of_the_example_are_the_known_ones),
	        cmocka_unit_test(the_share_of_the_change_of_the_example_is_the_known_one),
	        cmocka_unit_test(swapped_sides_swap_the_directions),
	        cmocka_unit_test(identical_sides_have_no_evidence),
	        cmocka_unit_test(dispersion_has_a_floor_and_a_default),
	        cmocka_unit_test(the_median_dispersion_of_two_functions_is_their_mean),
	        cmocka_unit_test(a_family_of_nothing_is_fine),
	        cmocka_unit_test(the_smallest_p_value_depends_on_the_rounds_alone),
	        cmocka_unit_test(many_rounds_use_the_same_drawn_vectors_every_time),
	        cmocka_unit_test(a_clear_effect_gets_the_smallest_p_of_the_drawn_vectors),
	        cmocka_unit_test(a_margin_makes_the_test_stricter),
	        cmocka_unit_test(a_margin_counts_for_a_function_that_did_not_move),
	        cmocka_unit_test(p_values_are_those_of_a_plain_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
