/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/signedrank.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"

static const double base[] = {1.002, .998, 1.051, 1.004, .997, 1.010, 1.003, .999, 1.020, 1.001};
static const double head[] = {1.041, 1.046, 1.080, 1.049, 1.030, 1.062, 1.044, 1.039, 1.050, 1.047};

static void log_ratios(double *d)
{
	for (guint i = 0; i < 10; i++)
		d[i] = log(head[i] / base[i]);
}

static void the_null_distribution_of_five_rounds_is_the_known_one(void **state)
{
	static const double counts[] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1};
	(void)state;
	g_autoptr(GArray) null = signed_rank_null(5);
	assert_int_equal(null->len, 16);
	for (guint s = 0; s < 16; s++)
		assert_near(g_array_index(null, double, s) * 32, counts[s], 0);
}

static void tails_are_exact(void **state)
{
	(void)state;
	/* By symmetry P(W+ <= 3) = P(W+ >= 36 - 3). */
	assert_near(signed_rank_upper_tail(8, 33), .01953125, 0);
	assert_near(signed_rank_upper_tail(10, 55), .0009765625, 0);
	assert_near(signed_rank_upper_tail(10, 44), .052734375, 0);
	assert_near(signed_rank_upper_tail(10, 0), 1, 0);
	assert_near(signed_rank_upper_tail(10, 56), 0, 0);
}

static void the_distribution_adds_up_to_one_for_many_rounds(void **state)
{
	(void)state;
	assert_near(signed_rank_upper_tail(62, 0), 1, 1e-12);
	assert_near(signed_rank_upper_tail(150, 0), 1, 1e-12);
	assert_near(signed_rank_upper_tail(62, 977), .5, 1e-9); /* the sum 1953 is odd: no middle value */
}

static void critical_values_are_the_tabulated_ones(void **state)
{
	static const double alpha[] = {.05, .025, .02, .015, .01, .005, .004, .003, .001};
	static const guint table[10][10] = {
	        {5, 1, 0, 0, 0, 0, 0, 0, 0, 0},
	        {6, 3, 1, 1, 0, 0, 0, 0, 0, 0},
	        {7, 4, 3, 2, 1, 1, 0, 0, 0, 0},
	        {8, 6, 4, 4, 3, 2, 1, 1, 0, 0},
	        {9, 9, 6, 6, 5, 4, 2, 2, 1, 0},
	        {10, 11, 9, 8, 7, 6, 4, 3, 3, 1},
	        {12, 18, 14, 13, 12, 10, 8, 7, 6, 3},
	        {14, 26, 22, 20, 19, 16, 13, 12, 11, 7},
	        {16, 36, 30, 29, 27, 24, 20, 19, 17, 12},
	        {20, 61, 53, 51, 48, 44, 38, 36, 34, 27},
	};
	(void)state;
	for (guint row = 0; row < 10; row++)
		for (guint i = 0; i < 9; i++)
			assert_int_equal(signed_rank_critical(table[row][0], alpha[i]), table[row][i + 1]);
}

static void a_level_equal_to_a_probability_is_reached(void **state)
{
	(void)state;
	assert_int_equal(signed_rank_critical(8, 1.0 / 256), 1);
	assert_int_equal(signed_rank_critical(8, 1.0 / 256 - 1e-9), 0);
	assert_int_equal(signed_rank_critical(8, NAN), 0);
}

static double percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

static void log_ratios_of_the_example_are_the_known_ones(void **state)
{
	static const double wanted[] = {.03818378697, .04697536831, .02721894924, .04384530814, .03256331126,
	        .05020359197, .04006398048, .03925921245, .02898753687, .04492943156};
	double d[10];
	(void)state;
	log_ratios(d);
	for (guint i = 0; i < 10; i++)
		assert_near(d[i], wanted[i], 6e-12);
}

