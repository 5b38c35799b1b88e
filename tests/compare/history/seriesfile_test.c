/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/seriesfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"

#include <math.h>
#include <string.h>

static const HistoryWanted everything = {0};

static SeriesFile *read_text(const char *text)
{
	g_autoptr(GError) error = NULL;
	SeriesFile *file = series_file_read(text, strlen(text), "s.csv", &error);
	if (file == NULL)
		fail_msg("%s", error->message);
	return file;
}

static void assert_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	assert_null(series_file_read(text, strlen(text), "s.csv", &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	assert_string_equal(error->message, message);
}

static const SeriesValue *value_at(const SeriesFile *file, guint index)
{
	assert_true(index < file->values->len);
	return &g_array_index(file->values, SeriesValue, index);
}

/* The commits of the only history, oldest first, joined by spaces. Owned by the caller. */
static char *order_of(const char *text, guint most)
{
	g_autoptr(SeriesFile) file = read_text(text);
	g_autoptr(HistoryBuilder) builder = history_builder_new(&everything);
	series_file_build(file, NULL, most, builder, NULL);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	const MetricHistory *history = histories->pdata[0];
	GString *order = g_string_new(NULL);
	for (guint i = 0; i < history->points->len; i++)
		g_string_append_printf(
		        order, "%s%s", i > 0 ? " " : "", g_array_index(history->points, HistoryPoint, i).sha);
	return g_string_free(order, FALSE);
}

static void assert_order(const char *text, guint most, const char *wanted)
{
	g_autofree char *order = order_of(text, most);
	assert_string_equal(order, wanted);
}

/* --- CSV --- */

static void columns_are_found_by_their_names(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file =
	        read_text("unit, Value ,commit,benchmark,metric,lower,upper,better,subject,environment,other\n"
	                  "ms,1.5,a1,parse,p99,1.25,2,higher,first,ci,x\n");
	const SeriesValue *value = value_at(file, 0);
	assert_string_equal(value->commit, "a1");
	assert_string_equal(value->benchmark, "parse");
	assert_string_equal(value->metric, "p99");
	assert_string_equal(value->unit, "ms");
	assert_string_equal(value->subject, "first");
	assert_string_equal(value->environment, "ci");
	assert_true(value->higher_is_better);
	assert_true(value->value == 1.5 && value->lower == 1.25 && value->upper == 2);
}

static void what_a_row_lacks_is_not_known(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text("commit,benchmark,value,lower,unit\na1,parse,3\n");
	const SeriesValue *value = value_at(file, 0);
	assert_string_equal(value->metric, "value");
	assert_string_equal(value->unit, "");
	assert_ptr_equal(value->engine, &engine_benchmark);
	assert_true(isnan(value->lower) && isnan(value->upper));
	assert_int_equal(value->time_s, 0);
	assert_false(value->higher_is_better);
}

static void quotes_hold_commas_lines_and_quotes(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text("\xef\xbb\xbf"
	                                       "commit,benchmark,value\r\n\r\na1,\"sort, \"\"big\"\"\nwords\",3\r\n");
	assert_string_equal(value_at(file, 0)->benchmark, "sort, \"big\"\nwords");
}

static void times_are_seconds_or_iso_8601(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file =
	        read_text("commit,benchmark,value,time\na1,parse,3,1700000000\na2,parse,3,2023-11-14T23:13:20+01:00\n");
	assert_int_equal(value_at(file, 0)->time_s, 1700000000);
	assert_int_equal(value_at(file, 1)->time_s, 1700000000);
}

static void what_is_no_number_is_left_out_and_counted(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file =
	        read_text("commit,benchmark,value\na1,parse,3\na2,parse,NaN\na3,parse,\na4,parse,3 ms\na5,parse,inf\n");
	assert_int_equal(file->values->len, 1);
	assert_int_equal(file->left_out, 4);
}

static void functions_of_our_own_csv_are_left_out(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file =
	        read_text("benchmark,function,engine,commit,median\nparse,,perf,a1,3\nparse,hash,perf,a1,1\n");
	assert_int_equal(file->values->len, 1);
	assert_ptr_equal(value_at(file, 0)->engine, &engine_perf);
}

static void what_cannot_be_read_is_named_with_its_line(void **state)
{
	(void)state;
	assert_refused("", "s.csv is empty");
	assert_refused("\ncommit,value\n", "s.csv:2: no column \"benchmark\"; the first line names the columns, and "
	                                   "commit, benchmark and value are "
	                                   "needed");
	assert_refused("commit,benchmark,value\na1,parse,1\n\na2,\"par\nse,1\n",
	        "s.csv:4: a quoted field of this row has no closing quote: add it, and write a quote inside of a field "
	        "twice");
	assert_refused("commit,benchmark,value\n,parse,1\n", "s.csv:2: a row needs a commit and a benchmark");
	assert_refused("commit,benchmark,value,time\na1,parse,1,yesterday\n",
	        "s.csv:2: \"yesterday\" is no time: write seconds since 1970, or 2026-01-31T12:00:00Z");
	assert_refused("commit,benchmark,value,time\na1,parse,1,1e300\n",
	        "s.csv:2: \"1e300\" is no time: write seconds since 1970, or 2026-01-31T12:00:00Z");
	assert_refused("commit,benchmark,value,better\na1,parse,1,less\n",
	        "s.csv:2: better is \"less\": write lower or higher");
}

/* --- commits --- */

static void commits_are_in_the_order_of_the_file(void **state)
{
	(void)state;
	assert_order("commit,benchmark,value\nc,parse,1\na,parse,2\nb,parse,3\n", 0, "c a b");
	assert_order("commit,benchmark,value\nc,parse,1\na,parse,2\nb,parse,3\n", 2, "a b");
}

static void or_of_their_times_where_all_have_one(void **state)
{
	(void)state;
	assert_order("commit,benchmark,value,time\nc,parse,1,30\na,parse,2,10\nb,parse,3,20\n", 0, "a b c");
	assert_order("commit,benchmark,value,time\nc,parse,1,30\na,parse,2,10\nb,parse,3,\n", 0, "c a b");
}

static void a_commit_has_one_value_and_says_how_many_were_not_measured(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text("commit,benchmark,value\na,parse,1\na,parse,2\nb,sort,1\nc,parse,5\n");
	g_autoptr(HistoryBuilder) builder = history_builder_new(&everything);
	const char *newest = NULL;
	assert_int_equal(series_file_build(file, "parse", 0, builder, &newest), 3);
	assert_string_equal(newest, "c");
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	assert_int_equal(histories->len, 1);
	const GArray *points = ((const MetricHistory *)histories->pdata[0])->points;
	assert_int_equal(points->len, 2);
	assert_true(g_array_index(points, HistoryPoint, 0).median == 1);
	assert_int_equal(g_array_index(points, HistoryPoint, 1).unmeasured, 1);
}

static void values_of_another_environment_are_not_compared(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file =
	        read_text("commit,benchmark,value,environment\na,parse,1,old\nb,parse,1,old\nc,parse,9,new\n");
	g_autoptr(HistoryBuilder) builder = history_builder_new(&everything);
	series_file_build(file, NULL, 0, builder, NULL);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const GArray *points = ((const MetricHistory *)histories->pdata[0])->points;
	assert_true(g_array_index(points, HistoryPoint, 1).same_environment);
	assert_false(g_array_index(points, HistoryPoint, 2).same_environment);
}

static void a_level_that_rises_is_a_change(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new("commit,benchmark,value\n");
	for (guint i = 0; i < 40; i++)
		g_string_append_printf(text, "c%u,parse,%u\n", i, (i < 20 ? 1000 : 1100) + i * 7 % 5);
	g_autoptr(SeriesFile) file = read_text(text->str);
	g_autoptr(HistoryBuilder) builder = history_builder_new(&everything);
	series_file_build(file, NULL, 0, builder, NULL);
	g_autoptr(GPtrArray) histories = history_builder_finish(builder);
	const GArray *changes = ((const MetricHistory *)histories->pdata[0])->changes;
	assert_int_equal(changes->len, 1);
	assert_int_equal(g_array_index(changes, HistoryChange, 0).point, 20);
	assert_true(g_array_index(changes, HistoryChange, 0).worse);
}

/* --- data.js --- */

#define RUN(id, date, tool, benches)                                                                                   \
	"{\"commit\":{\"id\":\"" id "\",\"message\":\"first line\\nsecond\"},\"date\":" date ",\"tool\":\"" tool       \
	"\",\"benches\":[" benches "]}"
#define BENCH(name, value, range) "{\"name\":\"" name "\",\"value\":" value ",\"unit\":\"ns\",\"range\":\"" range "\"}"

static void data_js_is_read(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text("\nwindow.BENCHMARK_DATA = {\"entries\": {\"Suite\": [" RUN(
	        "a1", "1700000000123", "cargo", BENCH("fib", "100", "± 5") "," BENCH("sum", "\"200\"", "±1%")) "]}}\n");
	const SeriesValue *fib = value_at(file, 0), *sum = value_at(file, 1);
	assert_string_equal(fib->commit, "a1");
	assert_string_equal(fib->subject, "first line");
	assert_string_equal(fib->benchmark, "fib");
	assert_string_equal(fib->unit, "ns");
	assert_int_equal(fib->time_s, 1700000000);
	assert_false(fib->higher_is_better);
	assert_true(fib->value == 100 && fib->lower == 95 && fib->upper == 105);
	assert_true(sum->value == 200 && sum->lower == 198 && sum->upper == 202);
}

static void a_date_that_no_calendar_has_is_not_known(void **state)
{
	static const char *const dates[] = {"1e300", "-1e300", "253402300800000", "\"soon\""};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(dates); i++) {
		g_autofree char *text =
		        g_strdup_printf("{\"entries\": {\"C\": [{\"commit\": {\"id\": \"a1\"}, \"date\": "
		                        "%s, \"benches\": [{\"name\": \"n\", \"value\": 1}]}]}}",
		                dates[i]);
		g_autoptr(SeriesFile) file = read_text(text);
		assert_true(value_at(file, 0)->time_s == 0);
	}
}

