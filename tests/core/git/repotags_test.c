/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repotags.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

static void versions_are_releases(void **state)
{
	static const char *const yes[] = {"v1.2", "1.2", "v1.2.3", "10.20.30.40", "release/v2.0.1", "a/b/1.0"};
	static const char *const no[] = {"", "v", "v1", "1", "nightly", "v1.2-rc1", "v1.2.", "v1..2", "v1.2beta",
	        "release/", "x1.2", "vv1.2", "v1.2/x", "v.1.2"};
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(yes); i++)
		assert_true(repo_is_release(yes[i]));
	for (guint i = 0; i < G_N_ELEMENTS(no); i++)
		assert_false(repo_is_release(no[i]));
}

static void commit_some(const Fixture *f, guint n)
{
	for (guint i = 0; i < n; i++)
		g_free(commit_file(f->main, "file", i % 2 == 0 ? "a" : "b"));
}

static void check_release(const Fixture *f, guint within, const char *tag, const char *revision)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->main, &error);
	g_autofree char *head = git(f->main, "rev-parse HEAD"), *name = NULL, *sha = NULL;
	assert_true(repo_last_release(repo, head, within, &name, &sha, &error));
	if (tag == NULL) {
		assert_null(name);
		assert_null(sha);
		return;
	}
	g_autofree char *wanted = git(f->main, "rev-parse %s", revision);
	assert_string_equal(name, tag);
	assert_string_equal(sha, wanted);
}

static void the_last_release_is_the_nearest_one(void **state)
{
	const Fixture *f = *state;
	commit_some(f, 6);
	check_release(f, 100, NULL, NULL);
	run_git(f->main, "tag v1.0 HEAD~4");
	run_git(f->main, "tag -a -m annotated v1.1 HEAD~2");
	run_git(f->main, "tag nightly HEAD");
	run_git(f->main, "tag v2.0-rc1 HEAD~1");
	check_release(f, 100, "v1.1", "HEAD~2");
	check_release(f, 2, NULL, NULL);
	check_release(f, 3, "v1.1", "HEAD~2");
}

static void of_two_at_one_commit_the_last_by_name_counts(void **state)
{
	const Fixture *f = *state;
	commit_some(f, 2);
	run_git(f->main, "tag v1.2 HEAD~1");
	run_git(f->main, "tag -a -m x v1.3 HEAD~1");
	run_git(f->main, "tag v1.1 HEAD~1");
	check_release(f, 100, "v1.3", "HEAD~1");
}

static void a_tag_of_something_else_than_a_commit_is_none(void **state)
{
	const Fixture *f = *state;
	commit_some(f, 1);
	run_git(f->main, "tag v9.9 HEAD:file");
	check_release(f, 100, NULL, NULL);
}

static void a_release_of_a_merged_branch_is_not_on_the_line(void **state)
{
	const Fixture *f = *state;
	commit_some(f, 2);
	run_git(f->main, "checkout -q -b side");
	commit_some(f, 1);
	run_git(f->main, "tag v1.0");
	run_git(f->main, "checkout -q main");
	run_git(f->main, "merge -q --no-ff -m merged side");
	check_release(f, 100, NULL, NULL);
}

static void commits_back_ends_with_the_history(void **state)
{
	const Fixture *f = *state;
	g_autoptr(GError) error = NULL;
	commit_some(f, 4);
	g_autoptr(Repo) repo = repo_open(f->main, &error);
	g_autofree char *head = git(f->main, "rev-parse HEAD"), *wanted = git(f->main, "rev-parse HEAD~3");
	g_autofree char *same = NULL, *third = NULL, *none = NULL;
	assert_true(repo_commits_back(repo, head, 0, &same, &error));
	assert_true(repo_commits_back(repo, head, 3, &third, &error));
	assert_true(repo_commits_back(repo, head, 4, &none, &error));
	assert_string_equal(same, head);
	assert_string_equal(third, wanted);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(versions_are_releases),
	        GIT_TEST(the_last_release_is_the_nearest_one),
	        GIT_TEST(of_two_at_one_commit_the_last_by_name_counts),
	        GIT_TEST(a_tag_of_something_else_than_a_commit_is_none),
	        GIT_TEST(a_release_of_a_merged_branch_is_not_on_the_line),
	        GIT_TEST(commits_back_ends_with_the_history),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
