/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which programs of a command are recognised as ones that calibrate themselves. */
#include "runner/frameworks/commandframework.h"

#include "tests/runner/hintfixture.h"

#define NANOBENCH ELF " NANOBENCH_ENDLESS"

/* The program that is recognised; NULL if none is. A text is one word, as in firebreak.yml. */
static char *recognised(const char *tree, const char *text)
{
	char *argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)text, NULL};
	const ConfigBenchmark benchmark = {.name = (char *)"one", .command = argv, .cwd = (char *)"."};
	char *program = NULL;
	FrameworkId id = framework_of_command(tree, &benchmark, &program);
	assert_int_equal(id != FRAMEWORK_NONE, program != NULL);
	return program;
}

static void assert_recognised(const char *tree, const char *text, const char *expected)
{
	g_autofree char *program = recognised(tree, text);
	print_message("%s\n", text);
	if (expected == NULL)
		assert_null(program);
	else if (program == NULL)
		fail_msg("nothing is recognised");
	else
		assert_string_equal(program, expected);
}

static void a_program_in_a_text_is_recognised(void **state)
{
	put(*state, "build/bench", NANOBENCH, 0755);
	put(*state, "build/other", ELF, 0755);
	assert_recognised(*state, "build/bench", "build/bench");
	assert_recognised(*state, "FAST=1 taskset 1 ./build/bench > log", "./build/bench");
	assert_recognised(*state, "build/other", NULL);
}

static void a_program_in_the_folder_that_a_text_goes_to_is_recognised(void **state)
{
	put(*state, "build/bin/bench", NANOBENCH, 0755);
	assert_recognised(*state, "cd build/bin && ./bench", "./bench");
	assert_recognised(*state, "cd build; cd bin; ./bench", "./bench");
	assert_recognised(*state, "(cd build && make) && build/bin/bench", "build/bin/bench");
	assert_recognised(*state, "cd \"$HOME\" && ./bench", NULL);
	assert_recognised(*state, "cd", NULL);
}

static void so_is_one_that_a_script_names(void **state)
{
	put(*state, "build/bench", NANOBENCH, 0755);
	put(*state, "run.sh", "#!/bin/sh\nexec build/bench \"$@\"\n", 0755);
	put(*state, "twice.sh", "#!/bin/sh\n./run.sh\n", 0755);
	assert_recognised(*state, "./run.sh --quick", "build/bench");
	assert_recognised(*state, "./twice.sh", NULL);
}

static void tools_that_run_benchmarks_at_once_are_recognised(void **state)
{
	assert_recognised(*state, "go test -bench=. ./...", "go test");
	assert_recognised(*state, "go test ./...", NULL);
	assert_recognised(*state, "cargo bench --bench parse", "cargo bench");
}

static void what_lies_outside_of_the_tree_is_not_looked_at(void **state)
{
	put(*state, "inner/keep", "", 0644);
	put(*state, "bench", NANOBENCH, 0755);
	g_autofree char *inner = g_build_filename(*state, "inner", NULL),
	                *bench = g_build_filename(*state, "bench", NULL);
	assert_recognised(inner, "../bench", NULL);
	assert_recognised(*state, bench, NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
	        TEST(a_program_in_a_text_is_recognised),
	        TEST(a_program_in_the_folder_that_a_text_goes_to_is_recognised),
	        TEST(so_is_one_that_a_script_names),
	        TEST(tools_that_run_benchmarks_at_once_are_recognised),
	        TEST(what_lies_outside_of_the_tree_is_not_looked_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
