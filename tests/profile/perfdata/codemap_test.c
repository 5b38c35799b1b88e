/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/codemap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_empty_map_has_nothing(void **state)
{
	(void)state;
	g_autoptr(CodeMap) map = code_map_new();
	assert_int_equal(code_map_find(map, 0), CODE_MAP_NOTHING);
	assert_int_equal(code_map_find(map, G_MAXUINT64), CODE_MAP_NOTHING);
}

static void a_later_range_cuts_what_it_overlaps(void **state)
{
	(void)state;
	g_autoptr(CodeMap) map = code_map_new();
	code_map_set(map, 100, 100, 1);
	code_map_set(map, 300, 100, 2);
	code_map_set(map, 150, 10, 3);
	code_map_set(map, 190, 150, 4);
	static const struct {
		guint64 address;
		guint32 value;
	} cases[] = {{99, CODE_MAP_NOTHING}, {100, 1}, {149, 1}, {150, 3}, {159, 3}, {160, 1}, {189, 1}, {190, 4},
	        {339, 4}, {340, 2}, {399, 2}, {400, CODE_MAP_NOTHING}};
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(code_map_find(map, cases[i].address), cases[i].value);
}

static void ranges_can_be_emptied(void **state)
{
	(void)state;
	g_autoptr(CodeMap) map = code_map_new();
	code_map_set(map, 0, 100, 1);
	code_map_set(map, 20, 10, CODE_MAP_NOTHING);
	code_map_set(map, 50, 0, 2);
	assert_int_equal(code_map_find(map, 19), 1);
	assert_int_equal(code_map_find(map, 20), CODE_MAP_NOTHING);
	assert_int_equal(code_map_find(map, 30), 1);
	assert_int_equal(code_map_find(map, 50), 1);
}

static void a_range_ends_with_the_address_space(void **state)
{
	(void)state;
	g_autoptr(CodeMap) map = code_map_new();
	code_map_set(map, G_MAXUINT64 - 10, G_MAXUINT64, 7);
	assert_int_equal(code_map_find(map, G_MAXUINT64 - 1), 7);
	assert_int_equal(code_map_find(map, G_MAXUINT64 - 11), CODE_MAP_NOTHING);
	assert_int_equal(code_map_find(map, 5), CODE_MAP_NOTHING);
}

/* Compared with an array of one value per address. */
static void a_map_says_what_a_plain_array_says(void **state)
{
	enum { ADDRESSES = 500, SETS = 2000 };
	guint32 plain[ADDRESSES];
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	g_autoptr(CodeMap) map = code_map_new();
	(void)state;
	for (guint i = 0; i < ADDRESSES; i++)
		plain[i] = CODE_MAP_NOTHING;
	for (guint set = 0; set < SETS; set++) {
		guint start = (guint)g_rand_int_range(random, 0, ADDRESSES);
		guint size = (guint)g_rand_int_range(random, 0, 60);
		guint32 value = set % 7 == 0 ? CODE_MAP_NOTHING : set;
		code_map_set(map, start, size, value);
		for (guint i = start; i < MIN(start + size, ADDRESSES); i++)
			plain[i] = value;
	}
	for (guint i = 0; i < ADDRESSES; i++)
		assert_int_equal(code_map_find(map, i), plain[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_empty_map_has_nothing),
	        cmocka_unit_test(a_later_range_cuts_what_it_overlaps),
	        cmocka_unit_test(ranges_can_be_emptied),
	        cmocka_unit_test(a_range_ends_with_the_address_space),
	        cmocka_unit_test(a_map_says_what_a_plain_array_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
