/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/speedscopewrite.h"

#include "profile/exchange/jsonpieces.h"

#include <string.h>

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct {
	const ExportedProfile *exported;
	const StackTable *table;
	ExportedRows rows;
	GArray *path; /* of guint32: a stack in the making, leaf first */
	GString *out;
} SpeedscopeWriter;

static void put_pair(SpeedscopeWriter *writer, const char *name, const char *text)
{
	g_string_append_printf(writer->out, "\"%s\":", name);
	json_put_text(writer->out, text);
	g_string_append_c(writer->out, ',');
}

static void put_frame(SpeedscopeWriter *writer, FrameId id)
{
	const Frame *frame = stack_table_get_frame(writer->table, id);
	const char *file = stack_table_text(writer->table, frame->file);
	const char *module = stack_table_text(writer->table, frame->module);
	g_string_append(writer->out, "{\"name\":");
	json_put_text(writer->out, stack_table_text(writer->table, frame->name));
	if (*file != '\0' || *module != '\0') {
		g_string_append(writer->out, ",\"file\":");
		json_put_text(writer->out, *file != '\0' ? file : module);
	}
	if (*file != '\0' && frame->line > 0)
		g_string_append_printf(writer->out, ",\"line\":%u", frame->line);
	g_string_append_c(writer->out, '}');
}

static void put_frames(SpeedscopeWriter *writer)
{
	g_string_append(writer->out, "\"shared\":{\"frames\":[\n");
	for (guint i = 0; i < writer->rows.frames->len; i++) {
		json_put_separator(writer->out, i == 0);
		put_frame(writer, g_array_index(writer->rows.frames, FrameId, i));
	}
	g_string_append(writer->out, "\n]},\n");
}

static void put_stack(SpeedscopeWriter *writer, StackId stack)
{
	g_array_set_size(writer->path, 0);
	for (; stack.index != STACK_ROOT.index; stack = stack_table_parent(writer->table, stack)) {
		guint32 row = writer->rows.frame_rows[stack_table_leaf(writer->table, stack).index];
		g_array_append_val(writer->path, row);
	}
	for (guint i = writer->path->len; i-- > 0;) {
		g_string_append_c(writer->out, i + 1 == writer->path->len ? '[' : ',');
		json_put_integer(writer->out, g_array_index(writer->path, guint32, i));
	}
	g_string_append_c(writer->out, ']');
}

static void put_stacks(SpeedscopeWriter *writer, ExportedPart part)
{
	gboolean is_first = TRUE;
	g_string_append(writer->out, "\"samples\":[\n");
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		StackId stack = g_array_index(writer->rows.stacks, StackId, i);
		if (exported_weight(writer->exported, part, stack) == 0)
			continue;
		json_put_separator(writer->out, is_first);
		put_stack(writer, stack);
		is_first = FALSE;
	}
	g_string_append(writer->out, "],\n");
}

static void put_weights(SpeedscopeWriter *writer, ExportedPart part)
{
	gboolean is_first = TRUE;
	g_string_append(writer->out, "\"weights\":[");
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		gint64 weight = exported_weight(writer->exported, part, g_array_index(writer->rows.stacks, StackId, i));
		if (weight == 0)
			continue;
		if (!is_first)
			g_string_append_c(writer->out, ',');
		exported_append_cost(writer->out, writer->exported, weight);
		is_first = FALSE;
	}
	g_string_append(writer->out, "]}");
}

static gint64 total_of(const SpeedscopeWriter *writer, ExportedPart part)
{
	gint64 total = 0;
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		gint64 weight = exported_weight(writer->exported, part, g_array_index(writer->rows.stacks, StackId, i));
		total = total > G_MAXINT64 - weight ? G_MAXINT64 : total + weight;
	}
	return total;
}

static const char *unit_name(const char *unit)
{
	if (strcmp(unit, "ns") == 0)
		return "nanoseconds";
	return strcmp(unit, "bytes") == 0 ? "bytes" : "none";
}

static void put_profile(SpeedscopeWriter *writer, const char *name, ExportedPart part)
{
	g_string_append(writer->out, "{\"type\":\"sampled\",");
	put_pair(writer, "name", name);
	put_pair(writer, "unit", unit_name(writer->exported->head->unit));
	g_string_append(writer->out, "\"startValue\":0,\"endValue\":");
	exported_append_cost(writer->out, writer->exported, total_of(writer, part));
	g_string_append(writer->out, ",\n");
	put_stacks(writer, part);
	put_weights(writer, part);
}

static void put_profiles(SpeedscopeWriter *writer)
{
	static const struct {
		const char *name;
		ExportedPart part;
	} sides[] = {{"base", EXPORT_BASE}, {"head", EXPORT_HEAD}, {"increases", EXPORT_INCREASE}};
	g_string_append(writer->out, "\"profiles\":[\n");
	if (writer->exported->base == NULL)
		put_profile(writer, writer->exported->name, EXPORT_HEAD);
	for (guint i = 0; writer->exported->base != NULL && i < G_N_ELEMENTS(sides); i++) {
		json_put_separator(writer->out, i == 0);
		put_profile(writer, sides[i].name, sides[i].part);
	}
	g_string_append(writer->out, "\n]}\n");
}

GString *speedscope_write(const ExportedProfile *exported)
{
	SpeedscopeWriter writer = {
	        .exported = exported,
	        .table = exported->head->table,
	        .path = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .out = g_string_new("{\"$schema\":\"" SCHEMA "\","),
	};
	exported_rows_init(&writer.rows, exported);
	put_pair(&writer, "exporter", exported->exporter);
	put_pair(&writer, "name", exported->name);
	/* of a comparison, head is the second */
	g_string_append_printf(writer.out, "\"activeProfileIndex\":%d,\n", exported->base != NULL ? 1 : 0);
	put_frames(&writer);
	put_profiles(&writer);
	exported_rows_clear(&writer.rows);
	g_array_unref(writer.path);
	return writer.out;
}
