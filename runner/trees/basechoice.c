/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/basechoice.h"

#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>

void choice_clear(Choice *choice)
{
	g_clear_pointer(&choice->sha, g_free);
	g_clear_pointer(&choice->tree, g_free);
	g_clear_pointer(&choice->ref, g_free);
	g_clear_pointer(&choice->chosen_by, g_free);
	g_clear_pointer(&choice->subject, g_free);
}

static gboolean fill(
        Repo *repo, const char *revision, const char *ref, const char *chosen_by, Choice *choice, GError **error)
{
	Choice made = {0};
	if (!repo_resolve(repo, revision, &made.sha, error) || !repo_commit_tree(repo, made.sha, &made.tree, error) ||
	        !repo_commit_subject(repo, made.sha, &made.subject, error)) {
		choice_clear(&made);
		return FALSE;
	}
	made.ref = g_strdup(ref);
	made.chosen_by = g_strdup(chosen_by);
	*choice = made;
	return TRUE;
}

gboolean choose_head(Repo *repo, const char *named, Choice *head, GError **error)
{
	if (named == NULL)
		return fill(repo, "HEAD", "HEAD", "HEAD", head, error);
	if (!g_str_equal(named, "worktree"))
		return fill(repo, named, named, "--head", head, error);
	char *tree = NULL;
	if (!repo_worktree_tree(repo, &tree, error))
		return FALSE;
	*head = (Choice){.sha = g_strdup("worktree"),
	        .tree = tree,
	        .ref = g_strdup("worktree"),
	        .chosen_by = g_strdup("worktree"),
	        .subject = g_strdup("")};
	return TRUE;
}

/* "refs/pull/12/merge" */
static gboolean is_pull_merge(const char *ref)
{
	return ref != NULL && g_str_has_prefix(ref, "refs/pull/") && g_str_has_suffix(ref, "/merge");
}

static gboolean not_in_clone(const char *what, const char *chosen_by, GError **error)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "%s (%s) is not in this clone; set `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab), or run `git "
	        "fetch --unshallow`",
	        what, chosen_by);
	return FALSE;
}

/* A commit that CI or the history names; when the clone is too shallow to have it, says so with the remedy. */
static gboolean fill_known(Repo *repo, const char *sha, const char *chosen_by, Choice *base, GError **error)
{
	if (repo_has_commit(repo, sha))
		return fill(repo, sha, "", chosen_by, base, error);
	g_autofree char *what = g_strdup_printf("the base commit %.12s", sha);
	return not_in_clone(what, chosen_by, error);
}

static gboolean choose_merge_base(Repo *repo, const char *commit, Choice *base, GError **error)
{
	g_autofree char *branch = repo_default_branch(repo), *tip = NULL, *sha = NULL;
	if (branch == NULL)
		return TRUE;
	if (!repo_resolve(repo, branch, &tip, error))
		return FALSE;
	if (g_str_equal(tip, commit))
		return TRUE;
	/* where the branch left the default branch may lie beyond the cut; the commit before head is no substitute */
	if (repo_is_shallow(repo))
		return not_in_clone("the merge base with the default branch", branch, error);
	/* an unrelated history is no reason to stop: the previous commit is still there */
	if (!repo_merge_base(repo, tip, commit, &sha, NULL) || g_str_equal(sha, commit))
		return TRUE;
	return fill(repo, sha, branch, "merge-base", base, error);
}

static gboolean choose_previous(Repo *repo, const char *commit, Choice *base, GError **error)
{
	g_auto(GStrv) parents = NULL;
	if (!repo_commit_parents(repo, commit, &parents, error))
		return FALSE;
	if (parents[0] != NULL)
		return fill_known(repo, parents[0], "previous-commit", base, error);
	if (repo_is_shallow(repo)) /* newer libgit2 hides the parents that are not there */
		return not_in_clone("the previous commit", "previous-commit", error);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "%.12s is the first commit: there is no base to compare it with; name one with --base", commit);
	return FALSE;
}

