/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/callgraph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/compare/near.h"
#include "tests/compare/synthetic.h"

static const SyntheticFunction tree[] = {
        {"main", 10, 10, "main.c", 1},
        {"main;run", 20, 20, "run.c", 1},
        {"main;run;parse", 100, 160, "parse.c", 1},
        {"main;run;parse;lex", 50, 40, "lex.c", 1},
        {"main;run;emit", 80, 30, "emit.c", 1},
        {"main;log", 40, 40, "log.c", 1},
        {"main;log;format", 30, 30, "parse.c", 90},
        {NULL, 0, 0, NULL, 0},
};

static FrameId frame(const Synthetic *s, const char *name)
{
	return stack_table_frame_named(s->table, name, "prog", FRAME_USER);
}

static void neighbours_are_callers_callees_and_siblings(void **state)
{
	static const struct {
		const char *name;
		gboolean near;
	} rows[] = {{"run", TRUE}, {"lex", TRUE}, {"emit", TRUE}, {"main", FALSE}, {"log", FALSE}, {"format", FALSE}};
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	FunctionRow row = {.base = frame(s, "parse"), .head = frame(s, "parse")};
	g_autofree gboolean *near = callgraph_neighbours(costs, &row);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(near[frame(s, rows[i].name).index], rows[i].near);
}

/* parse of base goes on as emit of head: both have neighbours. */
static void a_renamed_function_has_the_neighbours_of_both_names(void **state)
{
	static const SyntheticFunction two[] = {
	        {"main;input;parse;lex", 50, 50, NULL, 0},
	        {"main;output;emit;write", 50, 50, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = two, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	FunctionRow row = {.base = frame(s, "parse"), .head = frame(s, "emit")};
	g_autofree gboolean *near = callgraph_neighbours(costs, &row);
	assert_true(near[frame(s, "lex").index] && near[frame(s, "input").index]);
	assert_true(near[frame(s, "write").index] && near[frame(s, "output").index]);
}

static void functions_of_one_file_are_related(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	assert_true(callgraph_is_related(s->table, frame(s, "parse"), frame(s, "format")));
	assert_false(callgraph_is_related(s->table, frame(s, "parse"), frame(s, "emit")));
	FrameId elsewhere = stack_table_frame_named(s->table, "parse_one", "libother.so", FRAME_USER);
	FrameId here = stack_table_frame_named(s->table, "parse_two", "prog", FRAME_USER);
	assert_false(callgraph_is_related(s->table, elsewhere, here));
	assert_true(callgraph_is_related(s->table, frame(s, "parse"), here));
}

static void names_of_one_stem_are_recognized(void **state)
{
	static const struct {
		const char *a, *b;
		gboolean same;
	} rows[] = {
	        {"render_rows", "render_number", TRUE},
	        {"emit", "emit.slow", TRUE},
	        {"Parser::read(int)", "Parser::skip<char>(long)", TRUE},
	        {"sort<int>", "sort<long>", FALSE},
	        {"ab_one", "ab_two", FALSE},
	        {"parse", "print", FALSE},
	        {"read_all", "write_all", FALSE},
	        {"", "", FALSE},
	        {"___", "___x", FALSE},
	        {"abc_one", "xyz_two", FALSE},
	        {"abc_one", "abc", TRUE},
	        {"abc_one", "abcd_one", FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_int_equal(callgraph_same_stem(rows[i].a, rows[i].b), rows[i].same);
		assert_int_equal(callgraph_same_stem(rows[i].b, rows[i].a), rows[i].same);
	}
}

/* The change of the inclusive cost of the ancestor that these functions have in common, in samples. */
static double ancestor_change(const char *const *names)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	double difference[2];
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 2);
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	for (guint i = 0; names[i] != NULL; i++)
		members[frame(s, names[i]).index] = TRUE;
	callgraph_common_ancestor(costs, members, difference);
	assert_near(difference[0], difference[1], 0);
	return difference[0] / SAMPLE_NS;
}

static void the_common_ancestor_is_the_deepest_that_holds_all(void **state)
{
	static const char *const alone[] = {"parse", NULL}, *const callee[] = {"parse", "lex", NULL},
	                         *const siblings[] = {"parse", "emit", NULL},
	                         *const cousins[] = {"lex", "format", NULL};
	(void)state;
	assert_near(ancestor_change(alone), 50, 1e-9);   /* parse with lex below it */
	assert_near(ancestor_change(callee), 50, 1e-9);  /* the same */
	assert_near(ancestor_change(siblings), 0, 1e-9); /* run: parse + 50, emit - 50 */
	assert_near(ancestor_change(cousins), 0, 1e-9);  /* main */
}

/* Stacks that only a later run or another event has seen do not say where a function is called. */
static void stacks_without_samples_are_left_out(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 2};
	double difference[1];
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	StackId root = stack_table_push(s->table, STACK_ROOT, frame(s, "parse"));
	profile_add(s->head->profile, 1, root, (ProfileCell){1, 1});
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	members[frame(s, "parse").index] = TRUE;
	callgraph_common_ancestor(costs, members, difference);
	assert_near(difference[0] / SAMPLE_NS, 50, 1e-9);
}

