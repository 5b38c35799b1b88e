/* SPDX-License-Identifier: Apache-2.0 */
/* Makes objects durable that somebody else has written.
 *
 * git and libgit2 do not write an object again that is there already, and so do not sync it either. But who wrote it
 * may have been killed before syncing, or does not sync at all (`core.fsync=none`, a copy of the folder). What is
 * acknowledged must not depend on that, so everything that is about to be acknowledged is synced here, whoever wrote
 * it; what is on the disk costs next to nothing. */
#pragma once

#include <git2.h>
#include <glib.h>
#include <sys/stat.h>

/* The folder of packs as it was when its files were synced last. Starts as {0}. */
typedef struct {
	struct timespec changed;
} PackWatch;

/* Syncs the commit `tip`, and of its tree what lies at the paths of `updates`, a GArray of git_tree_update (NULL: all
 * of it), with the folders in which the objects are: those with a file of their own each, for all others the packs, if
 * their folder has changed since `packs` was set. What is below a damaged tree is left out. Objects of other
 * repositories (alternates) are theirs. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean object_sync(git_repository *git, const git_oid *tip, const GArray *updates, PackWatch *packs, GError **error);
