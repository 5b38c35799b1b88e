/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/arena.h"

#include "core/durable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cmocka.h>
#include <glib/gstdio.h>

typedef struct {
	char *dir;
	Arena *arena;
	FindingList *findings;
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->dir = g_dir_make_tmp("firebreak-arena-XXXXXX", NULL);
	world->arena = arena_new(world->dir, NULL, NULL);
	world->findings = finding_list_new();
	*state = world;
	return world->arena != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	World *world = *state;
	arena_free(world->arena);
	finding_list_free(world->findings);
	durable_remove_tree(world->dir, NULL);
	g_free(world->dir);
	g_free(world);
	return 0;
}

static void names_are_random_and_equally_long(void **state)
{
	const World *world = *state;
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (int i = 0; i < 1000; i++) {
		char *path = arena_draw(world->arena);
		assert_true(g_str_has_prefix(path, arena_dir(world->arena)));
		assert_int_equal(strlen(path), strlen(arena_dir(world->arena)) + 1 + ARENA_NAME_LENGTH);
		assert_true(g_hash_table_add(seen, path));
	}
}

/* With one letter in two in the first place of a name, sides could be told apart by it. */
static void each_letter_comes_in_each_place(void **state)
{
	gboolean seen[ARENA_NAME_LENGTH][256] = {{FALSE}};
	guint n[ARENA_NAME_LENGTH] = {0};
	(void)state;
	for (int i = 0; i < 2000; i++) {
		g_autofree char *name = arena_random_name();
		for (int c = 0; c < ARENA_NAME_LENGTH; c++)
			seen[c][(guchar)name[c]] = TRUE;
	}
	for (int c = 0; c < ARENA_NAME_LENGTH; c++)
		for (int letter = 0; letter < 256; letter++)
			n[c] += seen[c][letter];
	for (int c = 0; c < ARENA_NAME_LENGTH; c++)
		assert_int_equal(n[c], 36);
}

static void what_a_run_left_beside_its_tree_is_removed_and_said_once(void **state)
{
	const World *world = *state;
	g_autofree char *tree = arena_draw(world->arena), *file = g_build_filename(tree, "file", NULL);
	g_autofree char *stray = g_build_filename(arena_dir(world->arena), "cache", NULL);
	g_autofree char *inner = g_build_filename(stray, "inner", NULL);
	assert_int_equal(g_mkdir(tree, 0700), 0);
	assert_true(g_file_set_contents(file, "kept", -1, NULL));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(g_mkdir(stray, 0700), 0);
		assert_true(g_file_set_contents(inner, "state", -1, NULL));
		assert_true(arena_clean(world->arena, world->findings, NULL));
		assert_false(g_file_test(stray, G_FILE_TEST_EXISTS));
	}
	assert_true(g_file_test(file, G_FILE_TEST_EXISTS));
	assert_int_equal(finding_count(world->findings), 1);
	assert_string_equal(finding_get(world->findings, 0)->code, "state_removed");
}

static void what_belongs_to_the_check_stays_without_a_word(void **state)
{
	const World *world = *state;
	g_autofree char *path = arena_draw(world->arena);
	assert_int_equal(g_mkdir(path, 0700), 0);
	assert_true(arena_clean(world->arena, world->findings, NULL));
	assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_int_equal(finding_count(world->findings), 0);
	arena_forget(world->arena, path);
	assert_true(arena_clean(world->arena, world->findings, NULL));
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static guint64 size_of(const char *path)
{
	struct stat info;
	assert_int_equal(stat(path, &info), 0);
	return (guint64)info.st_size;
}

static void what_the_folders_have_beside_their_entries_is_put_back(void **state)
{
	const World *world = *state;
	const char *dir = arena_dir(world->arena);
	const char *const folders[] = {world->dir, dir};
	char value[8];
	guint64 before = size_of(dir);
	g_autofree char *tree = arena_draw(world->arena), *name = g_strnfill(200, 'x');
	assert_int_equal(g_mkdir(tree, 0555), 0);
	for (int i = 0; i < 100; i++) {
		g_autofree char *file = g_strdup_printf("%s/%d%s", dir, i, name);
		assert_true(g_file_set_contents(file, "", 0, NULL));
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(chmod(folders[i], 0750), 0);
		if (setxattr(folders[i], "user.seen", "1", 1, 0) != 0)
			print_message("no extended attributes here\n");
	}
	assert_true(arena_clean(world->arena, world->findings, NULL));
	assert_true(finding_has(world->findings, "state_removed"));
	assert_true(g_file_test(tree, G_FILE_TEST_IS_DIR));
	assert_int_equal(size_of(dir), before);
	for (int i = 0; i < 2; i++) {
		struct stat info;
		assert_int_equal(stat(folders[i], &info), 0);
		assert_int_equal(info.st_mode & 07777, 0700);
		assert_true(getxattr(folders[i], "user.seen", value, sizeof value) < 0);
	}
}

static void temporary_files_of_a_run_go_with_it(void **state)
{
	const World *world = *state;
	g_autofree char *short_dir = g_build_filename(world->dir, "short", NULL);
	assert_int_equal(g_mkdir(short_dir, 0700), 0);
	g_autoptr(Arena) arena = arena_new(world->dir, short_dir, NULL);
	g_autofree char *run = arena_draw(arena), *temporary = arena_temporary(arena, run);
	g_autofree char *stray = g_build_filename(short_dir, "stray", NULL);
	assert_true(g_str_has_prefix(temporary, short_dir));
	assert_int_equal(strlen(temporary), strlen(short_dir) + 1 + ARENA_NAME_LENGTH);
	assert_int_equal(g_mkdir(temporary, 0700), 0);
	assert_int_equal(g_mkdir(stray, 0700), 0);
	assert_true(arena_clean(arena, world->findings, NULL));
	assert_true(g_file_test(temporary, G_FILE_TEST_EXISTS));
	assert_false(g_file_test(stray, G_FILE_TEST_EXISTS));
	assert_true(finding_has(world->findings, "state_removed"));
	arena_forget(arena, run);
	assert_true(arena_clean(arena, world->findings, NULL));
	assert_false(g_file_test(temporary, G_FILE_TEST_EXISTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(names_are_random_and_equally_long, set_up, tear_down),
	        cmocka_unit_test(each_letter_comes_in_each_place),
	        cmocka_unit_test_setup_teardown(
	                what_a_run_left_beside_its_tree_is_removed_and_said_once, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_belongs_to_the_check_stays_without_a_word, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                what_the_folders_have_beside_their_entries_is_put_back, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(temporary_files_of_a_run_go_with_it, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
