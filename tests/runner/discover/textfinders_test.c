/* SPDX-License-Identifier: Apache-2.0 */
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
	assert_string_equal(program_named(found, "speed")->program, "lib/build/bench/speed");
	assert_built_by(found, "set -e\nautoreconf -fi lib\nmkdir -p lib/build\n"
	                       "(cd lib/build && ../configure --disable-shared)\nmake -C lib/build -j2\n"
	                       "make -C lib/build/bench speed");
}

static void an_included_makefile_speaks_of_paths_below_the_top(void **state)
{
	const DiscoverPlace *place = *state;
	g_autoptr(Discovery) found = discovery_new();
	put(place, "configure", "");
	put(place, "configure.ac", "AC_INIT([x], [1])\n");
	put(place, "Makefile.am", "include bench/local.am\n");
	put(place, "bench/local.am", "noinst_PROGRAMS = bench/speed %reldir%/no\n");
	/* a folder of that name is in use */
	put(place, "build/notes", "");
	assert_true(find_autotools(place, ".", found));
	assert_int_equal(programs(found), 1);
	assert_string_equal(program_named(found, "speed")->program, "build-bench/bench/speed");
	assert_built_by(found, "set -e\nmkdir -p build-bench\n(cd build-bench && ../configure)\n"
	                       "make -C build-bench -j2\nmake -C build-bench bench/speed");
}

static void sources_of_one_name_get_two_programs(void **state)
{
	const DiscoverPlace *place = *state;
	put_program(place, "bench/a/run.c");
	put_program(place, "bench/b/run.c");
	g_autoptr(Discovery) found = discover(place, NULL);
	const DiscoveredBuild *build = build_at(found, 0);
	assert_int_equal(build->programs->len, 2);
	const DiscoveredProgram *one = build->programs->pdata[0], *other = build->programs->pdata[1];
	assert_string_equal(one->program, "build-bench/run");
	assert_string_equal(other->program, "build-bench/bench-b-run");
}

static void each_build_says_what_it_looked_at(void **state)
{
	const DiscoverPlace *place = *state;
	put(place, "auto/configure.ac", "AC_INIT([x], [1])\n");
	put(place, "auto/Makefile.am", "bin_PROGRAMS = tool\n");
	put(place, "go/go.mod", "module example.org/x\n");
	put(place, "go/x_test.go", "package x\n");
	put(place, "zig/build.zig", "const c = b.addExecutable(.{ .name = \"tool\" });\n");
	put(place, "bench/helper.c", "int helper(void) { return 0; }\n");
	g_autoptr(Discovery) found = discover(place, NULL);
	static const char *const texts[] = {"Autotools in auto: 1 program: tool; none is named like a benchmark",
	        "sources in bench: 1 of C or C++; none has a main function",
	        "Go in go: 1 file *_test.go; none has a function Benchmark",
	        "Zig in zig: 1 executable: tool; none is named like a benchmark"};
	assert_int_equal(found->looked->len, G_N_ELEMENTS(texts));
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		if (!g_str_has_prefix(found->looked->pdata[i], texts[i]))
			fail_msg("%s", (char *)found->looked->pdata[i]);
}

static void no_build_at_all_is_said(void **state)
{
	const DiscoverPlace *place = *state;
	put(place, "docs/README", "");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_true(g_str_has_prefix(looked(found), "the root and 1 folder in it: there is no CMakeLists.txt"));
}

/* Every shell word that a finder writes stands for the path it means, whatever is in it. */
static void strange_names_survive_the_shell(void **state)
{
	const DiscoverPlace *place = *state;
	static const char *const folders[] = {
	        "with blank", "quo'te\"s", "dollar$HOME", "-dash", "n\303\244chst", "line\nfeed"};
	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *mod = g_build_filename(folders[i], "go.mod", NULL),
		                *test = g_build_filename(folders[i], "x_test.go", NULL),
		                *script = g_build_filename(folders[i], "configure.ac", NULL),
		                *top = g_build_filename(folders[i], "Makefile.am", NULL),
		                *zig = g_build_filename(folders[i], "build.zig", NULL),
		                *source = g_build_filename("bench", folders[i], "b.c", NULL);
		put(place, mod, "module example.org/x\n");
		put(place, test, "package x\nfunc BenchmarkX(b *testing.B) {}\n");
		put(place, script, "AC_INIT([x], [1])\n");
		put(place, top, "noinst_PROGRAMS = x_bench\n");
		put(place, zig, "const c = b.addExecutable(.{ .name = \"x_bench\" });\n");
		put(place, source, "int main(void) { return 0; }\n");
	}
	g_autoptr(Discovery) found = discovery_new();
	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		assert_true(find_go(place, folders[i], found));
		assert_true(find_autotools(place, folders[i], found));
		assert_true(find_zig(place, folders[i], found));
	}
	assert_true(find_plain(place, "bench", found));
	assert_int_equal(programs(found), 4 * G_N_ELEMENTS(folders));
	/* tools that only write down where they are and what they are told; the shell has to find the folders */
	put(place, "bin/tool", "#!/bin/sh\nfor a; do case $a in -dash*) exit 9;; esac; done\nexit 0\n");
	g_autofree char *tool = discover_file(place, "bin/tool");
	assert_int_equal(g_chmod(tool, 0755), 0);
	static const char *const tools[] = {"go", "autoreconf", "make", "zig", "cc"};
	for (guint i = 0; i < G_N_ELEMENTS(tools); i++) {
		g_autofree char *link = g_build_filename(place->tree, "bin", tools[i], NULL);
		assert_int_equal(symlink("tool", link), 0);
	}
	for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *path = g_build_filename(folders[i], "configure", NULL);
		put(place, path, "#!/bin/sh\nexit 0\n");
		g_autofree char *file = discover_file(place, path);
		assert_int_equal(g_chmod(file, 0755), 0);
	}
	g_autofree char *build = discovery_build_command(found, NULL);
	g_autofree char *script = g_strdup_printf("PATH=\"$PWD/bin:$PATH\"; export PATH\n%s", build);
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	g_autofree char *failure = NULL;
	g_autofree char *out = discover_ask(place, ".", argv, &failure);
	if (out == NULL)
		fail_msg("%s", failure);
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
	assert_built_by(found, "zig build -Doptimize=ReleaseFast");
}

static void sources_without_a_build_are_compiled(void **state)
{
	const DiscoverPlace *place = *state;
	put_program(place, "bench/sort.c");
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
	        TEST(an_included_makefile_speaks_of_paths_below_the_top),
	        TEST(sources_of_one_name_get_two_programs),
	        TEST(each_build_says_what_it_looked_at),
	        TEST(no_build_at_all_is_said),
	        TEST(strange_names_survive_the_shell),
	        TEST(executables_of_zig_are_found_by_name),
	        TEST(sources_without_a_build_are_compiled),
	        TEST(bazel_is_not_understood_yet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
