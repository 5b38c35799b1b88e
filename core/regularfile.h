/* SPDX-License-Identifier: Apache-2.0 */
/* Files that may be anything: a path that a recording or another program names is opened only if it is a regular file,
 * so that a device, a FIFO or a terminal does nothing. */
#pragma once

#include <glib.h>

/* A descriptor of a regular file of at most `most` bytes, for the caller to close; sets *size. -1 and errno if it is
 * none: EINVAL for anything else than a regular file, EFBIG for one that is larger. `flags` are more of open(2), such
 * as O_NOFOLLOW. */
int regular_file_open(const char *path, int flags, gint64 most, gint64 *size);
/* The first `most` bytes of a regular file, or all of a shorter one. NULL and errno if it is none, or cannot be read.
 * Owned by the caller. */
GString *regular_file_begin(const char *path, int flags, gsize most);
