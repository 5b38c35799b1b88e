/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/judgedcampaign.h"

#include "tests/compare/near.h"

/* Adds a metric that the benchmark reports: `base` and `head` in every round, but for a little noise. */
static MetricPolicy *add_own_metric(Synthetic *s, const char *name, double base, double head, gboolean higher)
{
	static MetricPolicy policy;
	Measurement *sides[] = {s->base, s->head};
	policy = (MetricPolicy){
	        .metric = (char *)name, .engine = &engine_benchmark, .margin = .05, .pass_margin = .15, .gates = TRUE};
	for (guint i = 0; i < 2; i++) {
		MetricSeries *series =
		        measurement_add_metric(sides[i], &engine_benchmark, name, "1/s", METRIC_SAME_CAMPAIGN);
		series->higher_is_better = higher;
		for (guint run = 0; run < series->values->len; run++)
			g_array_index(series->values, double, run) =
			        (i == 0 ? base : head) * (1 + .001 * ((run * 7 + i * 3) % 5));
	}
	g_ptr_array_add(s->policies, &policy);
	return &policy;
}

static void a_throughput_that_falls_is_a_regression(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	add_own_metric(s, "throughput", 5000, 4000, TRUE);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_non_null(strstr(c->reason, "throughput regressed: at least -"));
	assert_true(g_str_has_prefix(c->sentence, "catalog: throughput is "));
	const MetricComparison *metric = c->metrics->pdata[0];
	assert_ptr_equal(metric->engine, &engine_benchmark);
	assert_near(metric->change_ratio, .8, .01);
}

static void a_throughput_that_rises_passes(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	add_own_metric(s, "throughput", 4000, 5000, TRUE);
	assert_verdict(s, VERDICT_PASS, "");
}

static void a_latency_that_rises_is_a_regression(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	add_own_metric(s, "latency", 4000, 5000, FALSE);
	assert_verdict(s, VERDICT_REGRESSION, "regression");
}

static void own_metrics_are_not_divided_by_the_work(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	s->head->work = 2;
	add_own_metric(s, "latency", 4000, 4000, FALSE);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	const MetricComparison *latency = c->metrics->pdata[0], *clock = c->metrics->pdata[1];
	assert_near(latency->change_ratio, 1, .01);
	assert_near(clock->change_ratio, .5, .01);
}

static void a_run_is_measured_by_the_work_that_it_reports(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8), plain = campaign(steady, 8);
	MetricSeries *clock = measurement_metric(s->head, &engine_perf, "task-clock");
	for (guint run = 0; run < 8; run++) {
		double work = 1 + run % 3;
		g_array_index(s->head->runs, RunFacts, run).work = work;
		g_array_index(clock->values, double, run) *= work;
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input), same = compare_benchmark(&plain->input);
	const MetricComparison *one = c->metrics->pdata[0], *other = same->metrics->pdata[0];
	assert_near(one->change_ratio, other->change_ratio, 1e-12);
}

static void what_is_negligible_is_so_of_a_run_that_reports_its_work(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	MetricPolicy policy = {.metric = (char *)"page-faults",
	        .engine = &engine_perf,
	        .margin = .02,
	        .pass_margin = .05,
	        .abs_floor = 64,
	        .gates = TRUE};
	for (guint run = 0; run < 8; run++) {
		g_array_index(s->base->runs, RunFacts, run).work = 1000;
		g_array_index(s->head->runs, RunFacts, run).work = 1000;
		synthetic_value(s->base, "page-faults", "count", run, 20000 + run);
		synthetic_value(s->head, "page-faults", "count", run, 40000 + run);
	}
	g_ptr_array_add(s->policies, &policy);
	assert_verdict(s, VERDICT_REGRESSION, "regression");
}

