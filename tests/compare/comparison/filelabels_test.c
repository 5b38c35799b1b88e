/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/filelabels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAX_FILES 4

/* Files in which functions stand, and what they are called. */
static const struct {
	const char *paths[MAX_FILES], *labels[MAX_FILES];
} rows[] = {
        {{"src/rank.c", "src/hash.c"}, {"rank.c", "hash.c"}},
        {{"src/a/util.c", "src/b/util.c", "src/rank.c"}, {"a/util.c", "b/util.c", "rank.c"}},
        {{"x/a/util.c", "y/a/util.c", "y/b/util.c"}, {"x/a/util.c", "y/a/util.c", "b/util.c"}},
        {{"util.c", "src/util.c"}, {"util.c", "src/util.c"}},
        {{"/usr/util.c", "/util.c"}, {"usr/util.c", "/util.c"}},
        {{"a/myutil.c", "b/util.c"}, {"myutil.c", "util.c"}},
        {{"src/util.c", "src/util.c"}, {"util.c", "util.c"}},
        {{"", "odd/"}, {"", "odd/"}},
};

static NameId add_function(BenchmarkComparison *comparison, const char *path)
{
	g_autofree char *name = g_strdup_printf("f%u", comparison->functions->len);
	FunctionComparison *f = g_new0(FunctionComparison, 1);
	f->frame = f->renamed_from = stack_table_frame_named(comparison->table, name, "prog", FRAME_USER);
	f->place.file = stack_table_name(comparison->table, path, -1);
	g_ptr_array_add(comparison->functions, f);
	return f->place.file;
}

static void files_of_one_name_get_as_much_folder_as_tells_them_apart(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("parse");
		NameId files[MAX_FILES] = {{0}};
		comparison->table = stack_table_new();
		for (guint f = 0; f < MAX_FILES && rows[i].paths[f] != NULL; f++)
			files[f] = add_function(comparison, rows[i].paths[f]);
		file_labels_set(comparison, comparison->table);
		file_labels_set(comparison, comparison->table);
		for (guint f = 0; f < MAX_FILES && rows[i].paths[f] != NULL; f++)
			assert_string_equal(file_label(comparison, comparison->table, files[f]), rows[i].labels[f]);
	}
}

static void a_file_without_functions_has_its_base_name(void **state)
{
	(void)state;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(BenchmarkComparison) comparison = benchmark_comparison_new("parse");
	NameId file = stack_table_name(table, "src/a/util.c", -1);
	assert_string_equal(file_label(NULL, table, file), "util.c");
	assert_string_equal(file_label(comparison, table, file), "util.c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(files_of_one_name_get_as_much_folder_as_tells_them_apart),
	        cmocka_unit_test(a_file_without_functions_has_its_base_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
