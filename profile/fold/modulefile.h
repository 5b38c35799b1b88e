/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the object file of a recorded map, which need not be where it was for the process:
 *
 *     /usr/bin/prog             the recorded path, if what is there has the recorded build-id
 *     SYMFS/usr/bin/prog        below a directory of the user's
 *     /proc/PID/root/usr/...    in the container of a process that still lives
 *     /proc/PID/map_files/...   the mapped file itself, if it was deleted or replaced meanwhile
 *
 * The last two only with a build-id to prove it, for the number may be another process's by now. Where no build-id was
 * recorded, the file at the recorded path is used only
 *
 *     if the recording is of this host, or it has the recorded device and inode (profile/perfdata/recordingorigin.h),
 *     if it was not changed after the recording was made, nor replaced, which another inode shows,
 *     and if code of its size can have been mapped as it was recorded;
 *
 * else its names could be wrong. One below SYMFS is what the user says it is. A file is not seen to be another one if
 * the recording has a later date because it was copied. Reads no more of a file than its build-id and segments. */
#pragma once

#include "profile/perfdata/recordingorigin.h"

typedef struct {
	const PerfDataMmap *map; /* with the build-id, if one is known */
	gint32 pid;              /* of a process of this machine; 0 = do not look there */
	const char *symfs;       /* or NULL */
	OriginPlace place;       /* where it was recorded */
	gint64 recorded_ns;      /* since 1970: when the recording was complete; 0 = not known, any file will do */
} ModuleFileQuery;

/* The path of the file, or what was recorded if it is nowhere, with a remark where that is a file that may be another
 * one, so that nobody can open it; owned by the caller. */
char *module_file_find(const ModuleFileQuery *query);
/* The recorded path without the kernel's remark that the file is deleted; owned by the caller. */
char *module_file_recorded_path(const char *path);
/* TRUE if it has that remark. */
gboolean module_file_is_deleted(const char *path);
/* TRUE if it has a remark of module_file_find(). */
gboolean module_file_is_refused(const char *path);
