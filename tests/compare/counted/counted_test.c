/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/counted.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/countedinput.h"
#include "tests/compare/near.h"

static const CountedFunction steady[] = {
        {"cmd;main", {1000}, {1000}},
        {"cmd;main;count;hash", {300000}, {300000}},
        {"cmd;main;sort", {699000}, {699000}},
        {NULL, {0}, {0}},
};
/* hash costs 1 per mille of the total more */
static const CountedFunction slightly_slower[] = {
        {"cmd;main", {1000}, {1000}},
        {"cmd;main;count;hash", {300000}, {301000}},
        {"cmd;main;sort", {699000}, {699000}},
        {NULL, {0}, {0}},
};
static const CountedFunction one_more[] = {
        {"cmd;main", {1000000}, {1000001}},
        {NULL, {0}, {0}},
};
/* Base wanders by 1 %. */
static const CountedFunction noisy[] = {
        {"cmd;main", {100000, 101000, 100500, 100200, 100800}, {100300, 100700, 100100, 100900, 100400}},
        {NULL, {0}, {0}},
};

static BenchmarkComparison *compare_tree(const CountedFunction *tree, guint base, guint head, double margin)
{
	g_autoptr(Counted) c = counted_new(tree, base, head, margin);
	return compare_counted(&c->input);
}

/* By a policy under which functions fail a check although the total is within its margin. */
static BenchmarkComparison *compare_strictly(const CountedFunction *tree, guint base, guint head, double margin)
{
	g_autoptr(Counted) c = counted_new(tree, base, head, margin);
	c->input.strict_functions = TRUE;
	return compare_counted(&c->input);
}

static void assert_verdict(const BenchmarkComparison *c, Verdict verdict, const char *code)
{
	assert_string_equal(verdict_name(c->verdict), verdict_name(verdict));
	assert_string_equal(c->reason_code, code);
	assert_true(c->counted);
	assert_non_null(c->unstable);
}

/* --- what repeats --- */

static void identical_counts_pass_and_every_contribution_is_nothing(void **state)
{
	(void)state;
	for (guint base = 1; base < 4; base++) {
		g_autoptr(BenchmarkComparison) c = compare_tree(steady, base, 1, 0);
		assert_verdict(c, VERDICT_PASS, "");
		assert_int_equal(c->functions->len, 3);
		for (guint i = 0; i < c->functions->len; i++) {
			const FunctionComparison *f = c->functions->pdata[i];
			assert_true(f->contribution == 0 && f->contribution_lower == 0 && f->contribution_upper == 0);
			assert_true(f->klass == FUNCTION_UNCHANGED && f->repeats && !f->gates);
			assert_null(f->sentence);
		}
		assert_true(c->total_change == 0 && c->unknown_contribution == 0 && c->unsampled_contribution == 0);
		assert_int_equal(c->unstable->len, 0);
		assert_string_equal(c->sentence, "catalog: instructions unchanged (1.00 M)");
	}
}

static void one_instruction_more_fails_at_margin_0(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) c = compare_tree(one_more, 1, 1, 0);
	assert_verdict(c, VERDICT_REGRESSION, "regression");
	assert_string_equal(c->reason, "instructions regressed: +0.00010 % (1 more), beyond the margin of 0 %");
	g_autoptr(BenchmarkComparison) wide = compare_tree(one_more, 1, 1, 1e-6);
	assert_verdict(wide, VERDICT_PASS, "");
}

static void a_small_rise_that_does_not_gate_is_named_all_the_same(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) c = compare_tree(slightly_slower, 1, 1, .005);
	assert_verdict(c, VERDICT_PASS, "");
	const FunctionComparison *f = counted_find(c, "hash");
	assert_int_equal(f->klass, FUNCTION_REGRESSION);
	assert_false(f->gates);
	assert_near(f->contribution, .001, 0);
	assert_string_equal(f->sentence, "hash +0.10 pp (+0.33 % of itself)");
	assert_string_equal(c->sentence, "catalog runs 0.10 % more instructions (+1000), caused by hash");
}

