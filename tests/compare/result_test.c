/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/resultinput.h"

#include <math.h>

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

static void a_new_result_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(result->base.sha, "");
}

static void zero_benchmarks_never_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_int_equal(result->verdict, VERDICT_ERROR);
	assert_int_equal(result->reasons->len, 1);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "no benchmark was measured");
}

static void zero_benchmarks_with_a_lesser_reason_are_an_error(void **state)
{
	static const int lesser[] = {0, 1, 3};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(lesser); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		check_result_add_reason(result, lesser[i], "contaminated", NULL, "noise");
		check_result_decide(result);
		assert_int_equal(result->exit_code, 4);
		assert_int_equal(result->reasons->len, 2);
	}
}

static void zero_benchmarks_keep_the_error_that_explains_them(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 6, "no_baseline", NULL, "no baseline of %s", "abc");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 6);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, "no baseline of abc");
}

static void a_benchmark_without_comparison_never_passes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_PASS, "");
	check_result_add_benchmark(result, "two");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->benchmark, "two");
}

static void a_reason_of_code_zero_explains_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "two");
	check_result_add_reason(result, 0, "skipped", "two", "skipped");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
}

static void a_missing_comparison_is_explained_by_its_own_or_a_general_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) own = check_result_new();
	check_result_add_benchmark(own, "one");
	check_result_add_reason(own, 6, "no_baseline", "one", "none");
	check_result_decide(own);
	assert_int_equal(own->exit_code, 6);
	g_autoptr(CheckResult) general = check_result_new();
	check_result_add_benchmark(general, "one");
	check_result_add_reason(general, 143, "cancelled", NULL, "terminated");
	check_result_decide(general);
	assert_int_equal(general->exit_code, 143);
	assert_int_equal(general->reasons->len, 1);
}

static void a_verdict_gives_its_exit_code(void **state)
{
	static const struct {
		Verdict verdict;
		int exit_code;
	} rows[] = {{VERDICT_PASS, 0}, {VERDICT_REGRESSION, 1}, {VERDICT_INCONCLUSIVE, 3}, {VERDICT_ERROR, 4}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = check_result_new();
		add_judged(result, "one", rows[i].verdict, "code");
		check_result_decide(result);
		assert_int_equal(result->exit_code, rows[i].exit_code);
		assert_int_equal(result->verdict, rows[i].verdict);
		assert_int_equal(result->reasons->len, rows[i].exit_code != 0);
	}
}

static void a_benchmark_has_the_verdict_of_its_comparison_or_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "parse");
	assert_int_equal(result_benchmark_verdict(benchmark), VERDICT_ERROR);
	benchmark->comparison = benchmark_comparison_new("parse");
	for (Verdict verdict = VERDICT_PASS; verdict <= VERDICT_ERROR; verdict++) {
		benchmark->comparison->verdict = verdict;
		assert_int_equal(result_benchmark_verdict(benchmark), verdict);
		assert_int_equal(exit_code_verdict(verdict_exit_code(verdict)), verdict);
	}
}

static void the_most_important_exit_code_wins_in_every_pair(void **state)
{
	static const int order[] = {137, 77, 9, 2, 8, 7, 5, 4, 6, 1, 3, 0};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		for (guint j = 0; j < G_N_ELEMENTS(order); j++) {
			g_autoptr(CheckResult) result = check_result_new();
			add_judged(result, "one", VERDICT_PASS, "");
			check_result_add_reason(result, order[i], "a", NULL, "a");
			check_result_add_reason(result, order[j], "b", NULL, "b");
			check_result_decide(result);
			assert_int_equal(result->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[0])->exit_code, order[MIN(i, j)]);
			assert_int_equal(((ResultReason *)result->reasons->pdata[1])->exit_code, order[MAX(i, j)]);
		}
}

static void equal_exit_codes_keep_their_order(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_REGRESSION, "regression");
	add_judged(result, "two", VERDICT_REGRESSION, "regression");
	add_judged(result, "three", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 1);
	assert_int_equal(result->reasons->len, 3);
	assert_string_equal(((ResultReason *)result->reasons->pdata[0])->benchmark, "one");
	assert_string_equal(((ResultReason *)result->reasons->pdata[1])->benchmark, "two");
}

static void deciding_twice_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_add_benchmark(result, "two");
	check_result_decide(result);
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 2);
	assert_int_equal(result->exit_code, 4);
}

static void a_new_benchmark_knows_nothing_of_its_campaign(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	const ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	assert_int_equal(benchmark->campaign.rounds, 0);
	assert_true(isnan(benchmark->campaign.overlap_share) && isnan(benchmark->campaign.interference_ratio));
	assert_true(isnan(benchmark->campaign.estimate_s) && isnan(benchmark->campaign.elapsed_s));
	assert_null(benchmark->calibration);
}

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

