/* SPDX-License-Identifier: Apache-2.0 */
/* Releases and distances in the history of a repository.
 *
 * A release is a tag whose last part is a version of at least two numbers: "v1.2", "1.2.3", "release/v2.0.1". Versions
 * with anything after the numbers ("v2.0-rc1") and moving tags ("nightly") are none. */
#pragma once

#include "core/git/repo.h"

/* TRUE if a tag of that name (without "refs/tags/") is a release. */
gboolean repo_is_release(const char *tag);

/* The newest release among `within` commits from `sha` (itself included) along first parents; of several at one commit
 * the last by name. *tag and *commit (full SHA) are owned by the caller, both NULL if there is none. Errors: those of
 * core/git/repo.h. */
gboolean repo_last_release(Repo *repo, const char *sha, guint within, char **tag, char **commit, GError **error);

/* The commit `n` first parents before `sha`, owned by the caller; NULL without an error if the clone does not go back
 * so far. */
gboolean repo_commits_back(Repo *repo, const char *sha, guint n, char **commit, GError **error);

/* Replaces *sha by the first parent of that commit, or by NULL at the end of what the clone has. */
gboolean repo_step_back(Repo *repo, char **sha, GError **error);
