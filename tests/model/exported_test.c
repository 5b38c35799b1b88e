/* SPDX-License-Identifier: Apache-2.0 */
#include "model/exported.h"

#include "tests/profile/exportexample.h"

/* The stack whose last function has this name. */
static StackId stack_to(const ExportExample *e, const char *name)
{
	for (guint i = 1; i < stack_table_n_stacks(e->table); i++)
		if (strcmp(stack_table_frame_name(e->table, stack_table_leaf(e->table, (StackId){i})), name) == 0)
			return (StackId){i};
	fail_msg("no stack to %s", name);
	return STACK_ROOT;
}

static void parts_are_sides_and_what_lies_between(void **state)
{
	ExportExample *e = *state;
	StackId letter = stack_to(e, "read_char"), write = stack_to(e, "vfs_write");
	assert_int_equal(exported_weight(&e->both, EXPORT_BASE, letter), 10000000);
	assert_int_equal(exported_weight(&e->both, EXPORT_HEAD, letter), 12000000);
	assert_int_equal(exported_weight(&e->both, EXPORT_INCREASE, letter), 2000000);
	assert_int_equal(exported_weight(&e->both, EXPORT_DIFFERENCE, letter), 2000000);
	assert_int_equal(exported_weight(&e->both, EXPORT_INCREASE, write), 0);
	assert_int_equal(exported_weight(&e->both, EXPORT_DIFFERENCE, write), -700000);
}

static void weights_that_do_not_fit_are_limited(void **state)
{
	ExportExample *e = *state;
	StackId top = stack_to(e, "main");
	profile_add(e->base, 0, top, (ProfileCell){1, G_MAXUINT64});
	assert_true(exported_weight(&e->both, EXPORT_BASE, top) == G_MAXINT64);
	assert_true(exported_weight(&e->both, EXPORT_DIFFERENCE, top) == -G_MAXINT64);
}

static void rows_are_what_costs_and_what_leads_there(void **state)
{
	ExportExample *e = *state;
	ExportedRows rows;
	stack_table_push(e->table, STACK_ROOT, example_frame(e->table, "idle", "", FRAME_COMMAND));
	exported_rows_init(&rows, &e->one);
	/* not vfs_write, which is of base, and not idle, which nobody saw */
	assert_int_equal(rows.stacks->len, 7);
	assert_int_equal(rows.frames->len, 7);
	assert_int_equal(rows.stack_rows[stack_to(e, "vfs_write").index], G_MAXUINT32);
	exported_rows_clear(&rows);
	exported_rows_init(&rows, &e->both);
	assert_int_equal(rows.stacks->len, 8);
	exported_rows_clear(&rows);
}

static void parents_have_smaller_rows(void **state)
{
	ExportExample *e = *state;
	ExportedRows rows;
	exported_rows_init(&rows, &e->both);
	for (guint i = 0; i < rows.stacks->len; i++) {
		StackId parent = stack_table_parent(e->table, g_array_index(rows.stacks, StackId, i));
		assert_true(parent.index == STACK_ROOT.index || rows.stack_rows[parent.index] < i);
	}
	exported_rows_clear(&rows);
}

static void scales_tell_counts_from_costs(void **state)
{
	ExportExample *e = *state;
	g_autoptr(Profile) counts = example_counts(e->head);
	ExportedScale time = exported_scale(&e->both), count = exported_scale(&(ExportedProfile){.head = counts});
	assert_true(time.has_weight && !time.is_count && !time.is_sampled);
	assert_true(count.has_weight && count.is_count && count.is_sampled);
}

static void names_are_numbered_once(void **state)
{
	ExportExample *e = *state;
	ExportedTexts texts;
	NameId lexi = stack_table_name(e->table, "lexi", -1), parse = stack_table_name(e->table, "parse", -1);
	exported_texts_init(&texts);
	assert_int_equal(exported_texts_name(&texts, e->table, lexi), 0);
	assert_int_equal(exported_texts_add(&texts, "count"), 1);
	assert_int_equal(exported_texts_name(&texts, e->table, parse), 2);
	assert_int_equal(exported_texts_name(&texts, e->table, lexi), 0);
	assert_int_equal(texts.texts->len, 3);
	exported_texts_clear(&texts);
}

static void a_copy_on_another_table_is_the_same_profile(void **state)
{
	ExportExample *e = *state;
	g_autoptr(StackTable) table = stack_table_new();
	stack_table_push(table, STACK_ROOT, example_frame(table, "other", "", FRAME_COMMAND));
	g_autoptr(Profile) copy = exported_copy(e->head, table);
	g_autofree char *before = folded_write(e->head, 1, FOLDED_WEIGHT);
	g_autofree char *after = folded_write(copy, 1, FOLDED_WEIGHT);
	assert_string_equal(after, before);
	const Frame *parse = frame_named(copy, "parse");
	assert_string_equal(stack_table_text(table, parse->module), "lexi");
	assert_string_equal(stack_table_text(table, parse->file), "lexi.c");
	assert_int_equal(parse->line, 7);
	assert_string_equal(copy->unit, "ns");
}

#define WITH_EXAMPLE(test) cmocka_unit_test_setup_teardown(test, example_of_time, example_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_EXAMPLE(parts_are_sides_and_what_lies_between),
	        WITH_EXAMPLE(weights_that_do_not_fit_are_limited),
	        WITH_EXAMPLE(rows_are_what_costs_and_what_leads_there),
	        WITH_EXAMPLE(parents_have_smaller_rows),
	        WITH_EXAMPLE(scales_tell_counts_from_costs),
	        WITH_EXAMPLE(names_are_numbered_once),
	        WITH_EXAMPLE(a_copy_on_another_table_is_the_same_profile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
