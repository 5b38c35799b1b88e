/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/wordwrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void words_are_wrapped_to_the_width(void **state)
{
	static const struct {
		WordWrap wrap;
		const char *text, *wanted;
	} cases[] = {
	        {{.width = 9}, "one two three", "one two\nthree\n"},
	        {{.width = 13}, "one two three", "one two three\n"},
	        {{.width = 12}, "one two three", "one two\nthree\n"},
	        {{.width = 9, .indent = 2}, "one two three", "one two\n  three\n"},
	        {{.width = 9, .column = 6}, "one two three", "one\ntwo three\n"},
	        {{.width = 0}, "one two three", "one two three\n"},
	        {{.width = 4}, "overlong a b", "overlong\na b\n"},
	        {{.width = 7}, "größe äöü", "größe\näöü\n"},
	        {{.width = 5}, "", "\n"},
	        {{.width = 14}, "a margin of 2 %, done", "a margin of\n2 %, done\n"},
	        {{.width = 14}, "the rise of +12.3 pp (of all)", "the rise of\n+12.3 pp (of\nall)\n"},
	        {{.width = 9}, "not a % here", "not a %\nhere\n"},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		wrap_words(out, &cases[i].wrap, cases[i].text);
		assert_string_equal(out->str, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_are_wrapped_to_the_width),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
