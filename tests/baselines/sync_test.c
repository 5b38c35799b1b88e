/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/inventory.h"
#include "tests/baselines/remotefixture.h"

static SyncCounts push(const Remote *world, int clone)
{
	SyncCounts counts;
	g_autoptr(GError) error = NULL;
	(void)baseline_push(world->stores[clone], NULL, world->findings, &counts, &error);
	assert_no_error(error);
	return counts;
}

static SyncCounts fetch(const Remote *world, int clone)
{
	SyncCounts counts;
	g_autoptr(GError) error = NULL;
	(void)baseline_fetch(world->stores[clone], NULL, NULL, world->findings, &counts, &error);
	assert_no_error(error);
	return counts;
}

static guint n_stored(const Remote *world, int clone)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) list = baseline_store_list(world->stores[clone], &error);
	assert_no_error(error);
	return list->len;
}

static void what_is_stored_here_is_sent_once(void **state)
{
	const Remote *world = *state;
	store_benchmark(world, 0, "one");
	assert_int_equal(push(world, 0).sent, 1);
	SyncCounts again = push(world, 0);
	assert_int_equal(again.sent, 0);
	assert_int_equal(again.same, 1);
}

static void what_the_remote_has_is_received_once(void **state)
{
	const Remote *world = *state;
	store_benchmark(world, 0, "one");
	(void)push(world, 0);
	assert_int_equal(fetch(world, 1).received, 1);
	assert_int_equal(n_stored(world, 1), 1);
	assert_int_equal(fetch(world, 1).same, 1);
}

static void a_push_unites_what_differs_here_and_there(void **state)
{
	const Remote *world = *state;
	store_benchmark(world, 0, "one");
	store_benchmark(world, 1, "two");
	(void)push(world, 0);
	SyncCounts counts = push(world, 1);
	assert_int_equal(counts.received, 1);
	assert_int_equal(counts.sent, 1);
	assert_int_equal(n_stored(world, 1), 2);
	(void)fetch(world, 0);
	assert_int_equal(n_stored(world, 0), 2);
}

static void a_store_without_baselines_has_nothing_to_send(void **state)
{
	SyncCounts counts = push(*state, 0);
	assert_int_equal(counts.sent + counts.same + counts.refused, 0);
}

static void a_commit_that_the_remote_lacks_is_missing(void **state)
{
	const Remote *world = *state;
	const char *const commits[] = {world->commit, NULL};
	SyncCounts counts;
	assert_true(baseline_fetch(world->stores[0], NULL, commits, world->findings, &counts, NULL));
	assert_int_equal(counts.missing, 1);
	assert_int_equal(counts.received, 0);
}

static void a_commit_is_named_by_its_full_sha(void **state)
{
	const Remote *world = *state;
	static const char *const commits[] = {"HEAD", NULL};
	SyncCounts counts;
	g_autoptr(GError) error = NULL;
	assert_false(baseline_fetch(world->stores[0], NULL, commits, world->findings, &counts, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
}

static void a_remote_that_is_not_configured_is_a_mistake(void **state)
{
	const Remote *world = *state;
	SyncCounts counts;
	g_autoptr(GError) error = NULL;
	assert_true(baseline_is_remote(world->stores[0], "origin"));
	assert_false(baseline_is_remote(world->stores[0], "upstream"));
	assert_false(baseline_push(world->stores[0], "upstream", world->findings, &counts, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
}

static void a_remote_that_is_gone_is_an_error(void **state)
{
	const Remote *world = *state;
	g_autofree char *gone = g_build_filename(world->remote, "r", NULL);
	SyncCounts counts;
	g_autoptr(GError) error = NULL;
	store_benchmark(world, 0, "one");
	assert_true(durable_remove_tree(gone, NULL));
	assert_false(baseline_push(world->stores[0], NULL, world->findings, &counts, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_STORAGE);
}

static void a_remote_that_takes_nothing_is_a_warning(void **state)
{
	const Remote *world = *state;
	g_autofree char *hook = g_build_filename(world->remote, "r", "hooks", "pre-receive", NULL);
	g_autofree char *folder = g_path_get_dirname(hook);
	g_mkdir_with_parents(folder, 0755);
	assert_true(g_file_set_contents_full(hook, "#!/bin/sh\nexit 1\n", -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
	store_benchmark(world, 0, "one");
	assert_int_equal(push(world, 0).refused, 1);
	assert_true(finding_has(world->findings, "baseline_push_refused"));
}

/* It may point to any branch of the remote, which a push would then change. */
static void a_symbolic_ref_of_the_remote_is_left_alone(void **state)
{
	const Remote *world = *state;
	g_autofree char *ref = ref_of(world), *command = g_strdup_printf("git symbolic-ref %s refs/heads/main", ref);
	g_autofree char *main_before = run_in_remote(world, "git rev-parse main");
	g_free(run_in_remote(world, command));
	store_benchmark(world, 0, "one");
	SyncCounts counts = push(world, 0);
	assert_int_equal(counts.sent, 0);
	assert_int_equal(counts.damaged, 1);
	assert_true(finding_has(world->findings, "baseline_corrupt"));
	g_autofree char *main_after = run_in_remote(world, "git rev-parse main");
	assert_string_equal(main_after, main_before);
}

/* Somebody has to look at it; what is here does not replace it. */
static void damage_in_the_remote_is_not_taken_over(void **state)
{
	const Remote *world = *state;
	g_autofree char *ref = ref_of(world), *command = g_strdup_printf("git update-ref %s main", ref);
	g_free(run_in_remote(world, command));
	SyncCounts counts = fetch(world, 0);
	assert_int_equal(counts.received, 0);
	assert_int_equal(n_stored(world, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        REMOTE_TEST(what_is_stored_here_is_sent_once),
	        REMOTE_TEST(what_the_remote_has_is_received_once),
	        REMOTE_TEST(a_push_unites_what_differs_here_and_there),
	        REMOTE_TEST(a_store_without_baselines_has_nothing_to_send),
	        REMOTE_TEST(a_commit_that_the_remote_lacks_is_missing),
	        REMOTE_TEST(a_commit_is_named_by_its_full_sha),
	        REMOTE_TEST(a_remote_that_is_not_configured_is_a_mistake),
	        REMOTE_TEST(a_remote_that_is_gone_is_an_error),
	        REMOTE_TEST(a_remote_that_takes_nothing_is_a_warning),
	        REMOTE_TEST(a_symbolic_ref_of_the_remote_is_left_alone),
	        REMOTE_TEST(damage_in_the_remote_is_not_taken_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
