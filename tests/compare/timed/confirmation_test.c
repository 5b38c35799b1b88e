#include "compare/timed/confirmation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/compare/knowncode.h"
#include "tests/compare/programs.h"

static Synthetic *campaign(const SyntheticFunction *tree, guint rounds, guint64 seed)
{
	SyntheticPlan plan = {.functions = tree, .rounds = rounds, .seed = seed, .noise = .2, .time_noise = .001};
	Synthetic *s = synthetic_new(&plan);
	s->input.functions.strict = TRUE; /* so that functions gate although the total holds */
	return s;
}

/* A first campaign that ended in a regression, and the second one, which was told of it. */
typedef struct {
	Synthetic *first, *second;
	BenchmarkComparison *suspected;
} Twice;

static Twice measure_twice(const SyntheticFunction *tree, const SyntheticFunction *again, guint rounds)
{
	Twice twice = {.first = campaign(tree, 8, 5), .second = campaign(again, rounds, 6)};
	twice.suspected = compare_benchmark(&twice.first->input);
	assert_int_equal(twice.suspected->verdict, VERDICT_REGRESSION);
	twice.second->input.suspected = twice.suspected;
	return twice;
}

static void twice_clear(Twice *twice)
{
	benchmark_comparison_free(twice->suspected);
	synthetic_free(twice->first);
	synthetic_free(twice->second);
}

static FunctionComparison *suspect(const Twice *twice, const char *name)
{
	return synthetic_find(twice->first, twice->suspected, name);
}

/* Leaves only functions under suspicion. */
static void acquit_metrics(BenchmarkComparison *suspected)
{
	for (guint i = 0; i < suspected->metrics->len; i++)
		((MetricComparison *)suspected->metrics->pdata[i])->verdict = VERDICT_PASS;
}

static void acquit_functions(BenchmarkComparison *suspected)
{
	for (guint i = 0; i < suspected->functions->len; i++)
		((FunctionComparison *)suspected->functions->pdata[i])->gates = FALSE;
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
	assert_true(g_str_has_prefix(c->reason, "not found again in 8 rounds: task-clock "));
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
	assert_string_equal(metric->reason, "a second campaign could not tell");
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
	assert_true(g_str_has_prefix(c->reason, "not found again in 8 rounds: hash "));
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
	assert_string_equal(c->reason, "not found again in 8 rounds: head does not run it now");
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

/* --- what follows --- */

static BenchmarkComparison *outcome_of(Verdict verdict, const char *code, const char *reason)
{
	BenchmarkComparison *c = benchmark_comparison_new("catalog");
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	f->gates = TRUE;
	g_ptr_array_add(c->functions, f);
	benchmark_comparison_decide(c, verdict, code, g_strdup(reason));
	g_free(c->sentence);
	c->sentence = g_strdup("task-clock +9.0 %");
	return c;
}

static gboolean first_function_gates(const BenchmarkComparison *c)
{
	return ((const FunctionComparison *)c->functions->pdata[0])->gates;
}

static void what_is_found_again_stays_a_regression(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slower, 8);
	g_autofree char *reason = g_strdup(t.suspected->reason);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_CONFIRMED);
	assert_string_equal(t.suspected->confirmation_text, c->sentence);
	assert_int_equal(t.suspected->verdict, VERDICT_REGRESSION);
	assert_string_equal(t.suspected->reason, reason);
	assert_int_equal(
	        ((const MetricComparison *)t.suspected->metrics->pdata[0])->confirmation, CONFIRMATION_CONFIRMED);
	assert_true(suspect(&t, "hash")->gates);
	twice_clear(&t);
}

/* Two metrics failed, and one of them fails again: the verdict rests on that one. */
static void what_is_not_found_again_beside_what_is_is_taken_back(void **state)
{
	MetricPolicy faults = {.metric = (char *)"page-faults", .gates = TRUE, .margin = .02, .pass_margin = .05};
	static const struct {
		const SyntheticFunction *again;
		double faults;
		const char *code, *stands, *fell;
		Confirmation of_fallen;
	} rows[] = {
	        {steady, 1300, "regression", "page-faults", "task-clock", CONFIRMATION_NOT_CONFIRMED},
	        {slower, 1000, "regression", "task-clock", "page-faults", CONFIRMATION_NOT_CONFIRMED},
	        {slower, 1006, "regression", "task-clock", "page-faults", CONFIRMATION_UNCLEAR},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) first = campaign(slower, 8, 5), second = campaign(rows[i].again, 8, 6);
		g_ptr_array_add(first->policies, &faults);
		g_ptr_array_add(second->policies, &faults);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(first->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(first->head, "page-faults", "count", r, 1300 + 2 * r);
			synthetic_value(second->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(second->head, "page-faults", "count", r, rows[i].faults + 4 * r);
		}
		g_autoptr(BenchmarkComparison) suspected = compare_benchmark(&first->input);
		assert_string_equal(suspected->reason_code, "regression");
		second->input.suspected = suspected;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&second->input);
		assert_true(confirmation_apply(suspected, c));
		assert_string_equal(suspected->reason_code, rows[i].code);
		assert_true(g_str_has_prefix(suspected->reason, rows[i].stands));
		assert_true(g_str_has_prefix(suspected->sentence, rows[i].stands));
		assert_null(strstr(suspected->sentence, rows[i].fell));
		for (guint m = 0; m < suspected->metrics->len; m++) {
			const MetricComparison *metric = suspected->metrics->pdata[m];
			gboolean stands = g_str_equal(metric->name, rows[i].stands);
			if (!metric->gates)
				continue;
			assert_int_equal(metric->verdict, stands ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
			assert_int_equal(metric->confirmation, stands ? CONFIRMATION_CONFIRMED : rows[i].of_fallen);
		}
	}
}

