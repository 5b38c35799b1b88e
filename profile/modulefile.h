/* Where the object file of a recorded map is now, which need not be where it was for the process:
 *
 *     /usr/bin/prog             the recorded path, if what is there has the recorded build-id
 *     SYMFS/usr/bin/prog        below a directory of the user's
 *     /proc/PID/root/usr/...    in the container of a process that still lives
 *     /proc/PID/map_files/...   the mapped file itself, if it was deleted or replaced meanwhile
 *
 * The last two only with a build-id to prove it, for the number may be another process's by now. Reads no more of a
 * file than its build-id. */
#pragma once

#include "profile/perfdata.h"

typedef struct {
	const PerfDataMmap *map; /* with the build-id, if one is known */
	gint32 pid;              /* of a process of this machine; 0 = do not look there */
	const char *symfs;       /* or NULL */
} ModuleFileQuery;

/* The path of the file, or what was recorded if it is nowhere; owned by the caller. */
char *module_file_find(const ModuleFileQuery *query);
/* The recorded path without the kernel's remark that the file is deleted; owned by the caller. */
char *module_file_recorded_path(const char *path);
/* TRUE if it has that remark. */
gboolean module_file_is_deleted(const char *path);
