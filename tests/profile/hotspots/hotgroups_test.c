/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotgroups.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
	HotGrouping grouping;
	HotGroups *groups;
} Example;

/* A sample of a thread: its functions from the root, each "name@line". */
typedef struct {
	const char *thread;
	const char *path[4];
	guint64 samples;
} Sample;

static const Sample samples[] = {
        {"1", {"main@10", "parse@20", "read@30"}, 30},
        {"1", {"main@10", "parse@21"}, 10},
        {"1", {"main@11", "parse@21", "main@10"}, 5},
        {"2", {"work@1", "parse@20", "read@31"}, 55},
};

static StackId push_function(StackTable *table, StackId stack, const char *text, guint notes)
{
	g_auto(GStrv) parts = g_strsplit(text, "@", 2);
	const char *module = g_str_equal(parts[0], "read") ? "libc.so" : "lexi";
	stack = stack_table_push(table, stack, stack_table_frame_named(table, parts[0], module, FRAME_USER));
	if ((notes & 1u << NOTE_LINE) != 0)
		stack = stack_table_push(table, stack, stack_note(table, NOTE_LINE, parts[1]));
	return stack;
}

static void add_sample(Example *e, const Sample *sample, guint notes)
{
	StackTable *table = e->table;
	StackId stack =
	        stack_table_push(table, STACK_ROOT, stack_table_frame_named(table, "lexi", NULL, FRAME_COMMAND));
	if ((notes & 1u << NOTE_THREAD) != 0)
		stack = stack_table_push(table, stack, stack_note(table, NOTE_THREAD, sample->thread));
	for (guint i = 0; i < G_N_ELEMENTS(sample->path) && sample->path[i] != NULL; i++)
		stack = push_function(table, stack, sample->path[i], notes);
	profile_add(e->profile, 0, stack, (ProfileCell){sample->samples, sample->samples});
}

static Example example(const char *keys, const char *filter)
{
	Example e = {.table = stack_table_new()};
	e.profile = profile_new(e.table, "cpu-clock", "samples");
	profile_add_run(e.profile);
	hot_grouping_init(&e.grouping);
	assert_true(hot_grouping_set_keys(&e.grouping, keys, NULL));
	if (filter != NULL)
		assert_true(hot_grouping_add_filter(&e.grouping, filter, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(samples); i++)
		add_sample(&e, &samples[i], hot_grouping_notes(&e.grouping));
	e.groups = hot_groups_new(e.profile, &e.grouping);
	return e;
}

static void example_clear(Example *e)
{
	hot_groups_free(e->groups);
	hot_grouping_clear(&e->grouping);
	profile_free(e->profile);
	stack_table_unref(e->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Example, example_clear)

/* All groups: "1,lexi 45/45; 2,lexi 55/55". */
static char *text_of(const Example *e)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < e->groups->groups->len; i++) {
		const HotGroup *group = &g_array_index(e->groups->groups, HotGroup, i);
		g_string_append(text, i > 0 ? "; " : "");
		for (guint key = 0; key < e->grouping.n_keys; key++)
			g_string_append_printf(text, "%s%s", key > 0 ? "," : "", hot_group_text(e->groups, group, key));
		g_string_append_printf(
		        text, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, group->self.weight, group->inclusive.weight);
	}
	return g_string_free(text, FALSE);
}

static void assert_groups(const char *keys, const char *filter, const char *expected)
{
	g_auto(Example) e = example(keys, filter);
	g_autofree char *text = text_of(&e);
	assert_string_equal(text, expected);
}

static void each_key_groups_by_its_values(void **state)
{
	(void)state;
	assert_groups("function", NULL, "read 85/85; parse 10/100; main 5/45; lexi 0/100; work 0/55");
	assert_groups("module", NULL, "libc.so 85/85; lexi 15/100");
	assert_groups("command", NULL, "lexi 100/100");
	assert_groups("thread", NULL, "2,lexi 55/55; 1,lexi 45/45");
	assert_groups("line", NULL, "31 55/55; 30 30/30; 21 10/15; 10 5/45; 20 0/85; 1 0/55; 11 0/5");
}

