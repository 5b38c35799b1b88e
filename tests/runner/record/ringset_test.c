/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/ringset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KIB ((gsize)1024)
#define MIB (1024 * KIB)

static RingSize choose(gsize page_bytes, gsize allowed_bytes)
{
	const RingRoom room = {
	        .usual_bytes = 16 * MIB,
	        .total_bytes = 256 * MIB,
	        .allowed_bytes = allowed_bytes,
	        .page_bytes = page_bytes,
	        .n_cpus = 2,
	};
	return ring_size_choose(&room);
}

static void without_a_limit_it_is_what_suits_the_samples(void **state)
{
	(void)state;
	RingSize size = choose(4 * KIB, G_MAXSIZE);
	assert_int_equal(size.wished_bytes, 16 * MIB);
	assert_int_equal(size.first_bytes, 16 * MIB);
}

static void many_cpus_share_the_total(void **state)
{
	(void)state;
	const RingRoom room = {
	        .usual_bytes = 16 * MIB,
	        .total_bytes = 256 * MIB,
	        .allowed_bytes = G_MAXSIZE,
	        .page_bytes = 4 * KIB,
	        .n_cpus = 100,
	};
	RingSize size = ring_size_choose(&room);
	assert_int_equal(size.wished_bytes, 2 * MIB);
	assert_int_equal(size.first_bytes, 2 * MIB);
}

static void a_small_limit_makes_it_smaller_than_wished(void **state)
{
	(void)state;
	RingSize size = choose(4 * KIB, 512 * KIB + 4 * KIB);
	assert_int_equal(size.wished_bytes, 16 * MIB);
	assert_int_equal(size.first_bytes, 512 * KIB);
}

/* With pages of 64 KiB and a limit below, nothing was mapped, and that passed for success. */
static void it_is_never_less_than_a_page(void **state)
{
	static const gsize pages[] = {4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB};
	static const gsize limits[] = {0, KIB, 33 * KIB, 64 * KIB, 516 * KIB, G_MAXSIZE};
	(void)state;
	for (gsize p = 0; p < G_N_ELEMENTS(pages); p++)
		for (gsize l = 0; l < G_N_ELEMENTS(limits); l++) {
			RingSize size = choose(pages[p], limits[l]);
			assert_true(size.first_bytes >= pages[p] && size.first_bytes >= 32 * KIB);
			assert_true(size.first_bytes % pages[p] == 0);
			assert_true(size.wished_bytes >= size.first_bytes);
			assert_true(size.first_bytes <= MAX(limits[l], ring_size_least(pages[p])));
		}
}

static void many_cpus_with_large_pages_have_a_page_each(void **state)
{
	(void)state;
	const RingRoom room = {
	        .usual_bytes = 512 * KIB,
	        .total_bytes = 8 * MIB,
	        .allowed_bytes = 0,
	        .page_bytes = 64 * KIB,
	        .n_cpus = 384,
	};
	RingSize size = ring_size_choose(&room);
	assert_int_equal(size.wished_bytes, 64 * KIB);
	assert_int_equal(size.first_bytes, 64 * KIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_a_limit_it_is_what_suits_the_samples),
	        cmocka_unit_test(many_cpus_share_the_total),
	        cmocka_unit_test(a_small_limit_makes_it_smaller_than_wished),
	        cmocka_unit_test(it_is_never_less_than_a_page),
	        cmocka_unit_test(many_cpus_with_large_pages_have_a_page_each),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
