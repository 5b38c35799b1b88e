#include "compare/functions/attribution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/compare/knowncode.h"
#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static Synthetic *campaign(const SyntheticFunction *tree, guint64 seed)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = .5, .time_noise = .003};
	return synthetic_new(&plan);
}

static guint gating(const BenchmarkComparison *c)
{
	guint n = 0;
	for (guint i = 0; i < c->functions->len; i++)
		n += ((FunctionComparison *)c->functions->pdata[i])->gates;
	return n;
}

static void a_slower_function_gates_alone(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 300, "a.c", 10},
	        {"main;sort", 400, 400, "a.c", 30},
	        {"main;render", 350, 350, "a.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint64 seed = 1; seed < 20; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
		assert_true(synthetic_find(s, c, "hash")->gates);
		assert_int_equal(gating(c), 1);
		assert_ptr_equal(c->functions->pdata[0], synthetic_find(s, c, "hash"));
	}
}

static void a_faster_function_is_an_improvement(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 100, "a.c", 10},
	        {"main;sort", 400, 400, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 2);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_IMPROVEMENT);
	assert_int_equal(synthetic_find(s, c, "sort")->klass, FUNCTION_UNCHANGED);
	assert_int_equal(gating(c), 0);
}

/* Half of render moves into a new function; the total stays. */
static void code_moved_into_a_new_function_is_a_cost_shift(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;render", 300, 100, "a.c", 50},
	        {"main;render;render_number", 0, 202, "a.c", 40},
	        {"main;sort", 400, 400, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint64 seed = 1; seed < 40; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *moved = synthetic_find(s, c, "render_number");
		assert_int_equal(moved->klass, FUNCTION_COST_SHIFT);
		assert_true(g_str_has_prefix(moved->note, "cost moved from render"));
		assert_int_equal(gating(c), 0);
		assert_string_equal(synthetic_find(s, c, "render")->note, "cost moved to render_number");
	}
}

/* The sum over both functions is noisy, but the total, which is measured without sampling, stayed. */
static void a_steady_total_speaks_for_a_shift_that_samples_cannot_settle(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 280, "a.c", 10},
	        {"main;sort", 400, 320, "a.c", 30},
	        {"main;render", 330, 330, "a.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	guint accused = 0;
	(void)state;
	for (guint64 seed = 1; seed <= 100; seed++) {
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = 1, .time_noise = .005};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		accused += gating(c) > 0;
	}
	assert_in_range(accused, 0, 3);
}

/* The other way: a helper is merged into its caller. */
static void a_function_absorbed_by_its_caller_is_a_cost_shift(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, NULL, 0},
	        {"main;render", 100, 300, NULL, 0},
	        {"main;render;digits", 200, 0, NULL, 0},
	        {"main;sort", 400, 400, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 7);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "render")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "digits")->klass, FUNCTION_REMOVED);
	assert_int_equal(gating(c), 0);
}

/* Half of what the new function costs is paid for by the old one; the rest is a regression. */
static void a_shift_that_costs_more_than_it_saves_gates(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;render", 300, 200, "a.c", 50},
	        {"main;render;render_number", 0, 200, "a.c", 40},
	        {"main;sort", 400, 400, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint64 seed = 1; seed < 20; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(synthetic_find(s, c, "render_number")->klass, FUNCTION_NEW);
		assert_true(synthetic_find(s, c, "render_number")->gates);
	}
}

/* Two functions rise by as much as one falls: the fall pays for one of them only. */
static void a_fall_is_spent_once(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;one", 100, 205, "a.c", 10},
	        {"main;two", 100, 200, "a.c", 20},
	        {"main;old", 200, 100, "a.c", 30},
	        {"main;sort", 400, 400, "a.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint64 seed = 1; seed < 20; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(gating(c), 1);
	}
}

/* One function is cut into two: the second one takes what the first left of the fall. */
static void what_is_left_of_a_fall_explains_the_next_rise(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;big", 300, 0, "a.c", 10},
	        {"main;head_part", 0, 180, "a.c", 110},
	        {"main;tail_part", 0, 119, "a.c", 220},
	        {"main;sort", 400, 400, "a.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "head_part")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "tail_part")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "big")->klass, FUNCTION_REMOVED);
	assert_int_equal(gating(c), 0);
}

/* A fall elsewhere in the program, in another file and under another caller, is no excuse. */
static void an_improvement_far_away_explains_nothing(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;input;decode", 200, 300, "input.c", 10},
	        {"main;output;encode", 300, 200, "output.c", 20},
	        {"main;sort", 400, 400, "sort.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_REGRESSION);
	assert_int_equal(synthetic_find(s, c, "decode")->held, FUNCTION_HELD_BY_TOTAL);
	assert_int_equal(synthetic_find(s, c, "encode")->klass, FUNCTION_IMPROVEMENT);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_true(g_str_has_prefix(c->slower, "slower although the total passes: decode +9.6 pp ["));
	assert_non_null(strstr(c->slower, "; masked by encode -10.2 pp ["));
	s->input.functions.strict = TRUE;
	g_autoptr(BenchmarkComparison) strict = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, strict, "decode")->gates);
	assert_int_equal(synthetic_find(s, strict, "decode")->held, FUNCTION_NOT_HELD);
	assert_null(strict->slower);
}

static void a_renamed_function_is_one_function(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort_rows", 400, 0, "a.c", 30},
	        {"main;order_rows", 0, 400, "a.c", 30},
	        {"main;render", 300, 300, "a.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint64 seed = 1; seed < 20; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *renamed = synthetic_find(s, c, "order_rows");
		assert_int_equal(renamed->klass, FUNCTION_RENAMED);
		assert_string_equal(stack_table_frame_name(s->table, renamed->renamed_from), "sort_rows");
		assert_string_equal(renamed->note, "renamed from sort_rows");
		assert_null(synthetic_find(s, c, "sort_rows"));
		assert_near(renamed->change_ratio, 1, .1);
		assert_int_equal(gating(c), 0);
	}
}

static void a_renamed_function_that_is_slower_gates(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort_rows", 400, 0, "a.c", 30},
	        {"main;order_rows", 0, 600, "a.c", 30},
	        {"main;render", 300, 300, "b.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "order_rows")->klass, FUNCTION_REGRESSION);
	assert_true(synthetic_find(s, c, "order_rows")->gates);
	assert_string_equal(synthetic_find(s, c, "order_rows")->note, "renamed from sort_rows");
}

static void a_new_function_that_nobody_pays_for_gates(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort", 400, 400, "a.c", 30},
	        {"main;audit", 0, 100, "b.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "audit")->klass, FUNCTION_NEW);
	assert_true(synthetic_find(s, c, "audit")->gates);
}

static void a_removed_function_is_said_to_be_removed(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort", 400, 400, "a.c", 30},
	        {"main;audit", 100, 0, "b.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "audit")->klass, FUNCTION_REMOVED);
	assert_int_equal(gating(c), 0);
}

static void changes_below_a_floor_are_no_regression(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;huge", 20000, 20700, "a.c", 30}, /* 3.5 % of itself */
	        {"main;tiny", 60, 140, "b.c", 30},      /* .4 % of the total */
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 4, .noise = .1, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	s->policy.margin = .10;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "huge")->p_adjusted <= .01);
	assert_int_equal(synthetic_find(s, c, "huge")->klass, FUNCTION_UNCHANGED);
	assert_true(synthetic_find(s, c, "tiny")->p_adjusted <= .05);
	assert_int_equal(synthetic_find(s, c, "tiny")->klass, FUNCTION_UNCHANGED);
	assert_int_equal(gating(c), 0);
}

static void falls_below_a_floor_are_no_improvement(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;huge", 20700, 20000, "a.c", 30}, /* 3.4 % of itself */
	        {"main;tiny", 140, 60, "b.c", 30},      /* .4 % of the total */
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 4, .noise = .1, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "huge")->p_adjusted_improvement <= .01);
	assert_int_equal(synthetic_find(s, c, "huge")->klass, FUNCTION_UNCHANGED);
	assert_true(synthetic_find(s, c, "tiny")->p_adjusted_improvement <= .05);
	assert_int_equal(synthetic_find(s, c, "tiny")->klass, FUNCTION_UNCHANGED);
}

static const SyntheticFunction slow_hash[] = {
        {"main", 50, 50, "a.c", 90},
        {"main;hash", 200, 300, "a.c", 10},
        {"main;sort", 400, 400, "a.c", 30},
        {NULL, 0, 0, NULL, 0},
};

static void a_report_at_a_looser_level_does_not_gate(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slow_hash, 4);
	s->input.functions.gate_alpha = .001; /* eight rounds reach 1/256 at best */
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
	assert_int_equal(gating(c), 0);
}

static void a_policy_without_function_gates_only_reports(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slow_hash, 4);
	s->input.functions.gates = FALSE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
	assert_int_equal(gating(c), 0);
}

static void add_instructions(Synthetic *s, double head)
{
	static MetricPolicy policy = {
	        .metric = (char *)"instructions", .engine = &engine_perf, .margin = .005, .pass_margin = .01};
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "instructions", "count", r, 1e9 + r);
		synthetic_value(s->head, "instructions", "count", r, head + r);
	}
	g_ptr_array_add(s->policies, &policy);
}