/* Seven rounds are too few for either of two metrics alone, so they are tested as a family: with the same floor. */
static void what_is_negligible_of_a_family_is_so_of_a_run_that_reports_its_work(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 7);
	MetricPolicy policies[] = {{.metric = (char *)"page-faults"}, {.metric = (char *)"context-switches"}};
	g_ptr_array_set_size(s->policies, 0);
	for (guint i = 0; i < G_N_ELEMENTS(policies); i++) {
		policies[i].engine = &engine_perf;
		policies[i].margin = .02;
		policies[i].pass_margin = .05;
		policies[i].abs_floor = 64;
		policies[i].gates = TRUE;
		g_ptr_array_add(s->policies, &policies[i]);
		for (guint run = 0; run < 7; run++) {
			synthetic_value(s->base, policies[i].metric, "count", run, 20000 + run);
			synthetic_value(s->head, policies[i].metric, "count", run, 20800 + run);
		}
	}
	for (guint run = 0; run < 7; run++) {
		g_array_index(s->base->runs, RunFacts, run).work = 1000;
		g_array_index(s->head->runs, RunFacts, run).work = 1000;
	}
	s->input.plan = look_plan_fixed(7, 2);
	assert_verdict(s, VERDICT_REGRESSION, "regression");
}

static const MetricComparison *own_row(const BenchmarkComparison *c, const char *name)
{
	for (guint i = 0; i < c->metrics->len; i++) {
		const MetricComparison *metric = c->metrics->pdata[i];
		if (g_str_equal(metric->name, name))
			return metric;
	}
	fail_msg("%s has no row", name);
	return NULL;
}

/* Its values were taken for invalid, and what is invalid and does not gate was left out without a word. */
static void an_own_metric_of_zero_or_less_keeps_its_row(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	add_own_metric(s, "errors", 0, 100000, FALSE)->gates = FALSE;
	g_autoptr(BenchmarkComparison) zero = compare_benchmark(&s->input);
	const MetricComparison *errors = own_row(zero, "errors");
	assert_int_equal(zero->verdict, VERDICT_PASS);
	assert_int_equal(errors->verdict, VERDICT_REGRESSION);
	assert_near(errors->base, 0, 0);

	g_autoptr(Synthetic) t = campaign(steady, 8);
	add_own_metric(t, "balance", -5, 500000, FALSE)->gates = FALSE;
	g_autoptr(BenchmarkComparison) below = compare_benchmark(&t->input);
	const MetricComparison *balance = own_row(below, "balance");
	assert_int_equal(below->verdict, VERDICT_PASS);
	assert_int_equal(balance->verdict, VERDICT_ERROR);
	assert_string_equal(balance->reason, "cannot be compared as a ratio: round 1 of base has the value -5");
	assert_true(balance->base < -4 && balance->head > 400000);
}

static void a_gating_count_that_leaves_zero_is_a_regression(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	add_own_metric(s, "errors", 0, 500, FALSE);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason, "errors regressed: 0 in every run of base and above 0 in every run of head");
	assert_true(g_str_has_prefix(c->sentence, "catalog: errors from 0 to 50"));
	g_autoptr(Synthetic) none = campaign(steady, 8);
	add_own_metric(none, "errors", 0, 0, FALSE);
	assert_verdict(none, VERDICT_PASS, "");
}

static void a_metric_that_one_side_reports_keeps_its_row(void **state)
{
	(void)state;
	for (guint of_head = 0; of_head < 2; of_head++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		add_own_metric(s, "misses", 7, 7, TRUE)->gates = FALSE;
		Measurement *other = of_head != 0 ? s->base : s->head;
		for (guint i = 0; i < other->metrics->len; i++)
			if (g_str_equal(((MetricSeries *)other->metrics->pdata[i])->name, "misses"))
				g_ptr_array_remove_index(other->metrics, i);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const MetricComparison *misses = own_row(c, "misses");
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(misses->verdict, VERDICT_ERROR);
		assert_string_equal(misses->reason, of_head != 0 ? "only head has it" : "only base has it");
		assert_string_equal(misses->unit, "1/s");
		assert_true(misses->higher_is_better);
		assert_near(of_head != 0 ? misses->head : misses->base, 7, .1);
		assert_true(isnan(of_head != 0 ? misses->base : misses->head));
		assert_int_equal((of_head != 0 ? misses->head_values : misses->base_values)->len, 8);
	}
}

