/* SPDX-License-Identifier: Apache-2.0 */
#include "model/numbers/numberwords.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_reads(char *text, const char *wanted)
{
	assert_string_equal(text, wanted);
	g_free(text);
}

static void what_was_measured_is_rounded(void **state)
{
	(void)state;
	const NumberWords *words = number_words(FALSE);
	assert_reads(words->value(448201334, "instructions"), "448 M instructions");
	assert_reads(words->change(1.123456), "+12.3 %");
	assert_reads(words->change_range(1.11, 1.135), "[+11.0, +13.5]");
	assert_reads(words->points(.119), "+11.9 pp");
	assert_reads(words->points_range(.1, .2), "[+10.0, +20.0]");
}

static void what_was_counted_has_all_its_digits(void **state)
{
	(void)state;
	const NumberWords *words = number_words(TRUE);
	assert_reads(words->value(448201334, "instructions"), "448,201,334 instructions");
	assert_reads(words->change(1.00000022), "+0.000022 %");
	assert_reads(words->change_range(1.1, 1.2), "[+10.00, +20.00]");
	assert_reads(words->points(.00000022), "+0.000022 pp");
	assert_reads(words->points_range(.1, .2), "[+10.00, +20.00]");
}

static void counts_that_repeat_have_no_range(void **state)
{
	(void)state;
	const NumberWords *words = number_words(TRUE);
	assert_reads(words->change_range(1.2, 1.2), "");
	assert_reads(words->points_range(.2, .2), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_was_measured_is_rounded),
	        cmocka_unit_test(what_was_counted_has_all_its_digits),
	        cmocka_unit_test(counts_that_repeat_have_no_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
