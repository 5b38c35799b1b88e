/* SPDX-License-Identifier: Apache-2.0 */
/* Notes what a build was right after it was made: path, kind, mode, size and contents of every entry of its tree.
 *
 * Builds and runs can write wherever the user can, so also into the tree of the other side. A seal is made when a build
 * has ended, and what is used later is compared with it: nothing that differs ever runs. Contents are compared by
 * SHA-256; times of change are not part of a seal. */
#pragma once

#include "runner/trees/treewalk.h"

typedef struct TreeSeal TreeSeal;

/* Reads the whole tree. Errors: FIREBREAK_ERROR_STORAGE. */
TreeSeal *tree_seal_new(const char *root, GError **error);
void tree_seal_free(TreeSeal *seal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TreeSeal, tree_seal_free)

/* As text, one line for each entry, and back. NULL if it is no such text, or not whole. Owned by the caller. */
char *tree_seal_text(const TreeSeal *seal);
/* A seal from its text, owned by the caller; NULL if the text is none. */
TreeSeal *tree_seal_parse(const char *text);
/* Of all files, in bytes. */
guint64 tree_seal_bytes(const TreeSeal *seal);

/* The first path, in the order of paths, at which the tree `root` now differs from the seal; *path is NULL if it does
 * not, else owned by the caller. `ignored_mode`: permissions that may differ (0222 in a protected tree). Reads the
 * whole tree. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean tree_seal_check(const TreeSeal *seal, const char *root, guint ignored_mode, char **path, GError **error);
/* TRUE if an entry of a walk is a file with the contents that the seal has for it; reads all of it. */
gboolean tree_seal_has_contents(const TreeSeal *seal, const TreeEntry *entry);
/* TRUE if a file with these contents (hexadecimal SHA-256) is at that path. */
gboolean tree_seal_has_file(const TreeSeal *seal, const char *path, const char *sha256);

/* Takes the permission to write from everybody, in the whole tree. */
gboolean tree_seal_protect(const char *root, GError **error);
/* Gives files and folders the modes of the seal; what is not in it is left as it is. */
gboolean tree_seal_apply_modes(const TreeSeal *seal, const char *root, GError **error);
