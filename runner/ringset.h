/* The ring buffers of a recording: one per CPU, into which all its events write, emptied in order of time.
 *
 * A record may become visible a moment after its time was taken, and CPUs are looked at one after the other; so a
 * batch ends a millisecond before now, and what is younger waits for the next one. */
#pragma once

#include "core/child.h"
#include "runner/eventset.h"

typedef struct RingSet RingSet;

/* Maps the buffers. They are smaller, with a finding, where the limit of locked memory demands it. Errors:
 * FIREBREAK_ERROR_ENVIRONMENT. `events` is borrowed as long as the rings live. */
RingSet *ring_set_map(const EventSet *events, FindingList *findings, GError **error);
void ring_set_free(RingSet *rings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RingSet, ring_set_free)

/* Gets one whole record, of the shape that runner/recordlayout.h says. */
typedef gboolean (*RingVisitor)(gpointer data, const guint8 *record, struct perf_event_header header, GError **error);

/* Empties the buffers and hands over what they held, in order of time; `all` includes the last millisecond. Errors:
 * those of the visitor, and FIREBREAK_ERROR_INVALID for a record of impossible size. */
gboolean ring_set_drain(RingSet *rings, gboolean all, RingVisitor visit, gpointer data, GError **error);

/* Appends a ChildWatch for each buffer that calls `ready` when it is half full. */
void ring_set_watches(const RingSet *rings, ChildTick ready, gpointer data, GArray *watches);