static void sides_are_replaced_as_a_whole(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(&result->head, "abc", "main", "--base", "fix");
	result_side_set(&result->head, "def", NULL, "merge-base", NULL);
	assert_string_equal(result->head.sha, "def");
	assert_string_equal(result->head.ref, "");
	assert_string_equal(result->head.subject, "");
}

/* It fails by crashing. */
static void freeing_no_result_does_nothing(void **state)
{
	(void)state;
	check_result_free(NULL);
}

static void another_reason_of_the_same_exit_code_does_not_hide_a_verdict(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	add_judged(result, "one", VERDICT_INCONCLUSIVE, "too_few_rounds");
	check_result_add_reason(result, 3, "contaminated", "one", "noise");
	check_result_decide(result);
	assert_int_equal(result->reasons->len, 2);
	assert_string_equal(reason_at(result, 0)->code, "contaminated");
	assert_string_equal(reason_at(result, 1)->code, "too_few_rounds");
}

static void a_general_reason_that_is_no_error_does_not_explain_a_missing_comparison(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "one");
	check_result_add_reason(result, 3, "contaminated", NULL, "noise");
	check_result_decide(result);
	assert_int_equal(result->exit_code, 4);
	assert_string_equal(reason_at(result, 0)->code, "not_compared");
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

/* Then nobody can name the planted function. */
static void a_side_without_a_profile_is_judged_by_its_time_alone(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_in_mode(CHECK_SELF_TEST);
	add_planted(result, VERDICT_REGRESSION, NULL, FUNCTION_UNCHANGED);
	((ResultBenchmark *)result->benchmarks->pdata[0])->head = measurement_new("parse", "", "");
	check_outcome(result, "self-test: the delay planted in 1 benchmark was found");
	assert_int_equal(result->exit_code, 0);
}

/* --- two engines --- */

static void sources_of_base_have_the_names_of_the_report(void **state)
{
	(void)state;
	assert_null(base_source_name(BASE_NONE));
	assert_string_equal(base_source_name(BASE_MEASURED), "measured");
	assert_string_equal(base_source_name(BASE_STORED), "stored");
}