static const KnownCode none_known[] = {{.name = NULL}};
static const KnownCode all_same[] = {
        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 2}},
        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 3}},
        {.name = "render", .file = "render.c", .first = 50, .last = 60, .hash = {4, 4}},
        {.name = NULL},
};

/* Only what is known to be the same code, with the same number of instructions, may be excused as layout. */
static void layout_is_suspected_only_with_equal_code_and_instructions(void **state)
{
	static const struct {
		gboolean counted, same_code_known;
		double head;
		gboolean suspect;
		double scatter; /* of the instructions of a round */
	} rows[] = {
	        {TRUE, TRUE, 1e9, TRUE, 0},
	        {TRUE, TRUE, 1.02e9, FALSE, 0},
	        {TRUE, TRUE, .98e9, FALSE, 0},
	        {TRUE, TRUE, 1e9, FALSE, .007}, /* the bound is beyond the margin */
	        {TRUE, FALSE, 1e9, FALSE, 0},
	        {FALSE, TRUE, 0, FALSE, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(slow_hash, 4);
		if (rows[i].counted)
			add_instructions(s, rows[i].head);
		for (guint r = 0; rows[i].scatter > 0 && r < 8; r++)
			synthetic_value(
			        s->head, "instructions", "count", r, 1e9 * (1 + (r % 2 ? 1 : -1) * rows[i].scatter));
		g_autoptr(CodeFacts) code = known_code(s->table, rows[i].same_code_known ? all_same : none_known);
		s->input.code = code;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *hash = synthetic_find(s, c, "hash");
		assert_int_equal(hash->klass, rows[i].suspect ? FUNCTION_LAYOUT_SUSPECT : FUNCTION_REGRESSION);
		assert_int_equal(hash->gates, !rows[i].suspect);
		assert_int_equal(hash->code, rows[i].same_code_known ? CODE_SAME : CODE_UNKNOWN);
		if (rows[i].suspect)
			assert_string_equal(hash->note, "same code and as many instructions on both sides: layout");
	}
}

static const SyntheticFunction two_slower[] = {
        {"main", 50, 50, "main.c", 90},
        {"main;hash", 200, 300, "hash.c", 10},
        {"main;sort", 400, 500, "sort.c", 30},
        {"main;render", 350, 350, "render.c", 50},
        {NULL, 0, 0, NULL, 0},
};

/* hash got slower; sort, whose code is the same, costs more because of it. */
static void unchanged_code_does_not_gate_beside_its_cause_but_gates_alone(void **state)
{
	static const KnownCode only_sort[] = {{.name = "sort", .hash = {3, 3}}, {.name = NULL}};
	static const KnownCode both_known[] = {
	        {.name = "hash", .hash = {2, 2}}, {.name = "sort", .hash = {3, 3}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	for (guint both = 0; both < 2; both++) {
		g_autoptr(CodeFacts) code = known_code(s->table, both ? both_known : only_sort);
		s->input.code = code;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(c->verdict, VERDICT_REGRESSION);
		assert_true(synthetic_find(s, c, "hash")->gates);
		assert_int_equal(synthetic_find(s, c, "sort")->gates, both);
		assert_int_equal(synthetic_find(s, c, "sort")->excused, !both);
		assert_false(synthetic_find(s, c, "hash")->excused);
		assert_int_equal(synthetic_find(s, c, "sort")->klass, FUNCTION_REGRESSION);
		assert_string_equal(synthetic_find(s, c, "sort")->note,
		        "same code on both sides: called more often, or on other data");
	}
}

/* The change edits a table inside of sort, whose instructions stay the same. */
static void unchanged_code_that_the_change_touches_is_no_consequence(void **state)
{
	static const KnownCode known[] = {
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 9}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	for (guint inside = 0; inside < 2; inside++) {
		g_autoptr(LineChanges) change = edit_lines("sort.c", inside ? 35 : 45, inside ? 36 : 46);
		s->input.code = code;
		s->input.change = change;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *sort = synthetic_find(s, c, "sort");
		assert_int_equal(sort->relation, inside ? CHANGE_TOUCHED : CHANGE_UNTOUCHED);
		assert_int_equal(sort->gates, inside);
		assert_int_equal(sort->note == NULL, inside);
		assert_true(synthetic_find(s, c, "hash")->gates);
		if (!inside)
			assert_string_equal(sort->note, "the change edits other lines of sort.c; same code on both "
			                                "sides: called more often, or on other data");
	}
}

/* --- nothing that may have been altered runs --- */

/* hash costs 12 % more, which is 1 % of the total: it gates alone. */
static const SyntheticFunction slightly_slower[] = {
        {"main", 5000, 5000, "main.c", 90},
        {"main;hash", 900, 1010, "hash.c", 10},
        {"main;sort", 2000, 2000, "sort.c", 30},
        {"main;render", 3000, 3000, "render.c", 50},
        {NULL, 0, 0, NULL, 0},
};

static BenchmarkComparison *compare_with(Synthetic *s, const KnownCode *known, const LineChanges *change)
{
	g_autoptr(CodeFacts) code = known_code(s->table, known);
	s->input.code = code;
	s->input.change = change;
	BenchmarkComparison *comparison = compare_benchmark(&s->input);
	s->input.code = NULL;
	s->input.change = NULL;
	return comparison;
}

static Synthetic *slight(void)
{
	SyntheticPlan plan = {.functions = slightly_slower, .rounds = 8, .seed = 5, .noise = .2, .time_noise = .001};
	return synthetic_new(&plan);
}

/* Even a strict policy does not make equal code fail a check alone. */
static void a_rise_of_equal_code_far_from_the_change_is_told(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = slight();
	s->input.functions.strict = TRUE;
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	const FunctionComparison *hash = synthetic_find(s, c, "hash");
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_string_equal(c->reason_code, "");
	assert_true(g_str_has_prefix(c->slower, "slower although the total passes: hash +"));
	assert_true(g_str_has_suffix(c->slower,
	        "; all code seen to run is the same on both sides: another build layout, or something other than code "
	        "changed"));
	assert_int_equal(hash->klass, FUNCTION_LAYOUT_SUSPECT);
	assert_false(hash->gates);
	assert_int_equal(hash->held, FUNCTION_HELD_BY_CODE);
	assert_true(hash->p_adjusted <= .01);
	assert_string_equal(hash->note, "all code seen to run is the same on both sides: another build layout, or "
	                                "something other than code changed");
	assert_non_null(strstr(hash->sentence,
	        "of itself), not edited in this change; all code seen to run is the same on both sides"));
}

static void a_rise_that_may_be_layout_and_would_not_gate_is_a_pass(void **state)
{
	(void)state;
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	for (guint i = 0; i < 2; i++) {
		g_autoptr(Synthetic) s = slight();
		if (i == 0)
			s->input.functions.gates = FALSE;
		else
			s->input.functions.gate_alpha = .001; /* eight rounds reach 1/256 at best */
		g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_LAYOUT_SUSPECT);
		assert_int_equal(synthetic_find(s, c, "hash")->held, FUNCTION_NOT_HELD);
	}
}

static void instructions_settle_that_a_rise_of_equal_code_is_layout(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = slight();
	add_instructions(s, 1e9);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_LAYOUT_SUSPECT);
	assert_int_equal(synthetic_find(s, c, "hash")->held, FUNCTION_NOT_HELD);
}

/* Data in the function may cost more with as many instructions. */
static void a_touched_function_is_no_layout_suspect(void **state)
{
	(void)state;
	for (guint inside = 0; inside < 2; inside++) {
		g_autoptr(Synthetic) s = slight();
		add_instructions(s, 1e9);
		g_autoptr(LineChanges) change = edit_lines("hash.c", inside ? 12 : 22, inside ? 13 : 23);
		g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(c->slower != NULL, inside);
		assert_int_equal(
		        synthetic_find(s, c, "hash")->klass, inside ? FUNCTION_REGRESSION : FUNCTION_LAYOUT_SUSPECT);
	}
}

/* The same rise, as soon as the change may have something to do with it: it is told, and other code gates if the policy
 * is strict. */
static void a_rise_where_the_change_may_be_the_cause_is_told_and_other_code_gates_strictly(void **state)
{
	static const KnownCode sort_changed[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 2}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 8}},
	        {.name = "render", .file = "render.c", .first = 50, .last = 60, .hash = {4, 4}},
	        {.name = NULL},
	};
	static const KnownCode hash_changed[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 5}},
	        {.name = NULL},
	};
	static const struct {
		const KnownCode *known;
		const char *edited;
		gboolean same;
	} rows[] = {
	        {all_same, "hash.c", TRUE},      /* data in the same file */
	        {all_same, "sort.c", TRUE},      /* or in that of another function */
	        {sort_changed, "sort.h", TRUE},  /* other code hands it other data */
	        {hash_changed, "README", FALSE}, /* its own code differs */
	        {none_known, "README", FALSE},   /* nothing is known */
	        {all_same, NULL, TRUE},          /* the change is not known */
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = slight();
		g_autoptr(LineChanges) change = rows[i].edited != NULL ? edit_lines(rows[i].edited, 1, 5) : NULL;
		g_autoptr(BenchmarkComparison) c = compare_with(s, rows[i].known, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_non_null(strstr(c->slower, "passes: hash +"));
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
		assert_int_equal(synthetic_find(s, c, "hash")->held,
		        rows[i].same ? FUNCTION_HELD_BY_CODE : FUNCTION_HELD_BY_TOTAL);
		s->input.functions.strict = TRUE;
		g_autoptr(BenchmarkComparison) strict = compare_with(s, rows[i].known, change);
		assert_string_equal(strict->reason_code, rows[i].same ? "" : "function_regression");
	}
}

