/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repopaths.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

#include <unistd.h>

static TreePath path_of(const Fixture *f, const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->main, &error);
	g_autofree char *tree = git(f->main, "rev-parse HEAD^{tree}");
	TreePath what = TREE_PATH_ABSENT;
	if (!repo_tree_path(repo, tree, path, &what, &error))
		fail_msg("%s", error->message);
	return what;
}

static void files_of_the_commit_are_told_from_others(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "src/deep/a.c", "1\n");
	put(f->main, "src/made.c", "2\n");
	assert_int_equal(path_of(f, "src/deep/a.c"), TREE_PATH_FILE);
	assert_int_equal(path_of(f, "src/made.c"), TREE_PATH_ABSENT);
	assert_int_equal(path_of(f, "src/deep/a.c/b"), TREE_PATH_ABSENT);
	assert_int_equal(path_of(f, "other/a.c"), TREE_PATH_ABSENT);
	assert_int_equal(path_of(f, "../a.c"), TREE_PATH_ABSENT);
}

static void a_folder_or_link_is_no_file(void **state)
{
	Fixture *f = *state;
	g_autofree char *link = g_build_filename(f->main, "link.c", NULL);
	assert_int_equal(symlink("src/a.c", link), 0);
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "src/a.c", "1\n");
	assert_int_equal(path_of(f, "src"), TREE_PATH_ABSENT);
	assert_int_equal(path_of(f, "link.c"), TREE_PATH_ABSENT);
}

static void what_lies_in_a_submodule_is_told(void **state)
{
	Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "third/a.c", "1\n");
	G_GNUC_UNUSED g_autofree char *added =
	        git(f->main, "update-index --add --cacheinfo 160000,%s,third/library", sha);
	run_git(f->main, "commit -q -m 'add a submodule'");
	assert_int_equal(path_of(f, "third/library"), TREE_PATH_OF_SUBMODULE);
	assert_int_equal(path_of(f, "third/library/src/b.c"), TREE_PATH_OF_SUBMODULE);
	assert_int_equal(path_of(f, "third/b.c"), TREE_PATH_ABSENT);
}

static void a_tree_that_is_not_there_is_an_error(void **state)
{
	Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a.c", "1\n");
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	g_autoptr(GError) error = NULL;
	TreePath what;
	assert_false(repo_tree_path(repo, "0123456789012345678901234567890123456789", "a.c", &what, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
	g_clear_error(&error);
	assert_false(repo_tree_path(repo, "HEAD", "a.c", &what, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
}

static void what_gitignore_names_is_ignored_at_any_depth(void **state)
{
	Fixture *f = *state;
	put(f->main, ".gitignore", "bench\n");
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	assert_true(repo_path_is_ignored(repo, "cmd/bench"));
	assert_true(repo_path_is_ignored(repo, "cmd/bench/main.go"));
	assert_false(repo_path_is_ignored(repo, "cmd/benches"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(files_of_the_commit_are_told_from_others),
	        GIT_TEST(a_folder_or_link_is_no_file),
	        GIT_TEST(what_lies_in_a_submodule_is_told),
	        GIT_TEST(a_tree_that_is_not_there_is_an_error),
	        GIT_TEST(what_gitignore_names_is_ignored_at_any_depth),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
