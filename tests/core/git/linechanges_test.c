/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/linechanges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add(ChangedFile *file, guint32 base_first, guint32 base_lines, guint32 head_first, guint32 head_lines)
{
	LineChange change = {base_first, base_lines, head_first, head_lines};
	g_array_append_val(file->changes, change);
}

/* rank.c: base lines 12..14 became head lines 12..20; two lines were put in before base line 40; base lines 60..69
 * went; it was called rank.c before and score.c since. */
static LineChanges *sample(void)
{
	LineChanges *changes = line_changes_new();
	ChangedFile *file = line_changes_add_file(changes, "src/rank.c", "src/score.c");
	add(file, 12, 3, 12, 9);
	add(file, 40, 0, 46, 2);
	add(file, 60, 10, 68, 0);
	return changes;
}

static void lines_touch_the_ranges_that_they_overlap(void **state)
{
	static const struct {
		LinesSide side;
		guint32 first, last;
		gboolean touched;
	} rows[] = {
	        {LINES_OF_BASE, 1, 11, FALSE},
	        {LINES_OF_BASE, 1, 12, TRUE},
	        {LINES_OF_BASE, 13, 13, TRUE},
	        {LINES_OF_BASE, 14, 30, TRUE},
	        {LINES_OF_BASE, 15, 39, FALSE},
	        {LINES_OF_BASE, 1, 100, TRUE},
	        {LINES_OF_HEAD, 20, 20, TRUE},
	        {LINES_OF_HEAD, 21, 45, FALSE},
	        {LINES_OF_HEAD, 46, 46, TRUE},
	        {LINES_OF_HEAD, 47, 60, TRUE},
	        {LINES_OF_HEAD, 48, 67, FALSE},
	        {LINES_OF_BASE, 59, 59, FALSE},
	        {LINES_OF_BASE, 69, 69, TRUE},
	        {LINES_OF_BASE, 70, G_MAXUINT32, FALSE},
	};
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *path = rows[i].side == LINES_OF_BASE ? "src/rank.c" : "src/score.c";
		if (line_changes_touch(changes, rows[i].side, path, rows[i].first, rows[i].last) != rows[i].touched)
			fail_msg("row %u", i);
	}
}

/* Lines were put in before base line 40, and taken out before head line 68. */
static void lines_of_the_other_side_touch_a_range_that_they_cut(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "src/rank.c", 39, 40));
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "src/rank.c", 30, 50));
	assert_true(line_changes_touch(changes, LINES_OF_HEAD, "src/score.c", 60, 68));
}

static void lines_before_a_range_do_not_touch_it(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "src/rank.c", 40, 50));
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "src/rank.c", 30, 39));
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "src/score.c", 68, 90));
}

static void the_first_line_that_changed_is_in_the_range(void **state)
{
	static const struct {
		guint32 first, last, line;
	} rows[] = {{1, 11, 0}, {1, 100, 12}, {13, 13, 13}, {15, 39, 0}, {39, 40, 40}, {69, 80, 69}};
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(line_changes_first(changes, LINES_OF_BASE, "src/rank.c", rows[i].first, rows[i].last),
		        rows[i].line);
	assert_int_equal(line_changes_first(changes, LINES_OF_BASE, "nowhere.c", 1, 100), 0);
}

/* An insertion right before a range hides no change of its second line. */
static void a_change_after_an_insertion_is_found(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	ChangedFile *file = line_changes_add_file(changes, "a.c", "a.c");
	add(file, 10, 0, 10, 3);
	add(file, 11, 1, 14, 1);
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "a.c", 10, 20));
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "a.c", 10, 10));
}

static void a_path_counts_on_the_side_that_has_it(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "src/score.c", 1, 100));
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "src/rank.c", 1, 100));
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "score.c", 1, 100));
	assert_true(line_changes_mention(changes, LINES_OF_BASE, "src/rank.c"));
	assert_false(line_changes_mention(changes, LINES_OF_HEAD, "src/rank.c"));
}

static void a_new_file_has_no_base(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	ChangedFile *file = line_changes_add_file(changes, NULL, "new.c");
	add(file, 1, 0, 1, 30);
	assert_null(file->paths[LINES_OF_BASE]);
	assert_true(line_changes_touch(changes, LINES_OF_HEAD, "new.c", 5, 9));
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "new.c", 5, 9));
}

