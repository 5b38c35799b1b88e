/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/treeseal.h"

#include "core/durable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <glib/gstdio.h>

typedef struct {
	char *dir;
} World;

static void shell(const World *world, const char *command)
{
	const char *const argv[] = {"/bin/sh", "-ec", command, NULL};
	int status = -1;
	assert_true(g_spawn_sync(world->dir, (char **)argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
	assert_int_equal(status, 0);
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->dir = g_dir_make_tmp("firebreak-seal-XXXXXX", NULL);
	shell(world, "umask 022; mkdir -p 'a folder/b'; echo one >'a folder/one\ntwo'; echo two >b; ln -s b link;"
	             "echo three >'a folder/b/c'; chmod 640 b; mkfifo pipe");
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	durable_remove_tree(world->dir, NULL);
	g_free(world->dir);
	g_free(world);
	return 0;
}

static char *difference(const World *world, const TreeSeal *seal, guint ignored_mode)
{
	char *path = NULL;
	assert_true(tree_seal_check(seal, world->dir, ignored_mode, &path, NULL));
	return path;
}

static void a_seal_is_the_same_after_it_was_written_and_read(void **state)
{
	World *world = *state;
	g_autoptr(TreeSeal) seal = tree_seal_new(world->dir, NULL);
	g_autofree char *text = tree_seal_text(seal);
	g_autoptr(TreeSeal) read = tree_seal_parse(text);
	assert_non_null(read);
	g_autofree char *again = tree_seal_text(read);
	assert_string_equal(text, again);
	assert_null(difference(world, read, 0));
	assert_int_equal(tree_seal_bytes(read), strlen("one\ntwo\nthree\n"));
}

static void a_text_that_is_cut_off_or_other_is_no_seal(void **state)
{
	World *world = *state;
	g_autoptr(TreeSeal) seal = tree_seal_new(world->dir, NULL);
	g_autofree char *text = tree_seal_text(seal);
	for (gsize length = strlen(text) - 2; length > 0; length--) {
		g_autofree char *cut = g_strndup(text, length);
		assert_null(tree_seal_parse(cut));
	}
	assert_null(tree_seal_parse(""));
	assert_null(tree_seal_parse("firebreak-seal-1\n100644 x y z\n.\n"));
	assert_null(tree_seal_parse("firebreak-seal-1\n100644 5 abc\n.\n"));
}

static void whatever_differs_is_named(void **state)
{
	static const struct {
		const char *change, *path, *back;
	} cases[] = {
	        {"echo TWO >b", "b", "echo two >b"},
	        {"echo x >new", "new", "rm new"},
	        {"mv b c", "b", "mv c b"},
	        {"ln -sf a link", "link", "ln -sf b link"},
	        {"chmod 750 b", "b", "chmod 640 b"},
	        {"rm pipe; echo >pipe", "pipe", "rm pipe; mkfifo pipe"},
	        {"chmod 700 'a folder/b'", "a folder/b", "chmod 755 'a folder/b'"},
	        {"echo x >'a folder/b/c'", "a folder/b/c", "echo three >'a folder/b/c'"},
	};
	World *world = *state;
	g_autoptr(TreeSeal) seal = tree_seal_new(world->dir, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		shell(world, cases[i].change);
		g_autofree char *path = difference(world, seal, 0);
		assert_string_equal(path, cases[i].path);
		shell(world, cases[i].back);
		assert_null(difference(world, seal, 0));
	}
}

static void a_protected_tree_gets_its_modes_back(void **state)
{
	World *world = *state;
	struct stat info;
	g_autoptr(TreeSeal) seal = tree_seal_new(world->dir, NULL);
	assert_true(tree_seal_protect(world->dir, NULL));
	assert_int_equal(stat(world->dir, &info), 0);
	assert_int_equal(info.st_mode & 0222, 0);
	g_autofree char *mode = difference(world, seal, 0);
	assert_string_equal(mode, "a folder");
	assert_null(difference(world, seal, 0222));
	assert_true(tree_seal_apply_modes(seal, world->dir, NULL));
	assert_null(difference(world, seal, 0));
}

static void a_protected_tree_can_be_removed(void **state)
{
	World *world = *state;
	assert_true(tree_seal_protect(world->dir, NULL));
	assert_true(durable_remove_tree(world->dir, NULL));
	assert_false(g_file_test(world->dir, G_FILE_TEST_EXISTS));
}

static void a_file_is_known_by_its_contents(void **state)
{
	World *world = *state;
	g_autoptr(TreeSeal) seal = tree_seal_new(world->dir, NULL);
	g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "two\n", -1);
	assert_true(tree_seal_has_file(seal, "b", digest));
	assert_false(tree_seal_has_file(seal, "link", digest));
	assert_false(tree_seal_has_file(seal, "a folder/b/c", digest));
	assert_false(tree_seal_has_file(seal, "gone", digest));
}

#define WITH_TREE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_TREE(a_seal_is_the_same_after_it_was_written_and_read),
	        WITH_TREE(a_text_that_is_cut_off_or_other_is_no_seal),
	        WITH_TREE(whatever_differs_is_named),
	        WITH_TREE(a_protected_tree_gets_its_modes_back),
	        WITH_TREE(a_protected_tree_can_be_removed),
	        WITH_TREE(a_file_is_known_by_its_contents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
