/* SPDX-License-Identifier: Apache-2.0 */
/* Perf maps: the files in which just-in-time compilers tell perf the names of generated code.
 *
 *     /tmp/perf-4711.map      7f12a4000000 80 LazyCompile:*parse /srv/app.js:12
 *                             START        SIZE name, which is the rest of the line; hex, with or without 0x
 *
 * A later line overrides what it overlaps of earlier ones, because compilers reuse memory. In a container the file lies
 * below the root directory of the process and is called after its number there, and both are gone when the process is:
 * so a recorder reads the maps when the workload ends, and keeps them in a feature of the recording that other readers
 * skip; a recording that has the feature, be it empty, has all maps there are. Anybody can write to /tmp: a map counts
 * only if it belongs to this user or to that of the process. It is text: it ends at the first NUL. */
#pragma once

#include <glib.h>

/* Number of the feature. Its content: for each process {s32 pid, u32 length, text, zeros up to a multiple of 8}, little
 * endian. */
#define PERF_MAPS_FEATURE 201

/* Longer maps end here, and so do all maps of one recording together. */
#define PERF_MAP_MAX_BYTES ((gsize)64 << 20)

/* Reads the map of a process that lives or has ended: below the root directory of the process while it lives, else
 * below this one's. NULL if there is no map, one that does not count, or one changed later than `newest_s` (seconds
 * since 1970), for then it is that of a later process with the same number. */
GBytes *perf_map_read(gint32 pid, gint64 newest_s);

/* Adds a process to the content of the feature. */
void perf_maps_append(GByteArray *feature, gint32 pid, GBytes *text);
/* The text of a process in the content of the feature, the last one if there are several; borrowed from it. FALSE if it
 * has none. */
gboolean perf_maps_find(const guint8 *feature, gsize feature_bytes, gint32 pid, const guint8 **text, gsize *length);

typedef struct PerfMap PerfMap;

/* Reads the text of a map; copied. Lines that are no entries are skipped, and so is all after a million of them. */
PerfMap *perf_map_parse(const guint8 *text, gsize length);
void perf_map_free(PerfMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfMap, perf_map_free)

/* The name of the code at an address, or NULL; borrowed. */
const char *perf_map_find(const PerfMap *map, guint64 address);
