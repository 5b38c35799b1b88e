/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/refmerge.h"

#include "baselines/inventory.h"
#include "baselines/refwrite.h"
#include "baselines/seal.h"
#include "tests/baselines/fixture.h"

/* Two stores of one repository, with prefixes of their own: so either can merge what the other holds. */
typedef struct {
	char *repo, *commit;
	BaselineStore *stores[2];
	FindingList *findings;
} World;

static const char *const prefixes[] = {"refs/first/", "refs/second/"};

static void open_world(World *world)
{
	world->repo = new_repository(&world->commit);
	for (int i = 0; i < 2; i++)
		world->stores[i] = baseline_store_open(world->repo, prefixes[i], NULL);
	world->findings = finding_list_new();
}

static void close_world(World *world)
{
	for (int i = 0; i < 2; i++)
		baseline_store_free(world->stores[i]);
	finding_list_free(world->findings);
	remove_folder(world->repo);
	g_free(world->commit);
}

static void put(const World *world, int store, const char *benchmark, guint n_runs, const char *salt)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Measurement) measurement = measurement_new(benchmark, world->commit, world->commit);
	environment_set(measurement->environment, "boot_id", METRIC_SAME_CAMPAIGN, salt);
	add_awkward_runs(measurement, n_runs);
	baseline_store_put(world->stores[store], measurement, &error);
	assert_no_error(error);
}

static git_oid tip_of(const World *world, int store)
{
	git_oid tip;
	gboolean found;
	g_autoptr(GError) error = NULL;
	(void)ref_store_tip(baseline_store_refs(world->stores[store]), world->commit, &tip, &found, &error);
	assert_no_error(error);
	assert_true(found);
	return tip;
}

/* The store takes what the commit object holds; whether that changed it is returned. */
static gboolean merge(World *world, int store, git_oid incoming)
{
	gboolean changed = FALSE;
	g_autoptr(GError) error = NULL;
	(void)ref_store_merge(
	        baseline_store_refs(world->stores[store]), world->commit, &incoming, world->findings, &changed, &error);
	assert_no_error(error);
	return changed;
}

/* Both stores take what the other one had; then they are equal, which is asserted. */
static void exchange(World *world)
{
	git_oid first = tip_of(world, 0), second = tip_of(world, 1);
	(void)merge(world, 0, second);
	(void)merge(world, 1, first);
	git_oid a = tip_of(world, 0), b = tip_of(world, 1);
	assert_memory_equal(&a, &b, sizeof a);
}

/* "name:runs name:runs" of what a store holds. */
static char *contents(const World *world, int store)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) list = baseline_store_list_commit(world->stores[store], world->commit, &error);
	assert_no_error(error);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < list->len; i++) {
		const BaselineEntry *entry = list->pdata[i];
		g_string_append_printf(text, "%s%s:%u", i > 0 ? " " : "", entry->benchmark, entry->runs);
	}
	return g_string_free(text, FALSE);
}

static void assert_contents(const World *world, const char *wanted)
{
	for (int i = 0; i < 2; i++) {
		g_autofree char *got = contents(world, i);
		assert_string_equal(got, wanted);
	}
}

static void what_one_side_has_alone_is_in_both(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 2, "x");
	put(&world, 1, "b", 3, "x");
	exchange(&world);
	assert_contents(&world, "a:2 b:3");
	assert_int_equal(finding_count(world.findings), 0);
	close_world(&world);
}

static void a_store_that_has_nothing_gets_the_very_same_object(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 2, "x");
	git_oid theirs = tip_of(&world, 0);
	assert_true(merge(&world, 1, theirs));
	git_oid ours = tip_of(&world, 1);
	assert_memory_equal(&ours, &theirs, sizeof ours);
	assert_false(merge(&world, 1, theirs));
	close_world(&world);
}

static void of_two_of_one_place_the_one_with_more_runs_stays(void **state)
{
	(void)state;
	for (guint side = 0; side < 2; side++) {
		World world;
		open_world(&world);
		put(&world, 0, "a", side == 0 ? 5 : 2, "x");
		put(&world, 1, "a", side == 0 ? 2 : 5, "x");
		exchange(&world);
		assert_contents(&world, "a:5");
		close_world(&world);
	}
}

static void of_two_with_as_many_runs_the_same_one_stays_on_both_sides(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 2, "one");
	put(&world, 1, "a", 2, "other");
	exchange(&world); /* asserts that both are equal */
	close_world(&world);
}

/* A commit object whose first manifest went through a filter, a shell command. */
static git_oid forge(const World *world, int store, const char *filter)
{
	git_oid tip = tip_of(world, store), id;
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *script =
	        g_strdup_printf("set -e\n"
	                        "t=%s\n"
	                        "p=$(git ls-tree -r --name-only $t | head -n 1)\n"
	                        "b=$(git cat-file blob $t:$p | { %s; } | git hash-object -w --stdin)\n"
	                        "export GIT_INDEX_FILE=$PWD/forged\n"
	                        "git read-tree $t && git update-index --cacheinfo 100644,$b,$p\n"
	                        "git commit-tree -m 'firebreak baseline of x' $(git write-tree)\n",
	                git_oid_tostr(hex, sizeof hex, &tip), filter);
	g_autofree char *path = g_build_filename(world->repo, "forge.sh", NULL);
	assert_true(g_file_set_contents(path, script, -1, NULL));
	g_autofree char *forged = run_in(world->repo, "sh forge.sh");
	assert_int_equal(git_oid_fromstr(&id, forged), 0);
	return id;
}

