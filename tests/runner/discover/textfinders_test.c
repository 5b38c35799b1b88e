#include "discoverfixture.h"

static void programs_of_automake_are_read(void **state)
{
	(void)state;
	g_auto(GStrv) programs =
	        automake_programs("lib_LTLIBRARIES = libx.la\nnoinst_PROGRAMS = speed_bench \\\n  other\n"
	                          "check_PROGRAMS += runner # tests\nEXTRA_PROGRAMS = $(MORE)\n");
	g_autofree char *all = g_strjoinv(" ", programs);
	assert_string_equal(all, "speed_bench other runner");
}

static void autotools_are_built_in_a_folder_of_their_own(void **state)
{
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "lib/configure.ac", "AC_INIT([x], [1])\nLT_INIT\n");
	put(place, "lib/Makefile.am", "SUBDIRS = bench\nbin_PROGRAMS = tool\n");
	put(place, "lib/bench/Makefile.am", "noinst_PROGRAMS = speed\n");
	assert_true(find_autotools(place, "lib", found));
	assert_int_equal(programs(found), 1);
	assert_string_equal(program_named(found, "speed")->program, "build/bench/speed");
	g_autofree char *build = discovery_build_command(found, NULL);
	assert_string_equal(build, "set -e\nautoreconf -fi lib\nmkdir -p build\n"
	                           "(cd build && ../lib/configure --disable-shared)\nmake -C build -j2\n"
	                           "make -C build/bench speed");
}

static void executables_of_zig_are_found_by_name(void **state)
{
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "build.zig",
	        "const a = b.addExecutable(.{ .name = \"map-bench\" });\n"
	        "const c = b.addExecutable(.{\n  .name = \"tool\" });\n");
	assert_true(find_zig(place, ".", found));
	assert_int_equal(programs(found), 1);
	assert_string_equal(program_named(found, "map-bench")->program, "zig-out/bin/map-bench");
	g_autofree char *build = discovery_build_command(found, NULL);
	assert_string_equal(build, "zig build -Doptimize=ReleaseFast");
}

static void sources_without_a_build_are_compiled(void **state)
{
	const DiscoverPlace *place = *state;
	put(place, "bench/sort.c", "int main(void) { return 0; }\n");
	put(place, "bench/helper.c", "int helper(void) { return 0; }\n");
	put(place, "bench/map.cc", "#include <benchmark/benchmark.h>\nBENCHMARK_MAIN();\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 2);
	assert_string_equal(program_named(found, "sort")->build,
	        "mkdir -p build-bench\ncc -O2 -I. -o build-bench/sort bench/sort.c -lm");
	assert_non_null(strstr(program_named(found, "map")->build, "-lbenchmark"));
}

static void bazel_is_not_understood_yet(void **state)
{
	const DiscoverPlace *place = *state;
	put(place, "MODULE.bazel", "module(name = \"x\")\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 0);
	assert_non_null(strstr(remark(found), "build: {command: \"bazel build -c opt"));
	assert_non_null(strstr(remark(found), "benchmarks: [{name: main, command: [./bench-program]}]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(programs_of_automake_are_read),
	        TEST(autotools_are_built_in_a_folder_of_their_own),
	        TEST(executables_of_zig_are_found_by_name),
	        TEST(sources_without_a_build_are_compiled),
	        TEST(bazel_is_not_understood_yet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
