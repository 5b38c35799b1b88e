/* SPDX-License-Identifier: Apache-2.0 */
#include "model/numbers/number.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(char *got, const char *wanted)
{
	g_autofree char *owned = got;
	assert_string_equal(owned, wanted);
}

static void changes_read_in_percent_with_a_sign(void **state)
{
	(void)state;
	check(number_change(1.1234), "+12.3 %");
	check(number_change(.5), "-50.0 %");
	check(number_change(1.0042), "+0.42 %");
	check(number_change(1), "+0.00 %");
	check(number_change(1 - 1e-9), "+0.00 %");
	check(number_change(21), "+2000 %");
	check(number_change(NAN), "n/a");
}

static void a_change_beyond_a_limit_reads_so(void **state)
{
	(void)state;
	check(number_change_beyond(1.1234, .02), "+12.3 %");
	check(number_change_beyond(1.0203, .02), "+2.03 %");
	check(number_change_beyond(1.02003, .02), "+2.003 %");
	check(number_change_beyond(.979, .02), "-2.1 %");
	check(number_change_beyond(1.02, .02), "+2.0 %");
	check(number_change_beyond(INFINITY, .02), "from 0");
}

static void what_is_not_known_is_not_zero(void **state)
{
	(void)state;
	check(number_points(NAN), "n/a");
	check(number_value(NAN, "ns"), "n/a");
	check(number_share(INFINITY), "n/a");
	check(number_p_value(NAN), "n/a");
	check(number_change_interval(NAN, NAN), "");
}

static void open_bounds_are_said(void **state)
{
	(void)state;
	check(number_change_interval(1.11, INFINITY), "≥ +11.0 %");
	check(number_change_interval(0, 1.135), "≤ +13.5 %");
	check(number_change_interval(0, INFINITY), "none");
	check(number_change(INFINITY), "from 0");
	check(number_change_interval(INFINITY, INFINITY), "");
	check(number_points_interval(-.001, .02), "[-0.10, +2.0]");
}

static void bounds_that_are_not_there_are_no_numbers(void **state)
{
	(void)state;
	check(number_change_interval(0, NAN), "none");
	check(number_change_interval(NAN, 1.1), "≤ +10.0 %");
	check(number_points_interval(-INFINITY, INFINITY), "none");
	check(number_points_interval(-INFINITY, .02), "≤ +2.0 pp");
	check(number_points_interval(.02, NAN), "≥ +2.0 pp");
	check(number_points(-INFINITY), "none");
	check(number_change(-INFINITY), "none");
}

static void counts_lose_no_digit(void **state)
{
	(void)state;
	check(number_counted(448201334, "instructions"), "448,201,334 instructions");
	check(number_counted(9007199254740992., "count"), "9,007,199,254,740,992");
	check(number_counted(1200.5, "count"), "1200");
	check(number_counted(5242880, "bytes"), "5,242,880 bytes");
	check(number_counted(0, NULL), "0");
	check(number_counted(NAN, "count"), "n/a");
	check(number_count_change(1.001), "+0.10 %");
	check(number_count_change(1.0123), "+1.23 %");
	check(number_count_change(3.5), "+250.0 %");
	check(number_count_change(INFINITY), "from 0");
	check(number_count_change(1), "0 %");
	check(number_count_change(1 + 2.23e-9), "+0.00000022 %");
	check(number_count_change(NAN), "n/a");
	check(number_count_points(-4.4e-6), "-0.00044 pp");
	check(number_count_points(0), "0 pp");
}

static void counts_that_repeat_have_no_range(void **state)
{
	(void)state;
	check(number_count_range(1.001, 1.001), "");
	check(number_count_range(1.001, 1.0012), "[+0.10, +0.12]");
	check(number_count_range(0, 1.0012), "≤ +0.12 %");
	check(number_count_range(NAN, NAN), "");
	check(number_count_points_range(.01, .01), "");
	check(number_count_points_range(-.00002, .01), "[-0.0020, +1.00]");
}

static void values_are_scaled_to_their_unit(void **state)
{
	(void)state;
	check(number_value(1.92e9, "ns"), "1.92 s");
	check(number_value(14.23e6, "ns"), "14.2 ms");
	check(number_value(950, "ns"), "950 ns");
	check(number_value(0, "ns"), "0 ns");
	check(number_value(5242880, "bytes"), "5.00 MiB");
	check(number_value(412, "count"), "412");
	check(number_value(123456789, "count"), "123 M");
	check(number_value(5e6, "cycles"), "5.00 M cycles");
	check(number_value(-2e6, "ns"), "-2.00 ms");
	check(number_value_beside(9494, 11234, "counts"), "9.49 k counts");
	check(number_value_beside(11234, 9494, "counts"), "11.2 k counts");
	check(number_value_beside(950, 11234, "counts"), "950 counts");
	check(number_value_beside(9494, NAN, "counts"), "9494 counts");
}