/* A total beyond its margin is more than layout, whatever the change edits. */
static void a_failed_total_leaves_the_function_that_is_to_blame(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(LineChanges) change = edit_lines("README", 1, 2);
	g_autoptr(BenchmarkComparison) c = compare_with(s, all_same, change);
	assert_string_equal(c->reason_code, "regression");
	assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
	assert_true(synthetic_find(s, c, "hash")->gates);
}

/* --- physical functions --- */

static StackId inlined_stack(Synthetic *s, const char *name)
{
	static const SyntheticFunction host = {"main;compress", 0, 0, NULL, 0};
	FrameId frame = stack_table_frame_named(s->table, name, "prog", FRAME_INLINED);
	return stack_table_push(s->table, synthetic_stack(s->table, &host), frame);
}

static void add_time(Measurement *m, guint run, guint64 samples)
{
	double time = metric_value(measurement_metric(m, &engine_perf, "task-clock"), run);
	synthetic_value(m, "task-clock", "ns", run, time + 1.02 * (double)samples * SAMPLE_NS);
}

/* Adds samples in code that is inlined into compress, more or less the same in every round. */
static void add_inlined(Synthetic *s, const char *name, guint base, guint head)
{
	StackId stack = inlined_stack(s, name);
	for (guint r = 0; r < profile_n_runs(s->base->profile); r++) {
		guint64 costs[] = {base + r % 3, head + (r + 1) % 3};
		profile_add(s->base->profile, r, stack, (ProfileCell){costs[0], costs[0] * SAMPLE_NS});
		profile_add(s->head->profile, r, stack, (ProfileCell){costs[1], costs[1] * SAMPLE_NS});
		add_time(s->base, r, costs[0]);
		add_time(s->head, r, costs[1]);
	}
}

static const SyntheticFunction compressing[] = {
        {"main", 500, 500, "main.c", 90},
        {"main;compress", 1000, 1000, "lz.c", 10},
        {"main;count", 300, 300, "lz.c", 90}, /* also inlined */
        {NULL, 0, 0, NULL, 0},
};

/* Cost that a compiler deals out to other inlined pieces of one function is no change of it. */
static void cost_that_moves_between_inlined_pieces_of_a_function_changes_nothing(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 500);
	add_inlined(s, "put_index", 500, 200);
	s->input.functions.strict = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_int_equal(c->functions->len, 3);
	assert_int_equal(gating(c), 0);
	assert_int_equal(compress->klass, FUNCTION_UNCHANGED);
	assert_true(compress->base_samples > 8 * 1600 && compress->base_samples < 8 * 1800);
	assert_null(synthetic_find(s, c, "put_index"));
	assert_int_equal(synthetic_find(s, c, "count")->klass, FUNCTION_UNCHANGED);
	assert_null(synthetic_find(s, c, "count")->inlined);
	assert_int_equal(compress->inlined->len, 2);
	const InlinedPart *count = compress->inlined->pdata[0], *put = compress->inlined->pdata[1];
	assert_string_equal(stack_table_frame_name(s->table, count->frame), "count");
	assert_string_equal(stack_table_frame_name(s->table, put->frame), "put_index");
	assert_true(count->contribution > .1 && put->contribution < -.1);
	assert_true(count->contribution_lower > .09 && count->contribution_upper < .15);
	assert_true(count->contribution_lower < count->contribution && count->contribution < count->contribution_upper);
}

/* Rows, what is not tested, unknown and unsampled are all there is; inlined parts are in the rows. */
static void contributions_of_physical_functions_add_up(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 560);
	add_inlined(s, "put_index", 500, 200);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	double sum = c->unknown_contribution + c->unsampled_contribution;
	for (guint i = 0; i < c->functions->len; i++)
		sum += ((const FunctionComparison *)c->functions->pdata[i])->contribution;
	assert_true(fabs(sum - c->total_change) < 1e-12);
}

static void assert_place(const Synthetic *s, FunctionPlace place, const char *file, guint line)
{
	assert_string_equal(stack_table_text(s->table, place.file), file);
	assert_int_equal(place.line, line);
}

/* A program that is nearly one function: what it costs more is little of itself, but makes the total fail. */
static const SyntheticFunction one_large[] = {
        {"main", 200, 200, "main.c", 9},
        {"main;compress", 9500, 9850, "lz.c", 10},
        {"main;crc", 300, 300, "crc.c", 30},
        {NULL, 0, 0, NULL, 0},
};

static void most_of_a_failed_total_has_a_name_though_it_is_little_of_the_function(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	g_autoptr(LineChanges) change = edit_lines("lz.c", 12, 13);
	g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_true(compress->change_ratio < 1.05);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(compress->klass, FUNCTION_REGRESSION);
	assert_false(compress->gates);
	assert_int_equal(compress->held, FUNCTION_NOT_HELD);
	assert_non_null(strstr(c->sentence, ", caused by compress"));
	assert_non_null(strstr(c->sentence, "edited in this change"));
}

static void little_of_a_large_function_is_not_told_where_the_total_does_not_fail(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	s->policy.margin = s->policy.pass_margin = .10;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

static void little_of_an_edited_large_function_is_told_where_the_total_rose(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	s->policy.margin = s->policy.pass_margin = .10;
	g_autoptr(LineChanges) change = edit_lines("lz.c", 12, 13);
	g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
	assert_int_equal(c->verdict, VERDICT_PASS);
	assert_int_equal(synthetic_find(s, c, "compress")->held, FUNCTION_HELD_BY_LEVEL);
	assert_true(g_str_has_prefix(c->slower, "slower although the total passes: compress +3."));
}

/* Its p is between the level of a report and that of the gate. */
static void an_edited_function_that_the_level_of_the_gate_lets_pass_is_told(void **state)
{
	static const KnownCode edited[] = {
	        {.name = "hash", .file = "a.c", .first = 10, .last = 20, .hash = {1, 2}}, {.name = NULL}};
	(void)state;
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(Synthetic) s = slight();
		s->input.functions.gate_alpha = 0;
		g_autoptr(LineChanges) change = edit_lines(touched ? "a.c" : "b.c", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, edited, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_int_equal(synthetic_find(s, c, "hash")->klass, FUNCTION_REGRESSION);
		assert_int_equal(
		        synthetic_find(s, c, "hash")->held, touched ? FUNCTION_HELD_BY_LEVEL : FUNCTION_NOT_HELD);
		assert_int_equal(c->slower != NULL, touched);
	}
}

static void little_of_a_large_function_of_the_same_code_does_not_explain_the_total(void **state)
{
	static const KnownCode same[] = {{.name = "compress", .hash = {1, 1}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(one_large, 5);
	g_autoptr(CodeFacts) code = known_code(s->table, same);
	s->input.code = code;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

/* crc fails by itself, and compress rose by no more than two fifths of the total. */
static void less_than_half_of_a_failed_total_has_to_be_much_of_the_function(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 200, 200, "main.c", 9},
	        {"main;compress", 9500, 9750, "lz.c", 10},
	        {"main;crc", 300, 700, "crc.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 5);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(synthetic_find(s, c, "compress")->p_adjusted <= .05);
	assert_int_equal(synthetic_find(s, c, "compress")->klass, FUNCTION_UNCHANGED);
}

/* A function with its inlined parts is what gets slower; the sentence says which part. */
static void a_function_is_slower_by_what_is_inlined_into_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "compress", .file = "lz.c", .first = 10, .last = 80, .hash = {1, 2}},
	        {.name = "count", .file = "lz.c", .first = 90, .last = 99},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	add_inlined(s, "count", 200, 500);
	g_autoptr(LineChanges) change = edit_lines("lz.c", 92, 93);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	const FunctionComparison *compress = synthetic_find(s, c, "compress");
	assert_int_equal(c->verdict, VERDICT_REGRESSION);
	assert_true(compress->gates);
	assert_int_equal(compress->relation, CHANGE_TOUCHED);
	assert_int_equal(((const InlinedPart *)compress->inlined->pdata[0])->relation, CHANGE_TOUCHED);
	assert_non_null(strstr(compress->sentence, ", of which count, inlined, +14."));
	assert_non_null(strstr(compress->sentence, ", whose inlined count is edited in this change"));
	assert_non_null(strstr(c->sentence, ", whose inlined count is edited in this change"));
	assert_place(s, compress->edited_place, "lz.c", 92);
}

static const SyntheticFunction releasing[] = {
        {"main", 1000, 1000, "main.c", 90},
        {"main;sort_items", 200, 200, "sort.c", 40},
        {"main;sort_items;release", 300, 700, "value.c", 10},
        {NULL, 0, 0, NULL, 0},
};

/* A diff shows the function that calls the other one more often. */
static void the_place_to_look_at_is_that_of_the_edited_caller(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {5, 5}},
	        {.name = "sort_items", .file = "sort.c", .first = 40, .last = 60, .hash = {1, 2}},
	        {.name = "release", .file = "value.c", .first = 10, .last = 20, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(releasing, 5);
	g_autoptr(LineChanges) change = edit_lines("sort.c", 50, 51);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "release")->relation, CHANGE_CALLED_BY_TOUCHED);
	assert_place(s, synthetic_find(s, c, "release")->edited_place, "sort.c", 50);
	assert_place(s, synthetic_find(s, c, "release")->place, "value.c", 10);
	assert_place(s, synthetic_find(s, c, "sort_items")->edited_place, "sort.c", 50);
	assert_int_equal(synthetic_find(s, c, "main")->edited_place.file.index, 0);
}

