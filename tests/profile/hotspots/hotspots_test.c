/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotspots.h"

#include "profile/folded/folded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
	Hotspots *hotspots;
} Example;

static Example example_with(const char *text, gboolean plain_root)
{
	const FoldedOptions options = {.columns = 1, .plain_root = plain_root};
	Example e = {.table = stack_table_new()};
	e.profile = profile_new(e.table, "cpu-clock", "samples");
	profile_add_run(e.profile);
	assert_true(folded_read(text, strlen(text), "test", &options, e.profile, 0, NULL, NULL));
	e.hotspots = hotspots_new(e.profile);
	return e;
}

static Example example(const char *text)
{
	return example_with(text, FALSE);
}

static void example_clear(Example *e)
{
	hotspots_free(e->hotspots);
	profile_free(e->profile);
	stack_table_unref(e->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Example, example_clear)

static guint frame_of(const Example *e, const char *name)
{
	g_autoptr(GArray) found = hotspots_find(e->hotspots, name);
	assert_int_equal(found->len, 1);
	return g_array_index(found, FrameId, 0).index;
}

static void assert_costs(const Example *e, const char *name, guint64 self, guint64 inclusive)
{
	guint frame = frame_of(e, name);
	assert_int_equal(e->hotspots->self[frame].weight, self);
	assert_int_equal(e->hotspots->inclusive[frame].weight, inclusive);
}

static void a_function_costs_itself_and_what_it_calls(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;main;parse;read 3\nx;main;parse 2\nx;main;eval 5\n");
	assert_int_equal(e.hotspots->total.weight, 10);
	assert_costs(&e, "x", 0, 10);
	assert_costs(&e, "main", 0, 10);
	assert_costs(&e, "parse", 2, 5);
	assert_costs(&e, "read", 3, 3);
	assert_costs(&e, "eval", 5, 5);
}

static void a_recursive_function_counts_once_per_stack(void **state)
{
	static const struct {
		const char *text;
		guint64 self, inclusive; /* of f */
	} cases[] = {
	        {"x;f;f;f 4\n", 4, 4},
	        {"x;f 1\nx;f;f 2\nx;f;f;f 4\n", 7, 7},
	        /* mutual */
	        {"x;f;g;f;g 8\n", 0, 8},
	        {"x;f;g;f 8\nx;g;f;g 1\n", 8, 9},
	        /* what lies above both occurrences counts once, what lies between them, too */
	        {"x;f;g 1\nx;f;g;f 2\nx;f;g;f;h 4\nx;h 8\n", 2, 7},
	        /* once on either of two branches */
	        {"x;a;f 1\nx;b;f 2\nx;b 4\n", 3, 3},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(Example) e = example(cases[i].text);
		assert_costs(&e, "f", cases[i].self, cases[i].inclusive);
	}
}

static void all_runs_are_summed(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;f 1\n");
	guint run = profile_add_run(e.profile);
	assert_true(folded_read("x;f 4\nx;g 2\n", 12, "test", NULL, e.profile, run, NULL, NULL));
	hotspots_free(e.hotspots);
	e.hotspots = hotspots_new(e.profile);
	assert_costs(&e, "f", 5, 5);
	assert_int_equal(e.hotspots->total.weight, 7);
}

static void a_profile_without_stacks_has_no_hotspots(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	g_autoptr(Hotspots) hotspots = hotspots_new(profile);
	g_autoptr(GArray) functions = hotspots_sorted(hotspots, HOTSPOTS_BY_SELF);
	assert_int_equal(functions->len, 0);
	assert_int_equal(hotspots->total.weight, 0);
}

static char *names(const Example *e, const GArray *frames)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < frames->len; i++)
		g_string_append_printf(
		        text, "%s ", stack_table_frame_name(e->table, g_array_index(frames, FrameId, i)));
	return g_strdup(text->str);
}

static void functions_are_sorted_by_either_cost_and_ties_by_name(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;b;d 3\nx;b;c 3\nx;a 5\nx;zero 0\n");
	g_autoptr(GArray) by_self = hotspots_sorted(e.hotspots, HOTSPOTS_BY_SELF);
	g_autoptr(GArray) by_inclusive = hotspots_sorted(e.hotspots, HOTSPOTS_BY_INCLUSIVE);
	g_autofree char *self = names(&e, by_self), *inclusive = names(&e, by_inclusive);
	assert_string_equal(self, "a c d x b ");
	assert_string_equal(inclusive, "x b a c d ");
}

