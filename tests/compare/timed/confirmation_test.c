/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/secondcampaign.h"

#include "compare/timed/confirmation.h"
#include "tests/compare/knowncode.h"

/* Leaves only functions under suspicion. */
static void acquit_metrics(BenchmarkComparison *suspected)
{
	for (guint i = 0; i < suspected->metrics->len; i++)
		((MetricComparison *)suspected->metrics->pdata[i])->verdict = VERDICT_PASS;
}

/* --- the second campaign --- */

static void a_metric_that_fails_again_is_a_regression(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	acquit_functions(t.suspected);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason_code, "regression");
	assert_true(g_str_has_prefix(c->reason, "task-clock regressed again: at least +"));
	assert_false(synthetic_find(t.second, c, "hash")->gates);
	twice_clear(&t);
}

static void the_bound_has_the_level_of_a_confirmation_over_all_rounds(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 11);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	const MetricComparison *metric = c->metrics->pdata[0];
	assert_int_equal(metric->rounds, 11);
	assert_int_equal(metric->looks->len, 1);
	assert_true(metric->alpha_fail == CONFIRMATION_ALPHA && metric->alpha_pass == CONFIRMATION_ALPHA);
	twice_clear(&t);
}

static void five_rounds_are_enough_to_confirm(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 5);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	twice_clear(&t);
	Twice steady_again = measure_twice(slower, steady, 5);
	g_autoptr(BenchmarkComparison) missed = compare_benchmark(&steady_again.second->input);
	assert_string_equal(missed->reason_code, "not_confirmed");
	twice_clear(&steady_again);
}

static void in_four_rounds_nothing_can_be_found(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 4);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c->reason_code, "too_few_rounds");
	assert_string_equal(c->reason, "too few rounds to find it again: 4 of 5");
	twice_clear(&t);
}

/* Together they would be enough for a level of 10 %, but each has its own. */
static void metrics_are_not_confirmed_as_a_family(void **state)
{
	MetricPolicy cycles = {.metric = (char *)"cycles", .gates = TRUE, .margin = .02, .pass_margin = .05};
	(void)state;
	Twice t = measure_twice(slower, slower, 4);
	MetricComparison *other = g_new0(MetricComparison, 1);
	other->name = g_strdup("cycles");
	other->engine = &engine_perf;
	other->verdict = VERDICT_REGRESSION;
	other->gates = TRUE;
	g_ptr_array_add(t.suspected->metrics, other);
	g_ptr_array_add(t.second->policies, &cycles);
	for (guint r = 0; r < 4; r++) {
		synthetic_value(t.second->base, "cycles", "cycles", r, 1000 + r);
		synthetic_value(t.second->head, "cycles", "cycles", r, 1300 + 2 * r);
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "too_few_rounds");
	twice_clear(&t);
}

static void a_metric_that_passes_now_is_not_confirmed(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, steady, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c->reason_code, "not_confirmed");
	assert_true(g_str_has_prefix(c->reason, "task-clock ") && g_str_has_suffix(c->reason, " in 8 new rounds"));
	twice_clear(&t);
}

