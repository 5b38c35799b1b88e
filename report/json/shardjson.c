#include "report/json/shardjson.h"

#include "report/json/reportfields.h"

static json_t *names_json(const GPtrArray *names)
{
	json_t *array = json_array();
	for (guint i = 0; i < names->len; i++)
		json_array_append_new(array, json_text(names->pdata[i]));
	return array;
}

/* The fields that this class is the loosest to need equal. */
static json_t *fields_json(const Environment *machine, MetricClass needed_by)
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
	json_t *object = json_object();
	gboolean joined = part->exit_code >= 0;
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, part->seed); /* more than a double can hold */
	json_set(object, "index", json_integer(part->index));
	json_set(object, "benchmarks", names_json(part->benchmarks));
	json_set(object, "toolchain", fields_json(part->machine, METRIC_DETERMINISTIC));
	json_set(object, "machine", fields_json(part->machine, METRIC_REPLICABLE));
	json_set(object, "exit_code", joined ? json_integer(part->exit_code) : json_null());
	json_set(object, "seed", joined ? json_string(seed) : json_null());
	json_set(object, "elapsed_s", joined ? json_number(part->elapsed_s) : json_null());
	return object;
}

json_t *shards_json(const ShardSet *shards)
{
	if (shards == NULL)
		return json_null();
	json_t *object = json_object(), *parts = json_array();
	for (guint i = 0; i < shards->parts->len; i++)
		json_array_append_new(parts, part_json(g_ptr_array_index(shards->parts, i)));
	json_set(object, "total", json_integer(shards->total));
	json_set(object, "benchmarks", names_json(shards->benchmarks));
	json_set(object, "parts", parts);
	return object;
}

static void read_names(GPtrArray *names, const json_t *array)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		char *name = json_text_decode(json_array_get(array, i));
		g_ptr_array_add(names, name != NULL ? name : g_strdup(""));
	}
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
	ShardPart *part = shard_set_add(shards, field_small_count(object, "index"));
	const char *seed = json_string_value(json_object_get(object, "seed"));
	read_names(part->benchmarks, json_object_get(object, "benchmarks"));
	read_machine(part, json_object_get(object, "toolchain"), METRIC_DETERMINISTIC);
	read_machine(part, json_object_get(object, "machine"), METRIC_REPLICABLE);
	if (!json_is_integer(json_object_get(object, "exit_code")))
		return;
	part->exit_code = (int)field_small_count(object, "exit_code");
	if (seed == NULL || !g_ascii_string_to_unsigned(seed, 10, 0, G_MAXUINT64, &part->seed, NULL))
		part->seed = 0;
	part->elapsed_s = field_number(object, "elapsed_s");
}

ShardSet *shards_read(const json_t *object)
{
	const json_t *parts = json_object_get(object, "parts");
	if (!json_is_object(object))
		return NULL;
	ShardSet *shards = shard_set_new(field_small_count(object, "total"));
	read_names(shards->benchmarks, json_object_get(object, "benchmarks"));
	for (gsize i = 0; i < json_array_size(parts); i++)
		read_part(shards, json_array_get(parts, i));
	return shards;
}
