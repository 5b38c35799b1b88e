/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#define USAGE_OF_1_8 "          [--benchmark_min_time=`<integer>x` OR `<float>s` ]"

/* A file that begins as programs do and holds that text beyond the first piece that is read. Owned by the caller. */
static char *program_with(const char *text)
{
	g_autoptr(GString) bytes = g_string_new("\177ELF");
	g_string_set_size(bytes, 1024 * 1024 - strlen(text) / 2);
	memset(bytes->str + 4, 0, bytes->len - 4);
	g_string_append(bytes, text);
	char *path = NULL;
	int fd = g_file_open_tmp("recognition-XXXXXX", &path, NULL);
	assert_true(fd >= 0);
	g_close(fd, NULL);
	assert_true(g_file_set_contents(path, bytes->str, (gssize)bytes->len, NULL));
	return path;
}

static void programs_are_told_apart_by_what_they_hold(void **state)
{
	static const struct {
		const char *text;
		FrameworkId id;
	} rows[] = {
	        {"_ZN9benchmark22RunSpecifiedBenchmarksEv", FRAMEWORK_GOOGLE_BENCHMARK},
	        {"benchmark [--benchmark_list_tests={true|false}]", FRAMEWORK_GOOGLE_BENCHMARK},
	        {"N5Catch9Benchmark6Detail17BenchmarkFunction5modelIZL19C_A_T_C_H_T_E_S_T_0vEUliE_EE",
	                FRAMEWORK_CATCH2},
	        {"N5Catch9Benchmark6Detail17BenchmarkFunction5modelINS2_10do_nothingEEE", FRAMEWORK_NONE},
	        {"NANOBENCH_ENDLESS", FRAMEWORK_NANOBENCH},
	        {"RUST_TEST_THREADS CRITERION_DEBUG", FRAMEWORK_CRITERION},
	        {"RUST_TEST_THREADS", FRAMEWORK_LIBTEST},
	        {"testing.(*B).launch", FRAMEWORK_GO},
	        {"--benchmark_min_time", FRAMEWORK_NONE},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = program_with(rows[i].text);
		print_message("%s\n", rows[i].text);
		assert_int_equal(framework_of_file(path), rows[i].id);
		g_unlink(path);
	}
}

static void texts_of_other_files_mean_nothing(void **state)
{
	g_autofree char *path = program_with("NANOBENCH_ENDLESS");
	(void)state;
	assert_true(g_file_set_contents(path, "#!/bin/sh NANOBENCH_ENDLESS", -1, NULL));
	assert_int_equal(framework_of_file(path), FRAMEWORK_NONE);
	g_unlink(path);
	assert_int_equal(framework_of_file(path), FRAMEWORK_NONE);
	assert_int_equal(framework_of_file("/"), FRAMEWORK_NONE);
}

static void firebreak_itself_is_none_of_them(void **state)
{
	(void)state;
	assert_int_equal(framework_of_file(BUILD_DIR "/firebreak"), FRAMEWORK_NONE);
}

static void a_program_calibrates_itself_unless_its_arguments_fix_the_work(void **state)
{
	static const struct {
		FrameworkId id;
		const char *words;
		gboolean calibrates;
	} rows[] = {
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b", TRUE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_min_time=2", TRUE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_min_time=2s", TRUE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_min_time=200x", FALSE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_min_time=200x --benchmark_min_time=1s", TRUE},
	        {FRAMEWORK_GO, "./p.test", FALSE},
	        {FRAMEWORK_GO, "./p.test -test.bench=.", TRUE},
	        {FRAMEWORK_GO, "./p.test -test.bench . -test.benchtime 1s", TRUE},
	        {FRAMEWORK_GO, "./p.test -test.bench . -test.benchtime 100x", FALSE},
	        {FRAMEWORK_GO, "./p.test --test.bench=. --test.benchtime=100x", FALSE},
	        {FRAMEWORK_GO, "./p.test -test.bench . -test.list .", FALSE},
	        {FRAMEWORK_CATCH2, "./t", TRUE},
	        {FRAMEWORK_CATCH2, "./t --list-tests", FALSE},
	        {FRAMEWORK_CATCH2, "./t --skip-benchmarks", FALSE},
	        {FRAMEWORK_CRITERION, "./c --bench", TRUE},
	        {FRAMEWORK_CRITERION, "./c", FALSE},
	        {FRAMEWORK_CRITERION, "./c --bench --list", FALSE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_list_tests", FALSE},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "./b --benchmark_list_tests=false", TRUE},
	        {FRAMEWORK_LIBTEST, "./c --bench", TRUE},
	        {FRAMEWORK_LIBTEST, "./c", FALSE},
	        {FRAMEWORK_NANOBENCH, "./n", TRUE},
	        {FRAMEWORK_NONE, "./n", FALSE},
	};
	g_autofree char *path = program_with(USAGE_OF_1_8);
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_auto(GStrv) words = g_strsplit(rows[i].words, " ", -1);
		print_message("%s %s\n", framework_name(rows[i].id), rows[i].words);
		assert_int_equal(
		        framework_calibrates(rows[i].id, path, (const char *const *)words), rows[i].calibrates);
	}
	g_unlink(path);
}

static void the_cases_of_a_listing_are_found(void **state)
{
	static const struct {
		FrameworkId id;
		const char *output, *first;
		guint n;
	} rows[] = {
	        {FRAMEWORK_GOOGLE_BENCHMARK, "BM_work\nBM_other/8\nBM_other/64\n", "BM_work", 3},
	        {FRAMEWORK_GO, "BenchmarkWork\nBenchmarkSub\nok\n", "BenchmarkWork", 2},
	        {FRAMEWORK_CATCH2, "work here\nplain\n", "work here", 2},
	        {FRAMEWORK_LIBTEST, "bench_work: benchmark\nt: test\n\n1 test, 1 benchmark\n", "bench_work", 1},
	        {FRAMEWORK_CRITERION, "group/a: benchmark\n", "group/a", 1},
	        {FRAMEWORK_NANOBENCH, "a\n", NULL, 0},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) cases = framework_cases(rows[i].id, rows[i].output);
		assert_int_equal(cases->len, rows[i].n);
		if (cases->len > 0)
			assert_string_equal(cases->pdata[0], rows[i].first);
	}
}

static void a_filter_takes_a_name_as_it_is(void **state)
{
	static const struct {
		FrameworkId id;
		const char *name, *filter;
	} rows[] = {
	        {FRAMEWORK_GOOGLE_BENCHMARK, "BM_other<int>/8", "^BM_other<int>/8$"},
	        {FRAMEWORK_GOOGLE_BENCHMARK, "BM_a.b", "^BM_a\\.b$"},
	        {FRAMEWORK_GO, "BenchmarkSub/a_b", "^BenchmarkSub$/^a_b$"},
	        {FRAMEWORK_CATCH2, "work, and [more]", "work\\, and \\[more]"},
	        {FRAMEWORK_LIBTEST, "bench::work", "bench::work"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *filter = framework_filter(rows[i].id, rows[i].name);
		assert_string_equal(filter, rows[i].filter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(programs_are_told_apart_by_what_they_hold),
	        cmocka_unit_test(texts_of_other_files_mean_nothing),
	        cmocka_unit_test(firebreak_itself_is_none_of_them),
	        cmocka_unit_test(a_program_calibrates_itself_unless_its_arguments_fix_the_work),
	        cmocka_unit_test(the_cases_of_a_listing_are_found),
	        cmocka_unit_test(a_filter_takes_a_name_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
