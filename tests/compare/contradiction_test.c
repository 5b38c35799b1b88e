/* SPDX-License-Identifier: Apache-2.0 */
/* A result from a file must not claim a pass that the numbers below it do not bear. */
#include "compare/contradiction.h"
#include "compare/outcome.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 3

/* A check of one benchmark that passes, and what of it a test changes. */
typedef struct {
	CheckResult *result;
	ResultBenchmark *row;
	MetricComparison *metric;
} Fixture;

static Measurement *one_side(void)
{
	Measurement *side = measurement_new("work", "", "");
	for (guint r = 0; r < ROUNDS; r++) {
		RunFacts facts = {.round = r + 1};
		g_array_append_val(side->runs, facts);
	}
	return side;
}

static GArray *values(double first)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint r = 0; r < ROUNDS; r++) {
		double value = first + r;
		g_array_append_val(array, value);
	}
	return array;
}

static MetricComparison *passing_metric(void)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("task-clock");
	metric->unit = g_strdup("ns");
	metric->engine = &engine_perf;
	metric->base_values = values(100);
	metric->head_values = values(101);
	metric->base = 101;
	metric->head = 102;
	metric->lower_ratio = 1;
	metric->upper_ratio = 1.02;
	metric->margin = .02;
	metric->pass_margin = .04;
	metric->rounds = ROUNDS;
	metric->gates = TRUE;
	metric->verdict = VERDICT_PASS;
	return metric;
}

static ResultBenchmark *add_passing(CheckResult *result, const char *name)
{
	ResultBenchmark *row = check_result_add_benchmark(result, name);
	row->base = one_side();
	row->head = one_side();
	row->comparison = benchmark_comparison_new(name);
	g_ptr_array_add(row->comparison->metrics, passing_metric());
	benchmark_comparison_decide(row->comparison, VERDICT_PASS, "", NULL);
	return row;
}

static int set_up(void **state)
{
	Fixture *f = g_new0(Fixture, 1);
	f->result = check_result_new();
	f->row = add_passing(f->result, "work");
	f->metric = f->row->comparison->metrics->pdata[0];
	check_result_decide(f->result);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	Fixture *f = *state;
	check_result_free(f->result);
	g_free(f);
	return 0;
}

static void assert_sound(const Fixture *f)
{
	g_autofree char *problem = result_contradiction(f->result);
	if (problem != NULL)
		fail_msg("is said to contradict itself: %s", problem);
}

static void assert_contradicts(const Fixture *f, const char *what)
{
	g_autofree char *problem = result_contradiction(f->result);
	if (problem == NULL || strstr(problem, what) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", problem != NULL ? problem : "nothing", what);
}

static void end_with(Fixture *f, Verdict verdict, const char *code)
{
	benchmark_comparison_decide(f->row->comparison, verdict, code, NULL);
	g_ptr_array_set_size(f->result->reasons, 0);
	check_result_decide(f->result);
}

static FunctionComparison *add_function(BenchmarkComparison *comparison)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->gates = TRUE;
	g_ptr_array_add(comparison->functions, function);
	return function;
}

/* --- the numbers below a pass --- */

static void a_pass_that_was_measured_is_sound(void **state)
{
	assert_sound(*state);
}

static void a_pass_without_runs_of_a_side_contradicts_itself(void **state)
{
	Fixture *f = *state;
	g_array_set_size(f->row->base->runs, 0);
	assert_contradicts(f, "work passes, but was not run on both sides");
	g_clear_pointer(&f->row->base, measurement_free);
	assert_contradicts(f, "was not run on both sides");
}

static void a_metric_that_fails_makes_no_pass(void **state)
{
	static const Verdict others[] = {VERDICT_REGRESSION, VERDICT_INCONCLUSIVE, VERDICT_ERROR};
	Fixture *f = *state;
	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		f->metric->verdict = others[i];
		assert_contradicts(f, "task-clock, which gates, does not pass");
	}
	f->metric->gates = FALSE;
	g_ptr_array_add(f->row->comparison->metrics, passing_metric());
	assert_sound(f);
}