/* The interval includes the margin: that nothing was found does not show that nothing is there. */
static void a_metric_that_is_open_now_leaves_the_verdict_open(void **state)
{
	SyntheticPlan noisy = {.functions = steady, .rounds = 8, .seed = 8, .noise = .4, .time_noise = .3};
	(void)state;
	Twice t = measure_twice(slower, steady, 8);
	g_autoptr(Synthetic) open = synthetic_new(&noisy);
	open->input.suspected = t.suspected;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&open->input);
	assert_string_equal(c->reason_code, "unclear");
	assert_true(g_str_has_prefix(c->reason, "task-clock "));
	assert_int_equal(((MetricComparison *)c->metrics->pdata[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_false(confirmation_apply(t.suspected, c));
	const MetricComparison *metric = t.suspected->metrics->pdata[0];
	assert_int_equal(t.suspected->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(t.suspected->reason_code, "confirmation_unclear");
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_UNCLEAR);
	assert_true(g_str_has_prefix(t.suspected->confirmation_text, "task-clock "));
	assert_int_equal(metric->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(metric->confirmation, CONFIRMATION_UNCLEAR);
	assert_string_equal(metric->reason, "a second campaign was inconclusive");
	assert_false(suspect(&t, "hash")->gates);
	twice_clear(&t);
}

/* +1.5 % passes for sure, but the margin of 2 % may well be exceeded. */
static void a_metric_between_its_margins_is_not_shown_to_be_absent(void **state)
{
	SyntheticPlan between = {.functions = steady, .rounds = 8, .seed = 6, .noise = .2, .time_noise = .001};
	(void)state;
	Twice t = measure_twice(slower, steady, 8);
	acquit_functions(t.suspected);
	g_autoptr(Synthetic) s = synthetic_new(&between);
	for (guint r = 0; r < 8; r++) {
		double noise = r % 2 == 0 ? 1.02 : .99;
		synthetic_value(s->base, "task-clock", "ns", r, 1e9);
		synthetic_value(s->head, "task-clock", "ns", r, 1.015e9 * noise);
	}
	s->input.suspected = t.suspected;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(((MetricComparison *)c->metrics->pdata[0])->verdict, VERDICT_PASS);
	assert_string_equal(c->reason_code, "unclear");
	twice_clear(&t);
}

static void where_higher_is_better_the_lower_bound_shows_the_absence(void **state)
{
	MetricPolicy rate = {.metric = (char *)"rate", .gates = TRUE, .margin = .02, .pass_margin = .05};
	(void)state;
	for (guint absent = 0; absent < 2; absent++) {
		Twice t = measure_twice(slower, steady, 8);
		acquit_metrics(t.suspected);
		acquit_functions(t.suspected);
		MetricComparison *other = g_new0(MetricComparison, 1);
		other->name = g_strdup("rate");
		other->engine = &engine_perf;
		other->verdict = VERDICT_REGRESSION;
		other->gates = TRUE;
		g_ptr_array_add(t.suspected->metrics, other);
		g_ptr_array_add(t.second->policies, &rate);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(t.second->base, "rate", "1/s", r, 1000);
			synthetic_value(t.second->head, "rate", "1/s", r, (absent ? 1050 : 985) * (r % 2 ? 1.01 : .99));
		}
		MetricSeries *series[] = {
		        measurement_add_metric(t.second->base, &engine_perf, "rate", "1/s", METRIC_SAME_CAMPAIGN),
		        measurement_add_metric(t.second->head, &engine_perf, "rate", "1/s", METRIC_SAME_CAMPAIGN)};
		series[0]->higher_is_better = series[1]->higher_is_better = TRUE;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_string_equal(c->reason_code, absent ? "not_confirmed" : "unclear");
		twice_clear(&t);
	}
}

/* The metric is absent for certain; of the function nothing is known. */
static void every_suspect_has_to_be_shown_to_be_absent(void **state)
{
	static const SyntheticFunction rare[] = {
	        {"main", 800, 800, "a.c", 90},
	        {"main;hash", 1, 1, "a.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint function = 0; function < 2; function++) {
		Twice t = measure_twice(slower, rare, 8);
		assert_true(suspect(&t, "hash")->gates);
		if (!function)
			acquit_functions(t.suspected);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_string_equal(c->reason_code, function ? "unclear" : "not_confirmed");
		twice_clear(&t);
	}
}

/* It alone rises again; what it was thought to be the consequence of does not. */
static void an_excused_function_is_suspected_too(void **state)
{
	(void)state;
	for (guint excused = 0; excused < 2; excused++) {
		Twice t = measure_twice(slightly_slower, slightly_slower, 8);
		FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
		hash->gates = FALSE;
		hash->excused = excused;
		sort->gates = TRUE;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_string_equal(c->reason_code, excused ? "function_regression" : "not_confirmed");
		assert_int_equal(synthetic_find(t.second, c, "hash")->gates, excused);
		twice_clear(&t);
	}
}

/* The total of the second campaign is shown to be below its margin, so the function is held there. */
static void a_total_that_holds_in_the_second_campaign_confirms_no_function(void **state)
{
	(void)state;
	for (guint strict = 0; strict < 2; strict++) {
		Twice t = measure_twice(slightly_slower, slightly_slower, 8);
		t.second->input.functions.strict = strict;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		const FunctionComparison *hash = synthetic_find(t.second, c, "hash");
		assert_string_equal(c->reason_code, strict ? "function_regression" : "unclear");
		assert_int_equal(hash->held, strict ? FUNCTION_NOT_HELD : FUNCTION_HELD_BY_TOTAL);
		twice_clear(&t);
	}
}

/* Equal code is found again together with a total that fails again, and else not. */
static void equal_code_alone_confirms_nothing(void **state)
{
	static const KnownCode same[] = {{.name = "hash", .hash = {2, 2}}, {.name = NULL}};
	(void)state;
	for (guint total = 0; total < 2; total++) {
		Twice t = measure_twice(total ? slower : slightly_slower, total ? slower : slightly_slower, 8);
		g_autoptr(CodeFacts) code = known_code(t.second->table, same);
		t.second->input.code = code;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_int_equal(synthetic_find(t.second, c, "hash")->gates, total);
		assert_string_equal(c->reason_code, total ? "regression" : "unclear");
		twice_clear(&t);
	}
}

static void without_a_profile_no_function_is_shown_to_be_absent(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_steady, 8);
	g_clear_pointer(&t.second->base->profile, profile_free);
	g_clear_pointer(&t.second->head->profile, profile_free);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "unclear");
	assert_string_equal(c->reason, "there is no profile");
	twice_clear(&t);
}

/* A metric that did not fail the first time cannot fail now. */
static void only_what_failed_is_judged_again(void **state)
{
	MetricPolicy faults = {.metric = (char *)"page-faults", .gates = TRUE, .margin = .02, .pass_margin = .05};
	(void)state;
	for (guint gated = 0; gated < 2; gated++) {
		Twice t = measure_twice(slower, steady, 8);
		MetricComparison *other = g_new0(MetricComparison, 1);
		other->name = g_strdup("page-faults");
		other->engine = &engine_perf;
		other->verdict = gated ? VERDICT_REGRESSION : VERDICT_PASS;
		other->gates = TRUE;
		g_ptr_array_add(t.suspected->metrics, other);
		g_ptr_array_add(t.second->policies, &faults);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(t.second->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(t.second->head, "page-faults", "count", r, 1300 + r);
		}
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_int_equal(c->verdict, gated ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
		twice_clear(&t);
	}
}

static GPtrArray *policies_for(Twice *t, MetricPolicy *policy)
{
	g_ptr_array_set_size(t->second->policies, 0);
	g_ptr_array_add(t->second->policies, policy);
	return confirmation_policies(&t->second->input);
}

static void a_policy_gates_again_if_its_metric_failed_as_one_that_gates(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, steady, 8);
	MetricComparison *failed = t.suspected->metrics->pdata[0];
	static const struct {
		const char *metric;
		const Engine *engine;
		gboolean gates, failed_gates, wanted;
		Verdict verdict;
	} rows[] = {
	        {"task-clock", &engine_perf, TRUE, TRUE, TRUE, VERDICT_REGRESSION},
	        {"task-clock", NULL, TRUE, TRUE, TRUE, VERDICT_REGRESSION},
	        {"task-clock", &engine_benchmark, TRUE, TRUE, FALSE, VERDICT_REGRESSION},
	        {"wall", &engine_perf, TRUE, TRUE, FALSE, VERDICT_REGRESSION},
	        {"task-clock", &engine_perf, FALSE, TRUE, FALSE, VERDICT_REGRESSION},
	        {"task-clock", &engine_perf, TRUE, FALSE, FALSE, VERDICT_REGRESSION},
	        {"task-clock", &engine_perf, TRUE, TRUE, FALSE, VERDICT_PASS},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricPolicy policy = {.metric = (char *)rows[i].metric,
		        .engine = rows[i].engine,
		        .margin = .07,
		        .gates = rows[i].gates};
		failed->gates = rows[i].failed_gates;
		failed->verdict = rows[i].verdict;
		g_autoptr(GPtrArray) policies = policies_for(&t, &policy);
		const MetricPolicy *again = policies->pdata[0];
		assert_int_equal(policies->len, 1);
		assert_int_equal(again->gates, rows[i].wanted);
		assert_true(again->margin == .07);
		assert_int_equal(policy.gates, rows[i].gates);
	}
	twice_clear(&t);
}

static void a_function_that_rises_again_is_a_regression(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	assert_string_equal(t.suspected->reason_code, "function_regression");
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_string_equal(c->reason_code, "function_regression");
	assert_true(g_str_has_prefix(c->reason, "found again: hash +"));
	assert_string_equal(c->sentence, c->reason);
	assert_true(synthetic_find(t.second, c, "hash")->gates);
	twice_clear(&t);
}

static void a_function_that_does_not_rise_again_is_not_confirmed(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_steady, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "not_confirmed");
	assert_true(g_str_has_prefix(c->reason, "hash ") && g_str_has_suffix(c->reason, " in 8 new rounds"));
	assert_string_equal(c->sentence, c->reason);
	twice_clear(&t);
}