static void damage_is_not_taken_and_told(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 5, "x");
	put(&world, 0, "b", 2, "x");
	git_oid forged = forge(&world, 0, "sed s/work/wirk/");
	assert_true(merge(&world, 1, forged));
	g_autofree char *got = contents(&world, 1);
	assert_string_equal(got, "b:2");
	assert_true(finding_has(world.findings, "baseline_corrupt"));
	close_world(&world);
}

static void a_sound_one_replaces_a_damaged_one_with_more_runs(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 5, "x");
	put(&world, 1, "a", 2, "x");
	git_oid forged = forge(&world, 0, "sed s/work/wirk/"), sound = tip_of(&world, 1);
	char hex[GIT_OID_HEXSZ + 1];
	g_autofree char *update = g_strdup_printf(
	        "git update-ref %s%s %s", prefixes[0], world.commit, git_oid_tostr(hex, sizeof hex, &forged));
	do_in(world.repo, update);
	assert_true(merge(&world, 0, sound));
	g_autofree char *got = contents(&world, 0);
	assert_string_equal(got, "a:2");
	assert_true(finding_has(world.findings, "baseline_corrupt"));
	close_world(&world);
}

static void an_entry_of_a_newer_schema_is_carried_over_and_stays(void **state)
{
	(void)state;
	World world;
	char hex[GIT_OID_HEXSZ + 1];
	open_world(&world);
	put(&world, 0, "a", 2, "x");
	put(&world, 1, "a", 5, "x");
	GString *newer = seal_json("firebreak-baseline", 2, "{\"all\": \"new\"}");
	g_autofree char *path = g_build_filename(world.repo, "newer.json", NULL);
	assert_true(g_file_set_contents(path, newer->str, -1, NULL));
	git_oid forged = forge(&world, 0, "cat >/dev/null; cat newer.json"), known = tip_of(&world, 1);
	g_autofree char *wanted_tree =
	        g_strdup_printf("git rev-parse %s^{tree}", git_oid_tostr(hex, sizeof hex, &forged));
	g_autofree char *wanted = run_in(world.repo, wanted_tree);
	assert_true(merge(&world, 1, forged));
	assert_false(merge(&world, 1, known));
	g_autofree char *got_tree = g_strdup_printf("git rev-parse %s%s^{tree}", prefixes[1], world.commit);
	g_autofree char *got = run_in(world.repo, got_tree);
	assert_string_equal(got, wanted);
	assert_int_equal(finding_count(world.findings), 0);
	g_string_free(newer, TRUE);
	close_world(&world);
}

static void what_a_later_version_adds_to_the_layout_is_carried_over(void **state)
{
	(void)state;
	World world;
	open_world(&world);
	put(&world, 0, "a", 2, "x");
	put(&world, 1, "b", 2, "x");
	g_autofree char *script =
	        g_strdup_printf("t=%s%s\n"
	                        "b=$(echo text | git hash-object -w --stdin)\n"
	                        "export GIT_INDEX_FILE=$PWD/later\n"
	                        "git read-tree $t\n"
	                        "git update-index --add --cacheinfo 100644,$b,later/file\n"
	                        "git update-ref $t $(git commit-tree -m 'firebreak baseline of x' $(git write-tree))\n",
	                prefixes[0], world.commit);
	g_autofree char *path = g_build_filename(world.repo, "later.sh", NULL);
	assert_true(g_file_set_contents(path, script, -1, NULL));
	do_in(world.repo, "sh later.sh");
	assert_true(merge(&world, 1, tip_of(&world, 0)));
	g_autofree char *show = g_strdup_printf("git show %s%s:later/file", prefixes[1], world.commit);
	g_autofree char *text = run_in(world.repo, show);
	assert_string_equal(text, "text");
	close_world(&world);
}

static void a_commit_object_that_is_missing_is_an_error_and_changes_nothing(void **state)
{
	(void)state;
	World world;
	git_oid missing;
	gboolean changed = FALSE;
	g_autoptr(GError) error = NULL;
	open_world(&world);
	put(&world, 0, "a", 2, "x");
	git_oid before = tip_of(&world, 0);
	assert_int_equal(git_oid_fromstr(&missing, "0123456789abcdef0123456789abcdef01234567"), 0);
	assert_false(ref_store_merge(
	        baseline_store_refs(world.stores[0]), world.commit, &missing, world.findings, &changed, &error));
	assert_error_code(error, FIREBREAK_ERROR_BASELINE);
	git_oid after = tip_of(&world, 0);
	assert_memory_equal(&before, &after, sizeof before);
	close_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_one_side_has_alone_is_in_both),
	        cmocka_unit_test(a_store_that_has_nothing_gets_the_very_same_object),
	        cmocka_unit_test(of_two_of_one_place_the_one_with_more_runs_stays),
	        cmocka_unit_test(of_two_with_as_many_runs_the_same_one_stays_on_both_sides),
	        cmocka_unit_test(damage_is_not_taken_and_told),
	        cmocka_unit_test(a_sound_one_replaces_a_damaged_one_with_more_runs),
	        cmocka_unit_test(an_entry_of_a_newer_schema_is_carried_over_and_stays),
	        cmocka_unit_test(what_a_later_version_adds_to_the_layout_is_carried_over),
	        cmocka_unit_test(a_commit_object_that_is_missing_is_an_error_and_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
