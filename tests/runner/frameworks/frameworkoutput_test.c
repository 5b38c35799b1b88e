/* SPDX-License-Identifier: Apache-2.0 */
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
#include <time.h>

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

/* A counter of the program that is 0/0, as google-benchmark writes it, and a name that looks like one. */
static void counters_that_are_no_numbers_are_passed_over(void **state)
{
	static const char json[] =
	        "{\"benchmarks\": [{\"name\": \"BM_\\\"NaN\", \"run_type\": \"iteration\", \"iterations\": 7, "
	        "\"cpu_time\": 9.5e+02, \"time_unit\": \"ns\", \"hits\": NaN, \"misses\": -NaN, \"rate\": Infinity, "
	        "\"least\": -Infinity, \"items_per_second\": NaN\n}]}";
	g_autoptr(GPtrArray) cases = google(json, "");
	(void)state;
	assert_string_equal(only(cases)->name, "BM_\"NaN");
	assert_true(only(cases)->iterations == 7 && only(cases)->ns == 950 && isnan(only(cases)->items_per_s));
}

static void what_is_wrong_with_the_results_of_google_benchmark_is_said(void **state)
{
	static const struct {
		const char *json, *says;
	} rows[] = {
	        {GOOGLE("{\"name\": \"a\", \"iterations\": 1, \"iterations\": 2}"), "duplicate"},
	        {GOOGLE(GOOGLE_MEAN), "`ReportAggregatesOnly()`"},
	        {GOOGLE("{\"name\": \"a\", \"run_type\": \"iteration\", \"iterations\": NaN, \"cpu_time\": 1}"),
	                "names no iterations"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(google_output_parse(rows[i].json, strlen(rows[i].json), "", &error));
		print_message("%s\n", error->message);
		assert_non_null(strstr(error->message, rows[i].says));
	}
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
	g_autoptr(GPtrArray) cases = catch2_output_parse(CATCH2(CATCH2_RESULT), NULL, NULL);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "hot loop");
	assert_true(one->iterations == 1000 && one->reported == 20 && one->ns == 446.911);
}

static void results_of_catch2_that_are_cut_or_failed_are_refused(void **state)
{
	g_autoptr(GPtrArray) none = catch2_output_parse(CATCH2(""), NULL, NULL);
	(void)state;
	assert_int_equal(none->len, 0);
	assert_null(catch2_output_parse("benchmark name  samples\n", NULL, NULL));
	assert_null(catch2_output_parse(
	        CATCH2("<BenchmarkResults name=\"a\" samples=\"2\" iterations=\"2\">"), NULL, NULL));
	assert_null(catch2_output_parse(CATCH2("<BenchmarkResults name=\"a\" samples=\"2\"><mean value=\"1\"/>"
	                                       "</BenchmarkResults>"),
	        NULL, NULL));
	assert_null(catch2_output_parse(CATCH2("<failed message=\"x\"/>"), NULL, NULL));
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
	        "| ns/op | op/s | err% | total | benchmark\n|---:|---:|---:|---:|:---\n"
	        "| 1,510.21 | 662,161.42 | 36.1% | 0.90 | :wavy_dash: `a` (Unstable with ~52,226.8 iters. "
	        "Increase `minEpochIterations` to e.g. 522268)\n";
	g_autoptr(GPtrArray) cases = nanobench_output_parse(table, NULL), scatter = nanobench_output_parse(shaky, NULL);
	assert_string_equal(only(scatter)->name, "a");
	assert_true(only(scatter)->ns == 1510.21);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_string_equal(one->name, "a b");
	assert_true(one->ns == 2447.15);
	g_autoptr(GPtrArray) none = nanobench_output_parse("| us/op |\n", NULL);
	assert_int_equal(none->len, 0);
}

#define NANO_ROW(n, ns, name) "| " n " | " ns " | 2.00 | 0.4% | 812.00 | 0.01 | `" name "`\n"
#define NANO_LINE "|---:|---:|---:|---:|---:|---:|:---\n"

static double nanobench_ns(const char *table)
{
	g_autoptr(GPtrArray) cases = nanobench_output_parse(table, NULL);
	return cases != NULL && cases->len == 1 ? ((FrameworkCase *)cases->pdata[0])->ns : NAN;
}

/* As nanobench prints them with relative(), complexityN(), counters of the CPU, unit() and timeUnit(). */
static void the_time_of_nanobench_is_found_by_its_heading(void **state)
{
	(void)state;
	assert_true(nanobench_ns("| complexityN | ns/op | op/s | err% | ins/op | total | sort\n" NANO_LINE NANO_ROW(
	                    "10,000", "447.15", "a")) == 447.15);
	assert_true(nanobench_ns("| relative | ns/op | op/s | err% | ins/op | total | sort\n" NANO_LINE NANO_ROW(
	                    "100.0%", "447.15", "a")) == 447.15);
	assert_true(nanobench_ns("| ins/op | us/op | op/s | err% | x | total | sort\n" NANO_LINE NANO_ROW(
	                    "3", "447.15", "a")) == 447150);
	assert_true(nanobench_ns("| x | s/byte | byte/s | err% | x | total | sort\n" NANO_LINE NANO_ROW(
	                    "2.00", "0.50", "a")) == .5e9);
	assert_true(isnan(nanobench_ns(
	        "| ins/op | x | op/s | err% | cyc/op | total | sort\n" NANO_LINE NANO_ROW("10,000", "447.15", "a"))));
	assert_true(isnan(nanobench_ns("| ms/ns | ns/ns | ns/s | err% | cyc/op | total | sort\n" NANO_LINE NANO_ROW(
	        "10,000", "447.15", "a"))));
}

