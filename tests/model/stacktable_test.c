/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacktable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void equal_texts_have_one_id(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	NameId a = stack_table_name(table, "alpha", -1);
	assert_int_equal(stack_table_name(table, "alphabet", 5).index, a.index);
	assert_int_not_equal(stack_table_name(table, "alphabet", -1).index, a.index);
	assert_string_equal(stack_table_text(table, a), "alpha");
}

static void name_zero_is_the_empty_text(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	assert_int_equal(stack_table_name(table, "", -1).index, 0);
	assert_string_equal(stack_table_text(table, (NameId){0}), "");
}

static void text_ends_at_a_nul_byte(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	assert_int_equal(stack_table_name(table, "ab\0cd", 5).index, stack_table_name(table, "ab", -1).index);
}

static void frames_are_told_apart_by_name_module_and_whether_they_are_inlined(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId a = stack_table_frame_named(table, "f", "one.so", FRAME_USER);
	FrameId b = stack_table_frame_named(table, "f", "two.so", FRAME_USER);
	FrameId c = stack_table_frame_named(table, "f", "one.so", FRAME_INLINED);
	assert_int_not_equal(a.index, b.index);
	FrameId d = stack_table_frame_named(table, "f", "one.so", FRAME_KERNEL);
	assert_int_not_equal(a.index, c.index);
	assert_true(stack_table_is_inlined(table, c));
	assert_false(stack_table_is_inlined(table, a));
	assert_int_equal(d.index, a.index);
	assert_int_equal(stack_table_get_frame(table, d)->kind, FRAME_USER);
	assert_string_equal(stack_table_frame_module(table, b), "two.so");
	assert_int_equal(stack_table_n_frames(table), 3);
}

static void a_command_is_not_a_function_of_its_name(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId function = stack_table_frame_named(table, "sort", NULL, FRAME_USER);
	FrameId command = stack_table_frame_named(table, "sort", NULL, FRAME_COMMAND);
	FrameId inlined = stack_table_frame_named(table, "sort", NULL, FRAME_INLINED);
	assert_int_not_equal(function.index, command.index);
	assert_int_not_equal(inlined.index, command.index);
	assert_int_equal(stack_table_frame_named(table, "sort", NULL, FRAME_COMMAND).index, command.index);
	assert_int_equal(stack_table_frame_form(table, command), FRAME_FORM_COMMAND);
	assert_int_equal(stack_table_frame_form(table, inlined), FRAME_FORM_INLINED);
	assert_int_equal(stack_table_frame_form(table, function), FRAME_FORM_OWN);
}

static void a_file_arrives_with_the_first_frame_that_has_one(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId id = stack_table_frame_named(table, "f", NULL, FRAME_USER);
	Frame frame = *stack_table_get_frame(table, id);
	frame.file = stack_table_name(table, "f.c", -1);
	frame.line = 7;
	stack_table_frame(table, &frame);
	frame.file = stack_table_name(table, "other.c", -1);
	stack_table_frame(table, &frame);
	assert_string_equal(stack_table_text(table, stack_table_get_frame(table, id)->file), "f.c");
	assert_int_equal(stack_table_get_frame(table, id)->line, 7);
}

static void stacks_share_their_beginnings(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId f = stack_table_frame_named(table, "f", NULL, FRAME_USER);
	FrameId g = stack_table_frame_named(table, "g", NULL, FRAME_USER);
	StackId root_f = stack_table_push(table, STACK_ROOT, f);
	StackId recursive = stack_table_push(table, root_f, f);
	StackId root_f_g = stack_table_push(table, root_f, g);
	assert_int_equal(stack_table_push(table, STACK_ROOT, f).index, root_f.index);
	assert_int_equal(stack_table_n_stacks(table), 4);
	assert_int_equal(stack_table_depth(table, recursive), 2);
	assert_int_equal(stack_table_depth(table, STACK_ROOT), 0);
	assert_int_equal(stack_table_parent(table, root_f_g).index, root_f.index);
	assert_int_equal(stack_table_leaf(table, root_f_g).index, g.index);
}

static void many_stacks_keep_their_ids_and_parents_come_first(void **state)
{
	(void)state;
	enum { N = 500000 }; /* enough for a table that is mapped on its own */
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree StackId *ids = g_new(StackId, N);
	FrameId frames[7];
	for (guint i = 0; i < G_N_ELEMENTS(frames); i++) {
		char name[] = {(char)('a' + i), 0};
		frames[i] = stack_table_frame_named(table, name, NULL, FRAME_USER);
	}
	for (guint i = 0; i < N; i++)
		ids[i] = stack_table_push(table, i == 0 ? STACK_ROOT : ids[(i - 1) / 7], frames[i % 7]);
	for (guint i = 0; i < N; i++) {
		StackId again = stack_table_push(table, i == 0 ? STACK_ROOT : ids[(i - 1) / 7], frames[i % 7]);
		assert_int_equal(again.index, ids[i].index);
		assert_true(stack_table_parent(table, ids[i]).index < ids[i].index);
	}
	assert_int_equal(stack_table_n_stacks(table), N + 1);
}

/* New ones, known ones, and the same one twice, while the index grows. */
static void many_paths_at_once_are_those_of_one_after_the_other(void **state)
{
	(void)state;
	enum { N = 5000 };
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StackTable) other = stack_table_new();
	g_autofree StackPush *pushes = g_new0(StackPush, N);
	for (guint i = 0; i < N; i++) {
		g_autofree char *name = g_strdup_printf("f%u", i % 3000);
		pushes[i].frame = stack_table_frame_named(table, name, NULL, FRAME_USER);
		stack_table_frame_named(other, name, NULL, FRAME_USER);
	}
	stack_table_push(table, STACK_ROOT, pushes[7].frame);
	stack_table_push(other, STACK_ROOT, pushes[7].frame);
	stack_table_push_all(table, pushes, N);
	for (guint i = 0; i < N; i++)
		assert_int_equal(stack_table_push(other, STACK_ROOT, pushes[i].frame).index, pushes[i].stack.index);
	assert_int_equal(stack_table_n_stacks(table), 3001);
	stack_table_push_all(table, pushes, 0);
	assert_int_equal(stack_table_n_stacks(table), 3001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(equal_texts_have_one_id),
	        cmocka_unit_test(name_zero_is_the_empty_text),
	        cmocka_unit_test(text_ends_at_a_nul_byte),
	        cmocka_unit_test(frames_are_told_apart_by_name_module_and_whether_they_are_inlined),
	        cmocka_unit_test(a_command_is_not_a_function_of_its_name),
	        cmocka_unit_test(a_file_arrives_with_the_first_frame_that_has_one),
	        cmocka_unit_test(stacks_share_their_beginnings),
	        cmocka_unit_test(many_stacks_keep_their_ids_and_parents_come_first),
	        cmocka_unit_test(many_paths_at_once_are_those_of_one_after_the_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
