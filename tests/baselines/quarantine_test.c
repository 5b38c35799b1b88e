/* SPDX-License-Identifier: Apache-2.0 */
/* Damage goes out of the way, and nothing of it is lost. */
#include "baselines/quarantine.h"

#include "tests/baselines/fixture.h"

typedef struct {
	char *repo, *commit, *second; /* both commits have the baselines "a" and "b" */
	BaselineStore *store;
	FindingList *findings;
} World;

static void put(BaselineStore *store, const char *benchmark, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, benchmark, table);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
}

static void open_store(World *world)
{
	g_clear_pointer(&world->store, baseline_store_free);
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->commit);
	do_in(world->repo, "git commit -q --allow-empty -m second");
	world->second = run_in(world->repo, "git rev-parse HEAD");
	world->findings = finding_list_new();
	open_store(world);
	put(world->store, "a", world->commit);
	put(world->store, "b", world->commit);
	put(world->store, "a", world->second);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	finding_list_free(world->findings);
	baseline_store_free(world->store);
	remove_folder(world->repo);
	g_free(world->commit);
	g_free(world->second);
	g_free(world);
	return 0;
}

static void set_aside(World *world, guint n_wanted)
{
	g_autoptr(GError) error = NULL;
	guint n = G_MAXUINT;
	open_store(world);
	baselines_quarantine(world->store, world->findings, &n, &error);
	assert_no_error(error);
	assert_int_equal(n, n_wanted);
}

static char *kept_in(const World *world, guint number)
{
	g_autofree char *name = g_strdup_printf("%s-%u", world->commit, number);
	return g_build_filename(world->repo, ".git", "firebreak", "damaged", name, NULL);
}

/* The content of a file that was kept; fails if there is none. */
static char *kept(const World *world, const char *file)
{
	g_autofree char *folder = kept_in(world, 1), *path = g_build_filename(folder, file, NULL);
	char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("%s is not there", path);
	return text;
}

static void assert_readable(const World *world, const char *benchmark, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = baseline_store_get(world->store, commit, NULL, benchmark, table, &error);
	assert_no_error(error);
	assert_non_null(measurement);
}

/* The file of an object that the ref of the first commit leads to, such as ":path" or "^{tree}". */
static char *object_file(const World *world, const char *what, char **id)
{
	g_autofree char *command = g_strdup_printf("git rev-parse refs/firebreak/%s%s", world->commit, what);
	*id = run_in(world->repo, command);
	g_autofree char *folder = g_strndup(*id, 2);
	return g_build_filename(world->repo, ".git", "objects", folder, *id + 2, NULL);
}

static void overwrite(const char *path, const char *text)
{
	assert_int_equal(g_chmod(path, 0600), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void a_sound_store_stays_as_it_is(void **state)
{
	World *world = *state;
	g_autofree char *folder = g_build_filename(world->repo, ".git", "firebreak", "damaged", NULL);
	set_aside(world, 0);
	assert_int_equal(finding_count(world->findings), 0);
	assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
	assert_readable(world, "a", world->commit);
}

static void a_ref_that_is_none_is_kept_as_it_was(void **state)
{
	World *world = *state;
	g_autofree char *path = g_build_filename(world->repo, ".git", "refs", "firebreak", world->commit, NULL);
	overwrite(path, "no SHA\n");
	set_aside(world, 1);
	g_autofree char *ref = kept(world, "ref"), *why = kept(world, "why");
	assert_string_equal(ref, "no SHA\n");
	assert_non_null(strstr(why, world->commit));
	assert_string_equal(finding_get(world->findings, 0)->code, "baseline_corrupt");
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_readable(world, "a", world->second);
}

static void an_object_that_git_cannot_read_is_moved(void **state)
{
	World *world = *state;
	g_autofree char *id = NULL, *path = object_file(world, "^{tree}", &id);
	overwrite(path, "nothing that zlib made");
	set_aside(world, 1);
	g_autofree char *object = kept(world, id);
	assert_string_equal(object, "nothing that zlib made");
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void a_damaged_commit_is_moved(void **state)
{
	World *world = *state;
	g_autofree char *id = NULL, *path = object_file(world, "", &id);
	overwrite(path, "");
	set_aside(world, 1);
	g_autofree char *object = kept(world, id);
	assert_string_equal(object, "");
}

/* The files of the other baseline of the commit can be read, and are. */
static void what_is_sound_of_the_commit_stays(void **state)
{
	World *world = *state;
	g_autofree char *list = g_strdup_printf("git ls-tree -r --name-only refs/firebreak/%s", world->commit);
	g_autofree char *out = run_in(world->repo, list);
	g_auto(GStrv) paths = g_strsplit(out, "\n", -1);
	g_autofree char *first = NULL;
	for (char **path = paths; *path != NULL && first == NULL; path++)
		if (g_str_has_suffix(*path, "manifest.json"))
			first = g_strconcat(":", *path, NULL);
	g_autofree char *id = NULL, *path = object_file(world, first, &id);
	overwrite(path, "x");
	set_aside(world, 1);
	g_autoptr(StackTable) table = stack_table_new();
	guint n = 0;
	for (const char *benchmark = "a"; benchmark != NULL; benchmark = g_str_equal(benchmark, "a") ? "b" : NULL) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Measurement) back =
		        baseline_store_get(world->store, world->commit, NULL, benchmark, table, &error);
		assert_no_error(error);
		n += back != NULL;
	}
	assert_int_equal(n, 1);
}

static void the_commit_can_be_stored_again(void **state)
{
	World *world = *state;
	g_autofree char *id = NULL, *path = object_file(world, "^{tree}", &id);
	overwrite(path, "damage");
	set_aside(world, 1);
	put(world->store, "a", world->commit);
	put(world->store, "b", world->commit);
	assert_readable(world, "a", world->commit);
	set_aside(world, 0);
}

static void the_next_damage_has_a_folder_of_its_own(void **state)
{
	World *world = *state;
	g_autofree char *path = g_build_filename(world->repo, ".git", "refs", "firebreak", world->commit, NULL);
	for (guint i = 1; i <= 2; i++) {
		g_autofree char *folder = kept_in(world, i);
		overwrite(path, "damage");
		set_aside(world, 1);
		assert_true(g_file_test(folder, G_FILE_TEST_IS_DIR));
		put(world->store, "a", world->commit);
	}
}

#define QUARANTINE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	/* a cause that hides another one is a fault, which GLib only warns of */
	g_log_set_always_fatal(G_LOG_LEVEL_WARNING | G_LOG_FATAL_MASK);
	const struct CMUnitTest tests[] = {
	        QUARANTINE_TEST(a_sound_store_stays_as_it_is),
	        QUARANTINE_TEST(a_ref_that_is_none_is_kept_as_it_was),
	        QUARANTINE_TEST(an_object_that_git_cannot_read_is_moved),
	        QUARANTINE_TEST(a_damaged_commit_is_moved),
	        QUARANTINE_TEST(what_is_sound_of_the_commit_stays),
	        QUARANTINE_TEST(the_commit_can_be_stored_again),
	        QUARANTINE_TEST(the_next_damage_has_a_folder_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
