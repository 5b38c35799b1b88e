/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that differ between two trees of a repository (core/git/linechanges.h), through libgit2. Renames are
 * followed. A submodule that moved to another commit counts as a binary file of its path.
 *
 * Nothing of the user's is run: no diff driver, no filter. What `.gitattributes` calls binary is binary. A change is
 * foreign, so what is spent on it is limited: files above 16 MiB, and those that come after the first 512 MiB or the
 * first million of changed places, count as binary; renames are looked for among 400 files of each side. */
#pragma once

#include "core/git/linechanges.h"
#include "core/git/repo.h"

/* From the trees of both sides (full SHAs). Owned by the caller. Errors: those of core/git/repo.h;
 * FIREBREAK_ERROR_USAGE also for more than 100000 files. */
LineChanges *repo_line_changes(Repo *repo, const char *base_tree, const char *head_tree, GError **error);
