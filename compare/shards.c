/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/shards.h"

#include <math.h>

static void part_free(gpointer data)
{
	ShardPart *part = data;
	g_ptr_array_unref(part->benchmarks);
	g_clear_pointer(&part->machine, environment_free);
	g_free(part);
}

ShardSet *shard_set_new(guint total)
{
	ShardSet *set = g_new0(ShardSet, 1);
	set->total = total;
	set->benchmarks = g_ptr_array_new_with_free_func(g_free);
	set->parts = g_ptr_array_new_with_free_func(part_free);
	return set;
}

void shard_set_free(ShardSet *set)
{
	if (set == NULL)
		return;
	g_ptr_array_unref(set->benchmarks);
	g_ptr_array_unref(set->parts);
	g_free(set);
}

ShardPart *shard_set_add(ShardSet *set, guint index)
{
	ShardPart *part = g_new0(ShardPart, 1);
	part->index = index;
	part->benchmarks = g_ptr_array_new_with_free_func(g_free);
	part->exit_code = -1;
	part->elapsed_s = NAN;
	g_ptr_array_add(set->parts, part);
	return part;
}

const ShardPart *shard_set_single(const ShardSet *set)
{
	const ShardPart *first = set != NULL && set->parts->len == 1 ? set->parts->pdata[0] : NULL;
	return first != NULL && first->exit_code < 0 ? first : NULL;
}

Environment *shard_machine(const Environment *environment)
{
	if (environment == NULL)
		return NULL;
	Environment *machine = environment_new();
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		if (g_str_equal(field->name, "firebreak_version"))
			environment_set(machine, field->name, METRIC_DETERMINISTIC, field->value);
		else if (field->needed_by != METRIC_SAME_CAMPAIGN)
			environment_set(machine, field->name, field->needed_by, field->value);
	}
	return machine;
}
