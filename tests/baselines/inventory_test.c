/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/inventory.h"

#include "tests/baselines/fixture.h"

typedef struct {
	char *repo;
	char *first, *second; /* commits */
	BaselineStore *store;
} World;

static void put(World *world, const char *benchmark, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, "", table);
	baseline_store_put(world->store, measurement, &error);
	assert_no_error(error);
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->first);
	do_in(world->repo, "git commit -q --allow-empty -m second");
	world->second = run_in(world->repo, "git rev-parse HEAD");
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	put(world, "b", world->second);
	put(world, "b", world->first);
	put(world, "a", world->second);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	baseline_store_free(world->store);
	remove_folder(world->repo);
	g_free(world->first);
	g_free(world->second);
	g_free(world);
	return 0;
}

static const BaselineEntry *entry_at(const GPtrArray *list, guint index)
{
	return list->pdata[index];
}

static void the_list_is_ordered_by_commit_and_benchmark(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, &error);
	assert_no_error(error);
	assert_int_equal(list->len, 3);
	assert_string_equal(entry_at(list, 0)->commit, world->first);
	assert_string_equal(entry_at(list, 1)->commit, world->second);
	assert_string_equal(entry_at(list, 1)->benchmark, "a");
	assert_string_equal(entry_at(list, 2)->benchmark, "b");
}

static void an_entry_says_what_is_stored(void **state)
{
	World *world = *state;
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	const BaselineEntry *entry = entry_at(list, 0);
	g_autofree char *file = g_strdup_printf("refs/firebreak/%s:%s", entry->commit, entry->path);
	g_autofree char *manifest = g_strdup_printf("git cat-file -s %s/manifest.json", file);
	g_autofree char *stacks = g_strdup_printf("git cat-file -s %s/stacks", file);
	g_autofree char *manifest_size = run_in(world->repo, manifest);
	g_autofree char *stacks_size = run_in(world->repo, stacks);
	assert_int_equal(entry->size_bytes, atoi(manifest_size) + atoi(stacks_size));
	assert_int_equal(entry->runs, 3);
	assert_int_equal(g_strv_length(entry->engines), 2);
	assert_string_equal(entry->engines[0], "callgrind");
	assert_string_equal(entry->engines[1], "perf");
	assert_int_equal(strlen(entry->fingerprint), 64);
	assert_int_equal(strncmp(entry->path, entry->fingerprint, 16), 0);
	assert_null(entry->problem);
}

static void an_empty_store_has_an_empty_list(void **state)
{
	(void)state;
	g_autoptr(GError) error = NULL;
	g_autofree char *commit = NULL;
	char *repo = new_repository(&commit);
	g_autoptr(BaselineStore) store = baseline_store_open(repo, BASELINE_STORE_PREFIX, NULL);
	g_autoptr(GPtrArray) list = baseline_store_list(store, &error);
	assert_no_error(error);
	assert_int_equal(list->len, 0);
	remove_folder(repo);
}

static void refs_of_another_form_are_left_alone(void **state)
{
	World *world = *state;
	do_in(world->repo, "git update-ref refs/firebreak/notes HEAD");
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	assert_int_equal(list->len, 3);
}

static gboolean verify(World *world, FindingList *findings)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(BaselineStore) fresh = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	gboolean ok = TRUE;
	baseline_store_verify(fresh, findings, &ok, &error);
	assert_no_error(error);
	return ok;
}

static void a_sound_store_verifies_without_findings(void **state)
{
	g_autoptr(FindingList) findings = finding_list_new();
	assert_true(verify(*state, findings));
	assert_int_equal(finding_count(findings), 0);
}

/* The path of the loose object of `name`. */
static char *object_path(const char *repo, const char *name)
{
	g_autofree char *command = g_strdup_printf("git rev-parse --verify %s", name);
	g_autofree char *oid = run_in(repo, command);
	return g_strdup_printf("%s/.git/objects/%.2s/%s", repo, oid, oid + 2);
}

/* Asserts that with the object of `name` damaged in several ways, verify reports exactly one baseline. */
static void assert_damage_is_found(World *world, const char *name)
{
	g_autofree char *path = object_path(world->repo, name);
	g_autofree char *content = NULL;
	gsize length;
	assert_true(g_file_get_contents(path, &content, &length, NULL));
	const gsize lengths[] = {0, 1, length / 2, length - 1, length};
	for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
		g_autoptr(FindingList) findings = finding_list_new();
		content[length / 2] ^= 0x10;
		assert_true(g_file_set_contents(path, content, (gssize)lengths[i], NULL));
		content[length / 2] ^= 0x10;
		assert_false(verify(world, findings));
		assert_true(finding_has(findings, "baseline_corrupt"));
	}
	assert_int_equal(g_unlink(path), 0);
	g_autoptr(FindingList) findings = finding_list_new();
	assert_false(verify(world, findings));
	assert_true(g_file_set_contents(path, content, (gssize)length, NULL));
}

static void damage_of_any_object_is_found(void **state)
{
	World *world = *state;
	static const char *const below[] = {"", "^{tree}", ":%s", ":%s/manifest.json", ":%s/stacks"};
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(below); i++) {
		g_auto(GStrv) parts = g_strsplit(below[i], "%s", 2);
		g_autofree char *rest = g_strjoinv(entry_at(list, 0)->path, parts);
		g_autofree char *name = g_strdup_printf("refs/firebreak/%s%s", world->first, rest);
		assert_damage_is_found(world, name);
	}
	g_autoptr(FindingList) findings = finding_list_new();
	assert_true(verify(world, findings));
}

static void a_damaged_manifest_is_listed_with_its_problem(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) list = baseline_store_list(world->store, NULL);
	g_autofree char *name =
	        g_strdup_printf("refs/firebreak/%s:%s/manifest.json", world->first, entry_at(list, 0)->path);
	g_autofree char *path = object_path(world->repo, name);
	assert_true(g_file_set_contents(path, "garbage", -1, NULL));
	g_autoptr(BaselineStore) fresh = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	g_autoptr(GPtrArray) damaged = baseline_store_list(fresh, &error);
	assert_no_error(error);
	assert_int_equal(damaged->len, 3);
	assert_non_null(entry_at(damaged, 0)->problem);
	assert_string_equal(entry_at(damaged, 0)->benchmark, "b");
	assert_null(entry_at(damaged, 1)->problem);
}

static void a_baseline_under_another_commit_is_misplaced(void **state)
{
	World *world = *state;
	g_autoptr(FindingList) findings = finding_list_new();
	g_autofree char *command =
	        g_strdup_printf("git update-ref refs/firebreak/%s refs/firebreak/%s", world->first, world->second);
	do_in(world->repo, command);
	assert_false(verify(world, findings));
	assert_int_equal(finding_count(findings), 2);
	assert_non_null(strstr(finding_get(findings, 0)->text, "misplaced"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(the_list_is_ordered_by_commit_and_benchmark, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(an_entry_says_what_is_stored, set_up, tear_down),
	        cmocka_unit_test(an_empty_store_has_an_empty_list),
	        cmocka_unit_test_setup_teardown(refs_of_another_form_are_left_alone, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_sound_store_verifies_without_findings, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(damage_of_any_object_is_found, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_damaged_manifest_is_listed_with_its_problem, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_baseline_under_another_commit_is_misplaced, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
