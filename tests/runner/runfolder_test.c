/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/runfolder.h"

#include "core/durable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>

typedef struct {
	char *dir, *short_dir;
	Arena *arena;
	ConfigBenchmark benchmark;
	Side sides[2];
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->dir = g_dir_make_tmp("firebreak-runfolder-XXXXXX", NULL);
	world->short_dir = g_build_filename(world->dir, "short", NULL);
	assert_int_equal(g_mkdir(world->short_dir, 0700), 0);
	world->arena = arena_new(world->dir, world->short_dir, NULL);
	world->benchmark.cwd = (char *)".";
	for (int s = 0; s < 2; s++)
		world->sides[s] = (Side){
		        .name = s == 0 ? "base" : "head",
		        .arena = world->arena,
		        .tree_dir = arena_draw(world->arena),
		};
	for (int s = 0; s < 2; s++)
		assert_int_equal(g_mkdir(world->sides[s].tree_dir, 0700), 0);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	for (int s = 0; s < 2; s++)
		g_free(world->sides[s].tree_dir);
	arena_free(world->arena);
	durable_remove_tree(world->dir, NULL);
	g_free(world->dir);
	g_free(world->short_dir);
	g_free(world);
	return 0;
}

static gboolean is_empty(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	return dir != NULL && g_dir_read_name(dir) == NULL;
}

static void each_run_has_empty_folders_that_go_with_it(void **state)
{
	World *world = *state;
	const RunRequest request = {.benchmark = &world->benchmark, .side = &world->sides[0]};
	for (int i = 0; i < 2; i++) {
		char *folder = run_folder_new(&request, NULL);
		g_auto(GStrv) environment = run_environment(&request, folder, 0);
		const char *const folders[] = {
		        g_environ_getenv(environment, "HOME"), g_environ_getenv(environment, "TMPDIR")};
		for (int k = 0; k < 2; k++) {
			assert_true(is_empty(folders[k]));
			g_autofree char *kept = g_build_filename(folders[k], "kept", NULL);
			assert_true(g_file_set_contents(kept, "state", -1, NULL));
		}
		run_folder_free(&request, folder);
		assert_false(g_file_test(folders[0], G_FILE_TEST_EXISTS));
		assert_false(g_file_test(folders[1], G_FILE_TEST_EXISTS));
	}
}

static void a_tmpdir_that_the_user_passes_on_stays(void **state)
{
	World *world = *state;
	char *pass[] = {(char *)"TMPDIR", NULL};
	const RunRequest request = {.benchmark = &world->benchmark, .side = &world->sides[0], .pass_env = pass};
	char *folder = run_folder_new(&request, NULL);
	g_setenv("TMPDIR", "/somewhere", TRUE);
	g_auto(GStrv) environment = run_environment(&request, folder, 0);
	g_unsetenv("TMPDIR");
	assert_string_equal(g_environ_getenv(environment, "TMPDIR"), "/somewhere");
	run_folder_free(&request, folder);
}

/* The environment of a run, with a dot for each letter of random names. Owned by the caller. */
static char *masked_environment(World *world, int side)
{
	const RunRequest request = {.benchmark = &world->benchmark, .side = &world->sides[side]};
	const char *const places[] = {arena_dir(world->arena), world->short_dir};
	char *folder = run_folder_new(&request, NULL);
	g_auto(GStrv) environment = run_environment(&request, folder, 100);
	for (char **variable = environment; *variable != NULL; variable++) {
		for (int i = 0; i < 2; i++) {
			char *inside = strstr(*variable, places[i]);
			if (inside != NULL)
				memset(inside + strlen(places[i]) + 1, '.', ARENA_NAME_LENGTH);
		}
	}
	run_folder_free(&request, folder);
	return g_strjoinv("\n", environment);
}

static void nothing_in_the_environment_tells_the_side(void **state)
{
	g_autofree char *base = masked_environment(*state, 0), *head = masked_environment(*state, 1);
	assert_non_null(strstr(base, "/............/home"));
	assert_non_null(strstr(base, "/short/............"));
	assert_string_equal(base, head);
}

#define WITH_WORLD(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_WORLD(each_run_has_empty_folders_that_go_with_it),
	        WITH_WORLD(a_tmpdir_that_the_user_passes_on_stays),
	        WITH_WORLD(nothing_in_the_environment_tells_the_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
