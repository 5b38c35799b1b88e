/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/signvectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static guint64 bits_of(const SignVectors *signs, guint vector)
{
	guint64 bits = 0;
	for (guint round = 0; round < signs->rounds; round++)
		bits |= (guint64)sign_vectors_is_minus(signs, vector, round) << round;
	return bits;
}

static void few_rounds_have_every_vector_once(void **state)
{
	(void)state;
	for (guint rounds = 1; rounds <= FLIP_ENUMERATED_ROUNDS; rounds++) {
		g_autoptr(SignVectors) signs = sign_vectors_new(rounds);
		assert_int_equal(signs->vectors, 1U << rounds);
		assert_int_equal(signs->groups, rounds <= 8 ? 1 : 2);
		for (guint vector = 0; vector < signs->vectors; vector++)
			assert_int_equal(bits_of(signs, vector), vector);
	}
}

static void the_first_vector_swaps_nothing(void **state)
{
	(void)state;
	for (guint rounds = 1; rounds < 140; rounds++) {
		g_autoptr(SignVectors) signs = sign_vectors_new(rounds);
		for (guint round = 0; round < rounds; round++)
			assert_false(sign_vectors_is_minus(signs, 0, round));
	}
}

/* The words of SplitMix64 from the seed, one per vector: documented, so a p-value can be computed elsewhere. */
static void many_rounds_have_the_drawn_vectors_of_the_fixed_generator(void **state)
{
	(void)state;
	g_autoptr(SignVectors) signs = sign_vectors_new(20);
	assert_int_equal(signs->vectors, FLIP_DRAWN);
	assert_int_equal(signs->groups, 3);
	guint64 generator = FLIP_SEED;
	for (guint vector = 1; vector < signs->vectors; vector++) {
		guint64 z = (generator += 0x9e3779b97f4a7c15ULL);
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		assert_int_equal(bits_of(signs, vector), (z ^ (z >> 31)) & 0xfffff);
	}
}

static void drawn_signs_are_balanced_in_every_round(void **state)
{
	(void)state;
	g_autoptr(SignVectors) signs = sign_vectors_new(130);
	for (guint round = 0; round < 130; round++) {
		guint minus = 0;
		for (guint vector = 0; vector < signs->vectors; vector++)
			minus += sign_vectors_is_minus(signs, vector, round);
		assert_in_range(minus, FLIP_DRAWN / 2 - 4 * 64, FLIP_DRAWN / 2 + 4 * 64); /* four standard deviations */
	}
}

/* Bits that stand for no round must not choose another entry of a table. */
static void bits_beyond_the_last_round_are_clear(void **state)
{
	(void)state;
	g_autoptr(SignVectors) signs = sign_vectors_new(67);
	assert_int_equal(signs->groups, 9);
	for (guint vector = 0; vector < signs->vectors; vector++)
		assert_in_range(signs->minus[8 * signs->vectors + vector], 0, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(few_rounds_have_every_vector_once),
	        cmocka_unit_test(the_first_vector_swaps_nothing),
	        cmocka_unit_test(many_rounds_have_the_drawn_vectors_of_the_fixed_generator),
	        cmocka_unit_test(drawn_signs_are_balanced_in_every_round),
	        cmocka_unit_test(bits_beyond_the_last_round_are_clear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
