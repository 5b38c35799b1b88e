/* SPDX-License-Identifier: Apache-2.0 */
#include "discoverfixture.h"

static void options_for_benchmarks_that_are_off_are_known(void **state)
{
	(void)state;
	g_auto(GStrv) options = cmake_benchmark_options("//Build them\nDEMO_BUILD_BENCH:BOOL=OFF\nDEMO_TESTS:BOOL=OFF\n"
	                                                "OTHER_BENCHMARKS:BOOL=ON\nBENCHMARK_ENABLE_TESTING:BOOL=OFF\n"
	                                                "DEMO_INSTALL_BENCHMARKS:BOOL=OFF\nBENCH_DIR:PATH=\n"
	                                                "demo.benchmark:BOOL=OFF\n");
	assert_int_equal(g_strv_length(options), 2);
	assert_string_equal(options[1], "demo.benchmark");
	assert_string_equal(options[0], "DEMO_BUILD_BENCH");
}

static const char lists[] = "cmake_minimum_required(VERSION 3.14)\nproject(demo C)\n"
                            "option(DEMO_BENCH \"benchmarks\" OFF)\nadd_executable(tool tool.c)\n"
                            "if(DEMO_BENCH)\n  add_executable(parse_bench perf/parse.c)\nendif()\n";

static void a_target_that_an_option_switches_on_is_found(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	put(place, "CMakeLists.txt", lists);
	put_program(place, "tool.c");
	put_program(place, "perf/parse.c");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 1);
	assert_built_by(found, "set -e\ncmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DDEMO_BENCH=ON\n"
	                       "cmake --build build -j2 --target parse_bench");
	assert_string_equal(program_named(found, "parse_bench")->program, "build/parse_bench");
	/* the build begins with a fresh folder, as in a check */
	assert_false(discover_has(place, "build"));
}

static void an_option_that_cannot_be_had_is_a_remark(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "CMakeLists.txt",
	        "cmake_minimum_required(VERSION 3.14)\nproject(demo C)\noption(DEMO_BENCH \"benchmarks\" OFF)\n"
	        "add_executable(small_bench tool.c)\nif(DEMO_BENCH)\n"
	        "  message(FATAL_ERROR \"no library\")\nendif()\n");
	put_program(place, "tool.c");
	assert_true(find_cmake(place, ".", found));
	assert_non_null(strstr(remark(found), "DEMO_BENCH"));
	assert_non_null(strstr(remark(found), "no library"));
	assert_int_equal(programs(found), 1);
}

static void a_program_may_be_made_outside_of_the_build_folder(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "CMakeLists.txt",
	        "cmake_minimum_required(VERSION 3.14)\nproject(demo C)\n"
	        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR}/bin)\nadd_executable(sort_bench sort.c)\n");
	put(place, "sort.c", "int main(void) { return 0; }\n");
	assert_true(find_cmake(place, ".", found));
	assert_string_equal(program_named(found, "sort_bench")->program, "bin/sort_bench");
}

static void a_framework_is_known_by_what_sources_include(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "lib/CMakeLists.txt",
	        "cmake_minimum_required(VERSION 3.14)\nproject(demo CXX)\nadd_executable(speed speed.cc)\n");
	put(place, "lib/speed.cc", "#include <benchmark/benchmark.h>\nBENCHMARK_MAIN();\n");
	assert_true(find_cmake(place, "lib", found));
	assert_string_equal(program_named(found, "speed")->framework, "google-benchmark");
	assert_string_equal(program_named(found, "speed")->program, "lib/build/speed");
}

static void a_part_of_a_project_is_none(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "bench/CMakeLists.txt", "add_demo_bench(x)\n");
	put(place, "CMakeLists.txt", "cmake_minimum_required(VERSION 3.14)\nproject(demo C)\n");
	assert_false(find_cmake(place, "bench", found));
	assert_true(find_cmake(place, ".", found));
	assert_string_equal(remark(found), "");
	assert_true(g_str_has_prefix(looked(found), "CMake in .: 0 programs; none is named like a benchmark"));
}

static void projects_side_by_side_have_folders_of_their_own(void **state)
{
	NEEDS("cmake");
	const DiscoverPlace *place = *state;
	static const char *const files[] = {"one/CMakeLists.txt", "two words/CMakeLists.txt"};
	for (guint i = 0; i < G_N_ELEMENTS(files); i++)
		put(place, files[i],
		        "cmake_minimum_required(VERSION 3.14)\nproject(x C)\nadd_executable(x_bench ../x.c)\n");
	put_program(place, "x.c");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 2);
	assert_built_by(found, "set -e\ncmake -S one -B one/build -DCMAKE_BUILD_TYPE=Release\n"
	                       "cmake --build one/build -j2 --target x_bench\n"
	                       "cmake -S 'two words' -B 'two words/build' -DCMAKE_BUILD_TYPE=Release\n"
	                       "cmake --build 'two words/build' -j2 --target x_bench");
	const DiscoveredProgram *second = build_at(found, 1)->programs->pdata[0];
	assert_string_equal(second->program, "two words/build/x_bench");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(options_for_benchmarks_that_are_off_are_known),
	        TEST(a_target_that_an_option_switches_on_is_found),
	        TEST(an_option_that_cannot_be_had_is_a_remark),
	        TEST(a_program_may_be_made_outside_of_the_build_folder),
	        TEST(a_framework_is_known_by_what_sources_include),
	        TEST(a_part_of_a_project_is_none),
	        TEST(projects_side_by_side_have_folders_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
