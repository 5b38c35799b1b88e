/* SPDX-License-Identifier: Apache-2.0 */
/* Find-or-add for rows that are identified by a pair of integers: (parent, frame) of a stack, (name, module) of a
 * frame, (offset, module) of an address.
 *
 * An open-addressing hash table without deletion: 16 bytes per slot, no allocation per row, at most 2^31 rows. The rows
 * themselves belong to the caller, who numbers them 0, 1, 2, ... in the order in which they are added. */
#pragma once

#include <glib.h>

typedef struct {
	guint64 first;
	guint32 second;
	guint32 row_plus_1; /* 0 = empty slot */
} PairSlot;

typedef struct {
	PairSlot *slots;
	guint64 n_slots; /* a power of two, or 0 before the first row */
	guint32 n_rows;
} PairIndex;

/* Releases the slots; a zeroed PairIndex is an empty one. */
void pair_index_clear(PairIndex *index);
/* The row of the pair. If it was not there, it gets the next number and *is_new is TRUE: the caller appends its row. */
guint32 pair_index_find_or_add(PairIndex *index, guint64 first, guint32 second, gboolean *is_new);