static void a_stack_that_only_one_side_has_counts(void **state)
{
	static const SyntheticFunction one_sided[] = {
	        {"main;run;new_parse", 0, 60, NULL, 0},
	        {"main;run;old_parse", 50, 0, NULL, 0},
	        {"main;other", 50, 70, NULL, 0},
	        {NULL, 0, 0, NULL, 0},
	};
	SyntheticPlan plan = {.functions = one_sided, .rounds = 1};
	double difference;
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	members[frame(s, "new_parse").index] = members[frame(s, "old_parse").index] = TRUE;
	callgraph_common_ancestor(costs, members, &difference);
	assert_near(difference / SAMPLE_NS, 10, 1e-9);
}

static void a_function_at_the_root_has_callees_and_no_siblings(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 1};
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	FunctionRow row = {.base = frame(s, "main"), .head = frame(s, "main")};
	g_autofree gboolean *near = callgraph_neighbours(costs, &row);
	assert_true(near[frame(s, "run").index]);
	assert_true(near[frame(s, "log").index]);
	assert_false(near[frame(s, "main").index]);
	assert_false(near[frame(s, "parse").index]);
}

static void the_common_ancestor_has_a_cost_per_unit_of_work(void **state)
{
	SyntheticPlan plan = {.functions = tree, .rounds = 1};
	double difference;
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	s->base->work = s->head->work = 5;
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	members[frame(s, "parse").index] = TRUE;
	callgraph_common_ancestor(costs, members, &difference);
	assert_near(difference / SAMPLE_NS, 10, 1e-9);
}

static void siblings_at_the_root_have_everything_in_common(void **state)
{
	static const char *const names[] = {"main", "other", NULL};
	static const SyntheticFunction roots[] = {
	        {"main", 10, 30, NULL, 0}, {"other", 5, 10, NULL, 0}, {NULL, 0, 0, NULL, 0}};
	SyntheticPlan plan = {.functions = roots, .rounds = 1};
	double difference;
	(void)state;
	g_autoptr(Synthetic) s = synthetic_new(&plan);
	g_autoptr(CostTable) costs = cost_table_new(s->base, s->head, 1);
	g_autofree gboolean *members = g_new0(gboolean, costs->n_frames);
	members[frame(s, names[0]).index] = members[frame(s, names[1]).index] = TRUE;
	callgraph_common_ancestor(costs, members, &difference);
	assert_near(difference / SAMPLE_NS, 25, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(neighbours_are_callers_callees_and_siblings),
	        cmocka_unit_test(a_renamed_function_has_the_neighbours_of_both_names),
	        cmocka_unit_test(functions_of_one_file_are_related),
	        cmocka_unit_test(the_common_ancestor_has_a_cost_per_unit_of_work),
	        cmocka_unit_test(names_of_one_stem_are_recognized),
	        cmocka_unit_test(the_common_ancestor_is_the_deepest_that_holds_all),
	        cmocka_unit_test(stacks_without_samples_are_left_out),
	        cmocka_unit_test(a_stack_that_only_one_side_has_counts),
	        cmocka_unit_test(a_function_at_the_root_has_callees_and_no_siblings),
	        cmocka_unit_test(siblings_at_the_root_have_everything_in_common),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
