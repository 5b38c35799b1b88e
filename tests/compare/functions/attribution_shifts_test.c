/* SPDX-License-Identifier: Apache-2.0 */
/* Cost that only moved: which falls explain a rise. */
#include "tests/compare/attributioninput.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(code_moved_into_a_new_function_is_a_cost_shift),
	        cmocka_unit_test(a_steady_total_speaks_for_a_shift_that_samples_cannot_settle),
	        cmocka_unit_test(a_function_absorbed_by_its_caller_is_a_cost_shift),
	        cmocka_unit_test(a_shift_that_costs_more_than_it_saves_gates),
	        cmocka_unit_test(a_fall_is_spent_once),
	        cmocka_unit_test(what_is_left_of_a_fall_explains_the_next_rise),
	        cmocka_unit_test(an_improvement_far_away_explains_nothing),
	        cmocka_unit_test(a_fall_in_the_same_file_explains_a_rise),
	        cmocka_unit_test(a_small_fall_does_not_explain_a_large_rise_although_the_total_is_steady),
	        cmocka_unit_test(a_steady_total_explains_a_rise_that_falls_pay_for_by_half),
	        cmocka_unit_test(a_fall_that_may_be_chance_explains_nothing),
	        cmocka_unit_test(a_sum_below_the_floor_is_a_shift_whatever_the_total_does),
	        cmocka_unit_test(the_common_caller_speaks_for_falls_that_are_too_small_to_see),
	        cmocka_unit_test(the_largest_rise_has_first_claim_on_a_fall),
	        cmocka_unit_test(of_equal_rises_the_first_in_the_table_has_first_claim),
	        cmocka_unit_test(several_falls_are_counted_in_the_note),
	        cmocka_unit_test(a_function_split_into_two_helpers_is_a_cost_shift),
	        cmocka_unit_test(two_functions_merged_into_a_third_are_a_cost_shift),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