/* A pipeline that GitLab runs on what the merge request and its target branch are together. */
static gboolean is_merged_result(EnvironmentLookup lookup)
{
	const char *type = lookup("CI_MERGE_REQUEST_EVENT_TYPE");
	return g_strcmp0(type, "merged_result") == 0 || g_strcmp0(type, "merge_train") == 0;
}

/* The variable with a full SHA that names the base of this job; NULL if there is none. */
static const char *gitlab_base_variable(EnvironmentLookup lookup)
{
	static const char *const names[] = {"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA"};
	for (guint i = is_merged_result(lookup) ? 0 : 1; i < G_N_ELEMENTS(names); i++) {
		const char *sha = lookup(names[i]);
		if (text_hex_digits(sha) >= 40)
			return names[i];
	}
	return NULL;
}

/* The commit is the merge of a change into its target branch that this job is about. A job may check out another commit
 * than the one that the service merged, which can be a merge, too. */
static gboolean is_merge_of_job(const char *commit, EnvironmentLookup lookup)
{
	if (is_pull_merge(lookup("GITHUB_REF")))
		return g_strcmp0(lookup("GITHUB_SHA"), commit) == 0;
	return is_merged_result(lookup) && g_strcmp0(lookup("CI_COMMIT_SHA"), commit) == 0;
}

/* The base that the job of a change has, in base->sha; nothing outside of such a job. */
static gboolean choose_of_job(
        Repo *repo, const Choice *head, const char *commit, EnvironmentLookup lookup, Choice *base, GError **error)
{
	g_auto(GStrv) parents = NULL;
	if (!repo_commit_parents(repo, commit, &parents, error))
		return FALSE;
	if (g_str_equal(head->sha, commit) && g_strv_length(parents) == 2 && is_merge_of_job(commit, lookup))
		return fill_known(repo, parents[0], "merge-commit", base, error);
	const char *name = gitlab_base_variable(lookup);
	return name == NULL || fill_known(repo, lookup(name), name, base, error);
}

/* *clean is set to TRUE if head is a working tree without changes. */
static gboolean choose(
        Repo *repo, const Choice *head, EnvironmentLookup lookup, Choice *base, gboolean *clean, GError **error)
{
	gboolean worktree = g_str_equal(head->sha, "worktree");
	g_autofree char *commit = NULL, *tree = NULL;
	if (!repo_resolve(repo, worktree ? "HEAD" : head->sha, &commit, error) ||
	        !repo_commit_tree(repo, commit, &tree, error))
		return FALSE;
	*clean = worktree && g_str_equal(tree, head->tree);
	if (worktree && !*clean)
		return fill(repo, "HEAD", "HEAD", "HEAD", base, error);
	if (!choose_of_job(repo, head, commit, lookup, base, error))
		return FALSE;
	if (base->sha != NULL)
		return TRUE;
	if (!choose_merge_base(repo, commit, base, error))
		return FALSE;
	return base->sha != NULL || choose_previous(repo, commit, base, error);
}

gboolean choose_base(
        Repo *repo, const char *named, const Choice *head, EnvironmentLookup lookup, Choice *base, GError **error)
{
	gboolean clean = FALSE;
	if (named != NULL)
		return fill(repo, named, named, "--base", base, error);
	if (choose(repo, head, lookup, base, &clean, error))
		return TRUE;
	if (clean)
		g_prefix_error(error, "the working tree has no changes, so it is compared as HEAD is: ");
	return FALSE;
}

char *choice_why(const Choice *base, const Choice *head)
{
	gboolean worktree = g_str_equal(head->sha, "worktree");
	if (worktree && g_str_equal(base->chosen_by, "HEAD"))
		return g_strdup("HEAD, which the working tree changes");
	if (worktree && !g_str_equal(base->chosen_by, "--base"))
		return g_strdup_printf(
		        "%s: the working tree has no changes, so it is compared as HEAD is", base->chosen_by);
	return g_strdup(base->chosen_by);
}
