/* Files that may be anything: a path that a recording or another program names is opened only if it is a regular file,
 * so that a device, a FIFO or a terminal does nothing. */
#pragma once

#include <glib.h>

/* A descriptor of a regular file of at most `most` bytes, for the caller to close; sets *size. -1 if it is none.
 * `flags` are more of open(2), such as O_NOFOLLOW. */
int regular_file_open(const char *path, int flags, gint64 most, gint64 *size);