static void a_function_that_is_gone_is_not_confirmed(void **state)
{
	static const SyntheticFunction without[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;sort", 2000, 2000, "c.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, without, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason, "head did not run the function in 8 new rounds");
	twice_clear(&t);
}

static void a_function_with_too_few_samples_leaves_the_regression(void **state)
{
	static const SyntheticFunction rare[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 1, 1, "b.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, rare, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_false(synthetic_find(t.second, c, "hash")->tested);
	assert_string_equal(c->reason_code, "unclear");
	assert_string_equal(c->reason, "hash has too few samples");
	twice_clear(&t);
}

/* Another function rises the second time: that one is not under suspicion. */
static void another_function_confirms_nothing(void **state)
{
	static const SyntheticFunction other[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 900, 900, "b.c", 10},
	        {"main;sort", 2000, 2150, "c.c", 30},
	        {"main;render", 3000, 3000, "d.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, other, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "not_confirmed");
	assert_int_equal(synthetic_find(t.second, c, "sort")->klass, FUNCTION_REGRESSION);
	assert_false(synthetic_find(t.second, c, "sort")->gates);
	twice_clear(&t);
}

/* The tables of two campaigns number their frames differently. */
static void functions_are_found_by_name_and_module(void **state)
{
	static const SyntheticFunction shuffled[] = {
	        {"main;render", 3000, 3000, "d.c", 50},
	        {"main;hash", 900, 1010, "b.c", 10},
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;sort", 2000, 2000, "c.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, shuffled, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_not_equal(suspect(&t, "hash")->frame.index, synthetic_find(t.second, c, "hash")->frame.index);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(synthetic_find(t.second, c, "hash")->gates);
	twice_clear(&t);
}

static void a_function_of_another_module_is_another_one(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	suspect(&t, "hash")->frame = stack_table_frame_named(t.first->table, "hash", "libother.so", FRAME_USER);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "not_confirmed");
	twice_clear(&t);
}

static void campaigns_may_share_their_table(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slightly_slower, 8, 5);
	g_autoptr(BenchmarkComparison) suspected = compare_benchmark(&s->input);
	s->input.suspected = suspected;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(synthetic_find(s, c, "hash")->gates);
}

/* Its own p-value counts, not one that is adjusted for all the functions that nobody suspects. */
static void the_p_value_of_a_suspect_is_not_adjusted(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 5);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	twice_clear(&t);
}

