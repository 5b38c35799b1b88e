/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/rowchoice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Digits are weights, anything else is a row that does not matter; "x" in the result is a row that is shown. */
static char *shown_of(const char *rows, guint context, guint most)
{
	guint n = (guint)strlen(rows);
	g_autofree double *weights = g_new0(double, MAX(n, 1));
	for (guint i = 0; i < n; i++)
		weights[i] = g_ascii_isdigit(rows[i]) ? rows[i] - '0' : 0;
	g_autofree gboolean *shown = row_choice(weights, n, (RowLimits){.context = context, .most = most});
	char *text = g_strnfill(n, '.');
	for (guint i = 0; i < n; i++)
		if (shown[i])
			text[i] = 'x';
	return text;
}

static void check(const char *rows, guint context, guint most, const char *expected)
{
	g_autofree char *shown = shown_of(rows, context, most);
	assert_string_equal(shown, expected);
}

static void rows_that_matter_are_shown_with_their_neighbours(void **state)
{
	(void)state;
	check("......5......", 2, 100, "....xxxxx....");
	check("5......", 2, 100, "xxx....");
	check("......5", 2, 100, "....xxx");
}

static void rows_that_do_not_matter_are_left_out(void **state)
{
	(void)state;
	check(".......", 3, 100, ".......");
	check("", 3, 100, "");
}

static void a_gap_of_one_row_is_closed(void **state)
{
	(void)state;
	check("..5.5..", 0, 100, "..xxx..");
	check("..5..5..", 0, 100, "..x..x..");
}

static void the_heaviest_rows_are_kept_when_there_are_too_many(void **state)
{
	(void)state;
	/* row, gap, row, gap, row */
	check("1..9..5..2", 0, 5, "...x..x...");
	check("1..9..5..2", 0, 100, "x..x..x..x");
}

static void of_equal_rows_the_first_are_kept(void **state)
{
	(void)state;
	check("3333333333", 0, 4, "xxx.......");
}

static void gaps_count_as_rows(void **state)
{
	(void)state;
	check("5..5..5", 0, 4, "x..x...");
	check("5..5..5", 0, 5, "x..x..x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rows_that_matter_are_shown_with_their_neighbours),
	        cmocka_unit_test(rows_that_do_not_matter_are_left_out),
	        cmocka_unit_test(a_gap_of_one_row_is_closed),
	        cmocka_unit_test(the_heaviest_rows_are_kept_when_there_are_too_many),
	        cmocka_unit_test(of_equal_rows_the_first_are_kept),
	        cmocka_unit_test(gaps_count_as_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
