/* SPDX-License-Identifier: Apache-2.0 */
/* Reading git objects of the store: damage is told from a machine that does not read, and no object, however damaged,
 * is waited for for ever (looseobject.h). Internal to this folder.
 *
 * `what` names the object in messages. Errors: FIREBREAK_ERROR_BASELINE for an object that is damaged, missing or of
 * another type, FIREBREAK_ERROR_STORAGE for what the machine refuses. */
#pragma once

#include "core/git/gitcleanup.h"

/* Owned by the caller; NULL with *error set on failure. */
git_commit *object_read_commit(git_repository *git, const git_oid *id, const char *what, GError **error);
/* The tree with that id, owned by the caller; `what` is its name in messages. Errors: FIREBREAK_ERROR_BASELINE. */
git_tree *object_read_tree(git_repository *git, const git_oid *id, const char *what, GError **error);
/* The content of a blob of at most OBJECT_READ_MAX_BYTES, refused before it is unpacked if it has more. */
GString *object_read_blob(git_repository *git, const git_oid *id, const char *what, GError **error);

#define OBJECT_READ_MAX_BYTES ((gsize)256 * 1024 * 1024)

/* Sets the error for something that libgit2 has just failed to read. Returns FALSE. */
gboolean object_read_fail(GError **error, const char *what);
