#include "compare/renames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/synthetic.h"

/* The name that `name` of head had in base, its own if it is not renamed. Owned by the caller. */
static char *name_in_base(const SyntheticFunction *tree, const char *name)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autofree FrameId *other = renames_find(costs);
	for (guint f = 0; f < costs->n_frames; f++) {
		assert_int_equal(other[other[f].index].index, f);
		if (g_str_equal(stack_table_frame_name(s->table, (FrameId){f}), name))
			return g_strdup(stack_table_frame_name(s->table, other[f]));
	}
	return NULL;
}

static void assert_was(const SyntheticFunction *tree, const char *name, const char *wanted)
{
	g_autofree char *was = name_in_base(tree, name);
	assert_string_equal(was, wanted);
}

static void the_same_line_of_the_same_file_is_the_same_function(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 100},
	        {"main;sort_rows", 100, 0, "a.c", 20},
	        {"main;order_rows", 0, 300, "a.c", 22},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "order_rows", "sort_rows");
	assert_was(tree, "main", "main");
}

static void a_distant_line_needs_equal_cost_and_callers(void **state)
{
	static const SyntheticFunction alike[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;old_sort", 100, 0, "a.c", 20},
	        {"main;new_sort", 0, 110, "a.c", 220},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction costlier[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;old_sort", 100, 0, "a.c", 20},
	        {"main;new_sort", 0, 150, "a.c", 220},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(alike, "new_sort", "old_sort");
	assert_was(costlier, "new_sort", "new_sort");
}

static void without_lines_cost_and_callers_decide(void **state)
{
	static const SyntheticFunction alike[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 100, 0, NULL, 0},
	        {"main;run;new_sort", 0, 95, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction moved[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 100, 0, NULL, 0},
	        {"main;new_sort", 0, 95, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const SyntheticFunction shared[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 100, 0, NULL, 0},
	        {"main;run;new_sort", 0, 50, NULL, 0},
	        {"main;new_sort", 0, 45, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(alike, "new_sort", "old_sort");
	assert_was(moved, "new_sort", "new_sort");
	assert_was(shared, "new_sort", "new_sort");
}

static void another_file_is_another_function(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;sort_rows", 100, 0, "a.c", 20},
	        {"main;order_rows", 0, 100, "b.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "order_rows", "order_rows");
}

static void a_function_of_both_sides_keeps_its_name(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;render", 100, 50, "a.c", 20},
	        {"main;render;digits", 0, 50, "a.c", 18},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "digits", "digits");
	assert_was(tree, "render", "render");
}

static void a_mere_caller_of_the_other_side_is_not_gone(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main;sort", 100, 0, "a.c", 20},
	        {"main;sort;inner", 0, 60, "a.c", 21},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "inner", "inner");
}

static void few_samples_prove_no_absence(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 500, 500, "a.c", 1},
	        {"main;a", 4, 0, "a.c", 20},
	        {"main;b", 0, 4, "a.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "b", "b");
}

static void the_nearest_line_is_taken_first(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 100},
	        {"main;a", 100, 0, "a.c", 20},
	        {"main;b", 100, 0, "a.c", 25},
	        {"main;x", 0, 100, "a.c", 26},
	        {"main;y", 0, 100, "a.c", 18},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "x", "b");
	assert_was(tree, "y", "a");
}

static void of_equally_near_ones_the_more_similar_cost_wins(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 100},
	        {"main;a", 100, 0, "a.c", 20},
	        {"main;x", 0, 200, "a.c", 22},
	        {"main;y", 0, 101, "a.c", 18},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "y", "a");
	assert_was(tree, "x", "x");
}

static void equal_pairs_are_taken_in_table_order(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 100},
	        {"main;a", 100, 0, "a.c", 20},
	        {"main;b", 100, 0, "a.c", 20},
	        {"main;x", 0, 100, "a.c", 20},
	        {"main;y", 0, 100, "a.c", 20},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "x", "a");
	assert_was(tree, "y", "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_same_line_of_the_same_file_is_the_same_function),
	        cmocka_unit_test(a_distant_line_needs_equal_cost_and_callers),
	        cmocka_unit_test(without_lines_cost_and_callers_decide),
	        cmocka_unit_test(another_file_is_another_function),
	        cmocka_unit_test(a_function_of_both_sides_keeps_its_name),
	        cmocka_unit_test(a_mere_caller_of_the_other_side_is_not_gone),
	        cmocka_unit_test(few_samples_prove_no_absence),
	        cmocka_unit_test(the_nearest_line_is_taken_first),
	        cmocka_unit_test(equal_pairs_are_taken_in_table_order),
	        cmocka_unit_test(of_equally_near_ones_the_more_similar_cost_wins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