/* The same functions and policy, with one thing different in each row. The large one rose all the same. */
static void a_suspect_has_to_pass_the_floors_again(void **state)
{
	static const SyntheticFunction small[] = {
	        {"main", 50000, 50000, "a.c", 90},
	        {"main;hash", 900, 1010, "b.c", 10}, /* .2 % of the total */
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction large[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 5000, 5200, "b.c", 10}, /* 4 % of itself */
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint i = 0; i < 2; i++) {
		Twice t = measure_twice(slightly_slower, i == 0 ? small : large, 8);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_true(synthetic_find(t.second, c, "hash")->p_value <= CONFIRMATION_ALPHA);
		assert_string_equal(c->reason_code, i == 0 ? "not_confirmed" : "unclear");
		twice_clear(&t);
	}
}

static void a_suspect_whose_cost_only_moved_is_neither_found_nor_absent(void **state)
{
	static const SyntheticFunction moved[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 900, 1400, "b.c", 10},
	        {"main;hash_all", 900, 400, "b.c", 60},
	        {"main;sort", 2000, 2000, "c.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, moved, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(synthetic_find(t.second, c, "hash")->klass, FUNCTION_COST_SHIFT);
	assert_string_equal(c->reason_code, "unclear");
	twice_clear(&t);
}

static void a_suspect_that_may_be_layout_is_neither_found_nor_absent(void **state)
{
	static const KnownCode same[] = {
	        {.name = "main", .file = "a.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "b.c", .first = 10, .last = 20, .hash = {2, 2}},
	        {.name = "sort", .file = "c.c", .first = 30, .last = 40, .hash = {3, 3}},
	        {.name = "render", .file = "d.c", .first = 50, .last = 60, .hash = {4, 4}},
	        {.name = NULL},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	g_autoptr(CodeFacts) code = known_code(t.second->table, same);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 1);
	t.second->input.code = code;
	t.second->input.change = change;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(synthetic_find(t.second, c, "hash")->klass, FUNCTION_LAYOUT_SUSPECT);
	assert_string_equal(c->reason_code, "unclear");
	twice_clear(&t);
}

static void a_contaminated_campaign_cannot_tell(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	t.second->input.contaminated = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c->reason_code, "contaminated");
	assert_false(confirmation_apply(t.suspected, c));
	assert_int_equal(t.suspected->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_UNCLEAR);
	twice_clear(&t);
}

static void a_second_campaign_that_measured_nothing_is_an_error(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	g_array_set_size(t.second->head->runs, 0);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_int_equal(c->verdict, VERDICT_ERROR);
	assert_string_equal(c->reason_code, "zero_runs");
	twice_clear(&t);
}

static void nothing_is_found_where_nothing_is_suspected(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	acquit_metrics(t.suspected);
	acquit_functions(t.suspected);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "not_confirmed");
	twice_clear(&t);
}

