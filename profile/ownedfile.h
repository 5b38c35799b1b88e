/* Small files that a recorded process left in places where anybody can write, such as maps of its generated code.
 *
 * Only a regular file, no symbolic link, that belongs to this user or to the user of the living process is read. */
#pragma once

#include <glib.h>

/* The first `max_bytes` of a file below the directory `root` (symbolic links on the way do not lead out of it), or NULL
 * if it is not there or not to be read. `pid` is the process that should have written it. */
GBytes *owned_file_read(const char *root, const char *path, gint32 pid, gsize max_bytes);
/* The root directory of a process while it lives, "/proc/PID/root", else "/"; owned by the caller. */
char *process_root(gint32 pid);
