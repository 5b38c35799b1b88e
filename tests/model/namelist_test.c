/* SPDX-License-Identifier: Apache-2.0 */
#include "model/namelist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_list(guint n, guint shown, const char *expected)
{
	const char *const all[] = {"a", "b", "c"};
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(names, (gpointer)all[i]);
	g_autofree char *text = name_list(names, shown);
	assert_string_equal(text, expected);
}

static void names_that_are_not_shown_are_counted(void **state)
{
	(void)state;
	assert_list(0, 2, "");
	assert_list(1, 2, "a");
	assert_list(2, 2, "a, b");
	assert_list(3, 2, "a, b and 1 more");
	assert_list(3, 1, "a and 2 more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_that_are_not_shown_are_counted)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