static void a_whole_name_is_found_before_parts_of_names(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;read_word 2\nx;read_line 3\nx;read 1\n");
	g_autoptr(GArray) whole = hotspots_find(e.hotspots, "read");
	g_autoptr(GArray) part = hotspots_find(e.hotspots, "read_");
	g_autoptr(GArray) none = hotspots_find(e.hotspots, "write");
	g_autofree char *of_whole = names(&e, whole), *of_part = names(&e, part);
	assert_string_equal(of_whole, "read ");
	assert_string_equal(of_part, "read_line read_word ");
	assert_int_equal(none->len, 0);
}

static HotspotCalls *calls_of(const Example *e, const char *name)
{
	g_autofree gboolean *chosen = g_new0(gboolean, e->hotspots->n_frames);
	chosen[frame_of(e, name)] = TRUE;
	return hotspot_calls_new(e->profile, chosen);
}

static void assert_neighbours(const Example *e, const GArray *neighbours, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < neighbours->len; i++) {
		const HotspotNeighbour *neighbour = &g_array_index(neighbours, HotspotNeighbour, i);
		g_string_append_printf(text, "%s %d ", stack_table_frame_name(e->table, neighbour->frame),
		        (int)neighbour->cost.weight);
	}
	assert_string_equal(text->str, wanted);
}

static void callers_and_callees_share_the_cost_of_a_function(void **state)
{
	(void)state;
	g_auto(Example) e = example_with("x;a;f;p 1\nx;a;f;q 2\nx;b;f 4\nx;b;f;p;q 8\nx;a 16\nf;p 32\n", TRUE);
	g_autoptr(HotspotCalls) calls = calls_of(&e, "f");
	assert_int_equal(calls->self.weight, 4);
	assert_int_equal(calls->inclusive.weight, 47);
	assert_int_equal(calls->from_root.weight, 32);
	assert_neighbours(&e, calls->callers, "b 12 a 3 ");
	assert_neighbours(&e, calls->callees, "p 41 q 2 ");
}

static void recursion_has_the_outermost_caller_and_the_innermost_callee(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;a;f;f;p 1\nx;a;f;g;f;q 2\nx;a;f;g 4\nx;a;f;f 8\n");
	g_autoptr(HotspotCalls) calls = calls_of(&e, "f");
	assert_int_equal(calls->self.weight, 8);
	assert_int_equal(calls->inclusive.weight, 15);
	assert_neighbours(&e, calls->callers, "a 15 ");
	assert_neighbours(&e, calls->callees, "g 4 q 2 p 1 ");
}

static void several_functions_can_be_taken_as_one(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;a;f;g;p 1\nx;b;g 2\n");
	g_autofree gboolean *chosen = g_new0(gboolean, e.hotspots->n_frames);
	chosen[frame_of(&e, "f")] = chosen[frame_of(&e, "g")] = TRUE;
	g_autoptr(HotspotCalls) calls = hotspot_calls_new(e.profile, chosen);
	assert_int_equal(calls->inclusive.weight, 3);
	assert_neighbours(&e, calls->callers, "b 2 a 1 ");
	assert_neighbours(&e, calls->callees, "p 1 ");
}

static void a_command_is_found_only_if_no_function_is_called_like_it(void **state)
{
	(void)state;
	g_auto(Example) e = example("sort;main;sort 1\nsort;main;read 2\ncat;main 4\n");
	g_autoptr(GArray) function = hotspots_find(e.hotspots, "sort");
	g_autoptr(GArray) command = hotspots_find(e.hotspots, "cat");
	assert_int_equal(function->len, 1);
	assert_int_equal(e.hotspots->inclusive[g_array_index(function, FrameId, 0).index].weight, 1);
	assert_int_equal(command->len, 1);
	assert_int_equal(e.hotspots->inclusive[g_array_index(command, FrameId, 0).index].weight, 4);
}