static void benchmarks_and_profiles_are_of_perf_until_said_otherwise(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	assert_ptr_equal(benchmark->engine, &engine_perf);
	assert_int_equal(benchmark->base_source, BASE_NONE);
	result_benchmark_add_profile(benchmark, &(ResultProfile){.event = (char *)"off-cpu"});
	result_benchmark_add_profile(benchmark,
	        &(ResultProfile){.event = (char *)"instructions", .engine = &engine_callgrind, .decides = TRUE});
	const ResultProfile *first = benchmark->profiles->pdata[0], *second = benchmark->profiles->pdata[1];
	assert_ptr_equal(first->engine, &engine_perf);
	assert_ptr_equal(second->engine, &engine_callgrind);
	assert_true(!first->decides && second->decides);
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

/* --- reasons of several benchmarks --- */

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

/* --- what it would come to --- */

static void asking_for_the_exit_code_changes_nothing(void **state)
{
	static const struct {
		Verdict verdict;
		CheckMode mode;
		int of_reason, exit_code;
	} rows[] = {
	        {VERDICT_PASS, CHECK_GATE, 0, 0},
	        {VERDICT_PASS, CHECK_GATE, 3, 3},
	        {VERDICT_REGRESSION, CHECK_GATE, 3, 1},
	        {VERDICT_REGRESSION, CHECK_GATE, 5, 5},
	        {VERDICT_REGRESSION, CHECK_CALIBRATE, 0, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(CheckResult) result = result_in_mode(rows[i].mode);
		add_judged(result, "one", rows[i].verdict, "code");
		if (rows[i].of_reason != 0)
			check_result_add_reason(result, rows[i].of_reason, "a", "one", "%s", "100 %s");
		guint n_reasons = result->reasons->len;
		assert_int_equal(check_result_decided(result), rows[i].exit_code);
		assert_int_equal(result->reasons->len, n_reasons);
		assert_int_equal(finding_count(result->findings), 0);
		assert_int_equal(result->exit_code, 4);
		check_result_decide(result);
		assert_int_equal(result->exit_code, rows[i].exit_code);
	}
}

/* --- the line of a pass --- */

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

/* --- who owns what --- */

static void count_freed(gpointer count)
{
	++*(guint *)count;
}

static GPtrArray *counted_list(guint *freed)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(count_freed);
	g_ptr_array_add(list, freed);
	return list;
}

static void a_result_owns_annotations_and_history(void **state)
{
	guint freed = 0;
	(void)state;
	CheckResult *result = check_result_new();
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	benchmark->annotations = counted_list(&freed);
	benchmark->history = counted_list(&freed);
	result_benchmark_add_profile(
	        benchmark, &(ResultProfile){.event = (char *)"off-cpu", .annotations = counted_list(&freed)});
	check_result_free(result);
	assert_int_equal(freed, 3);
}

static void with_one_side_whatever_is_a_reason_is_an_error(void **state)
{
	(void)state;
	g_autoptr(CheckResult) quiet = check_result_new();
	g_autoptr(CheckResult) failed = check_result_new();
	check_result_decide_measured(quiet);
	assert_int_equal(quiet->exit_code, 0);
	assert_int_equal(quiet->verdict, VERDICT_PASS);
	check_result_add_reason(failed, 3, NOT_MEASURED, "one", "no time");
	check_result_add_reason(failed, 4, "measurement_invalid", "two", "it crashed");
	check_result_decide_measured(failed);
	assert_int_equal(failed->exit_code, 3);
	assert_int_equal(failed->verdict, VERDICT_ERROR);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_benchmark_has_the_verdict_of_its_comparison_or_is_an_error),
	        cmocka_unit_test(every_metric_that_regressed_is_a_reason),
	        cmocka_unit_test(a_metric_beyond_what_is_accepted_is_one_reason),
	        cmocka_unit_test(a_new_result_is_an_error),
	        cmocka_unit_test(zero_benchmarks_never_pass),
	        cmocka_unit_test(zero_benchmarks_with_a_lesser_reason_are_an_error),
	        cmocka_unit_test(zero_benchmarks_keep_the_error_that_explains_them),
	        cmocka_unit_test(a_benchmark_without_comparison_never_passes),
	        cmocka_unit_test(a_reason_of_code_zero_explains_nothing),
	        cmocka_unit_test(a_missing_comparison_is_explained_by_its_own_or_a_general_error),
	        cmocka_unit_test(a_verdict_gives_its_exit_code),
	        cmocka_unit_test(the_most_important_exit_code_wins_in_every_pair),
	        cmocka_unit_test(equal_exit_codes_keep_their_order),
	        cmocka_unit_test(deciding_twice_changes_nothing),
	        cmocka_unit_test(a_new_benchmark_knows_nothing_of_its_campaign),
	        cmocka_unit_test(a_pass_counts_its_benchmarks),
	        cmocka_unit_test(a_pass_of_several_says_what_is_ruled_out),
	        cmocka_unit_test(sides_are_replaced_as_a_whole),
	        cmocka_unit_test(freeing_no_result_does_nothing),
	        cmocka_unit_test(another_reason_of_the_same_exit_code_does_not_hide_a_verdict),
	        cmocka_unit_test(a_general_reason_that_is_no_error_does_not_explain_a_missing_comparison),
	        cmocka_unit_test(a_benchmark_that_was_not_compared_is_no_campaign),
	        cmocka_unit_test(a_side_without_a_profile_is_judged_by_its_time_alone),
	        cmocka_unit_test(sources_of_base_have_the_names_of_the_report),
	        cmocka_unit_test(benchmarks_and_profiles_are_of_perf_until_said_otherwise),
	        cmocka_unit_test(each_of_two_engines_has_its_reason),
	        cmocka_unit_test(an_engine_with_nothing_to_judge_is_no_reason),
	        cmocka_unit_test(a_benchmark_is_no_better_than_the_engine_that_failed),
	        cmocka_unit_test(what_is_told_of_one_benchmark_is_not_told_of_another),
	        cmocka_unit_test(a_metric_that_did_not_regress_or_does_not_say_why_is_no_reason),
	        cmocka_unit_test(a_verdict_is_added_once_for_each_benchmark_code_and_text),
	        cmocka_unit_test(a_benchmark_that_passes_adds_no_reason),
	        cmocka_unit_test(in_every_mode_an_error_of_an_engine_is_a_reason),
	        cmocka_unit_test(asking_for_the_exit_code_changes_nothing),
	        cmocka_unit_test(a_pass_says_what_was_accepted_for_it),
	        cmocka_unit_test(the_first_benchmark_with_something_accepted_is_named),
	        cmocka_unit_test(what_did_not_pass_by_an_interval_rules_nothing_out),
	        cmocka_unit_test(a_benchmark_without_a_comparison_has_nothing_to_tell),
	        cmocka_unit_test(the_line_of_a_shard_says_which_one_it_is),
	        cmocka_unit_test(with_one_side_whatever_is_a_reason_is_an_error),
	        cmocka_unit_test(counts_without_anything_to_judge_are_shown_beside_a_time_that_has),
	        cmocka_unit_test(a_result_owns_annotations_and_history),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
