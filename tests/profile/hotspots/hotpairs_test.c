/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/hotspots/hotpairs.h"

#include "profile/folded/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
	StackTable *table;
	Profile *profile;
	HotGroups *groups;
} Side;

static Side side_of(const char *text, const HotGrouping *grouping)
{
	const FoldedOptions options = {.columns = 1};
	Side side = {.table = stack_table_new()};
	side.profile = profile_new(side.table, "cpu-clock", "samples");
	profile_add_run(side.profile);
	assert_true(folded_read(text, strlen(text), "test", &options, side.profile, 0, NULL, NULL));
	side.groups = hot_groups_new(side.profile, grouping);
	return side;
}

static void side_clear(Side *side)
{
	hot_groups_free(side->groups);
	profile_free(side->profile);
	stack_table_unref(side->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

/* "name base head": shares in percent, all pairs. */
static void assert_pairs(const char *base_text, const char *head_text, HotspotOrder order, const char *expected)
{
	HotGrouping grouping;
	hot_grouping_init(&grouping);
	g_auto(Side) base = side_of(base_text, &grouping), head = side_of(head_text, &grouping);
	g_autoptr(GArray) pairs = hot_pairs_new(base.groups, head.groups, order);
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < pairs->len; i++) {
		const HotPair *pair = &g_array_index(pairs, HotPair, i);
		const char *name = pair->head != NULL ? hot_group_text(head.groups, pair->head, 0)
		                                      : hot_group_text(base.groups, pair->base, 0);
		g_string_append_printf(text, "%s %.0f %.0f; ", name, pair->base_share * 100, pair->head_share * 100);
	}
	assert_string_equal(text->str, expected);
	hot_grouping_clear(&grouping);
}

static void the_largest_change_of_share_comes_first(void **state)
{
	(void)state;
	assert_pairs("x;a 50\nx;b 40\nx;c 10\n", "x;a 48\nx;b 22\nx;c 30\n", HOTSPOTS_BY_SELF,
	        "c 10 30; b 40 22; a 50 48; ");
}

static void shares_are_of_each_sides_own_total(void **state)
{
	(void)state;
	assert_pairs("x;a 1\nx;b 3\n", "x;a 1000\nx;b 3000\n", HOTSPOTS_BY_SELF, "b 75 75; a 25 25; ");
}

static void a_group_of_one_side_has_nothing_on_the_other(void **state)
{
	(void)state;
	assert_pairs(
	        "x;a 60\nx;gone 40\n", "x;a 90\nx;added 10\n", HOTSPOTS_BY_SELF, "gone 40 0; a 60 90; added 0 10; ");
}

static void callers_are_compared_by_inclusive_cost(void **state)
{
	(void)state;
	assert_pairs("x;m;a 5\nx;b 5\n", "x;m;a 8\nx;b 2\n", HOTSPOTS_BY_INCLUSIVE,
	        "a 50 80; m 50 80; b 50 20; x 100 100; ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_largest_change_of_share_comes_first),
	        cmocka_unit_test(shares_are_of_each_sides_own_total),
	        cmocka_unit_test(a_group_of_one_side_has_nothing_on_the_other),
	        cmocka_unit_test(callers_are_compared_by_inclusive_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