/* An inlined function with nothing around it that has code is one of its own. */
static void an_inlined_function_without_a_host_is_a_function(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(compressing, 5);
	FrameId frame = stack_table_frame_named(s->table, "orphan", "prog", FRAME_INLINED);
	FrameId command = stack_table_frame_named(s->table, "lz", NULL, FRAME_COMMAND);
	StackId stack = stack_table_push(s->table, stack_table_push(s->table, STACK_ROOT, command), frame);
	for (guint r = 0; r < 8; r++) {
		profile_add(s->base->profile, r, stack, (ProfileCell){100, 100 * SAMPLE_NS});
		profile_add(s->head->profile, r, stack, (ProfileCell){100, 100 * SAMPLE_NS});
	}
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "orphan")->base_samples, 800);
}

static const SyntheticFunction outlined[] = {
        {"main", 500, 500, "main.c", 90},
        {"main;compress", 1000, 1000, "lz.c", 10},
        {"main;compress;~count", 400, 0, NULL, 0},
        {"main;compress;count", 0, 400, NULL, 0},
        {NULL, 0, 0, NULL, 0},
};

/* A function that a compiler inlines no more is no slower for that, even where the fall of its former host is not to be
 * seen. */
static void a_function_that_is_inlined_no_more_is_a_cost_shift(void **state)
{
	static const SyntheticFunction slower_too[] = {
	        {"main", 500, 500, "main.c", 90},
	        {"main;compress", 1000, 1000, "lz.c", 10},
	        {"main;compress;~count", 400, 0, NULL, 0},
	        {"main;compress;count", 0, 900, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint slower_also = 0; slower_also < 2; slower_also++) {
		g_autoptr(Synthetic) s = campaign(slower_also ? slower_too : outlined, 5);
		s->input.functions.strict = TRUE;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		assert_int_equal(count->klass, slower_also ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_int_equal(count->gates, slower_also);
		if (!slower_also)
			assert_string_equal(count->note, ATTRIBUTION_OUTLINED);
	}
}

/* The fall of compress is that count is no longer in it, so it explains no other rise. */
static void what_was_outlined_explains_nothing_else(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 500, 500, "main.c", 90},
	        {"main;compress", 1000, 1000, "lz.c", 10},
	        {"main;compress;~count", 400, 0, NULL, 0},
	        {"main;compress;count", 0, 400, NULL, 0},
	        {"main;render", 800, 900, "r.c", 10},
	        {"main;parse", 400, 400, "p.c", 10},
	        {"main;emit", 400, 400, "e.c", 10},
	        {"main;store", 400, 400, "t.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 12, .seed = 5, .noise = .2, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "count")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "render")->klass, FUNCTION_REGRESSION);
}

/* --- what a total holds --- */

static const SyntheticFunction masked[] = {
        {"main", 2000, 2000, "main.c", 90},
        {"main;input;decode", 2000, 2200, "input.c", 10},
        {"main;output;encode", 3000, 2800, "output.c", 20},
        {"main;sort", 3000, 3000, "sort.c", 40},
        {NULL, 0, 0, NULL, 0},
};

/* The total may have risen by more than its margin, or not: nobody knows, so the function is believed. */
static void a_function_gates_where_the_total_may_be_beyond_its_margin(void **state)
{
	(void)state;
	for (guint noisy = 0; noisy < 2; noisy++) {
		SyntheticPlan plan = {
		        .functions = masked, .rounds = 8, .seed = 5, .noise = .2, .time_noise = noisy ? .05 : .001};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *decode = synthetic_find(s, c, "decode");
		const MetricComparison *total = c->metrics->pdata[0];
		assert_int_equal(total->upper_ratio - 1 < total->margin, !noisy);
		assert_int_equal(decode->gates, noisy);
		assert_int_equal(decode->held, noisy ? FUNCTION_NOT_HELD : FUNCTION_HELD_BY_TOTAL);
		assert_int_equal(c->verdict, noisy ? VERDICT_REGRESSION : VERDICT_PASS);
	}
}

/* Equal code leaves the verdict to the total, which is open here. */
static void equal_code_does_not_gate_where_the_total_is_open(void **state)
{
	static const KnownCode known[] = {
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 1}},
	        {.name = "encode", .file = "output.c", .first = 20, .last = 29, .hash = {2, 3}},
	        {.name = NULL},
	};
	SyntheticPlan plan = {.functions = masked, .rounds = 8, .seed = 5, .noise = .2, .time_noise = .05};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(LineChanges) change = edit_lines("output.c", 22, 23);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "decode")->held, FUNCTION_HELD_BY_CODE);
	assert_int_equal(c->verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c->reason_code, "interval_too_wide");
	assert_true(g_str_has_prefix(c->slower, "slower as well: decode +2."));
}

/* Touched first, then the largest; all others are counted. */
static void the_held_function_that_the_change_touches_is_named_first(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 4000, 4000, "main.c", 90},
	        {"main;input;decode", 2000, 2200, "input.c", 10},
	        {"main;input;scan", 1000, 1090, "scan.c", 10},
	        {"main;output;encode", 3000, 2700, "output.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 5}},
	        {.name = "scan", .file = "scan.c", .first = 10, .last = 19, .hash = {2, 3}},
	        {.name = NULL},
	};
	(void)state;
	SyntheticPlan plan = {.functions = tree, .rounds = 12, .seed = 5, .noise = .2, .time_noise = .001};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(LineChanges) change = edit_lines(touched ? "scan.c" : "README", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
		assert_int_equal(c->verdict, VERDICT_PASS);
		assert_non_null(strstr(c->slower, touched ? "passes: scan +0." : "passes: decode +"));
		assert_non_null(strstr(c->slower, "; masked by encode -"));
		assert_true(g_str_has_suffix(c->slower, "; and 1 more function"));
	}
}

/* Nobody can tell if cost moved, or if one became slower and the other faster: it is told where it is edited. */
static void a_cost_shift_that_the_change_touches_is_told(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 4000, 4000, "main.c", 90},
	        {"main;decode", 2000, 2200, "input.c", 10},
	        {"main;encode", 3000, 2800, "output.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 1, .last = 9, .hash = {1, 1}},
	        {.name = "decode", .file = "input.c", .first = 10, .last = 19, .hash = {1, 5}},
	        {.name = "encode", .file = "output.c", .first = 20, .last = 29, .hash = {2, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 5);
	for (guint touched = 0; touched < 2; touched++) {
		g_autoptr(LineChanges) change = edit_lines(touched ? "input.c" : "README", 12, 13);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
		assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_COST_SHIFT);
		assert_int_equal(c->slower != NULL, touched);
		if (touched)
			assert_true(g_str_has_suffix(c->slower, ", edited in this change; cost moved from encode"));
	}
}

/* --- the change --- */

static void every_function_says_how_the_change_relates_to_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "main", .file = "main.c", .first = 90, .last = 99, .hash = {1, 1}},
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .hash = {2, 5}},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(LineChanges) change = edit_lines("hash.c", 12, 13);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	const FunctionComparison *hash = synthetic_find(s, c, "hash");
	assert_int_equal(hash->relation, CHANGE_TOUCHED);
	assert_int_equal(hash->code, CODE_CHANGED);
	assert_int_equal(synthetic_find(s, c, "main")->relation, CHANGE_CALLS_TOUCHED);
	assert_int_equal(synthetic_find(s, c, "sort")->relation, CHANGE_UNTOUCHED);
	assert_int_equal(synthetic_find(s, c, "render")->relation, CHANGE_UNKNOWN);
	assert_true(g_str_has_prefix(hash->sentence, "hash +"));
	assert_true(g_str_has_suffix(hash->sentence, " % of itself), edited in this change"));
	assert_null(synthetic_find(s, c, "main")->sentence);
	assert_null(synthetic_find(s, c, "render")->sentence);
	assert_non_null(strstr(c->sentence, ", edited in this change: +"));
}

static void a_function_that_moved_down_stands_where_head_has_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "hash", .file = "hash.c", .first = 10, .last = 20, .head_first = 70, .head_last = 80},
	        {.name = "sort", .file = "sort.c", .first = 30, .last = 40, .absent = {FALSE, TRUE}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(two_slower, 4);
	g_autoptr(LineChanges) change = edit_lines("hash.c", 1, 60);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	const FunctionComparison *hash = synthetic_find(s, c, "hash"), *sort = synthetic_find(s, c, "sort");
	assert_int_equal(hash->place.line, 70);
	assert_int_equal(hash->base_place.line, 10);
	assert_string_equal(stack_table_text(s->table, hash->place.file), "hash.c");
	assert_false(function_comparison_is_elsewhere(hash));
	assert_int_equal(sort->place.line, 30);
	assert_int_equal(synthetic_find(s, c, "render")->place.file.index, 0);
	assert_int_equal(benchmark_comparison_head_place(c, hash->frame).line, 70);
	assert_int_equal(benchmark_comparison_head_place(c, sort->frame).file.index, 0);
}

