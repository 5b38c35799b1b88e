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
	put(place, "bench.c", "int main(void) { return 0; }\n");
	assert_true(find_make(place, ".", found));
	assert_int_equal(programs(found), 1);
	g_autofree char *build = discovery_build_command(found, NULL);
	assert_string_equal(build, "make -j2 bench");
}

static void a_phony_target_tells_the_arguments_of_its_program(void **state)
{
	NEEDS("make");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "Makefile",
	        "N = 30\nbench: speed\n\t@./speed --size $(N) > result.txt\nspeed: speed.c\n\tcc -o $@ speed.c\n"
	        ".PHONY: bench\n");
	put(place, "speed.c", "int main(void) { return 0; }\n");
	assert_true(find_make(place, ".", found));
	const DiscoveredProgram *speed = program_named(found, "speed");
	g_auto(GStrv) command = discovered_program_command(speed);
	assert_string_equal(command[1], "--size");
	assert_string_equal(command[2], "30");
	/* `make bench` would run it */
	g_autofree char *build = discovery_build_command(found, NULL);
	assert_string_equal(build, "make -j2 speed");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(the_database_names_targets),
	        TEST(command_lines_tell_programs_and_arguments),
	        TEST(a_target_that_is_a_program_is_found),
	        TEST(a_phony_target_tells_the_arguments_of_its_program),
	        TEST(a_phony_target_that_cannot_be_read_is_a_remark),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
