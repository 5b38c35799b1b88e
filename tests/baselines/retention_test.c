/* SPDX-License-Identifier: Apache-2.0 */
/* Which baselines stay, and which go. */
#include "baselines/retention.h"

#include "tests/baselines/fixture.h"

#define COMMITS 5

/* A line of commits, each with a baseline; the first is the oldest. */
typedef struct {
	char *repo, *commits[COMMITS];
	BaselineStore *store;
	FindingList *findings;
	RetentionResult result;
} World;

static void put(BaselineStore *store, const char *commit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Measurement) measurement =
	        measurement_new("work", commit, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	environment_set(measurement->environment, "cpu_model", METRIC_REPLICABLE, "Some CPU");
	add_awkward_runs(measurement, 3);
	baseline_store_put(store, measurement, &error);
	assert_no_error(error);
}

/* Commits in `repo`, as if it were `at` seconds after the first. */
static char *commit(const char *repo, guint at)
{
	g_autofree char *time = g_strdup_printf("@%u +0000", 1600000000 + at);
	g_setenv("GIT_COMMITTER_DATE", time, TRUE);
	do_in(repo, "git commit -q --allow-empty -m next");
	g_unsetenv("GIT_COMMITTER_DATE");
	return run_in(repo, "git rev-parse HEAD");
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	world->repo = new_repository(&world->commits[0]);
	for (guint i = 1; i < COMMITS; i++)
		world->commits[i] = commit(world->repo, 60 * i);
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	world->findings = finding_list_new();
	for (guint i = 0; i < COMMITS; i++)
		put(world->store, world->commits[i]);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	World *world = *state;
	retention_result_clear(&world->result);
	finding_list_free(world->findings);
	baseline_store_free(world->store);
	remove_folder(world->repo);
	for (guint i = 0; i < COMMITS; i++)
		g_free(world->commits[i]);
	g_free(world);
	return 0;
}

static void prune(World *world, RetentionRules rules)
{
	g_autoptr(GError) error = NULL;
	retention_result_clear(&world->result);
	world->result = (RetentionResult){0};
	baseline_prune(world->store, &rules, world->findings, &world->result, &error);
	assert_no_error(error);
}

