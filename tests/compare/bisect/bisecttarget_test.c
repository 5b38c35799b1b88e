#include "compare/bisect/bisecttarget.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The result of a check, by perf and by callgrind. */
typedef struct {
	BenchmarkComparison *timed, *counted;
	const BenchmarkComparison *both[3], *only_timed[2], *only_counted[2];
	BisectTarget target;
	BisectAnswer answer;
	char *why;
} Said;

static BenchmarkComparison *comparison_new(gboolean counted)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("catalog");
	comparison->table = stack_table_new();
	comparison->counted = counted;
	benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	return comparison;
}

static int setup(void **state)
{
	Said *said = g_new0(Said, 1);
	said->both[0] = said->only_timed[0] = said->timed = comparison_new(FALSE);
	said->both[1] = said->only_counted[0] = said->counted = comparison_new(TRUE);
	*state = said;
	return 0;
}

static int teardown(void **state)
{
	Said *said = *state;
	bisect_target_clear(&said->target);
	bisect_answer_clear(&said->answer);
	benchmark_comparison_free(said->timed);
	benchmark_comparison_free(said->counted);
	g_free(said->why);
	g_free(said);
	return 0;
}

#define SAID(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static MetricComparison *add_metric(BenchmarkComparison *comparison, const char *name, Verdict verdict, double change)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = g_strdup(comparison->counted ? "callgrind" : "perf");
	metric->unit = g_strdup("count");
	metric->verdict = verdict;
	metric->gates = TRUE;
	metric->margin = .02;
	metric->base = 1000;
	metric->head = 1000 * (1 + change);
	metric->change_ratio = metric->lower_ratio = metric->upper_ratio = 1 + change;
	metric->deterministic = comparison->counted;
	metric->reason = verdict == VERDICT_PASS ? NULL : g_strdup("because");
	g_ptr_array_add(comparison->metrics, metric);
	if (verdict == VERDICT_REGRESSION)
		benchmark_comparison_decide(comparison, verdict, "regression", g_strdup("it regressed"));
	return metric;
}

static FunctionComparison *add_function(BenchmarkComparison *comparison, const char *name, double contribution)
{
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	f->frame = f->renamed_from = stack_table_frame_named(comparison->table, name, "prog", FRAME_USER);
	f->contribution = contribution;
	f->contribution_lower = contribution - .01;
	f->contribution_upper = contribution + .01;
	f->change_ratio = 1.5;
	f->tested = TRUE;
	f->repeats = comparison->counted;
	g_ptr_array_add(comparison->functions, f);
	return f;
}

static void make_gating(BenchmarkComparison *comparison, FunctionComparison *f)
{
	f->klass = FUNCTION_REGRESSION;
	f->gates = TRUE;
	benchmark_comparison_decide(
	        comparison, VERDICT_REGRESSION, "function_regression", g_strdup("a function costs more"));
}

static void look_for_metric(Said *said, const char *metric, const char *engine)
{
	said->target = (BisectTarget){.metric = g_strdup(metric), .engine = g_strdup(engine)};
}

static void look_for_function(Said *said, const char *function, const char *engine)
{
	said->target = (BisectTarget){.function = g_strdup(function), .engine = g_strdup(engine), .contribution = .06};
}

/* --- what is looked for --- */

static void counts_are_settled_on_before_time(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .2);
	add_metric(said->counted, "instructions", VERDICT_REGRESSION, .1);
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_string_equal(said->target.metric, "instructions");
	assert_true(bisect_target_is_counted(&said->target));
}

static void the_metric_that_is_asked_for_is_settled_on(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .2);
	add_metric(said->counted, "instructions", VERDICT_REGRESSION, .1);
	said->target.metric = g_strdup("task-clock");
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_string_equal(said->target.engine, "perf");
}

static void without_a_metric_the_gating_function_is_settled_on(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_PASS, .001);
	add_function(said->timed, "render", .002);
	make_gating(said->timed, add_function(said->timed, "hash_word(char const*)", .012));
	assert_true(bisect_target_settle(&said->target, said->only_timed, &said->why));
	assert_string_equal(said->target.function, "hash_word(char const*)");
	assert_true(fabs(said->target.contribution - .012) < 1e-12);
}

static void a_function_is_asked_for_without_its_parameters(void **state)
{
	Said *said = *state;
	make_gating(said->timed, add_function(said->timed, "hash_words(int)", .03));
	make_gating(said->timed, add_function(said->timed, "hash_word(char const*)", .012));
	said->target.function = g_strdup("hash_word");
	assert_true(bisect_target_settle(&said->target, said->only_timed, &said->why));
	assert_string_equal(said->target.function, "hash_word(char const*)");
}