static void a_pass_without_a_metric_that_gates_contradicts_itself(void **state)
{
	Fixture *f = *state;
	f->metric->gates = FALSE;
	assert_contradicts(f, "none of its metrics gates");
	g_ptr_array_set_size(f->row->comparison->metrics, 0);
	assert_contradicts(f, "none of its metrics gates");
}

static void every_round_of_both_sides_has_a_value(void **state)
{
	static const char unmeasured[] = "was not measured in every round of both sides";
	Fixture *f = *state;
	f->metric->rounds = 0;
	assert_contradicts(f, unmeasured);
	f->metric->rounds = ROUNDS + 1;
	assert_contradicts(f, unmeasured);
	f->metric->rounds = ROUNDS;
	g_array_index(f->metric->head_values, double, 1) = NAN;
	assert_contradicts(f, unmeasured);
	g_array_index(f->metric->head_values, double, 1) = 102;
	g_array_set_size(f->metric->base_values, ROUNDS - 1);
	assert_contradicts(f, unmeasured);
}

static void a_median_lies_among_its_values(void **state)
{
	Fixture *f = *state;
	f->metric->head = 103.5;
	assert_contradicts(f, "was not measured");
	f->metric->head = 100.5;
	assert_contradicts(f, "was not measured");
	f->metric->head = NAN;
	assert_contradicts(f, "was not measured");
	/* a file holds ten digits */
	f->metric->head = 103.00000001;
	assert_sound(f);
}

static void a_bound_beyond_the_wider_margin_is_no_pass(void **state)
{
	Fixture *f = *state;
	f->metric->upper_ratio = 1.04;
	assert_sound(f);
	f->metric->upper_ratio = 1.0401;
	assert_contradicts(f, "is beyond its margin");
	f->metric->negligible = TRUE;
	assert_sound(f);
}

/* Of a throughput the lower bound is the worse one. */
static void the_worse_bound_depends_on_the_direction(void **state)
{
	Fixture *f = *state;
	f->metric->higher_is_better = TRUE;
	f->metric->upper_ratio = 2;
	assert_sound(f);
	f->metric->lower_ratio = .95;
	assert_contradicts(f, "is beyond its margin");
}

static void a_function_that_gates_makes_no_pass(void **state)
{
	Fixture *f = *state;
	FunctionComparison *function = add_function(f->row->comparison);
	assert_contradicts(f, "a function of it gates");
	function->gates = FALSE;
	assert_sound(f);
}

/* One of another event decides nothing. */
static void a_function_of_a_profile_counts_where_the_profile_decides(void **state)
{
	Fixture *f = *state;
	ResultProfile profile = {.event = (char *)"callgrind",
	        .comparison = benchmark_comparison_new("work"),
	        .engine = &engine_callgrind};
	add_function(profile.comparison);
	result_benchmark_add_profile(f->row, &profile);
	assert_sound(f);
	((ResultProfile *)f->row->profiles->pdata[0])->decides = TRUE;
	assert_contradicts(f, "a function of it gates");
}

/* --- accepted --- */

static void a_pass_has_no_reason_but_that_it_was_accepted(void **state)
{
	Fixture *f = *state;
	end_with(f, VERDICT_PASS, "regression");
	assert_contradicts(f, "work passes, but its reason is regression");
	end_with(f, VERDICT_PASS, "accepted");
	assert_contradicts(f, "passes as accepted, but nothing of it is");
}

static void a_metric_is_accepted_only_where_somebody_did(void **state)
{
	Fixture *f = *state;
	f->metric->verdict = VERDICT_REGRESSION;
	f->metric->accepted = TRUE;
	f->metric->upper_ratio = 1.5;
	assert_contradicts(f, "nobody accepted what task-clock costs more");
	benchmark_comparison_add_accepted(f->row->comparison, g_new0(AcceptedRegression, 1));
	end_with(f, VERDICT_PASS, "accepted");
	assert_sound(f);
	g_array_index(f->metric->base_values, double, 0) = INFINITY;
	assert_contradicts(f, "was not measured");
}