static void costs_saturate_instead_of_wrapping(void **state)
{
	(void)state;
	g_auto(Example) e = example("x;a 18446744073709551614\nx;b 1\n");
	for (guint i = 1; i < stack_table_n_stacks(e.table); i++)
		profile_add(e.profile, 0, (StackId){i}, (ProfileCell){7, 7});
	hotspots_free(e.hotspots);
	e.hotspots = hotspots_new(e.profile);
	assert_costs(&e, "x", 7, G_MAXUINT64);
}

/* Of Wilson's score, computed apart from this code: 1 of 1 sample is in [0.2065, 1], 0 of 100 in [0, 0.0370]. */
static void the_half_width_is_that_of_a_wilson_interval(void **state)
{
	(void)state;
	assert_true(fabs(hotspots_half_width(.1, 10000) - .0058808) < 1e-6);
	assert_true(fabs(hotspots_half_width(.5, 400) - .0487664) < 1e-6);
	assert_true(fabs(hotspots_half_width(.3, 10) - .2477187) < 1e-6);
	assert_true(hotspots_half_width(.3, 0) == 1);
}

/* The normal approximation says that one sample of one is 100 % for sure. */
static void nothing_and_all_are_not_known_for_sure(void **state)
{
	(void)state;
	assert_true(fabs(hotspots_half_width(1, 1) - .3967282) < 1e-6);
	assert_true(fabs(hotspots_half_width(0, 100) - .0184972) < 1e-6);
}

static void a_long_name_loses_its_middle(void **state)
{
	static const struct {
		const char *name;
		gsize max_chars;
		const char *wanted;
	} cases[] = {
	        {"parse", 5, "parse"},
	        {"a::bcd::push", 7, "a::…ush"},
	        {"äöüßäöü", 5, "äö…öü"},
	        {"\xff\xff\xff\xff\xff", 3, "\xff…\xff"},
	        {"", 3, ""},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = hotspots_short_name(cases[i].name, cases[i].max_chars);
		assert_string_equal(text, cases[i].wanted);
	}
}

/* A chain that is as deep as the table is long, and a comb of recursion: either is quadratic for who walks up from
 * every row. */
static void deep_and_recursive_tables_take_one_pass(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "", "samples");
	FrameId f = stack_table_frame_named(table, "f", NULL, FRAME_USER),
	        g = stack_table_frame_named(table, "g", NULL, FRAME_USER);
	StackId stack = STACK_ROOT;
	const guint n = 400000;
	profile_add_run(profile);
	for (guint i = 0; i < n; i++) {
		stack = stack_table_push(table, stack, i % 3 == 0 ? g : f);
		profile_add(profile, 0, stack, (ProfileCell){1, 1});
	}
	g_autoptr(Hotspots) hotspots = hotspots_new(profile);
	assert_int_equal(hotspots->inclusive[g.index].weight, n);
	assert_int_equal(hotspots->inclusive[f.index].weight, n - 1);
	const gboolean chosen[] = {FALSE, TRUE};
	g_autoptr(HotspotCalls) calls = hotspot_calls_new(profile, chosen);
	assert_int_equal(calls->inclusive.weight, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_function_costs_itself_and_what_it_calls),
	        cmocka_unit_test(a_recursive_function_counts_once_per_stack),
	        cmocka_unit_test(all_runs_are_summed),
	        cmocka_unit_test(a_profile_without_stacks_has_no_hotspots),
	        cmocka_unit_test(functions_are_sorted_by_either_cost_and_ties_by_name),
	        cmocka_unit_test(a_whole_name_is_found_before_parts_of_names),
	        cmocka_unit_test(callers_and_callees_share_the_cost_of_a_function),
	        cmocka_unit_test(recursion_has_the_outermost_caller_and_the_innermost_callee),
	        cmocka_unit_test(several_functions_can_be_taken_as_one),
	        cmocka_unit_test(a_command_is_found_only_if_no_function_is_called_like_it),
	        cmocka_unit_test(costs_saturate_instead_of_wrapping),
	        cmocka_unit_test(the_half_width_is_that_of_a_wilson_interval),
	        cmocka_unit_test(nothing_and_all_are_not_known_for_sure),
	        cmocka_unit_test(a_long_name_loses_its_middle),
	        cmocka_unit_test(deep_and_recursive_tables_take_one_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
