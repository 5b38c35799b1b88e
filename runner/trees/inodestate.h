/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a file or folder has beside its contents and times, where a program could keep state: its mode, its
 * extended attributes, and of a folder its flags (chattr) and its size.
 *
 * The size of a folder grows with its entries, and on some file systems (ext4) it does not shrink when they go. There
 * only a new folder has the size of before: what is in the old one moves into it. */
#pragma once

#include <glib.h>
#include <sys/stat.h>

typedef struct InodeState InodeState;

/* Notes a file or folder, which is no link. Errors: FIREBREAK_ERROR_STORAGE. */
InodeState *inode_state_new(const char *path, GError **error);
void inode_state_free(InodeState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(InodeState, inode_state_free)

/* Puts back mode, flags and attributes; *changed becomes TRUE if something was otherwise, else stays. Errors:
 * FIREBREAK_ERROR_STORAGE. */
gboolean inode_state_restore(const InodeState *state, const char *path, gboolean *changed, GError **error);
/* Makes a folder anew that is larger than it was, with the same entries; the folder around it can be written to. The
 * new one has the old mode, flags and attributes, and other times. If that made it smaller, *changed becomes TRUE; else
 * its entries need that size, which is noted. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean inode_state_shrink(InodeState *state, const char *path, gboolean *changed, GError **error);
