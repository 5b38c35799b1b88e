/* Where the object file of a recorded map is now, which need not be where it was for the process:
 *
 *     /usr/bin/prog             the recorded path, if what is there has the recorded build-id
 *     SYMFS/usr/bin/prog        below a directory of the user's
 *     /proc/PID/root/usr/...    in the container of a process that still lives
 *     /proc/PID/map_files/...   the mapped file itself, if it was deleted or replaced meanwhile
 *
 * The last two only with a build-id to prove it, for the number may be another process's by now. Without a build-id, a
 * file at the recorded path that was changed after the recording was made is another one, whose names would be wrong;
 * one below SYMFS is what the user says it is. A file that was replaced by an older one is not told apart, nor is any
 * if the recording has a later date because it was copied. Reads no more of a file than its build-id. */
#pragma once

#include "profile/perfdata.h"

typedef struct {
	const PerfDataMmap *map; /* with the build-id, if one is known */
	gint32 pid;              /* of a process of this machine; 0 = do not look there */
	const char *symfs;       /* or NULL */
	gint64 recorded_ns;      /* since 1970: when the recording was complete; 0 = not known, any file will do */
} ModuleFileQuery;

/* The path of the file, or what was recorded if it is nowhere, with a remark where that is a file that was changed, so
 * that nobody can open it; owned by the caller. */
char *module_file_find(const ModuleFileQuery *query);
/* The recorded path without the kernel's remark that the file is deleted; owned by the caller. */
char *module_file_recorded_path(const char *path);
/* TRUE if it has that remark. */
gboolean module_file_is_deleted(const char *path);
/* TRUE if it has the remark of module_file_find(). */
gboolean module_file_is_changed(const char *path);
