/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pairindex.h"

#define FIRST_SIZE 1024u
#define MAX_ROWS (1u << 31)

static guint64 hash_pair(guint64 first, guint32 second)
{
	/* the finaliser of splitmix64 over both halves */
	guint64 x = first + second * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static PairSlot *slot_of(PairSlot *slots, guint64 n_slots, guint64 first, guint32 second)
{
	guint64 at = hash_pair(first, second) & (n_slots - 1);
	while (slots[at].row_plus_1 != 0 && (slots[at].first != first || slots[at].second != second))
		at = (at + 1) & (n_slots - 1);
	return &slots[at];
}

static void grow(PairIndex *index)
{
	guint64 n_slots = index->n_slots == 0 ? FIRST_SIZE : index->n_slots * 2;
	PairSlot *slots = g_new0(PairSlot, n_slots);
	for (guint64 i = 0; i < index->n_slots; i++) {
		const PairSlot *old = &index->slots[i];
		if (old->row_plus_1 != 0)
			*slot_of(slots, n_slots, old->first, old->second) = *old;
	}
	g_free(index->slots);
	index->slots = slots;
	index->n_slots = n_slots;
}

void pair_index_clear(PairIndex *index)
{
	g_free(index->slots);
	*index = (PairIndex){0};
}

guint32 pair_index_find_or_add(PairIndex *index, guint64 first, guint32 second, gboolean *is_new)
{
	if ((guint64)index->n_rows * 3 >= index->n_slots * 2)
		grow(index);
	PairSlot *slot = slot_of(index->slots, index->n_slots, first, second);
	*is_new = slot->row_plus_1 == 0;
	if (*is_new) {
		g_assert(index->n_rows < MAX_ROWS);
		*slot = (PairSlot){first, second, ++index->n_rows};
	}
	return slot->row_plus_1 - 1;
}