/* hash rises again, sort, which is said to be its cause, does not. */
static void a_consequence_that_alone_is_found_again_gates(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
	hash->gates = FALSE;
	hash->excused = TRUE;
	sort->gates = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_true(hash->gates && !hash->excused && !sort->gates);
	assert_true(g_str_has_prefix(t.suspected->reason, "found again: hash "));
	twice_clear(&t);
}

static void what_is_not_found_again_is_inconclusive(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	g_autoptr(BenchmarkComparison) second =
	        outcome_of(VERDICT_INCONCLUSIVE, "not_confirmed", "not found again in 8 rounds");
	assert_false(confirmation_apply(first, second));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_CONFIRMED);
	assert_string_equal(first->confirmation_text, "not found again in 8 rounds");
	assert_int_equal(first->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(first->reason_code, "not_confirmed");
	assert_string_equal(first->sentence, first->reason); /* there is no metric to speak of */
	assert_string_equal(
	        first->reason, "a regression that a second campaign did not confirm: not found again in 8 rounds");
	assert_false(first_function_gates(first));
}

static void a_campaign_that_cannot_tell_leaves_the_verdict_open(void **state)
{
	static const char *const codes[] = {"too_few_rounds", "unclear", "contaminated"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_INCONCLUSIVE, codes[i], "why not");
		assert_false(confirmation_apply(first, second));
		assert_int_equal(first->verdict, VERDICT_INCONCLUSIVE);
		assert_string_equal(first->reason_code, "confirmation_unclear");
		assert_int_equal(first->confirmation, CONFIRMATION_UNCLEAR);
		assert_string_equal(first->confirmation_text, "why not");
		assert_string_equal(
		        first->reason, "a second campaign could not tell whether this regression is there: why not");
		assert_false(first_function_gates(first));
	}
}

/* A campaign that was not measured takes nothing back: a head that fails when it is run again would gain by it. */
static void a_campaign_that_is_not_valid_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_ERROR, "zero_samples", "why not");
	assert_true(confirmation_apply(first, second));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_string_equal(first->confirmation_text, "the second campaign is not valid: why not");
	assert_string_equal(first->reason, "slower");
	assert_true(first_function_gates(first));
}

