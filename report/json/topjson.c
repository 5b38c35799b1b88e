#include "report/json/topjson.h"

#include "core/json/findingjson.h"
#include "core/jsontext.h"

GArray *top_functions(const TopReport *top)
{
	GArray *functions = hotspots_sorted(top->hotspots, top->order);
	if (top->rows > 0 && functions->len > top->rows)
		g_array_set_size(functions, top->rows);
	return functions;
}

static json_t *count(guint64 value)
{
	return json_integer((json_int_t)MIN(value, (guint64)G_MAXINT64));
}

/* A number of units, or of samples where both are the same. */
static json_t *cost(const TopReport *top, guint64 value)
{
	guint64 scale = top->profile->scale;
	return value % scale == 0 ? count(value / scale) : json_number((double)value / (double)scale);
}

/* A part of the whole profile, or of one function, in percent. */
static json_t *share(guint64 part, guint64 whole)
{
	return json_number(100 * hotspots_share(part, whole));
}

/* Text, or null if it is empty. */
static json_t *known_text(const char *text)
{
	return json_text(*text == '\0' ? NULL : text);
}

static json_t *identity(const StackTable *table, FrameId id)
{
	const Frame *frame = stack_table_get_frame(table, id);
	json_t *object = json_object();
	json_set(object, "name", json_text(stack_table_text(table, frame->name)));
	json_set(object, "module", known_text(stack_table_text(table, frame->module)));
	json_set(object, "file", known_text(stack_table_text(table, frame->file)));
	json_set(object, "line", frame->line == 0 ? json_null() : json_integer(frame->line));
	json_set(object, "kind", json_string(frame_kind_names[frame->kind]));
	return object;
}

static json_t *function_json(const TopReport *top, FrameId id)
{
	const Hotspots *hotspots = top->hotspots;
	ProfileCell self = hotspots->self[id.index], inclusive = hotspots->inclusive[id.index];
	guint64 whole = hotspots->total.weight;
	double half = hotspots_half_width(hotspots_share(self.weight, whole), hotspots->total.samples);
	json_t *object = identity(hotspots->table, id);
	json_set(object, "self", cost(top, self.weight));
	json_set(object, "self_pct", share(self.weight, whole));
	json_set(object, "self_half_width_pp", top->counted || top->uneven ? json_null() : json_number(100 * half));
	json_set(object, "self_samples", cost(top, self.samples));
	json_set(object, "inclusive", cost(top, inclusive.weight));
	json_set(object, "inclusive_pct", share(inclusive.weight, whole));
	json_set(object, "inclusive_samples", cost(top, inclusive.samples));
	return object;
}

static json_t *functions_json(const TopReport *top)
{
	g_autoptr(GArray) functions = top_functions(top);
	json_t *array = json_array();
	for (guint i = 0; i < functions->len; i++)
		json_array_append_new(array, function_json(top, g_array_index(functions, FrameId, i)));
	return array;
}

static json_t *neighbours_json(const TopReport *top, const GArray *neighbours)
{
	json_t *array = json_array();
	for (guint i = 0; i < neighbours->len; i++) {
		const HotspotNeighbour *neighbour = &g_array_index(neighbours, HotspotNeighbour, i);
		json_t *object = identity(top->hotspots->table, neighbour->frame);
		json_set(object, "cost", cost(top, neighbour->cost.weight));
		json_set(object, "samples", cost(top, neighbour->cost.samples));
		json_set(object, "pct_of_function", share(neighbour->cost.weight, top->calls->inclusive.weight));
		json_set(object, "pct", share(neighbour->cost.weight, top->hotspots->total.weight));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *calls_json(const TopReport *top)
{
	const HotspotCalls *calls = top->calls;
	if (calls == NULL)
		return json_null();
	guint64 whole = top->hotspots->total.weight;
	json_t *object = json_object(), *functions = json_array();
	for (guint i = 0; i < top->chosen->len; i++)
		json_array_append_new(
		        functions, identity(top->hotspots->table, g_array_index(top->chosen, FrameId, i)));
	json_set(object, "functions", functions);
	json_set(object, "self", cost(top, calls->self.weight));
	json_set(object, "self_pct", share(calls->self.weight, whole));
	json_set(object, "inclusive", cost(top, calls->inclusive.weight));
	json_set(object, "inclusive_pct", share(calls->inclusive.weight, whole));
	json_set(object, "inclusive_samples", cost(top, calls->inclusive.samples));
	json_set(object, "from_root", cost(top, calls->from_root.weight));
	json_set(object, "callers", neighbours_json(top, calls->callers));
	json_set(object, "callees", neighbours_json(top, calls->callees));
	return object;
}

static json_t *patterns_json(const HotPatterns *found)
{
	json_t *array = json_array();
	for (guint i = 0; i < found->patterns->len; i++) {
		const HotPattern *pattern = &g_array_index(found->patterns, HotPattern, i);
		json_t *object = json_object();
		json_set(object, "code", json_string(pattern->code));
		json_set(object, "share_pct", json_number(100 * pattern->share));
		json_set(object, "text", json_text(pattern->text));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *files_json(const char *const *files)
{
	json_t *array = json_array();
	for (guint i = 0; files[i] != NULL; i++)
		json_array_append_new(array, json_text(files[i]));
	return array;
}

char *top_json(const TopReport *top, gsize *length)
{
	const Hotspots *hotspots = top->hotspots;
	g_autoptr(GArray) all = hotspots_sorted(hotspots, top->order);
	json_auto_t *object = json_object();
	json_set(object, "schema", json_string(TOP_SCHEMA));
	json_set(object, "files", files_json(top->files));
	json_set(object, "event", known_text(top->profile->event));
	json_set(object, "unit", json_text(top->profile->unit));
	json_set(object, "total", cost(top, hotspots->total.weight));
	json_set(object, "samples", cost(top, hotspots->total.samples));
	json_set(object, "counted", json_boolean(top->counted));
	json_set(object, "unknown_pct", share(top->unknown.weight, hotspots->total.weight));
	json_set(object, "order", json_string(top->order == HOTSPOTS_BY_SELF ? "self" : "inclusive"));
	json_set(object, "functions_seen", count(all->len));
	json_set(object, "functions", functions_json(top));
	json_set(object, "calls", calls_json(top));
	json_set(object, "hints", patterns_json(top->patterns));
	json_set(object, "findings", finding_list_json(top->findings, FALSE));
	return json_dump_text(object, length);
}
