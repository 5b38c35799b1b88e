/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/texttable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(const TextTable *table, guint width, const char *wanted)
{
	g_autoptr(GString) out = g_string_new(NULL);
	text_table_append(out, table, "  ", width);
	assert_string_equal(out->str, wanted);
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	(void)state;
	g_autoptr(TextTable) table = text_table_new("lr");
	static const char *const cells[] = {"a", "1", "größe", "200"};
	for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
		text_table_cell(table, cells[i], NULL);
	check(table, 0, "  a        1\n  größe  200\n");
}

static void no_blanks_stand_at_line_ends(void **state)
{
	(void)state;
	g_autoptr(TextTable) table = text_table_new("lrl");
	static const char *const cells[] = {"a", "", "", "b", "12", "c", "d", "", "e"};
	for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
		text_table_cell(table, cells[i], NULL);
	check(table, 0, "  a\n  b  12  c\n  d      e\n");
}

static void styles_take_no_room(void **state)
{
	(void)state;
	g_autoptr(TextTable) table = text_table_new("ll");
	text_table_cell(table, "ab", "\033[1m");
	text_table_cell(table, "x", NULL);
	text_table_cell(table, "abc", NULL);
	text_table_cell(table, "y", NULL);
	check(table, 0, "  \033[1mab\033[0m   x\n  abc  y\n");
}

static void columns_that_do_not_fit_are_left_out_but_never_the_first_two(void **state)
{
	(void)state;
	g_autoptr(TextTable) table = text_table_new("lll");
	text_table_cell(table, "first", NULL);
	text_table_cell(table, "second", NULL);
	text_table_cell(table, "third", NULL);
	check(table, 22, "  first  second  third\n");
	check(table, 21, "  first  second\n");
	check(table, 3, "  first  second\n");
}

static void an_empty_table_is_no_text(void **state)
{
	(void)state;
	g_autoptr(TextTable) table = text_table_new("lll");
	check(table, 80, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
	        cmocka_unit_test(no_blanks_stand_at_line_ends),
	        cmocka_unit_test(styles_take_no_room),
	        cmocka_unit_test(columns_that_do_not_fit_are_left_out_but_never_the_first_two),
	        cmocka_unit_test(an_empty_table_is_no_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
