/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include "model/engine.h"

static void add_regressed(CheckResult *result, const char *metric, gboolean gates, gboolean accepted)
{
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	MetricComparison *m = g_new0(MetricComparison, 1);
	m->name = g_strdup(metric);
	m->engine = &engine_perf;
	m->verdict = VERDICT_REGRESSION;
	m->gates = gates;
	m->accepted = accepted;
	m->reason = g_strdup("at least +9.0 %");
	g_ptr_array_add(benchmark->comparison->metrics, m);
}

static const char *nth_reason(const CheckResult *result, guint i)
{
	return ((const ResultReason *)result->reasons->pdata[i])->text;
}

static void every_metric_that_regressed_is_a_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	g_free(benchmark->comparison->reason);
	benchmark->comparison->reason = g_strdup("task-clock regressed: at least +9.0 %");
	add_regressed(result, "task-clock", TRUE, FALSE);
	add_regressed(result, "wall", FALSE, FALSE);
	add_regressed(result, "page-faults", TRUE, TRUE);
	add_regressed(result, "peak-rss", TRUE, FALSE);
	check_result_decide(result);
	check_result_decide(result); /* as a merge of shards does with what it read */
	assert_int_equal(result->exit_code, 1);
	assert_int_equal(result->reasons->len, 2);
	assert_string_equal(nth_reason(result, 0), "task-clock regressed: at least +9.0 %");
	assert_string_equal(nth_reason(result, 1), "peak-rss regressed: at least +9.0 %");
	assert_string_equal(((const ResultReason *)result->reasons->pdata[1])->code, "regression");
}

/* The part of it that is not accepted has been said. */
static void a_metric_beyond_what_is_accepted_is_one_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	g_free(benchmark->comparison->reason);
	benchmark->comparison->reason = g_strdup("task-clock regressed beyond what is accepted: at least +9.0 %; why");
	add_regressed(result, "task-clock", TRUE, FALSE);
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 1);
}

static void assert_reason(const CheckResult *result, guint i, int exit_code, const char *text)
{
	assert_true(i < result->reasons->len);
	const ResultReason *reason = result->reasons->pdata[i];
	assert_int_equal(reason->exit_code, exit_code);
	assert_string_equal(reason->text, text);
}

static void each_of_two_engines_has_its_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = two_engines(CHECK_GATE, engine_says(VERDICT_REGRESSION, "regression", "time"),
	        engine_says(VERDICT_ERROR, "invalid_value", "counts"));
	assert_int_equal(result->reasons->len, 2);
	assert_reason(result, 0, 4, "counts");
	assert_reason(result, 1, 1, "time");
	assert_int_equal(comparison_at(result, 0)->verdict, VERDICT_ERROR);
	g_autoptr(CheckResult) both = two_engines(CHECK_GATE, engine_says(VERDICT_REGRESSION, "regression", "time"),
	        engine_says(VERDICT_REGRESSION, "regression", "counts"));
	assert_int_equal(both->reasons->len, 2);
	assert_reason(both, 0, 1, "time");
	assert_reason(both, 1, 1, "counts");
	check_result_decide(both);
	assert_int_equal(both->reasons->len, 2);
}

static void an_engine_with_nothing_to_judge_is_no_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = two_engines(CHECK_GATE, engine_says(VERDICT_ERROR, "zero_endpoints", "nothing"),
	        engine_says(VERDICT_PASS, "", "counts"));
	assert_int_equal(result->exit_code, 0);
	g_autoptr(CheckResult) neither =
	        two_engines(CHECK_GATE, engine_says(VERDICT_ERROR, "zero_endpoints", "nothing"),
	                engine_says(VERDICT_ERROR, "zero_endpoints", "nothing"));
	assert_int_equal(neither->exit_code, 4);
	assert_int_equal(neither->reasons->len, 1);
}

/* One engine passed or regressed, the other has this reason. */
static CheckResult *one_engine(BenchmarkComparison *comparison, int exit_code, const char *code)
{
	CheckResult *result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	benchmark->comparison = comparison;
	check_result_lacks_engine(
	        result, benchmark, check_result_add_reason(result, exit_code, code, "one", "no counts"));
	check_result_decide(result);
	return result;
}

