/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/changedcode.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add_function(ChangedHunk *hunk, const char *benchmark, double contribution)
{
	const ChangedFunction function = {.benchmark = (char *)benchmark,
	        .name = (char *)"f",
	        .module = (char *)"",
	        .contribution = contribution};
	g_ptr_array_add(hunk->functions, changed_function_copy(&function));
}

/* A hunk at a line of a.c, in which a function of the benchmark stands. */
static ChangedHunk *add_hunk(ChangedCode *code, guint32 line, const char *benchmark, double contribution)
{
	ChangedSource *file = code->files->len > 0 ? code->files->pdata[0] : changed_code_add_file(code, "a.c", "a.c");
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){line, 1, line, 1});
	add_function(hunk, benchmark, contribution);
	code->n_files = 7;
	code->n_measured_files = 1;
	code->n_measured_hunks++;
	file->n_hunks = 90;
	return hunk;
}

static void add_line(ChangedHunk *hunk, const char *text, const char *costs_of)
{
	ChangedLine line = {.kind = CHANGED_ADDED, .head_line = 1, .text = g_strdup(text), .head_self = 7};
	g_array_append_val(hunk->lines, line);
	hunk->costs_benchmark = g_strdup(costs_of);
}

static const ChangedHunk *hunk_at(const ChangedCode *code, guint index)
{
	const ChangedSource *file = code->files->pdata[0];
	assert_in_range(index, 0, file->hunks->len - 1);
	return file->hunks->pdata[index];
}

static const char *benchmark_at(const ChangedHunk *hunk, guint index)
{
	assert_in_range(index, 0, hunk->functions->len - 1);
	return ((const ChangedFunction *)hunk->functions->pdata[index])->benchmark;
}

static void functions_of_one_hunk_are_joined(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	add_hunk(code, 10, "one", .1);
	add_hunk(other, 10, "two", -.2)->n_more_functions = 3;
	changed_code_join(code, other);
	const ChangedHunk *hunk = hunk_at(code, 0);
	assert_string_equal(benchmark_at(hunk, 0), "two");
	assert_string_equal(benchmark_at(hunk, 1), "one");
	assert_int_equal(hunk->n_more_functions, 3);
	assert_true(code->n_files == 7 && code->n_measured_files == 1 && code->n_measured_hunks == 1);
}

static void other_hunks_and_files_are_added_in_order_of_size(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	add_hunk(code, 10, "one", .1);
	add_hunk(other, 20, "two", .2);
	ChangedSource *file = changed_code_add_file(other, NULL, "b.c");
	add_function(changed_source_add_hunk(file, &(LineChange){1, 0, 1, 9}), "two", .3);
	changed_code_join(code, other);
	assert_int_equal(code->files->len, 2);
	assert_string_equal(changed_source_path(code->files->pdata[0]), "b.c");
	const ChangedSource *both = code->files->pdata[1];
	assert_int_equal(((const ChangedHunk *)both->hunks->pdata[0])->place.base_first, 20);
	assert_int_equal(((const ChangedHunk *)both->hunks->pdata[1])->place.base_first, 10);
	assert_true(code->n_measured_files == 2 && code->n_measured_hunks == 3);
}

static void lines_with_costs_stay_before_lines_without(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	add_line(add_hunk(code, 10, "one", .5), "plain", NULL);
	add_line(add_hunk(other, 10, "two", .2), "costly", "two");
	changed_code_join(code, other);
	const ChangedHunk *hunk = hunk_at(code, 0);
	assert_string_equal(hunk->costs_benchmark, "two");
	assert_int_equal(hunk->lines->len, 1);
	assert_string_equal(g_array_index(hunk->lines, ChangedLine, 0).text, "costly");
}

static void of_lines_with_costs_those_of_the_larger_function_stay(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	add_line(add_hunk(code, 10, "one", .5), "larger", "one");
	add_line(add_hunk(other, 10, "two", .2), "smaller", "two");
	changed_code_join(code, other);
	assert_string_equal(hunk_at(code, 0)->costs_benchmark, "one");
}

static void the_smallest_hunks_go_where_there_are_too_many(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	for (guint i = 0; i < CHANGED_MAX_HUNKS; i++)
		add_hunk(i % 2 == 0 ? code : other, 10 * i, "one", .01 * (i + 1));
	add_hunk(other, 5, "one", 1);
	ChangedSource *small = changed_code_add_file(other, "small.c", "small.c");
	add_function(changed_source_add_hunk(small, &(LineChange){1, 1, 1, 1}), "one", NAN);
	changed_code_join(code, other);
	const ChangedSource *file = code->files->pdata[0];
	assert_int_equal(code->files->len, 1);
	assert_int_equal(file->hunks->len, CHANGED_MAX_HUNKS);
	assert_int_equal(hunk_at(code, 0)->place.base_first, 5);
	assert_int_equal(hunk_at(code, CHANGED_MAX_HUNKS - 1)->place.base_first, 10);
	assert_int_equal(code->n_measured_hunks, CHANGED_MAX_HUNKS + 2);
}

/* A report may be anybody's. */
static void files_without_hunks_are_no_trouble(void **state)
{
	(void)state;
	g_autoptr(ChangedCode) code = changed_code_new(), other = changed_code_new();
	changed_code_add_file(code, NULL, NULL);
	changed_code_add_file(other, "empty.c", NULL);
	for (guint i = 0; i <= CHANGED_MAX_HUNKS; i++)
		changed_source_add_hunk(other->files->pdata[0], &(LineChange){i + 1, 1, 1, 1});
	changed_code_join(code, other);
	assert_int_equal(code->files->len, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(functions_of_one_hunk_are_joined),
	        cmocka_unit_test(other_hunks_and_files_are_added_in_order_of_size),
	        cmocka_unit_test(lines_with_costs_stay_before_lines_without),
	        cmocka_unit_test(of_lines_with_costs_those_of_the_larger_function_stay),
	        cmocka_unit_test(the_smallest_hunks_go_where_there_are_too_many),
	        cmocka_unit_test(files_without_hunks_are_no_trouble),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
