/* SPDX-License-Identifier: Apache-2.0 */
/* Small files that a recorded process left in places where anybody can write, such as maps of its generated code.
 *
 * Only a regular file, no symbolic link, that belongs to this user or to the user of the living process is read. */
#pragma once

#include <glib.h>

typedef struct {
	const char *root, *path; /* below this directory; symbolic links on the way do not lead out of it */
	gint32 pid;              /* of the process that should have written it */
	gsize max_bytes;
	gboolean is_text;          /* has no NUL, but may be a hole of any size */
	gint64 newest_s, oldest_s; /* not changed after or before, in seconds since 1970; 0 = no matter */
} OwnedFile;

/* The first bytes of the file, of a text those before the first NUL; NULL if it is not there or not to be read. *is_cut
 * becomes TRUE if there are more of them, else it stays as it was; may be NULL. */
GBytes *owned_file_read(const OwnedFile *file, gboolean *is_cut);
/* The root directory of a process while it lives, "/proc/PID/root", else "/"; owned by the caller. */
char *process_root(gint32 pid);
