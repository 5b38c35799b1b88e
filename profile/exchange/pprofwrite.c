/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/pprofwrite.h"

#include "core/jsontext.h"
#include "model/pairindex.h"
#include "profile/exchange/gzipwrite.h"
#include "profile/exchange/protowire.h"

#include <string.h>

#define FLUSH_BYTES 65536
/* Longer chains of inlined functions go on in a location of their own. */
#define MAX_LINES 128

/* Numbers of fields: of the profile, and of the messages in it. */
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_TIME_NS = 9, PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD, PROFILE_COMMENT };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_INLINED = 10 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

/* A function and what is inlined into it. */
typedef struct {
	guint32 outer;    /* the location without the innermost function, plus 1; 0 = there is only one */
	guint32 function; /* the innermost: row of the frames */
	guint32 n_lines;
} Location;

typedef struct {
	NameId module;
	guint64 cost;
} ModuleCost;

typedef struct {
	const ExportedProfile *exported;
	const StackTable *table;
	ExportedScale scale;
	ExportedRows rows;
	ExportedTexts texts;
	guint32 base_key, base_value; /* texts of the label of base */
	GArray *labels;               /* of guint32: texts of the labels of all samples, key, value, ... */
	GHashTable *mappings;         /* NameId of a module -> id */
	GArray *mapping_files;        /* of guint32: text by id - 1 */
	PairIndex location_index;     /* (outer, function) */
	GArray *locations;            /* of Location */
	guint32 *location_of;         /* by row of the stacks: row of the locations */
	StackId *caller_of;           /* by row of the stacks: the stack that called this location */
	GzipWriter *gzip;
	GByteArray *out, *message, *packed; /* what is not compressed yet; a message and a part of it in the making */
} PprofWriter;

/* --- fields --- */

static void flush(PprofWriter *writer, gsize least)
{
	if (writer->out->len < least)
		return;
	gzip_writer_add(writer->gzip, writer->out->data, writer->out->len);
	g_byte_array_set_size(writer->out, 0);
}

static void put_message(PprofWriter *writer, guint32 number)
{
	proto_put_bytes(writer->out, number, writer->message->data, writer->message->len);
	g_byte_array_set_size(writer->message, 0);
	flush(writer, FLUSH_BYTES);
}

/* Writes what was packed as a field of the message in the making. */
static void put_packed(PprofWriter *writer, guint32 number)
{
	proto_put_bytes(writer->message, number, writer->packed->data, writer->packed->len);
	g_byte_array_set_size(writer->packed, 0);
}

/* Zero is what a field without a value means. */
static void put_number(PprofWriter *writer, guint32 number, guint64 value)
{
	if (value != 0)
		proto_put_integer(writer->message, number, value);
}

/* --- sample types --- */

/* The unit in which fractions are written, because the format has whole numbers only. */
static const char *name_of_parts(guint64 scale)
{
	return scale == 1000 ? "thousandths" : scale == 1000000 ? "millionths" : "billionths";
}

/* The well-known names of units; others are shown as they are. */
static const char *unit_name(const PprofWriter *writer)
{
	const char *unit = writer->exported->head->unit;
	if (writer->exported->head->scale != 1)
		return name_of_parts(writer->exported->head->scale);
	if (strcmp(unit, "ns") == 0)
		return "nanoseconds";
	return writer->scale.is_sampled ? "count" : unit;
}

static void put_type(PprofWriter *writer, guint32 number, const char *name, const char *unit)
{
	put_number(writer, TYPE_NAME, exported_texts_add(&writer->texts, name));
	put_number(writer, TYPE_UNIT, exported_texts_add(&writer->texts, unit));
	put_message(writer, number);
}

static gboolean has_samples(const PprofWriter *writer)
{
	return !writer->scale.has_weight || !writer->scale.is_count || writer->scale.is_sampled;
}

static gboolean has_weight(const PprofWriter *writer)
{
	return writer->scale.has_weight && !(writer->scale.is_count && writer->scale.is_sampled);
}

static void put_types(PprofWriter *writer)
{
	const Profile *profile = writer->exported->head;
	const char *event = *profile->event != '\0' ? profile->event : "cost";
	if (has_samples(writer))
		put_type(writer, PROFILE_TYPE, "samples", "count");
	if (has_weight(writer))
		put_type(writer, PROFILE_TYPE, event, unit_name(writer));
}

