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
	char *dir;
	Arena *arena;
	ConfigBenchmark benchmark;
	Side sides[2];
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->dir = g_dir_make_tmp("firebreak-runfolder-XXXXXX", NULL);
	world->arena = arena_new(world->dir, NULL);
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
	g_free(world);
	return 0;
}

static gboolean is_empty(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	return dir != NULL && g_dir_read_name(dir) == NULL;
}

static void each_run_has_an_empty_home_that_goes_with_it(void **state)
{
	World *world = *state;
	const RunRequest request = {.benchmark = &world->benchmark, .side = &world->sides[0]};
	for (int i = 0; i < 2; i++) {
		char *folder = run_folder_new(&request, NULL);
		g_auto(GStrv) environment = run_environment(&request, folder, 0);
		const char *home = g_environ_getenv(environment, "HOME");
		assert_string_equal(home, g_environ_getenv(environment, "TMPDIR"));
		assert_true(is_empty(home));
		g_autofree char *kept = g_build_filename(home, "kept", NULL);
		assert_true(g_file_set_contents(kept, "state", -1, NULL));
		run_folder_free(&request, folder);
		assert_false(g_file_test(home, G_FILE_TEST_EXISTS));
	}
}

/* The environment of a run, with a dot for each letter of random names. Owned by the caller. */
static char *masked_environment(World *world, int side)
{
	const RunRequest request = {.benchmark = &world->benchmark, .side = &world->sides[side]};
	gsize prefix = strlen(arena_dir(world->arena)) + 1;
	char *folder = run_folder_new(&request, NULL);
	g_auto(GStrv) environment = run_environment(&request, folder, 100);
	for (char **variable = environment; *variable != NULL; variable++) {
		char *inside = strstr(*variable, arena_dir(world->arena));
		if (inside != NULL)
			memset(inside + prefix, '.', ARENA_NAME_LENGTH);
	}
	run_folder_free(&request, folder);
	return g_strjoinv("\n", environment);
}

static void nothing_in_the_environment_tells_the_side(void **state)
{
	g_autofree char *base = masked_environment(*state, 0), *head = masked_environment(*state, 1);
	assert_non_null(strstr(base, "/............/home"));
	assert_string_equal(base, head);
}

#define WITH_WORLD(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_WORLD(each_run_has_an_empty_home_that_goes_with_it),
	        WITH_WORLD(nothing_in_the_environment_tells_the_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
