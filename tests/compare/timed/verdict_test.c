/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/judgedcampaign.h"

#include "compare/comparison/totals.h"
#include "tests/compare/near.h"

static void an_unchanged_program_passes(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_string_equal(c->reason_code, "");
	assert_string_equal(c->benchmark, "catalog");
	assert_int_equal(c->metrics->len, 1);
	assert_true(g_str_has_prefix(c->sentence, "catalog: no slowdown beyond 4 % (measured "));
	assert_null(strstr(c->sentence, "since"));
	assert_true(compare_decided(&s->input));
}

static void a_slower_program_is_a_regression_caused_by_its_function(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason_code, "regression");
	assert_true(g_str_has_prefix(c->sentence, "catalog is 1"));
	assert_non_null(strstr(c->sentence, " % slower ("));
	assert_true(g_str_has_suffix(c->sentence, " %), caused by hash"));
	assert_non_null(strstr(c->reason, "beyond the margin of 2 %"));
	assert_true(compare_decided(&s->input));
}

static void a_strict_policy_fails_a_function_although_the_total_passes(void **state)
{
	SyntheticPlan plan = {.functions = slightly_slower, .rounds = 8, .seed = 5, .noise = .2, .time_noise = .001};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) passes = compare_benchmark(&s->input);
	assert_int_equal(passes->verdict, VERDICT_PASS);
	assert_true(g_str_has_prefix(passes->slower, "slower although the total passes: hash +"));
	assert_null(strstr(passes->sentence, "hash"));
	s->input.functions.strict = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(((MetricComparison *)c->metrics->pdata[0])->verdict, VERDICT_PASS);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason_code, "function_regression");
	assert_true(g_str_has_prefix(c->reason, "hash costs more: +"));
	assert_non_null(strstr(c->reason, " pp of the total, p = 0.00"));
	assert_non_null(strstr(c->sentence, "; hash costs +"));
}

static void the_sentence_of_a_failed_total_names_a_function_that_only_rose(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	s->input.functions.gates = FALSE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_non_null(strstr(c->sentence, "caused by hash"));
}

static void a_metric_that_fails_without_a_profile_is_a_regression(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_clear_pointer(&s->base->profile, profile_free);
	g_clear_pointer(&s->head->profile, profile_free);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(c->functions->len, 0);
	assert_null(strstr(c->sentence, "since"));
}

static void too_few_rounds_are_inconclusive(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 7);
	assert_verdict(s, VERDICT_INCONCLUSIVE, "too_few_rounds");
	assert_false(compare_decided(&s->input));
}

static void a_wide_interval_is_inconclusive(void **state)
{
	SyntheticPlan plan = {.functions = steady, .rounds = 20, .seed = 8, .noise = .4, .time_noise = .3};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	assert_verdict(s, VERDICT_INCONCLUSIVE, "interval_too_wide");
	assert_false(compare_decided(&s->input));
}

static void a_contaminated_campaign_is_inconclusive_unless_it_fails(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	s->input.contaminated = TRUE;
	assert_verdict(s, VERDICT_INCONCLUSIVE, "contaminated");
	g_autoptr(Synthetic) worse = campaign(slower, 8);
	worse->input.contaminated = TRUE;
	assert_verdict(worse, VERDICT_REGRESSION, "regression");
}

static void zero_runs_are_an_error(void **state)
{
	(void)state;
	g_autoptr(Synthetic) none = campaign(steady, 0);
	assert_verdict(none, VERDICT_ERROR, "zero_runs");
	g_autoptr(Synthetic) one_side = campaign(steady, 8);
	g_array_set_size(one_side->head->runs, 0);
	assert_verdict(one_side, VERDICT_ERROR, "zero_runs");
}

static void no_gating_metric_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	s->policy.gates = FALSE;
	assert_verdict(s, VERDICT_ERROR, "zero_endpoints");
	g_ptr_array_set_size(s->policies, 0);
	assert_verdict(s, VERDICT_ERROR, "zero_endpoints");
}