/* A program cannot run without it: nothing was measured, and that is no pass. */
static void a_time_of_zero_is_never_a_pass(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "task-clock", "ns", r, 0);
		synthetic_value(s->head, "task-clock", "ns", r, 0);
	}
	assert_verdict(s, VERDICT_ERROR, "invalid_value");
}

static void counters_that_stay_at_zero_pass(void **state)
{
	MetricPolicy faults = {.metric = (char *)"context-switches",
	        .engine = &engine_perf,
	        .margin = .1,
	        .pass_margin = .2,
	        .gates = TRUE};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_add(s->policies, &faults);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "context-switches", "count", r, 0);
		synthetic_value(s->head, "context-switches", "count", r, 0);
	}
	assert_verdict(s, VERDICT_PASS, "");
}

static void sides_that_mean_different_things_by_a_metric_are_an_error(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	MetricPolicy *policy = add_own_metric(s, "latency", 4000, 4000, FALSE);
	measurement_metric(s->head, &engine_benchmark, "latency")->higher_is_better = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_string_equal(c->reason_code, "invalid_value");
	assert_non_null(
	        strstr(c->reason, "latency: base gives it in 1/s (lower is better), head in 1/s (higher is better)"));
	policy->gates = FALSE;
	g_autoptr(BenchmarkComparison) shown = compare_benchmark(&s->input);
	assert_int_equal(shown->verdict, VERDICT_PASS);
	assert_int_equal(shown->metrics->len, 2);
	assert_int_equal(((MetricComparison *)shown->metrics->pdata[1])->verdict, VERDICT_ERROR);
}

static void a_peak_does_not_grow_with_the_work(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	MetricPolicy policy = {.metric = (char *)"peak-rss", .engine = &engine_perf, .margin = .02, .pass_margin = .05};
	s->base->work = s->head->work = 50;
	for (guint run = 0; run < 8; run++) {
		synthetic_value(s->base, "peak-rss", "bytes", run, 1e8 + run);
		synthetic_value(s->head, "peak-rss", "bytes", run, 1e8);
	}
	g_ptr_array_add(s->policies, &policy);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	const MetricComparison *rss = c->metrics->pdata[1];
	assert_string_equal(rss->name, "peak-rss");
	assert_near(rss->head, 1e8, 0);
}

/* --- counts --- */

/* The ways in which counts reach one side. */
typedef struct {
	MetricClass comparable;
	guint rounds; /* the first ones have a count, those after it none */
} Counted;

static void assert_counts_are_invalid(Counted base, Counted head)
{
	static MetricPolicy policy = {.metric = (char *)"instructions",
	        .engine = &engine_callgrind,
	        .margin = .005,
	        .pass_margin = .01,
	        .gates = TRUE};
	g_autoptr(Synthetic) s = campaign(steady, 8);
	Measurement *sides[] = {s->base, s->head};
	Counted counted[] = {base, head};
	g_ptr_array_add(s->policies, &policy);
	for (guint i = 0; i < 2; i++) {
		MetricSeries *series = measurement_add_metric(
		        sides[i], &engine_callgrind, "instructions", "count", counted[i].comparable);
		g_array_set_size(series->values, 8);
		for (guint r = 0; r < 8; r++)
			g_array_index(series->values, double, r) = r < counted[i].rounds ? 1e6 : NAN;
	}
	assert_verdict(s, VERDICT_ERROR, "invalid_value");
}

static void a_count_is_deterministic_only_if_both_sides_say_so(void **state)
{
	(void)state;
	assert_counts_are_invalid((Counted){METRIC_DETERMINISTIC, 4}, (Counted){METRIC_SAME_CAMPAIGN, 4});
	assert_counts_are_invalid((Counted){METRIC_SAME_CAMPAIGN, 4}, (Counted){METRIC_DETERMINISTIC, 4});
}

