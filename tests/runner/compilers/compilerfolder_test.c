/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/compilerfolder.h"

#include "core/durable.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder with programs of these names, and one beside it for the links. */
typedef struct {
	char *folder, *programs, *links;
} Example;

static int set_up(void **state)
{
	static const char *const names[] = {"gcc", "gcc-12", "clang", "make", "rustc"};
	Example *e = g_new0(Example, 1);
	e->folder = g_dir_make_tmp("compilers-XXXXXX", NULL);
	e->programs = g_build_filename(e->folder, "bin", NULL);
	e->links = g_build_filename(e->folder, "links", NULL);
	assert_int_equal(g_mkdir(e->programs, 0700), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(e->programs, names[i], NULL);
		assert_true(g_file_set_contents_full(path, "#!/bin/sh\n", -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
	}
	*state = e;
	return 0;
}

static int tear_down(void **state)
{
	Example *e = *state;
	assert_true(durable_remove_tree(e->folder, NULL));
	g_free(e->folder);
	g_free(e->programs);
	g_free(e->links);
	g_free(e);
	return 0;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

/* The entries of the folder of links, sorted and joined. */
static char *listed(const Example *e)
{
	g_autoptr(GDir) dir = g_dir_open(e->links, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(" ", (char **)names->pdata);
}

static void make(const Example *e)
{
	g_autoptr(GError) error = NULL;
	if (!compiler_folder_make(e->links, e->programs, &error))
		fail_msg("%s", error->message);
}

static void each_compiler_of_path_gets_a_link(void **state)
{
	const Example *e = *state;
	make(e);
	g_autofree char *names = listed(e), *link = g_build_filename(e->links, "gcc-12", NULL);
	g_autofree char *target = g_file_read_link(link, NULL);
	assert_string_equal(names, "clang compiler gcc gcc-12 rustc");
	assert_true(g_str_has_suffix(target, "/firebreak-cc"));
}

static void what_somebody_put_there_goes(void **state)
{
	const Example *e = *state;
	make(e);
	g_autofree char *link = g_build_filename(e->links, "gcc", NULL),
	                *folder = g_build_filename(e->links, "clang", NULL);
	g_autofree char *other = g_build_filename(e->links, "make", NULL);
	assert_int_equal(g_unlink(link), 0);
	assert_true(g_file_set_contents(link, "#!/bin/sh\necho hello\n", -1, NULL));
	assert_int_equal(g_unlink(folder), 0);
	assert_int_equal(g_mkdir(folder, 0700), 0);
	assert_true(g_file_set_contents(other, "", -1, NULL));
	make(e);
	g_autofree char *names = listed(e), *target = g_file_read_link(link, NULL);
	g_autofree char *second = g_file_read_link(folder, NULL);
	assert_string_equal(names, "clang compiler gcc gcc-12 rustc");
	assert_true(g_str_has_suffix(target, "/firebreak-cc"));
	assert_string_equal(second, target);
}

static void compilers_of_two_folders_are_listed_once(void **state)
{
	const Example *e = *state;
	g_autofree char *path = g_strdup_printf("%s:relative::%s", e->programs, e->programs);
	g_auto(GStrv) names = compiler_names(path);
	g_autofree char *text = g_strjoinv(" ", names);
	assert_string_equal(text, "clang gcc gcc-12 rustc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(each_compiler_of_path_gets_a_link, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_somebody_put_there_goes, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(compilers_of_two_folders_are_listed_once, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
