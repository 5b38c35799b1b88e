/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers of Git LFS: small texts that git keeps in place of large files, whose contents are somewhere else. */
#pragma once

#include <glib.h>

/* The SHA-256 of the contents, as 64 lower-case hex digits, that a pointer names; NULL if the text is no pointer. Owned
 * by the caller. */
char *lfs_pointer_sha256(const char *text, gsize length);
/* TRUE if the text is a pointer, even one that names its contents in an unknown way. */
gboolean lfs_is_pointer(const char *text, gsize length);
/* TRUE if the contents of the file at `path` are those that the pointer names. */
gboolean lfs_pointer_matches(const char *text, gsize length, const char *path);
