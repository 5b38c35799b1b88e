/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/bisect/bisecttarget.h"
#include "compare/outcome.h"

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
	metric->engine = comparison->counted ? &engine_callgrind : &engine_perf;
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

static void look_for_metric(Said *said, const char *metric, const Engine *engine)
{
	said->target = (BisectTarget){.metric = g_strdup(metric), .engine = engine};
}

static void look_for_function(Said *said, const char *function, const Engine *engine)
{
	said->target = (BisectTarget){.function = g_strdup(function), .engine = engine, .contribution = .06};
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
	assert_ptr_equal(said->target.engine, &engine_perf);
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
	assert_non_null(g_strstr_len(said->why, -1, "instructions is not a regression"));
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
		look_for_metric(said, "task-clock", &engine_perf);
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
	look_for_metric(said, "task-clock", &engine_perf);
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_contaminated_campaign_is_unclear_also_where_it_passes(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_PASS, .001);
	benchmark_comparison_decide(said->timed, VERDICT_INCONCLUSIVE, "contaminated", g_strdup("the yardstick moved"));
	look_for_metric(said, "task-clock", &engine_perf);
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
	look_for_metric(said, "task-clock", &engine_perf);
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNCLEAR);
}

static void an_error_is_untestable(void **state)
{
	Said *said = *state;
	benchmark_comparison_decide(said->counted, VERDICT_ERROR, "zero_runs", g_strdup("nothing ran"));
	look_for_metric(said, "instructions", &engine_callgrind);
	bisect_judge(&said->target, said->only_counted, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNTESTABLE);
}

