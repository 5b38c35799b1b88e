/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/costgroups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Four rows of two rounds: two rises and two falls. */
static CostGroups *four_rows(void)
{
	static const double differences[][2] = {{10, 12}, {5, 7}, {-3, -5}, {-8, -8}};
	static const double means[] = {11, 6, -4, -8};
	CostGroups *groups = cost_groups_new(2);
	for (guint i = 0; i < G_N_ELEMENTS(means); i++)
		cost_groups_add(groups, differences[i], means[i]);
	return groups;
}

static GPtrArray *falls_of(const CostGroups *groups)
{
	GPtrArray *falls = g_ptr_array_new();
	g_ptr_array_add(falls, cost_groups_at(groups, 2));
	g_ptr_array_add(falls, cost_groups_at(groups, 3));
	return falls;
}

static void every_row_starts_alone(void **state)
{
	(void)state;
	g_autoptr(CostGroups) groups = four_rows();
	for (guint i = 0; i < 4; i++) {
		const CostGroup *group = cost_groups_at(groups, i);
		assert_int_equal(group->rows->len, 1);
		assert_int_equal(g_array_index(group->rows, guint, 0), i);
	}
	assert_true(cost_groups_at(groups, 1)->difference[1] == 7);
}

static void the_largest_fall_comes_first(void **state)
{
	(void)state;
	g_autoptr(CostGroups) groups = four_rows();
	g_autoptr(GPtrArray) falls = falls_of(groups);
	cost_groups_sort(falls);
	assert_ptr_equal(falls->pdata[0], cost_groups_at(groups, 3));
}

static void falls_are_taken_until_the_sum_is_not_positive(void **state)
{
	guint taken = 0;
	(void)state;
	g_autoptr(CostGroups) groups = four_rows();
	g_autoptr(GPtrArray) falls = falls_of(groups);
	cost_groups_sort(falls);
	g_autoptr(CostGroup) both = cost_groups_sum(groups, 0, falls, &taken);
	assert_int_equal(taken, 2);
	assert_true(both->mean == -1 && both->difference[0] == -1 && both->difference[1] == -1);
	g_autoptr(CostGroup) one = cost_groups_sum(groups, 1, falls, &taken);
	assert_int_equal(taken, 1);
	assert_true(one->mean == -2 && one->rows->len == 2);
	assert_int_equal(cost_groups_at(groups, 1)->rows->len, 1);
}

static void merged_rows_share_one_group(void **state)
{
	guint taken;
	(void)state;
	g_autoptr(CostGroups) groups = four_rows();
	g_autoptr(GPtrArray) falls = falls_of(groups);
	cost_groups_merge(groups, 0, cost_groups_sum(groups, 0, falls, &taken));
	const CostGroup *merged = cost_groups_at(groups, 0);
	assert_ptr_equal(cost_groups_at(groups, 2), merged);
	assert_ptr_equal(cost_groups_at(groups, 3), merged);
	assert_ptr_not_equal(cost_groups_at(groups, 1), merged);
	assert_int_equal(g_array_index(merged->rows, guint, 0), 0);
	assert_true(merged->mean == -1);
}

static void rows_need_no_rounds(void **state)
{
	(void)state;
	g_autoptr(CostGroups) groups = cost_groups_new(0);
	cost_groups_add(groups, NULL, 5);
	assert_true(cost_groups_at(groups, 0)->mean == 5);
}

/* It fails by crashing. */
static void freeing_nothing_does_nothing(void **state)
{
	(void)state;
	cost_group_free(NULL);
	cost_groups_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_row_starts_alone),
	        cmocka_unit_test(the_largest_fall_comes_first),
	        cmocka_unit_test(falls_are_taken_until_the_sum_is_not_positive),
	        cmocka_unit_test(merged_rows_share_one_group),
	        cmocka_unit_test(rows_need_no_rounds),
	        cmocka_unit_test(freeing_nothing_does_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
