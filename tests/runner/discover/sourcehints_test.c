/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/sourcehints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void names_speak_of_benchmarks(void **state)
{
	(void)state;
	static const char *const yes[] = {"bench", "tree_bench", "Benchmarks", "perf-json", "BM_parse", "run_perf"};
	static const char *const no[] = {"workbench", "perfect", "test", "benched", "superb"};
	for (gsize i = 0; i < G_N_ELEMENTS(yes); i++)
		assert_true(hint_name(yes[i]));
	for (gsize i = 0; i < G_N_ELEMENTS(no); i++)
		assert_false(hint_name(no[i]));
	assert_true(hint_path("src/bench/map.c"));
}

static void sources_tell_their_framework(void **state)
{
	(void)state;
	assert_string_equal(hint_framework("#include <benchmark/benchmark.h>"), "google-benchmark");
	assert_string_equal(hint_framework("#include \"nanobench.h\""), "nanobench");
	assert_string_equal(hint_framework("#include <catch2/catch.hpp>\nBENCHMARK(\"a\") {}"), "catch2");
	assert_null(hint_framework("#include <catch2/catch.hpp>\nTEST_CASE(\"a\") {}"));
	assert_string_equal(hint_framework("#[bench]\nfn a() {}"), "libtest");
}

static void libraries_tell_it_too(void **state)
{
	(void)state;
	assert_string_equal(hint_link_framework("/usr/lib/libbenchmark.so.1.7.1"), "google-benchmark");
	assert_string_equal(hint_link_framework("-lbenchmark -lpthread"), "google-benchmark");
	assert_null(hint_link_framework("libmybenchmark.a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_speak_of_benchmarks),
	        cmocka_unit_test(sources_tell_their_framework),
	        cmocka_unit_test(libraries_tell_it_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