static void copies_of_counts_beside_times_are_not_judged(void **state)
{
	Said *said = *state;
	MetricComparison *copy = add_metric(said->timed, "instructions", VERDICT_REGRESSION, .1);
	copy->engine = &engine_callgrind;
	add_metric(said->counted, "instructions", VERDICT_PASS, 0);
	look_for_metric(said, "instructions", &engine_callgrind);
	bisect_judge(&said->target, said->both, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_function_that_gates_is_bad(void **state)
{
	Said *said = *state;
	make_gating(said->timed, add_function(said->timed, "hash", .05));
	look_for_function(said, "hash", &engine_perf);
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
		look_for_function(said, "hash", &engine_perf);
		bisect_judge(&said->target, said->only_timed, &said->answer);
		assert_int_equal(said->answer.verdict, cases[i].wanted);
		teardown((void **)&said);
	}
}

static void a_counted_function_that_does_not_gate_is_good(void **state)
{
	Said *said = *state;
	add_function(said->counted, "hash", .025);
	look_for_function(said, "hash", &engine_callgrind);
	bisect_judge(&said->target, said->only_counted, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_function_that_nobody_ran_is_good(void **state)
{
	Said *said = *state;
	look_for_function(said, "hash", &engine_perf);
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void cost_that_only_moved_is_good(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->klass = FUNCTION_COST_SHIFT;
	look_for_function(said, "hash", &engine_perf);
	bisect_judge(&said->target, said->only_timed, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_GOOD);
}

static void a_check_without_a_comparison_is_untestable(void **state)
{
	Said *said = *state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	check_result_decide(result);
	look_for_metric(said, "instructions", &engine_callgrind);
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

/* --- what is told of it --- */

static void a_target_is_named_in_words(void **state)
{
	static const struct {
		BisectTarget target;
		const char *text;
	} cases[] = {
	        {{.function = (char *)"hash", .metric = (char *)"task-clock"}, "the function hash"},
	        {{.metric = (char *)"task-clock"}, "task-clock"},
	        {{NULL}, "whatever regressed"},
	};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = bisect_target_text(&cases[i].target);
		assert_string_equal(text, cases[i].text);
	}
}

static void assert_answer(Said *said, const BenchmarkComparison *const *comparisons, BisectVerdict verdict)
{
	bisect_answer_clear(&said->answer);
	bisect_judge(&said->target, comparisons, &said->answer);
	assert_int_equal(said->answer.verdict, verdict);
}

static void assert_refused(Said *said, const BenchmarkComparison *const *comparisons, const char *why)
{
	g_clear_pointer(&said->why, g_free);
	assert_false(bisect_target_settle(&said->target, comparisons, &said->why));
	assert_string_equal(said->why, why);
}

static void a_metric_without_a_reason_has_that_of_its_benchmark(void **state)
{
	Said *said = *state;
	MetricComparison *metric = add_metric(said->timed, "task-clock", VERDICT_INCONCLUSIVE, .05);
	benchmark_comparison_decide(said->timed, VERDICT_INCONCLUSIVE, "interval_too_wide", g_strdup("too wide"));
	look_for_metric(said, "task-clock", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
	assert_string_equal(said->answer.text, "task-clock: because");
	g_clear_pointer(&metric->reason, g_free);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
	assert_string_equal(said->answer.text, "task-clock: too wide");
}

static void what_was_not_measured_is_untestable(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_PASS, 0);
	look_for_metric(said, "wall", &engine_perf);
	assert_answer(said, said->both, BISECT_UNTESTABLE);
	assert_string_equal(said->answer.text, "wall was not measured");
	bisect_target_clear(&said->target);
	look_for_metric(said, "task-clock", &engine_callgrind);
	assert_answer(said, said->both, BISECT_UNTESTABLE);
}

static void an_error_of_what_was_measured_is_untestable(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_ERROR, .05);
	benchmark_comparison_decide(said->timed, VERDICT_ERROR, "invalid", g_strdup("samples were lost"));
	look_for_metric(said, "task-clock", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNTESTABLE);
	assert_string_equal(said->answer.text, "samples were lost");
}

static void without_an_engine_counts_tell_before_time(void **state)
{
	Said *said = *state;
	const BenchmarkComparison *swapped[] = {said->counted, said->timed, NULL};
	add_metric(said->timed, "instructions", VERDICT_PASS, 0);
	add_metric(said->counted, "instructions", VERDICT_REGRESSION, .1);
	look_for_metric(said, "instructions", NULL);
	assert_answer(said, said->both, BISECT_BAD);
	assert_answer(said, swapped, BISECT_BAD);
}

static void a_change_that_the_check_explains_is_good(void **state)
{
	static const FunctionClass explained[] = {
	        FUNCTION_COST_SHIFT, FUNCTION_RENAMED, FUNCTION_REMOVED, FUNCTION_IMPROVEMENT};
	Said *said = *state;
	FunctionComparison *f = add_function(said->timed, "hash", .05);
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
	for (gsize i = 0; i < G_N_ELEMENTS(explained); i++) {
		f->klass = explained[i];
		assert_answer(said, said->only_timed, BISECT_GOOD);
	}
}

static void a_function_that_the_total_holds_is_bad_all_the_same(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->held = FUNCTION_HELD_BY_TOTAL;
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_BAD);
}

/* Costs do not tell if cost moved to an edited function, or two functions changed in opposite ways. */
static void cost_that_moved_to_an_edited_function_is_unclear(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said->timed, "hash", .05);
	f->klass = FUNCTION_COST_SHIFT;
	f->held = FUNCTION_HELD_BY_TOTAL;
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
}

static void an_excused_function_is_bad_only_in_a_regression(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->excused = TRUE;
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
	benchmark_comparison_decide(said->timed, VERDICT_REGRESSION, "regression", g_strdup("it regressed"));
	assert_answer(said, said->only_timed, BISECT_BAD);
}

static void a_function_that_gates_in_no_regression_is_unclear(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->gates = TRUE;
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
}

static void an_untested_function_is_judged_by_its_contribution(void **state)
{
	Said *said = *state;
	FunctionComparison *f = add_function(said->counted, "hash", .025); /* half of what bad has is .03 */
	f->tested = f->repeats = FALSE;
	look_for_function(said, "hash", &engine_callgrind);
	assert_answer(said, said->only_counted, BISECT_GOOD);
	f->contribution = .035;
	assert_answer(said, said->only_counted, BISECT_UNCLEAR);
}

static void of_functions_of_one_name_the_first_is_meant_unless_another_gates(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .04);
	add_function(said->timed, "hash_all", .03);
	FunctionComparison *second = add_function(said->timed, "hash(int)", .02);
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_UNCLEAR);
	assert_true(fabs(said->answer.contribution - .04) < 1e-12);
	make_gating(said->timed, second);
	assert_answer(said, said->only_timed, BISECT_BAD);
	assert_true(fabs(said->answer.contribution - .02) < 1e-12);
}

static void without_names_no_function_is_found(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .04);
	g_clear_pointer(&said->timed->table, stack_table_unref);
	look_for_function(said, "hash", &engine_perf);
	assert_answer(said, said->only_timed, BISECT_GOOD);
	assert_string_equal(said->answer.text, "hash costs nothing on either side");
}

/* --- why there is nothing to settle on --- */

static void nothing_compared_or_an_error_is_nothing_to_settle_on(void **state)
{
	Said *said = *state;
	const BenchmarkComparison *none[] = {NULL};
	assert_refused(said, none, "nothing was compared");
	benchmark_comparison_decide(said->timed, VERDICT_ERROR, "invalid", g_strdup("samples were lost"));
	assert_refused(said, said->only_timed, "samples were lost");
}

static void a_campaign_that_is_not_believed_is_nothing_to_settle_on(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .2);
	add_metric(said->counted, "instructions", VERDICT_REGRESSION, .1);
	benchmark_comparison_decide(said->timed, VERDICT_INCONCLUSIVE, "contaminated", g_strdup("it is contaminated"));
	assert_refused(said, said->only_timed, "it is contaminated");
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_string_equal(said->target.metric, "instructions");
}

