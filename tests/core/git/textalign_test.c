/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/textalign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Rows of two texts whose lines are set apart by "|", as "base:head", from 1, "-" = not there. */
static char *rows_of(const char *base, const char *head, gboolean ignore_blanks)
{
	g_auto(GStrv) a = g_strsplit(base, "|", -1);
	g_auto(GStrv) b = g_strsplit(head, "|", -1);
	TextLines sides[] = {
	        {(const char *const *)a, g_strv_length(a)},
	        {(const char *const *)b, g_strv_length(b)},
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) rows = text_align(&sides[0], &sides[1], ignore_blanks, &error);
	if (rows == NULL)
		fail_msg("%s", error->message);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < rows->len; i++) {
		const AlignedRow *row = &g_array_index(rows, AlignedRow, i);
		g_autofree char *left = g_strdup_printf("%u", row->base + 1),
		                *right = g_strdup_printf("%u", row->head + 1);
		g_string_append_printf(text, "%s%s:%s", i > 0 ? " " : "", row->base == TEXT_ALIGN_NONE ? "-" : left,
		        row->head == TEXT_ALIGN_NONE ? "-" : right);
	}
	return g_string_free(text, FALSE);
}

static void check(const char *base, const char *head, const char *expected)
{
	g_autofree char *rows = rows_of(base, head, TRUE);
	assert_string_equal(rows, expected);
}

static void equal_texts_are_aligned_line_by_line(void **state)
{
	(void)state;
	check("a|b|c", "a|b|c", "1:1 2:2 3:3");
}

static void what_stands_after_an_insertion_is_still_the_same(void **state)
{
	(void)state;
	check("first line|last line", "first line|new|newer|last line", "1:1 -:2 -:3 2:4");
	check("one", "zero|one", "-:1 1:2");
}

static void what_stands_after_a_removal_is_still_the_same(void **state)
{
	(void)state;
	check("one|two|three", "three", "1:- 2:- 3:1");
}

static void nothing_beside_something_is_all_new(void **state)
{
	(void)state;
	check("", "a|b", "-:1 -:2");
	check("a", "", "1:-");
	check("", "", "");
}

static void a_line_replaced_by_a_similar_one_is_one_row(void **state)
{
	(void)state;
	check("{|sum += table[i];|}", "{|sum += weights[i];|}", "1:1 2:2 3:3");
}

static void a_line_replaced_by_another_is_two_rows(void **state)
{
	(void)state;
	check("{|sum += table[i];|}", "{|return NULL;|}", "1:1 2:- -:2 3:3");
}

static void the_similar_line_is_found_among_lines_that_are_new(void **state)
{
	(void)state;
	check("{|for (i = 0; i < n; i++)|}", "{|prepare();|lock(mutex);|for (i = 0; i < 2 * n; i++)|}",
	        "1:1 -:2 -:3 2:4 3:5");
}

static void similar_lines_never_cross(void **state)
{
	(void)state;
	g_autofree char *rows =
	        rows_of("call alpha now x|call omega then y", "call omega then z|call alpha now w", TRUE);
	assert_true(strcmp(rows, "1:- 2:1 -:2") == 0 || strcmp(rows, "-:1 1:2 2:-") == 0);
}

static void a_line_that_was_only_indented_is_the_same_unless_blanks_count(void **state)
{
	(void)state;
	g_autofree char *ignored = rows_of("\tx = y;|z", "\t\tx = y;|z", TRUE);
	g_autofree char *counted = rows_of("q|z", " q|z", FALSE);
	assert_string_equal(ignored, "1:1 2:2");
	assert_string_equal(counted, "1:- -:1 2:2");
}

static void lines_of_any_bytes_are_aligned(void **state)
{
	(void)state;
	check("\xff\xfe|\x01|same", "\xff\xfe|\r|same", "1:1 2:- -:2 3:3");
}

static void a_passage_too_long_to_be_paired_is_removed_and_added(void **state)
{
	(void)state;
	g_autoptr(GString) base = g_string_new("begin");
	g_autoptr(GString) head = g_string_new("begin");
	for (guint i = 0; i < 400; i++) {
		g_string_append_printf(base, "|value %u of base", i);
		g_string_append_printf(head, "|value %u of head", i);
	}
	g_autofree char *rows = rows_of(base->str, head->str, TRUE);
	assert_true(g_str_has_prefix(rows, "1:1 2:- 3:- "));
	assert_true(g_str_has_suffix(rows, " -:400 -:401"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(equal_texts_are_aligned_line_by_line),
	        cmocka_unit_test(what_stands_after_an_insertion_is_still_the_same),
	        cmocka_unit_test(what_stands_after_a_removal_is_still_the_same),
	        cmocka_unit_test(nothing_beside_something_is_all_new),
	        cmocka_unit_test(a_line_replaced_by_a_similar_one_is_one_row),
	        cmocka_unit_test(a_line_replaced_by_another_is_two_rows),
	        cmocka_unit_test(the_similar_line_is_found_among_lines_that_are_new),
	        cmocka_unit_test(similar_lines_never_cross),
	        cmocka_unit_test(a_line_that_was_only_indented_is_the_same_unless_blanks_count),
	        cmocka_unit_test(lines_of_any_bytes_are_aligned),
	        cmocka_unit_test(a_passage_too_long_to_be_paired_is_removed_and_added),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