/* TRUE if every sample of a cell costs *period, which is 0 before the first one. */
static gboolean agrees(ProfileCell cell, guint64 *period)
{
	if (cell.samples == 0 && cell.weight == 0)
		return TRUE;
	guint64 each = cell.samples > 0 ? cell.weight / cell.samples : 0;
	if (each == 0 || each * cell.samples != cell.weight || (*period != 0 && each != *period))
		return FALSE;
	*period = each;
	return TRUE;
}

/* The cost of every sample, if it is the same; 0 = it differs. */
static guint64 uniform_period(const PprofWriter *writer)
{
	guint64 period = 0;
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		StackId stack = g_array_index(writer->rows.stacks, StackId, i);
		if (!agrees(exported_cell(writer->exported->head, stack), &period) ||
		        !agrees(exported_cell(writer->exported->base, stack), &period))
			return 0;
	}
	return period;
}

static void put_period(PprofWriter *writer)
{
	const Profile *profile = writer->exported->head;
	guint64 period = has_weight(writer) && has_samples(writer) ? uniform_period(writer) : 0;
	if (has_weight(writer) && *profile->event != '\0')
		put_type(writer, PROFILE_PERIOD_TYPE, profile->event, unit_name(writer));
	if (period > 0)
		proto_put_integer(writer->out, PROFILE_PERIOD, period);
}

/* --- locations --- */

static const Frame *frame_of_row(const PprofWriter *writer, guint32 row)
{
	return stack_table_get_frame(writer->table, g_array_index(writer->rows.frames, FrameId, row));
}

static gboolean can_hold_inlined(FrameKind kind)
{
	return kind != FRAME_COMMAND && kind != FRAME_SYNTHETIC;
}

/* TRUE if a function is inlined into the innermost one of a location. */
static gboolean is_within(const PprofWriter *writer, const Frame *frame, const Location *outer)
{
	const Frame *caller = frame_of_row(writer, outer->function);
	return frame->kind == FRAME_INLINED && can_hold_inlined(caller->kind) &&
	       caller->module.index == frame->module.index && outer->n_lines < MAX_LINES;
}

static guint32 find_location(PprofWriter *writer, Location location)
{
	gboolean is_new;
	guint32 row = pair_index_find_or_add(&writer->location_index, location.outer, location.function, &is_new);
	if (is_new)
		g_array_append_val(writer->locations, location);
	return row;
}

static void locate(PprofWriter *writer, guint32 row)
{
	StackId stack = g_array_index(writer->rows.stacks, StackId, row);
	StackId parent = stack_table_parent(writer->table, stack);
	Location location = {.function = exported_rows_leaf(&writer->rows, writer->table, row), .n_lines = 1};
	writer->caller_of[row] = parent;
	if (parent.index != STACK_ROOT.index) {
		guint32 above = writer->rows.stack_rows[parent.index], outer = writer->location_of[above];
		const Location *around = &g_array_index(writer->locations, Location, outer);
		if (is_within(writer, frame_of_row(writer, location.function), around)) {
			location.outer = outer + 1;
			location.n_lines = around->n_lines + 1;
			writer->caller_of[row] = writer->caller_of[above];
		}
	}
	writer->location_of[row] = find_location(writer, location);
}

static void locate_all(PprofWriter *writer)
{
	guint n = writer->rows.stacks->len;
	writer->location_of = g_new0(guint32, MAX(1, n));
	writer->caller_of = g_new0(StackId, MAX(1, n));
	for (guint i = 0; i < n; i++)
		locate(writer, i);
}

/* --- samples --- */

static void put_label(PprofWriter *writer, guint32 key, guint32 value)
{
	proto_put_integer(writer->packed, LABEL_KEY, key);
	proto_put_integer(writer->packed, LABEL_TEXT, value);
	put_packed(writer, SAMPLE_LABEL);
}