/* --- neighbours --- */

/* It is far away in the call graph, but stands in the same file. */
static void a_fall_in_the_same_file_explains_a_rise(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;input;decode", 200, 300, "codec.c", 10},
	        {"main;output;encode", 300, 199, "codec.c", 220},
	        {"main;sort", 400, 400, "sort.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_COST_SHIFT);
	assert_string_equal(synthetic_find(s, c, "decode")->note, "cost moved from encode");
}

/* In base, what fell was a sibling; in head, under another name, it is somewhere else: and the other way round. */
static void a_renamed_neighbour_is_one_under_either_name(void **state)
{
	static const SyntheticFunction was_near[] = {
	        {"main", 50, 50, NULL, 0},
	        {"main;input;decode", 200, 300, NULL, 0},
	        {"main;input;old_name", 300, 0, NULL, 0},
	        {"main;output;elsewhere", 0, 199, NULL, 0},
	        {"main;sort", 400, 400, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction is_near[] = {
	        {"main", 50, 50, NULL, 0},
	        {"main;input;decode", 200, 300, NULL, 0},
	        {"main;output;old_name", 300, 0, NULL, 0},
	        {"main;input;elsewhere", 0, 199, NULL, 0},
	        {"main;sort", 400, 400, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "old_name", .hash = {7, 0}}, {.name = "elsewhere", .hash = {0, 7}}, {.name = NULL}};
	(void)state;
	for (guint i = 0; i < 2; i++) {
		g_autoptr(Synthetic) s = campaign(i == 0 ? was_near : is_near, 3);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, NULL);
		assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_COST_SHIFT);
		assert_string_equal(synthetic_find(s, c, "decode")->note, "cost moved from elsewhere");
		assert_string_equal(synthetic_find(s, c, "elsewhere")->note, "renamed from old_name");
	}
}

/* It was renamed and moved to another file; what it took over stands where it came from. */
static void a_renamed_function_has_the_neighbours_of_its_old_file(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;input;old_decode", 200, 0, "codec.c", 10},
	        {"main;reader;fresh_reader", 0, 300, "reader.c", 500},
	        {"main;output;encode", 300, 199, "codec.c", 220},
	        {"main;sort", 400, 400, "sort.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "old_decode", .hash = {7, 0}}, {.name = "fresh_reader", .hash = {0, 7}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, NULL);
	assert_int_equal(synthetic_find(s, c, "fresh_reader")->klass, FUNCTION_COST_SHIFT);
}

/* A campaign of which the samples of every round are given: in head, decode has what it had in base and `rises`, and
 * skip what it had in base less `falls`. */
typedef struct {
	const int *rises, *falls;
	const SyntheticFunction *tree; /* decode is its second function, skip its third */
	double clock_ratio;            /* of the total, which is known exactly */
} Given;

static Synthetic *given(const Given *g)
{
	SyntheticPlan plan = {.functions = g->tree, .rounds = 8};
	Synthetic *s = synthetic_new(&plan);
	StackId decode = synthetic_stack(s->table, &g->tree[1]), skip = synthetic_stack(s->table, &g->tree[2]);
	for (guint r = 0; r < 8; r++) {
		guint64 more = (guint64)g->rises[r], left = (guint64)((int)g->tree[2].base - g->falls[r]);
		profile_add(s->head->profile, r, decode, (ProfileCell){more, more * SAMPLE_NS});
		profile_add(s->head->profile, r, skip, (ProfileCell){left, left * SAMPLE_NS});
		synthetic_value(s->base, "task-clock", "ns", r, 1e9 + r % 3);
		synthetic_value(s->head, "task-clock", "ns", r, 1e9 * g->clock_ratio + r % 2);
	}
	return s;
}

static FunctionClass class_of_decode(const Given *g)
{
	g_autoptr(Synthetic) s = given(g);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "decode")->p_adjusted <= .05);
	return synthetic_find(s, c, "decode")->klass;
}

/* In head, decode and skip are only what a test adds. */
static const SyntheticFunction codec[] = {
        {"main", 50, 50, "main.c", 90},
        {"main;input;decode", 200, 200, "codec.c", 10},
        {"main;input;skip", 600, 0, "codec.c", 220},
        {"main;sort", 600, 600, "sort.c", 40},
        {NULL, 0, 0, NULL, 0},
};

static const int hundred[] = {60, 70, 80, 90, 110, 120, 130, 140};

/* Around a mean: the falls are small in rounds in which the rise is large. */
static FunctionClass class_beside_a_fall(int fall, double clock_ratio)
{
	static const int around[] = {92, 72, 42, 12, -18, -48, -68, -84};
	int falls[8];
	for (guint r = 0; r < 8; r++)
		falls[r] = fall + around[r];
	return class_of_decode(&(Given){hundred, falls, codec, clock_ratio});
}

static void a_steady_total_explains_a_rise_that_falls_pay_for_by_half(void **state)
{
	(void)state;
	assert_int_equal(class_beside_a_fall(52, 1), FUNCTION_COST_SHIFT);
	assert_int_equal(class_beside_a_fall(50, 1), FUNCTION_COST_SHIFT);
	assert_int_equal(class_beside_a_fall(48, 1), FUNCTION_REGRESSION);
	assert_int_equal(class_beside_a_fall(52, 1.03), FUNCTION_REGRESSION);
}

/* It may have fallen by as much as decode rose, but it may as well not have fallen at all. */
static void a_fall_that_may_be_chance_explains_nothing(void **state)
{
	static const int chance[] = {500, -100, 400, -150, 350, -200, 200, -180};
	(void)state;
	Given g = {hundred, chance, codec, 1};
	g_autoptr(Synthetic) s = given(&g);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "skip")->contribution < -.05);
	assert_true(synthetic_find(s, c, "skip")->p_value_improvement > .05);
	assert_int_equal(synthetic_find(s, c, "decode")->klass, FUNCTION_REGRESSION);
}

/* A small rise: a quarter of it is 8 samples per run, the floor is 10, and the sum is 9 or more. */
static void a_sum_below_the_floor_is_a_shift_whatever_the_total_does(void **state)
{
	static const SyntheticFunction large[] = {
	        {"main", 3000, 3000, "main.c", 90},
	        {"main;input;decode", 200, 200, "codec.c", 10},
	        {"main;input;skip", 600, 0, "codec.c", 220},
	        {"main;input;other", 600, 680, "other.c", 220},
	        {NULL, 0, 0, NULL, 0},
	};
	static const int rises[] = {31, 32, 33, 32, 31, 33, 32, 32};
	static const int small_falls[] = {22, 23, 24, 23, 22, 24, 23, 23};
	static const int smaller_falls[] = {14, 15, 16, 15, 14, 16, 15, 15};
	(void)state;
	assert_int_equal(class_of_decode(&(Given){rises, small_falls, large, 1.1}), FUNCTION_COST_SHIFT);
	assert_int_equal(class_of_decode(&(Given){rises, smaller_falls, large, 1.1}), FUNCTION_REGRESSION);
}

/* The rest went from many small functions below a common caller, none of which is a neighbour that fell for certain. */
static void the_common_caller_speaks_for_falls_that_are_too_small_to_see(void **state)
{
	static const SyntheticFunction scattered[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;input;decode", 200, 200, "codec.c", 10},
	        {"main;input;skip", 600, 0, "codec.c", 220},
	        {"main;input;tables;build_one", 300, 280, "one.c", 40},
	        {"main;input;tables;fill_two", 300, 278, "two.c", 40},
	        {"main;sort", 1000, 1030, "sort.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	static const int sixty[] = {60, 61, 59, 60, 60, 59, 61, 60};
	static const int rises[] = {100, 101, 99, 100, 100, 99, 101, 100};
	(void)state;
	assert_int_equal(class_of_decode(&(Given){rises, sixty, scattered, 1}), FUNCTION_COST_SHIFT);
}

/* Falls make up for less than half of the rise; that the total is steady is due to something else. */
static void a_small_fall_does_not_explain_a_large_rise_although_the_total_is_steady(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;input;decode", 200, 360, "codec.c", 10},
	        {"main;input;skip", 200, 160, "codec.c", 220},
	        {"main;sort", 600, 480, "sort.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	guint accused = 0;
	(void)state;
	for (guint64 seed = 1; seed <= 30; seed++) {
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = seed, .noise = 1.2, .time_noise = .003};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		accused += synthetic_find(s, c, "decode")->klass == FUNCTION_REGRESSION;
	}
	assert_in_range(accused, 20, 30);
}

/* The fall pays for the larger rise, although the smaller one comes first in the table. */
static void the_largest_rise_has_first_claim_on_a_fall(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;small", 100, 160, "a.c", 10},
	        {"main;large", 100, 205, "a.c", 20},
	        {"main;old", 200, 95, "a.c", 30},
	        {"main;sort", 400, 400, "a.c", 40},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "large")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "small")->klass, FUNCTION_REGRESSION);
	assert_string_equal(synthetic_find(s, c, "old")->note, "cost moved to large");
}

