/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/gitmodules.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static GPtrArray *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *submodules = gitmodules_parse(text, strlen(text), &error);
	if (submodules == NULL)
		fail_msg("%s", error->message);
	return submodules;
}

static void check_refused(const char *text, int code, const char *expected)
{
	g_autoptr(GError) error = NULL;
	assert_null(gitmodules_parse(text, strlen(text), &error));
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, code);
	assert_string_equal(error->message, expected);
}

static void check(const RepoSubmodule *submodule, const char *name, const char *path, const char *url)
{
	assert_string_equal(submodule->name, name);
	assert_string_equal(submodule->path, path);
	if (url == NULL)
		assert_null(submodule->url);
	else
		assert_string_equal(submodule->url, url);
	assert_null(submodule->commit_sha);
}

static void submodules_come_in_the_order_of_the_file(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) list = parse("[submodule \"lib/z\"]\n\tpath = lib/z\n\turl = ../z.git\n"
	                                  "[submodule \"a\"]\n\tpath = third party/a\n\tbranch = main\n");
	assert_int_equal(list->len, 2);
	check(list->pdata[0], "lib/z", "lib/z", "../z.git");
	check(list->pdata[1], "a", "third party/a", NULL);
}

static void the_forms_that_git_allows_are_read(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) list = parse("# comment\r\n; another\r\n[core]\r\n\tpath = /not/this\r\n"
	                                  "[SubModule \"a\\\"b\"] path=x ; comment\r\n"
	                                  "Url = \"https://h/x#y\"  # comment\r\nshallow\r\nfetchRecurse = true\r\n"
	                                  "[submodule \"c\"]\npath = one\\\n two  \nurl = \"q \\\\ \\\"\"z\n");
	assert_int_equal(list->len, 2);
	check(list->pdata[0], "a\"b", "x", "https://h/x#y");
	check(list->pdata[1], "c", "one two", "q \\ \"z");
}

static void the_last_setting_of_a_name_counts(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) list =
	        parse("[submodule \"a\"]\npath = ../x\n[other]\n[submodule \"a\"]\npath = good\nurl = u");
	assert_int_equal(list->len, 1);
	check(list->pdata[0], "a", "good", "u");
}

static void a_submodule_without_path_and_an_empty_file_name_nothing(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) list = parse("[submodule \"a\"]\nurl = x\n[include]\npath = /dev/zero\n");
	g_autoptr(GPtrArray) none = parse("");
	assert_int_equal(list->len, 0);
	assert_int_equal(none->len, 0);
}

static void what_points_outside_is_refused(void **state)
{
	(void)state;
	static const char *const outside[] = {"..", "../x", "a/../../x", "/etc", "a//b", "a/", ".", "./a", ".git",
	        ".GIT/hooks", "a/.Git/hooks", "-x", "--upload-pack=x", "a\\nb", "a\\tb"};
	for (gsize i = 0; i < G_N_ELEMENTS(outside); i++) {
		g_autofree char *text = g_strdup_printf("[submodule \"a\"]\npath = \"%s\"\n", outside[i]);
		check_refused(text, FIREBREAK_ERROR_POLICY,
		        ".gitmodules: submodule \"a\" has a path that is not safe to use; nothing was checked out");
	}
	check_refused("[submodule \"../../x\"]\npath = a\n", FIREBREAK_ERROR_POLICY,
	        ".gitmodules: submodule \"../../x\" has a name that is not safe to use; nothing was checked out");
	check_refused("[submodule \"\"]\npath = a\n", FIREBREAK_ERROR_POLICY,
	        ".gitmodules: submodule \"\" has a name that is not safe to use; nothing was checked out");
	check_refused("[submodule \"a\"]\npath =\n", FIREBREAK_ERROR_POLICY,
	        ".gitmodules: submodule \"a\" has a path that is not safe to use; nothing was checked out");
	check_refused("[submodule \"a\"]\npath = a\nurl = -oProxyCommand=x\n", FIREBREAK_ERROR_POLICY,
	        ".gitmodules: submodule \"a\" has a url that is not safe to use; nothing was checked out");
}

static void what_is_no_git_configuration_is_refused_with_its_line(void **state)
{
	(void)state;
	check_refused(
	        "\n[submodule \"a\npath = x\n", FIREBREAK_ERROR_USAGE, ".gitmodules:3: a section name does not end");
	check_refused("[submodule \"a\"\n", FIREBREAK_ERROR_USAGE, ".gitmodules:2: a section header does not end");
	check_refused(
	        "[submodule \"a\"]\n= x\n", FIREBREAK_ERROR_USAGE, ".gitmodules:2: expected a section or a setting");
	check_refused(
	        "[submodule \"a\"]\npath = \"x\n", FIREBREAK_ERROR_USAGE, ".gitmodules:2: a quoted value does not end");
	check_refused("[submodule \"a\"]\npath = \\x\n", FIREBREAK_ERROR_USAGE,
	        ".gitmodules:2: a backslash stands before a character that is not escaped");
	g_autoptr(GError) error = NULL;
	assert_null(gitmodules_parse("a\0b", 3, &error));
	assert_string_equal(error->message, ".gitmodules:1: the file has NUL bytes");
}

static void the_number_of_submodules_is_limited(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new(NULL);
	for (int i = 0; i <= 1000; i++)
		g_string_append_printf(text, "[submodule \"s%d\"]\n", i);
	check_refused(text->str, FIREBREAK_ERROR_USAGE, ".gitmodules:1001: more than 1000 submodules");
}

static void every_beginning_of_a_file_is_handled(void **state)
{
	(void)state;
	static const char whole[] = "# c\n[submodule \"a\\\"b\"]\n\tpath = \"x\\\\y\" \\\n z ; c\n\turl\n\turl = u\n";
	for (gsize length = 0; length < sizeof whole; length++) {
		/* A copy of exactly this size, so that reading past it is seen. */
		g_autofree char *text = g_malloc(MAX(length, 1));
		memcpy(text, whole, length);
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) list = gitmodules_parse(text, length, &error);
		assert_true((list == NULL) == (error != NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(submodules_come_in_the_order_of_the_file),
	        cmocka_unit_test(the_forms_that_git_allows_are_read),
	        cmocka_unit_test(the_last_setting_of_a_name_counts),
	        cmocka_unit_test(a_submodule_without_path_and_an_empty_file_name_nothing),
	        cmocka_unit_test(what_points_outside_is_refused),
	        cmocka_unit_test(what_is_no_git_configuration_is_refused_with_its_line),
	        cmocka_unit_test(the_number_of_submodules_is_limited),
	        cmocka_unit_test(every_beginning_of_a_file_is_handled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
