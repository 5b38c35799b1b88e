/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of a perf.data file: head, records, and after them the features, which tell about them.
 *
 * Format: tools/perf/Documentation/perf.data-file-format.txt. Features written: tracepoint formats, build-ids of the
 * modules seen, kernel, architecture, CPUs, command line, events with their names, times, groups, perf maps
 * (profile/perfdata/perfmap.h), how many stacks are incomplete (profile/perfdata/perfdata.h) and a mark of host and
 * boot (profile/perfdata/recordingorigin.h). The host's name is not. */
#pragma once

#include "runner/record/eventset.h"

typedef struct PerfFile PerfFile;

/* Starts the file, whose place is `path` once it is complete (core/wholefile.h). `events` is borrowed as long as the
 * file lives. Errors: FIREBREAK_ERROR_STORAGE, also of the others. */
PerfFile *perf_file_create(const char *path, const EventSet *events, GError **error);
void perf_file_free(PerfFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfFile, perf_file_free)

/* Appends a record of the shape of runner/record/recordlayout.h. */
gboolean perf_file_append(PerfFile *file, const guint8 *record, gsize size, GError **error);
/* Bytes of records so far. */
guint64 perf_file_bytes(const PerfFile *file);
/* The facts that are known at the end of a recording. */
typedef struct {
	const char *const *command;  /* NULL-terminated, or NULL */
	const GByteArray *perf_maps; /* content of that feature */
	gboolean completes_stacks;   /* the next two are known */
	guint64 stacks, incomplete;  /* stacks that were completed, and of these those without their root */
} PerfFileTail;

/* Completes the file and puts it into its place. */
gboolean perf_file_complete(PerfFile *file, const PerfFileTail *tail, GError **error);
