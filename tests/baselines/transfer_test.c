/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/transfer.h"

#include "baselines/seal.h"
#include "tests/baselines/fixture.h"

typedef struct {
	char *repo, *commit;
	char *file; /* an export of two baselines of `commit` */
	BaselineStore *store;
} World;

static void put(BaselineStore *store, const char *benchmark, const char *commit, gboolean with_profile)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, "", table);
	if (!with_profile)
		profile_free(g_steal_pointer(&measurement->profile));
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
}

static int set_up(void **state)
{
	g_autoptr(GError) error = NULL;
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->commit);
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	world->file = g_build_filename(world->repo, "exported.json", NULL);
	put(world->store, "a", world->commit, TRUE);
	put(world->store, "b", world->commit, FALSE);
	baseline_export(world->store, world->commit, world->file, &error);
	assert_no_error(error);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	baseline_store_free(world->store);
	remove_folder(world->repo);
	g_free(world->commit);
	g_free(world->file);
	g_free(world);
	return 0;
}

static char *tip_of(const char *repo, const char *commit)
{
	g_autofree char *command = g_strdup_printf("git rev-parse --verify refs/firebreak/%s", commit);
	return run_in(repo, command);
}

static void an_import_elsewhere_makes_the_same_objects(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	char *elsewhere = new_folder();
	do_in(elsewhere, "git init -q");
	g_autoptr(BaselineStore) store = baseline_store_open(elsewhere, BASELINE_STORE_PREFIX, NULL);
	g_autofree char *commit = baseline_import(store, world->file, NULL, &error);
	assert_no_error(error);
	assert_string_equal(commit, world->commit);
	g_autofree char *x = tip_of(world->repo, commit), *y = tip_of(elsewhere, commit);
	assert_string_equal(x, y);
	remove_folder(elsewhere);
}

static void an_import_adds_to_what_is_there(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	put(world->store, "c", world->commit, TRUE);
	g_autofree char *commit = baseline_import(world->store, world->file, NULL, &error);
	assert_no_error(error);
	g_autoptr(Measurement) kept = baseline_store_get(world->store, commit, NULL, "c", table, &error);
	assert_no_error(error);
	assert_non_null(kept);
}

static void an_import_can_be_for_another_commit(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	do_in(world->repo, "git commit -q --allow-empty -m second");
	g_autofree char *second = run_in(world->repo, "git rev-parse HEAD");
	g_autofree char *commit = baseline_import(world->store, world->file, second, &error);
	assert_no_error(error);
	assert_string_equal(commit, second);
	g_autoptr(Measurement) back = baseline_store_get(world->store, second, NULL, "a", table, &error);
	assert_no_error(error);
	g_autoptr(Measurement) original = baseline_store_get(world->store, world->commit, NULL, "a", table, &error);
	assert_string_equal(back->commit, second);
	assert_same_metrics(original, back);
	assert_same_profile(original->profile, back->profile);
}

static void a_commit_that_is_not_there_is_a_usage_error(void **state)
{
	World *world = *state;
	static const char *const commits[] = {"main", "0123456789abcdef0123456789abcdef01234567"};
	for (guint i = 0; i < G_N_ELEMENTS(commits); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(baseline_import(world->store, world->file, commits[i], &error));
		assert_error_code(error, FIREBREAK_ERROR_USAGE);
	}
}

static void a_file_is_readable_without_a_store(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autofree char *commit = NULL;
	g_autoptr(GPtrArray) measurements = baseline_export_read(world->file, table, &commit, &error);
	assert_no_error(error);
	assert_string_equal(commit, world->commit);
	assert_int_equal(measurements->len, 2);
	g_autoptr(Measurement) wanted = baseline_store_get(world->store, commit, NULL, "a", table, &error);
	assert_same_measurement(wanted, measurements->pdata[0]);
}

static void the_same_baselines_give_the_same_file(void **state)
{
	World *world = *state;
	g_autofree char *again = g_strconcat(world->file, "2", NULL);
	g_autofree char *x = NULL, *y = NULL;
	assert_true(baseline_export(world->store, world->commit, again, NULL));
	assert_true(g_file_get_contents(world->file, &x, NULL, NULL));
	assert_true(g_file_get_contents(again, &y, NULL, NULL));
	assert_string_equal(x, y);
}

static void exporting_what_is_not_there_is_an_error(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *other = g_strconcat(world->file, "2", NULL);
	assert_false(baseline_export(world->store, "0123456789abcdef0123456789abcdef01234567", other, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	assert_false(g_file_test(other, G_FILE_TEST_EXISTS));
}

/* Writes `text` in place of the export and asserts that nothing of it is believed. */
static void assert_refused(World *world, const char *text, gsize length)
{
	g_autoptr(GError) error = NULL;
	assert_true(g_file_set_contents(world->file, text, (gssize)length, NULL));
	assert_null(baseline_import(world->store, world->file, NULL, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
}

static void damaged_files_are_refused(void **state)
{
	World *world = *state;
	g_autofree char *text = NULL;
	gsize length;
	assert_true(g_file_get_contents(world->file, &text, &length, NULL));
	for (gsize i = 0; i < length; i += 37) {
		text[i] ^= 4;
		assert_refused(world, text, length);
		text[i] ^= 4;
		assert_refused(world, text, i);
	}
}

/* The export with `from` replaced by `to` and a right hash of its own. */
static char *resealed(const World *world, const char *from, const char *to)
{
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(world->file, &text, NULL, NULL));
	g_auto(GStrv) pieces = g_strsplit(strstr(text, "\n \"commit\""), from, 2);
	assert_non_null(pieces[1]);
	g_autofree char *object = g_strconcat("{", pieces[0], to, pieces[1], NULL);
	return g_string_free(seal_json("firebreak-export", 1, g_strchomp(object)), FALSE);
}

static void files_that_are_sealed_but_hold_damaged_baselines_are_refused(void **state)
{
	World *world = *state;
	static const char *const changes[][2] = {
	        {"main", "mian"},
	        {"\"entries\"", "\"entry\""},
	        {"\"manifest\"", "\"manifests\""},
	        {"\"commit\": \"", "\"commit\": \"0"},
	};
	g_autofree char *original = NULL;
	assert_true(g_file_get_contents(world->file, &original, NULL, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autofree char *text = resealed(world, changes[i][0], changes[i][1]);
		assert_refused(world, text, strlen(text));
		assert_true(g_file_set_contents(world->file, original, -1, NULL));
	}
}

static void what_is_not_a_file_is_a_storage_error(void **state)
{
	World *world = *state;
	g_autofree char *fifo = g_strconcat(world->file, ".fifo", NULL);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	const char *const paths[] = {world->repo, fifo, "/nonexistent/file"};
	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(baseline_import(world->store, paths[i], NULL, &error));
		assert_error_code(error, FIREBREAK_ERROR_STORAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(an_import_elsewhere_makes_the_same_objects, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_import_adds_to_what_is_there, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_import_can_be_for_another_commit, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_commit_that_is_not_there_is_a_usage_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_file_is_readable_without_a_store, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(the_same_baselines_give_the_same_file, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(exporting_what_is_not_there_is_an_error, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(damaged_files_are_refused, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(
	                files_that_are_sealed_but_hold_damaged_baselines_are_refused, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_is_not_a_file_is_a_storage_error, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