static void a_benchmark_is_no_better_than_the_engine_that_failed(void **state)
{
	(void)state;
	g_autoptr(CheckResult) failed =
	        one_engine(engine_says(VERDICT_REGRESSION, "regression", "time"), 8, "environment_unsupported");
	assert_int_equal(comparison_at(failed, 0)->verdict, VERDICT_ERROR);
	assert_string_equal(comparison_at(failed, 0)->reason, "no counts");
	assert_string_equal(comparison_at(failed, 0)->sentence, "no counts; time");
	assert_int_equal(failed->reasons->len, 2);
	assert_reason(failed, 0, 8, "no counts");
	assert_reason(failed, 1, 1, "time");
	g_autoptr(CheckResult) late = one_engine(engine_says(VERDICT_PASS, "", "time"), 3, "out_of_time");
	assert_int_equal(comparison_at(late, 0)->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(late->reasons->len, 1);
	g_autoptr(CheckResult) regressed =
	        one_engine(engine_says(VERDICT_REGRESSION, "regression", "time"), 3, "out_of_time");
	assert_int_equal(comparison_at(regressed, 0)->verdict, VERDICT_REGRESSION);
	assert_int_equal(regressed->reasons->len, 2);
	g_autoptr(CheckResult) nothing =
	        one_engine(engine_says(VERDICT_ERROR, "zero_endpoints", "nothing"), 3, "out_of_time");
	assert_int_equal(nothing->exit_code, 3);
	assert_string_equal(comparison_at(nothing, 0)->sentence, "no counts");
}

static void set_reason(CheckResult *result, guint benchmark, const char *reason)
{
	BenchmarkComparison *comparison = comparison_at(result, benchmark);
	g_free(comparison->reason);
	comparison->reason = g_strdup(reason);
}

static MetricComparison *add_failed(CheckResult *result, guint benchmark, const char *name)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = &engine_perf;
	metric->verdict = VERDICT_REGRESSION;
	metric->gates = TRUE;
	metric->reason = g_strdup("at least +9.0 %");
	g_ptr_array_add(comparison_at(result, benchmark)->metrics, metric);
	return metric;
}

static void what_is_told_of_one_benchmark_is_not_told_of_another(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	for (guint i = 0; i < 2; i++) {
		add_judged(result, i == 0 ? "one" : "two", VERDICT_REGRESSION, "regression");
		set_reason(result, i, "task-clock regressed: at least +9.0 %");
		add_failed(result, i, "task-clock");
		add_failed(result, i, "peak-rss");
	}
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 4);
	for (guint i = 0; i < 4; i++)
		assert_string_equal(reason_at(result, i)->benchmark, i < 2 ? "one" : "two");
	assert_string_equal(nth_reason(result, 3), "peak-rss regressed: at least +9.0 %");
}

static void a_metric_that_did_not_regress_or_does_not_say_why_is_no_reason(void **state)
{
	static const Verdict verdicts[] = {VERDICT_PASS, VERDICT_INCONCLUSIVE, VERDICT_ERROR};
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_REGRESSION, "function_regression");
	set_reason(result, 0, "hash costs more");
	for (guint i = 0; i < G_N_ELEMENTS(verdicts); i++)
		add_failed(result, 0, "task-clock")->verdict = verdicts[i];
	MetricComparison *silent = add_failed(result, 0, "peak-rss");
	g_clear_pointer(&silent->reason, g_free);
	check_result_decide(result);
	assert_int_equal(result->exit_code, 1);
	assert_int_equal(result->reasons->len, 1);
	assert_string_equal(nth_reason(result, 0), "hash costs more");
}

