/* SPDX-License-Identifier: Apache-2.0 */
#include "discoverfixture.h"

static void options_for_benchmarks_are_switched_on(void **state)
{
	(void)state;
	g_auto(GStrv) options =
	        meson_benchmark_options("[{\"name\": \"benchmarks\", \"type\": \"combo\", \"section\": \"user\","
	                                "  \"choices\": [\"enabled\", \"disabled\", \"auto\"]},"
	                                " {\"name\": \"bench\", \"type\": \"boolean\", \"section\": \"user\"},"
	                                " {\"name\": \"sub:benchmarks\", \"type\": \"boolean\", \"section\": \"user\"},"
	                                " {\"name\": \"tests\", \"type\": \"boolean\", \"section\": \"user\"}]");
	assert_int_equal(g_strv_length(options), 2);
	assert_string_equal(options[0], "-Dbenchmarks=enabled");
	assert_string_equal(options[1], "-Dbench=true");
}

static void a_benchmark_tells_its_arguments(void **state)
{
	NEEDS("meson");
	NEEDS("ninja");
	const DiscoverPlace *place = *state;
	put(place, "meson.build",
	        "project('demo', 'c')\nbenchmark('tree', executable('tree', 'tree.c'), args: ['--count', '5'])\n"
	        "executable('tool', 'tree.c')\n");
	put_program(place, "tree.c");
	g_autoptr(Discovery) found = discover(place, NULL);
	assert_int_equal(programs(found), 1);
	g_auto(GStrv) command = discovered_program_command(program_named(found, "tree"));
	g_autofree char *line = g_strjoinv(" ", command);
	assert_string_equal(line, "./build/tree --count 5");
	assert_built_by(
	        found, "set -e\nmeson setup build --buildtype=release --wrap-mode=nodownload\nninja -C build tree");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(options_for_benchmarks_are_switched_on),
	        TEST(a_benchmark_tells_its_arguments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