static void a_campaign_without_profiles_can_confirm_a_metric(void **state)
{
	(void)state;
	for (guint again = 0; again < 2; again++) {
		Twice t = measure_twice(slower, again ? slower : steady, 8);
		acquit_functions(t.suspected);
		g_clear_pointer(&t.second->base->profile, profile_free);
		g_clear_pointer(&t.second->head->profile, profile_free);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_int_equal(c->verdict, again ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
		twice_clear(&t);
	}
}

static void it_ends_after_all_its_rounds_unless_it_is_an_error(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	assert_false(compare_decided(&t.second->input));
	synthetic_value(t.second->head, "task-clock", "ns", 3, NAN);
	assert_true(compare_decided(&t.second->input));
	acquit_metrics(t.suspected); /* then the metric does not matter */
	assert_false(compare_decided(&t.second->input));
	twice_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_metric_that_fails_again_is_a_regression),
	        cmocka_unit_test(the_bound_has_the_level_of_a_confirmation_over_all_rounds),
	        cmocka_unit_test(five_rounds_are_enough_to_confirm),
	        cmocka_unit_test(in_four_rounds_nothing_can_be_found),
	        cmocka_unit_test(metrics_are_not_confirmed_as_a_family),
	        cmocka_unit_test(a_metric_that_passes_now_is_not_confirmed),
	        cmocka_unit_test(a_metric_that_is_open_now_leaves_the_verdict_open),
	        cmocka_unit_test(a_metric_between_its_margins_is_not_shown_to_be_absent),
	        cmocka_unit_test(where_higher_is_better_the_lower_bound_shows_the_absence),
	        cmocka_unit_test(every_suspect_has_to_be_shown_to_be_absent),
	        cmocka_unit_test(an_excused_function_is_suspected_too),
	        cmocka_unit_test(a_total_that_holds_in_the_second_campaign_confirms_no_function),
	        cmocka_unit_test(equal_code_alone_confirms_nothing),
	        cmocka_unit_test(without_a_profile_no_function_is_shown_to_be_absent),
	        cmocka_unit_test(only_what_failed_is_judged_again),
	        cmocka_unit_test(a_policy_gates_again_if_its_metric_failed_as_one_that_gates),
	        cmocka_unit_test(a_function_that_rises_again_is_a_regression),
	        cmocka_unit_test(a_function_that_does_not_rise_again_is_not_confirmed),
	        cmocka_unit_test(a_function_that_is_gone_is_not_confirmed),
	        cmocka_unit_test(a_function_with_too_few_samples_leaves_the_regression),
	        cmocka_unit_test(another_function_confirms_nothing),
	        cmocka_unit_test(functions_are_found_by_name_and_module),
	        cmocka_unit_test(a_function_of_another_module_is_another_one),
	        cmocka_unit_test(campaigns_may_share_their_table),
	        cmocka_unit_test(the_p_value_of_a_suspect_is_not_adjusted),
	        cmocka_unit_test(a_suspect_has_to_pass_the_floors_again),
	        cmocka_unit_test(a_suspect_whose_cost_only_moved_is_neither_found_nor_absent),
	        cmocka_unit_test(a_suspect_that_may_be_layout_is_neither_found_nor_absent),
	        cmocka_unit_test(a_contaminated_campaign_cannot_tell),
	        cmocka_unit_test(a_second_campaign_that_measured_nothing_is_an_error),
	        cmocka_unit_test(nothing_is_found_where_nothing_is_suspected),
	        cmocka_unit_test(a_campaign_without_profiles_can_confirm_a_metric),
	        cmocka_unit_test(it_ends_after_all_its_rounds_unless_it_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
