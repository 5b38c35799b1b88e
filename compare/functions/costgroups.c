/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/costgroups.h"

void cost_group_free(CostGroup *group)
{
	if (group == NULL)
		return;
	g_array_unref(group->rows);
	g_free(group->difference);
	g_free(group);
}

static void free_element(gpointer group)
{
	cost_group_free(group);
}

static CostGroup *group_new(guint rounds)
{
	CostGroup *group = g_new0(CostGroup, 1);
	group->rows = g_array_new(FALSE, FALSE, sizeof(guint));
	group->difference = g_new0(double, rounds);
	return group;
}

static void group_add(CostGroup *group, const CostGroup *other, guint rounds)
{
	g_array_append_vals(group->rows, other->rows->data, other->rows->len);
	for (guint r = 0; r < rounds; r++)
		group->difference[r] += other->difference[r];
	group->mean += other->mean;
}

CostGroups *cost_groups_new(guint rounds)
{
	CostGroups *groups = g_new0(CostGroups, 1);
	groups->rounds = rounds;
	groups->groups = g_ptr_array_new_with_free_func(free_element);
	groups->group_of = g_array_new(FALSE, FALSE, sizeof(guint));
	return groups;
}

void cost_groups_free(CostGroups *groups)
{
	if (groups == NULL)
		return;
	g_ptr_array_unref(groups->groups);
	g_array_unref(groups->group_of);
	g_free(groups);
}

void cost_groups_add(CostGroups *groups, const double *difference, double mean)
{
	guint row = groups->groups->len;
	CostGroup *group = group_new(groups->rounds);
	g_array_append_val(group->rows, row);
	for (guint r = 0; r < groups->rounds; r++)
		group->difference[r] = difference[r];
	group->mean = mean;
	g_ptr_array_add(groups->groups, group);
	g_array_append_val(groups->group_of, row);
}

CostGroup *cost_groups_at(const CostGroups *groups, guint row)
{
	return groups->groups->pdata[g_array_index(groups->group_of, guint, row)];
}

static gint compare_means(gconstpointer a, gconstpointer b)
{
	const CostGroup *x = *(CostGroup *const *)a, *y = *(CostGroup *const *)b;
	return (x->mean > y->mean) - (x->mean < y->mean);
}

void cost_groups_sort(GPtrArray *array)
{
	g_ptr_array_sort(array, compare_means);
}

CostGroup *cost_groups_sum(const CostGroups *groups, guint row, const GPtrArray *donors, guint *taken)
{
	CostGroup *sum = group_new(groups->rounds);
	group_add(sum, cost_groups_at(groups, row), groups->rounds);
	for (*taken = 0; *taken < donors->len && sum->mean > 0; (*taken)++)
		group_add(sum, donors->pdata[*taken], groups->rounds);
	return sum;
}

void cost_groups_merge(CostGroups *groups, guint row, CostGroup *sum)
{
	guint home = g_array_index(groups->group_of, guint, row);
	for (guint i = 0; i < sum->rows->len; i++)
		g_array_index(groups->group_of, guint, g_array_index(sum->rows, guint, i)) = home;
	cost_group_free(groups->groups->pdata[home]);
	groups->groups->pdata[home] = sum;
}