static void all_of_a_binary_file_is_touched(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	line_changes_add_file(changes, "words.bin", "words.bin")->binary = TRUE;
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "words.bin", 900, 901));
}

static void what_lies_in_a_changed_submodule_is_touched(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	line_changes_add_file(changes, "third/zlib", "third/zlib")->binary = TRUE;
	line_changes_add_file(changes, "src", "src");
	assert_true(line_changes_touch(changes, LINES_OF_HEAD, "third/zlib/inflate.c", 1, 2));
	assert_true(line_changes_mention(changes, LINES_OF_HEAD, "third/zlib/contrib/a.c"));
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "third/zlib2/inflate.c", 1, 2));
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "src/a.c", 1, 2));
	assert_false(line_changes_mention(changes, LINES_OF_HEAD, "src/a.c"));
}

static void a_renamed_file_without_edits_is_mentioned_and_not_touched(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	line_changes_add_file(changes, "old.c", "new.c");
	assert_false(line_changes_touch(changes, LINES_OF_HEAD, "new.c", 1, G_MAXUINT32));
	assert_true(line_changes_mention(changes, LINES_OF_HEAD, "new.c"));
}

static void without_files_it_is_empty(void **state)
{
	(void)state;
	g_autoptr(LineChanges) none = line_changes_new();
	g_autoptr(LineChanges) some = sample();
	assert_true(line_changes_empty(none));
	assert_false(line_changes_empty(some));
	line_changes_free(NULL);
}

/* Numbers near the end of their range do not wrap. */
static void a_change_up_to_the_last_possible_line_is_found(void **state)
{
	(void)state;
	g_autoptr(LineChanges) changes = line_changes_new();
	add(line_changes_add_file(changes, "a.c", "a.c"), G_MAXUINT32 - 1, 9, 1, 1);
	assert_true(line_changes_touch(changes, LINES_OF_BASE, "a.c", G_MAXUINT32, G_MAXUINT32));
	assert_false(line_changes_touch(changes, LINES_OF_BASE, "a.c", 1, 7));
}

static void the_changes_that_touch_a_range_are_next_to_each_other(void **state)
{
	static const struct {
		LinesSide side;
		guint32 first, last;
		guint begin, end;
	} rows[] = {
	        {LINES_OF_BASE, 1, 100, 0, 3},
	        {LINES_OF_BASE, 14, 41, 0, 2},
	        {LINES_OF_BASE, 40, 60, 2, 3}, /* lines put in before the first are not in it */
	        {LINES_OF_BASE, 39, 40, 1, 2},
	        {LINES_OF_HEAD, 20, 46, 0, 2},
	        {LINES_OF_HEAD, 68, 90, 0, 0},
	        {LINES_OF_HEAD, 21, 45, 0, 0},
	};
	(void)state;
	g_autoptr(LineChanges) changes = sample();
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		ChangeRange range =
		        changed_file_range(changes->files->pdata[0], rows[i].side, rows[i].first, rows[i].last);
		if (range.begin != rows[i].begin || range.end != rows[i].end)
			fail_msg("row %u: %u..%u", i, range.begin, range.end);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_touch_the_ranges_that_they_overlap),
	        cmocka_unit_test(lines_of_the_other_side_touch_a_range_that_they_cut),
	        cmocka_unit_test(lines_before_a_range_do_not_touch_it),
	        cmocka_unit_test(the_first_line_that_changed_is_in_the_range),
	        cmocka_unit_test(a_change_after_an_insertion_is_found),
	        cmocka_unit_test(a_path_counts_on_the_side_that_has_it),
	        cmocka_unit_test(a_new_file_has_no_base),
	        cmocka_unit_test(all_of_a_binary_file_is_touched),
	        cmocka_unit_test(what_lies_in_a_changed_submodule_is_touched),
	        cmocka_unit_test(a_renamed_file_without_edits_is_mentioned_and_not_touched),
	        cmocka_unit_test(without_files_it_is_empty),
	        cmocka_unit_test(a_change_up_to_the_last_possible_line_is_found),
	        cmocka_unit_test(the_changes_that_touch_a_range_are_next_to_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