static void estimate_and_bounds_of_the_example_are_the_known_ones(void **state)
{
	static const struct {
		double alpha;
		guint c;
		double lower, upper;
	} rows[] = {
	        {.05, 11, 3.471225613, 4.538722796},
	        {.01, 6, 3.309929789, 4.702457133},
	        {.003, 3, 2.941176471, 4.871595075},
	};
	double d[10];
	(void)state;
	log_ratios(d);
	g_autoptr(GArray) walsh = walsh_averages(d, 10);
	assert_int_equal(walsh->len, 55);
	assert_near(percent(walsh_median(walsh)), 4.004004004, 1e-8);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		guint c = signed_rank_critical(10, rows[i].alpha);
		assert_int_equal(c, rows[i].c);
		assert_near(percent(walsh_lower(walsh, c)), rows[i].lower, 1e-8);
		assert_near(percent(walsh_upper(walsh, c)), rows[i].upper, 1e-8);
	}
}

static void the_statistic_and_p_of_the_example_are_the_known_ones(void **state)
{
	static const struct {
		double margin;
		guint above;
		double p;
	} rows[] = {{0, 55, 1 / 1024.0}, {.02, 55, 1 / 1024.0}, {.035, 44, .052734375}, {.04, 28, .5}};
	double d[10];
	(void)state;
	log_ratios(d);
	g_autoptr(GArray) walsh = walsh_averages(d, 10);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		guint above = walsh_above(walsh, log1p(rows[i].margin));
		assert_int_equal(above, rows[i].above);
		assert_near(signed_rank_upper_tail(10, above), rows[i].p, 1e-12);
	}
}

static void no_critical_value_means_no_bound(void **state)
{
	const double d[] = {.1, .2, .3};
	(void)state;
	g_autoptr(GArray) walsh = walsh_averages(d, 3);
	assert_true(isinf(walsh_lower(walsh, 0)) && walsh_lower(walsh, 0) < 0);
	assert_true(isinf(walsh_upper(walsh, 0)) && walsh_upper(walsh, 0) > 0);
}

static void the_median_of_an_even_number_is_the_mean_of_the_middle_two(void **state)
{
	const double two[] = {1, 4}, three[] = {0, 0, 6};
	(void)state;
	g_autoptr(GArray) odd = walsh_averages(two, 2);    /* 1, 2.5, 4 */
	g_autoptr(GArray) even = walsh_averages(three, 3); /* 0 0 0 3 3 6 */
	assert_near(walsh_median(odd), 2.5, 0);
	assert_near(walsh_median(even), 1.5, 0);
}

/* With ties, p from mid-ranks and the bound from Walsh averages would disagree. */
static void bound_and_p_decide_alike_when_values_tie(void **state)
{
	static const double alphas[] = {.004, .01, .05, .2};
	(void)state;
	for (guint pattern = 0; pattern < 6561; pattern++) { /* 8 values out of three, in all ways */
		double d[8];
		for (guint i = 0, rest = pattern; i < 8; i++, rest /= 3)
			d[i] = .01 * (double)(rest % 3);
		g_autoptr(GArray) walsh = walsh_averages(d, 8);
		double limit = .01, p = signed_rank_upper_tail(8, walsh_above(walsh, limit));
		for (guint i = 0; i < G_N_ELEMENTS(alphas); i++) {
			double lower = walsh_lower(walsh, signed_rank_critical(8, alphas[i]));
			assert_int_equal(lower > limit, p <= alphas[i]);
		}
	}
}

/* The statistic of five rounds has 5 x 6 / 2 + 1 values. */
static void a_level_of_one_is_reached_by_every_value(void **state)
{
	(void)state;
	assert_int_equal(signed_rank_critical(5, 1), 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_null_distribution_of_five_rounds_is_the_known_one),
	        cmocka_unit_test(tails_are_exact),
	        cmocka_unit_test(the_distribution_adds_up_to_one_for_many_rounds),
	        cmocka_unit_test(critical_values_are_the_tabulated_ones),
	        cmocka_unit_test(a_level_equal_to_a_probability_is_reached),
	        cmocka_unit_test(log_ratios_of_the_example_are_the_known_ones),
	        cmocka_unit_test(estimate_and_bounds_of_the_example_are_the_known_ones),
	        cmocka_unit_test(the_statistic_and_p_of_the_example_are_the_known_ones),
	        cmocka_unit_test(no_critical_value_means_no_bound),
	        cmocka_unit_test(the_median_of_an_even_number_is_the_mean_of_the_middle_two),
	        cmocka_unit_test(bound_and_p_decide_alike_when_values_tie),
	        cmocka_unit_test(a_level_of_one_is_reached_by_every_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
