/* SPDX-License-Identifier: Apache-2.0 */
/* The ring buffers of a recording: one per CPU, into which all its events write, emptied in order of time.
 *
 * A record may become visible a moment after its time was taken, and CPUs are looked at one after the other; so a
 * batch ends a millisecond before now, and what is younger waits for the next one.
 *
 * Where samples bring a piece of stack, a thread takes out what comes while a batch is handed over, so that one record
 * that takes long loses no others. */
#pragma once

#include "core/child.h"
#include "runner/record/eventset.h"

typedef struct RingSet RingSet;

/* Bounds of the size of one buffer, without its head page. All sizes but the limits are powers of two. */
typedef struct {
	gsize usual_bytes;   /* what suits the samples */
	gsize total_bytes;   /* all buffers together */
	gsize allowed_bytes; /* by the limit of locked memory; G_MAXSIZE = none */
	gsize page_bytes;
	guint n_cpus;
} RingRoom;

typedef struct {
	gsize wished_bytes; /* without the limit of locked memory */
	gsize first_bytes;  /* to be tried first, then ever halves of it */
} RingSize;

/* Both are ring_size_least() or more, also where that is more than is allowed: the kernel may see it otherwise. */
RingSize ring_size_choose(const RingRoom *room);
/* 32 KiB, or a whole page where pages are larger. */
gsize ring_size_least(gsize page_bytes);

/* Maps the buffers. They are smaller, with a finding, where the limit of locked memory demands it. Errors:
 * FIREBREAK_ERROR_ENVIRONMENT. `events` is borrowed as long as the rings live. */
RingSet *ring_set_map(const EventSet *events, FindingList *findings, GError **error);
void ring_set_free(RingSet *rings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RingSet, ring_set_free)

/* Of one CPU's buffer. */
gsize ring_set_bytes(const RingSet *rings);
/* TRUE if the buffers are smaller because of that limit. */
gboolean ring_set_is_limited(const RingSet *rings);

/* Gets one whole record, of the shape that runner/record/recordlayout.h says. */
typedef gboolean (*RingVisitor)(gpointer data, const guint8 *record, struct perf_event_header header, GError **error);

/* Empties the buffers and hands over what they held, in order of time; `all` includes the last millisecond. Errors:
 * those of the visitor, and FIREBREAK_ERROR_INVALID for a record of impossible size. */
gboolean ring_set_drain(RingSet *rings, gboolean all, RingVisitor visit, gpointer data, GError **error);

/* Appends a ChildWatch for each buffer that calls `ready` when it is half full. */
void ring_set_watches(const RingSet *rings, ChildTick ready, gpointer data, GArray *watches);