static void assert_refused(World *world, RetentionRules rules, const char *says)
{
	g_autoptr(GError) error = NULL;
	g_auto(RetentionResult) result = {0};
	assert_false(baseline_prune(world->store, &rules, world->findings, &result, &error));
	assert_error_code(error, FIREBREAK_ERROR_USAGE);
	if (strstr(error->message, says) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", error->message, says);
}

static gboolean is_stored(const char *repo, const char *commit)
{
	g_autofree char *command = g_strdup_printf("git for-each-ref refs/firebreak/%s", commit);
	g_autofree char *out = run_in(repo, command);
	return *out != '\0';
}

/* `wanted` has a letter for each commit: + is stored, - is not. */
static void assert_stored(const World *world, const char *repo, const char *wanted)
{
	char got[COMMITS + 1] = "";
	for (guint i = 0; i < COMMITS; i++)
		got[i] = is_stored(repo, world->commits[i]) ? '+' : '-';
	assert_string_equal(got, wanted);
}

static void the_newest_commits_of_the_default_branch_stay(void **state)
{
	World *world = *state;
	prune(world, (RetentionRules){.keep = 2});
	assert_stored(world, world->repo, "---++");
	assert_int_equal(world->result.kept, 2);
	assert_int_equal(world->result.removed, 3);
	assert_int_equal(world->result.commits->len, 3);
	assert_int_equal(finding_count(world->findings), 0);
}

static void a_commit_without_a_baseline_takes_no_place(void **state)
{
	World *world = *state;
	g_autofree char *newest = commit(world->repo, 60 * COMMITS);
	prune(world, (RetentionRules){.keep = 2});
	assert_stored(world, world->repo, "---++");
}

static void more_room_than_commits_removes_nothing(void **state)
{
	World *world = *state;
	prune(world, (RetentionRules){.keep = 2 * COMMITS});
	assert_stored(world, world->repo, "+++++");
	assert_int_equal(world->result.kept, COMMITS);
	assert_int_equal(world->result.removed, 0);
}

static void a_dry_run_says_what_would_go_and_removes_nothing(void **state)
{
	World *world = *state;
	prune(world, (RetentionRules){.keep = 4, .dry_run = TRUE});
	assert_stored(world, world->repo, "+++++");
	assert_int_equal(world->result.removed, 1);
	assert_string_equal(world->result.commits->pdata[0], world->commits[0]);
}

/* A clock that was wrong makes no commit older than its parent. */
static void newest_is_a_matter_of_ancestry(void **state)
{
	World *world = *state;
	g_autofree char *early = commit(world->repo, 0);
	put(world->store, early);
	prune(world, (RetentionRules){.keep = 1});
	assert_stored(world, world->repo, "-----");
	assert_true(is_stored(world->repo, early));
}

static void each_branch_that_is_named_keeps_its_own(void **state)
{
	static const char *const branches[] = {"main", "refs/heads/old", NULL};
	World *world = *state;
	g_autofree char *command = g_strdup_printf("git branch old %s", world->commits[1]);
	do_in(world->repo, command);
	prune(world, (RetentionRules){.keep = 1, .branches = branches});
	assert_stored(world, world->repo, "-+--+");
}

static void what_is_on_no_branch_goes(void **state)
{
	World *world = *state;
	do_in(world->repo, "git checkout -q -b topic");
	g_autofree char *merged = commit(world->repo, 60 * COMMITS);
	put(world->store, merged);
	do_in(world->repo, "git checkout -q main");
	do_in(world->repo, "git branch -q -D topic");
	prune(world, (RetentionRules){.keep = COMMITS});
	assert_stored(world, world->repo, "+++++");
	assert_false(is_stored(world->repo, merged));
}

static void a_branch_that_is_not_there_is_a_mistake(void **state)
{
	static const char *const none[] = {"main", "mian", NULL}, *const option[] = {"--all", NULL},
	                         *const dots[] = {"a..b", NULL};
	World *world = *state;
	assert_refused(world, (RetentionRules){.keep = 1, .branches = none}, "there is no branch 'mian'");
	assert_refused(world, (RetentionRules){.keep = 1, .branches = option}, "--all");
	assert_refused(world, (RetentionRules){.keep = 1, .branches = dots}, "'a..b' is not the name of a branch");
	assert_stored(world, world->repo, "+++++");
}

/* Whoever names a branch without baselines has named the wrong one. */
static void not_everything_goes(void **state)
{
	static const char *const branches[] = {"empty", NULL};
	World *world = *state;
	do_in(world->repo, "git checkout -q --orphan empty");
	g_autofree char *root = commit(world->repo, 60 * COMMITS);
	assert_refused(world, (RetentionRules){.keep = 1, .branches = branches}, "all 5 commits would be removed");
	assert_refused(world, (RetentionRules){.keep = 1, .branches = branches, .dry_run = TRUE}, "would be removed");
	assert_stored(world, world->repo, "+++++");
}

static void a_shallow_clone_tells_nothing(void **state)
{
	World *world = *state;
	g_autofree char *shallow = g_build_filename(world->repo, ".git", "shallow", NULL);
	g_autofree char *line = g_strconcat(world->commits[3], "\n", NULL);
	assert_true(g_file_set_contents(shallow, line, -1, NULL));
	g_clear_pointer(&world->store, baseline_store_free);
	world->store = baseline_store_open(world->repo, BASELINE_STORE_PREFIX, NULL);
	assert_refused(world, (RetentionRules){.keep = 1}, "git fetch --unshallow");
	assert_int_equal(g_unlink(shallow), 0);
	assert_stored(world, world->repo, "+++++");
}

static void a_damaged_ref_stays_and_is_told(void **state)
{
	World *world = *state;
	g_autofree char *path = g_build_filename(world->repo, ".git", "refs", "firebreak", world->commits[0], NULL);
	assert_true(g_file_set_contents(path, "no SHA\n", -1, NULL));
	prune(world, (RetentionRules){.keep = 1});
	assert_int_equal(world->result.damaged, 1);
	assert_int_equal(world->result.removed, 3);
	assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_int_equal(finding_count(world->findings), 1);
	assert_string_equal(finding_get(world->findings, 0)->code, "baseline_corrupt");
	assert_non_null(strstr(finding_get(world->findings, 0)->text, "verify --set-aside"));
}

/* --- of a remote --- */

/* A remote that has the branch and all baselines. */
static char *add_remote(const World *world)
{
	char *remote = new_folder();
	g_autofree char *add = g_strdup_printf("git remote add origin %s", remote);
	do_in(remote, "git init -q --bare -b main");
	do_in(world->repo, add);
	do_in(world->repo, "git push -q origin main refs/firebreak/*:refs/firebreak/*");
	return remote;
}

static void those_of_a_remote_go_there_and_stay_here(void **state)
{
	World *world = *state;
	char *remote = add_remote(world);
	prune(world, (RetentionRules){.keep = 2, .remote = "origin"});
	assert_stored(world, remote, "---++");
	assert_stored(world, world->repo, "+++++");
	assert_int_equal(world->result.removed, 3);
	remove_folder(remote);
}

/* Its newest commits would count as of no branch. */
static void a_remote_branch_that_is_ahead_has_to_be_fetched(void **state)
{
	World *world = *state;
	char *remote = add_remote(world), *clone = new_folder();
	g_autofree char *command = g_strdup_printf("git clone -q %s .", remote);
	do_in(clone, command);
	g_autofree char *ahead = commit(clone, 60 * COMMITS);
	do_in(clone, "git push -q origin main");
	assert_refused(world, (RetentionRules){.keep = 1, .remote = "origin"}, "run `git fetch origin` first");
	assert_stored(world, remote, "+++++");
	remove_folder(clone);
	remove_folder(remote);
}

#define RETENTION_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        RETENTION_TEST(the_newest_commits_of_the_default_branch_stay),
	        RETENTION_TEST(a_commit_without_a_baseline_takes_no_place),
	        RETENTION_TEST(more_room_than_commits_removes_nothing),
	        RETENTION_TEST(a_dry_run_says_what_would_go_and_removes_nothing),
	        RETENTION_TEST(newest_is_a_matter_of_ancestry),
	        RETENTION_TEST(each_branch_that_is_named_keeps_its_own),
	        RETENTION_TEST(what_is_on_no_branch_goes),
	        RETENTION_TEST(a_branch_that_is_not_there_is_a_mistake),
	        RETENTION_TEST(not_everything_goes),
	        RETENTION_TEST(a_shallow_clone_tells_nothing),
	        RETENTION_TEST(a_damaged_ref_stays_and_is_told),
	        RETENTION_TEST(those_of_a_remote_go_there_and_stay_here),
	        RETENTION_TEST(a_remote_branch_that_is_ahead_has_to_be_fetched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
