/* Writer of a perf.data file: head, records, and what is told about them behind.
 *
 * Format: tools/perf/Documentation/perf.data-file-format.txt. Features written: tracepoint formats, build-ids of the
 * modules seen, kernel, architecture, CPUs, command line, events with their names, times, groups, and perf maps
 * (profile/perfmap.h). The host's name is not. */
#pragma once

#include "runner/eventset.h"

typedef struct PerfFile PerfFile;

/* Starts the file, which is replaced if it is there; a symbolic link is not followed. `events` is borrowed as long as
 * the file lives. Errors: FIREBREAK_ERROR_STORAGE, also of the others. */
PerfFile *perf_file_create(const char *path, const EventSet *events, GError **error);
void perf_file_free(PerfFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfFile, perf_file_free)

/* Appends a record of the shape of runner/recordlayout.h. */
gboolean perf_file_append(PerfFile *file, const guint8 *record, gsize size, GError **error);
/* Bytes of records so far. */
guint64 perf_file_bytes(const PerfFile *file);
/* Completes the file. `command` is NULL-terminated or NULL; `perf_maps` is the content of that feature. */
gboolean perf_file_complete(PerfFile *file, const char *const *command, const GByteArray *perf_maps, GError **error);
