/* SPDX-License-Identifier: Apache-2.0 */
#include "model/codefacts.h"

/* Bits in which two sketches of the same function, edited, may differ. Measured on releases of cmark and Lua (gcc -O2):
 * 73 to 79 % of the functions that one release changed are as close to what they were; of pairs of different functions
 * it is one in 500 (cmark), 1000 (CPython) or 3000 (Lua), most of which are copies of each other in the source. */
#define MAX_DIFFERENT_BITS 14

CodeFacts *code_facts_new(guint n_frames)
{
	CodeFacts *facts = g_new0(CodeFacts, 1);
	facts->n_frames = n_frames;
	facts->identity = g_new0(CodeIdentity, MAX(1, n_frames));
	facts->is_outside = g_new0(gboolean, MAX(1, n_frames));
	for (guint side = 0; side < N_SIDES; side++)
		facts->places[side] = g_new0(CodePlace, MAX(1, n_frames));
	return facts;
}

void code_facts_free(CodeFacts *facts)
{
	if (facts == NULL)
		return;
	g_free(facts->identity);
	g_free(facts->is_outside);
	for (guint side = 0; side < N_SIDES; side++)
		g_free(facts->places[side]);
	g_free(facts);
}

CodeIdentity code_facts_identity(const CodeFacts *facts, FrameId frame)
{
	return facts != NULL && frame.index < facts->n_frames ? facts->identity[frame.index] : CODE_UNKNOWN;
}

gboolean code_facts_is_outside(const CodeFacts *facts, FrameId frame)
{
	return facts != NULL && frame.index < facts->n_frames && facts->is_outside[frame.index];
}

static gboolean is_known(const CodePlace *place)
{
	return place->file.index != 0 || place->first_line != 0 || place->hash != 0;
}

const CodePlace *code_facts_place(const CodeFacts *facts, guint side, FrameId frame)
{
	g_assert(side < N_SIDES);
	if (facts == NULL || frame.index >= facts->n_frames)
		return NULL;
	const CodePlace *place = &facts->places[side][frame.index];
	return is_known(place) ? place : NULL;
}

gboolean code_sketches_similar(guint64 a, guint64 b)
{
	return a != 0 && b != 0 && __builtin_popcountll(a ^ b) <= MAX_DIFFERENT_BITS;
}