static void a_metric_that_nobody_measured_is_refused_with_those_there_are(void **state)
{
	Said *said = *state;
	MetricComparison *copy = add_metric(said->timed, "instructions", VERDICT_PASS, 0);
	copy->engine = &engine_callgrind;
	add_metric(said->timed, "task-clock", VERDICT_PASS, 0);
	add_metric(said->timed, "wall", VERDICT_PASS, 0);
	said->target.metric = g_strdup("cycles");
	assert_refused(said, said->only_timed, "cycles was not measured; there are task-clock, wall");
	bisect_target_clear(&said->target);
	look_for_metric(said, "task-clock", &engine_callgrind);
	assert_refused(said, said->only_timed, "task-clock was not measured; there are task-clock, wall");
}

static void where_nothing_regressed_its_sentence_says_so(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_PASS, 0);
	g_free(said->timed->sentence);
	said->timed->sentence = g_strdup("task-clock +0.1 %");
	assert_refused(said, said->only_timed, "task-clock +0.1 %");
	g_clear_pointer(&said->timed->sentence, g_free);
	assert_refused(said, said->only_timed, "every gating metric passes");
}

static void a_function_that_did_not_regress_is_refused_with_what_is_known(void **state)
{
	Said *said = *state;
	said->target.function = g_strdup("hash");
	assert_refused(said, said->both, "no function named hash was seen to run");
	add_function(said->counted, "hash", .01);
	g_clear_pointer(&said->why, g_free);
	assert_false(bisect_target_settle(&said->target, said->both, &said->why));
	assert_true(g_str_has_prefix(said->why, "the function is not a regression: hash"));
	add_function(said->timed, "hash", .01);
	benchmark_comparison_decide(said->timed, VERDICT_REGRESSION, "regression", g_strdup("it regressed"));
	g_clear_pointer(&said->why, g_free);
	assert_false(bisect_target_settle(&said->target, said->both, &said->why));
	assert_true(g_str_has_prefix(said->why, "the function is not a regression: hash"));
}

static void a_function_is_looked_for_only_where_the_check_is_believed(void **state)
{
	Said *said = *state;
	make_gating(said->counted, add_function(said->counted, "render", .05));
	add_function(said->timed, "hash", .05)->gates = TRUE;
	benchmark_comparison_decide(said->timed, VERDICT_INCONCLUSIVE, "contaminated", g_strdup("it is contaminated"));
	said->target.function = g_strdup("hash");
	g_clear_pointer(&said->why, g_free);
	assert_false(bisect_target_settle(&said->target, said->both, &said->why));
	said->target.engine = &engine_callgrind;
	g_clear_pointer(&said->why, g_free);
	assert_false(bisect_target_settle(&said->target, said->both, &said->why));
}

static void an_excused_function_can_be_asked_for(void **state)
{
	Said *said = *state;
	add_function(said->timed, "hash", .05)->excused = TRUE;
	benchmark_comparison_decide(said->timed, VERDICT_REGRESSION, "regression", g_strdup("it regressed"));
	said->target.function = g_strdup("hash");
	assert_true(bisect_target_settle(&said->target, said->only_timed, &said->why));
	assert_ptr_equal(said->target.engine, &engine_perf);
}

static void a_function_is_settled_on_in_counts_before_time(void **state)
{
	Said *said = *state;
	const BenchmarkComparison *swapped[] = {said->counted, said->timed, NULL};
	make_gating(said->timed, add_function(said->timed, "hash", .05));
	make_gating(said->counted, add_function(said->counted, "hash", .04));
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_ptr_equal(said->target.engine, &engine_callgrind);
	bisect_target_clear(&said->target);
	assert_true(bisect_target_settle(&said->target, swapped, &said->why));
	assert_ptr_equal(said->target.engine, &engine_callgrind);
}

static void a_metric_beside_a_function_chooses_its_engine(void **state)
{
	Said *said = *state;
	make_gating(said->timed, add_function(said->timed, "hash", .05));
	make_gating(said->counted, add_function(said->counted, "hash", .04));
	add_metric(said->counted, "instructions", VERDICT_PASS, 0);
	benchmark_comparison_decide(said->counted, VERDICT_REGRESSION, "function_regression", g_strdup("hash"));
	add_metric(said->timed, "task-clock", VERDICT_PASS, 0);
	said->target.function = g_strdup("hash");
	said->target.metric = g_strdup("wall");
	assert_refused(said, said->both, "wall was not measured");
	bisect_target_clear(&said->target);
	said->target = (BisectTarget){.function = g_strdup("hash"), .metric = g_strdup("instructions")};
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_ptr_equal(said->target.engine, &engine_callgrind);
	bisect_target_clear(&said->target);
	said->target = (BisectTarget){.function = g_strdup("hash"), .metric = g_strdup("task-clock")};
	assert_true(bisect_target_settle(&said->target, said->both, &said->why));
	assert_ptr_equal(said->target.engine, &engine_perf);
}

