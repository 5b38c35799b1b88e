/* SPDX-License-Identifier: Apache-2.0 */
/* Refs of a store, changed with texts that are no measurements: a ref takes what it is given. */
#include "baselines/refwrite.h"

#include "tests/baselines/fixture.h"

#define ONE "0123456789abcdef/one"
#define TWO "0123456789abcdef/two"
#define TIME_S 1600000000

typedef struct {
	char *repo, *commit;
	RefStore *store;
} World;

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	g_autoptr(GError) error = NULL;
	world->repo = new_repository(&world->commit);
	world->store = ref_store_open(world->repo, NULL, &error);
	assert_no_error(error);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	ref_store_free(world->store);
	remove_folder(world->repo);
	g_free(world->commit);
	g_free(world);
	return 0;
}

/* Writes an entry with that manifest; whether that worked is returned. */
static gboolean write_entry(RefStore *store, const char *commit, const char *path, const char *manifest, GError **error)
{
	g_autoptr(MeasurementText) text = g_new0(MeasurementText, 1);
	text->manifest = g_string_new(manifest);
	const RefEntry entry = {path, text};
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(RefEntry));
	g_array_append_val(entries, entry);
	return ref_store_write(store, commit, &(RefChanges){.entries = entries}, TIME_S, error);
}

static void put(const World *world, const char *path, const char *manifest)
{
	g_autoptr(GError) error = NULL;
	(void)write_entry(world->store, world->commit, path, manifest, &error);
	assert_no_error(error);
}

/* The manifest of an entry; NULL if there is none. Owned by the caller. */
static char *manifest_of(const World *world, const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(world->store, world->commit, &error);
	assert_no_error(error);
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, path, TRUE, &error);
	assert_no_error(error);
	return text != NULL ? g_strdup(text->manifest->str) : NULL;
}

static void assert_holds(const World *world, const char *path, const char *manifest)
{
	g_autofree char *is = manifest_of(world, path);
	assert_non_null(is);
	assert_string_equal(is, manifest);
}

/* Git prints this, with the name of the ref for `%s`. */
static char *ask_git(const World *world, const char *format)
{
	g_auto(GStrv) parts = g_strsplit(format, "%s", 2);
	g_autofree char *ref = ref_store_name(world->store, world->commit, NULL);
	g_autofree char *command = g_strconcat(parts[0], ref, parts[1], NULL);
	return run_in(world->repo, command);
}

static void what_is_written_is_there(void **state)
{
	put(*state, ONE, "first");
	assert_holds(*state, ONE, "first");
}

static void what_else_the_ref_holds_stays(void **state)
{
	put(*state, ONE, "first");
	put(*state, TWO, "second");
	assert_holds(*state, ONE, "first");
	assert_holds(*state, TWO, "second");
}

static void an_entry_is_replaced_as_a_whole(void **state)
{
	put(*state, ONE, "first");
	put(*state, ONE, "again");
	assert_holds(*state, ONE, "again");
}

/* A replaced value is not kept for ever. */
static void the_commit_of_a_ref_has_no_parent(void **state)
{
	put(*state, ONE, "first");
	put(*state, ONE, "again");
	g_autofree char *parents = ask_git(*state, "git log --format=%P %s");
	g_autofree char *time = ask_git(*state, "git log --format=%ct %s");
	assert_string_equal(parents, "");
	assert_string_equal(time, G_STRINGIFY(TIME_S));
}

/* Clones that hold the same have the same commit. */
static void the_same_entries_are_the_same_commit_in_whatever_order_they_came(void **state)
{
	const World *world = *state;
	git_oid first, second;
	gboolean found;
	put(world, ONE, "first");
	put(world, TWO, "second");
	assert_true(ref_store_tip(world->store, world->commit, &first, &found, NULL));
	g_free(ask_git(world, "git update-ref -d %s"));
	put(world, TWO, "second");
	put(world, ONE, "first");
	assert_true(ref_store_tip(world->store, world->commit, &second, &found, NULL));
	assert_true(git_oid_equal(&first, &second));
}

static void nothing_but_the_ref_is_touched(void **state)
{
	const World *world = *state;
	put(world, ONE, "first");
	g_autofree char *status = run_in(world->repo, "git status --porcelain");
	g_autofree char *head = run_in(world->repo, "git rev-parse HEAD");
	g_autofree char *refs = run_in(world->repo, "git for-each-ref --format=%(refname)");
	g_auto(GStrv) names = g_strsplit(refs, "\n", -1);
	assert_string_equal(status, "");
	assert_string_equal(head, world->commit);
	assert_int_equal(g_strv_length(names), 2);
}

static void a_commit_that_is_no_full_sha_is_refused(void **state)
{
	static const char *const names[] = {
	        "worktree", "HEAD", "0123456", "0123456789ABCDEF0123456789ABCDEF01234567", ""};
	const World *world = *state;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(write_entry(world->store, names[i], ONE, "first", &error));
		assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	}
}

/* As one that a git leaves which is killed at the wrong moment. */
static void a_lock_that_nobody_uses_ends_no_store(void **state)
{
	const World *world = *state;
	g_autofree char *ref = ref_store_name(world->store, world->commit, NULL);
	g_autofree char *lock = g_strdup_printf("%s/.git/%s.lock", world->repo, ref);
	g_autofree char *folder = g_path_get_dirname(lock);
	g_mkdir_with_parents(folder, 0755);
	assert_true(g_file_set_contents(lock, "", 0, NULL));
	ref_store_set_patience(world->store, 600);
	put(world, ONE, "first");
	assert_holds(world, ONE, "first");
	assert_false(g_file_test(lock, G_FILE_TEST_EXISTS));
}

/* A value that somebody has to look at is not written over. */
static void a_ref_to_something_else_is_not_touched(void **state)
{
	const World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *blob = run_in(world->repo, "git hash-object -w --stdin");
	g_autofree char *command = g_strdup_printf("git update-ref %%s %s", blob);
	g_free(ask_git(world, command));
	assert_false(write_entry(world->store, world->commit, ONE, "first", &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_BASELINE);
	assert_non_null(strstr(error->message, "baseline verify --set-aside"));
	g_autofree char *still = ask_git(world, "git rev-parse %s");
	assert_string_equal(still, blob);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_is_written_is_there),
	        TEST(what_else_the_ref_holds_stays),
	        TEST(an_entry_is_replaced_as_a_whole),
	        TEST(the_commit_of_a_ref_has_no_parent),
	        TEST(the_same_entries_are_the_same_commit_in_whatever_order_they_came),
	        TEST(nothing_but_the_ref_is_touched),
	        TEST(a_commit_that_is_no_full_sha_is_refused),
	        TEST(a_lock_that_nobody_uses_ends_no_store),
	        TEST(a_ref_to_something_else_is_not_touched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
