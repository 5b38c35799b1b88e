/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/renames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/knowncode.h"
#include "tests/compare/synthetic.h"

/* The name that `name` of head had in base, its own if it is not renamed. Owned by the caller. */
static char *name_in_base(const SyntheticFunction *tree, const KnownCode *known, const char *name)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autoptr(CodeFacts) code = known != NULL ? known_code(s->table, known) : NULL;
	g_autofree FrameId *other = renames_find(costs, code);
	for (guint f = 0; f < costs->n_frames; f++) {
		assert_int_equal(other[other[f].index].index, f);
		if (g_str_equal(stack_table_frame_name(s->table, (FrameId){f}), name))
			return g_strdup(stack_table_frame_name(s->table, other[f]));
	}
	return NULL;
}

static void assert_was(const SyntheticFunction *tree, const char *name, const char *wanted)
{
	g_autofree char *was = name_in_base(tree, NULL, name);
	assert_string_equal(was, wanted);
}

static void assert_was_by_code(
        const SyntheticFunction *tree, const KnownCode *known, const char *name, const char *wanted)
{
	g_autofree char *was = name_in_base(tree, known, name);
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

static void the_more_similar_cost_wins_wherever_it_stands(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 100},
	        {"main;a", 100, 0, "a.c", 20},
	        {"main;y", 0, 101, "a.c", 18},
	        {"main;x", 0, 200, "a.c", 22},
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

/* One sample in hundred that skipped the caller makes a caller of its own. */
static void a_few_stray_callers_do_not_matter(void **state)
{
	static const SyntheticFunction stray[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 1000, 0, NULL, 0},
	        {"main;old_sort", 10, 0, NULL, 0},
	        {"main;run;new_sort", 0, 990, NULL, 0},
	        {"_start;new_sort", 0, 5, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(stray, "new_sort", "old_sort");
}

/* Most of it is under a caller that it did not have before. */
static void callers_have_to_be_the_same_on_both_sides(void **state)
{
	static const SyntheticFunction fewer[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 50, 0, NULL, 0},
	        {"main;old_sort", 50, 0, NULL, 0},
	        {"main;run;new_sort", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(fewer, "new_sort", "new_sort");
}

/* Its own samples are few, but it calls what takes the time. */
static void callers_are_weighed_with_what_is_called(void **state)
{
	static const SyntheticFunction deep[] = {
	        {"main;run", 50, 50, NULL, 0},
	        {"main;run;old_sort", 20, 0, NULL, 0},
	        {"main;run;old_sort;memcpy", 1000, 0, NULL, 0},
	        {"main;old_sort", 20, 0, NULL, 0},
	        {"main;run;new_sort", 0, 40, NULL, 0},
	        {"main;run;new_sort;memcpy", 0, 1000, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(deep, "new_sort", "old_sort");
}

static void roots_have_no_callers(void **state)
{
	static const SyntheticFunction roots[] = {
	        {"old_thread", 100, 0, NULL, 0},
	        {"new_thread", 0, 100, NULL, 0},
	        {"main;other", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(roots, "new_thread", "old_thread");
	assert_was(roots, "other", "other");
}

/* Moved to another file, far costlier, under another caller: the bytes are the same. */
static const SyntheticFunction scattered[] = {
        {"main", 50, 50, "a.c", 1},
        {"main;old_sort", 100, 0, "a.c", 20},
        {"main;run;new_sort", 0, 300, "b.c", 400},
        {"main;other", 0, 100, "a.c", 21},
        {NULL, 0, 0, NULL, 0},
};

static void equal_code_is_the_same_function_before_all_else(void **state)
{
	static const KnownCode known[] = {
	        {.name = "old_sort", .hash = {77, 0}},
	        {.name = "new_sort", .hash = {0, 77}},
	        {.name = "other", .hash = {0, 78}},
	        {.name = NULL},
	};
	(void)state;
	assert_was_by_code(scattered, known, "new_sort", "old_sort");
	assert_was_by_code(scattered, known, "other", "other");
	assert_was(scattered, "other", "old_sort"); /* without code, by its line */
}

static void unknown_code_is_no_equal_code(void **state)
{
	static const KnownCode known[] = {
	        {.name = "old_sort", .file = "a.c", .first = 20},
	        {.name = "new_sort", .file = "b.c", .first = 400},
	        {.name = NULL},
	};
	(void)state;
	assert_was_by_code(scattered, known, "new_sort", "new_sort");
}

#define SKETCH 0x123456789abcdef0

/* The same function edited: before what stands near its old line. */
static void similar_code_of_similar_cost_is_the_same_function(void **state)
{
	static const SyntheticFunction alike[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;old_sort", 100, 0, "a.c", 20},
	        {"main;run;new_sort", 0, 110, "b.c", 400},
	        {"main;other", 0, 100, "a.c", 21},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "old_sort", .hash = {1, 0}, .sketch = {SKETCH, 0}},
	        {.name = "new_sort", .hash = {0, 2}, .sketch = {0, SKETCH ^ 0x11}},
	        {.name = "other", .hash = {0, 3}, .sketch = {0, ~SKETCH}},
	        {.name = NULL},
	};
	(void)state;
	assert_was_by_code(alike, known, "new_sort", "old_sort");
	assert_was_by_code(scattered, known, "new_sort", "new_sort"); /* there it costs three times as much */
}

/* The best evidence is taken first, whatever comes first in the table. */
static void equal_code_is_taken_before_better_lines(void **state)
{
	static const SyntheticFunction both[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;old_one", 100, 0, "a.c", 20},
	        {"main;old_two", 100, 0, "a.c", 22},
	        {"main;new_one", 0, 100, "a.c", 20},
	        {"main;new_two", 0, 100, "a.c", 22},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode crossed[] = {
	        {.name = "old_two", .hash = {6, 0}}, {.name = "new_one", .hash = {0, 6}}, {.name = NULL}};
	(void)state;
	assert_was(both, "new_one", "old_one");
	assert_was_by_code(both, crossed, "new_one", "old_two");
	assert_was_by_code(both, crossed, "new_two", "old_one");
}

/* Two stacks through the same caller are one caller. */
static void a_caller_on_two_stacks_is_one_caller(void **state)
{
	static const SyntheticFunction paths[] = {
	        {"main;a;run;old_sort", 50, 0, NULL, 0},
	        {"main;b;run;old_sort", 50, 0, NULL, 0},
	        {"main;b;run;new_sort", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(paths, "new_sort", "old_sort");
}

static void a_file_without_line_needs_cost_and_callers(void **state)
{
	static const SyntheticFunction lineless[][5] = {
	        {{"main", 50, 50, "a.c", 1}, {"main;old_sort", 100, 0, "a.c", 0}, {"main;new_sort", 0, 300, "a.c", 5},
	                {NULL, 0, 0, NULL, 0}},
	        {{"main", 50, 50, "a.c", 1}, {"main;old_sort", 100, 0, "a.c", 5}, {"main;new_sort", 0, 300, "a.c", 0},
	                {NULL, 0, 0, NULL, 0}},
	        {{"main", 50, 50, "a.c", 1}, {"main;old_sort", 100, 0, "a.c", 5}, {"main;new_sort", 0, 300, NULL, 0},
	                {NULL, 0, 0, NULL, 0}},
	};
	static const SyntheticFunction half_known[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;old_sort", 100, 0, "a.c", 5},
	        {"main;new_sort", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(lineless); i++)
		assert_was(lineless[i], "new_sort", "new_sort");
	assert_was(half_known, "new_sort", "old_sort");
}

/* A caller that only a later round has seen is none. */
static void rounds_that_are_not_compared_do_not_count(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main;run;old_sort", 100, 0, NULL, 0},
	        {"main;run;new_sort", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	FrameId was = stack_table_frame_named(s->table, "old_sort", "prog", FRAME_USER);
	FrameId is = stack_table_frame_named(s->table, "new_sort", "prog", FRAME_USER);
	StackId other =
	        stack_table_push(s->table, STACK_ROOT, stack_table_frame_named(s->table, "other", "prog", FRAME_USER));
	profile_add(s->base->profile, 1, stack_table_push(s->table, other, was), (ProfileCell){500, 500});
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	g_autofree FrameId *names = renames_find(costs, NULL);
	assert_int_equal(names[is.index].index, was.index);
}

/* Each row is the last value that counts, and then the first one that does not. */
static void limits_include_their_ends(void **state)
{
	static const SyntheticFunction samples[][4] = {
	        {{"main", 50, 50, "a.c", 1}, {"main;a", 5, 0, "a.c", 20}, {"main;b", 0, 5, "a.c", 20},
	                {NULL, 0, 0, NULL, 0}},
	        {{"main", 50, 50, "a.c", 1}, {"main;a", 4, 0, "a.c", 20}, {"main;b", 0, 5, "a.c", 20},
	                {NULL, 0, 0, NULL, 0}},
	};
	static const SyntheticFunction cost[][4] = {
	        {{"main", 50, 50, NULL, 0}, {"main;a", 100, 0, NULL, 0}, {"main;b", 0, 75, NULL, 0},
	                {NULL, 0, 0, NULL, 0}},
	        {{"main", 50, 50, NULL, 0}, {"main;a", 100, 0, NULL, 0}, {"main;b", 0, 74, NULL, 0},
	                {NULL, 0, 0, NULL, 0}},
	};
	static const SyntheticFunction lines[][4] = {
	        {{"main", 50, 50, "a.c", 1}, {"main;a", 50, 0, "a.c", 20}, {"main;b", 0, 500, "a.c", 30},
	                {NULL, 0, 0, NULL, 0}},
	        {{"main", 50, 50, "a.c", 1}, {"main;a", 50, 0, "a.c", 20}, {"main;b", 0, 500, "a.c", 31},
	                {NULL, 0, 0, NULL, 0}},
	};
	static const SyntheticFunction callers[][6] = {
	        {{"main;run", 50, 50, NULL, 0}, {"main;run;a", 100, 0, NULL, 0}, {"main;run;b", 0, 90, NULL, 0},
	                {"main;b", 0, 10, NULL, 0}, {NULL, 0, 0, NULL, 0}},
	        {{"main;run", 50, 50, NULL, 0}, {"main;run;a", 100, 0, NULL, 0}, {"main;run;b", 0, 89, NULL, 0},
	                {"main;b", 0, 11, NULL, 0}, {NULL, 0, 0, NULL, 0}},
	};
	(void)state;
	for (guint i = 0; i < 2; i++) {
		const char *wanted = i == 0 ? "a" : "b";
		assert_was(samples[i], "b", wanted);
		assert_was(cost[i], "b", wanted);
		assert_was(lines[i], "b", wanted);
		assert_was(callers[i], "b", wanted);
	}
}

static void a_root_is_no_callee(void **state)
{
	static const SyntheticFunction base_root[] = {
	        {"old_thread", 100, 0, NULL, 0}, {"main;work", 0, 100, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	static const SyntheticFunction head_root[] = {
	        {"main;work", 100, 0, NULL, 0}, {"new_thread", 0, 100, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	(void)state;
	assert_was(base_root, "work", "work");
	assert_was(head_root, "new_thread", "new_thread");
}

/* The distance of two lines says nothing any more when they are far apart. */
static void of_far_lines_the_more_similar_cost_wins(void **state)
{
	static const SyntheticFunction far[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;a", 100, 0, "a.c", 20},
	        {"main;x", 0, 80, "a.c", 100},
	        {"main;y", 0, 100, "a.c", 900},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(far, "y", "a");
	assert_was(far, "x", "x");
}

static void the_same_code_is_better_evidence_than_similar_code(void **state)
{
	static const SyntheticFunction two[] = {
	        {"main", 50, 50, NULL, 0},
	        {"main;old_sort", 100, 0, NULL, 0},
	        {"main;similar", 0, 100, NULL, 0},
	        {"main;equal", 0, 130, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	static const KnownCode known[] = {
	        {.name = "old_sort", .hash = {1, 0}, .sketch = {SKETCH, 0}},
	        {.name = "similar", .hash = {0, 2}, .sketch = {0, SKETCH}},
	        {.name = "equal", .hash = {0, 1}, .sketch = {0, SKETCH}},
	        {.name = NULL},
	};
	(void)state;
	assert_was_by_code(two, known, "equal", "old_sort");
	assert_was_by_code(two, known, "similar", "similar");
}

static void buckets_are_not_renamed(void **state)
{
	static const SyntheticFunction tree[] = {
	        {"main", 50, 50, "a.c", 1},
	        {"main;[unknown]", 100, 0, NULL, 0},
	        {"main;sort", 0, 100, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	(void)state;
	assert_was(tree, "sort", "sort");
}

static void code_of_another_module_or_kind_is_another_function(void **state)
{
	static const SyntheticFunction tree[] = {{"main", 500, 500, "a.c", 1}, {NULL, 0, 0, NULL, 0}};
	static const struct {
		const char *module;
		FrameKind kind;
		gboolean paired;
	} rows[] = {
	        {"prog", FRAME_USER, TRUE},
	        {"prog", FRAME_INLINED, TRUE},
	        {"prog", FRAME_JIT, FALSE},
	        {"other", FRAME_USER, FALSE},
	};
	static const KnownCode known[] = {
	        {.name = "was", .hash = {5, 0}}, {.name = "is", .hash = {0, 5}}, {.name = NULL}};
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Synthetic) s = synthetic_new(&plan);
		FrameId was = stack_table_frame_named(s->table, "was", "prog", FRAME_USER);
		FrameId is = stack_table_frame_named(s->table, "is", rows[i].module, rows[i].kind);
		profile_add(s->base->profile, 0, stack_table_push(s->table, STACK_ROOT, was), (ProfileCell){90, 90});
		profile_add(s->head->profile, 0, stack_table_push(s->table, STACK_ROOT, is), (ProfileCell){90, 90});
		g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
		g_autoptr(CodeFacts) code = known_code(s->table, known);
		g_autofree FrameId *other = renames_find(costs, code);
		assert_int_equal(other[is.index].index, rows[i].paired ? was.index : is.index);
	}
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
	        cmocka_unit_test(the_more_similar_cost_wins_wherever_it_stands),
	        cmocka_unit_test(a_few_stray_callers_do_not_matter),
	        cmocka_unit_test(callers_have_to_be_the_same_on_both_sides),
	        cmocka_unit_test(callers_are_weighed_with_what_is_called),
	        cmocka_unit_test(roots_have_no_callers),
	        cmocka_unit_test(equal_code_is_the_same_function_before_all_else),
	        cmocka_unit_test(unknown_code_is_no_equal_code),
	        cmocka_unit_test(similar_code_of_similar_cost_is_the_same_function),
	        cmocka_unit_test(equal_code_is_taken_before_better_lines),
	        cmocka_unit_test(a_caller_on_two_stacks_is_one_caller),
	        cmocka_unit_test(a_file_without_line_needs_cost_and_callers),
	        cmocka_unit_test(rounds_that_are_not_compared_do_not_count),
	        cmocka_unit_test(limits_include_their_ends),
	        cmocka_unit_test(a_root_is_no_callee),
	        cmocka_unit_test(of_far_lines_the_more_similar_cost_wins),
	        cmocka_unit_test(the_same_code_is_better_evidence_than_similar_code),
	        cmocka_unit_test(buckets_are_not_renamed),
	        cmocka_unit_test(code_of_another_module_or_kind_is_another_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
