#include "report/reportread.h"

#include "core/error.h"
#include "report/reportjson.h"
#include "report/summarymd.h"
#include "report/terminaltext.h"
#include "tests/report/countedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static CheckResult *read_back(const CheckResult *result)
{
	gsize length;
	g_autofree char *text = report_json(result, &length);
	g_autoptr(GError) error = NULL;
	CheckResult *again = report_read(text, length, "report.json", &error);
	if (again == NULL)
		fail_msg("%s", error->message);
	return again;
}

static void check_texts(const CheckResult *result)
{
	g_autoptr(CheckResult) again = read_back(result);
	TerminalOptions options = {.out_dir = "out"};
	g_autofree char *summary = summary_markdown(result, 0, NULL), *summary_again = summary_markdown(again, 0, NULL);
	g_autofree char *text = terminal_text(result, &options), *text_again = terminal_text(again, &options);
	assert_string_equal(summary, summary_again);
	assert_string_equal(text, text_again);
	assert_int_equal(result->exit_code, again->exit_code);
}

static void texts_rendered_from_a_report_are_those_of_the_check(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup("catalog.diff.svg"));
	check_texts(result);
}

static void what_is_known_of_code_and_gate_reads_back(void **state)
{
	(void)state;
	static const Confirmation all[] = {
	        CONFIRMATION_NOT_NEEDED, CONFIRMATION_NOT_RUN, CONFIRMATION_CONFIRMED, CONFIRMATION_NOT_CONFIRMED};
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_trust(benchmark);
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		benchmark->comparison->confirmation = all[i];
		check_texts(result);
	}
	benchmark->calibration->smallest_visible = NAN;
	benchmark->calibration->suspicious = TRUE;
	for (guint mode = CHECK_GATE; mode <= CHECK_SELF_TEST; mode++) {
		result->mode = mode;
		check_result_decide(result);
		check_texts(result);
	}
}

/* Reports of before there were modes, confirmations and calibrations. */
static void reports_without_later_keys_are_of_a_gate(void **state)
{
	(void)state;
	static const char text[] =
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"regression\", \"exit_code\": 1, \"benchmarks\": "
	        "[{\"name\": \"b\", \"verdict\": \"regression\", \"sentence\": \"s\", \"profile\": {}, \"metrics\": "
	        "[], "
	        "\"functions\": [{\"name\": \"f\", \"class\": \"regression\", \"gates\": true}]}]}";
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) result = report_read(text, strlen(text), "r.json", &error);
	assert_non_null(result);
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	const FunctionComparison *function = benchmark->comparison->functions->pdata[0];
	assert_int_equal(result->mode, CHECK_GATE);
	assert_int_equal(benchmark->comparison->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(benchmark->calibration);
	assert_int_equal(function->relation, CHANGE_UNKNOWN);
	assert_int_equal(function->code, CODE_UNKNOWN);
	assert_string_equal(benchmark->engine, "perf");
	assert_int_equal(benchmark->base_source, BASE_NONE);
	assert_int_equal(benchmark->comparison->pair, PAIR_UNKNOWN);
	assert_false(benchmark->comparison->exact);
	assert_int_equal(benchmark->profiles->len, 0);
}

static void exact_counts_read_back_with_all_digits(void **state)
{
	(void)state;
	static const CountedSample noisy = {5, 885618, 1234};
	g_autoptr(CheckResult) result = counted_result(&noisy);
	ResultBenchmark *written = result->benchmarks->pdata[0];
	MetricComparison *metric = written->comparison->metrics->pdata[0];
	FunctionComparison *function = written->comparison->functions->pdata[0];
	metric->base = g_array_index(metric->base_values, double, 0) = 9007199254740991.;
	function->head_cost = 448201334123;
	written->base_source = BASE_STORED;
	check_texts(result);
	g_autoptr(CheckResult) again = read_back(result);
	const ResultBenchmark *read = again->benchmarks->pdata[0];
	const MetricComparison *read_metric = read->comparison->metrics->pdata[0];
	const FunctionComparison *read_function = read->comparison->functions->pdata[0];
	const UnstableFunction *unstable = &g_array_index(read->comparison->unstable, UnstableFunction, 1);
	assert_true(read->comparison->exact);
	assert_string_equal(read->engine, "callgrind");
	assert_int_equal(read->base_source, BASE_STORED);
	assert_true(read_metric->base == 9007199254740991.);
	assert_int_equal(read_metric->base_values->len, 5);
	assert_true(g_array_index(read_metric->base_values, double, 0) == 9007199254740991.);
	assert_true(fabs(read_metric->head_spread - metric->head_spread) < 1e-12);
	assert_true(read_function->base_cost == 12000052 && read_function->head_cost == 448201334123);
	assert_true(read_function->repeats);
	assert_int_equal(read->comparison->unstable->len, 2);
	assert_int_equal(unstable->side, 1);
	assert_true(unstable->lowest == 400000 && unstable->highest == 404936);
}

