/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/goflags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The arguments between bars: "build|-o|x". */
static char *handed_on(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, "|", -1);
	g_autoptr(GPtrArray) all = go_arguments(words);
	return g_strjoinv("|", (char **)all->pdata);
}

static void what_hides_names_and_lines_goes(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	        {"build|-trimpath|-o|x|.", "build|-o|x|."},
	        {"test|-c|-ldflags|-s -w|-o|x", "test|-c|-ldflags||-o|x"},
	        {"test|-c|-ldflags=-s -w -X main.v=1", "test|-c|-ldflags=-X main.v=1"},
	        {"build|--ldflags=all=-w -extldflags '-s -static'", "build|-ldflags=all=-extldflags '-s -static'"},
	        {"install|-ldflags=-X 'main.v=-s -w' -s", "install|-ldflags=-X 'main.v=-s -w'"},
	        {"build|-trimpath=false|-ldflags=-s=false", "build|-trimpath=false|-ldflags=-s=false"},
	        {"-C|dir|build|-trimpath", "-C|dir|build"},
	        {"test|-c|./pkg|-trimpath", "test|-c|./pkg"},
	        /* not the compiler's */
	        {"test|.|-args|-trimpath", "test|.|-args|-trimpath"},
	        {"run|.|-trimpath", "run|.|-trimpath"},
	        {"env|-trimpath", "env|-trimpath"},
	        {"", ""},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = handed_on(cases[i][0]);
		assert_string_equal(text, cases[i][1]);
	}
}

static void calls_that_compile_are_known(void **state)
{
	(void)state;
	static const char *const yes[] = {"build", "-C", NULL}, *const moved[] = {"-C", "x", "test", NULL},
	                         *const moved_too[] = {"-C=x", "install", NULL}, *const no[] = {"version", NULL},
	                         *const none[] = {NULL};
	assert_true(go_compiles((char **)yes));
	assert_true(go_compiles((char **)moved));
	assert_true(go_compiles((char **)moved_too));
	assert_false(go_compiles((char **)no));
	assert_false(go_compiles((char **)none));
}

static void the_variable_loses_them_too(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	        {"-trimpath -mod=vendor", "-mod=vendor"},
	        {"-ldflags=-w", "-ldflags="},
	        {"", ""},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = go_flags_variable(cases[i][0]);
		assert_string_equal(text, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_hides_names_and_lines_goes),
	        cmocka_unit_test(calls_that_compile_are_known),
	        cmocka_unit_test(the_variable_loses_them_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
