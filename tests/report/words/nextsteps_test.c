/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/nextsteps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void set_text(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

static CheckResult *result_of(const char *base, const char *head)
{
	CheckResult *result = check_result_new();
	set_text(&result->base.sha, base);
	set_text(&result->head.sha, head);
	return result;
}

static void add_row(CheckResult *result, GArray *rows, const char *name, Standing standing)
{
	const StandingRow row = {.benchmark = check_result_add_benchmark(result, name), .standing = standing};
	g_array_append_val(rows, row);
}

static void a_command_names_the_benchmarks_and_both_commits(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
	add_row(result, rows, "parse", STANDING_REGRESSED);
	add_row(result, rows, "sort", STANDING_PASSED);
	g_autofree char *command = next_steps_command(result, rows);
	assert_string_equal(command, "firebreak check -b parse --base 1a2b3c4 --head 5d6e7f8");
}

static void names_that_a_shell_would_read_are_left_out(void **state)
{
	static const char *const names[] = {"$(id)", "a b", "-x", "", "a;b", "`id`", "\033[31m", "a\nb", "a'b"};
	(void)state;
	gboolean more;
	g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		add_row(result, rows, names[i], STANDING_REGRESSED);
	g_autoptr(GPtrArray) named = next_steps_names(rows, TRUE, &more);
	assert_int_equal(named->len, 0);
	assert_null(next_steps_command(result, rows));
}

static void a_side_that_is_no_commit_cannot_be_reproduced(void **state)
{
	static const struct {
		const char *base, *head;
		gboolean can;
	} cases[] = {
	        {"1a2b3c4", "worktree", TRUE},
	        {"1a2b3c4", "main", FALSE},
	        {"", "5d6e7f8", FALSE},
	        {"1a2b3c4", "5d6e7f8; id", FALSE},
	        {"worktree", "5d6e7f8", FALSE},
	};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(CheckResult) result = result_of(cases[i].base, cases[i].head);
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
		add_row(result, rows, "parse", STANDING_REGRESSED);
		g_autofree char *command = next_steps_command(result, rows);
		assert_int_equal(command != NULL, cases[i].can);
	}
}

static void five_benchmarks_are_named_and_more_are_told(void **state)
{
	(void)state;
	for (guint n = 5; n <= 6; n++) {
		gboolean more;
		g_autoptr(CheckResult) result = result_of("1a2b3c4", "5d6e7f8");
		g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
		for (guint i = 0; i < n; i++) {
			g_autofree char *name = g_strdup_printf("b%u", i);
			add_row(result, rows, name, STANDING_REGRESSED);
		}
		g_autoptr(GPtrArray) named = next_steps_names(rows, TRUE, &more);
		assert_int_equal(named->len, 5);
		assert_int_equal(more, n == 6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_command_names_the_benchmarks_and_both_commits),
	        cmocka_unit_test(names_that_a_shell_would_read_are_left_out),
	        cmocka_unit_test(a_side_that_is_no_commit_cannot_be_reproduced),
	        cmocka_unit_test(five_benchmarks_are_named_and_more_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