static void counts_have_separators(void **state)
{
	(void)state;
	check(number_count(0), "0");
	check(number_count(999), "999");
	check(number_count(1234567), "1,234,567");
	check(number_parts(1234567.4, 1), "1,234,567");
	check(number_parts(1234.5, 1000), "1,234.5");
	check(number_parts(.0996, 1000), "0.1");
	check(number_parts(2, 1000), "2");
	check(number_parts(.000002, 1000000), "0.000002");
}

static void the_locale_does_not_matter(void **state)
{
	(void)state;
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
		setlocale(LC_NUMERIC, "C.UTF-8");
	check(number_change(1.123), "+12.3 %");
	setlocale(LC_NUMERIC, "C");
}

static void shares_that_are_roughly_known_have_few_digits(void **state)
{
	(void)state;
	check(number_about(.02617), "2.6 %");
	check(number_about(.0996), "10 %");
	check(number_about(.8731), "87 %");
	check(number_about(NAN), "n/a");
	check(number_count_size(.0213), "2.13 %");
	check(number_count_size(4.5e-9), "0.00000045 %");
	check(number_share_as(.02, 2), "2.00 %");
	check(number_share_range(.04, .1), "4 to 10 %");
	check(number_share_range(.04, .04), "4 %");
}

static void durations_read_in_seconds_then_minutes(void **state)
{
	(void)state;
	check(number_duration(0), "0 s");
	check(number_duration(.0614), "0.06 s");
	check(number_duration(.34), "0.3 s");
	check(number_duration(1.44), "1.4 s");
	check(number_duration(9.96), "10 s");
	check(number_duration(299), "299 s");
	check(number_duration(301), "5 min");
	check(number_duration(7100), "118 min");
	check(number_duration(7300), "2.0 h");
	check(number_duration(-1), "0 s");
	check(number_duration(NAN), "n/a");
}

static void a_p_value_is_equal_or_below(void **state)
{
	(void)state;
	check(number_p(.00021), "p = 0.00021");
	check(number_p(.00001), "p < 0.0001");
	check(number_p(1), "p = 1");
}

static void a_difference_has_the_unit_of_its_largest_part(void **state)
{
	(void)state;
	check(number_difference(1.23e7, -4e4, 2.5e7, "ns"), "+12.3 ms [+0.0, +25.0]");
	check(number_difference(-3 * 1048576., -4 * 1048576., -2 * 1048576., "bytes"), "-3.0 MiB [-4.0, -2.0]");
	check(number_amount(-2e6, "ns"), "2.00 ms");
	check(number_amount(1.5e6, "bytes"), "1.43 MiB");
	check(number_amount(14, "instructions"), "14");
	check(number_amount(448201334, "count"), "448 M");
}

static void a_value_as_it_was_given_has_six_digits(void **state)
{
	(void)state;
	check(number_plain(.1), "0.1");
	check(number_plain(-1), "-1");
	check(number_plain(1234567), "1.23457e+06");
	check(number_plain(NAN), "nan");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(changes_read_in_percent_with_a_sign),
	        cmocka_unit_test(a_change_beyond_a_limit_reads_so),
	        cmocka_unit_test(what_is_not_known_is_not_zero),
	        cmocka_unit_test(open_bounds_are_said),
	        cmocka_unit_test(bounds_that_are_not_there_are_no_numbers),
	        cmocka_unit_test(counts_lose_no_digit),
	        cmocka_unit_test(counts_that_repeat_have_no_range),
	        cmocka_unit_test(values_are_scaled_to_their_unit),
	        cmocka_unit_test(counts_have_separators),
	        cmocka_unit_test(the_locale_does_not_matter),
	        cmocka_unit_test(shares_that_are_roughly_known_have_few_digits),
	        cmocka_unit_test(durations_read_in_seconds_then_minutes),
	        cmocka_unit_test(a_p_value_is_equal_or_below),
	        cmocka_unit_test(a_difference_has_the_unit_of_its_largest_part),
	        cmocka_unit_test(a_value_as_it_was_given_has_six_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
