/* SPDX-License-Identifier: Apache-2.0 */
#include "model/textindex.h"

#include <string.h>

#define FIRST_SIZE 1024u
#define MAX_ROWS (1u << 31)

static guint64 mixed(guint64 x)
{
	x = (x ^ (x >> 32)) * G_GUINT64_CONSTANT(0xd6e8feb86659fd93);
	return x ^ (x >> 32);
}

static guint64 hash_text(TextPiece piece)
{
	const char *text = piece.start;
	gsize length = piece.length;
	guint64 hash = length, word = 0;
	for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = mixed(hash ^ word);
	}
	word = 0;
	memcpy(&word, text, length);
	return mixed(hash ^ word);
}

static TextSlot *slot_of(const TextIndex *index, guint64 hash, TextPiece text)
{
	guint64 at = hash & (index->n_slots - 1);
	for (;; at = (at + 1) & (index->n_slots - 1)) {
		TextSlot *slot = &index->slots[at];
		if (slot->row_plus_1 == 0)
			return slot;
		if (slot->hash == hash && slot->text.length == text.length &&
		        memcmp(slot->text.start, text.start, text.length) == 0)
			return slot;
	}
}

static void grow(TextIndex *index)
{
	TextIndex larger = {.n_slots = index->n_slots == 0 ? FIRST_SIZE : index->n_slots * 2, .n_rows = index->n_rows};
	larger.slots = g_new0(TextSlot, larger.n_slots);
	for (guint64 i = 0; i < index->n_slots; i++) {
		const TextSlot *old = &index->slots[i];
		if (old->row_plus_1 != 0)
			*slot_of(&larger, old->hash, old->text) = *old;
	}
	g_free(index->slots);
	*index = larger;
}

void text_index_clear(TextIndex *index)
{
	g_free(index->slots);
	*index = (TextIndex){0};
}

guint32 text_index_find_or_add(TextIndex *index, TextPiece text, gboolean *is_new)
{
	if ((guint64)index->n_rows * 3 >= index->n_slots * 2)
		grow(index);
	guint64 hash = hash_text(text);
	TextSlot *slot = slot_of(index, hash, text);
	*is_new = slot->row_plus_1 == 0;
	if (*is_new) {
		g_assert(index->n_rows < MAX_ROWS);
		*slot = (TextSlot){hash, text, ++index->n_rows};
	}
	return slot->row_plus_1 - 1;
}
