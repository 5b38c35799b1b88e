/* Outputs as the frameworks print them: google-benchmark 1.7.1 and 1.9.5, Go 1.19, Catch2 2.13 and 3, rustc 1.91,
 * nanobench 4, criterion 0.5; of benchmarks of our own. */
#include "core/durable.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define GOOGLE_RUN(name, iterations, time, unit)                                                                       \
	"{\"name\": \"" name "\", \"run_name\": \"" name "\", \"run_type\": \"iteration\", \"threads\": 1, "           \
	"\"iterations\": " #iterations ", \"real_time\": 5.2e+02, \"cpu_time\": " #time ", \"time_unit\": \"" unit     \
	"\"}"
#define GOOGLE(runs) "{\"context\": {\"num_cpus\": 2}, \"benchmarks\": [" runs "]}"
#define GOOGLE_MEAN                                                                                                    \
	"{\"name\": \"BM_work_mean\", \"run_type\": \"aggregate\", \"aggregate_name\": \"mean\", \"iterations\": 3, "  \
	"\"cpu_time\": 5e+02, \"time_unit\": \"ns\"}"
#define GOOGLE_LOG                                                                                                     \
	"2026-11-23T07:19:23+00:00\nRunning ./bench\n-- LOG(2): Running BM_work for 1\n-- LOG(2): Ran in "             \
	"1e-06/2e-06\n"                                                                                                \
	"-- LOG(2): Running BM_work for 10\n-- LOG(2): Running BM_work for 556\n-- LOG(2): Running BM_work for 556\n"  \
	"-- LOG(2): Running BM_work_long for 7\n"
#define CATCH2(results)                                                                                                \
	"noise\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Catch name=\"t\">\n <TestCase name=\"work\">\n" results   \
	"  </TestCase>\n</Catch>\n"
#define CATCH2_RESULT                                                                                                  \
	"<BenchmarkResults name=\"hot loop\" samples=\"20\" resamples=\"100000\" iterations=\"50\" "                   \
	"clockResolution=\"21.8\" estimatedDuration=\"444000\">\n<mean value=\"446.911\" lowerBound=\"446.9\"/>\n"     \
	"</BenchmarkResults>\n"

static GPtrArray *google(const char *json, const char *log)
{
	return google_output_parse(json, strlen(json), log, NULL);
}

static const FrameworkCase *only(const GPtrArray *cases)
{
	assert_non_null(cases);
	assert_int_equal(cases->len, 1);
	return cases->pdata[0];
}

static void google_benchmark_says_iterations_and_time(void **state)
{
	g_autoptr(GPtrArray) cases = google(GOOGLE(GOOGLE_RUN("BM_work/8", 1000, 560.5, "us")), "");
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "BM_work/8");
	assert_true(one->iterations == 1000 && one->reported == 1000 && one->repetitions == 1);
	assert_true(one->ns == 560500);
	assert_false(one->logged);
}

static void repetitions_of_google_benchmark_add_up_and_its_means_are_none(void **state)
{
	g_autoptr(GPtrArray) cases = google(
	        GOOGLE(GOOGLE_RUN("BM_work", 556, 500, "ns") "," GOOGLE_RUN("BM_work", 556, 510, "ns") "," GOOGLE_MEAN),
	        "");
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_true(one->iterations == 1112 && one->reported == 556 && one->repetitions == 2 && one->ns == 505);
}

static void the_log_of_google_benchmark_tells_of_its_calibration(void **state)
{
	g_autoptr(GPtrArray) cases = google(
	        GOOGLE(GOOGLE_RUN("BM_work", 556, 500, "ns") "," GOOGLE_RUN("BM_work", 556, 510, "ns")), GOOGLE_LOG);
	(void)state;
	assert_true(only(cases)->iterations == 1 + 10 + 556 + 556);
	assert_true(only(cases)->logged);
}

static void results_that_google_benchmark_did_not_write_are_refused(void **state)
{
	static const char *const wrong[] = {
	        "{}",
	        "[]",
	        "{\"benchmarks\": [{}]}",
	        "{\"benchmarks\": [1]}",
	        "{\"benchmarks\": [",
	        GOOGLE(GOOGLE_RUN("BM_work", 0, 500, "ns")),
	        GOOGLE(GOOGLE_RUN("BM_work", 5, 500, "fortnights")),
	        "{\"benchmarks\": [{\"name\": \"a\", \"run_type\": \"iteration\", \"error_occurred\": true}]}",
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		print_message("%s\n", wrong[i]);
		assert_null(google(wrong[i], ""));
	}
}

static void no_case_of_google_benchmark_is_an_empty_file(void **state)
{
	g_autoptr(GPtrArray) cases = google("", "Failed to match any benchmarks against regex: nomatch\n");
	(void)state;
	assert_int_equal(cases->len, 0);
}

static void go_says_iterations_and_runs_one_more_before(void **state)
{
	g_autoptr(GPtrArray) cases = go_output_parse("goos: linux\nBenchmarkWork-2   \t    1000\t       517.7 ns/op\n"
	                                             "BenchmarkSub/a_b-2  1  11.05 ns/op\t5789.76 MB/s\t 16 B/op\t 2 "
	                                             "allocs/op\nPASS\n",
	        NULL);
	(void)state;
	assert_int_equal(cases->len, 2);
	const FrameworkCase *work = cases->pdata[0], *sub = cases->pdata[1];
	assert_string_equal(work->name, "BenchmarkWork-2");
	assert_true(
	        work->reported == 1000 && work->iterations == 1001 && work->ns == 517.7 && isnan(work->allocations));
	assert_true(sub->reported == 1 && sub->iterations == 1);
	assert_true(sub->bytes_per_s == 5789.76e6 && sub->allocated_bytes == 16 && sub->allocations == 2);
}