static void put_cell(PprofWriter *writer, guint32 row, ProfileCell cell, gboolean is_base)
{
	const ExportedRows *rows = &writer->rows;
	gint64 values[] = {
	        (gint64)MIN(cell.samples, (guint64)G_MAXINT64), (gint64)MIN(cell.weight, (guint64)G_MAXINT64)};
	const gboolean is_written[] = {has_samples(writer), has_weight(writer)};
	if (cell.samples == 0 && cell.weight == 0)
		return;
	for (guint32 at = row;;) {
		proto_put_varint(writer->packed, (guint64)writer->location_of[at] + 1);
		StackId caller = writer->caller_of[at];
		if (caller.index == STACK_ROOT.index)
			break;
		at = rows->stack_rows[caller.index];
	}
	put_packed(writer, SAMPLE_LOCATIONS);
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		if (is_written[i])
			proto_put_varint(writer->packed, (guint64)(is_base ? -values[i] : values[i]));
	put_packed(writer, SAMPLE_VALUES);
	if (is_base)
		put_label(writer, writer->base_key, writer->base_value);
	for (guint i = 0; i + 1 < writer->labels->len; i += 2)
		put_label(writer, g_array_index(writer->labels, guint32, i),
		        g_array_index(writer->labels, guint32, i + 1));
	put_message(writer, PROFILE_SAMPLE);
}

static void put_samples(PprofWriter *writer)
{
	if (writer->exported->base != NULL) {
		writer->base_key = exported_texts_add(&writer->texts, "pprof::base");
		writer->base_value = exported_texts_add(&writer->texts, "true");
	}
	for (const char *const *text = writer->exported->labels; text != NULL && *text != NULL; text++) {
		guint32 number = exported_texts_add(&writer->texts, *text);
		g_array_append_val(writer->labels, number);
	}
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		StackId stack = g_array_index(writer->rows.stacks, StackId, i);
		put_cell(writer, i, exported_cell(writer->exported->head, stack), FALSE);
		put_cell(writer, i, exported_cell(writer->exported->base, stack), TRUE);
	}
}

/* --- tables --- */

/* The id of a module's mapping; 0 = a frame is in none. */
static guint64 mapping_id(PprofWriter *writer, NameId module)
{
	if (*stack_table_text(writer->table, module) == '\0')
		return 0;
	gpointer key = GUINT_TO_POINTER(module.index);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(writer->mappings, key));
	if (id != 0)
		return id;
	guint32 file = exported_texts_name(&writer->texts, writer->table, module);
	g_array_append_val(writer->mapping_files, file);
	g_hash_table_insert(writer->mappings, key, GUINT_TO_POINTER(writer->mapping_files->len));
	return writer->mapping_files->len;
}

/* The self cost of a stack in its module of user code is added up; other stacks have no say. */
static void add_module_cost(PprofWriter *writer, GHashTable *rows, GArray *costs, guint row)
{
	const Frame *leaf = frame_of_row(writer, exported_rows_leaf(&writer->rows, writer->table, row));
	StackId stack = g_array_index(writer->rows.stacks, StackId, row);
	ProfileCell cell = exported_cell(writer->exported->head, stack);
	if (leaf->module.index == 0 || (leaf->kind != FRAME_USER && leaf->kind != FRAME_INLINED))
		return;
	gpointer key = GUINT_TO_POINTER(leaf->module.index);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(rows, key));
	if (known == 0) {
		const ModuleCost fresh = {.module = leaf->module};
		g_array_append_val(costs, fresh);
		known = costs->len;
		g_hash_table_insert(rows, key, GUINT_TO_POINTER(known));
	}
	g_array_index(costs, ModuleCost, known - 1).cost += writer->scale.has_weight ? cell.weight : cell.samples;
}

/* Viewers take the first mapping for the program: it is the module where most of the cost is. */
static void choose_first_mapping(PprofWriter *writer)
{
	g_autoptr(GHashTable) rows = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(ModuleCost));
	const ModuleCost *first = NULL;
	for (guint i = 0; i < writer->rows.stacks->len; i++)
		add_module_cost(writer, rows, costs, i);
	for (guint i = 0; i < costs->len; i++)
		if (first == NULL || g_array_index(costs, ModuleCost, i).cost > first->cost)
			first = &g_array_index(costs, ModuleCost, i);
	if (first != NULL)
		mapping_id(writer, first->module);
}

static void put_location(PprofWriter *writer, guint row)
{
	const Location *location = &g_array_index(writer->locations, Location, row);
	put_number(writer, LOCATION_ID, (guint64)row + 1);
	put_number(writer, LOCATION_MAPPING, mapping_id(writer, frame_of_row(writer, location->function)->module));
	for (guint32 at = row + 1; at != 0; at = location->outer) {
		location = &g_array_index(writer->locations, Location, at - 1);
		proto_put_integer(writer->packed, LINE_FUNCTION, (guint64)location->function + 1);
		put_packed(writer, LOCATION_LINE);
	}
	put_message(writer, PROFILE_LOCATION);
}

