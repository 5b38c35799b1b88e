/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include "model/engine.h"

static void add_passed_metric(const CheckResult *result, guint benchmark, const Engine *engine, double pass_margin)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("task-clock");
	metric->engine = engine;
	metric->gates = TRUE;
	metric->verdict = VERDICT_PASS;
	metric->pass_margin = pass_margin;
	const ResultBenchmark *row = result->benchmarks->pdata[benchmark];
	g_ptr_array_add(row->comparison->metrics, metric);
}

static BenchmarkComparison *comparison_of(const CheckResult *result, guint benchmark)
{
	return ((const ResultBenchmark *)result->benchmarks->pdata[benchmark])->comparison;
}

static void a_pass_of_several_says_what_is_ruled_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	add_judged(result, "two", VERDICT_PASS, "");
	add_passed_metric(result, 0, &engine_perf, .04);
	add_passed_metric(result, 1, &engine_callgrind, .005);
	check_result_decide(result);
	g_autofree char *same = check_result_reason(result);
	assert_string_equal(same, "2 benchmarks passed: nothing worse by more than 4 %");
	add_passed_metric(result, 1, &engine_perf, .1);
	g_autofree char *wider = check_result_reason(result);
	assert_string_equal(wider, "2 benchmarks passed: nothing worse by more than 4 to 10 %");
	/* page faults, whose margin is another one, are no time */
	add_passed_metric(result, 1, &engine_perf, .01);
	MetricComparison *faults = comparison_of(result, 1)->metrics->pdata[comparison_of(result, 1)->metrics->len - 1];
	g_free(faults->name);
	faults->name = g_strdup("page-faults");
	g_autofree char *unmoved = check_result_reason(result);
	assert_string_equal(unmoved, wider);
}

static void a_pass_counts_its_benchmarks(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	check_result_decide(result);
	g_autofree char *one = check_result_reason(result);
	assert_string_equal(one, "1 benchmark passed");
	add_judged(result, "two", VERDICT_PASS, "");
	g_autofree char *two = check_result_reason(result);
	assert_string_equal(two, "2 benchmarks passed");
}

static void a_benchmark_that_was_not_compared_is_no_campaign(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_CALIBRATE);
	add_judged(result, "one", VERDICT_PASS, "");
	check_result_add_benchmark(result, "two");
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "calibrated 2 benchmarks, base against base: 0 false alarms in 1 A/A campaign");
}

static void accept(CheckResult *result, guint benchmark)
{
	AcceptedRegression *accepted = g_new0(AcceptedRegression, 1);
	accepted->name = g_strdup("task-clock");
	accepted->engine = &engine_perf;
	accepted->text = g_strdup("task-clock +12.3 %");
	accepted->reason = g_strdup("worth it");
	accepted->where = g_strdup("firebreak.yml:12");
	benchmark_comparison_add_accepted(comparison_at(result, benchmark), accepted);
}

static void a_pass_says_what_was_accepted_for_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	accept(result, 0);
	add_passed_metric(result, 0, &engine_perf, .04);
	check_outcome(result, "1 benchmark passed with a regression that is accepted: one, task-clock +12.3 % "
	                      "(firebreak.yml:12: worth it)");
	add_judged(result, "two", VERDICT_PASS, "");
	check_outcome(result, "2 benchmarks passed, 1 of them with a regression that is accepted: one, task-clock "
	                      "+12.3 % (firebreak.yml:12: worth it)");
	accept(result, 1);
	check_outcome(result, "2 benchmarks passed, 2 of them with a regression that is accepted: one, task-clock "
	                      "+12.3 % (firebreak.yml:12: worth it)");
}

/* Of the first benchmark nothing is accepted. */
static void the_first_benchmark_with_something_accepted_is_named(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	add_judged(result, "two", VERDICT_PASS, "");
	accept(result, 1);
	check_outcome(result, "2 benchmarks passed, 1 of them with a regression that is accepted: two, task-clock "
	                      "+12.3 % (firebreak.yml:12: worth it)");
}

/* A pass rules out only what an interval of a metric that gates rules out. */
static void what_did_not_pass_by_an_interval_rules_nothing_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	for (guint i = 0; i < 5; i++)
		add_passed_metric(result, 0, i == 0 ? &engine_callgrind : &engine_perf, i == 1 ? 0 : .5);
	GPtrArray *metrics = comparison_at(result, 0)->metrics;
	((MetricComparison *)metrics->pdata[2])->gates = FALSE;
	((MetricComparison *)metrics->pdata[3])->negligible = TRUE;
	((MetricComparison *)metrics->pdata[4])->verdict = VERDICT_INCONCLUSIVE;
	check_outcome(result, "1 benchmark passed");
	add_passed_metric(result, 0, &engine_perf, .07);
	check_outcome(result, "1 benchmark passed: nothing worse by more than 7 %");
}

/* It is what a report from elsewhere may come to: nothing was compared, and nothing says why. */
static void a_benchmark_without_a_comparison_has_nothing_to_tell(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "one");
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "1 benchmark passed");
	check_outcome(result, "one: not compared, and no reason was recorded");
}

static void the_line_of_a_shard_says_which_one_it_is(void **state)
{
	static const struct {
		guint total;
		int exit_code;
		const char *line;
	} rows[] = {
	        {3, -1, "shard 2 of 3: 1 benchmark passed"}, {1, -1, "1 benchmark passed"},
	        {3, 0, "1 benchmark passed"}, /* joined */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		add_judged(result, "one", VERDICT_PASS, "");
		result->shards = shard_set_new(rows[i].total);
		shard_set_add(result->shards, 2)->exit_code = rows[i].exit_code;
		check_outcome(result, rows[i].line);
	}
}

static void a_quiet_calibration_says_so(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_CALIBRATE);
	add_judged(result, "one", VERDICT_PASS, "");
	check_outcome(result, "calibrated 1 benchmark, base against base: 0 false alarms in 1 A/A campaign");
	assert_int_equal(finding_count(result->findings), 0);
	add_judged(result, "two", VERDICT_REGRESSION, "regression");
	add_judged(result, "three", VERDICT_REGRESSION, "regression");
	check_outcome(result, "calibrated 3 benchmarks, base against base: 2 false alarms in 3 A/A campaigns");
}

static void a_calibration_counts_what_is_known_from_all_campaigns(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_CALIBRATE);
	add_judged(result, "one", VERDICT_PASS, "");
	add_judged(result, "two", VERDICT_PASS, "");
	const CalibrationSummary known = {.campaigns = 24, .false_alarms = 1, .passes = 20};
	((ResultBenchmark *)result->benchmarks->pdata[0])->calibration = g_memdup2(&known, sizeof known);
	check_outcome(result,
	        "calibrated 2 benchmarks, base against base: 1 false alarm in 25 A/A campaigns, 3 inconclusive");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_pass_counts_its_benchmarks),
	        cmocka_unit_test(a_pass_of_several_says_what_is_ruled_out),
	        cmocka_unit_test(a_benchmark_that_was_not_compared_is_no_campaign),
	        cmocka_unit_test(a_pass_says_what_was_accepted_for_it),
	        cmocka_unit_test(the_first_benchmark_with_something_accepted_is_named),
	        cmocka_unit_test(what_did_not_pass_by_an_interval_rules_nothing_out),
	        cmocka_unit_test(a_benchmark_without_a_comparison_has_nothing_to_tell),
	        cmocka_unit_test(the_line_of_a_shard_says_which_one_it_is),
	        cmocka_unit_test(a_quiet_calibration_says_so),
	        cmocka_unit_test(a_calibration_counts_what_is_known_from_all_campaigns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