static void go_without_a_match_has_no_case(void **state)
{
	g_autoptr(GPtrArray) cases = go_output_parse("PASS\nBenchmarkBroken\n", NULL);
	(void)state;
	assert_int_equal(cases->len, 0);
	assert_null(go_output_parse("BenchmarkX many 1 ns/op\n", NULL));
}

static void catch2_says_samples_and_iterations_of_each(void **state)
{
	g_autoptr(GPtrArray) cases = catch2_output_parse(CATCH2(CATCH2_RESULT), NULL);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "hot loop");
	assert_true(one->iterations == 1000 && one->reported == 20 && one->ns == 446.911);
}

static void results_of_catch2_that_are_cut_or_failed_are_refused(void **state)
{
	g_autoptr(GPtrArray) none = catch2_output_parse(CATCH2(""), NULL);
	(void)state;
	assert_int_equal(none->len, 0);
	assert_null(catch2_output_parse("benchmark name  samples\n", NULL));
	assert_null(catch2_output_parse(CATCH2("<BenchmarkResults name=\"a\" samples=\"2\" iterations=\"2\">"), NULL));
	assert_null(catch2_output_parse(CATCH2("<BenchmarkResults name=\"a\" samples=\"2\"><mean value=\"1\"/>"
	                                       "</BenchmarkResults>"),
	        NULL));
	assert_null(catch2_output_parse(CATCH2("<failed message=\"x\"/>"), NULL));
}

static void libtest_says_a_time_alone(void **state)
{
	g_autoptr(GPtrArray) cases = libtest_output_parse(
	        "running 3 tests\ntest t ... ignored\ntest bench_work  ... bench:       1,254.84 ns/iter (+/- 2.75) = "
	        "1600 MB/s\n",
	        NULL);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "bench_work");
	assert_true(one->ns == 1254.84 && isnan(one->iterations) && one->bytes_per_s == 1600e6);
}

static void nanobench_says_a_time_in_its_table(void **state)
{
	static const char table[] = "|               ns/op |                op/s |    err% |     total | benchmark\n"
	                            "|--------------------:|--------------------:|--------:|----------:|:----------\n"
	                            "|            2,447.15 |          408,638.07 |    0.4% |      0.01 | `a b`\n";
	static const char shaky[] =
	        "| ns/op | op/s | err% | total | benchmark\n"
	        "| 1,510.21 | 662,161.42 | 36.1% | 0.90 | :wavy_dash: `a` (Unstable with ~52,226.8 iters. "
	        "Increase `minEpochIterations` to e.g. 522268)\n";
	g_autoptr(GPtrArray) cases = nanobench_output_parse(table, NULL), scatter = nanobench_output_parse(shaky, NULL);
	assert_string_equal(only(scatter)->name, "a");
	assert_true(only(scatter)->ns == 1510.21);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "a b");
	assert_true(one->ns == 2447.15);
	assert_null(nanobench_output_parse("| us/op |\n", NULL));
}

static void criterion_says_it_in_files(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("criterion-XXXXXX", NULL);
	g_autofree char *made = g_build_filename(folder, "group", "case", "new", NULL);
	g_autofree char *about = g_build_filename(made, "benchmark.json", NULL);
	g_autofree char *sample = g_build_filename(made, "sample.json", NULL);
	(void)state;
	assert_int_equal(g_mkdir_with_parents(made, 0700), 0);
	assert_null(criterion_output_read(folder, NULL));
	assert_true(g_file_set_contents(about, "{\"group_id\": \"group\", \"full_id\": \"group/case\"}", -1, NULL));
	assert_true(g_file_set_contents(
	        sample, "{\"sampling_mode\": \"Linear\", \"iters\": [10, 20], \"times\": [1000, 2600]}", -1, NULL));
	g_autoptr(GPtrArray) cases = criterion_output_read(folder, NULL);
	const FrameworkCase *one = only(cases);
	assert_string_equal(one->name, "group/case");
	assert_true(one->ns == 120);
	assert_true(durable_remove_tree(folder, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(google_benchmark_says_iterations_and_time),
	        cmocka_unit_test(repetitions_of_google_benchmark_add_up_and_its_means_are_none),
	        cmocka_unit_test(the_log_of_google_benchmark_tells_of_its_calibration),
	        cmocka_unit_test(results_that_google_benchmark_did_not_write_are_refused),
	        cmocka_unit_test(no_case_of_google_benchmark_is_an_empty_file),
	        cmocka_unit_test(go_says_iterations_and_runs_one_more_before),
	        cmocka_unit_test(go_without_a_match_has_no_case),
	        cmocka_unit_test(catch2_says_samples_and_iterations_of_each),
	        cmocka_unit_test(results_of_catch2_that_are_cut_or_failed_are_refused),
	        cmocka_unit_test(libtest_says_a_time_alone),
	        cmocka_unit_test(nanobench_says_a_time_in_its_table),
	        cmocka_unit_test(criterion_says_it_in_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
