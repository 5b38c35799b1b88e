/* SPDX-License-Identifier: Apache-2.0 */
/* Finds object files and their debug information, by build-id, by .gnu_debuglink and by .gnu_debugaltlink:
 *
 *     the file       <symfs>/path, path, and by build-id below the folders of .build-id
 *     debug file     by build-id; <folder of the file>/link, .../.debug/link, /usr/lib/debug/<folder of the file>/link
 *     shared (dwz)   its path, also relative to the debug file; by build-id
 *     .build-id      <symfs>/usr/lib/debug, <symfs>, /usr/lib/debug, and ~/.debug as perf lays it out
 *
 * What is named here is only a candidate: whoever opens it checks the build-id. Lists are of char *, the best one
 * first, and owned by the caller. */
#pragma once

#include <glib.h>

typedef struct {
	const char *path;  /* of the object file as the recording names it */
	const char *symfs; /* or NULL */
	const guint8 *build_id;
	guint build_id_length; /* 0 = not known */
} DebugSearch;

/* The object file itself. */
GPtrArray *debug_files_object(const DebugSearch *search);
/* Its debug information. `found_path` is where the object file was found; `link` is the text of .gnu_debuglink or
 * NULL. */
GPtrArray *debug_files_debug(const DebugSearch *search, const char *found_path, const char *link);
/* Finds the file into which dwz moved what several debug files share. `name` and the build-id of `shared` are those of
 * .gnu_debugaltlink, `debug_path` is the file that has the link; `shared->path` is not used. */
GPtrArray *debug_files_shared(const DebugSearch *shared, const char *debug_path, const char *name);

/* Opens a regular file of at most 8 GiB for reading, without waiting for a writer of a pipe. Returns the descriptor,
 * or -1 with errno: EFBIG if it is too large, EINVAL if it is not regular. */
int debug_file_open(const char *path);
/* The same for an ELF file with this build-id, else -1. */
int debug_file_open_build(const char *path, const guint8 *build_id, guint build_id_length);