static void only_a_regression_needs_to_be_confirmed(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_PASS, "", "passes");
	g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	assert_false(confirmation_apply(first, second));
	confirmation_skip(first, g_strdup("no time was left"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(first->confirmation_text);
	assert_int_equal(first->verdict, VERDICT_PASS);
}

static void a_confirmation_that_was_not_run_says_why(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	confirmation_skip(first, g_strdup("switched off"));
	confirmation_skip(first, g_strdup("no time was left"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_string_equal(first->confirmation_text, "no time was left");
	assert_int_equal(first->verdict, VERDICT_REGRESSION);
}

/* Too rare for an interval, but what has no sample in head costs it nothing. */
static void a_function_that_only_base_runs_now_is_absent(void **state)
{
	static const SyntheticFunction removed[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 1, 0, "b.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(slightly_slower, removed, 8);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(synthetic_find(t.second, c, "hash")->base_samples > 0);
	assert_int_equal(synthetic_find(t.second, c, "hash")->head_samples, 0);
	assert_string_equal(c->reason_code, "not_confirmed");
	twice_clear(&t);
}

static void a_suspected_metric_that_was_not_measured_again_is_not_absent(void **state)
{
	(void)state;
	for (guint gated = 0; gated < 2; gated++) {
		Twice t = measure_twice(slower, steady, 8);
		acquit_functions(t.suspected);
		MetricComparison *other = g_new0(MetricComparison, 1);
		other->name = g_strdup("page-faults");
		other->engine = &engine_perf;
		other->verdict = VERDICT_REGRESSION;
		other->gates = gated;
		g_ptr_array_add(t.suspected->metrics, other);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		assert_string_equal(c->reason_code, gated ? "unclear" : "not_confirmed");
		if (gated)
			assert_string_equal(c->reason, "a metric was not measured");
		twice_clear(&t);
	}
}

/* --- what is taken back, and what is not --- */

static MetricComparison *add_metric(BenchmarkComparison *c, const Engine *engine, const char *name, Verdict verdict)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = engine;
	metric->unit = g_strdup("count");
	metric->verdict = verdict;
	metric->gates = TRUE;
	metric->margin = .02;
	metric->change_ratio = metric->lower_ratio = metric->upper_ratio = verdict == VERDICT_REGRESSION ? 1.1 : 1;
	metric->reason = g_strdup("why");
	g_ptr_array_add(c->metrics, metric);
	return metric;
}

/* A regression of page-faults, and a second campaign that shows the absence of something. */
static BenchmarkComparison *failed_faults(MetricComparison **faults)
{
	BenchmarkComparison *first = outcome_of(VERDICT_REGRESSION, "regression", "slower");
	*faults = add_metric(first, &engine_perf, "page-faults", VERDICT_REGRESSION);
	return first;
}

static void a_metric_is_absent_only_where_the_same_one_of_the_same_engine_is(void **state)
{
	static const struct {
		const Engine *engine;
		const char *name; /* of the second campaign; NULL = it has no metric */
		Verdict verdict;
		Confirmation confirmation;
	} rows[] = {
	        {&engine_perf, "page-faults", VERDICT_PASS, CONFIRMATION_NOT_CONFIRMED},
	        {&engine_perf, "page-faults", VERDICT_ERROR, CONFIRMATION_UNCLEAR},
	        {&engine_benchmark, "page-faults", VERDICT_PASS, CONFIRMATION_UNCLEAR},
	        {&engine_perf, "cycles", VERDICT_PASS, CONFIRMATION_UNCLEAR},
	        {NULL, NULL, VERDICT_PASS, CONFIRMATION_UNCLEAR},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		MetricComparison *faults = NULL;
		g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_INCONCLUSIVE, "unclear", "why not");
		if (rows[i].name != NULL)
			add_metric(second, rows[i].engine, rows[i].name, rows[i].verdict);
		assert_false(confirmation_apply(first, second));
		assert_int_equal(faults->verdict, VERDICT_INCONCLUSIVE);
		assert_int_equal(faults->confirmation, rows[i].confirmation);
		assert_string_equal(faults->reason, rows[i].confirmation == CONFIRMATION_NOT_CONFIRMED
		                                            ? "a second campaign did not confirm it"
		                                            : "a second campaign could not tell");
	}
}

/* In the second campaign only what is suspected gates: that another metric rose there confirms nothing. */
static void a_metric_that_rose_again_without_gating_is_not_confirmed(void **state)
{
	(void)state;
	for (guint gates = 0; gates < 2; gates++) {
		MetricComparison *faults = NULL;
		g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
		g_autoptr(BenchmarkComparison) second = outcome_of(VERDICT_REGRESSION, "function_regression", "again");
		add_metric(second, &engine_perf, "page-faults", VERDICT_REGRESSION)->gates = gates;
		assert_true(confirmation_apply(first, second));
		assert_int_equal(faults->verdict, gates ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE);
	}
}

static void a_metric_that_does_not_gate_has_no_confirmation(void **state)
{
	(void)state;
	MetricComparison *faults = NULL;
	g_autoptr(BenchmarkComparison) first = failed_faults(&faults);
	faults->gates = FALSE;
	confirmation_skip(first, g_strdup("--no-confirm"));
	assert_int_equal(first->confirmation, CONFIRMATION_NOT_RUN);
	assert_int_equal(faults->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_int_equal(faults->verdict, VERDICT_REGRESSION);
}

static void counts_that_were_repeated_are_confirmed_if_they_are_a_regression(void **state)
{
	(void)state;
	MetricComparison *faults = NULL;
	g_autoptr(BenchmarkComparison) failed = failed_faults(&faults);
	confirmation_note_repeated(failed, g_strdup("counted twice"));
	assert_int_equal(failed->confirmation, CONFIRMATION_CONFIRMED);
	assert_string_equal(failed->confirmation_text, "counted twice");
	assert_int_equal(faults->confirmation, CONFIRMATION_CONFIRMED);
	g_autoptr(BenchmarkComparison) passed = outcome_of(VERDICT_PASS, "", "passes");
	confirmation_note_repeated(passed, g_strdup("counted twice"));
	assert_int_equal(passed->confirmation, CONFIRMATION_NOT_NEEDED);
	assert_null(passed->confirmation_text);
}

/* The total failed and hash gated; only hash is found again: then the verdict is of hash. */
static void where_only_the_function_is_found_again_the_verdict_is_of_it(void **state)
{
	(void)state;
	Twice t = measure_twice(slower, slightly_slower, 8);
	assert_string_equal(t.suspected->reason_code, "regression");
	assert_true(suspect(&t, "hash")->gates);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_string_equal(c->reason_code, "function_regression");
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_true(g_str_has_prefix(t.suspected->reason, "found again: hash "));
	assert_int_equal(((MetricComparison *)t.suspected->metrics->pdata[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_true(suspect(&t, "hash")->gates);
	twice_clear(&t);
}

/* No metric failed, and the function that the verdict names is the one that is found again. */
static void a_function_that_is_found_again_keeps_its_verdict(void **state)
{
	(void)state;
	Twice t = measure_twice(slightly_slower, slightly_slower, 8);
	g_autofree char *reason = g_strdup(t.suspected->reason);
	assert_true(g_str_has_prefix(reason, "hash costs more: "));
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_string_equal(t.suspected->reason_code, "function_regression");
	assert_string_equal(t.suspected->reason, reason);
	assert_int_equal(t.suspected->confirmation, CONFIRMATION_CONFIRMED);
	twice_clear(&t);
}

/* sort is said to be the consequence of hash, and did not rise at all. */
static void a_consequence_that_is_not_found_again_is_none(void **state)
{
	static const struct {
		const SyntheticFunction *again;
		Verdict verdict;
	} rows[] = {{slightly_slower, VERDICT_REGRESSION}, {slightly_steady, VERDICT_INCONCLUSIVE}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Twice t = measure_twice(slightly_slower, rows[i].again, 8);
		FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
		sort->excused = TRUE;
		assert_true(hash->gates);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
		confirmation_apply(t.suspected, c);
		assert_int_equal(t.suspected->verdict, rows[i].verdict);
		assert_int_equal(hash->gates, rows[i].verdict == VERDICT_REGRESSION);
		assert_false(sort->excused || sort->gates);
		twice_clear(&t);
	}
}

static void a_consequence_that_is_found_again_stays_excused_beside_its_cause(void **state)
{
	static const SyntheticFunction both_slower[] = {
	        {"main", 5000, 5000, "a.c", 90},
	        {"main;hash", 900, 1010, "b.c", 10},
	        {"main;sort", 1000, 1110, "c.c", 30},
	        {"main;render", 3000, 3000, "d.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	Twice t = measure_twice(both_slower, both_slower, 8);
	FunctionComparison *hash = suspect(&t, "hash"), *sort = suspect(&t, "sort");
	assert_true(hash->gates && sort->gates);
	sort->gates = FALSE;
	sort->excused = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&t.second->input);
	assert_true(confirmation_apply(t.suspected, c));
	assert_true(hash->gates && sort->excused && !sort->gates);
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
	        cmocka_unit_test(what_is_found_again_stays_a_regression),
	        cmocka_unit_test(what_is_not_found_again_is_inconclusive),
	        cmocka_unit_test(what_is_not_found_again_beside_what_is_is_taken_back),
	        cmocka_unit_test(a_consequence_that_alone_is_found_again_gates),
	        cmocka_unit_test(a_campaign_that_cannot_tell_leaves_the_verdict_open),
	        cmocka_unit_test(a_campaign_that_is_not_valid_changes_nothing),
	        cmocka_unit_test(only_a_regression_needs_to_be_confirmed),
	        cmocka_unit_test(a_confirmation_that_was_not_run_says_why),
	        cmocka_unit_test(a_function_that_only_base_runs_now_is_absent),
	        cmocka_unit_test(a_suspected_metric_that_was_not_measured_again_is_not_absent),
	        cmocka_unit_test(a_metric_is_absent_only_where_the_same_one_of_the_same_engine_is),
	        cmocka_unit_test(a_metric_that_rose_again_without_gating_is_not_confirmed),
	        cmocka_unit_test(a_metric_that_does_not_gate_has_no_confirmation),
	        cmocka_unit_test(counts_that_were_repeated_are_confirmed_if_they_are_a_regression),
	        cmocka_unit_test(where_only_the_function_is_found_again_the_verdict_is_of_it),
	        cmocka_unit_test(a_function_that_is_found_again_keeps_its_verdict),
	        cmocka_unit_test(a_consequence_that_is_not_found_again_is_none),
	        cmocka_unit_test(a_consequence_that_is_found_again_stays_excused_beside_its_cause),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
