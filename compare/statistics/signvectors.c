/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/signvectors.h"

guint64 splitmix64(guint64 *state)
{
	guint64 z = (*state += 0x9e3779b97f4a7c15ULL);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Bits that stand for no round stay clear. */
static void store_word(SignVectors *signs, guint vector, guint word, guint64 bits)
{
	guint first = word * 64, left = signs->rounds - first;
	if (left < 64)
		bits &= (1ULL << left) - 1;
	for (guint i = 0; i < 64 / FLIP_GROUP && first + i * FLIP_GROUP < signs->rounds; i++)
		signs->minus[(gsize)(first / FLIP_GROUP + i) * signs->vectors + vector] =
		        (guint8)(bits >> (i * FLIP_GROUP));
}

/* The first vector has no minus: it is the data as they were observed, so no p-value is ever 0. */
SignVectors *sign_vectors_new(guint rounds)
{
	gboolean enumerated = rounds <= FLIP_ENUMERATED_ROUNDS;
	guint64 state = FLIP_SEED;
	SignVectors *signs = g_new0(SignVectors, 1);
	signs->rounds = rounds;
	signs->vectors = enumerated ? 1U << rounds : FLIP_DRAWN;
	signs->groups = (rounds + FLIP_GROUP - 1) / FLIP_GROUP;
	signs->minus = g_new0(guint8, (gsize)signs->groups * signs->vectors);
	for (guint vector = 1; vector < signs->vectors; vector++)
		for (guint word = 0; word * 64 < rounds; word++)
			store_word(signs, vector, word, enumerated ? vector : splitmix64(&state));
	return signs;
}

void sign_vectors_free(SignVectors *signs)
{
	if (signs == NULL)
		return;
	g_free(signs->minus);
	g_free(signs);
}

gboolean sign_vectors_is_minus(const SignVectors *signs, guint vector, guint round)
{
	return (signs->minus[(gsize)(round / FLIP_GROUP) * signs->vectors + vector] >> (round % FLIP_GROUP)) & 1;
}
