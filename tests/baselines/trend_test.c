/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/trend.h"

#include "tests/baselines/fixture.h"

/* A line of five commits; those at 0, 2 and 4 have baselines of `parse`, the last one also of `other`. */
#define LINE 5

typedef struct {
	char *repo;
	char *shas[LINE]; /* oldest first */
	BaselineStore *store;
	FindingList *findings;
} World;

static void store(World *world, const char *benchmark, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) measurement = awkward_measurement(benchmark, commit, "salt", table);
	baseline_store_put(world->store, measurement, &error);
	assert_no_error(error);
}

static int set_up(void **state)
{
	g_autoptr(GError) error = NULL;
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->shas[0]);
	for (guint i = 1; i < LINE; i++) {
		g_autofree char *command =
		        g_strdup_printf("git commit -q --allow-empty --date=@1600000000 -m number-%u", i);
		do_in(world->repo, command);
		world->shas[i] = run_in(world->repo, "git rev-parse HEAD");
	}
	world->findings = finding_list_new();
	world->store = baseline_store_open(world->repo, NULL, &error);
	assert_no_error(error);
	for (guint i = 0; i < LINE; i += 2)
		store(world, "parse", world->shas[i]);
	store(world, "other", world->shas[LINE - 1]);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	baseline_store_free(world->store);
	finding_list_free(world->findings);
	for (guint i = 0; i < LINE; i++)
		g_free(world->shas[i]);
	remove_folder(world->repo);
	g_free(world);
	return 0;
}

static GPtrArray *commits_of(const World *world, const char *head, guint most, guint within)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *commits =
	        trend_commits(world->store, &(TrendRequest){.head = head, .most = most, .within = within}, &error);
	assert_no_error(error);
	return commits;
}

static const TrendCommit *commit_at(const GPtrArray *commits, guint index)
{
	assert_true(index < commits->len);
	return commits->pdata[index];
}

static void commits_with_baselines_come_oldest_first(void **state)
{
	const World *world = *state;
	g_autoptr(GPtrArray) commits = commits_of(world, world->shas[LINE - 1], 10, 0);
	assert_int_equal(commits->len, 3);
	for (guint i = 0; i < 3; i++) {
		assert_string_equal(commit_at(commits, i)->sha, world->shas[2 * i]);
		assert_int_equal(commit_at(commits, i)->position, 2 * i);
	}
	assert_string_equal(commit_at(commits, 0)->subject, "first");
	assert_string_equal(commit_at(commits, 2)->subject, "number-4");
	assert_true(commit_at(commits, 2)->time_s > 0);
}

static void the_newest_are_taken_where_there_are_too_many(void **state)
{
	const World *world = *state;
	g_autoptr(GPtrArray) commits = commits_of(world, world->shas[LINE - 1], 2, 0);
	assert_int_equal(commits->len, 2);
	assert_string_equal(commit_at(commits, 0)->sha, world->shas[2]);
	assert_int_equal(commit_at(commits, 0)->position, 0);
}

static void the_search_goes_no_further_than_asked(void **state)
{
	const World *world = *state;
	g_autoptr(GPtrArray) commits = commits_of(world, world->shas[LINE - 1], 10, 2);
	assert_int_equal(commits->len, 1);
}

static void what_was_merged_is_not_on_the_line(void **state)
{
	World *world = *state;
	do_in(world->repo, "git checkout -q -b side HEAD~3");
	do_in(world->repo, "git commit -q --allow-empty -m aside");
	g_autofree char *aside = run_in(world->repo, "git rev-parse HEAD");
	store(world, "parse", aside);
	do_in(world->repo, "git checkout -q main");
	do_in(world->repo, "git merge -q --no-ff -m merged side");
	g_autofree char *merged = run_in(world->repo, "git rev-parse HEAD");
	g_autoptr(GPtrArray) commits = commits_of(world, merged, 10, 0);
	assert_int_equal(commits->len, 3);
	do_in(world->repo, "git reset -q --hard HEAD~1");
}

