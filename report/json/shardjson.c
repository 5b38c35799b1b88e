/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/shardjson.h"

#include "core/json/fieldtable.h"

static const Field part_fields[] = {
        FIELD("index", COUNT, ShardPart, index),
        FIELD("benchmarks", TEXTS, ShardPart, benchmarks),
        FIELD_LATER("toolchain"),
        FIELD_LATER("machine"),
        FIELD_LATER("exit_code"),
        FIELD("seed", DIGITS, ShardPart, seed),
        FIELD("elapsed_s", NUMBER, ShardPart, elapsed_s),
};

static const Field set_fields[] = {
        FIELD("total", COUNT, ShardSet, total),
        FIELD("benchmarks", TEXTS, ShardSet, benchmarks),
        FIELD_LATER("parts"),
};

/* The fields that this class is the loosest to need equal. */
static json_t *fields_of(const Environment *machine, MetricClass needed_by)
{
	if (machine == NULL)
		return json_null();
	json_t *object = json_object();
	for (guint i = 0; i < machine->fields->len; i++) {
		const EnvironmentField *field = g_ptr_array_index(machine->fields, i);
		if (field->needed_by == needed_by)
			json_set(object, field->name, json_text(field->value));
	}
	return object;
}

static json_t *part_json(const ShardPart *part)
{
	json_t *object = fields_json(FIELD_TABLE(part_fields), part, FALSE);
	json_set(object, "toolchain", fields_of(part->machine, METRIC_DETERMINISTIC));
	json_set(object, "machine", fields_of(part->machine, METRIC_REPLICABLE));
	if (part->exit_code >= 0) {
		json_set(object, "exit_code", json_integer(part->exit_code));
		return object;
	}
	json_set(object, "seed", json_null());
	json_set(object, "elapsed_s", json_null());
	return object;
}

json_t *shards_json(const ShardSet *shards)
{
	if (shards == NULL)
		return json_null();
	json_t *object = fields_json(FIELD_TABLE(set_fields), shards, FALSE), *parts = json_array();
	for (guint i = 0; i < shards->parts->len; i++)
		json_array_append_new(parts, part_json(g_ptr_array_index(shards->parts, i)));
	json_set(object, "parts", parts);
	return object;
}

static void read_machine(ShardPart *part, json_t *object, MetricClass needed_by)
{
	const char *name;
	json_t *value;
	if (!json_is_object(object))
		return;
	if (part->machine == NULL)
		part->machine = environment_new();
	json_object_foreach(object, name, value)
	{
		g_autofree char *text = json_text_decode(value);
		environment_set(part->machine, name, needed_by, text != NULL ? text : "");
	}
}

static void read_part(ShardSet *shards, const json_t *object)
{
	ShardPart *part = shard_set_add(shards, 0);
	fields_read(NULL, object, FIELD_TABLE(part_fields), part, FALSE);
	read_machine(part, json_object_get(object, "toolchain"), METRIC_DETERMINISTIC);
	read_machine(part, json_object_get(object, "machine"), METRIC_REPLICABLE);
	if (json_is_integer(json_object_get(object, "exit_code")))
		part->exit_code = (int)field_small_count(object, "exit_code");
}

ShardSet *shards_read(const json_t *object)
{
	const json_t *parts = json_object_get(object, "parts");
	if (!json_is_object(object))
		return NULL;
	ShardSet *shards = shard_set_new(0);
	fields_read(NULL, object, FIELD_TABLE(set_fields), shards, FALSE);
	for (gsize i = 0; i < json_array_size(parts); i++)
		read_part(shards, json_array_get(parts, i));
	return shards;
}
