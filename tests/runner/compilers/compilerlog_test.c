/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the log of a build's compilers. */
#include "runner/compilers/compilerlog.h"

#include "core/durable.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = g_dir_make_tmp("log-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	gboolean removed = durable_remove_tree(*state, NULL);
	g_free(*state);
	return removed ? 0 : -1;
}

static void calls_are_counted_by_name_and_program(void **state)
{
	g_autofree char *file = g_build_filename(*state, "log", NULL);
	compiler_log_append(file, "gcc", "/usr/bin/gcc-12");
	compiler_log_append(file, "cc", "/usr/bin/gcc-12");
	compiler_log_append(file, "gcc", "/usr/bin/gcc-12");
	g_autoptr(GPtrArray) compilers = compiler_log_read(file);
	assert_int_equal(compilers->len, 2);
	const UsedCompiler *cc = compilers->pdata[0], *gcc = compilers->pdata[1];
	assert_string_equal(cc->name, "cc");
	assert_int_equal(cc->calls, 1);
	assert_string_equal(gcc->program, "/usr/bin/gcc-12");
	assert_int_equal(gcc->calls, 2);
}

static void without_a_log_there_are_none(void **state)
{
	g_autofree char *file = g_build_filename(*state, "none", NULL);
	g_autoptr(GPtrArray) compilers = compiler_log_read(file);
	assert_int_equal(compilers->len, 0);
}

static void what_a_build_writes_itself_is_passed_over(void **state)
{
	g_autofree char *file = g_build_filename(*state, "log", NULL);
	assert_true(g_file_set_contents(
	        file, "bash\t/bin/bash\ngcc\tgcc\ngcc\n\ngcc\t/a\t/b\ngcc\t/\xff\nclang\t/usr/bin/clang\n", -1, NULL));
	g_autoptr(GPtrArray) compilers = compiler_log_read(file);
	assert_int_equal(compilers->len, 1);
	assert_string_equal(((UsedCompiler *)compilers->pdata[0])->name, "clang");
}

static void a_link_in_its_place_is_not_followed(void **state)
{
	g_autofree char *file = g_build_filename(*state, "log", NULL), *other = g_build_filename(*state, "x", NULL);
	assert_true(g_file_set_contents(other, "gcc\t/usr/bin/gcc\n", -1, NULL));
	assert_int_equal(symlink(other, file), 0);
	g_autoptr(GPtrArray) compilers = compiler_log_read(file);
	assert_int_equal(compilers->len, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	        TEST(calls_are_counted_by_name_and_program),
	        TEST(without_a_log_there_are_none),
	        TEST(what_a_build_writes_itself_is_passed_over),
	        TEST(a_link_in_its_place_is_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