/* Without noise both rises are the same number. */
static void of_equal_rises_the_first_in_the_table_has_first_claim(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;one", 100, 200, "a.c", 10},
	        {"main;two", 100, 200, "a.c", 20},
	        {"main;old", 200, 100, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = tree, .rounds = 8};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "one")->klass, FUNCTION_COST_SHIFT);
	assert_int_equal(synthetic_find(s, c, "two")->klass, FUNCTION_REGRESSION);
}

static void a_fall_that_reaches_all_limits_is_an_improvement(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 150, "a.c", 10},
	        {"main;sort", 400, 400, "a.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) first = compare_benchmark(&s->input);
	const FunctionComparison *hash = synthetic_find(s, first, "hash");
	s->input.functions.report_alpha = hash->p_adjusted_improvement;
	s->input.functions.floor_contribution = -hash->contribution;
	s->input.functions.floor_relative = 1 - hash->change_ratio;
	g_autoptr(BenchmarkComparison) at = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, at, "hash")->klass, FUNCTION_IMPROVEMENT);
}

static void several_falls_are_counted_in_the_note(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;one", 200, 80, "a.c", 10},
	        {"main;two", 200, 110, "a.c", 30},
	        {"main;three", 200, 140, "a.c", 50},
	        {"main;all", 200, 470, "a.c", 70},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_string_equal(synthetic_find(s, c, "all")->note, "cost moved from one and 2 more");
	assert_string_equal(synthetic_find(s, c, "one")->note, "cost moved to all");
	assert_null(synthetic_find(s, c, "two")->note);
}

static void a_level_that_a_p_value_reaches_is_reached(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slow_hash, 4);
	g_autoptr(BenchmarkComparison) first = compare_benchmark(&s->input);
	double p = synthetic_find(s, first, "hash")->p_adjusted;
	s->input.functions.report_alpha = s->input.functions.gate_alpha = p;
	g_autoptr(BenchmarkComparison) at = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, at, "hash")->gates);
	s->input.functions.gate_alpha = p * .999;
	g_autoptr(BenchmarkComparison) below = compare_benchmark(&s->input);
	assert_false(synthetic_find(s, below, "hash")->gates);
	assert_int_equal(synthetic_find(s, below, "hash")->klass, FUNCTION_REGRESSION);
	s->input.functions.report_alpha = p * .999;
	g_autoptr(BenchmarkComparison) silent = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, silent, "hash")->klass, FUNCTION_UNCHANGED);
}

static void a_rise_of_exactly_the_floors_passes_them(void **state)
{
	static const FunctionPolicy policy = {.floor_contribution = .005, .floor_relative = .25};
	static const struct {
		double base, contribution, ratio;
		gboolean passes;
	} rows[] = {
	        {10, .005, 1.25, TRUE},
	        {10, .00499, 1.25, FALSE},
	        {10, .005, 1.24, FALSE},
	        {0, .005, NAN, TRUE},
	        {0, .004, NAN, FALSE},
	        {10, NAN, 2, FALSE},
	        {10, .5, NAN, FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		FunctionComparison f = {
		        .base_cost = rows[i].base, .contribution = rows[i].contribution, .change_ratio = rows[i].ratio};
		assert_int_equal(attribution_passes_floors(&f, &policy), rows[i].passes);
	}
}

/* It has no place in the checkout. */
static void a_library_is_the_same_code(void **state)
{
	static const KnownCode library[] = {
	        {.name = "hash", .identity = CODE_SAME, .absent = {TRUE, TRUE}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(slow_hash, 4);
	g_autoptr(BenchmarkComparison) c = compare_with(s, library, NULL);
	assert_int_equal(synthetic_find(s, c, "hash")->code, CODE_SAME);
}

static void functions_with_few_samples_are_unchanged(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 500, 500, "a.c", 90},
	        {"main;once", 0, 1, "b.c", 10},
	        {"main;twice", 1, 0, "c.c", 10},
	        {"main;hash", 200, 300, "d.c", 10},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 3);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "hash")->gates);
	assert_int_equal(synthetic_find(s, c, "once")->klass, FUNCTION_UNCHANGED);
	assert_int_equal(synthetic_find(s, c, "twice")->klass, FUNCTION_UNCHANGED);
}

/* --- renamed, inlined, outlined, split, merged --- */

static const SyntheticFunction renamed_tree[] = {
        {"main", 50, 50, "a.c", 90},
        {"main;sort_rows", 400, 0, "a.c", 30},
        {"main;order_rows", 0, 430, "a.c", 30},
        {"main;render", 300, 300, "b.c", 50},
        {NULL, 0, 0, NULL, 0},
};

/* It seems to cost 7.5 % more, certainly enough to be reported, not enough to gate; or less, seen the other way. */
static void the_same_code_under_another_name_is_renamed_whatever_it_seems_to_cost(void **state)
{
	static const KnownCode same[] = {{.name = "sort_rows", .file = "a.c", .first = 30, .hash = {7, 0}},
	        {.name = "order_rows", .file = "a.c", .first = 30, .hash = {0, 7}}, {.name = NULL}};
	static const KnownCode edited[] = {
	        {.name = "sort_rows", .hash = {7, 0}}, {.name = "order_rows", .hash = {0, 8}}, {.name = NULL}};
	static const KnownCode half[] = {{.name = "sort_rows", .hash = {7, 0}},
	        {.name = "order_rows", .file = "a.c", .first = 30}, {.name = NULL}};
	static const KnownCode other_half[] = {{.name = "sort_rows", .file = "a.c", .first = 30},
	        {.name = "order_rows", .hash = {0, 8}}, {.name = NULL}};
	static const KnownCode gone[] = {{.name = "sort_rows", .hash = {7, 0}, .absent = {TRUE, FALSE}},
	        {.name = "order_rows", .hash = {0, 7}}, {.name = NULL}};
	static const KnownCode missing[] = {{.name = "sort_rows", .hash = {7, 0}},
	        {.name = "order_rows", .hash = {0, 7}, .absent = {FALSE, TRUE}}, {.name = NULL}};
	static const struct {
		const KnownCode *known;
		CodeIdentity code;
	} rows[] = {{same, CODE_SAME}, {edited, CODE_CHANGED}, {half, CODE_UNKNOWN}, {other_half, CODE_UNKNOWN},
	        {gone, CODE_UNKNOWN}, {missing, CODE_UNKNOWN}};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(renamed_tree, 4);
		s->input.functions.gate_alpha = .001; /* out of reach in eight rounds */
		g_autoptr(BenchmarkComparison) c = compare_with(s, rows[i].known, NULL);
		const FunctionComparison *f = synthetic_find(s, c, "order_rows");
		gboolean is_rename = rows[i].code == CODE_SAME;
		assert_int_equal(f->code, rows[i].code);
		assert_int_equal(f->klass, is_rename ? FUNCTION_RENAMED : FUNCTION_REGRESSION);
		assert_string_equal(f->note, "renamed from sort_rows");
		assert_int_equal(f->sentence == NULL, is_rename);
		s->input.functions.gate_alpha = .01;
		g_autoptr(BenchmarkComparison) gated = compare_with(s, rows[i].known, NULL);
		assert_int_equal(synthetic_find(s, gated, "order_rows")->klass, FUNCTION_REGRESSION);
		assert_true(synthetic_find(s, gated, "order_rows")->gates);
	}
}

static void a_renamed_function_that_seems_faster_is_renamed_if_its_code_is_the_same(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort_rows", 430, 0, "a.c", 30},
	        {"main;order_rows", 0, 390, "a.c", 30},
	        {"main;render", 300, 300, "b.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode same[] = {
	        {.name = "sort_rows", .hash = {7, 0}}, {.name = "order_rows", .hash = {0, 7}}, {.name = NULL}};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) unknown = compare_with(s, none_known, NULL);
	g_autoptr(BenchmarkComparison) known = compare_with(s, same, NULL);
	assert_int_equal(synthetic_find(s, unknown, "order_rows")->klass, FUNCTION_IMPROVEMENT);
	assert_int_equal(synthetic_find(s, known, "order_rows")->klass, FUNCTION_RENAMED);
}

static void a_renamed_function_is_touched_under_either_name(void **state)
{
	static const KnownCode known[] = {
	        {.name = "sort_rows", .file = "a.c", .first = 30, .last = 40, .absent = {FALSE, TRUE}},
	        {.name = "order_rows", .file = "a.c", .first = 130, .last = 140, .absent = {TRUE, FALSE}},
	        {.name = NULL},
	};
	static const KnownCode same[] = {
	        {.name = "sort_rows", .hash = {7, 0}}, {.name = "order_rows", .hash = {0, 7}}, {.name = NULL}};
	static const struct {
		guint32 line;
		ChangeRelation relation;
	} rows[] = {{35, CHANGE_TOUCHED}, {135, CHANGE_TOUCHED}, {60, CHANGE_UNTOUCHED}};
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 290},
	        {"main;sort_rows", 400, 0, "a.c", 30},
	        {"main;order_rows", 0, 400, "a.c", 31},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(tree, 4);
		g_autoptr(LineChanges) change = edit_lines("a.c", rows[i].line, rows[i].line);
		g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
		assert_int_equal(synthetic_find(s, c, "order_rows")->relation, rows[i].relation);
		g_autoptr(BenchmarkComparison) bytes = compare_with(s, same, change);
		assert_int_equal(synthetic_find(s, bytes, "order_rows")->klass, FUNCTION_RENAMED);
		assert_int_equal(synthetic_find(s, bytes, "order_rows")->code, CODE_SAME);
	}
}