static void an_unknown_head_is_an_error(void **state)
{
	const World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) commits = trend_commits(
	        world->store, &(TrendRequest){.head = "0123456789012345678901234567890123456789", .most = 5}, &error);
	assert_null(commits);
	assert_error_code(error, FIREBREAK_ERROR_USAGE);
}

static GPtrArray *measurements_of(const World *world, const char *benchmark, gboolean stacks)
{
	g_autoptr(GError) error = NULL;
	TrendWanted wanted = {.commit = world->shas[LINE - 1], .benchmark = benchmark, .stacks = stacks};
	GPtrArray *measurements = trend_measurements(world->store, &wanted, world->findings, &error);
	assert_no_error(error);
	return measurements;
}

static void measurements_of_a_benchmark_come_without_the_others(void **state)
{
	g_autoptr(GPtrArray) one = measurements_of(*state, "other", FALSE), all = measurements_of(*state, NULL, FALSE);
	assert_int_equal(one->len, 1);
	assert_string_equal(((Measurement *)one->pdata[0])->benchmark, "other");
	assert_int_equal(all->len, 2);
}

static void stacks_are_read_only_if_asked_for(void **state)
{
	g_autoptr(GPtrArray) without = measurements_of(*state, "parse", FALSE);
	g_autoptr(GPtrArray) with = measurements_of(*state, "parse", TRUE);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) wanted =
	        awkward_measurement("parse", ((const World *)*state)->shas[LINE - 1], "salt", table);
	assert_null(((Measurement *)without->pdata[0])->profile);
	assert_same_metrics(without->pdata[0], wanted);
	assert_same_measurement(with->pdata[0], wanted);
}

static void a_commit_without_baselines_has_no_measurements(void **state)
{
	const World *world = *state;
	g_autoptr(GError) error = NULL;
	TrendWanted wanted = {.commit = world->shas[1]};
	g_autoptr(GPtrArray) none = trend_measurements(world->store, &wanted, world->findings, &error);
	assert_no_error(error);
	assert_int_equal(none->len, 0);
}

/* The first file below the ref becomes another text. */
static void a_damaged_baseline_is_a_finding(void **state)
{
	World *world = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *list = g_strdup_printf("git ls-tree -r --name-only refs/firebreak/%s", world->shas[2]);
	g_autofree char *paths = run_in(world->repo, list);
	g_autofree char *manifest = g_strndup(paths, strcspn(paths, "\n"));
	g_autofree char *script =
	        g_strdup_printf("export GIT_INDEX_FILE=$PWD/.git/damaged && "
	                        "git read-tree refs/firebreak/%s && "
	                        "git update-index --cacheinfo 100644,$(echo x | git hash-object -w "
	                        "--stdin),%s && "
	                        "git update-ref refs/firebreak/%s $(git commit-tree -m 'firebreak baseline of x' "
	                        "$(git write-tree))",
	                world->shas[2], manifest, world->shas[2]);
	g_autofree char *file = g_build_filename(world->repo, ".git", "damage.sh", NULL);
	assert_true(g_file_set_contents(file, script, -1, NULL));
	do_in(world->repo, "sh .git/damage.sh");
	TrendWanted wanted = {.commit = world->shas[2]};
	g_autoptr(GPtrArray) none = trend_measurements(world->store, &wanted, world->findings, &error);
	assert_no_error(error);
	assert_int_equal(none->len, 0);
	assert_true(finding_has(world->findings, "baseline_corrupt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(commits_with_baselines_come_oldest_first),
	        cmocka_unit_test(the_newest_are_taken_where_there_are_too_many),
	        cmocka_unit_test(the_search_goes_no_further_than_asked),
	        cmocka_unit_test(what_was_merged_is_not_on_the_line),
	        cmocka_unit_test(an_unknown_head_is_an_error),
	        cmocka_unit_test(measurements_of_a_benchmark_come_without_the_others),
	        cmocka_unit_test(stacks_are_read_only_if_asked_for),
	        cmocka_unit_test(a_commit_without_baselines_has_no_measurements),
	        cmocka_unit_test(a_damaged_baseline_is_a_finding),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