static void a_gating_metric_that_one_side_lacks_is_an_error(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		MetricPolicy policy = {
		        .metric = (char *)"instructions", .margin = .01, .pass_margin = .02, .gates = TRUE};
		g_ptr_array_add(s->policies, &policy);
		assert_verdict(s, VERDICT_ERROR, "metric_missing");
		for (guint r = 0; r < 8; r++)
			synthetic_value(side == 0 ? s->base : s->head, "instructions", "count", r, 1e9);
		assert_verdict(s, VERDICT_ERROR, "metric_missing");
		assert_true(compare_decided(&s->input));
	}
}

static void a_value_that_is_no_number_is_an_error(void **state)
{
	static const double invalid[] = {NAN, INFINITY, 0, -5};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(invalid); i++)
		for (guint r = 0; r < 8; r++) {
			g_autoptr(Synthetic) s = campaign(steady, 8);
			synthetic_value(r % 2 == 0 ? s->base : s->head, "task-clock", "ns", r, invalid[i]);
			assert_verdict(s, VERDICT_ERROR, "invalid_value");
			assert_true(compare_decided(&s->input));
		}
}

static void invalid_work_is_an_error(void **state)
{
	static const double invalid[] = {NAN, 0, INFINITY, -1};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(invalid); i++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		s->head->work = invalid[i];
		assert_verdict(s, VERDICT_ERROR, "invalid_value");
	}
}

static void a_metric_that_does_not_gate_may_be_missing(void **state)
{
	MetricPolicy absent = {
	        .metric = (char *)"cache-misses", .engine = &engine_perf, .margin = .1, .pass_margin = .2};
	MetricPolicy partial = {.metric = (char *)"wall", .engine = &engine_perf, .margin = .1, .pass_margin = .2};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_add(s->policies, &absent);
	g_ptr_array_add(s->policies, &partial);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "wall", "ns", r, 5);
		synthetic_value(s->head, "wall", "ns", r, r == 3 ? NAN : 5);
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	const MetricComparison *wall = c->metrics->pdata[1];
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(c->metrics->len, 2);
	assert_string_equal(wall->name, "wall");
	assert_string_equal(wall->reason, "it was not measured in round 4 of head");
	assert_near(wall->head, 5, 0);
}

static void a_metric_that_does_not_gate_changes_no_verdict(void **state)
{
	MetricPolicy wall = {.metric = (char *)"wall", .engine = &engine_perf, .margin = .05, .pass_margin = .15};
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_insert(s->policies, 0, &wall);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "wall", "ns", r, 100 + r);
		synthetic_value(s->head, "wall", "ns", r, 300 + r);
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(c->metrics->len, 2);
	assert_string_equal(((MetricComparison *)c->metrics->pdata[0])->name, "task-clock"); /* gating ones first */
	assert_int_equal(((MetricComparison *)c->metrics->pdata[1])->verdict, VERDICT_REGRESSION);
}

static void every_gating_metric_has_to_pass(void **state)
{
	MetricPolicy faults = {.metric = (char *)"page-faults", .engine = &engine_perf, .gates = TRUE};
	(void)state;
	default_policy("page-faults", "coscheduled", TRUE, &faults);
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_add(s->policies, &faults);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "page-faults", "count", r, 1000 + r);
		synthetic_value(s->head, "page-faults", "count", r, 1100 + r);
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_non_null(strstr(c->sentence, "page-faults"));
	for (guint r = 0; r < 8; r++)
		synthetic_value(s->head, "page-faults", "count", r, r % 2 == 0 ? 500 : 2100 + r);
	assert_verdict(s, VERDICT_INCONCLUSIVE, "interval_too_wide");
	assert_false(compare_decided(&s->input));
}

