/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/intervalbar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_bar(const BarScale *scale, IntervalBar bar, const char *wanted)
{
	g_autofree char *text = interval_bar(scale, &bar);
	assert_string_equal(text, wanted);
}

static void zero_estimate_interval_and_mark_have_their_cells(void **state)
{
	(void)state;
	BarScale scale = {.lowest = -2, .highest = 8, .cells = 11};
	assert_bar(&scale, (IntervalBar){5, 6, 7, 3}, "  │  ┆ ─●─ ");
	assert_bar(&scale, (IntervalBar){-1, 1, 2, NAN}, " ─┼●─      ");
	assert_bar(&scale, (IntervalBar){0, 0, 0, NAN}, "  ●        ");
}

static void open_ends_go_to_the_edge(void **state)
{
	(void)state;
	BarScale scale = {.lowest = -2, .highest = 8, .cells = 11};
	assert_bar(&scale, (IntervalBar){NAN, 5, 6, NAN}, "──┼────●─  ");
	assert_bar(&scale, (IntervalBar){4, 5, INFINITY, NAN}, "  │   ─●───");
}

static void what_is_not_known_is_not_drawn(void **state)
{
	(void)state;
	BarScale scale = {.lowest = -2, .highest = 8, .cells = 11};
	assert_bar(&scale, (IntervalBar){1, NAN, 2, NAN}, "");
	assert_bar(&scale, (IntervalBar){1, INFINITY, 2, NAN}, "");
}

static void the_scale_holds_all_that_is_finite_and_zero(void **state)
{
	(void)state;
	BarScale scale;
	bar_scale_init(&scale, 5);
	bar_scale_include(&scale, &(IntervalBar){NAN, .5, INFINITY, NAN});
	assert_true(scale.lowest == 0 && scale.highest == .5);
	bar_scale_include(&scale, &(IntervalBar){-1, .25, .5, 2});
	assert_true(scale.lowest == -1 && scale.highest == 2);
}

static void a_scale_of_nothing_or_of_everything_does_no_harm(void **state)
{
	(void)state;
	BarScale scale;
	bar_scale_init(&scale, 3);
	assert_bar(&scale, (IntervalBar){0, 0, 0, NAN}, "●  ");
	bar_scale_include(&scale, &(IntervalBar){-1.7e308, 0, 1.7e308, NAN});
	assert_bar(&scale, (IntervalBar){-1.7e308, 0, 1.7e308, NAN}, "─●─");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(zero_estimate_interval_and_mark_have_their_cells),
	        cmocka_unit_test(open_ends_go_to_the_edge),
	        cmocka_unit_test(what_is_not_known_is_not_drawn),
	        cmocka_unit_test(the_scale_holds_all_that_is_finite_and_zero),
	        cmocka_unit_test(a_scale_of_nothing_or_of_everything_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