/* The number of 30 campaigns that gate a function, and that give the class to the one that is asked for. */
typedef struct {
	guint gating, of_class;
} Outcome;

static Outcome outcome(const SyntheticFunction *tree, const char *name, FunctionClass klass)
{
	Outcome sum = {0, 0};
	for (guint64 seed = 1; seed <= 30; seed++) {
		g_autoptr(Synthetic) s = campaign(tree, seed);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		sum.gating += gating(c) > 0;
		sum.of_class += synthetic_find(s, c, name)->klass == klass;
	}
	return sum;
}

/* With inlines expanded, a function has one name and one cost whether it is inlined or not. */
static void an_inlined_function_is_the_same_one(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, "a.c", 90},
		        {"main;render", 200, 200, "a.c", 50},
		        {"main;render;digits", 200, slower ? 300 : 200, "a.c", 20},
		        {"main;sort", 400, 400, "b.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "digits", slower ? FUNCTION_REGRESSION : FUNCTION_UNCHANGED);
		assert_in_range(o.of_class, 29, 30);
		assert_int_equal(o.gating, slower ? 30 : 0);
	}
}

/* Without debug information, an inlined function is part of its caller: in base ... */
static void a_function_that_is_no_longer_inlined_is_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, NULL, 0},
		        {"main;render", 400, 200, NULL, 0},
		        {"main;render;digits", 0, slower ? 330 : 202, NULL, 0},
		        {"main;sort", 400, 400, NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "digits", slower ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_in_range(o.of_class, 29, 30);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
	}
}

/* ... or in head. */
static void a_function_that_is_inlined_now_is_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, NULL, 0},
		        {"main;render", 200, slower ? 530 : 402, NULL, 0},
		        {"main;render;digits", 200, 0, NULL, 0},
		        {"main;sort", 400, 400, NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "render", slower ? FUNCTION_REGRESSION : FUNCTION_COST_SHIFT);
		assert_in_range(o.of_class, 29, 30);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
	}
}

static void a_function_split_into_two_helpers_is_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, "a.c", 90},
		        {"main;render", 400, 80, "a.c", 50},
		        {"main;render;render_head", 0, 201, "a.c", 210},
		        {"main;render;render_tail", 0, slower ? 230 : 121, "a.c", 320},
		        {"main;sort", 400, 400, "b.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "render_head", slower ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
		if (!slower)
			assert_in_range(o.of_class, 29, 30);
	}
}

static void two_functions_merged_into_a_third_are_a_cost_shift(void **state)
{
	(void)state;
	for (guint slower = 0; slower < 2; slower++) {
		const SyntheticFunction tree[] = {
		        {"main", 50, 50, "a.c", 90},
		        {"main;encode_head", 150, 0, "a.c", 150},
		        {"main;encode_tail", 150, 0, "a.c", 250},
		        {"main;encode_all", 0, slower ? 420 : 301, "a.c", 350},
		        {"main;sort", 400, 400, "b.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		Outcome o = outcome(tree, "encode_all", slower ? FUNCTION_NEW : FUNCTION_COST_SHIFT);
		assert_in_range(o.of_class, 29, 30);
		assert_in_range(o.gating, slower ? 29 : 0, slower ? 30 : 0);
	}
}

/* It keeps its old name in the note, and says where the rest of its cost came from. */
static void a_renamed_function_that_takes_over_other_code_says_both(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;sort_rows", 200, 0, "a.c", 30},
	        {"main;order_rows", 0, 400, "a.c", 30},
	        {"main;swap_rows", 250, 48, "a.c", 60},
	        {"main;render", 300, 300, "b.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(synthetic_find(s, c, "order_rows")->klass, FUNCTION_COST_SHIFT);
	assert_string_equal(
	        synthetic_find(s, c, "order_rows")->note, "renamed from sort_rows; cost moved from swap_rows");
}

static void a_contaminated_campaign_gates_no_function(void **state)
{
	(void)state;
	g_autoptr(Synthetic) s = campaign(slow_hash, 4);
	s->input.contaminated = TRUE;
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_int_equal(gating(c), 0);
}

static void functions_are_sorted_by_magnitude_then_name(void **state)
{
	StackTable *table = stack_table_new();
	static const struct {
		const char *name, *module;
		double contribution;
	} rows[] = {
	        {"b", "m", .01}, {"a", "m", -.01}, {"b", "k", .01}, {"a", "k", .01}, {"c", "m", -.5}, {"z", "m", .2}};
	(void)state;
	g_autoptr(GPtrArray) functions = g_ptr_array_new_with_free_func((GDestroyNotify)function_comparison_free);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		FunctionComparison *f = g_new0(FunctionComparison, 1);
		f->frame = stack_table_frame_named(table, rows[i].name, rows[i].module, FRAME_USER);
		f->contribution = rows[i].contribution;
		g_ptr_array_add(functions, f);
	}
	attribution_sort(table, functions);
	g_autoptr(GString) order = g_string_new(NULL);
	for (guint i = 0; i < functions->len; i++) {
		FrameId frame = ((FunctionComparison *)functions->pdata[i])->frame;
		g_string_append_printf(
		        order, "%s%s ", stack_table_frame_name(table, frame), stack_table_frame_module(table, frame));
	}
	assert_string_equal(order->str, "cm zm ak am bk bm ");
	stack_table_unref(table);
}

/* --- outlined, and how much of it has to be certain --- */

/* A quarter of what count rose by is 35 or 40 samples, and the floor is 50: with its copies it rose by 40 or 60. */
static void of_a_small_function_the_floor_is_what_may_remain_of_its_rise(void **state)
{
	static const double heads[] = {140, 160};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
		const SyntheticFunction tree[] = {
		        {"main", 5000, 5000, "main.c", 90},
		        {"main;compress", 4900, 4900, "lz.c", 10},
		        {"main;compress;~count", 100, 0, NULL, 0},
		        {"main;compress;count", 0, heads[i], NULL, 0},
		        {NULL, 0, 0, NULL, 0},
		};
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 5, .noise = .05, .time_noise = .001};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->input.functions.floor_contribution = .005;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		gboolean outlined_only = count->note != NULL && strstr(count->note, ATTRIBUTION_OUTLINED) != NULL;
		assert_int_equal(outlined_only, i == 0);
	}
}

/* With its copies it seems to cost the same, but may well cost half as much again. */
static void a_function_that_may_cost_more_with_its_copies_is_not_only_outlined(void **state)
{
	static const double noises[] = {.5, 5};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(noises); i++) {
		SyntheticPlan plan = {
		        .functions = outlined, .rounds = 8, .seed = 5, .noise = noises[i], .time_noise = .05};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		const FunctionComparison *count = synthetic_find(s, c, "count");
		assert_int_equal(count->klass, i == 0 ? FUNCTION_COST_SHIFT : FUNCTION_NEW);
		assert_int_equal(g_strcmp0(count->note, ATTRIBUTION_OUTLINED) == 0, i == 0);
	}
}

/* --- stubs, and what is held --- */

/* The linker makes the stub, so its code is not the project's, whatever is known of it. */
static void the_code_of_a_stub_is_the_same(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "main.c", 90},
	        {"main;memcpy@plt", 200, 300, NULL, 0},
	        {"main;sort", 400, 400, "sort.c", 30},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	g_autoptr(BenchmarkComparison) c = compare_with(s, none_known, NULL);
	assert_int_equal(synthetic_find(s, c, "memcpy@plt")->code, CODE_SAME);
	assert_int_equal(synthetic_find(s, c, "sort")->code, CODE_UNKNOWN);
}

static void a_shift_is_held_where_the_change_touches_other_code_and_no_total_fails(void **state)
{
	static const struct {
		ChangeRelation relation;
		CodeIdentity code;
		gboolean total_failed;
		FunctionHold hold;
	} rows[] = {
	        {CHANGE_TOUCHED, CODE_CHANGED, FALSE, FUNCTION_HELD_BY_TOTAL},
	        {CHANGE_TOUCHED, CODE_UNKNOWN, FALSE, FUNCTION_HELD_BY_TOTAL},
	        {CHANGE_TOUCHED, CODE_SAME, FALSE, FUNCTION_NOT_HELD},
	        {CHANGE_TOUCHED, CODE_CHANGED, TRUE, FUNCTION_NOT_HELD},
	        {CHANGE_UNTOUCHED, CODE_CHANGED, FALSE, FUNCTION_NOT_HELD},
	        {CHANGE_UNKNOWN, CODE_CHANGED, FALSE, FUNCTION_NOT_HELD},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const FunctionComparison f = {.relation = rows[i].relation, .code = rows[i].code};
		const HoldInput hold = {.total_failed = rows[i].total_failed};
		assert_int_equal(attribution_hold_shift(&hold, &f), rows[i].hold);
	}
}