static void a_pass_is_nothing_to_settle_on(void **state)
{
	Said *said = *state;
	add_metric(said->counted, "instructions", VERDICT_PASS, .001);
	said->target.metric = g_strdup("instructions");
	assert_false(bisect_target_settle(&said->target, said->only_counted, &said->why));
	assert_non_null(g_strstr_len(said->why, -1, "instructions is no regression"));
}

static void a_regression_that_was_not_confirmed_is_nothing_to_settle_on(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .05);
	benchmark_comparison_decide(
	        said->timed, VERDICT_INCONCLUSIVE, "not_confirmed", g_strdup("a second campaign did not find it"));
	assert_false(bisect_target_settle(&said->target, said->only_timed, &said->why));
	assert_non_null(said->why);
}

static void a_metric_that_does_not_gate_can_be_asked_for(void **state)
{
	Said *said = *state;
	add_metric(said->counted, "instructions", VERDICT_PASS, 0);
	add_metric(said->counted, "allocations", VERDICT_REGRESSION, .5)->gates = FALSE;
	benchmark_comparison_decide(said->counted, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	assert_false(bisect_target_settle(&said->target, said->only_counted, &said->why));
	said->target.metric = g_strdup("allocations");
	g_clear_pointer(&said->why, g_free);
	assert_true(bisect_target_settle(&said->target, said->only_counted, &said->why));
}

/* --- one commit --- */

static void a_metric_has_the_verdict_of_the_check(void **state)
{
	static const struct {
		Verdict verdict;
		BisectVerdict wanted;
	} cases[] = {
	        {VERDICT_PASS, BISECT_GOOD},
	        {VERDICT_REGRESSION, BISECT_BAD},
	        {VERDICT_INCONCLUSIVE, BISECT_UNCLEAR},
	        {VERDICT_ERROR, BISECT_UNTESTABLE},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Said *said = NULL;
		(void)state;
		setup((void **)&said);
		add_metric(said->timed, "task-clock", cases[i].verdict, .05);
		look_for_metric(said, "task-clock", "perf");
		bisect_judge(&said->target, said->only_timed, &said->answer);
		assert_int_equal(said->answer.verdict, cases[i].wanted);
		assert_non_null(said->answer.text);
		teardown((void **)&said);
	}
}

static void another_metric_that_regressed_does_not_matter(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "page-faults", VERDICT_REGRESSION, .5);
	add_metric(said->timed, "task-clock", VERDICT_PASS, .001);
	look_for_metric(said, "task-clock", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_contaminated_campaign_is_unclear_also_where_it_passes(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_PASS, .001);
	benchmark_comparison_decide(said->timed, VERDICT_INCONCLUSIVE, "contaminated", g_strdup("the yardstick moved"));
	look_for_metric(said, "task-clock", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNCLEAR);
	assert_string_equal(said->answer.text, "the yardstick moved");
}

static void a_regression_that_was_not_confirmed_is_unclear(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .05);
	benchmark_comparison_decide(
	        said->timed, VERDICT_INCONCLUSIVE, "not_confirmed", g_strdup("a second campaign did not find it"));
	look_for_metric(said, "task-clock", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNCLEAR);
}

static void an_error_is_untestable(void **state)
{
	Said *said = *state;
	benchmark_comparison_decide(said->counted, VERDICT_ERROR, "zero_runs", g_strdup("nothing ran"));
	look_for_metric(said, "instructions", "callgrind");
	bisect_judge(&said->target, said->only_counted, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNTESTABLE);
}

