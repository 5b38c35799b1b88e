/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/remoterefs.h"
#include "tests/baselines/remotefixture.h"

static RefStore *refs_of(const Remote *world, int clone)
{
	return baseline_store_refs(world->stores[clone]);
}

static RemoteRefs *open_origin(const Remote *world, int clone)
{
	g_autoptr(GError) error = NULL;
	RemoteRefs *remote = remote_refs_open(refs_of(world, clone), NULL, &error);
	assert_no_error(error);
	return remote;
}

/* The ref of the commit in the clone; it is there. */
static void tip_of(const Remote *world, int clone, char hex[41])
{
	git_oid tip;
	gboolean found = FALSE;
	assert_true(ref_store_tip(refs_of(world, clone), world->commit, &tip, &found, NULL));
	assert_true(found);
	git_oid_tostr(hex, 41, &tip);
}

/* Pushes the ref of the commit, of which the remote is expected to have that value. */
static PushResult push_expecting(const Remote *world, int clone, const char *expected)
{
	g_autoptr(RemoteRefs) remote = open_origin(world, clone);
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(PushItem));
	g_autoptr(GError) error = NULL;
	g_autofree char *reason = NULL;
	PushItem item = {.commit = world->commit};
	tip_of(world, clone, item.tip);
	g_strlcpy(item.expected, expected, sizeof item.expected);
	g_array_append_val(items, item);
	(void)remote_refs_push(remote, items, 0, 1, &reason, &error);
	assert_no_error(error);
	return g_array_index(items, PushItem, 0).result;
}

static void the_only_remote_need_not_be_named(void **state)
{
	const Remote *world = *state;
	do_in(world->clones[0], "git remote rename origin upstream");
	g_autoptr(RemoteRefs) remote = open_origin(world, 0);
	assert_string_equal(remote->name, "upstream");
}

static void of_several_remotes_origin_is_meant(void **state)
{
	const Remote *world = *state;
	do_in(world->clones[0], "git remote add another /nonexistent");
	g_autoptr(RemoteRefs) remote = open_origin(world, 0);
	assert_string_equal(remote->name, "origin");
}

static void of_several_remotes_without_origin_one_has_to_be_named(void **state)
{
	const Remote *world = *state;
	g_autoptr(GError) error = NULL;
	do_in(world->clones[0], "git remote rename origin upstream");
	do_in(world->clones[0], "git remote add another /nonexistent");
	assert_null(remote_refs_open(refs_of(world, 0), NULL, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
}

static void a_remote_lists_the_commits_that_it_has_baselines_of(void **state)
{
	const Remote *world = *state;
	char hex[41];
	store_benchmark(world, 0, "one");
	assert_int_equal(push_expecting(world, 0, ""), PUSH_DONE);
	tip_of(world, 0, hex);
	g_autoptr(RemoteRefs) remote = open_origin(world, 1);
	g_autoptr(GHashTable) listed = remote_refs_list(remote, NULL);
	assert_int_equal(g_hash_table_size(listed), 1);
	assert_string_equal(g_hash_table_lookup(listed, world->commit), hex);
}

static void a_ref_of_another_kind_has_its_value_or_none(void **state)
{
	const Remote *world = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(RemoteRefs) remote = open_origin(world, 0);
	g_autofree char *branch = remote_refs_value(remote, "refs/heads/main", &error);
	assert_string_equal(branch, world->commit);
	assert_null(remote_refs_value(remote, "refs/heads/none", &error));
	assert_null(error);
}

/* Two who push at once must not overwrite each other. */
static void a_ref_that_somebody_else_changed_is_stale(void **state)
{
	const Remote *world = *state;
	store_benchmark(world, 0, "one");
	store_benchmark(world, 1, "two");
	assert_int_equal(push_expecting(world, 0, ""), PUSH_DONE);
	assert_int_equal(push_expecting(world, 1, ""), PUSH_STALE);
}

static void what_is_fetched_lies_apart_until_it_is_cleared(void **state)
{
	const Remote *world = *state;
	git_oid tip;
	char sent[41], came[41];
	gboolean found = TRUE;
	store_benchmark(world, 0, "one");
	(void)push_expecting(world, 0, "");
	tip_of(world, 0, sent);
	g_autoptr(RemoteRefs) remote = open_origin(world, 1);
	g_autoptr(GPtrArray) commits = g_ptr_array_new();
	g_ptr_array_add(commits, world->commit);
	assert_true(remote_refs_fetch(remote, commits, 0, 1, NULL));
	g_autoptr(GPtrArray) incoming = incoming_refs_list(refs_of(world, 1), NULL);
	assert_int_equal(incoming->len, 1);
	assert_true(incoming_refs_tip(refs_of(world, 1), world->commit, &tip, NULL));
	assert_string_equal(git_oid_tostr(came, sizeof came, &tip), sent);
	assert_true(ref_store_tip(refs_of(world, 1), world->commit, &tip, &found, NULL));
	assert_false(found);
	assert_true(incoming_refs_clear(refs_of(world, 1), NULL));
	g_autoptr(GPtrArray) left = incoming_refs_list(refs_of(world, 1), NULL);
	assert_int_equal(left->len, 0);
}

static void a_commit_that_the_remote_lacks_is_not_brought(void **state)
{
	const Remote *world = *state;
	g_autoptr(RemoteRefs) remote = open_origin(world, 0);
	g_autoptr(GPtrArray) commits = g_ptr_array_new();
	g_ptr_array_add(commits, world->commit);
	assert_true(remote_refs_fetch(remote, commits, 0, 1, NULL));
	g_autoptr(GPtrArray) incoming = incoming_refs_list(refs_of(world, 0), NULL);
	assert_int_equal(incoming->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        REMOTE_TEST(the_only_remote_need_not_be_named),
	        REMOTE_TEST(of_several_remotes_origin_is_meant),
	        REMOTE_TEST(of_several_remotes_without_origin_one_has_to_be_named),
	        REMOTE_TEST(a_remote_lists_the_commits_that_it_has_baselines_of),
	        REMOTE_TEST(a_ref_of_another_kind_has_its_value_or_none),
	        REMOTE_TEST(a_ref_that_somebody_else_changed_is_stale),
	        REMOTE_TEST(what_is_fetched_lies_apart_until_it_is_cleared),
	        REMOTE_TEST(a_commit_that_the_remote_lacks_is_not_brought),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