static void one_failing_metric_decides_while_others_are_open(void **state)
{
	MetricPolicy open = {
	        .metric = (char *)"open", .engine = &engine_perf, .margin = .02, .pass_margin = .05, .gates = TRUE};
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_ptr_array_add(s->policies, &open);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "open", "count", r, 100);
		synthetic_value(s->head, "open", "count", r, r % 2 == 0 ? 50 : 200);
	}
	assert_true(compare_decided(&s->input));
	assert_verdict(s, VERDICT_REGRESSION, "regression");
}

/* Counts are taken in the first rounds only; a clock has to be there in all of them. */
static void deterministic_metrics_may_end_early_and_others_may_not(void **state)
{
	MetricPolicy counted = {.metric = (char *)"instructions",
	        .engine = &engine_callgrind,
	        .margin = .005,
	        .pass_margin = .01,
	        .gates = TRUE};
	(void)state;
	for (guint measured = 0; measured <= 4; measured++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		Measurement *sides[] = {s->base, s->head};
		g_ptr_array_add(s->policies, &counted);
		for (guint i = 0; i < 2; i++) {
			MetricSeries *series = measurement_add_metric(
			        sides[i], &engine_callgrind, "instructions", "count", METRIC_DETERMINISTIC);
			g_array_set_size(series->values, 8);
			for (guint r = 0; r < 8; r++)
				g_array_index(series->values, double, r) = r < measured ? 1e6 : NAN;
		}
		if (measured < 3)
			assert_verdict(s, VERDICT_ERROR, "invalid_value");
		else
			assert_verdict(s, VERDICT_PASS, "");
	}
	g_autoptr(Synthetic) s = campaign(steady, 12);
	for (guint r = 8; r < 12; r++) {
		synthetic_value(s->base, "task-clock", "ns", r, NAN);
		synthetic_value(s->head, "task-clock", "ns", r, NAN);
	}
	assert_verdict(s, VERDICT_ERROR, "invalid_value");
}

static void a_profile_on_one_side_only_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_clear_pointer(&s->head->profile, profile_free);
	assert_verdict(s, VERDICT_ERROR, "profile_missing");
	g_autoptr(Synthetic) other = campaign(steady, 8);
	g_clear_pointer(&other->base->profile, profile_free);
	assert_verdict(other, VERDICT_ERROR, "profile_missing");
}

static void a_profile_with_fewer_runs_than_rounds_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 8);
	g_ptr_array_set_size(s->base->profile->runs, 7);
	assert_verdict(s, VERDICT_ERROR, "profile_missing");
	g_autoptr(Synthetic) other = campaign(steady, 8);
	g_ptr_array_set_size(other->head->profile->runs, 7);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&other->input);
	assert_string_equal(c->reason, "the profile of head is missing or has too few runs");
}

static void a_profile_without_samples_is_an_error(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		Profile *profile = (side == 0 ? s->base : s->head)->profile;
		for (guint r = 0; r < 8; r++)
			g_array_set_size(profile->runs->pdata[r], 0);
		assert_verdict(s, VERDICT_ERROR, "zero_samples");
	}
}

static void runs_that_one_side_lacks_are_ignored(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(steady, 12);
	g_array_set_size(s->base->runs, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(((MetricComparison *)c->metrics->pdata[0])->base_values->len, 8);
}

static void swapped_sides_swap_regression_and_improvement(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	s->input.base = s->head;
	s->input.head = s->base;
	g_autoptr(BenchmarkComparison) mirrored = compare_benchmark(&s->input);
	assert_int_equal(mirrored->verdict, VERDICT_PASS);
	assert_true(((MetricComparison *)mirrored->metrics->pdata[0])->improved);
	FunctionComparison *rise = synthetic_find(s, c, "hash"), *fall = synthetic_find(s, mirrored, "hash");
	assert_int_equal(rise->klass, FUNCTION_REGRESSION);
	assert_int_equal(fall->klass, FUNCTION_IMPROVEMENT);
	assert_near(rise->p_adjusted, fall->p_adjusted_improvement, 0);
	assert_near(rise->change_ratio * fall->change_ratio, 1, 1e-12);
}

static void identical_sides_pass_without_any_change(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	s->input.head = s->base;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_near(c->total_change, 0, 0);
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *f = c->functions->pdata[i];
		assert_int_equal(f->klass, FUNCTION_UNCHANGED);
		assert_near(f->contribution, 0, 0);
	}
}