static void copies_of_counts_beside_times_are_not_judged(void **state)
{
	Said *said = *state;
	MetricComparison *copy = add_metric(said->timed, "instructions", VERDICT_REGRESSION, .1);
	g_free(copy->engine);
	copy->engine = g_strdup("callgrind");
	add_metric(said->counted, "instructions", VERDICT_PASS, 0);
	look_for_metric(said, "instructions", "callgrind");
	bisect_judge(&said->target, said->both, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_function_that_gates_is_bad(void **state)
{
	Said *said = *state;
	make_gating(said->timed, add_function(said->timed, "hash", .05));
	look_for_function(said, "hash", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_BAD);
	assert_true(fabs(said->answer.contribution - .05) < 1e-12);
}

static void a_function_is_good_only_where_that_is_certain(void **state)
{
	static const struct {
		double contribution; /* its upper end is .01 above; half of what bad has is .03 */
		BisectVerdict wanted;
	} cases[] = {{.005, BISECT_GOOD}, {.025, BISECT_UNCLEAR}};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Said *said = NULL;
		setup((void **)&said);
		add_function(said->timed, "hash", cases[i].contribution);
		look_for_function(said, "hash", "perf");
		bisect_judge(&said->target, said->only_timed, &said->answer);
		assert_int_equal(said->answer.verdict, cases[i].wanted);
		teardown((void **)&said);
	}
}

static void a_counted_function_that_does_not_gate_is_good(void **state)
{
	Said *said = *state;
	add_function(said->counted, "hash", .025);
	look_for_function(said, "hash", "callgrind");
	bisect_judge(&said->target, said->only_counted, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_function_that_nobody_ran_is_good(void **state)
{
	Said *said = *state;
	look_for_function(said, "hash", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void cost_that_only_moved_is_good(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->klass = FUNCTION_COST_SHIFT;
	look_for_function(said, "hash", "perf");
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_check_without_a_comparison_is_untestable(void **state)
{
	Said *said = *state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(result);
	look_for_metric(said, "instructions", "callgrind");
	bisect_judge_check(&said->target, result, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNTESTABLE);
	assert_string_equal(said->answer.text, "head does not build");
}

/* The verdict on the whole. Owned by the caller. */
static CheckResult *check_says(int exit_code)
{
	CheckResult *result = check_result_new();
	BenchmarkComparison *comparison = benchmark_comparison_new("catalog");
	benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	check_result_add_benchmark(result, "catalog")->comparison = comparison;
	if (exit_code != 0)
		check_result_add_reason(result, exit_code, "because", NULL, "so it is");
	check_result_decide(result);
	return result;
}

static void the_verdict_on_the_whole_is_that_of_the_check(void **state)
{
	(void)state;
	static const BisectVerdict verdicts[] = {
	        [0] = BISECT_GOOD, [1] = BISECT_BAD, [3] = BISECT_UNCLEAR, [4] = BISECT_UNTESTABLE};
	static const int exit_codes[] = {0, 1, 3, 4};
	for (guint i = 0; i < G_N_ELEMENTS(exit_codes); i++) {
		g_autoptr(CheckResult) result = check_says(exit_codes[i]);
		BisectAnswer answer = {0};
		bisect_judge_whole(result, &answer);
		assert_int_equal(answer.verdict, verdicts[exit_codes[i]]);
		assert_string_equal(answer.text, exit_codes[i] == 0 ? "1 benchmark passed" : "so it is");
		bisect_answer_clear(&answer);
	}
}

static void a_commit_that_is_not_worse_is_good_only_if_that_was_seen(void **state)
{
	Said *said = *state;
	bisect_judge_not_bad(TRUE, "it passed", &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
	bisect_answer_clear(&said->answer);
	bisect_judge_not_bad(FALSE, "too noisy", &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNCLEAR);
	assert_string_equal(said->answer.text, "too noisy");
}

static void a_check_that_failed_makes_a_commit_untestable(void **state)
{
	Said *said = *state;
	bisect_judge_failed("no disk", &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNTESTABLE);
	assert_string_equal(said->answer.text, "no disk");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SAID(counts_are_settled_on_before_time),
	        SAID(the_metric_that_is_asked_for_is_settled_on),
	        SAID(without_a_metric_the_gating_function_is_settled_on),
	        SAID(a_function_is_asked_for_without_its_parameters),
	        SAID(a_pass_is_nothing_to_settle_on),
	        SAID(a_regression_that_was_not_confirmed_is_nothing_to_settle_on),
	        SAID(a_metric_that_does_not_gate_can_be_asked_for),
	        cmocka_unit_test(a_metric_has_the_verdict_of_the_check),
	        SAID(another_metric_that_regressed_does_not_matter),
	        SAID(a_contaminated_campaign_is_unclear_also_where_it_passes),
	        SAID(a_regression_that_was_not_confirmed_is_unclear),
	        SAID(an_error_is_untestable),
	        SAID(copies_of_counts_beside_times_are_not_judged),
	        SAID(a_function_that_gates_is_bad),
	        cmocka_unit_test(a_function_is_good_only_where_that_is_certain),
	        SAID(a_counted_function_that_does_not_gate_is_good),
	        SAID(a_function_that_nobody_ran_is_good),
	        SAID(cost_that_only_moved_is_good),
	        SAID(a_check_without_a_comparison_is_untestable),
	        cmocka_unit_test(the_verdict_on_the_whole_is_that_of_the_check),
	        SAID(a_commit_that_is_not_worse_is_good_only_if_that_was_seen),
	        SAID(a_check_that_failed_makes_a_commit_untestable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