static void two_engines_read_back_with_their_pair_and_profiles(void **state)
{
	(void)state;
	static const CountedSample slower = {1, 885618, 1234};
	for (guint pair = PAIR_UNKNOWN; pair <= PAIR_OPPOSED; pair++) {
		g_autoptr(CheckResult) result =
		        counted_both(&slower, TRUE, pair, pair == PAIR_UNKNOWN ? NULL : "what they say");
		ResultProfile waits = {.event = (char *)"off-cpu", .engine = "perf"};
		result_benchmark_add_profile(result->benchmarks->pdata[0], &waits);
		check_texts(result);
		g_autoptr(CheckResult) again = read_back(result);
		const ResultBenchmark *read = again->benchmarks->pdata[0];
		const ResultProfile *counts = read->profiles->pdata[0], *other = read->profiles->pdata[1];
		assert_int_equal(read->comparison->pair, pair);
		assert_string_equal(counts->engine, "callgrind");
		assert_true(counts->decides && counts->comparison->exact);
		assert_string_equal(counts->head->profile->unit, "instructions");
		assert_int_equal(counts->comparison->functions->len, 4);
		assert_string_equal(other->event, "off-cpu");
		assert_false(other->decides);
		assert_null(other->comparison);
	}
}

static void unknown_values_stay_unknown(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	metric->base = metric->mde_ratio = NAN;
	metric->upper_ratio = INFINITY;
	check_texts(result);
}

static void changes_from_zero_and_what_cannot_be_compared_read_back(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	sample_zero_metrics(benchmark->comparison);
	check_texts(result);
}

static void errors_read_back_as_errors(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "never measured");
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build \xff");
	check_result_decide(result);
	check_texts(result);
}

static void check_refused(const char *text, const char *part)
{
	g_autoptr(GError) error = NULL;
	assert_null(report_read(text, strlen(text), "r.json", &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, error->message);
}

static void what_is_no_report_is_refused(void **state)
{
	(void)state;
	check_refused("", "r.json");
	check_refused("[]", "schema");
	check_refused("{\"schema\": \"firebreak-report/2\"}", "firebreak-report/2");
	check_refused("{\"schema\": \"firebreak-report/1\"}", "verdict");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"fine\"}", "fine");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"mode\": \"prayer\"}", "prayer");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"benchmarks\": [{\"engine\": "
	              "\"steam\"}]}",
	        "steam");
	check_refused("{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"benchmarks\": "
	              "[{\"base_source\": \"borrowed\"}]}",
	        "borrowed");
	check_refused(
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"benchmarks\": [{\"name\": 3}, 7]}x",
	        "r.json");
}

/* A report may be anybody's: whatever has the wrong type is missing, nothing crashes. */
static void wrong_types_count_as_missing(void **state)
{
	(void)state;
	static const char text[] =
	        "{\"schema\": \"firebreak-report/1\", \"verdict\": \"pass\", \"base\": 3, \"findings\": {},"
	        "\"reasons\": [1, null], \"benchmarks\": [{\"name\": 3, \"artifacts\": {\"diff_svg\": 4}}, 7,"
	        "{\"engine\": \"callgrind\", \"verdict\": \"pass\", \"sentence\": \"s\", \"unstable\": [3, "
	        "{\"lowest\": {}}],"
	        "\"profiles\": [1, {\"functions\": 3, \"profile\": 4, \"decides\": true}]}]}";
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) result = report_read(text, strlen(text), "r.json", &error);
	assert_non_null(result);
	assert_string_equal(result->base.sha, "");
	TerminalOptions options = {.out_dir = "out"};
	g_autofree char *rendered = terminal_text(result, &options);
	assert_non_null(rendered);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(texts_rendered_from_a_report_are_those_of_the_check),
	        cmocka_unit_test(what_is_known_of_code_and_gate_reads_back),
	        cmocka_unit_test(reports_without_later_keys_are_of_a_gate),
	        cmocka_unit_test(exact_counts_read_back_with_all_digits),
	        cmocka_unit_test(two_engines_read_back_with_their_pair_and_profiles),
	        cmocka_unit_test(unknown_values_stay_unknown),
	        cmocka_unit_test(changes_from_zero_and_what_cannot_be_compared_read_back),
	        cmocka_unit_test(errors_read_back_as_errors),
	        cmocka_unit_test(what_is_no_report_is_refused),
	        cmocka_unit_test(wrong_types_count_as_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