static void sizes_and_units_are_part_of_a_name_of_nanobench(void **state)
{
	static const char table[] =
	        "| complexityN | ns/op | op/s | err% | ins/op | total | sort\n" NANO_LINE NANO_ROW("10", "11.50", "a")
	                NANO_ROW("100", "15.50", "a") "\n"
	                                              "| x | ns/byte | byte/s | err% | y | total | "
	                                              "sort\n" NANO_LINE NANO_ROW("1", "10.50", "a");
	static const char *const names[] = {"a/10", "a/100", "a (per byte)"};
	g_autoptr(GPtrArray) cases = nanobench_output_parse(table, NULL);
	(void)state;
	assert_int_equal(cases->len, G_N_ELEMENTS(names));
	for (guint i = 0; i < cases->len; i++)
		assert_string_equal(((FrameworkCase *)cases->pdata[i])->name, names[i]);
}

static void a_case_of_nanobench_that_failed_is_refused(void **state)
{
	g_autoptr(GError) error = NULL;
	(void)state;
	assert_null(nanobench_output_parse(
	        "| ns/op | op/s | err% | total | benchmark\n|---:|---:|---:|---:|:---\n"
	        "| 11.00 | 2.00 | 0.4% | 0.01 | `a`\n"
	        "| - | - | - | - | :boom: `b` (iterations overflow. Maybe your code got optimized away?)\n",
	        &error));
	assert_non_null(strstr(error->message, "`b`"));
}

/* Two decimals of a microsecond are ten nanoseconds. */
static void a_time_of_nanobench_with_few_digits_is_read_from_its_rate(void **state)
{
	static const char head[] = "| us/byte | byte/s | total | t\n|---:|---:|---:|:---\n";
	g_autofree char *rate = g_strconcat(head, "| 0.00 | 210,231,254.38 | 0.01 | `a`\n", NULL);
	g_autofree char *neither = g_strconcat(head, "| 0.00 | 0.00 | 0.01 | `a`\n", NULL);
	g_autofree char *differs = g_strconcat(head, "| 1.00 | 210,231,254.38 | 0.01 | `a`\n", NULL);
	g_autofree char *dash = g_strconcat(head, "| 0.12 | - | 0.01 | `a`\n", NULL);
	(void)state;
	assert_true(fabs(nanobench_ns(rate) - 4.756666) < 1e-4);
	assert_true(isnan(nanobench_ns(neither)));
	assert_true(isnan(nanobench_ns(differs)));
	assert_true(isnan(nanobench_ns(dash)));
}

static void tables_of_others_are_passed_over(void **state)
{
	(void)state;
	assert_true(nanobench_ns("| file | size |\n|---|---|\n| `a.txt` | 12 |\n| loading |\n"
	                         "| ns/op | op/s | err% | total | benchmark\n|---:|---:|---:|---:|:---\n"
	                         "| done\n| 11.00 | 2.00 | 0.4% | 0.01 | `a`\n") == 11);
	assert_true(isnan(nanobench_ns("costs 12 ns/op\n| 1 | 2 | 3 | 4 | `a`\n")));
}

/* "inf" and "nan" are numbers to strtod(). */
static void numbers_that_cannot_be_are_refused(void **state)
{
	static const char *const numbers[] = {"inf", "nan", "-5", "1e300", "-1e300", "1e999", "0x", "--", ""};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		const char *bad = numbers[i];
		g_autofree char *go = g_strdup_printf("BenchmarkX 5 %s ns/op\n", *bad != '\0' ? bad : "x");
		g_autofree char *times = g_strdup_printf("BenchmarkX %s 5 ns/op\n", *bad != '\0' ? bad : "x");
		g_autofree char *libtest = g_strdup_printf("test x ... bench: %s ns/iter (+/- 1)\n", *bad ? bad : "x");
		g_autofree char *nano = g_strdup_printf("| ns/op | op/s | t\n|---|---|---\n| %s | 1 | `a`\n", bad);
		g_autofree char *catch2 = g_strdup_printf("<Catch><BenchmarkResults name=\"a\" samples=\"20\" "
		                                          "iterations=\"5\"><mean value=\"%s\"/></BenchmarkResults>",
		        bad);
		g_autofree char *json = g_strdup_printf(GOOGLE("{\"name\": \"a\", \"run_type\": \"iteration\", "
		                                               "\"iterations\": %s, \"cpu_time\": 5, \"time_unit\": "
		                                               "\"ns\"}"),
		        bad);
		assert_null(go_output_parse(go, NULL));
		assert_null(go_output_parse(times, NULL));
		assert_null(libtest_output_parse(libtest, NULL));
		assert_null(nanobench_output_parse(nano, NULL));
		assert_null(catch2_output_parse(catch2, NULL, NULL));
		assert_null(google(json, ""));
	}
}

