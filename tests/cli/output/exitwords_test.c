/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/exitwords.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_pass_needs_no_words(void **state)
{
	(void)state;
	assert_null(exit_code_meaning(0));
	assert_null(exit_code_meaning(-1));
	assert_null(exit_code_meaning(130));
}

static void the_words_are_those_of_the_document(void **state)
{
	(void)state;
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(SOURCE_DIR "/docs/FORMATS.md", &text, NULL, NULL));
	for (int code = 1; code <= 9; code++) {
		g_autofree char *row = g_strdup_printf("\n| %d | %s", code, exit_code_meaning(code));
		if (strstr(text, row) == NULL)
			fail_msg("no row in docs/FORMATS.md begins with:%s", row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pass_needs_no_words),
	        cmocka_unit_test(the_words_are_those_of_the_document),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
