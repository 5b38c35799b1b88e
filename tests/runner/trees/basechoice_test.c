/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/basechoice.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"

static const char *nothing(const char *name)
{
	(void)name;
	return NULL;
}

static char *github_sha;

static const char *on_github(const char *name)
{
	if (g_str_equal(name, "GITHUB_SHA"))
		return github_sha;
	return g_str_equal(name, "GITHUB_REF") ? "refs/pull/12/merge" : NULL;
}

static char *gitlab_base;

static const char *on_gitlab(const char *name)
{
	return g_str_equal(name, "CI_MERGE_REQUEST_DIFF_BASE_SHA") ? gitlab_base : NULL;
}

static char *gitlab_type, *gitlab_commit, *gitlab_target;

static const char *on_gitlab_merged(const char *name)
{
	if (g_str_equal(name, "CI_MERGE_REQUEST_EVENT_TYPE"))
		return gitlab_type;
	if (g_str_equal(name, "CI_COMMIT_SHA"))
		return gitlab_commit;
	return g_str_equal(name, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA") ? gitlab_target : on_gitlab(name);
}

/* main: one -- two -- three; topic: two -- mine; HEAD on topic. */
typedef struct {
	char *one, *two, *three, *mine;
} History;

static History make_history(const Fixture *f)
{
	History h = {0};
	h.one = commit_file(f->main, "a", "1");
	h.two = commit_file(f->main, "a", "2");
	run_git(f->main, "branch topic");
	h.three = commit_file(f->main, "a", "3");
	run_git(f->main, "checkout -q topic");
	h.mine = commit_file(f->main, "b", "x");
	return h;
}

static void clear_history(History *h)
{
	g_free(h->one);
	g_free(h->two);
	g_free(h->three);
	g_free(h->mine);
}

static void assert_base(const char *path, const char *named, const char *head_named, EnvironmentLookup lookup,
        const char *sha, const char *chosen_by)
{
	g_autoptr(GError) error = NULL;
	Choice head = {0}, base = {0};
	g_autoptr(Repo) repo = repo_open(path, &error);
	assert_true(choose_head(repo, head_named, &head, &error));
	if (!choose_base(repo, named, &head, lookup, &base, &error))
		fail_msg("%s", error->message);
	assert_string_equal(base.sha, sha);
	assert_string_equal(base.chosen_by, chosen_by);
	choice_clear(&head);
	choice_clear(&base);
}

static void a_named_base_comes_before_everything(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	gitlab_base = h.two;
	assert_base(f->main, "HEAD~2", NULL, on_gitlab, h.one, "--base");
	clear_history(&h);
}

static void on_github_it_is_the_first_parent_of_the_merge_commit(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	run_git(f->main, "checkout -q main");
	run_git(f->main, "merge -q --no-ff -m merged topic");
	run_git(f->main, "checkout -q --detach");
	github_sha = git(f->main, "rev-parse HEAD");
	assert_base(f->main, NULL, NULL, on_github, h.three, "merge-commit");
	g_clear_pointer(&github_sha, g_free);
	clear_history(&h);
}

static void a_merge_that_github_did_not_make_is_no_merge_commit(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	run_git(f->main, "merge -q --no-ff -m merged main");
	github_sha = g_strdup(h.one);
	assert_base(f->main, NULL, NULL, on_github, h.three, "merge-base");
	g_clear_pointer(&github_sha, g_free);
	clear_history(&h);
}

static void a_shallow_clone_does_not_take_the_previous_commit_for_the_merge_base(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	G_GNUC_UNUSED g_autofree char *more = commit_file(f->main, "b", "y"), *most = commit_file(f->main, "b", "z");
	g_autofree char *shallow = below(f, "shallow");
	Choice head = {0}, base = {0};
	g_autoptr(GError) error = NULL;
	G_GNUC_UNUSED g_autofree char *cloned =
	        git(f->root, "clone -q --depth 2 --no-single-branch file://%s shallow", f->main);
	run_git(shallow, "remote set-head origin main");
	g_autoptr(Repo) repo = repo_open(shallow, NULL);
	assert_true(choose_head(repo, NULL, &head, NULL));
	assert_false(choose_base(repo, NULL, &head, nothing, &base, &error));
	assert_non_null(strstr(error->message, "fetch-depth: 0"));
	choice_clear(&head);
	clear_history(&h);
}

static void on_gitlab_it_is_the_diff_base(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	gitlab_base = h.one;
	assert_base(f->main, NULL, NULL, on_gitlab, h.one, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
	clear_history(&h);
}

/* The base of a pipeline of GitLab: `type` is its kind, "two" the diff base, and `target` the target branch. */
static void assert_gitlab_base(const char *path, const History *h, const char *type, const char *target,
        const char *sha, const char *chosen_by)
{
	gitlab_type = (char *)type;
	gitlab_base = h->two;
	gitlab_target = (char *)target;
	assert_base(path, NULL, NULL, on_gitlab_merged, sha, chosen_by);
}

static void a_merged_result_of_gitlab_is_compared_with_its_first_parent(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	run_git(f->main, "checkout -q --detach main");
	run_git(f->main, "merge -q --no-ff -m merged topic");
	g_autofree char *merged = git(f->main, "rev-parse HEAD");
	gitlab_commit = merged;
	assert_gitlab_base(f->main, &h, "merged_result", h.three, h.three, "merge-commit");
	/* a train merges on top of what it merged before, which the target branch does not have yet */
	assert_gitlab_base(f->main, &h, "merge_train", h.two, h.three, "merge-commit");
	clear_history(&h);
}

static void a_merged_result_without_merge_commit_is_compared_with_the_target_branch(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	run_git(f->main, "checkout -q --detach main");
	g_autofree char *rebased = commit_file(f->main, "b", "x");
	gitlab_commit = rebased;
	assert_gitlab_base(f->main, &h, "merged_result", h.three, h.three, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
	assert_gitlab_base(f->main, &h, "merged_result", "", h.two, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
	clear_history(&h);
}

static void a_detached_pipeline_of_gitlab_has_the_diff_base(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	run_git(f->main, "merge -q --no-ff -m merged main");
	g_autofree char *merge = git(f->main, "rev-parse HEAD");
	gitlab_commit = merge;
	assert_gitlab_base(f->main, &h, "detached", h.three, h.two, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
	clear_history(&h);
}

static void a_variable_that_is_no_sha_is_not_followed(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	gitlab_base = (char *)"--upload-pack=touch /tmp/owned; aaaaaaaaaaaaaaaaaaaa";
	assert_base(f->main, NULL, NULL, on_gitlab, h.two, "merge-base");
	clear_history(&h);
}

static void else_it_is_the_merge_base_with_the_default_branch(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	assert_base(f->main, NULL, NULL, nothing, h.two, "merge-base");
	clear_history(&h);
}

static void on_the_default_branch_it_is_the_previous_commit(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	assert_base(f->main, NULL, "main", nothing, h.two, "previous-commit");
	clear_history(&h);
}

static void a_working_tree_with_changes_is_compared_with_head(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	gitlab_base = h.one;
	put(f->main, "a", "changed");
	assert_base(f->main, NULL, "worktree", on_gitlab, h.mine, "HEAD");
	run_git(f->main, "checkout -q -f main");
	put(f->main, "a", "changed");
	assert_base(f->main, NULL, "worktree", nothing, h.three, "HEAD");
	clear_history(&h);
}

static void a_working_tree_without_changes_has_the_base_of_head(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	assert_base(f->main, NULL, "worktree", nothing, h.two, "merge-base");
	run_git(f->main, "checkout -q main");
	assert_base(f->main, NULL, "worktree", nothing, h.two, "previous-commit");
	clear_history(&h);
}

#define POINTER                                                                                                        \
	"version https://git-lfs.github.com/spec/v1\n"                                                                 \
	"oid sha256:%s\nsize 5\n"

/* Git LFS writes the contents over the pointer; that is no change of the working tree. */
static void files_that_lfs_fetched_are_no_changes(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "large", -1);
	g_autofree char *pointer = g_strdup_printf(POINTER, sum);
	g_autofree char *sha = commit_file(f->main, "data", pointer);
	put(f->main, "data", "large");
	assert_base(f->main, NULL, "worktree", nothing, h.two, "merge-base");
	put(f->main, "data", "other");
	assert_base(f->main, NULL, "worktree", nothing, sha, "HEAD");
	clear_history(&h);
}

static char *refusal(const char *path)
{
	Choice head = {0}, base = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(path, NULL);
	assert_true(choose_head(repo, "worktree", &head, NULL));
	assert_false(choose_base(repo, NULL, &head, nothing, &base, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	choice_clear(&head);
	return g_strdup(error->message);
}

static void a_working_tree_of_one_commit_needs_changes(void **state)
{
	const Fixture *f = *state;
	g_autofree char *sha = commit_file(f->main, "a", "1"), *message = refusal(f->main);
	assert_non_null(strstr(message, "the working tree has no changes"));
	assert_non_null(strstr(message, "--base"));
	put(f->main, "a", "2");
	assert_base(f->main, NULL, "worktree", nothing, sha, "HEAD");
}

static void a_working_tree_with_changes_needs_no_history(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	g_autofree char *shallow = below(f, "shallow");
	G_GNUC_UNUSED g_autofree char *cloned = git(f->root, "clone -q --depth 1 file://%s shallow", f->main);
	g_autofree char *message = refusal(shallow);
	assert_non_null(strstr(message, "fetch-depth: 0"));
	put(shallow, "a", "changed");
	assert_base(shallow, NULL, "worktree", nothing, h.mine, "HEAD");
	clear_history(&h);
}

static void why_a_base_was_chosen_is_told(void **state)
{
	(void)state;
	Choice commit = {.sha = (char *)"0123"}, tree = {.sha = (char *)"worktree"};
	Choice base = {.chosen_by = (char *)"HEAD"};
	g_autofree char *changed = choice_why(&base, &tree);
	assert_non_null(strstr(changed, "the working tree changes"));
	base.chosen_by = (char *)"merge-base";
	g_autofree char *clean = choice_why(&base, &tree), *plain = choice_why(&base, &commit);
	assert_non_null(strstr(clean, "no changes"));
	assert_string_equal(plain, "merge-base");
}

static void the_working_tree_has_another_tree_than_head_when_it_is_dirty(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	Choice clean = {0}, dirty = {0};
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	assert_true(choose_head(repo, NULL, &clean, NULL));
	put(f->main, "new", "file");
	assert_true(choose_head(repo, "worktree", &dirty, NULL));
	assert_string_not_equal(clean.tree, dirty.tree);
	assert_string_equal(dirty.sha, "worktree");
	choice_clear(&clean);
	choice_clear(&dirty);
	clear_history(&h);
}

static void the_first_commit_has_no_base(void **state)
{
	const Fixture *f = *state;
	G_GNUC_UNUSED g_autofree char *sha = commit_file(f->main, "a", "1");
	Choice head = {0}, base = {0};
	g_autoptr(GError) error = NULL;
	g_autoptr(Repo) repo = repo_open(f->main, NULL);
	assert_true(choose_head(repo, NULL, &head, NULL));
	assert_false(choose_base(repo, NULL, &head, nothing, &base, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "--base"));
	choice_clear(&head);
}

static void a_shallow_clone_names_the_fix(void **state)
{
	const Fixture *f = *state;
	History h = make_history(f);
	g_autofree char *shallow = below(f, "shallow");
	Choice head = {0}, base = {0};
	g_autoptr(GError) error = NULL;
	G_GNUC_UNUSED g_autofree char *cloned = git(f->root, "clone -q --depth 1 file://%s shallow", f->main);
	g_autoptr(Repo) repo = repo_open(shallow, NULL);
	assert_true(choose_head(repo, NULL, &head, NULL));
	assert_false(choose_base(repo, NULL, &head, nothing, &base, &error));
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_non_null(strstr(error->message, "fetch-depth: 0"));
	choice_clear(&head);
	clear_history(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GIT_TEST(a_named_base_comes_before_everything),
	        GIT_TEST(on_github_it_is_the_first_parent_of_the_merge_commit),
	        GIT_TEST(a_merge_that_github_did_not_make_is_no_merge_commit),
	        GIT_TEST(a_shallow_clone_does_not_take_the_previous_commit_for_the_merge_base),
	        GIT_TEST(on_gitlab_it_is_the_diff_base),
	        GIT_TEST(a_merged_result_of_gitlab_is_compared_with_its_first_parent),
	        GIT_TEST(a_merged_result_without_merge_commit_is_compared_with_the_target_branch),
	        GIT_TEST(a_detached_pipeline_of_gitlab_has_the_diff_base),
	        GIT_TEST(a_variable_that_is_no_sha_is_not_followed),
	        GIT_TEST(else_it_is_the_merge_base_with_the_default_branch),
	        GIT_TEST(on_the_default_branch_it_is_the_previous_commit),
	        GIT_TEST(a_working_tree_with_changes_is_compared_with_head),
	        GIT_TEST(a_working_tree_without_changes_has_the_base_of_head),
	        GIT_TEST(files_that_lfs_fetched_are_no_changes),
	        GIT_TEST(a_working_tree_of_one_commit_needs_changes),
	        GIT_TEST(a_working_tree_with_changes_needs_no_history),
	        GIT_TEST(why_a_base_was_chosen_is_told),
	        GIT_TEST(the_working_tree_has_another_tree_than_head_when_it_is_dirty),
	        GIT_TEST(the_first_commit_has_no_base),
	        GIT_TEST(a_shallow_clone_names_the_fix),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
