/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/lostcallers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A frame of a stack that is written here: "name" of the program, "name@module" of another one. */
static FrameId frame_of(StackTable *table, const char *word, gboolean command)
{
	const char *at = strchr(word, '@');
	g_autofree char *name = at != NULL ? g_strndup(word, (gsize)(at - word)) : g_strdup(word);
	FrameKind kind = command ? FRAME_COMMAND : FRAME_USER;
	return stack_table_frame_named(table, name, command ? NULL : at != NULL ? at + 1 : "shop", kind);
}

static StackId stack_of(StackTable *table, const char *text, gboolean command)
{
	StackId stack = STACK_ROOT;
	g_auto(GStrv) words = g_strsplit(text, ";", 0);
	for (guint i = 0; words[i] != NULL; i++)
		stack = stack_table_push(table, stack, frame_of(table, words[i], command && i == 0));
	return stack;
}

typedef struct {
	const char *stack;
	guint64 cost;
} Line;

static Profile *profile_of(StackTable *table, const Line *lines, gboolean command)
{
	Profile *profile = profile_new(table, "cpu-clock", "ns");
	profile_add_run(profile);
	for (; lines->stack != NULL; lines++)
		profile_add(
		        profile, 0, stack_of(table, lines->stack, command), (ProfileCell){lines->cost, lines->cost});
	return profile;
}

static guint64 cost_at(const Profile *profile, const char *text, gboolean command)
{
	return profile_stack_total(profile, stack_of(profile->table, text, command)).weight;
}

/* The share that is found to have lost its callers, of head alone. */
static double share_of(const Line *lines, gboolean command)
{
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_of(table, lines, command);
	g_auto(LostCallers) lost = lost_callers_find(NULL, profile);
	return lost.head_share;
}

static void a_function_that_is_mostly_called_stands_under_unknown_callers(void **state)
{
	(void)state;
	static const Line lines[] = {
	        {"shop;main;sort;compare", 90}, {"shop;compare;less", 6}, {"shop;main", 4}, {NULL, 0}};
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_of(table, lines, TRUE);
	g_auto(LostCallers) lost = lost_callers_find(NULL, profile);
	assert_non_null(lost.head);
	StackId command = stack_of(table, "shop", TRUE);
	FrameId unknown = stack_table_frame_named(table, LOST_CALLERS_NAME, NULL, FRAME_SYNTHETIC);
	StackId moved = stack_table_push(table, command, unknown);
	moved = stack_table_push(table, moved, frame_of(table, "compare", FALSE));
	moved = stack_table_push(table, moved, frame_of(table, "less", FALSE));
	assert_int_equal(profile_stack_total(lost.head, moved).weight, 6);
	assert_int_equal(cost_at(lost.head, "shop;compare;less", TRUE), 0);
	assert_int_equal(cost_at(lost.head, "shop;main;sort;compare", TRUE), 90);
	assert_int_equal(profile_run_total(lost.head, 0).weight, 100);
	assert_int_equal(cost_at(profile, "shop;compare;less", TRUE), 6);
	g_autofree char *remark = lost_callers_remark(&lost);
	assert_string_equal(remark, "6 % of the cost is in stacks that lost their callers: under [callers unknown]");
}

static void what_begins_by_itself_is_no_stack_that_lost_its_callers(void **state)
{
	(void)state;
	static const struct {
		const char *why;
		Line lines[5];
	} cases[] = {
	        {"threads whose function main calls, too", {{"shop;main;work", 30}, {"shop;work", 70}}},
	        {"a thread of half the cost", {{"shop;main;work", 60}, {"shop;work", 30}}},
	        {"a coroutine", {{"shop;main", 10}, {"shop;generate;step", 50}}},
	        {"a signal handler", {{"shop;main;loop", 90}, {"shop;on_alarm", 5}}},
	        {"main without what calls it", {{"shop;_start;main", 90}, {"shop;main", 5}}},
	        {"main that calls itself", {{"shop;main", 5}, {"shop;main;main", 50}, {"shop;main;main;main", 50}}},
	        {"what the C library begins with",
	                {{"shop;_start@libc.so.6;main", 9}, {"shop;clone3@libc.so.6;start_thread@libc.so.6;work", 9},
	                        {"shop;__libc_start_call_main@libc.so.6;main", 9}}},
	        {"a static program", {{"shop;_start;__libc_start_main;main;work", 90}, {"shop;_start", 10}}},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		if (share_of(cases[i].lines, TRUE) != 0)
			fail_msg("%s", cases[i].why);
}

static void a_function_of_the_c_library_is_always_called(void **state)
{
	(void)state;
	static const Line lines[] = {{"shop;main", 75}, {"shop;msort_with_tmp@libc.so.6;compare", 25}, {NULL, 0}};
	assert_float_equal(share_of(lines, TRUE), .25, 1e-9);
}

static void text_has_no_kinds_of_frames(void **state)
{
	(void)state;
	static const Line with_command[] = {{"shop;main;sort", 90}, {"shop;sort", 10}, {NULL, 0}};
	static const Line without[] = {{"main;log", 1}, {"main;work;log", 99}, {NULL, 0}};
	assert_float_equal(share_of(with_command, FALSE), .1, 1e-9);
	assert_float_equal(share_of(without, FALSE), 0, 0);
}

static void both_sides_are_judged_together(void **state)
{
	(void)state;
	static const Line base[] = {{"shop;main;sort", 90}, {NULL, 0}},
	                  head[] = {{"shop;sort", 10}, {"shop;main", 90}, {NULL, 0}};
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) before = profile_of(table, base, TRUE), after = profile_of(table, head, TRUE);
	g_auto(LostCallers) lost = lost_callers_find(before, after);
	assert_float_equal(lost.base_share, 0, 0);
	assert_float_equal(lost.head_share, .1, 1e-9);
	g_autofree char *remark = lost_callers_remark(&lost);
	assert_non_null(strstr(remark, "of base and 10 % of head are in stacks that lost their callers"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_function_that_is_mostly_called_stands_under_unknown_callers),
	        cmocka_unit_test(what_begins_by_itself_is_no_stack_that_lost_its_callers),
	        cmocka_unit_test(a_function_of_the_c_library_is_always_called),
	        cmocka_unit_test(text_has_no_kinds_of_frames),
	        cmocka_unit_test(both_sides_are_judged_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
