#include "compare/attribution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
	assert_true(synthetic_find(s, c, "decode")->gates);
	assert_int_equal(synthetic_find(s, c, "encode")->klass, FUNCTION_IMPROVEMENT);
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
	g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
	assert_true(synthetic_find(s, c, "huge")->p_adjusted <= .01);
	assert_int_equal(synthetic_find(s, c, "huge")->klass, FUNCTION_UNCHANGED);
	assert_true(synthetic_find(s, c, "tiny")->p_adjusted <= .05);
	assert_int_equal(synthetic_find(s, c, "tiny")->klass, FUNCTION_UNCHANGED);
	assert_int_equal(gating(c), 0);
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
	        .metric = (char *)"instructions", .engine = (char *)"perf", .margin = .005, .pass_margin = .01};
	for (guint r = 0; r < 8; r++) {
		synthetic_value(s->base, "instructions", "count", r, 1e9 + r);
		synthetic_value(s->head, "instructions", "count", r, head + r);
	}
	g_ptr_array_add(s->policies, &policy);
}

/* Only what is known to be the same code, with the same number of instructions, may be excused as layout. */
static void layout_is_suspected_only_with_equal_code_and_instructions(void **state)
{
	static const struct {
		gboolean counted, same_code_known;
		double head;
		gboolean suspect;
	} rows[] = {
	        {TRUE, TRUE, 1e9, TRUE},
	        {TRUE, TRUE, 1.02e9, FALSE},
	        {TRUE, FALSE, 1e9, FALSE},
	        {FALSE, TRUE, 0, FALSE},
	};
	gboolean same_code[64];
	(void)state;
	for (guint i = 0; i < 64; i++)
		same_code[i] = TRUE;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = campaign(slow_hash, 4);
		if (rows[i].counted)
			add_instructions(s, rows[i].head);
		s->input.same_code = rows[i].same_code_known ? same_code : NULL;
		s->input.n_same_code = 64;
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		FunctionComparison *hash = synthetic_find(s, c, "hash");
		assert_int_equal(hash->klass, rows[i].suspect ? FUNCTION_LAYOUT_SUSPECT : FUNCTION_REGRESSION);
		assert_int_equal(hash->gates, !rows[i].suspect);
	}
}

/* hash got slower; sort, whose code is the same, costs more because of it. */
static void unchanged_code_does_not_gate_beside_its_cause_but_gates_alone(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 90},
	        {"main;hash", 200, 300, "a.c", 10},
	        {"main;sort", 400, 500, "a.c", 30},
	        {"main;render", 350, 350, "a.c", 50},
	        {NULL, 0, 0, NULL, 0},
	};
	gboolean same_code[64];
	(void)state;
	g_autoptr(Synthetic) s = campaign(tree, 4);
	for (guint both = 0; both < 2; both++) {
		for (guint i = 0; i < 64; i++)
			same_code[i] = both || g_str_equal(stack_table_frame_name(s->table,
			                                           (FrameId){i % stack_table_n_frames(s->table)}),
			                               "sort");
		s->input.same_code = same_code;
		s->input.n_same_code = stack_table_n_frames(s->table);
		g_autoptr(BenchmarkComparison) c = compare_benchmark(&s->input);
		assert_int_equal(c->verdict, VERDICT_REGRESSION);
		assert_true(synthetic_find(s, c, "hash")->gates);
		assert_int_equal(synthetic_find(s, c, "sort")->gates, both);
		assert_int_equal(synthetic_find(s, c, "sort")->klass, FUNCTION_REGRESSION);
		assert_non_null(strstr(synthetic_find(s, c, "sort")->note, "same code on both sides"));
	}
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
	} rows[] = {{"b", "m", .01}, {"a", "m", -.01}, {"c", "m", -.5}, {"a", "k", .01}, {"z", "m", .2}};
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
	assert_string_equal(order->str, "cm zm ak am bm ");
	stack_table_unref(table);
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
	        cmocka_unit_test(a_report_at_a_looser_level_does_not_gate),
	        cmocka_unit_test(a_policy_without_function_gates_only_reports),
	        cmocka_unit_test(layout_is_suspected_only_with_equal_code_and_instructions),
	        cmocka_unit_test(unchanged_code_does_not_gate_beside_its_cause_but_gates_alone),
	        cmocka_unit_test(a_contaminated_campaign_gates_no_function),
	        cmocka_unit_test(functions_are_sorted_by_magnitude_then_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
