/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/worksource.h"

#include "discoverfixture.h"

#define MAIN "int main(void) { return 0; }\n"

/* The line that is found for the program build/speed. Owned by the caller. */
static char *line_of(const DiscoverPlace *place)
{
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", ".");
	return work_source_line(place, discovered_build_add(build, "speed", "build/speed", ".", NULL));
}

static void assert_line(const DiscoverPlace *place, const char *source, const char *expected)
{
	g_autofree char *text = g_strconcat(source, "\n" MAIN, NULL);
	put(place, "src/speed.c", text);
	g_autofree char *line = line_of(place);
	if (expected != NULL)
		assert_string_equal(line, expected);
	else
		assert_null(line);
}

/* http-parser parses 8 GiB in 18 s. */
static void a_constant_with_the_name_of_an_amount_is_found(void **state)
{
	assert_line(*state, "/* bench */\nstatic const int64_t kBytes = 8LL << 30;",
	        "src/speed.c:2: static const int64_t kBytes = 8LL << 30;");
	assert_line(*state, "#define N_ITERS (5000000)", "src/speed.c:1: #define N_ITERS (5000000)");
	assert_line(*state, "  int count = 0x100000u;", "src/speed.c:1: int count = 0x100000u;");
	assert_line(*state, "constexpr auto loops = 1'000'000;", "src/speed.c:1: constexpr auto loops = 1'000'000;");
	assert_line(*state, "double total = 1e6;", "src/speed.c:1: double total = 1e6;");
}

static void the_bound_of_a_loop_is_found(void **state)
{
	assert_line(*state, "for (i = 0; i < 200000; i++)", "src/speed.c:1: for (i = 0; i < 200000; i++)");
}

static void the_largest_number_counts(void **state)
{
	assert_line(*state, "int rounds = 20000;\nint runs = 3000 * 1000;\nint reps = 2000000;",
	        "src/speed.c:2: int runs = 3000 * 1000;");
}

static void what_is_small_or_named_otherwise_is_none(void **state)
{
	assert_line(*state, "int rounds = 500;\n", NULL);
	assert_line(*state, "unsigned seed = 123456789;\nint port = 65000;", NULL);
	assert_line(*state, "int iterations = atoi(argv[1]);", NULL);
	assert_line(*state, "if (iterations == 1000000) abort();", NULL);
}

static void only_the_source_of_the_program_counts(void **state)
{
	put(*state, "src/other.c", "int runs = 1000000;\n" MAIN);
	put(*state, "src/speed.h", "int runs = 1000000;\n" MAIN);
	put(*state, "test/speed.c", "int runs = 1000000;\n");
	g_autofree char *none = line_of(*state);
	assert_null(none);
	put(*state, "src/speed.cc", "int runs = 1000000;\n" MAIN);
	g_autofree char *line = line_of(*state);
	assert_string_equal(line, "src/speed.cc:1: int runs = 1000000;");
	put(*state, "tools/speed.c", "int runs = 1000000;\n" MAIN);
	g_autofree char *several = line_of(*state);
	assert_null(several);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_constant_with_the_name_of_an_amount_is_found),
	        TEST(the_bound_of_a_loop_is_found),
	        TEST(the_largest_number_counts),
	        TEST(what_is_small_or_named_otherwise_is_none),
	        TEST(only_the_source_of_the_program_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
