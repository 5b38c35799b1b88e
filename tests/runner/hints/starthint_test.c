/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is said of a program that could not be started. */
#include "runner/hints/starthint.h"

#include "tests/runner/hintfixture.h"

#include <errno.h>
#include <sys/stat.h>

static char *hint(const char *tree, const char *cwd, const char *program, int error)
{
	const StartPlace place = {tree, cwd};
	return start_hint(&place, program, error);
}

static void a_file_of_that_name_is_named(void **state)
{
	put(*state, "build/bin/parse", ELF, 0755);
	put(*state, "build/CMakeFiles/try/parse", ELF, 0755);
	g_autofree char *text = hint(*state, ".", "./parse", ENOENT), *plain = hint(*state, ".", "parse", ENOENT);
	assert_string_equal(text, "did you mean ./build/bin/parse?");
	assert_string_equal(plain, text);
}

static void it_is_named_from_the_working_folder(void **state)
{
	put(*state, "build/bin/parse", ELF, 0755);
	g_autofree char *beside = hint(*state, "bench/data", "./parse", ENOENT);
	g_autofree char *above = hint(*state, "build", "./build/bin/parse", ENOENT);
	assert_string_equal(beside, "did you mean ../../build/bin/parse?");
	assert_string_equal(above, "did you mean ./bin/parse?");
}

static void several_are_all_named(void **state)
{
	put(*state, "out/release/parse", "#!/bin/sh\n", 0755);
	put(*state, "out/debug/parse", ELF, 0755);
	g_autofree char *text = hint(*state, ".", "./out/parse", ENOENT);
	assert_string_equal(text, "did you mean ./out/debug/parse or ./out/release/parse?");
}

static void a_typing_error_is_found(void **state)
{
	put(*state, "build/bench_parse", ELF, 0755);
	g_autofree char *text = hint(*state, ".", "./build/bench-prase", ENOENT);
	assert_string_equal(text, "did you mean ./build/bench_parse?");
}

static void without_such_a_name_the_programs_are_named(void **state)
{
	put(*state, "build/server", ELF, 0755);
	put(*state, "build/libx.so.1", ELF, 0755);
	put(*state, "run.sh", "#!/bin/sh\n", 0755);
	g_autofree char *text = hint(*state, ".", "./parse", ENOENT);
	assert_string_equal(text, "nothing in the checkout has that name; its programs are ./build/server");
}

static void without_any_program_the_build_is_blamed(void **state)
{
	put(*state, "parse.c", "int main;", 0644);
	g_autofree char *text = hint(*state, ".", "./parse", ENOENT);
	assert_has(text, "the checkout has no program at all: the build command has to build the benchmark");
}

/* The checkout was said to have no program, though nobody had asked for one of it. */
static void an_absolute_path_is_looked_for_on_the_machine(void **state)
{
	g_autofree char *text = hint(*state, ".", "/no/such/folder/parse", ENOENT);
	assert_has(text, "neither this machine nor the checkout has it");
	put(*state, "build/parse", ELF, 0755);
	g_autofree char *known = hint(*state, ".", "/no/such/folder/parse", ENOENT);
	assert_string_equal(known, "did you mean ./build/parse?");
}

static void a_file_that_is_not_executable_is_no_program(void **state)
{
	put(*state, "bench/parse", "#!/bin/sh\n", 0644);
	g_autofree char *elsewhere = hint(*state, ".", "./parse", ENOENT);
	g_autofree char *there = hint(*state, ".", "bench/parse", EACCES);
	assert_has(elsewhere, "bench/parse is there, but not as a program");
	assert_has(there, "bench/parse is not executable: `git update-index --chmod=+x bench/parse`");
}

static void a_folder_is_no_program(void **state)
{
	put(*state, "bench/parse", "", 0644);
	g_autofree char *text = hint(*state, ".", "./bench", EACCES);
	assert_string_equal(text, "./bench is a folder; name the program in it");
}

static void a_script_names_its_interpreter(void **state)
{
	put(*state, "parse", "#!/usr/bin/nothing-of-this-name\n", 0755);
	put(*state, "windows", "#!/bin/sh\r\n", 0755);
	g_autofree char *text = hint(*state, ".", "./parse", ENOENT), *ends = hint(*state, ".", "./windows", ENOENT);
	assert_has(text, "\"#!/usr/bin/nothing-of-this-name\", names a program that is not on this machine");
	assert_has(ends, "ends with a carriage return");
}

/* A run may leave anything in its tree, and a FIFO is opened only when somebody writes to it. */
static void nothing_is_known_of_a_file_that_is_no_regular_one(void **state)
{
	g_autofree char *path = g_build_filename(*state, "parse", NULL);
	assert_int_equal(mkfifo(path, 0700), 0);
	assert_null(hint(*state, ".", "./parse", ENOENT));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        TEST(a_file_of_that_name_is_named),
	        TEST(it_is_named_from_the_working_folder),
	        TEST(several_are_all_named),
	        TEST(a_typing_error_is_found),
	        TEST(without_such_a_name_the_programs_are_named),
	        TEST(without_any_program_the_build_is_blamed),
	        TEST(an_absolute_path_is_looked_for_on_the_machine),
	        TEST(a_file_that_is_not_executable_is_no_program),
	        TEST(a_folder_is_no_program),
	        TEST(a_script_names_its_interpreter),
	        TEST(nothing_is_known_of_a_file_that_is_no_regular_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
