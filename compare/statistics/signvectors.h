/* SPDX-License-Identifier: Apache-2.0 */
/* The sign vectors of tests that swap the sides of rounds: one sign per round, the same for everything that was
 * measured in that round.
 *
 * Up to 14 rounds these are all 2^k vectors, so a test over them is exact; above that the identity and 16383 drawn
 * ones. The generator is SplitMix64 (Steele, Lea and Flood 2014) started at FLIP_SEED for every test: bit i of its word
 * i/64 is the sign of round i, set = minus, and a vector of k rounds takes (k + 63) / 64 words. So the same rounds give
 * the same p-value anywhere.
 *
 * Rounds are kept in groups of eight, so that the sum of a vector is a sum of a few table entries:
 *
 *     minus[group * vectors + vector], bit i set: round 8 group + i is swapped */
#pragma once

#include <glib.h>

#define FLIP_ENUMERATED_ROUNDS 14 /* up to here all sign vectors are used */
#define FLIP_DRAWN 16384          /* sign vectors above that */
#define FLIP_SEED 0x66697265627265ULL
#define FLIP_GROUP 8 /* rounds in a group */

typedef struct {
	guint rounds, vectors, groups;
	guint8 *minus; /* vector 0 swaps nothing */
} SignVectors;

/* Owned by the caller. */
SignVectors *sign_vectors_new(guint rounds);
void sign_vectors_free(SignVectors *signs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SignVectors, sign_vectors_free)

/* TRUE if `vector` swaps the sides of `round`. */
gboolean sign_vectors_is_minus(const SignVectors *signs, guint vector, guint round);

/* The next of a sequence of numbers that look random, from a seed in *state (Steele, Lea and Flood 2014). */
guint64 splitmix64(guint64 *state);
