/* The perf maps (profile/perfmap.h) of all processes of a recording.
 *
 * A process in a container has its map below its own root directory and under its number there; both are noted while it
 * lives. */
#pragma once

#include <glib.h>

typedef struct JitMaps JitMaps;

JitMaps *jit_maps_new(void);
void jit_maps_free(JitMaps *maps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(JitMaps, jit_maps_free)

/* A process that has just begun to run a program. */
void jit_maps_note(JitMaps *maps, gint32 pid);
/* The content of the feature PERF_MAPS_FEATURE, owned by the caller; empty if no process has a map. */
GByteArray *jit_maps_collect(const JitMaps *maps);