/* Its lines are known on one side only, as where head's debug information lacks them. */
static void an_edited_caller_that_head_does_not_place_stands_where_base_has_it(void **state)
{
	static const KnownCode known[] = {
	        {.name = "sort_items", .file = "sort.c", .first = 40, .last = 60, .absent = {FALSE, TRUE}},
	        {.name = "release", .file = "value.c", .first = 10, .last = 20, .hash = {3, 3}},
	        {.name = NULL},
	};
	(void)state;
	g_autoptr(Synthetic) s = campaign(releasing, 5);
	g_autoptr(LineChanges) change = edit_lines("sort.c", 50, 51);
	g_autoptr(BenchmarkComparison) c = compare_with(s, known, change);
	assert_int_equal(synthetic_find(s, c, "release")->relation, CHANGE_CALLED_BY_TOUCHED);
	assert_place(s, synthetic_find(s, c, "release")->edited_place, "sort.c", 40);
}

/* Another metric failed, and the time rose by hardly anything: half of that is below the floor of .3 %. */
static void most_of_a_rise_below_the_floor_has_no_name(void **state)
{
	static const double heads[] = {9520, 9540};
	static MetricPolicy faults = {.metric = (char *)"page-faults",
	        .engine = &engine_perf,
	        .margin = .02,
	        .pass_margin = .05,
	        .gates = TRUE};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
		const SyntheticFunction tree[] = {
		        {"main", 200, 200, "main.c", 9},
		        {"main;compress", 9500, heads[i], "lz.c", 10},
		        {"main;crc", 300, 300, "crc.c", 30},
		        {NULL, 0, 0, NULL, 0},
		};
		SyntheticPlan plan = {.functions = tree, .rounds = 8, .seed = 5, .noise = .03, .time_noise = .0005};
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		s->input.functions.floor_contribution = .003;
		g_ptr_array_add(s->policies, &faults);
		for (guint r = 0; r < 8; r++) {
			synthetic_value(s->base, "page-faults", "count", r, 1000 + r);
			synthetic_value(s->head, "page-faults", "count", r, 1300 + 2 * r);
		}
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(c->verdict, VERDICT_REGRESSION);
		assert_true(synthetic_find(s, c, "compress")->p_adjusted <= .05);
		assert_int_equal(
		        synthetic_find(s, c, "compress")->klass, i == 0 ? FUNCTION_UNCHANGED : FUNCTION_REGRESSION);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_slower_function_gates_alone),
	        cmocka_unit_test(a_faster_function_is_an_improvement),
	        cmocka_unit_test(code_moved_into_a_new_function_is_a_cost_shift),
	        cmocka_unit_test(a_steady_total_speaks_for_a_shift_that_samples_cannot_settle),
	        cmocka_unit_test(a_function_absorbed_by_its_caller_is_a_cost_shift),
	        cmocka_unit_test(a_shift_that_costs_more_than_it_saves_gates),
	        cmocka_unit_test(a_fall_is_spent_once),
	        cmocka_unit_test(what_is_left_of_a_fall_explains_the_next_rise),
	        cmocka_unit_test(an_improvement_far_away_explains_nothing),
	        cmocka_unit_test(a_renamed_function_is_one_function),
	        cmocka_unit_test(a_renamed_function_that_is_slower_gates),
	        cmocka_unit_test(a_new_function_that_nobody_pays_for_gates),
	        cmocka_unit_test(a_removed_function_is_said_to_be_removed),
	        cmocka_unit_test(changes_below_a_floor_are_no_regression),
	        cmocka_unit_test(falls_below_a_floor_are_no_improvement),
	        cmocka_unit_test(a_report_at_a_looser_level_does_not_gate),
	        cmocka_unit_test(a_policy_without_function_gates_only_reports),
	        cmocka_unit_test(layout_is_suspected_only_with_equal_code_and_instructions),
	        cmocka_unit_test(unchanged_code_does_not_gate_beside_its_cause_but_gates_alone),
	        cmocka_unit_test(unchanged_code_that_the_change_touches_is_no_consequence),
	        cmocka_unit_test(a_rise_of_equal_code_far_from_the_change_is_told),
	        cmocka_unit_test(a_rise_that_may_be_layout_and_would_not_gate_is_a_pass),
	        cmocka_unit_test(instructions_settle_that_a_rise_of_equal_code_is_layout),
	        cmocka_unit_test(a_touched_function_is_no_layout_suspect),
	        cmocka_unit_test(a_rise_where_the_change_may_be_the_cause_is_told_and_other_code_gates_strictly),
	        cmocka_unit_test(a_failed_total_leaves_the_function_that_is_to_blame),
	        cmocka_unit_test(cost_that_moves_between_inlined_pieces_of_a_function_changes_nothing),
	        cmocka_unit_test(contributions_of_physical_functions_add_up),
	        cmocka_unit_test(most_of_a_failed_total_has_a_name_though_it_is_little_of_the_function),
	        cmocka_unit_test(little_of_a_large_function_is_not_told_where_the_total_does_not_fail),
	        cmocka_unit_test(little_of_an_edited_large_function_is_told_where_the_total_rose),
	        cmocka_unit_test(an_edited_function_that_the_level_of_the_gate_lets_pass_is_told),
	        cmocka_unit_test(little_of_a_large_function_of_the_same_code_does_not_explain_the_total),
	        cmocka_unit_test(less_than_half_of_a_failed_total_has_to_be_much_of_the_function),
	        cmocka_unit_test(a_function_is_slower_by_what_is_inlined_into_it),
	        cmocka_unit_test(the_place_to_look_at_is_that_of_the_edited_caller),
	        cmocka_unit_test(an_inlined_function_without_a_host_is_a_function),
	        cmocka_unit_test(a_function_that_is_inlined_no_more_is_a_cost_shift),
	        cmocka_unit_test(what_was_outlined_explains_nothing_else),
	        cmocka_unit_test(a_function_gates_where_the_total_may_be_beyond_its_margin),
	        cmocka_unit_test(equal_code_does_not_gate_where_the_total_is_open),
	        cmocka_unit_test(the_held_function_that_the_change_touches_is_named_first),
	        cmocka_unit_test(a_cost_shift_that_the_change_touches_is_told),
	        cmocka_unit_test(every_function_says_how_the_change_relates_to_it),
	        cmocka_unit_test(a_function_that_moved_down_stands_where_head_has_it),
	        cmocka_unit_test(the_same_code_under_another_name_is_renamed_whatever_it_seems_to_cost),
	        cmocka_unit_test(a_renamed_function_that_seems_faster_is_renamed_if_its_code_is_the_same),
	        cmocka_unit_test(a_renamed_function_is_touched_under_either_name),
	        cmocka_unit_test(a_fall_in_the_same_file_explains_a_rise),
	        cmocka_unit_test(a_renamed_neighbour_is_one_under_either_name),
	        cmocka_unit_test(a_small_fall_does_not_explain_a_large_rise_although_the_total_is_steady),
	        cmocka_unit_test(a_renamed_function_has_the_neighbours_of_its_old_file),
	        cmocka_unit_test(a_steady_total_explains_a_rise_that_falls_pay_for_by_half),
	        cmocka_unit_test(a_fall_that_may_be_chance_explains_nothing),
	        cmocka_unit_test(a_sum_below_the_floor_is_a_shift_whatever_the_total_does),
	        cmocka_unit_test(the_common_caller_speaks_for_falls_that_are_too_small_to_see),
	        cmocka_unit_test(the_largest_rise_has_first_claim_on_a_fall),
	        cmocka_unit_test(of_equal_rises_the_first_in_the_table_has_first_claim),
	        cmocka_unit_test(a_fall_that_reaches_all_limits_is_an_improvement),
	        cmocka_unit_test(several_falls_are_counted_in_the_note),
	        cmocka_unit_test(a_level_that_a_p_value_reaches_is_reached),
	        cmocka_unit_test(a_rise_of_exactly_the_floors_passes_them),
	        cmocka_unit_test(a_library_is_the_same_code),
	        cmocka_unit_test(functions_with_few_samples_are_unchanged),
	        cmocka_unit_test(an_inlined_function_is_the_same_one),
	        cmocka_unit_test(a_function_that_is_no_longer_inlined_is_a_cost_shift),
	        cmocka_unit_test(a_function_that_is_inlined_now_is_a_cost_shift),
	        cmocka_unit_test(a_function_split_into_two_helpers_is_a_cost_shift),
	        cmocka_unit_test(two_functions_merged_into_a_third_are_a_cost_shift),
	        cmocka_unit_test(a_renamed_function_that_takes_over_other_code_says_both),
	        cmocka_unit_test(a_contaminated_campaign_gates_no_function),
	        cmocka_unit_test(functions_are_sorted_by_magnitude_then_name),
	        cmocka_unit_test(of_a_small_function_the_floor_is_what_may_remain_of_its_rise),
	        cmocka_unit_test(a_function_that_may_cost_more_with_its_copies_is_not_only_outlined),
	        cmocka_unit_test(the_code_of_a_stub_is_the_same),
	        cmocka_unit_test(a_shift_is_held_where_the_change_touches_other_code_and_no_total_fails),
	        cmocka_unit_test(an_edited_caller_that_head_does_not_place_stands_where_base_has_it),
	        cmocka_unit_test(most_of_a_rise_below_the_floor_has_no_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
