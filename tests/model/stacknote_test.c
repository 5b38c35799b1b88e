/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacknote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_note_says_what_it_tells(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	for (StackNote note = 0; note < N_STACK_NOTES; note++) {
		StackNote found;
		assert_true(stack_note_is(table, stack_note(table, note, "7"), &found));
		assert_int_equal(found, note);
	}
}

static void a_function_of_the_same_name_is_no_note(void **state)
{
	StackNote found;
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	FrameId note = stack_note(table, NOTE_CPU, "7");
	FrameId function = stack_table_frame_named(table, "7", "cpu", FRAME_USER);
	assert_int_not_equal(note.index, function.index);
	assert_false(stack_note_is(table, function, &found));
}

static void costs_of_stacks_that_differ_in_notes_add_up_without_them(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "cpu-clock", "ns");
	FrameId main_frame = stack_table_frame_named(table, "main", "lexi", FRAME_USER);
	profile_add_run(profile);
	profile_add_run(profile);
	for (guint run = 0; run < 2; run++)
		for (guint cpu = 0; cpu < 2; cpu++) {
			FrameId note = stack_note(table, NOTE_CPU, cpu == 0 ? "0" : "1");
			StackId stack = stack_table_push(table, stack_table_push(table, STACK_ROOT, main_frame), note);
			assert_int_equal(stack_note_bearer(table, stack).index, main_frame.index);
			profile_add(profile, run, stack, (ProfileCell){1, 10 + run});
		}
	g_autoptr(Profile) without = stack_notes_left_out(profile);
	StackId stack = stack_table_push(table, STACK_ROOT, main_frame);
	assert_int_equal(profile_cell(without, 0, stack).weight, 20);
	assert_int_equal(profile_cell(without, 1, stack).weight, 22);
	assert_int_equal(profile_run_total(without, 1).samples, 2);
	assert_string_equal(without->unit, "ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_note_says_what_it_tells),
	        cmocka_unit_test(a_function_of_the_same_name_is_no_note),
	        cmocka_unit_test(costs_of_stacks_that_differ_in_notes_add_up_without_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