/* The same program on a machine four times as fast: the same verdict, ratios and p-values. */
static void scaled_sides_give_the_same_verdict(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	s->base->work = s->head->work = 4;
	g_autoptr(BenchmarkComparison) scaled = compare_benchmark(&s->input);
	assert_int_equal(scaled->verdict, c->verdict);
	assert_int_equal(scaled->functions->len, c->functions->len);
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *one = c->functions->pdata[i], *four = scaled->functions->pdata[i];
		assert_int_equal(one->frame.index, four->frame.index);
		assert_int_equal(one->klass, four->klass);
		assert_near(one->p_adjusted, four->p_adjusted, 0);
		assert_near(one->contribution, four->contribution, 1e-15);
	}
}

static void twenty_samples_of_a_side_are_enough_to_compare(void **state)
{
	(void)state;
	for (guint samples = 19; samples <= 20; samples++) {
		g_autoptr(Synthetic) s = campaign(steady, 8);
		StackId stack = synthetic_stack(s->table, &steady[0]);
		for (guint r = 0; r < 8; r++)
			g_array_set_size(s->head->profile->runs->pdata[r], 0);
		profile_add(s->head->profile, 0, stack, (ProfileCell){samples, samples * SAMPLE_NS});
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(g_str_equal(c->reason_code, "zero_samples"), samples == 19);
	}
}

/* --- profiles that decide nothing --- */

static void shown_profiles_have_functions_and_no_verdict(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 8);
	g_autoptr(BenchmarkComparison) c = compare_shown_profiles(&s->input);
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_int_equal(c->metrics->len, 0);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
}

static void shown_profiles_without_rounds_or_samples_have_no_functions(void **state)
{
	(void)state;
	g_autoptr(Synthetic) none = campaign(slower, 0);
	g_autoptr(BenchmarkComparison) nothing = compare_shown_profiles(&none->input);
	assert_int_equal(nothing->functions->len, 0);
	assert_string_equal(nothing->reason_code, "");
	g_autoptr(Synthetic) empty = campaign(slower, 8);
	for (guint r = 0; r < 8; r++)
		g_array_set_size(empty->head->profile->runs->pdata[r], 0);
	g_autoptr(BenchmarkComparison) c = compare_shown_profiles(&empty->input);
	assert_int_equal(c->functions->len, 0);
	assert_string_equal(c->reason_code, "zero_samples");
}

/* --- what functions learn from the totals --- */

/* Half of hash moves to sort; the samples say so, but with so much noise that the total has to confirm it. */
static guint accused_without_clock(gboolean clock_known)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 280, "a.c", 10},
	        {"main;sort", 400, 320, "a.c", 30},
	        {"main;render", 330, 330, "a.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	static MetricPolicy wall = {
	        .metric = (char *)"wall", .engine = &engine_perf, .margin = .5, .pass_margin = .6, .gates = TRUE};
	guint accused = 0;
	for (guint64 seed = 1; seed <= 60; seed++) {
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = 1, .time_noise = .005};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->policy.gates = FALSE;
		if (!clock_known)
			g_ptr_array_set_size(s->policies, 0);
		g_ptr_array_add(s->policies, &wall);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(s->base, "wall", "ns", r, 1e9 + r);
			synthetic_value(s->head, "wall", "ns", r, 1e9);
		}
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		accused += c->verdict == VERDICT_REGRESSION;
	}
	return accused;
}

static void a_shift_needs_the_clock_to_speak_for_it(void **state)
{
	(void)state;
	assert_in_range(accused_without_clock(TRUE), 0, 2);
	assert_in_range(accused_without_clock(FALSE), 6, 60);
}

