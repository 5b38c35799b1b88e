/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/stackmatrix.h"

#include "tests/baselines/fixture.h"

static Profile *empty_profile(StackTable *table, guint n_runs)
{
	Profile *profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint run = 0; run < n_runs; run++)
		profile_add_run(profile);
	return profile;
}

static StackId push(StackTable *table, StackId parent, const char *name, const char *module)
{
	return stack_table_push(table, parent, stack_table_frame_named(table, name, module, FRAME_USER));
}

static void one_line_per_stack_one_column_per_run_sorted(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = empty_profile(table, 2);
	StackId main_stack = push(table, STACK_ROOT, "main", "bench");
	StackId parse = push(table, main_stack, "parse", "bench");
	StackId command = push(table, STACK_ROOT, "a.out", NULL);
	profile_add(profile, 0, parse, (ProfileCell){12, 6000000});
	profile_add(profile, 1, parse, (ProfileCell){11, 5500000});
	profile_add(profile, 1, command, (ProfileCell){1, 500000});
	g_autoptr(GString) text = stack_matrix_write(profile);
	assert_string_equal(text->str, "a.out\t0:0\t1:500000\nbench`main;bench`parse\t12:6000000\t11:5500000\n");
}

static void special_bytes_of_names_are_escaped(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = empty_profile(table, 1);
	StackId stack = push(table, STACK_ROOT, "a;b\t`\n%\xff", "m`\xe9");
	profile_add(profile, 0, push(table, stack, "π", ""), (ProfileCell){1, 2});
	g_autoptr(GString) text = stack_matrix_write(profile);
	assert_string_equal(text->str, "m%60%E9`a%3Bb%09%60%0A%25%FF;π\t1:2\n");
}

static void what_is_written_is_read_back(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(StackTable) other = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement("b", "worktree", "", table);
	g_autoptr(GString) text = stack_matrix_write(measurement->profile);
	g_autoptr(Profile) back = empty_profile(other, 3);
	stack_matrix_read(text, back, NULL, &error);
	assert_no_error(error);
	g_autoptr(GString) again = stack_matrix_write(back);
	assert_string_equal(text->str, again->str);
}

/* In whatever order their frames came. */
static void a_command_and_functions_of_its_name_are_read_back_as_such(void **state)
{
	(void)state;
	static const FrameKind kinds[][3] = {{FRAME_COMMAND, FRAME_INLINED, FRAME_USER},
	        {FRAME_USER, FRAME_INLINED, FRAME_COMMAND}, {FRAME_INLINED, FRAME_COMMAND, FRAME_USER}};
	for (guint order = 0; order < G_N_ELEMENTS(kinds); order++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = empty_profile(table, 1);
		g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(FrameId));
		for (guint i = 0; i < 3; i++) {
			FrameId frame = stack_table_frame_named(table, "sort", NULL, kinds[order][i]);
			profile_add(profile, 0, stack_table_push(table, STACK_ROOT, frame),
			        (ProfileCell){1, 10 + kinds[order][i]});
			g_array_append_val(functions, frame);
		}
		g_autoptr(GString) text = stack_matrix_write(profile);
		assert_string_equal(text->str, "```sort\t1:14\n``sort\t1:11\nsort\t1:10\n");
		g_autoptr(Profile) back = empty_profile(table, 1);
		stack_matrix_read(text, back, functions, &error);
		assert_no_error(error);
		for (guint i = 1; i < stack_table_n_stacks(table); i++)
			assert_true(profile_cell(back, 0, (StackId){i}).weight ==
			            profile_cell(profile, 0, (StackId){i}).weight);
	}
}

