/* SPDX-License-Identifier: Apache-2.0 */
/* Checkout of trees into fresh folders, submodules included, without hooks, filters or network.
 *
 * Files get the bytes of their blobs: no end-of-line conversion, no smudge filter, so a Git LFS file stays the small
 * pointer text; such pointers are counted so that the caller can say so. Works for linked working trees and bare
 * repositories. The user's working tree and index are not touched. Errors as in core/git/repo.h. */
#pragma once

#include "core/git/gitmodules.h"
#include "core/git/repo.h"

/* Writes the tree into `target_dir`, which must be absent or empty; modes are 0666 or 0777 less the umask. Submodules
 * become empty folders. Adds the number of Git LFS pointer files to *lfs_pointers (may be NULL). Trees deeper than 128
 * folders are refused, and names that git would not make (FIREBREAK_ERROR_POLICY). A failed checkout leaves what was
 * written for the caller to remove. */
gboolean repo_checkout_tree(
        Repo *repo, const char *tree_sha, const char *target_dir, guint *lfs_pointers, GError **error);

/* The submodules that `.gitmodules` of the tree names and the tree has, in the order of the file: a GPtrArray of
 * RepoSubmodule with commit_sha set. Errors also as in core/git/gitmodules.h. */
gboolean repo_submodules(Repo *repo, const char *tree_sha, GPtrArray **submodules, GError **error);

/* Checks out all submodules of a tree, and theirs, below `target_dir`, into which repo_checkout_tree() wrote that tree.
 * At most 8 levels and 1000 submodules. Adds their number to *n_submodules and pointers to *lfs_pointers (may be
 * NULL). One whose commit is not in a clone stays an empty folder. */
gboolean repo_checkout_submodules(Repo *repo, const char *tree_sha, const char *target_dir, guint *n_submodules,
        guint *lfs_pointers, GError **error);

/* The symbolic links of a tree and of its submodules that are there, as they would be checked out: path below the top
 * -> target (char *, both owned by the table). Trees are walked without a limit on their depth: for trusted ones. */
GHashTable *repo_tree_links(Repo *repo, const char *tree_sha, GError **error);

/* The submodules that repo_checkout_submodules() would leave out, since nobody fetched them: their paths below the top
 * (char *), in the order in which they are met. Owned by the caller. */
GPtrArray *repo_missing_submodules(Repo *repo, const char *tree_sha, GError **error);
