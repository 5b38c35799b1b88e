/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/sourceplace.h"

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
		g_autofree char *path = source_place_path(rows[i].file);
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
	g_autofree char *path = source_place_path(longest);
	assert_null(path);
}

/* The list of the only benchmark, and hash_word in it. */
static const FunctionComparison *hash_word(const CheckResult *result, FunctionList *list)
{
	const ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	FunctionList lists[FUNCTION_LISTS];
	assert_int_equal(highlights_function_lists(benchmark, lists), 1);
	*list = lists[0];
	return sample_row(benchmark, "hash_word");
}

static void a_function_stands_at_its_own_place(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	const FunctionComparison *function = hash_word(result, &list);
	g_auto(SourcePlace) place = source_place_of(&list, function);
	assert_string_equal(place.path, "src/catalog.c");
	assert_int_equal(place.line, 19);
	assert_false(place.edited);
}

static void what_the_change_touches_is_edited_there(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	FunctionComparison *function = (FunctionComparison *)hash_word(result, &list);
	function->relation = CHANGE_TOUCHED;
	g_auto(SourcePlace) place = source_place_of(&list, function);
	assert_true(place.edited);
}

static void the_edited_function_that_caused_it_goes_first(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	FunctionComparison *function = (FunctionComparison *)hash_word(result, &list);
	StackTable *table = ((ResultBenchmark *)result->benchmarks->pdata[0])->head->profile->table;
	function->relation = CHANGE_CALLED_BY_TOUCHED;
	function->edited_place = (FunctionPlace){
	        .file = stack_table_name(table, "src/sort.c", -1), .line = 42, .origin = SOURCE_COMMITTED};
	g_auto(SourcePlace) place = source_place_of(&list, function);
	assert_string_equal(place.path, "src/sort.c");
	assert_int_equal(place.line, 42);
	assert_true(place.edited);
}

static void what_the_build_made_has_no_place(void **state)
{
	(void)state;
	FunctionList list;
	g_autoptr(CheckResult) result = sample_result();
	FunctionComparison *function = (FunctionComparison *)hash_word(result, &list);
	StackTable *table = ((ResultBenchmark *)result->benchmarks->pdata[0])->head->profile->table;
	function->place = (FunctionPlace){
	        .file = stack_table_name(table, "src/generated.c", -1), .line = 3, .origin = SOURCE_MADE};
	g_auto(SourcePlace) place = source_place_of(&list, function);
	assert_null(place.path);
}

static void without_a_profile_there_is_none(void **state)
{
	(void)state;
	const FunctionList list = {0};
	g_auto(SourcePlace) place = source_place_of(&list, &(FunctionComparison){.relation = CHANGE_TOUCHED});
	assert_null(place.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(paths_are_as_git_writes_them),
	        cmocka_unit_test(a_path_too_long_is_none),
	        cmocka_unit_test(a_function_stands_at_its_own_place),
	        cmocka_unit_test(what_the_change_touches_is_edited_there),
	        cmocka_unit_test(the_edited_function_that_caused_it_goes_first),
	        cmocka_unit_test(what_the_build_made_has_no_place),
	        cmocka_unit_test(without_a_profile_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
