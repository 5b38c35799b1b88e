/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"

#include <errno.h>
#include <gio/gio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_exit_code_of_our_error_is_its_code(void **state)
{
	(void)state;
	static const FirebreakError codes[] = {FIREBREAK_ERROR_USAGE, FIREBREAK_ERROR_INVALID, FIREBREAK_ERROR_BUILD,
	        FIREBREAK_ERROR_BASELINE, FIREBREAK_ERROR_STORAGE, FIREBREAK_ERROR_ENVIRONMENT, FIREBREAK_ERROR_POLICY};
	static const int expected[] = {2, 4, 5, 6, 7, 8, 9};
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(GError) error = g_error_new(FIREBREAK_ERROR, (int)codes[i], "x");
		assert_int_equal(firebreak_error_exit_code(error), expected[i]);
	}
}

static void the_exit_code_of_a_foreign_error_is_that_of_storage(void **state)
{
	(void)state;
	g_autoptr(GError) error = g_error_new(G_FILE_ERROR, G_FILE_ERROR_NOSPC, "x");
	assert_int_equal(firebreak_error_exit_code(error), 7);
}

static void a_system_error_names_the_thing_and_the_reason(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	assert_false(firebreak_set_errno(&error, FIREBREAK_ERROR_ENVIRONMENT, ENOENT, "cannot open %s", "/x"));
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, FIREBREAK_ERROR_ENVIRONMENT);
	assert_string_equal(error->message, "cannot open /x: No such file or directory");
}

static void a_system_error_that_nobody_wants_is_dropped(void **state)
{
	(void)state;
	assert_false(firebreak_set_errno(NULL, FIREBREAK_ERROR_STORAGE, EIO, "%s", "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_exit_code_of_our_error_is_its_code),
	        cmocka_unit_test(the_exit_code_of_a_foreign_error_is_that_of_storage),
	        cmocka_unit_test(a_system_error_names_the_thing_and_the_reason),
	        cmocka_unit_test(a_system_error_that_nobody_wants_is_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
