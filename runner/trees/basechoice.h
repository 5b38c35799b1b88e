/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which two commits are compared, and why.
 *
 * Head: what the user named, else HEAD, or the uncommitted working tree. Base, in this order:
 *   1. what the user named (`--base`),
 *   2. on GitHub, if head is the merge commit (GITHUB_SHA) of `refs/pull/N/merge`: the first parent of the merge
 * commit, that is the target branch as it was merged (never the event's base SHA, which may be old),
 *   3. on GitLab, of a merged result or in a merge train, if head is its merge commit (CI_COMMIT_SHA): the first parent
 * again, the target branch with what the train merges before; if GitLab rebased instead of merging:
 * CI_MERGE_REQUEST_TARGET_BRANCH_SHA; in any other merge-request pipeline: CI_MERGE_REQUEST_DIFF_BASE_SHA,
 *   4. the merge base with the default branch,
 *   5. the previous commit.
 * For a working tree with changes, base is HEAD: what is judged is what is not committed yet. One without changes is
 * HEAD, and has the base that HEAD has. */
#pragma once

#include "core/git/repo.h"

typedef struct {
	char *sha;       /* full SHA; of the working tree: "worktree" */
	char *tree;      /* full SHA of its tree */
	char *ref;       /* what was named */
	char *chosen_by; /* "--base", "--head", "HEAD", "worktree", "merge-commit",
	                  * "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "merge-base",
	                  * "previous-commit" */
	char *subject;   /* first line of the message (foreign text); "" for the working tree */
} Choice;

void choice_clear(Choice *choice);

/* Environment of the process as a lookup, so that tests can hand in another. */
typedef const char *(*EnvironmentLookup)(const char *name);

/* Chooses head. `named` NULL = HEAD, "worktree" = the uncommitted working tree. */
gboolean choose_head(Repo *repo, const char *named, Choice *head, GError **error);
/* Chooses base for that head. `named` may be NULL. Errors name the fix: FIREBREAK_ERROR_USAGE. */
gboolean choose_base(
        Repo *repo, const char *named, const Choice *head, EnvironmentLookup lookup, Choice *base, GError **error);
/* The rule that chose base, for people: `chosen_by`, and of a working tree also why. Owned by the caller. */
char *choice_why(const Choice *base, const Choice *head);
