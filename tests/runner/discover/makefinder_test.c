/* SPDX-License-Identifier: Apache-2.0 */
#include "discoverfixture.h"

static void the_database_names_targets(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) targets =
	        make_targets("# Variables\nx := a:b\n\n# Files\n\n"
	                     "# Not a target:\nbench.c:\n#  Implicit rule search\n\n"
	                     "bench: bench.o lib.o | dir\n#  recipe to execute (from 'Makefile')\n"
	                     "\t$(CC) -o $@\n\n"
	                     "check: bench\n#  Phony target (prerequisite of .PHONY).\n"
	                     "#  recipe to execute\n\t./bench\n\n%.o: %.c\n\n");
	assert_int_equal(targets->len, 2);
	const MakeTarget *bench = g_ptr_array_index(targets, 0), *check = g_ptr_array_index(targets, 1);
	assert_string_equal(bench->name, "bench");
	assert_true(bench->recipe);
	assert_false(bench->phony);
	assert_int_equal(g_strv_length(bench->prerequisites), 3);
	assert_true(check->phony);
}

static void targets_of_another_makefile_do_not_count(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) targets =
	        make_targets("\n# Make data base, printed on Mon\n\n# Files\n\nbench: bench.o\n\n"
	                     "make[1]: Leaving\n\n# Make data base, printed on Tue\n\n# Files\n\nall: sub\n\n");
	assert_int_equal(targets->len, 1);
	assert_string_equal(((const MakeTarget *)g_ptr_array_index(targets, 0))->name, "all");
}

static void command_lines_tell_programs_and_arguments(void **state)
{
	(void)state;
	guint unclear = 0;
	g_autoptr(GPtrArray) lines = make_program_lines(
	        "cc -o bench bench.c\n./bench data.json 3 > out.txt\necho done; ./other\n./piped | sort\n", &unclear);
	assert_int_equal(lines->len, 2);
	char **first = g_ptr_array_index(lines, 0), **second = g_ptr_array_index(lines, 1);
	assert_string_equal(first[0], "./bench");
	assert_string_equal(first[2], "3");
	assert_null(first[3]);
	assert_string_equal(second[0], "./other");
	assert_int_equal(unclear, 1);
}

static void a_target_that_is_a_program_is_found(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile",
	        "all: lib\nlib: lib.o\n\tcc -o lib lib.o\nbench: bench.o\n\tcc -o bench bench.o\n"
	        "clean-bench:\n\trm -f bench\n.PHONY: all clean-bench\n");
	put_program(place, "bench.c");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 1);
	assert_built_by(found, "make -j2 bench");
}

static void a_phony_target_tells_the_arguments_of_its_program(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile",
	        "N = 30\nbench: speed\n\t@./speed --size $(N) > result.txt\nspeed: speed.c\n\tcc -o $@ speed.c\n"
	        ".PHONY: bench\n");
	put_program(place, "speed.c");
	assert_true(find_make(place, ".", found));
	const DiscoveredProgram *speed = program_named(found, "speed");
	g_auto(GStrv) command = discovered_program_command(speed);
	assert_string_equal(command[1], "--size");
	assert_string_equal(command[2], "30");
	/* `make bench` would run it */
	assert_built_by(found, "make -j2 speed");
}

static void a_phony_target_that_cannot_be_read_is_a_remark(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile", "bench:\n\tpython3 run.py\n.PHONY: bench\n");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 0);
	assert_non_null(strstr(remark(found), "`make bench`"));
}

static void a_target_that_runs_something_is_no_program(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "bench/Makefile",
	        "speed: speed.c\n\tcc -o speed speed.c\nrun: speed\n\t./speed\n"
	        "bench: speed\n\t./speed 7\n");
	put_program(place, "bench/speed.c");
	assert_true(find_make(place, "bench", found));
	assert_int_equal(programs(found), 1);
	assert_string_equal(program_named(found, "speed")->arguments[0], "7");
	assert_built_by(found, "make -j2 -C bench speed");
}

static void programs_of_rules_for_a_kind_are_found(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile",
	        "all:\nstress: test/microbench\n\t./run-all\ntest/%: test/%.o\n\tcc -o $@ $<\n"
	        "tree_bench: tree_bench.o\nbenchdata:\n.PHONY: stress\n");
	put_program(place, "test/microbench.c");
	put_program(place, "tree_bench.c");
	put(place, "benchdata/one.txt", "");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 2);
	assert_string_equal(program_named(found, "microbench")->build, "test/microbench");
	assert_string_equal(program_named(found, "tree_bench")->build, "tree_bench");
}

static void a_makefile_by_hand_comes_from_configure(void **state)
{
	NEEDS("make");
	NEEDS("autoreconf");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "my lib/configure.ac", "AC_INIT([x], [1])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n");
	put(place, "my lib/Makefile.in", "bench: bench.c\n\tcc -o $@ bench.c\n");
	put_program(place, "my lib/bench.c");
	assert_true(find_make(place, "my lib", found));
	assert_string_equal(remark(found), "");
	assert_int_equal(programs(found), 1);
	assert_built_by(found, "set -e\n(cd 'my lib' && autoreconf -fi && ./configure)\nmake -j2 -C 'my lib' bench");
}

static void a_configure_that_fails_is_a_remark(void **state)
{
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "configure", "#!/bin/sh\necho error: no libx >&2\nexit 1\n");
	g_autofree char *script = discover_file(place, "configure");
	assert_int_equal(g_chmod(script, 0755), 0);
	assert_true(find_make(place, ".", found));
	assert_string_equal(remark(found),
	        "Make in .: its Makefile has to be made, and `./configure` exited with 1: error: no libx");
}

static void a_recipe_of_variables_is_read_expanded(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile", "FLAGS := -O2 -o bench\nbench: bench.c\n\t$(CC) $^ $(FLAGS)\n");
	put_program(place, "bench.c");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 1);
	assert_string_equal(remark(found), "");
}

static void a_target_may_write_programs_of_other_names(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile", "bench: bench.c\n\t$(CC) bench.c -o one\n\t$(CC) bench.c -DTWO -o two -lz\n");
	put_program(place, "bench.c");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 2);
	assert_string_equal(program_named(found, "two")->program, "two");
	assert_built_by(found, "make -j2 bench");
}

static void without_a_benchmark_it_says_what_it_looked_at(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	put(place, "Makefile", "all: lib\nlib: lib.o\n\tcc -o lib lib.o\n.PHONY: all\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 0);
	assert_true(g_str_has_prefix(looked(found), "Make in .: "));
	assert_non_null(strstr(looked(found), "none is named like a benchmark"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(the_database_names_targets),
	        TEST(targets_of_another_makefile_do_not_count),
	        TEST(command_lines_tell_programs_and_arguments),
	        TEST(a_target_that_is_a_program_is_found),
	        TEST(a_phony_target_tells_the_arguments_of_its_program),
	        TEST(a_phony_target_that_cannot_be_read_is_a_remark),
	        TEST(a_target_that_runs_something_is_no_program),
	        TEST(programs_of_rules_for_a_kind_are_found),
	        TEST(a_makefile_by_hand_comes_from_configure),
	        TEST(a_configure_that_fails_is_a_remark),
	        TEST(a_recipe_of_variables_is_read_expanded),
	        TEST(a_target_may_write_programs_of_other_names),
	        TEST(without_a_benchmark_it_says_what_it_looked_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