/* The clock failed in one round, so it says nothing of the others. */
static void a_clock_that_failed_speaks_for_no_shift(void **state)
{
	static const SyntheticFunction moved[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 300, "a.c", 10},
	        {"main;sort", 400, 320, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	static MetricPolicy wall = {
	        .metric = (char *)"wall", .engine = &engine_perf, .margin = .5, .pass_margin = .6, .gates = TRUE};
	(void)state;
	g_autoptr(Synthetic) s = campaign(moved, 8);
	s->policy.gates = FALSE;
	g_ptr_array_add(s->policies, &wall);
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "wall", "ns", r, 1e9 + r);
		synthetic_value(s->head, "wall", "ns", r, 1e9);
	}
	g_autoptr(BenchmarkComparison) known = compare_benchmark(&s->input);
	assert_true(((MetricComparison *)known->metrics->pdata[1])->upper_ratio > 1);
	synthetic_value(s->head, "task-clock", "ns", 3, NAN);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(isnan(((MetricComparison *)c->metrics->pdata[1])->upper_ratio));
	assert_true(synthetic_find(s, c, "hash")->gates);
}

/* --- few rounds and several metrics --- */

static void metrics_that_agree_in_every_round_fail_together(void **state)
{
	(void)state;
	for (guint slow = 0; slow < 2; slow++) {
		SyntheticPlan plan = {.functions = slow ? slower : steady, .rounds = 7, .seed = 5, .time_noise = .003};
		MetricPolicy cycles = {.metric = (char *)"cycles", .margin = .02, .pass_margin = .04, .gates = TRUE};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_ptr_array_add(s->policies, &cycles);
		for (guint r = 0; r < 7; r++) {
			synthetic_value(s->base, "cycles", "cycles", r, 1e9 + r);
			synthetic_value(s->head, "cycles", "cycles", r, (slow ? 1.1e9 : 1e9) - r);
		}
		s->input.plan = look_plan_fixed(7, 2);
		s->input.functions.gates = FALSE;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_string_equal(c->reason_code, slow ? "regression" : "too_few_rounds");
		assert_int_equal(compare_decided(&s->input), slow);
	}
}

/* --- counts --- */

static void the_same_data_give_the_same_bits(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slower, 20);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	g_autoptr(BenchmarkComparison) again = compare_benchmark(&s->input);
	assert_string_equal(c->sentence, again->sentence);
	for (guint i = 0; i < c->functions->len; i++) {
		const FunctionComparison *one = c->functions->pdata[i], *two = again->functions->pdata[i];
		assert_memory_equal(&one->p_adjusted, &two->p_adjusted, sizeof(double));
		assert_memory_equal(&one->simultaneous_upper, &two->simultaneous_upper, sizeof(double));
	}
}

/* --- the total that holds a function --- */

static MetricComparison *add_total(GPtrArray *metrics, const Engine *engine, const char *name, double upper_ratio)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->verdict = VERDICT_PASS;
	metric->margin = .02;
	metric->upper_ratio = upper_ratio;
	g_ptr_array_add(metrics, metric);
	return metric;
}

/* TRUE if the total of a profile of this event holds, by these metrics. */
static gboolean total_holds(const char *event, const char *unit, const GPtrArray *metrics)
{
	g_autoptr(StackTable) table = stack_table_new();
	Profile *profile = profile_new(table, event, unit);
	gboolean holds = compare_total_holds(metrics, profile);
	profile_free(profile);
	return holds;
}

static void the_total_of_a_profile_is_that_of_its_event(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	add_total(metrics, &engine_perf, "task-clock", 1.5);
	add_total(metrics, &engine_perf, "cycles", 1.01);
	assert_true(total_holds("cycles:u", "cycles", metrics));
	assert_true(total_holds("cycles", "cycles", metrics));
	assert_false(total_holds("cpu-clock:u", "ns", metrics));
	assert_false(total_holds("instructions:u", "instructions", metrics));
	assert_false(total_holds("", "cycles", metrics));
}