static void a_verdict_is_added_once_for_each_benchmark_code_and_text(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(BenchmarkComparison) time = engine_says(VERDICT_INCONCLUSIVE, "interval_too_wide", "time");
	g_autoptr(BenchmarkComparison) counts = engine_says(VERDICT_INCONCLUSIVE, "interval_too_wide", "counts");
	g_autoptr(BenchmarkComparison) few = engine_says(VERDICT_INCONCLUSIVE, "too_few_rounds", "time");
	const BenchmarkComparison *said[] = {time, counts, few, time, counts, few};
	for (guint i = 0; i < G_N_ELEMENTS(said); i++)
		check_result_add_verdict(result, "one", said[i]);
	assert_int_equal(result->reasons->len, 3);
	check_result_add_verdict(result, "two", time);
	assert_int_equal(result->reasons->len, 4);
	assert_string_equal(reason_at(result, 3)->benchmark, "two");
}

static void a_benchmark_that_passes_adds_no_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(BenchmarkComparison) pass = engine_says(VERDICT_PASS, "", "passes");
	check_result_add_verdict(result, "one", pass);
	assert_int_equal(result->reasons->len, 0);
}

/* Else base against base would pass though one of its engines measured nothing. */
static void in_every_mode_an_error_of_an_engine_is_a_reason(void **state)
{
	static const CheckMode modes[] = {CHECK_GATE, CHECK_CALIBRATE, CHECK_SELF_TEST};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autoptr(CheckResult) result = two_engines(modes[i], engine_says(VERDICT_PASS, "", "time"),
		        engine_says(VERDICT_ERROR, "zero_runs", "no run was counted"));
		assert_int_equal(result->exit_code, 4);
		assert_reason(result, 0, 4, "no run was counted");
	}
}

/* An engine of which a metric gates, or none. Owned by the caller. */
static BenchmarkComparison *engine_that_gates(gboolean gates)
{
	BenchmarkComparison *comparison =
	        gates ? engine_says(VERDICT_PASS, "", "every gating metric passes")
	              : engine_says(VERDICT_ERROR, "zero_endpoints", "no metric gates, so nothing was judged");
	return comparison;
}

static gboolean counts_decide(gboolean time_gates, gboolean counts_gate, Verdict *verdict)
{
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(BenchmarkComparison) counted = engine_that_gates(counts_gate);
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	benchmark->comparison = engine_that_gates(time_gates);
	gboolean decides = check_result_join(result, benchmark, counted);
	*verdict = counted->verdict;
	return decides;
}

static void counts_without_anything_to_judge_are_shown_beside_a_time_that_has(void **state)
{
	(void)state;
	Verdict verdict;
	assert_true(counts_decide(TRUE, TRUE, &verdict));
	assert_true(counts_decide(FALSE, TRUE, &verdict));
	assert_true(counts_decide(FALSE, FALSE, &verdict));
	assert_int_equal(verdict, VERDICT_ERROR);
	assert_false(counts_decide(TRUE, FALSE, &verdict));
	assert_int_equal(verdict, VERDICT_PASS);
}

static void a_false_alarm_of_one_engine_is_no_reason(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = two_engines(CHECK_CALIBRATE,
	        engine_says(VERDICT_REGRESSION, "regression", "time"), engine_says(VERDICT_PASS, "", "counts"));
	assert_int_equal(result->exit_code, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_metric_that_regressed_is_a_reason),
	        cmocka_unit_test(a_metric_beyond_what_is_accepted_is_one_reason),
	        cmocka_unit_test(each_of_two_engines_has_its_reason),
	        cmocka_unit_test(an_engine_with_nothing_to_judge_is_no_reason),
	        cmocka_unit_test(a_benchmark_is_no_better_than_the_engine_that_failed),
	        cmocka_unit_test(what_is_told_of_one_benchmark_is_not_told_of_another),
	        cmocka_unit_test(a_metric_that_did_not_regress_or_does_not_say_why_is_no_reason),
	        cmocka_unit_test(a_verdict_is_added_once_for_each_benchmark_code_and_text),
	        cmocka_unit_test(a_benchmark_that_passes_adds_no_reason),
	        cmocka_unit_test(in_every_mode_an_error_of_an_engine_is_a_reason),
	        cmocka_unit_test(counts_without_anything_to_judge_are_shown_beside_a_time_that_has),
	        cmocka_unit_test(a_false_alarm_of_one_engine_is_no_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
