/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/standingrows.h"

#include "compare/endings.h"
#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The names of all rows, in order. */
static char *names_of(const GArray *rows)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < rows->len; i++)
		g_string_append_printf(
		        names, "%s%s", i > 0 ? " " : "", g_array_index(rows, StandingRow, i).benchmark->name);
	return g_string_free(names, FALSE);
}

static void what_was_never_compared_comes_before_what_passed(void **state)
{
	guint n_look;
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *first = result->benchmarks->pdata[0];
	guint n_before = result->benchmarks->len;
	check_result_add_benchmark(result, "gone");
	benchmark_comparison_decide(first->comparison, VERDICT_PASS, "code", g_strdup("its reason"));
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	assert_int_equal(rows->len, n_before + 1);
	for (guint i = 1; i < rows->len; i++)
		assert_true(g_array_index(rows, StandingRow, i - 1).standing <=
		            g_array_index(rows, StandingRow, i).standing);
	for (guint i = 0; i < rows->len; i++)
		assert_int_equal(i < n_look, standing_needs_a_look(g_array_index(rows, StandingRow, i).standing));
}

static void rows_of_one_standing_keep_their_order_without_a_metric(void **state)
{
	guint n_look;
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	check_result_add_benchmark(result, "z");
	check_result_add_benchmark(result, "a");
	check_result_add_benchmark(result, "m");
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	g_autofree char *names = names_of(rows);
	assert_string_equal(names, "z a m");
	assert_null(g_array_index(rows, StandingRow, 0).metric);
}

static void no_benchmark_is_no_row(void **state)
{
	guint n_look = 7;
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	assert_int_equal(rows->len, 0);
	assert_int_equal(n_look, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_was_never_compared_comes_before_what_passed),
	        cmocka_unit_test(rows_of_one_standing_keep_their_order_without_a_metric),
	        cmocka_unit_test(no_benchmark_is_no_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