static void rates_are_better_when_they_are_higher(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text(
	        "{\"entries\": {\"Suite\": [" RUN("a1", "1", "pytest", BENCH("fib", "100", "stddev: 0.002")) "]}}");
	assert_true(value_at(file, 0)->higher_is_better);
	assert_true(isnan(value_at(file, 0)->lower) && isnan(value_at(file, 0)->upper));
}

static void benchmarks_of_several_suites_have_their_names(void **state)
{
	(void)state;
	g_autoptr(SeriesFile) file = read_text("{\"entries\": {\"A\": [" RUN(
	        "a1", "1", "go", BENCH("fib", "1", "")) "],"
	                                                "\"B\": [" RUN("a1", "1", "go", BENCH("fib", "2", "")) "]}}");
	g_autoptr(GPtrArray) names = series_file_benchmarks(file);
	assert_int_equal(names->len, 2);
	assert_string_equal(names->pdata[0], "A: fib");
	assert_string_equal(names->pdata[1], "B: fib");
}

static void another_json_is_refused(void **state)
{
	(void)state;
	assert_refused("{}", "s.csv is no data.js of github-action-benchmark: there is no \"entries\" in it");
	g_autoptr(GError) error = NULL;
	assert_null(series_file_read("{\"entries\":", 11, "s.csv", &error));
	assert_true(g_str_has_prefix(error->message, "s.csv is no data.js of github-action-benchmark: line 1: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(columns_are_found_by_their_names),
	        cmocka_unit_test(what_a_row_lacks_is_not_known),
	        cmocka_unit_test(quotes_hold_commas_lines_and_quotes),
	        cmocka_unit_test(times_are_seconds_or_iso_8601),
	        cmocka_unit_test(what_is_no_number_is_left_out_and_counted),
	        cmocka_unit_test(functions_of_our_own_csv_are_left_out),
	        cmocka_unit_test(what_cannot_be_read_is_named_with_its_line),
	        cmocka_unit_test(commits_are_in_the_order_of_the_file),
	        cmocka_unit_test(or_of_their_times_where_all_have_one),
	        cmocka_unit_test(a_commit_has_one_value_and_says_how_many_were_not_measured),
	        cmocka_unit_test(values_of_another_environment_are_not_compared),
	        cmocka_unit_test(a_level_that_rises_is_a_change),
	        cmocka_unit_test(data_js_is_read),
	        cmocka_unit_test(a_date_that_no_calendar_has_is_not_known),
	        cmocka_unit_test(rates_are_better_when_they_are_higher),
	        cmocka_unit_test(benchmarks_of_several_suites_have_their_names),
	        cmocka_unit_test(another_json_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
