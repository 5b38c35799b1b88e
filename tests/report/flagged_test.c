#include "report/flagged.h"

#include "tests/report/textsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void paths_are_as_git_writes_them(void **state)
{
	(void)state;
	static const struct {
		const char *file, *path;
	} rows[] = {
	        {"src/a.c", "src/a.c"},
	        {"./src//a.c", "src/a.c"},
	        {"a.c", "a.c"},
	        {"./", NULL},
	        {"", NULL},
	        {"/usr/include/stdio.h", NULL},
	        {"../other/a.c", NULL},
	        {"build/../src/a.c", "src/a.c"},
	        {"src/../../a.c", NULL},
	        {"..", NULL},
	        {"src/..", NULL},
	        {"<built-in>", NULL},
	};
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = flagged_path(rows[i].file);
		if (rows[i].path == NULL)
			assert_null(path);
		else
			assert_string_equal(path, rows[i].path);
	}
}

static void a_path_too_long_is_none(void **state)
{
	(void)state;
	g_autofree char *longest = g_strnfill(5000, 'a');
	g_autofree char *path = flagged_path(longest);
	assert_null(path);
}

static void what_gates_comes_first_then_the_larger_contribution(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	assert_int_equal(flagged->len, 2);
	const FlaggedFunction *first = flagged->pdata[0], *second = flagged->pdata[1];
	assert_string_equal(highlights_name(first->list.table, first->function->frame), "hash_word");
	assert_int_equal(first->weight, FLAGGED_GATES);
	assert_string_equal(highlights_name(second->list.table, second->function->frame), "hash_mix");
	assert_int_equal(second->weight, FLAGGED_SLOWER);
}

static void what_became_cheaper_is_not_flagged(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_row(result->benchmarks->pdata[0], "render_rows")->klass = FUNCTION_LAYOUT_SUSPECT;
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	assert_int_equal(flagged->len, 2);
}

static void a_benchmark_that_passed_has_notes_only(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = many_functions(2, 4);
	((ResultBenchmark *)result->benchmarks->pdata[0])->comparison->verdict = VERDICT_PASS;
	g_autoptr(GPtrArray) flagged = flagged_functions(result);
	const FlaggedFunction *last = flagged->pdata[flagged->len - 1];
	assert_int_equal(last->weight, FLAGGED_NOTICED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(paths_are_as_git_writes_them),
	        cmocka_unit_test(a_path_too_long_is_none),
	        cmocka_unit_test(what_gates_comes_first_then_the_larger_contribution),
	        cmocka_unit_test(what_became_cheaper_is_not_flagged),
	        cmocka_unit_test(a_benchmark_that_passed_has_notes_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
