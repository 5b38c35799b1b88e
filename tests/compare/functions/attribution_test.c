/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are slower, faster, new or removed, which of them gate, and what the change has to do with them. */
#include "tests/compare/attributioninput.h"

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
	assert_true(g_str_has_suffix(c->sentence, ", edited in this change"));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_slower_function_gates_alone),
	        cmocka_unit_test(a_faster_function_is_an_improvement),
	        cmocka_unit_test(a_new_function_that_nobody_pays_for_gates),
	        cmocka_unit_test(a_removed_function_is_said_to_be_removed),
	        cmocka_unit_test(changes_below_a_floor_are_no_regression),
	        cmocka_unit_test(falls_below_a_floor_are_no_improvement),
	        cmocka_unit_test(a_report_at_a_looser_level_does_not_gate),
	        cmocka_unit_test(a_policy_without_function_gates_only_reports),
	        cmocka_unit_test(every_function_says_how_the_change_relates_to_it),
	        cmocka_unit_test(a_function_that_moved_down_stands_where_head_has_it),
	        cmocka_unit_test(a_fall_that_reaches_all_limits_is_an_improvement),
	        cmocka_unit_test(a_level_that_a_p_value_reaches_is_reached),
	        cmocka_unit_test(a_rise_of_exactly_the_floors_passes_them),
	        cmocka_unit_test(a_library_is_the_same_code),
	        cmocka_unit_test(functions_with_few_samples_are_unchanged),
	        cmocka_unit_test(a_contaminated_campaign_gates_no_function),
	        cmocka_unit_test(functions_are_sorted_by_magnitude_then_name),
	        cmocka_unit_test(the_code_of_a_stub_is_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