/* --- other modes --- */

/* They pass by what they find, which has to be measured. */
static void a_calibration_passes_with_a_regression_that_was_measured(void **state)
{
	Fixture *f = *state;
	f->result->mode = CHECK_CALIBRATE;
	f->metric->verdict = VERDICT_REGRESSION;
	end_with(f, VERDICT_REGRESSION, "regression");
	assert_sound(f);
	f->metric->rounds = 0;
	assert_contradicts(f, "task-clock of work regressed, but was not measured");
	f->metric->rounds = ROUNDS;
	g_array_set_size(f->row->head->runs, 0);
	assert_contradicts(f, "work has a verdict, but was not run on both sides");
}

static void a_benchmark_that_fails_may_lack_everything(void **state)
{
	Fixture *f = *state;
	g_clear_pointer(&f->row->base, measurement_free);
	f->metric->rounds = 0;
	end_with(f, VERDICT_REGRESSION, "regression");
	assert_sound(f);
	end_with(f, VERDICT_ERROR, "benchmark_failed");
	assert_sound(f);
}

/* --- the whole --- */

static void the_exit_code_is_that_of_rows_and_reasons(void **state)
{
	Fixture *f = *state;
	f->metric->verdict = VERDICT_REGRESSION;
	end_with(f, VERDICT_REGRESSION, "regression");
	f->result->exit_code = 0;
	assert_contradicts(f, "the verdict is regression, but the exit code 0");
	f->result->verdict = VERDICT_PASS;
	assert_contradicts(f, "the exit code is 0, but benchmarks and reasons say 1");
}

static void nothing_measured_is_no_pass(void **state)
{
	Fixture *f = *state;
	g_ptr_array_set_size(f->result->benchmarks, 0);
	assert_contradicts(f, "the exit code is 0, but benchmarks and reasons say 4");
}

static void a_reason_has_an_exit_code_that_there_is(void **state)
{
	static const int codes[] = {-1, 256};
	Fixture *f = *state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_ptr_array_set_size(f->result->reasons, 0);
		check_result_add_reason(f->result, codes[i], "made_up", NULL, "made up");
		assert_contradicts(f, "a reason has the exit code");
	}
}

static void a_benchmark_is_there_once(void **state)
{
	Fixture *f = *state;
	add_passing(f->result, "other");
	assert_sound(f);
	add_passing(f->result, "work");
	assert_contradicts(f, "work is listed twice");
}

#define CONTRADICTION_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        CONTRADICTION_TEST(a_pass_that_was_measured_is_sound),
	        CONTRADICTION_TEST(a_pass_without_runs_of_a_side_contradicts_itself),
	        CONTRADICTION_TEST(a_metric_that_fails_makes_no_pass),
	        CONTRADICTION_TEST(a_pass_without_a_metric_that_gates_contradicts_itself),
	        CONTRADICTION_TEST(every_round_of_both_sides_has_a_value),
	        CONTRADICTION_TEST(a_median_lies_among_its_values),
	        CONTRADICTION_TEST(a_bound_beyond_the_wider_margin_is_no_pass),
	        CONTRADICTION_TEST(the_worse_bound_depends_on_the_direction),
	        CONTRADICTION_TEST(a_function_that_gates_makes_no_pass),
	        CONTRADICTION_TEST(a_function_of_a_profile_counts_where_the_profile_decides),
	        CONTRADICTION_TEST(a_pass_has_no_reason_but_that_it_was_accepted),
	        CONTRADICTION_TEST(a_metric_is_accepted_only_where_somebody_did),
	        CONTRADICTION_TEST(a_calibration_passes_with_a_regression_that_was_measured),
	        CONTRADICTION_TEST(a_benchmark_that_fails_may_lack_everything),
	        CONTRADICTION_TEST(the_exit_code_is_that_of_rows_and_reasons),
	        CONTRADICTION_TEST(nothing_measured_is_no_pass),
	        CONTRADICTION_TEST(a_reason_has_an_exit_code_that_there_is),
	        CONTRADICTION_TEST(a_benchmark_is_there_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