static void of_two_times_that_regressed_the_first_is_settled_on(void **state)
{
	Said *said = *state;
	add_metric(said->timed, "task-clock", VERDICT_REGRESSION, .2);
	add_metric(said->timed, "wall", VERDICT_REGRESSION, .3);
	assert_true(bisect_target_settle(&said->target, said->only_timed, &said->why));
	assert_string_equal(said->target.metric, "task-clock");
}

/* --- from the result of a check --- */

/* Of counts in a profile that decides, of another event of callgrind, and of waits. Owned by the caller. */
static CheckResult *check_of_both(void)
{
	CheckResult *result = check_result_new();
	ResultBenchmark *row = check_result_add_benchmark(result, "catalog");
	const ResultProfile profiles[] = {
	        {.event = (char *)"off-cpu", .engine = &engine_perf, .comparison = comparison_new(FALSE)},
	        {.event = (char *)"allocations", .engine = &engine_callgrind, .comparison = comparison_new(TRUE)},
	        {.event = (char *)"instructions", .engine = &engine_callgrind},
	        {.event = (char *)"instructions", .engine = &engine_callgrind, .comparison = comparison_new(TRUE)},
	};
	row->comparison = comparison_new(FALSE);
	add_metric(row->comparison, "task-clock", VERDICT_PASS, 0);
	add_metric(profiles[1].comparison, "allocations", VERDICT_REGRESSION, .5);
	add_metric(profiles[3].comparison, "instructions", VERDICT_REGRESSION, .1);
	for (gsize i = 0; i < G_N_ELEMENTS(profiles); i++)
		result_benchmark_add_profile(row, &profiles[i]);
	return result;
}

static void a_check_tells_by_time_and_by_counted_instructions(void **state)
{
	Said *said = *state;
	g_autoptr(CheckResult) result = check_of_both();
	assert_true(bisect_target_settle_check(&said->target, result, &said->why));
	assert_string_equal(said->target.metric, "instructions");
	bisect_judge_check(&said->target, result, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_BAD);
	bisect_target_clear(&said->target);
	bisect_answer_clear(&said->answer);
	look_for_metric(said, "allocations", &engine_callgrind);
	bisect_judge_check(&said->target, result, &said->answer);
	assert_int_equal(said->answer.verdict, BISECT_UNTESTABLE);
}

static void a_check_without_a_comparison_is_nothing_to_settle_on(void **state)
{
	Said *said = *state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "catalog");
	check_result_add_reason(result, 5, "build_failed", NULL, "head does not build");
	assert_false(bisect_target_settle_check(&said->target, result, &said->why));
	assert_string_equal(said->why, "head does not build");
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
	        SAID(a_target_is_named_in_words),
	        SAID(a_metric_without_a_reason_has_that_of_its_benchmark),
	        SAID(what_was_not_measured_is_untestable),
	        SAID(an_error_of_what_was_measured_is_untestable),
	        SAID(without_an_engine_counts_tell_before_time),
	        SAID(a_change_that_the_check_explains_is_good),
	        SAID(a_function_that_the_total_holds_is_bad_all_the_same),
	        SAID(cost_that_moved_to_an_edited_function_is_unclear),
	        SAID(an_excused_function_is_bad_only_in_a_regression),
	        SAID(a_function_that_gates_in_no_regression_is_unclear),
	        SAID(an_untested_function_is_judged_by_its_contribution),
	        SAID(of_functions_of_one_name_the_first_is_meant_unless_another_gates),
	        SAID(without_names_no_function_is_found),
	        SAID(nothing_compared_or_an_error_is_nothing_to_settle_on),
	        SAID(a_campaign_that_is_not_believed_is_nothing_to_settle_on),
	        SAID(a_metric_that_nobody_measured_is_refused_with_those_there_are),
	        SAID(where_nothing_regressed_its_sentence_says_so),
	        SAID(a_function_that_did_not_regress_is_refused_with_what_is_known),
	        SAID(a_function_is_looked_for_only_where_the_check_is_believed),
	        SAID(an_excused_function_can_be_asked_for),
	        SAID(a_function_is_settled_on_in_counts_before_time),
	        SAID(a_metric_beside_a_function_chooses_its_engine),
	        SAID(of_two_times_that_regressed_the_first_is_settled_on),
	        SAID(a_check_tells_by_time_and_by_counted_instructions),
	        SAID(a_check_without_a_comparison_is_nothing_to_settle_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