static void put_function(PprofWriter *writer, guint row)
{
	const Frame *frame = frame_of_row(writer, row);
	put_number(writer, FUNCTION_ID, (guint64)row + 1);
	put_number(writer, FUNCTION_NAME, exported_texts_name(&writer->texts, writer->table, frame->name));
	put_number(writer, FUNCTION_SYSTEM_NAME, exported_texts_name(&writer->texts, writer->table, frame->raw_name));
	put_number(writer, FUNCTION_FILE, exported_texts_name(&writer->texts, writer->table, frame->file));
	put_number(writer, FUNCTION_LINE, frame->line);
	put_message(writer, PROFILE_FUNCTION);
}

/* All names are there, so a viewer need not look for them. */
static void put_mapping(PprofWriter *writer, guint row)
{
	put_number(writer, MAPPING_ID, (guint64)row + 1);
	put_number(writer, MAPPING_FILE, g_array_index(writer->mapping_files, guint32, row));
	for (guint32 field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINED; field++)
		put_number(writer, field, 1);
	put_message(writer, PROFILE_MAPPING);
}

static void put_text(PprofWriter *writer, const char *text)
{
	json_auto_t *visible = json_text(text);
	proto_put_bytes(writer->out, PROFILE_STRING, json_string_value(visible), json_string_length(visible));
	flush(writer, FLUSH_BYTES);
}

static void put_comments(PprofWriter *writer)
{
	const char *const comments[] = {writer->exported->exporter, writer->exported->name};
	for (guint i = 0; i < G_N_ELEMENTS(comments); i++)
		proto_put_varint(writer->packed, exported_texts_add(&writer->texts, comments[i]));
	proto_put_bytes(writer->out, PROFILE_COMMENT, writer->packed->data, writer->packed->len);
}

/* Texts are collected while everything else is written. */
static void put_profile(PprofWriter *writer)
{
	put_types(writer);
	if (writer->exported->time_s > 0)
		proto_put_integer(writer->out, PROFILE_TIME_NS, (guint64)writer->exported->time_s * 1000000000);
	put_period(writer);
	locate_all(writer);
	put_samples(writer);
	choose_first_mapping(writer);
	for (guint i = 0; i < writer->locations->len; i++)
		put_location(writer, i);
	for (guint i = 0; i < writer->mapping_files->len; i++)
		put_mapping(writer, i);
	for (guint i = 0; i < writer->rows.frames->len; i++)
		put_function(writer, i);
	put_comments(writer);
	for (guint i = 0; i < writer->texts.texts->len; i++)
		put_text(writer, writer->texts.texts->pdata[i]);
	flush(writer, 0);
}

static void writer_init(PprofWriter *writer, const ExportedProfile *exported)
{
	*writer = (PprofWriter){
	        .exported = exported,
	        .table = exported->head->table,
	        .scale = exported_scale(exported),
	        .mappings = g_hash_table_new(NULL, NULL),
	        .mapping_files = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .locations = g_array_new(FALSE, FALSE, sizeof(Location)),
	        .labels = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .gzip = gzip_writer_new(),
	        .out = g_byte_array_new(),
	        .message = g_byte_array_new(),
	        .packed = g_byte_array_new(),
	};
	exported_rows_init(&writer->rows, exported);
	exported_texts_init(&writer->texts);
	/* text 0 is the empty one, and so is name 0 */
	exported_texts_name(&writer->texts, writer->table, (NameId){0});
}

static void writer_clear(PprofWriter *writer)
{
	exported_rows_clear(&writer->rows);
	exported_texts_clear(&writer->texts);
	pair_index_clear(&writer->location_index);
	g_hash_table_unref(writer->mappings);
	g_array_unref(writer->mapping_files);
	g_array_unref(writer->locations);
	g_array_unref(writer->labels);
	g_free(writer->location_of);
	g_free(writer->caller_of);
	g_byte_array_unref(writer->out);
	g_byte_array_unref(writer->message);
	g_byte_array_unref(writer->packed);
}

GString *pprof_write(const ExportedProfile *exported)
{
	PprofWriter writer;
	writer_init(&writer, exported);
	put_profile(&writer);
	writer_clear(&writer);
	return gzip_writer_finish(writer.gzip);
}