static void several_keys_group_by_their_combinations(void **state)
{
	(void)state;
	assert_groups("thread,module", NULL,
	        "2,libc.so,lexi 55/55; 1,libc.so,lexi 30/30; 1,lexi,lexi 15/45; 2,lexi,lexi 0/55");
	assert_groups("function,line", "function=read", "read,31 55/55; read,30 30/30");
}

static void a_filter_keeps_what_matches_and_the_total(void **state)
{
	(void)state;
	g_auto(Example) e = example("function", "thread=^1$");
	g_autofree char *text = text_of(&e);
	assert_string_equal(text, "read 30/30; parse 10/45; main 5/45; lexi 0/45");
	assert_int_equal(e.groups->total.weight, 100);
	assert_int_equal(e.groups->kept.weight, 45);
}

static void without_a_filter_all_is_kept(void **state)
{
	static const char *const keys[] = {"function", "module", "thread,line", "file"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_auto(Example) e = example(keys[i], NULL);
		assert_int_equal(e.groups->kept.weight, e.groups->total.weight);
	}
}

static void groups_can_be_sorted_by_inclusive_cost(void **state)
{
	(void)state;
	g_auto(Example) e = example("function", NULL);
	hot_groups_sort(e.groups, HOTSPOTS_BY_INCLUSIVE);
	g_autofree char *text = text_of(&e);
	assert_string_equal(text, "parse 10/100; lexi 0/100; read 85/85; work 0/55; main 5/45");
}

static void groups_by_function_are_the_hotspots(void **state)
{
	(void)state;
	g_auto(Example) e = example("function", NULL);
	g_autoptr(Hotspots) hotspots = hotspots_new(e.profile);
	g_autoptr(GArray) sorted = hotspots_sorted(hotspots, HOTSPOTS_BY_SELF);
	assert_int_equal(e.groups->groups->len, sorted->len);
	for (guint i = 0; i < sorted->len; i++) {
		const HotGroup *group = &g_array_index(e.groups->groups, HotGroup, i);
		FrameId frame = g_array_index(sorted, FrameId, i);
		assert_int_equal(hot_group_frame(group, 0).index, frame.index);
		assert_int_equal(group->inclusive.weight, hotspots->inclusive[frame.index].weight);
	}
}

static void notes_are_asked_for_by_keys_and_filters(void **state)
{
	(void)state;
	HotGrouping grouping;
	hot_grouping_init(&grouping);
	assert_int_equal(hot_grouping_notes(&grouping), 0);
	assert_true(hot_grouping_set_keys(&grouping, "module, cpu", NULL));
	assert_true(hot_grouping_add_filter(&grouping, "line=x", NULL));
	assert_int_equal(hot_grouping_notes(&grouping), 1 << NOTE_CPU | 1 << NOTE_LINE);
	hot_grouping_clear(&grouping);
}

static void what_is_no_key_or_pattern_is_refused(void **state)
{
	static const char *const keys[] = {"", "functions", "function,", ","};
	static const char *const filters[] = {"function", "name=x", "function=("};
	(void)state;
	HotGrouping grouping;
	hot_grouping_init(&grouping);
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(hot_grouping_set_keys(&grouping, keys[i], &error));
		assert_int_equal(firebreak_error_exit_code(error), FIREBREAK_ERROR_USAGE);
		assert_true(hot_grouping_is_by_function(&grouping));
	}
	for (guint i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(hot_grouping_add_filter(&grouping, filters[i], &error));
		assert_int_equal(grouping.filters->len, 0);
	}
	hot_grouping_clear(&grouping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_key_groups_by_its_values),
	        cmocka_unit_test(several_keys_group_by_their_combinations),
	        cmocka_unit_test(a_filter_keeps_what_matches_and_the_total),
	        cmocka_unit_test(without_a_filter_all_is_kept),
	        cmocka_unit_test(groups_can_be_sorted_by_inclusive_cost),
	        cmocka_unit_test(groups_by_function_are_the_hotspots),
	        cmocka_unit_test(notes_are_asked_for_by_keys_and_filters),
	        cmocka_unit_test(what_is_no_key_or_pattern_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
