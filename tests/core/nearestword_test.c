/* SPDX-License-Identifier: Apache-2.0 */
#include "core/nearestword.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char *const words[] = {"cycles", "cache-misses", "page-faults", NULL};

static void one_typing_error_is_forgiven(void **state)
{
	(void)state;
	assert_string_equal(nearest_word("cycels", words), "cycles");
	assert_string_equal(nearest_word("cycle", words), "cycles");
	assert_string_equal(nearest_word("page-fauults", words), "page-faults");
}

static void case_and_underscores_do_not_count(void **state)
{
	(void)state;
	assert_string_equal(nearest_word("CACHE_MISSES", words), "cache-misses");
}

static void another_word_has_no_neighbour(void **state)
{
	(void)state;
	assert_null(nearest_word("branches", words));
	assert_null(nearest_word("", words));
}

static void a_very_long_word_is_not_compared(void **state)
{
	(void)state;
	g_autofree char *word = g_strnfill(100000, 'c');
	assert_null(nearest_word(word, words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_typing_error_is_forgiven),
	        cmocka_unit_test(case_and_underscores_do_not_count),
	        cmocka_unit_test(another_word_has_no_neighbour),
	        cmocka_unit_test(a_very_long_word_is_not_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