static void a_total_of_another_engine_holds_no_function(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	add_total(metrics, &engine_callgrind, "instructions", 1);
	assert_false(total_holds("instructions:u", "instructions", metrics));
	add_total(metrics, &engine_perf, "instructions", 1.01);
	assert_true(total_holds("instructions:u", "instructions", metrics));
}

static void a_total_that_is_an_error_or_reaches_its_margin_does_not_hold(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	MetricComparison *total = add_total(metrics, &engine_perf, "task-clock", 1.01);
	assert_true(total_holds("cpu-clock:u", "ns", metrics));
	total->verdict = VERDICT_ERROR;
	assert_false(total_holds("cpu-clock:u", "ns", metrics));
	total->verdict = VERDICT_PASS;
	total->margin = .25;
	total->upper_ratio = 1.25;
	assert_false(total_holds("cpu-clock:u", "ns", metrics));
	total->upper_ratio = NAN;
	assert_false(total_holds("cpu-clock:u", "ns", metrics));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_unchanged_program_passes),
	        cmocka_unit_test(a_slower_program_is_a_regression_caused_by_its_function),
	        cmocka_unit_test(a_strict_policy_fails_a_function_although_the_total_passes),
	        cmocka_unit_test(the_sentence_of_a_failed_total_names_a_function_that_only_rose),
	        cmocka_unit_test(a_metric_that_fails_without_a_profile_is_a_regression),
	        cmocka_unit_test(too_few_rounds_are_inconclusive),
	        cmocka_unit_test(a_wide_interval_is_inconclusive),
	        cmocka_unit_test(a_contaminated_campaign_is_inconclusive_unless_it_fails),
	        cmocka_unit_test(zero_runs_are_an_error),
	        cmocka_unit_test(no_gating_metric_is_an_error),
	        cmocka_unit_test(a_gating_metric_that_one_side_lacks_is_an_error),
	        cmocka_unit_test(a_value_that_is_no_number_is_an_error),
	        cmocka_unit_test(invalid_work_is_an_error),
	        cmocka_unit_test(a_metric_that_does_not_gate_may_be_missing),
	        cmocka_unit_test(a_metric_that_does_not_gate_changes_no_verdict),
	        cmocka_unit_test(every_gating_metric_has_to_pass),
	        cmocka_unit_test(one_failing_metric_decides_while_others_are_open),
	        cmocka_unit_test(deterministic_metrics_may_end_early_and_others_may_not),
	        cmocka_unit_test(a_profile_on_one_side_only_is_an_error),
	        cmocka_unit_test(a_profile_with_fewer_runs_than_rounds_is_an_error),
	        cmocka_unit_test(a_profile_without_samples_is_an_error),
	        cmocka_unit_test(runs_that_one_side_lacks_are_ignored),
	        cmocka_unit_test(swapped_sides_swap_regression_and_improvement),
	        cmocka_unit_test(identical_sides_pass_without_any_change),
	        cmocka_unit_test(scaled_sides_give_the_same_verdict),
	        cmocka_unit_test(twenty_samples_of_a_side_are_enough_to_compare),
	        cmocka_unit_test(shown_profiles_have_functions_and_no_verdict),
	        cmocka_unit_test(shown_profiles_without_rounds_or_samples_have_no_functions),
	        cmocka_unit_test(a_shift_needs_the_clock_to_speak_for_it),
	        cmocka_unit_test(a_clock_that_failed_speaks_for_no_shift),
	        cmocka_unit_test(metrics_that_agree_in_every_round_fail_together),
	        cmocka_unit_test(the_same_data_give_the_same_bits),
	        cmocka_unit_test(the_total_of_a_profile_is_that_of_its_event),
	        cmocka_unit_test(a_total_of_another_engine_holds_no_function),
	        cmocka_unit_test(a_total_that_is_an_error_or_reaches_its_margin_does_not_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
