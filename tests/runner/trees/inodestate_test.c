/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/inodestate.h"

#include "core/durable.h"
#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/xattr.h>

#include <cmocka.h>
#include <glib/gstdio.h>

static int set_up(void **state)
{
	*state = g_dir_make_tmp("firebreak-inode-XXXXXX", NULL);
	return *state != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	durable_remove_tree(*state, NULL);
	g_free(*state);
	return 0;
}

static void mode_and_attributes_are_put_back(void **state)
{
	const char *path = *state;
	char value[8];
	struct stat info;
	gboolean changed = FALSE, has_attributes = setxattr(path, "user.old", "old", 3, 0) == 0;
	g_autoptr(InodeState) inode = inode_state_new(path, NULL);
	assert_true(inode_state_restore(inode, path, &changed, NULL));
	assert_false(changed);
	assert_int_equal(g_chmod(path, 0500), 0);
	if (has_attributes) {
		assert_int_equal(setxattr(path, "user.old", "other", 5, 0), 0);
		assert_int_equal(setxattr(path, "user.new", "", 0, 0), 0);
	}
	assert_true(inode_state_restore(inode, path, &changed, NULL));
	assert_true(changed);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	if (!has_attributes)
		return;
	assert_int_equal(getxattr(path, "user.old", value, sizeof value), 3);
	assert_memory_equal(value, "old", 3);
	assert_true(getxattr(path, "user.new", value, sizeof value) < 0);
}

static void each_kind_of_change_is_told(void **state)
{
	const char *path = *state;
	gboolean changed = FALSE;
	g_autoptr(InodeState) inode = inode_state_new(path, NULL);
	if (setxattr(path, "user.new", "1", 1, 0) != 0) {
		print_message("skipped: no extended attributes here\n");
		skip();
	}
	assert_true(inode_state_restore(inode, path, &changed, NULL));
	assert_true(changed);
}

/* A file system whose folders are as large as their entries need is no reason to complain. */
static void a_folder_is_as_large_as_its_entries_need(void **state)
{
	g_autofree char *path = g_build_filename(*state, "folder", NULL), *name = g_strnfill(200, 'x');
	g_autofree char *inner = g_build_filename(path, "inner", NULL);
	struct stat full, after;
	gboolean changed = FALSE;
	assert_int_equal(g_mkdir(path, 0700), 0);
	g_autoptr(InodeState) inode = inode_state_new(path, NULL);
	assert_int_equal(g_mkdir(inner, 0555), 0);
	for (int i = 0; i < 100; i++) {
		g_autofree char *file = g_strdup_printf("%s/%d%s", path, i, name);
		assert_true(g_file_set_contents(file, "", 0, NULL));
	}
	assert_true(inode_state_shrink(inode, path, &changed, NULL));
	assert_false(changed);
	for (int i = 0; i < 100; i++) {
		g_autofree char *file = g_strdup_printf("%s/%d%s", path, i, name);
		assert_int_equal(g_unlink(file), 0);
	}
	assert_int_equal(stat(path, &full), 0);
	inode_state_free(inode);
	g_autofree char *fresh = g_build_filename(*state, "fresh", NULL);
	assert_int_equal(g_mkdir(fresh, 0700), 0);
	inode = inode_state_new(fresh, NULL);
	assert_true(inode_state_shrink(inode, path, &changed, NULL));
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(changed, after.st_size < full.st_size);
	assert_int_equal(stat(inner, &after), 0);
	assert_int_equal(after.st_mode & 07777, 0555);
}

static void what_is_not_there_is_an_error(void **state)
{
	g_autofree char *path = g_build_filename(*state, "nothing", NULL);
	g_autoptr(GError) error = NULL;
	assert_null(inode_state_new(path, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
}

#define WITH_FOLDER(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_FOLDER(mode_and_attributes_are_put_back),
	        WITH_FOLDER(each_kind_of_change_is_told),
	        WITH_FOLDER(a_folder_is_as_large_as_its_entries_need),
	        WITH_FOLDER(what_is_not_there_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
