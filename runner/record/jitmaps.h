/* SPDX-License-Identifier: Apache-2.0 */
/* The perf maps (profile/perfdata/perfmap.h) of all processes of a recording.
 *
 * A process in a container has its map below its own root directory and under its number there; both are noted while it
 * lives. A map that was changed last before the recording began is one of an earlier process with that number. All maps
 * together are at most PERF_MAP_MAX_BYTES, for any process can make files of any size. */
#pragma once

#include <glib.h>

typedef struct JitMaps JitMaps;

JitMaps *jit_maps_new(void);
void jit_maps_free(JitMaps *maps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(JitMaps, jit_maps_free)

/* A process that has just begun to run a program, or was forked. */
void jit_maps_note(JitMaps *maps, gint32 pid);
/* The content of the feature PERF_MAPS_FEATURE, owned by the caller; empty if no process has a map. *is_cut becomes
 * TRUE if some of a map was left out, because it is no text or there was too much. */
GByteArray *jit_maps_collect(const JitMaps *maps, gboolean *is_cut);
