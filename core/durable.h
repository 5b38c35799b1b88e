/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders that are there whole or not at all, also after a kill or a power cut.
 *
 * When a function returns TRUE, the result is on the disk: contents and folder entries have been synced. When it
 * returns FALSE, what was there before is still there, and no temporary is left behind. Paths are the caller's own,
 * never foreign text. Errors: FIREBREAK_ERROR_STORAGE, naming the path. */
#pragma once

#include <glib.h>

/* Replaces or makes the file `path` with `length` bytes (-1: up to the NUL). Mode 0666 less the umask, or that of the
 * file replaced. A symbolic link at `path` is replaced, not followed. Its folder must exist. */
gboolean durable_write_file(const char *path, const char *data, gssize length, GError **error);

/* Makes the folder and its missing parents (mode 0777 less the umask). A folder that is there is fine. */
gboolean durable_make_dir(const char *path, GError **error);

/* Publishes the finished folder `prepared_dir` under the name `target_dir` in one step, after syncing all files below
 * it, and removes the folder that was there. Both must be on one file system. A symbolic link at `target_dir` is
 * replaced; a file there is an error. Where the file system cannot exchange two names, there is a moment without a
 * target. On failure `prepared_dir` stays. */
gboolean durable_replace_dir(const char *prepared_dir, const char *target_dir, GError **error);

/* Removes a file, link or folder tree of any depth, while nothing else works in it. Links are removed, not followed;
 * mount points are not entered but an error. Folders without permission are given it. Absence is not an error. A
 * failure may leave a part of the tree, rearranged. */
gboolean durable_remove_tree(const char *path, GError **error);

/* The path without slashes at its end, so that its parent is what is above it. Owned by the caller. */
char *durable_plain_path(const char *path);
