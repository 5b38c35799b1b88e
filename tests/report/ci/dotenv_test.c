/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/dotenv.h"

#include "compare/outcome.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/golden.h"

static void the_variables_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	gsize length;
	g_autofree char *text = dotenv_text(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("verdict.env", text);
}

/* GitLab reads a line as NAME=VALUE, expands `$`, and refuses the whole file above 5 KB. */
static void hostile_names_are_no_variables(void **state)
{
	(void)state;
	static const char *const names[] = {
	        "FIREBREAK_VERDICT", "FIREBREAK_EXIT_CODE", "FIREBREAK_MEASURED", "FIREBREAK_HEADLINE"};
	for (guint i = 0; i < G_N_ELEMENTS(hostile_texts); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		check_result_add_reason(result, 4, "benchmark_failed", hostile_texts[i], "%s", hostile_texts[i]);
		check_result_decide(result);
		g_autofree char *text = dotenv_text(result, NULL);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		assert_int_equal(g_strv_length(lines), G_N_ELEMENTS(names) + 1);
		for (guint n = 0; n < G_N_ELEMENTS(names); n++)
			assert_true(g_str_has_prefix(lines[n], names[n]) && lines[n][strlen(names[n])] == '=');
		assert_null(strchr(text, '$'));
		assert_true(strlen(text) < 5000);
	}
}

static void what_was_not_measured_says_so(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 3, "no_time", "sort", "no time left");
	check_result_decide(result);
	g_autofree char *text = dotenv_text(result, NULL);
	assert_non_null(strstr(text, "\nFIREBREAK_MEASURED=false\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_variables_are_as_they_were),
	        cmocka_unit_test(hostile_names_are_no_variables),
	        cmocka_unit_test(what_was_not_measured_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