static void figures_that_cannot_be_are_left_out(void **state)
{
	g_autoptr(GPtrArray) cases = go_output_parse("BenchmarkX 5 5 ns/op 1e307 MB/s -4 B/op nan allocs/op\n", NULL);
	const FrameworkCase *one = only(cases);
	(void)state;
	assert_true(isnan(one->bytes_per_s) && isnan(one->allocated_bytes) && isnan(one->allocations));
}

static void a_log_with_iterations_that_cannot_be_is_none(void **state)
{
	static const char *const counts[] = {"inf", "nan", "-5", "0", "1e300", "many", ""};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
		g_autofree char *log =
		        g_strdup_printf("-- LOG(2): Running BM_work for %s\nRunning BM_work for 500\n", counts[i]);
		g_autoptr(GPtrArray) cases = google(GOOGLE(GOOGLE_RUN("BM_work", 500, 500, "ns")), log);
		assert_false(only(cases)->logged);
	}
}

/* A log of 1 MiB about other cases than the 10,000 of the file was looked through once for each of them. */
static void many_cases_are_read_in_little_time(void **state)
{
	g_autoptr(GString) json = g_string_new("{\"benchmarks\": ["), log = g_string_new(NULL);
	(void)state;
	for (guint i = 0; i < FRAMEWORK_MAX_CASES; i++)
		g_string_append_printf(json,
		        "%s{\"name\": \"BM_%06u\", \"run_type\": \"iteration\", \"iterations\": 5, \"cpu_time\": 5, "
		        "\"time_unit\": \"ns\"}",
		        i > 0 ? "," : "", i);
	g_string_append(json, "]}");
	while (log->len < 1 << 20)
		g_string_append_printf(log, "Running BM_%06u for 5\n", (guint)(log->len % 20000));
	clock_t began = clock(); /* of the CPU: it may be busy */
	g_autoptr(GPtrArray) cases = google_output_parse(json->str, json->len, log->str, NULL);
	assert_int_equal(cases->len, FRAMEWORK_MAX_CASES);
	assert_true(clock() - began < 60 * CLOCKS_PER_SEC);
}

static void more_cases_than_anyone_has_are_refused(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	(void)state;
	for (guint i = 0; i <= FRAMEWORK_MAX_CASES; i++)
		g_string_append_printf(text, "Benchmark%u 1 5 ns/op\n", i);
	assert_null(go_output_parse(text->str, NULL));
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
	assert_true(g_file_set_contents(sample, "{\"iters\": [10, -9], \"times\": [1000, 2600]}", -1, NULL));
	assert_null(criterion_output_read(folder, NULL));
	assert_true(g_file_set_contents(sample, "{\"iters\": [1e308, 1e308], \"times\": [1000, 2600]}", -1, NULL));
	assert_null(criterion_output_read(folder, NULL));
	assert_true(durable_remove_tree(folder, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(google_benchmark_says_iterations_and_time),
	        cmocka_unit_test(repetitions_of_google_benchmark_add_up_and_its_means_are_none),
	        cmocka_unit_test(the_log_of_google_benchmark_tells_of_its_calibration),
	        cmocka_unit_test(counters_that_are_no_numbers_are_passed_over),
	        cmocka_unit_test(what_is_wrong_with_the_results_of_google_benchmark_is_said),
	        cmocka_unit_test(results_that_google_benchmark_did_not_write_are_refused),
	        cmocka_unit_test(no_case_of_google_benchmark_is_an_empty_file),
	        cmocka_unit_test(go_says_iterations_and_runs_one_more_before),
	        cmocka_unit_test(go_without_a_match_has_no_case),
	        cmocka_unit_test(catch2_says_samples_and_iterations_of_each),
	        cmocka_unit_test(results_of_catch2_that_are_cut_or_failed_are_refused),
	        cmocka_unit_test(libtest_says_a_time_alone),
	        cmocka_unit_test(nanobench_says_a_time_in_its_table),
	        cmocka_unit_test(the_time_of_nanobench_is_found_by_its_heading),
	        cmocka_unit_test(sizes_and_units_are_part_of_a_name_of_nanobench),
	        cmocka_unit_test(a_case_of_nanobench_that_failed_is_refused),
	        cmocka_unit_test(a_time_of_nanobench_with_few_digits_is_read_from_its_rate),
	        cmocka_unit_test(tables_of_others_are_passed_over),
	        cmocka_unit_test(numbers_that_cannot_be_are_refused),
	        cmocka_unit_test(figures_that_cannot_be_are_left_out),
	        cmocka_unit_test(a_log_with_iterations_that_cannot_be_is_none),
	        cmocka_unit_test(many_cases_are_read_in_little_time),
	        cmocka_unit_test(more_cases_than_anyone_has_are_refused),
	        cmocka_unit_test(criterion_says_it_in_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