/* A value in a round that the other side lacks is a round that was measured badly, not one that was not measured. */
static void a_count_of_one_side_alone_is_an_error(void **state)
{
	(void)state;
	assert_counts_are_invalid((Counted){METRIC_DETERMINISTIC, 5}, (Counted){METRIC_DETERMINISTIC, 4});
	assert_counts_are_invalid((Counted){METRIC_DETERMINISTIC, 4}, (Counted){METRIC_DETERMINISTIC, 5});
}

static void a_unit_that_differs_is_an_error(void **state)
{
	static MetricPolicy policy = {
	        .metric = (char *)"latency", .engine = &engine_benchmark, .margin = .05, .gates = TRUE};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	measurement_add_metric(s->base, &engine_benchmark, "latency", "ms", METRIC_SAME_CAMPAIGN);
	measurement_add_metric(s->head, &engine_benchmark, "latency", "us", METRIC_SAME_CAMPAIGN);
	g_ptr_array_add(s->policies, &policy);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_string_equal(c->reason_code, "invalid_value");
	assert_non_null(strstr(c->reason, "base gives it in ms (lower is better), head in us (lower is better)"));
}

static void a_row_of_one_side_is_divided_by_its_own_work(void **state)
{
	static MetricPolicy policy = {
	        .metric = (char *)"instructions", .engine = &engine_perf, .margin = .05, .pass_margin = .1};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_add(s->policies, &policy);
	for (guint r = 0; r < 8; r++)
		synthetic_value(s->head, "instructions", "count", r, 800);
	s->head->work = 4;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_near(((MetricComparison *)c->metrics->pdata[1])->head, 200, 0);
}

static void a_metric_that_does_not_gate_and_has_no_value_has_no_row(void **state)
{
	static MetricPolicy policy = {
	        .metric = (char *)"latency", .engine = &engine_benchmark, .margin = .05, .pass_margin = .1};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	measurement_add_metric(s->base, &engine_benchmark, "latency", "ms", METRIC_SAME_CAMPAIGN);
	measurement_add_metric(s->head, &engine_benchmark, "latency", "ms", METRIC_SAME_CAMPAIGN);
	g_ptr_array_add(s->policies, &policy);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->metrics->len, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_throughput_that_falls_is_a_regression),
	        cmocka_unit_test(a_throughput_that_rises_passes),
	        cmocka_unit_test(a_latency_that_rises_is_a_regression),
	        cmocka_unit_test(own_metrics_are_not_divided_by_the_work),
	        cmocka_unit_test(a_run_is_measured_by_the_work_that_it_reports),
	        cmocka_unit_test(what_is_negligible_is_so_of_a_run_that_reports_its_work),
	        cmocka_unit_test(what_is_negligible_of_a_family_is_so_of_a_run_that_reports_its_work),
	        cmocka_unit_test(an_own_metric_of_zero_or_less_keeps_its_row),
	        cmocka_unit_test(a_gating_count_that_leaves_zero_is_a_regression),
	        cmocka_unit_test(a_metric_that_one_side_reports_keeps_its_row),
	        cmocka_unit_test(a_time_of_zero_is_never_a_pass),
	        cmocka_unit_test(counters_that_stay_at_zero_pass),
	        cmocka_unit_test(sides_that_mean_different_things_by_a_metric_are_an_error),
	        cmocka_unit_test(a_peak_does_not_grow_with_the_work),
	        cmocka_unit_test(a_count_is_deterministic_only_if_both_sides_say_so),
	        cmocka_unit_test(a_count_of_one_side_alone_is_an_error),
	        cmocka_unit_test(a_unit_that_differs_is_an_error),
	        cmocka_unit_test(a_row_of_one_side_is_divided_by_its_own_work),
	        cmocka_unit_test(a_metric_that_does_not_gate_and_has_no_value_has_no_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
