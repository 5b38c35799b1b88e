/* SPDX-License-Identifier: Apache-2.0 */
#include "model/textpiece.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void hex_digits_count_only_where_there_is_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(text_hex_digits("0123456789abcdef"), 16);
	assert_int_equal(text_hex_digits("a"), 1);
	assert_int_equal(text_hex_digits("abc main"), 0);
	assert_int_equal(text_hex_digits("worktree"), 0);
	assert_int_equal(text_hex_digits("ABCDEF"), 0);
	assert_int_equal(text_hex_digits(""), 0);
	assert_int_equal(text_hex_digits(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(hex_digits_count_only_where_there_is_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
