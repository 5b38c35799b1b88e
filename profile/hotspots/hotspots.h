/* SPDX-License-Identifier: Apache-2.0 */
/* Hotspots: what each function of a profile costs, and who calls it and what it calls.
 *
 *     main;parse;read 3        self       read 3, parse 2, eval 5
 *     main;parse 2             inclusive  main 10, parse 5, eval 5, read 3
 *     main;eval;eval 5
 *
 * A function is a frame of the stack table: a name in a module. A function that is several times on a stack counts once
 * for its inclusive cost. All runs of the profile are summed. "Cost" is the weight of the cells; the samples that make
 * it up are carried along. Everything here is linear in the rows of the stack table, whatever its shape. */
#pragma once

#include "model/profile.h"

typedef struct {
	ProfileCell total;       /* of the whole profile */
	guint n_frames;          /* length of the arrays: frames of the table when this was made */
	ProfileCell *self;       /* by FrameId */
	ProfileCell *inclusive;  /* by FrameId */
	const StackTable *table; /* of the profile, borrowed */
} Hotspots;

Hotspots *hotspots_new(const Profile *profile);
void hotspots_free(Hotspots *hotspots);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hotspots, hotspots_free)

/* A part of the whole, 0..1; 0 of nothing is 0. */
double hotspots_share(guint64 part, guint64 whole);

/* Half of the 95 % interval of a share that was estimated from `samples` samples, by Wilson's score (Wilson 1927),
 * which is not 0 for a share of 0 or 1: z / (1 + z²/n) sqrt(p (1 - p) / n + z²/(4 n²)), z = 1.96. Assumes that samples
 * are independent and of equal weight, which is nearly true of a clock and optimistic of anything that beats in step
 * with the program. 1 (nothing is known) without samples. */
double hotspots_half_width(double share, guint64 samples);

/* The name of a function in at most `max_chars` code points (at least 3): of a longer one the middle is left out, since
 * what it is called stands at its end and where it belongs at its beginning. Owned by the caller. */
char *hotspots_short_name(const char *name, gsize max_chars);

typedef enum { HOTSPOTS_BY_SELF, HOTSPOTS_BY_INCLUSIVE } HotspotOrder;

/* The functions that cost anything, the most expensive first; ties by the other cost, then name, then module. Array of
 * FrameId, owned by the caller. */
GArray *hotspots_sorted(const Hotspots *hotspots, HotspotOrder order);

/* The functions that cost anything and whose name is `text`; if there is none, those whose name has `text` in it.
 * Commands only where no function is called like that. Ordered as by hotspots_sorted() by inclusive cost. Array of
 * FrameId, owned by the caller. */
GArray *hotspots_find(const Hotspots *hotspots, const char *text);

/* A caller or callee. */
typedef struct {
	FrameId frame;
	ProfileCell cost; /* of the stacks in which it is the one */
} HotspotNeighbour;

/* The surroundings of a function. A stack counts once: for the caller of the outermost occurrence of the function on
 * it, and for the callee of the innermost one. So `from_root` and all callers add up to `inclusive`, and `self` and all
 * callees do, too; a function that calls itself is neither its own caller nor callee. */
typedef struct {
	ProfileCell self, inclusive;
	ProfileCell from_root;     /* of stacks that begin with the function */
	GArray *callers, *callees; /* of HotspotNeighbour, the most expensive first, ties by name and module */
} HotspotCalls;

/* The callers and callees of the functions for which `chosen`[FrameId] is set, taken as one; the array has
 * hotspots_new()'s `n_frames`. */
HotspotCalls *hotspot_calls_new(const Profile *profile, const gboolean *chosen);
void hotspot_calls_free(HotspotCalls *calls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HotspotCalls, hotspot_calls_free)
