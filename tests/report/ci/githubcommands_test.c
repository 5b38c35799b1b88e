/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/outcome.h"
#include "report/ci/flagged.h"
#include "report/ci/githubcommands.h"

#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/report/countedsample.h"
#include "tests/report/golden.h"

static guint lines_with(const char *text, const char *prefix)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint n = 0;
	for (guint i = 0; lines[i] != NULL; i++)
		n += g_str_has_prefix(lines[i], prefix) ? 1 : 0;
	return n;
}

static void the_commands_are_as_they_were(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	gsize length;
	g_autofree char *text = github_commands_text(result, &length);
	assert_int_equal(length, strlen(text));
	assert_golden("annotations.txt", text);
}

static void a_pass_is_a_notice_with_the_verdict(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(1, 0);
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->verdict = VERDICT_PASS;
	check_result_decide(result);
	result->verdict = VERDICT_PASS;
	g_autofree char *text = github_commands_text(result, NULL);
	assert_true(g_str_has_prefix(text, "::notice title=firebreak%3A pass::"));
	assert_int_equal(lines_with(text, "::"), 1);
}

static void errors_stay_below_what_is_shown_and_the_rest_is_counted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(100, 20);
	g_autofree char *text = github_commands_text(result, NULL);
	assert_int_equal(lines_with(text, "::error "), GITHUB_COMMANDS_MAX);
	assert_int_equal(lines_with(text, "::notice "), GITHUB_COMMANDS_MAX);
	g_autofree char *first = g_strndup(text, strcspn(text, "\n"));
	assert_non_null(strstr(first, " more in summary.md"));
	assert_true(g_str_has_prefix(first, "::error title=firebreak%3A regression::"));
}

static void the_worst_function_comes_right_after_the_verdict(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *text = github_commands_text(result, NULL);
	const char *second = strchr(text, '\n') + 1;
	assert_true(g_str_has_prefix(
	        second, "::error file=src/catalog.c,line=19,title=firebreak%3A catalog::catalog: hash_word "));
}

static void no_message_is_longer_than_its_limit(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(GString) name = g_string_new(NULL);
	for (guint i = 0; i < 20000; i++)
		g_string_append(name, i % 2 == 0 ? "%" : "\xff");
	add_hostile_benchmark(result, name->str);
	check_result_decide(result);
	g_autofree char *text = github_commands_text(result, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; *lines[i] != '\0'; i++) {
		const char *message = strstr(lines[i] + 2, "::");
		assert_non_null(message);
		assert_true(strlen(message + 2) <= GITHUB_COMMAND_MAX_BYTES);
	}
}

static void hostile_names_forge_no_command(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result();
	gsize length;
	g_autofree char *text = github_commands_text(result, &length);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; *lines[i] != '\0'; i++) {
		assert_true(g_str_has_prefix(lines[i], "::error ") || g_str_has_prefix(lines[i], "::warning ") ||
		            g_str_has_prefix(lines[i], "::notice "));
		assert_null(strstr(lines[i], "\r"));
		assert_null(strstr(lines[i], "\x1b"));
	}
	leave_for_parsers("texts-hostile.annotations.txt", text, length);
}

static void base_against_itself_accuses_no_function(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result->mode = CHECK_CALIBRATE;
	result->verdict = VERDICT_PASS;
	g_autofree char *text = github_commands_text(result, NULL);
	assert_int_equal(lines_with(text, "::error "), 0);
	assert_null(strstr(text, "file="));
}

static void a_function_that_both_engines_accuse_has_one_command(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = counted_both(&(CountedSample){1, 885618, 0}, TRUE, PAIR_MORE_WORK, "more work");
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	guint accused = 0;
	for (guint i = 0; i < flagged->len; i++) {
		const FlaggedFunction *one = flagged->pdata[i];
		accused += g_str_equal(highlights_name(one->list.table, one->function->frame), "hash_word");
	}
	g_autofree char *text = github_commands_text(result, NULL);
	assert_int_equal(accused, 2);
	assert_int_equal(lines_with(text, "::error file="), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_commands_are_as_they_were),
	        cmocka_unit_test(a_pass_is_a_notice_with_the_verdict),
	        cmocka_unit_test(errors_stay_below_what_is_shown_and_the_rest_is_counted),
	        cmocka_unit_test(the_worst_function_comes_right_after_the_verdict),
	        cmocka_unit_test(no_message_is_longer_than_its_limit),
	        cmocka_unit_test(hostile_names_forge_no_command),
	        cmocka_unit_test(a_function_that_both_engines_accuse_has_one_command),
	        cmocka_unit_test(base_against_itself_accuses_no_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
