/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/plotaxis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The labels of an axis with these two values, from the bottom. */
static char *labels(double low, double high, const char *unit)
{
	GString *text = g_string_new(NULL);
	PlotAxis axis = plot_axis_new(unit);
	plot_axis_include(&axis, low);
	plot_axis_include(&axis, high);
	plot_axis_include(&axis, NAN);
	plot_axis_settle(&axis);
	for (double n = plot_axis_first(&axis); n * axis.step <= axis.to; n++) {
		g_autofree char *label = plot_axis_label(&axis, n * axis.step);
		g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", label);
	}
	return g_string_free(text, FALSE);
}

static void expect(double low, double high, const char *unit, const char *wanted)
{
	g_autofree char *text = labels(low, high, unit);
	assert_string_equal(text, wanted);
}

static void all_ticks_have_the_unit_of_the_largest_value(void **state)
{
	(void)state;
	expect(.88e9, 1.12e9, "ns", "0.9 s, 1.0 s, 1.1 s");
	expect(.7e9, .99e9, "ns", "700 ms, 800 ms, 900 ms, 1000 ms");
}

static void steps_are_round_in_the_unit_that_is_written(void **state)
{
	(void)state;
	expect(0x1p20, 0x3p20, "bytes", "1 MiB, 2 MiB, 3 MiB");
	expect(9000, 12000, "count", "9 k, 10 k, 11 k, 12 k");
}

static void ticks_differ_however_near_the_values_are(void **state)
{
	(void)state;
	expect(1e9, 1e9, "ns", "0.9990 s, 0.9995 s, 1.0000 s, 1.0005 s, 1.0010 s");
}

static void what_is_negative_has_room_below_zero(void **state)
{
	(void)state;
	expect(-1, 1, "count", "-1, 0, 1");
}

static void nothing_but_zero_has_an_axis(void **state)
{
	(void)state;
	expect(0, 0, "count", "0.0, 0.5, 1.0");
}

static void no_values_are_as_nothing_but_zero(void **state)
{
	(void)state;
	expect(NAN, NAN, "count", "0.0, 0.5, 1.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_ticks_have_the_unit_of_the_largest_value),
	        cmocka_unit_test(steps_are_round_in_the_unit_that_is_written),
	        cmocka_unit_test(ticks_differ_however_near_the_values_are),
	        cmocka_unit_test(what_is_negative_has_room_below_zero),
	        cmocka_unit_test(nothing_but_zero_has_an_axis),
	        cmocka_unit_test(no_values_are_as_nothing_but_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
