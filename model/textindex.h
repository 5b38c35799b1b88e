/* SPDX-License-Identifier: Apache-2.0 */
/* Find-or-add for pieces of a text that stays in memory: the lines of a mapped file of which most are repeated.
 *
 * An open-addressing hash table without deletion that borrows the pieces: nothing is copied and nothing is allocated
 * per piece. The rows themselves belong to the caller, who numbers them 0, 1, 2, ... in the order in which they are
 * added. */
#pragma once

#include "model/textpiece.h"

typedef struct {
	guint64 hash;
	TextPiece text;
	guint32 row_plus_1; /* 0 = empty slot */
} TextSlot;

typedef struct {
	TextSlot *slots;
	guint64 n_slots; /* a power of two, or 0 before the first row */
	guint32 n_rows;
} TextIndex;

/* Releases the slots; a zeroed TextIndex is an empty one. */
void text_index_clear(TextIndex *index);
/* The row of the piece. If it was not there, it gets the next number and *is_new is TRUE: the caller
 * appends its row, and the bytes must stay until the index is cleared. At most 2^31 rows. */
guint32 text_index_find_or_add(TextIndex *index, TextPiece text, gboolean *is_new);
