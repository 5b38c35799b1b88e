/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/ancestry.h"

#include "tests/baselines/fixture.h"

/* Commits on top of HEAD with this committer time; returns its SHA. */
static char *commit_at(const char *repo, gint64 time_s)
{
	g_autofree char *command = g_strdup_printf("env GIT_COMMITTER_DATE=@%" G_GINT64_FORMAT
	                                           " git -c user.name=t -c user.email=t@t commit -q --allow-empty -m x",
	        time_s);
	do_in(repo, command);
	return run_in(repo, "git rev-parse HEAD");
}

static void sort_commits(const char *path, GPtrArray *commits)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(path, &error);
	assert_no_error(error);
	ancestry_sort(repo, commits, &error);
	assert_no_error(error);
}

static GPtrArray *list_of(const char *const *shas, const guint *order, guint n)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(list, g_strdup(shas[order[i]]));
	return list;
}

static void parents_come_before_children_whatever_the_clocks_say(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	g_autofree char *a = commit_at(path, 1700000000);
	g_autofree char *b = commit_at(path, 1900000000);
	g_autofree char *c = commit_at(path, 1700000500);
	g_autofree char *d = commit_at(path, 1700000400);
	const char *const shas[] = {a, b, c, d};
	g_autoptr(GPtrArray) list = list_of(shas, (const guint[]){2, 0, 3, 1}, 4);
	sort_commits(path, list);
	for (guint i = 0; i < 4; i++)
		assert_string_equal(list->pdata[i], shas[i]);
	remove_folder(path);
}

static void ancestry_counts_through_commits_that_are_not_listed(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	g_autofree char *a = commit_at(path, 1700009000);
	G_GNUC_UNUSED g_autofree char *unlisted = commit_at(path, 1700000000);
	g_autofree char *b = commit_at(path, 1700008000);
	const char *const shas[] = {a, b};
	g_autoptr(GPtrArray) list = list_of(shas, (const guint[]){1, 0}, 2);
	sort_commits(path, list);
	assert_string_equal(list->pdata[0], a);
	assert_string_equal(list->pdata[1], b);
	remove_folder(path);
}

static void branches_are_ordered_by_time_and_merges_come_after_both(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	g_autofree char *left = commit_at(path, 1700000200);
	g_autofree char *checkout = g_strdup_printf("git checkout -q -b side %s", first);
	do_in(path, checkout);
	g_autofree char *right = commit_at(path, 1700000100);
	do_in(path, "git merge -q --no-ff -m merge main");
	g_autofree char *merge = run_in(path, "git rev-parse HEAD");
	const char *const shas[] = {first, right, left, merge};
	g_autoptr(GPtrArray) list = list_of(shas, (const guint[]){3, 2, 1, 0}, 4);
	sort_commits(path, list);
	assert_string_equal(list->pdata[3], merge);
	assert_string_equal(list->pdata[1], right);
	assert_string_equal(list->pdata[2], left);
	remove_folder(path);
}

static void commits_that_the_clone_lacks_come_first(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	const char *const shas[] = {
	        first, "ffffffffffffffffffffffffffffffffffffffff", "0000000000000000000000000000000000000001"};
	g_autoptr(GPtrArray) list = list_of(shas, (const guint[]){0, 1, 2}, 3);
	sort_commits(path, list);
	assert_string_equal(list->pdata[0], shas[2]);
	assert_string_equal(list->pdata[1], shas[1]);
	assert_string_equal(list->pdata[2], first);
	remove_folder(path);
}

static void a_shallow_clone_is_no_error(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first), *clone = new_folder();
	g_autofree char *second = commit_at(path, 1700000000);
	g_autofree char *command = g_strdup_printf("git clone -q --depth=1 file://%s %s", path, clone);
	do_in(path, command);
	const char *const shas[] = {first, second};
	g_autoptr(GPtrArray) list = list_of(shas, (const guint[]){1, 0}, 2);
	sort_commits(clone, list);
	assert_string_equal(list->pdata[0], first);
	assert_string_equal(list->pdata[1], second);
	remove_folder(path);
	remove_folder(clone);
}

static void nothing_is_sorted_into_nothing(void **state)
{
	(void)state;
	g_autofree char *first = NULL;
	char *path = new_repository(&first);
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
	sort_commits(path, list);
	assert_int_equal(list->len, 0);
	remove_folder(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(parents_come_before_children_whatever_the_clocks_say),
	        cmocka_unit_test(ancestry_counts_through_commits_that_are_not_listed),
	        cmocka_unit_test(branches_are_ordered_by_time_and_merges_come_after_both),
	        cmocka_unit_test(commits_that_the_clone_lacks_come_first),
	        cmocka_unit_test(a_shallow_clone_is_no_error),
	        cmocka_unit_test(nothing_is_sorted_into_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