/* A function that runs by itself and inlined in another comes back as both; one that is only inlined needs no mark. */
static void inlined_copies_of_a_function_are_read_back_as_such(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = empty_profile(table, 1);
	StackId main_stack = push(table, STACK_ROOT, "main", "m");
	const FrameId listed[] = {
	        stack_table_frame_named(table, "main", "m", FRAME_USER),
	        stack_table_frame_named(table, "count", "m", FRAME_INLINED),
	        stack_table_frame_named(table, "count", "m", FRAME_USER),
	        stack_table_frame_named(table, "step", "m", FRAME_INLINED),
	};
	for (guint i = 1; i < G_N_ELEMENTS(listed); i++)
		profile_add(profile, 0, stack_table_push(table, main_stack, listed[i]), (ProfileCell){i, 10 * i});
	g_autoptr(GString) text = stack_matrix_write(profile);
	assert_string_equal(text->str, "m`main;m``count\t1:10\nm`main;m`count\t2:20\nm`main;m`step\t3:30\n");
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(FrameId));
	g_array_append_vals(functions, listed, G_N_ELEMENTS(listed));
	g_autoptr(Profile) back = empty_profile(table, 1);
	stack_matrix_read(text, back, functions, &error);
	assert_no_error(error);
	assert_int_equal(stack_table_n_frames(table), G_N_ELEMENTS(listed));
	for (guint i = 1; i < G_N_ELEMENTS(listed); i++) {
		StackId stack = stack_table_push(table, main_stack, listed[i]);
		assert_int_equal(profile_cell(back, 0, stack).weight, 10 * i);
	}
}

static void the_order_in_which_stacks_were_found_does_not_show(void **state)
{
	(void)state;
	char *texts[2];
	for (guint turn = 0; turn < 2; turn++) {
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = empty_profile(table, 1);
		for (guint i = 0; i < 10; i++) {
			g_autofree char *name = g_strdup_printf("f%u", turn == 0 ? i : 9 - i);
			profile_add(profile, 0, push(table, STACK_ROOT, name, "m"), (ProfileCell){1, 1});
		}
		g_autoptr(GString) text = stack_matrix_write(profile);
		texts[turn] = g_strdup(text->str);
	}
	assert_string_equal(texts[0], texts[1]);
	g_free(texts[0]);
	g_free(texts[1]);
}

static void malformed_lines_are_refused_with_their_number(void **state)
{
	(void)state;
	static const char *const lines[] = {"", "a", "a\t", "a\t1", "a\t1:", "a\t:1", "a\t1:2", "a\t1:2\t3:4\t5:6",
	        "a\t1:2\t3:4 ", "a\t-1:2\t3:4", "a\t+1:2\t3:4", "a\t 1:2\t3:4", "a\t1.5:2\t3:4", "a\t1e3:2\t3:4",
	        "a\t18446744073709551616:2\t3:4", "a\t1:0x10\t3:4", "a 1:2 3:4"};
	for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Profile) profile = empty_profile(table, 2);
		g_autoptr(GString) text = g_string_new("ok\t1:2\t3:4\n");
		g_string_append_printf(text, "%s\n", lines[i]);
		assert_false(stack_matrix_read(text, profile, NULL, &error));
		assert_error_code(error, FIREBREAK_ERROR_BASELINE);
		assert_non_null(strstr(error->message, "line 2 "));
	}
}

static void a_last_line_without_newline_is_refused(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = empty_profile(table, 1);
	g_autoptr(GString) text = g_string_new("a\t1:2\nb\t1:2");
	assert_false(stack_matrix_read(text, profile, NULL, NULL));
}

static void a_stack_of_a_hundred_thousand_frames_is_refused(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = empty_profile(table, 1);
	g_autoptr(GString) text = g_string_new("f");
	for (guint i = 0; i < 100000; i++)
		g_string_append(text, ";f");
	g_string_append(text, "\t1:2\n");
	assert_false(stack_matrix_read(text, profile, NULL, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_line_per_stack_one_column_per_run_sorted),
	        cmocka_unit_test(special_bytes_of_names_are_escaped),
	        cmocka_unit_test(what_is_written_is_read_back),
	        cmocka_unit_test(a_command_and_functions_of_its_name_are_read_back_as_such),
	        cmocka_unit_test(inlined_copies_of_a_function_are_read_back_as_such),
	        cmocka_unit_test(the_order_in_which_stacks_were_found_does_not_show),
	        cmocka_unit_test(malformed_lines_are_refused_with_their_number),
	        cmocka_unit_test(a_last_line_without_newline_is_refused),
	        cmocka_unit_test(a_stack_of_a_hundred_thousand_frames_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