/* The total stays within its margin since sort fell, which is no neighbour of hash. */
static void a_function_gates_by_the_margin_of_its_metric_alone(void **state)
{
	static const CountedFunction traded[] = {
	        {"cmd;main", {1000}, {1000}},
	        {"cmd;main;count;hash", {300000}, {301000}},
	        {"cmd;main;sort", {699000}, {690000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) held = compare_tree(traded, 1, 1, .0005);
	assert_verdict(held, VERDICT_PASS, "");
	assert_int_equal(counted_find(held, "hash")->held, FUNCTION_HELD_BY_TOTAL);
	assert_string_equal(held->sentence, "catalog runs 0.80 % fewer instructions (-8000), thanks to sort");
	assert_string_equal(held->slower,
	        "slower although the total passes: hash +0.10 pp (+0.33 % of itself); masked by sort -0.90 pp");
	g_autoptr(BenchmarkComparison) c = compare_strictly(traded, 1, 1, .0005);
	assert_verdict(c, VERDICT_REGRESSION, "function_regression");
	assert_true(counted_find(c, "hash")->gates);
	assert_null(c->slower);
	assert_int_equal(counted_find(c, "sort")->klass, FUNCTION_IMPROVEMENT);
	assert_string_equal(c->reason, "hash costs more: +0.10 pp of the total, beyond the margin of 0.05 %");
	assert_string_equal(
	        c->sentence, "catalog runs 0.80 % fewer instructions (-8000), thanks to sort; and 1 more function");
	g_autoptr(BenchmarkComparison) at_margin = compare_strictly(traded, 1, 1, .001);
	assert_verdict(at_margin, VERDICT_PASS, "");
}

static void functions_do_not_gate_where_they_are_not_to(void **state)
{
	static const CountedFunction traded[] = {
	        {"cmd;main;count;hash", {300000}, {310000}},
	        {"cmd;main;sort", {700000}, {689800}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(Counted) c = counted_new(traded, 1, 1, .001);
	c->input.gate_functions = FALSE;
	g_autoptr(BenchmarkComparison) off = compare_counted(&c->input);
	assert_verdict(off, VERDICT_PASS, "");
	assert_string_equal(off->sentence, "catalog runs 0.02 % fewer instructions (-200); hash costs +1.00 pp more");
	/* the margin is that of instructions, so it has to gate */
	c->input.gate_functions = TRUE;
	c->instructions.gates = FALSE;
	MetricPolicy calls = {.metric = (char *)"system-calls", .engine = &engine_callgrind, .gates = TRUE};
	g_ptr_array_add(c->policies, &calls);
	for (guint side = 0; side < 2; side++)
		counted_value(c->sides[side], "system-calls", "count", 0, 12);
	g_autoptr(BenchmarkComparison) other = compare_counted(&c->input);
	assert_verdict(other, VERDICT_PASS, "");
	assert_string_equal(other->sentence, "catalog: system-calls unchanged (12); hash costs +1.00 pp more");
}

static void swapping_the_sides_mirrors_the_verdict(void **state)
{
	static const CountedFunction up[] = {{"cmd;main;hash", {1000}, {1100}}, {NULL, {0}, {0}}};
	static const CountedFunction down[] = {{"cmd;main;hash", {1100}, {1000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(BenchmarkComparison) worse = compare_tree(up, 2, 2, .05), better = compare_tree(down, 2, 2, .05);
	const MetricComparison *more = worse->metrics->pdata[0], *fewer = better->metrics->pdata[0];
	assert_verdict(worse, VERDICT_REGRESSION, "regression");
	assert_verdict(better, VERDICT_PASS, "");
	assert_false(more->improved);
	assert_true(fewer->improved);
	assert_near(more->change_ratio * fewer->change_ratio, 1, 1e-15);
	assert_int_equal(counted_find(worse, "hash")->klass, FUNCTION_REGRESSION);
	assert_int_equal(counted_find(better, "hash")->klass, FUNCTION_IMPROVEMENT);
}

static void scaling_both_sides_changes_no_verdict(void **state)
{
	(void)state;
	for (guint work = 1; work < 50; work++) {
		g_autoptr(Counted) c = counted_new(slightly_slower, 2, 1, .0005);
		c->sides[0]->work = c->sides[1]->work = work;
		g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
		assert_verdict(compared, VERDICT_REGRESSION, "regression");
		assert_near(counted_find(compared, "hash")->contribution, .001, 1e-15);
		assert_near(counted_find(compared, "sort")->contribution, 0, 0);
		assert_near(counted_find(compared, "hash")->base_cost, 300000.0 / work, 1e-9);
	}
}

/* Twice the work at twice the cost is no change, whatever the division makes of it. */
static void work_that_differs_between_the_sides_is_divided_out(void **state)
{
	static const CountedFunction twice[] = {{"cmd;main", {1000}, {2000}}, {NULL, {0}, {0}}};
	(void)state;
	g_autoptr(Counted) c = counted_new(twice, 1, 1, 0);
	c->sides[0]->work = 3;
	c->sides[1]->work = 6;
	g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
	assert_verdict(compared, VERDICT_PASS, "");
}

static void contributions_add_up_to_the_change_of_the_total(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {1000}, {1500}},
	        {"cmd;main;hash", {3000}, {2000}},
	        {"cmd;main;audit", {0}, {700}},
	        {"cmd;main;[unknown]", {6000}, {6100}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) c = compare_tree(tree, 2, 1, .5);
	double sum = c->unknown_contribution + c->other_contribution + c->unsampled_contribution;
	for (guint i = 0; i < c->functions->len; i++)
		sum += ((const FunctionComparison *)c->functions->pdata[i])->contribution;
	assert_near(c->unknown_contribution, .01, 1e-15);
	assert_near(c->total_change, .03, 1e-15);
	assert_near(sum, c->total_change, 1e-15);
	assert_int_equal(c->functions->len, 3);
	assert_near(((const FunctionComparison *)c->functions->pdata[0])->contribution, -.1, 1e-15);
}

/* --- what cannot be compared --- */

static void no_run_on_a_side_is_an_error(void **state)
{
	(void)state;
	g_autoptr(BenchmarkComparison) base = compare_tree(steady, 0, 1, 0), head = compare_tree(steady, 1, 0, 0);
	assert_verdict(base, VERDICT_ERROR, "zero_runs");
	assert_verdict(head, VERDICT_ERROR, "zero_runs");
	assert_string_equal(base->reason, "no run was measured on both sides (base 0 runs, head 1)");
	assert_string_equal(base->sentence, base->reason);
}

static void nothing_that_gates_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(steady, 1, 1, 0);
	c->instructions.gates = FALSE;
	g_autoptr(BenchmarkComparison) shown = compare_counted(&c->input);
	assert_verdict(shown, VERDICT_ERROR, "zero_endpoints");
	assert_int_equal(shown->metrics->len, 1);
	g_ptr_array_set_size(c->policies, 0);
	g_autoptr(BenchmarkComparison) none = compare_counted(&c->input);
	assert_verdict(none, VERDICT_ERROR, "zero_endpoints");
}

static void a_metric_that_nobody_counted_has_no_row(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(steady, 1, 1, 0);
	MetricPolicy calls = {.metric = (char *)"system-calls", .engine = &engine_callgrind};
	g_ptr_array_add(c->policies, &calls);
	g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
	assert_verdict(compared, VERDICT_PASS, "");
	assert_int_equal(compared->metrics->len, 1);
}

static void a_gating_metric_that_a_side_lacks_is_an_error(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Counted) c = counted_new(steady, 1, 1, 0);
		g_ptr_array_set_size(c->sides[side]->metrics, 0);
		g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
		assert_verdict(compared, VERDICT_ERROR, "metric_missing");
		assert_string_equal(compared->reason, "instructions gates but was not measured on both sides");
	}
}

static void a_gating_metric_without_a_value_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(steady, 2, 1, 0);
	counted_value(c->sides[0], "instructions", "count", 1, NAN);
	g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
	assert_verdict(compared, VERDICT_ERROR, "invalid_value");
	assert_string_equal(compared->reason, "instructions: it was not measured in run 2 of base");
}

static void a_profile_that_a_side_lacks_is_an_error(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		g_autoptr(Counted) c = counted_new(steady, 2, 2, 0);
		g_ptr_array_set_size(c->sides[side]->profile->runs, 1);
		g_autoptr(BenchmarkComparison) fewer = compare_counted(&c->input);
		assert_verdict(fewer, VERDICT_ERROR, "profile_missing");
		g_clear_pointer(&c->sides[side]->profile, profile_free);
		g_autoptr(BenchmarkComparison) none = compare_counted(&c->input);
		assert_verdict(none, VERDICT_ERROR, "profile_missing");
		assert_string_equal(none->reason, side == 0 ? "the profile of base is missing or has too few runs"
		                                            : "the profile of head is missing or has too few runs");
	}
}

static void without_profiles_the_totals_are_judged_alone(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(one_more, 1, 1, 0);
	for (guint side = 0; side < 2; side++)
		g_clear_pointer(&c->sides[side]->profile, profile_free);
	g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
	assert_verdict(compared, VERDICT_REGRESSION, "regression");
	assert_int_equal(compared->functions->len, 0);
}

static void a_run_in_which_nothing_was_counted_is_an_error(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(steady, 1, 2, 0);
	g_array_set_size(c->sides[1]->profile->runs->pdata[1], 0);
	g_autoptr(BenchmarkComparison) compared = compare_counted(&c->input);
	assert_verdict(compared, VERDICT_ERROR, "zero_samples");
	assert_string_equal(compared->reason, "nothing was counted in run 2 of head");
}

/* --- what does not repeat --- */

static void counts_that_do_not_repeat_are_compared_by_their_ranges(void **state)
{
	static const CountedFunction slower[] = {
	        {"cmd;main", {100000, 101000, 100500, 100200, 100800}, {106000, 107000, 106100, 106900, 106400}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) same = compare_tree(noisy, 5, 5, .02);
	assert_verdict(same, VERDICT_PASS, "");
	assert_int_equal(same->unstable->len, 2);
	g_autoptr(BenchmarkComparison) open = compare_tree(noisy, 5, 5, .005);
	assert_verdict(open, VERDICT_INCONCLUSIVE, "interval_too_wide");
	g_autoptr(BenchmarkComparison) failed = compare_tree(slower, 5, 5, .02);
	assert_verdict(failed, VERDICT_REGRESSION, "regression");
	assert_string_equal(failed->reason, "instructions regressed: at least +4.95 %, beyond the margin of 2 %");
	assert_string_equal(
	        failed->sentence, "catalog runs 5.87 % more instructions (+5900; [+4.95, +7.00]), caused by main");
}

static void a_regression_of_counts_that_do_not_repeat_needs_five_runs(void **state)
{
	static const CountedFunction slower[] = {
	        {"cmd;main", {100000, 101000}, {120000, 121000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) few = compare_tree(slower, 5, 4, .02);
	assert_verdict(few, VERDICT_INCONCLUSIVE, "too_few_rounds");
	assert_string_equal(few->reason,
	        "instructions: too few runs: 5 of base and 4 of head, and its counts differ between runs of one side; "
	        "5 of each are needed");
	g_autoptr(BenchmarkComparison) enough = compare_tree(slower, 5, 5, .02);
	assert_verdict(enough, VERDICT_REGRESSION, "regression");
}

static void what_does_not_repeat_is_listed_with_the_largest_spread_first(void **state)
{
	static const struct {
		const char *name;
		guint side;
		double lowest, highest;
	} rows[] = {{"key", 0, 500, 700}, {"seed", 1, 390, 400}, {"key", 1, 600, 606}, {"time", 0, 10, 16},
	        {"time", 1, 10, 16}};
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}},
	        {"cmd;main;time", {10, 16}, {16, 10}},
	        {"cmd;main;key", {500, 700}, {600, 606}},
	        {"cmd;main;seed", {400, 400}, {400, 390}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) c = compare_tree(tree, 2, 2, .1);
	assert_int_equal(c->unstable->len, G_N_ELEMENTS(rows));
	for (guint i = 0; i < c->unstable->len; i++) {
		const UnstableFunction *u = &g_array_index(c->unstable, UnstableFunction, i);
		assert_string_equal(stack_table_frame_name(c->table, u->frame), rows[i].name);
		assert_int_equal(u->side, rows[i].side);
		assert_true(u->lowest == rows[i].lowest && u->highest == rows[i].highest);
	}
	assert_false(counted_find(c, "key")->repeats);
	assert_true(counted_find(c, "main")->repeats);
}

static void equal_spreads_are_in_the_order_of_name_and_module(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main", {90000}, {90000}},
	        {"cmd;main;key@libz", {10, 16}, {10}},
	        {"cmd;main;key@liba", {10, 16}, {10}},
	        {"cmd;main;id", {10, 16}, {10}},
	        {NULL, {0}, {0}},
	};
	static const char *const modules[] = {"prog", "liba", "libz"};
	(void)state;
	g_autoptr(BenchmarkComparison) c = compare_tree(tree, 2, 1, .1);
	assert_int_equal(c->unstable->len, G_N_ELEMENTS(modules));
	for (guint i = 0; i < G_N_ELEMENTS(modules); i++)
		assert_string_equal(
		        stack_table_frame_module(c->table, g_array_index(c->unstable, UnstableFunction, i).frame),
		        modules[i]);
}

static void a_function_that_does_not_repeat_leaves_the_verdict_open_in_too_few_runs(void **state)
{
	/* the totals repeat: what hash costs more or less, sort costs less or more */
	static const CountedFunction tree[] = {
	        {"cmd;main;count;hash", {10000, 10100}, {20000, 20100}},
	        {"cmd;main;sort;swap", {90000, 89900}, {79900, 79800}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	g_autoptr(BenchmarkComparison) held = compare_tree(tree, 2, 2, .005);
	assert_verdict(held, VERDICT_PASS, "");
	g_autoptr(BenchmarkComparison) few = compare_strictly(tree, 2, 2, .005);
	assert_verdict(few, VERDICT_INCONCLUSIVE, "too_few_rounds");
	assert_string_equal(few->reason, "hash seems to cost more, but its counts differ between runs of one side; 5 "
	                                 "runs of each side would tell");
	assert_false(counted_find(few, "hash")->gates);
	g_autoptr(BenchmarkComparison) enough = compare_strictly(tree, 5, 5, .005);
	assert_verdict(enough, VERDICT_REGRESSION, "function_regression");
	assert_true(counted_find(enough, "hash")->gates);
}

/* --- shown profiles --- */

static void what_is_only_shown_gates_nothing(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(slightly_slower, 1, 1, 0);
	g_autoptr(BenchmarkComparison) shown = compare_counted_shown(&c->input);
	assert_int_equal(shown->verdict, VERDICT_ERROR);
	assert_true(shown->counted);
	assert_int_equal(shown->metrics->len, 0);
	assert_int_equal(counted_find(shown, "hash")->klass, FUNCTION_REGRESSION);
	assert_false(counted_find(shown, "hash")->gates);
}

static void what_cannot_be_shown_has_no_functions(void **state)
{
	(void)state;
	g_autoptr(Counted) none = counted_new(steady, 0, 1, 0);
	g_autoptr(Counted) zero = counted_new(steady, 1, 1, 0);
	g_autoptr(Counted) plain = counted_new(steady, 1, 1, 0);
	g_array_set_size(zero->sides[0]->profile->runs->pdata[0], 0);
	for (guint side = 0; side < 2; side++)
		g_clear_pointer(&plain->sides[side]->profile, profile_free);
	const Counted *const all[] = {none, zero, plain};
	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autoptr(BenchmarkComparison) shown = compare_counted_shown(&all[i]->input);
		assert_int_equal(shown->functions->len, 0);
		assert_int_equal(shown->unstable->len, 0);
		assert_int_equal(shown->verdict, VERDICT_ERROR);
	}
}

/* --- how many runs --- */

static void assert_needs(const Counted *c, guint base, guint head)
{
	CountedRuns runs = counted_runs_needed(&c->input);
	assert_int_equal(runs.base, base);
	assert_int_equal(runs.head, head);
}

static void assert_tree_needs(const CountedFunction *tree, const guint runs[2], double margin, const guint wanted[2])
{
	g_autoptr(Counted) c = counted_new(tree, runs[0], runs[1], margin);
	c->input.strict_functions = TRUE;
	assert_needs(c, wanted[0], wanted[1]);
}

static void equal_counts_need_one_run(void **state)
{
	(void)state;
	assert_tree_needs(steady, (const guint[]){1, 1}, 0, (const guint[]){1, 1});
}

static void a_difference_needs_a_side_that_was_run_twice(void **state)
{
	(void)state;
	assert_tree_needs(one_more, (const guint[]){1, 1}, 0, (const guint[]){2, 1});
	assert_tree_needs(one_more, (const guint[]){2, 1}, 0, (const guint[]){1, 1});
	assert_tree_needs(one_more, (const guint[]){1, 2}, 0, (const guint[]){1, 1});
	assert_tree_needs(one_more, (const guint[]){0, 0}, 0, (const guint[]){2, 1});
}

/* No function gave the cost up, so nothing says that code moved. */
static void a_function_that_gates_is_a_difference(void **state)
{
	static const CountedFunction traded[] = {
	        {"cmd;main;count;hash", {300000}, {310000}},
	        {"cmd;[unknown]", {700000}, {690000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	assert_tree_needs(traded, (const guint[]){1, 1}, .001, (const guint[]){2, 1});
	assert_tree_needs(traded, (const guint[]){1, 1}, .1, (const guint[]){1, 1});
}

static void work_that_only_moved_is_no_difference(void **state)
{
	static const CountedFunction traded[] = {
	        {"cmd;main;count;hash", {300000}, {310000}},
	        {"cmd;main;sort;swap", {700000}, {690000}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	assert_tree_needs(traded, (const guint[]){1, 1}, .001, (const guint[]){1, 1});
}

/* A spread of 14 in a million cannot change a verdict at .5 %; one of .3 % can. A range on both sides of the margin
 * only gets wider with more runs. */
static void counts_that_do_not_repeat_need_five_runs_where_it_matters(void **state)
{
	static const CountedFunction wobble[] = {{"cmd;main", {1000000, 1000014}, {1000003}}, {NULL, {0}, {0}}};
	static const CountedFunction close[] = {{"cmd;main", {1000000, 1003000}, {1001000}}, {NULL, {0}, {0}}};
	static const CountedFunction slower[] = {{"cmd;main", {1000000, 1000014}, {1100000}}, {NULL, {0}, {0}}};
	static const CountedFunction wide[] = {{"cmd;main", {1000000, 1020000}, {1010000}}, {NULL, {0}, {0}}};
	(void)state;
	assert_tree_needs(wobble, (const guint[]){2, 1}, .005, (const guint[]){1, 1});
	assert_tree_needs(close, (const guint[]){2, 1}, .005, (const guint[]){5, 5});
	assert_tree_needs(slower, (const guint[]){2, 1}, .005, (const guint[]){5, 5});
	assert_tree_needs(slower, (const guint[]){5, 5}, .005, (const guint[]){1, 1});
	assert_tree_needs(wide, (const guint[]){2, 1}, .005, (const guint[]){1, 1});
}

static void every_gating_metric_may_need_more_runs(void **state)
{
	(void)state;
	g_autoptr(Counted) c = counted_new(steady, 2, 1, .005);
	MetricPolicy calls = {.metric = (char *)"system-calls", .engine = &engine_callgrind, .gates = TRUE};
	g_ptr_array_add(c->policies, &calls);
	for (guint run = 0; run < 2; run++)
		counted_value(c->sides[0], "system-calls", "count", run, 12 + run);
	counted_value(c->sides[1], "system-calls", "count", 0, 20);
	assert_needs(c, 5, 5);
	calls.gates = FALSE;
	assert_needs(c, 1, 1);
}

static void a_function_that_would_gate_and_does_not_repeat_needs_five_runs(void **state)
{
	static const CountedFunction tree[] = {
	        {"cmd;main;count;hash", {10000, 10100}, {20000, 20100}},
	        {"cmd;main;sort;swap", {90000, 89900}, {79900, 79800}},
	        {NULL, {0}, {0}},
	};
	(void)state;
	assert_tree_needs(tree, (const guint[]){2, 2}, .005, (const guint[]){5, 5});
	g_autoptr(Counted) held = counted_new(tree, 2, 2, .005);
	assert_needs(held, 1, 1);
}

/* A metric that is only shown, or an error, asks for no runs. */
static void what_cannot_change_needs_no_more_runs(void **state)
{
	(void)state;
	g_autoptr(Counted) broken = counted_new(noisy, 2, 1, 0);
	counted_value(broken->sides[0], "instructions", "count", 1, NAN);
	assert_needs(broken, 1, 1);
	g_autoptr(Counted) c = counted_new(steady, 1, 1, 0);
	MetricPolicy calls = {.metric = (char *)"system-calls", .engine = &engine_callgrind};
	g_ptr_array_add(c->policies, &calls);
	counted_value(c->sides[0], "system-calls", "count", 0, 12);
	counted_value(c->sides[1], "system-calls", "count", 0, 13);
	assert_needs(c, 1, 1);
}

/* --- the level --- */

static guint64 next_random(guint64 *state)
{
	guint64 z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

#define SIMULATIONS 4000
#define NOISY_FUNCTIONS 12

/* Function i costs 100000 and noise of a size of its own, in every run of either side alike. Each hangs from a caller
 * of its own, so that no fall explains a rise. */
static void fill_noise(CountedFunction *tree, char *const *paths, guint n, guint64 *random)
{
	for (guint i = 0; i < n; i++) {
		tree[i] = (CountedFunction){.path = paths[i]};
		for (guint r = 0; r < COUNTED_NOISY_RUNS; r++) {
			tree[i].base[r] = 100000 + next_random(random) % (100 << i);
			tree[i].head[r] = 100000 + next_random(random) % (100 << i);
		}
	}
}

typedef struct {
	guint totals, functions;
} FalseAlarms;

static FalseAlarms simulate(guint functions)
{
	guint64 random = 20;
	FalseAlarms alarms = {0, 0};
	CountedFunction tree[NOISY_FUNCTIONS + 1] = {0};
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < functions; i++)
		g_ptr_array_add(paths, g_strdup_printf("cmd;main;caller%u;f%u", i, i));
	for (guint i = 0; i < SIMULATIONS; i++) {
		fill_noise(tree, (char *const *)paths->pdata, functions, &random);
		g_autoptr(BenchmarkComparison) c = compare_tree(tree, COUNTED_NOISY_RUNS, COUNTED_NOISY_RUNS, 0);
		alarms.totals += g_str_equal(c->reason_code, "regression");
		alarms.functions += g_str_equal(c->reason_code, "function_regression");
	}
	return alarms;
}

static void assert_rate(guint count, double level)
{
	double limit = SIMULATIONS * level + 3 * sqrt(SIMULATIONS * level * (1 - level));
	print_message("%.2f %% of %d, level %.2f %%\n", 100.0 * count / SIMULATIONS, SIMULATIONS, 100 * level);
	assert_true(count <= limit);
	assert_true(count > 0);
}

static void pure_noise_fails_at_most_as_often_as_promised(void **state)
{
	(void)state;
	FalseAlarms alone = simulate(1), many = simulate(NOISY_FUNCTIONS);
	assert_rate(alone.totals, 1 / 252.0);
	assert_rate(many.totals, 1 / 252.0);
	assert_rate(many.functions, 2 / 252.0);
	assert_int_equal(alone.functions, 0); /* where the total fails, no function has to */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(identical_counts_pass_and_every_contribution_is_nothing),
	        cmocka_unit_test(one_instruction_more_fails_at_margin_0),
	        cmocka_unit_test(a_small_rise_that_does_not_gate_is_named_all_the_same),
	        cmocka_unit_test(a_function_gates_by_the_margin_of_its_metric_alone),
	        cmocka_unit_test(functions_do_not_gate_where_they_are_not_to),
	        cmocka_unit_test(swapping_the_sides_mirrors_the_verdict),
	        cmocka_unit_test(scaling_both_sides_changes_no_verdict),
	        cmocka_unit_test(work_that_differs_between_the_sides_is_divided_out),
	        cmocka_unit_test(contributions_add_up_to_the_change_of_the_total),
	        cmocka_unit_test(no_run_on_a_side_is_an_error),
	        cmocka_unit_test(nothing_that_gates_is_an_error),
	        cmocka_unit_test(a_metric_that_nobody_counted_has_no_row),
	        cmocka_unit_test(a_gating_metric_that_a_side_lacks_is_an_error),
	        cmocka_unit_test(a_gating_metric_without_a_value_is_an_error),
	        cmocka_unit_test(a_profile_that_a_side_lacks_is_an_error),
	        cmocka_unit_test(without_profiles_the_totals_are_judged_alone),
	        cmocka_unit_test(a_run_in_which_nothing_was_counted_is_an_error),
	        cmocka_unit_test(counts_that_do_not_repeat_are_compared_by_their_ranges),
	        cmocka_unit_test(a_regression_of_counts_that_do_not_repeat_needs_five_runs),
	        cmocka_unit_test(what_does_not_repeat_is_listed_with_the_largest_spread_first),
	        cmocka_unit_test(equal_spreads_are_in_the_order_of_name_and_module),
	        cmocka_unit_test(a_function_that_does_not_repeat_leaves_the_verdict_open_in_too_few_runs),
	        cmocka_unit_test(what_is_only_shown_gates_nothing),
	        cmocka_unit_test(what_cannot_be_shown_has_no_functions),
	        cmocka_unit_test(equal_counts_need_one_run),
	        cmocka_unit_test(a_difference_needs_a_side_that_was_run_twice),
	        cmocka_unit_test(a_function_that_gates_is_a_difference),
	        cmocka_unit_test(work_that_only_moved_is_no_difference),
	        cmocka_unit_test(counts_that_do_not_repeat_need_five_runs_where_it_matters),
	        cmocka_unit_test(every_gating_metric_may_need_more_runs),
	        cmocka_unit_test(a_function_that_would_gate_and_does_not_repeat_needs_five_runs),
	        cmocka_unit_test(what_cannot_change_needs_no_more_runs),
	        cmocka_unit_test(pure_noise_fails_at_most_as_often_as_promised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
