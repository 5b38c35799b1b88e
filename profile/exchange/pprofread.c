/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/pprofread.h"

#include "core/error.h"
#include "model/canonical.h"
#include "model/toolnames.h"
#include "profile/exchange/gunzip.h"
#include "profile/exchange/pproftables.h"

#include <string.h>

#define MAX_DECOMPRESSED ((gsize)1 << 30)
/* A few bytes of a sample may stand for many frames. */
#define MAX_LINES 1024
#define MAX_FRAMES (G_GUINT64_CONSTANT(1) << 27)
#define DETECTED_FIELDS 8
#define SAMPLES "samples" /* the sample type, and the unit of profiles that count them */

typedef struct {
	const char *name; /* of the file, for messages */
	const PprofOptions *options;
	Profile *profile;
	PprofTables tables;
	GArray *frames; /* of FrameId, of all locations */
	guint column, count_column;
	GArray *cells;    /* of ProfileCell by StackId; moved into the profile at the end */
	GArray *chain;    /* of guint32: locations of a sample, leaf first */
	guint64 n_frames; /* of all samples so far */
	guint64 costly;   /* bit i: some sample has a value of type i */
	PprofSummary summary;
} PprofReader;

void pprof_summary_clear(PprofSummary *summary)
{
	g_free(summary->event);
	g_free(summary->unit);
	*summary = (PprofSummary){0};
}

static gboolean fail(const PprofReader *reader, FirebreakError code, GError **error, const char *what)
{
	g_set_error(error, FIREBREAK_ERROR, (gint)code, "%s: %s", reader->name, what);
	return FALSE;
}

static gboolean damaged(const PprofReader *reader, GError **error)
{
	return fail(reader, FIREBREAK_ERROR_INVALID, error, "the profile is damaged");
}

/* --- sample types --- */

static gboolean counts_samples(const PprofReader *reader, guint column)
{
	g_autofree char *unit = pprof_string(&reader->tables, reader->tables.types[column].unit);
	return g_strcmp0(unit, "count") == 0;
}

static gboolean choose_type(PprofReader *reader, GError **error)
{
	g_autofree char *by_default =
	        reader->tables.default_type != 0 ? pprof_string(&reader->tables, reader->tables.default_type) : NULL;
	const char *wanted = reader->options->event != NULL ? reader->options->event : by_default;
	g_autoptr(GString) names = g_string_new(NULL);
	guint found = reader->tables.n_types;
	for (guint i = 0; i < reader->tables.n_types; i++) {
		g_autofree char *type = pprof_string(&reader->tables, reader->tables.types[i].type);
		if (type == NULL)
			return damaged(reader, error);
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", type);
		if (found == reader->tables.n_types && g_strcmp0(type, wanted) == 0)
			found = i;
	}
	if (found == reader->tables.n_types && reader->options->event != NULL) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "%s: no sample type %s in it; it has %s",
		        reader->name, reader->options->event, names->str);
		return FALSE;
	}
	/* profile.proto wants the last type where the profile names no default. */
	reader->column = found < reader->tables.n_types ? found : reader->tables.n_types - 1;
	reader->count_column = reader->column;
	for (guint i = reader->column + 1; i-- > 0;)
		if (counts_samples(reader, i)) {
			reader->count_column = i;
			break;
		}
	return TRUE;
}

/* --- frames --- */

/* Names that are written for readers, as by Go's runtime, stay as they are: only linkage names are made canonical. */
static gboolean is_mangled(const char *name)
{
	return g_str_has_prefix(name, "_Z") || g_str_has_prefix(name, "_R");
}

/* The module of a location, and what its functions are. */
static NameId module_name(PprofReader *reader, guint64 mapping, FrameKind *kind)
{
	*kind = FRAME_USER;
	if (mapping == 0)
		return (NameId){0};
	guint32 row = pprof_table_row(&reader->tables.mappings, mapping);
	g_autofree char *path =
	        pprof_string(&reader->tables, g_array_index(reader->tables.mappings.rows, PprofMapping, row).file);
	if (path == NULL || *path == '\0')
		return (NameId){0};
	if (tool_file_is_kernel(path, strlen(path)))
		*kind = FRAME_KERNEL;
	g_autofree char *module = canonical_module(path);
	return stack_table_name(reader->profile->table, module, -1);
}

static void add_unknown(PprofReader *reader, NameId module)
{
	StackTable *table = reader->profile->table;
	NameId name = stack_table_name(table, "[unknown]", -1);
	const Frame frame = {.name = name, .raw_name = name, .module = module, .kind = FRAME_SYNTHETIC};
	FrameId id = stack_table_frame(table, &frame);
	g_array_append_val(reader->frames, id);
}

/* FALSE if the function is not there. */
static gboolean add_frame(PprofReader *reader, guint64 function_id, NameId module, FrameKind kind)
{
	StackTable *table = reader->profile->table;
	guint32 row = pprof_table_row(&reader->tables.functions, function_id);
	PprofFunction function = g_array_index(reader->tables.functions.rows, PprofFunction, row);
	g_autofree char *name = pprof_string(&reader->tables, function.name);
	g_autofree char *system_name = pprof_string(&reader->tables, function.system_name);
	g_autofree char *file = pprof_string(&reader->tables, function.file);
	if (!function.is_defined || name == NULL || system_name == NULL || file == NULL)
		return FALSE;
	const char *raw_name = *system_name != '\0' ? system_name : name;
	const char *shown = *name != '\0' ? name : raw_name;
	g_autofree char *canonical = is_mangled(shown) ? canonical_name(shown) : g_strdup(shown);
	if (*canonical == '\0') {
		add_unknown(reader, module);
		return TRUE;
	}
	Frame frame = {.kind = kind, .module = module, .line = (guint32)MIN(function.line, G_MAXUINT32)};
	frame.name = stack_table_name(table, canonical, -1);
	frame.raw_name = stack_table_name(table, raw_name, -1);
	frame.file = stack_table_name(table, file, -1);
	FrameId id = stack_table_frame(table, &frame);
	g_array_append_val(reader->frames, id);
	return TRUE;
}

/* The lines are innermost first; the last is the function that has code here. */
static gboolean add_lines(PprofReader *reader, ProtoReader body, NameId module, FrameKind kind)
{
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(guint64));
	ProtoField field;
	while (proto_next(&body, &field)) {
		guint64 values[LINE_FUNCTION + 1] = {0};
		if (field.number != LOCATION_LINE || field.type != PROTO_BYTES)
			continue;
		if (!pprof_integers(field.bytes, values, G_N_ELEMENTS(values)))
			return FALSE;
		g_array_append_val(functions, values[LINE_FUNCTION]);
	}
	if (body.is_damaged || functions->len > MAX_LINES)
		return FALSE;
	for (guint i = functions->len; i-- > 0;) {
		gboolean is_inlined = i + 1 < functions->len;
		/* The outermost line comes first here, and all others are inlined into it. */
		if (is_inlined && reader->options->no_inline)
			break;
		if (!add_frame(reader, g_array_index(functions, guint64, i), module, is_inlined ? FRAME_INLINED : kind))
			return FALSE;
	}
	return TRUE;
}

static gboolean resolve_location(PprofReader *reader, guint32 row)
{
	PprofLocation location = g_array_index(reader->tables.locations.rows, PprofLocation, row);
	guint64 values[LOCATION_MAPPING + 1] = {0};
	/* A location is read once, when the first sample names it: many samples name the same. */
	if (location.is_resolved)
		return TRUE;
	if (!location.is_defined || !pprof_integers(location.body, values, G_N_ELEMENTS(values)))
		return FALSE;
	FrameKind kind;
	NameId module = module_name(reader, values[LOCATION_MAPPING], &kind);
	location.first = reader->frames->len;
	location.is_resolved = TRUE;
	if (!add_lines(reader, location.body, module, kind))
		return FALSE;
	if (reader->frames->len == location.first)
		add_unknown(reader, module);
	location.n = reader->frames->len - location.first;
	g_array_index(reader->tables.locations.rows, PprofLocation, row) = location;
	return TRUE;
}

/* --- samples --- */

static gboolean read_chain(PprofReader *reader, ProtoField *field)
{
	guint64 id;
	while (proto_next_integer(field, &id)) {
		guint32 row = pprof_table_row(&reader->tables.locations, id);
		if (!resolve_location(reader, row))
			return FALSE;
		reader->n_frames += g_array_index(reader->tables.locations.rows, PprofLocation, row).n;
		g_array_append_val(reader->chain, row);
	}
	return !field->bytes.is_damaged && reader->n_frames <= MAX_FRAMES;
}

static StackId build_stack(const PprofReader *reader)
{
	StackId stack = STACK_ROOT;
	for (guint i = reader->chain->len; i-- > 0;) {
		guint32 row = g_array_index(reader->chain, guint32, i);
		const PprofLocation *location = &g_array_index(reader->tables.locations.rows, PprofLocation, row);
		for (guint32 k = 0; k < location->n; k++)
			stack = stack_table_push(reader->profile->table, stack,
			        g_array_index(reader->frames, FrameId, location->first + k));
	}
	return stack;
}

static guint64 add_saturated(guint64 a, guint64 b)
{
	return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void add_cell(PprofReader *reader, StackId stack, ProfileCell cost)
{
	const StackTable *table = reader->profile->table;
	if (stack.index >= reader->cells->len)
		g_array_set_size(reader->cells, stack.index + 1);
	ProfileCell *cell = &g_array_index(reader->cells, ProfileCell, stack.index);
	cell->samples = add_saturated(cell->samples, cost.samples);
	cell->weight = add_saturated(cell->weight, cost.weight);
	reader->summary.samples = add_saturated(reader->summary.samples, cost.samples);
	reader->summary.weight = add_saturated(reader->summary.weight, cost.weight);
	if (g_str_equal(stack_table_frame_name(table, stack_table_leaf(table, stack)), "[unknown]"))
		reader->summary.unknown_leaves = add_saturated(reader->summary.unknown_leaves, cost.samples);
}

static gboolean add_sample(PprofReader *reader, const gint64 *values, GError **error)
{
	gint64 weight = values[reader->column], samples = values[reader->count_column];
	for (guint i = 0; i < reader->tables.n_types; i++)
		reader->costly |= values[i] != 0 ? G_GUINT64_CONSTANT(1) << i : 0;
	if (weight < 0 || samples < 0)
		return fail(reader, FIREBREAK_ERROR_USAGE, error,
		        "it has values below 0: it is the difference of two profiles; give each of the two by itself");
	if (weight == 0)
		return TRUE;
	if (reader->chain->len == 0)
		add_cell(reader,
		        stack_table_push(reader->profile->table, STACK_ROOT,
		                stack_table_frame_named(reader->profile->table, "[unknown]", NULL, FRAME_SYNTHETIC)),
		        (ProfileCell){(guint64)samples, (guint64)weight});
	else
		add_cell(reader, build_stack(reader), (ProfileCell){(guint64)samples, (guint64)weight});
	return TRUE;
}

static gboolean read_sample(PprofReader *reader, ProtoReader message, GError **error)
{
	gint64 values[PPROF_MAX_TYPES] = {0};
	guint n_values = 0;
	guint64 value;
	ProtoField field;
	g_array_set_size(reader->chain, 0);
	while (proto_next(&message, &field)) {
		gboolean is_integers = field.type == PROTO_BYTES || field.type == PROTO_VARINT;
		if (field.number == SAMPLE_LOCATION && is_integers && !read_chain(reader, &field))
			return damaged(reader, error);
		while (field.number == SAMPLE_VALUE && is_integers && proto_next_integer(&field, &value))
			if (n_values++ < reader->tables.n_types)
				values[n_values - 1] = (gint64)value;
		if (field.bytes.is_damaged)
			return damaged(reader, error);
	}
	if (message.is_damaged || n_values != reader->tables.n_types)
		return damaged(reader, error);
	return add_sample(reader, values, error);
}

/* A profile of memory that never was in use, for instance, has other types that say something. What was asked for by
 * name and is not there is a wrong question. */
static gboolean fail_without_samples(const PprofReader *reader, GError **error)
{
	g_autofree char *chosen = pprof_string(&reader->tables, reader->tables.types[reader->column].type);
	g_autoptr(GString) others = g_string_new(NULL);
	FirebreakError code = reader->options->event != NULL ? FIREBREAK_ERROR_USAGE : FIREBREAK_ERROR_INVALID;
	for (guint i = 0; i < reader->tables.n_types; i++) {
		g_autofree char *type = pprof_string(&reader->tables, reader->tables.types[i].type);
		if ((reader->costly >> i & 1) != 0)
			g_string_append_printf(others, "%s%s", others->len > 0 ? ", " : "", type);
	}
	if (others->len == 0)
		return fail(reader, code, error, "no samples in it");
	g_set_error(error, FIREBREAK_ERROR, (gint)code, "%s: no samples of %s in it; choose one of %s with --event",
	        reader->name, chosen, others->str);
	return FALSE;
}

static gboolean read_samples(PprofReader *reader, ProtoReader message, GError **error)
{
	ProtoField field;
	while (proto_next(&message, &field))
		if (field.number == PPROF_SAMPLE && field.type == PROTO_BYTES &&
		        !read_sample(reader, field.bytes, error))
			return FALSE;
	if (reader->summary.weight == 0)
		return fail_without_samples(reader, error);
	return TRUE;
}

/* --- the whole --- */

static void reader_init(PprofReader *reader, const char *name, const PprofOptions *options, Profile *profile)
{
	static const PprofOptions no_options = {0};
	*reader = (PprofReader){
	        .name = name,
	        .options = options != NULL ? options : &no_options,
	        .profile = profile,
	        .frames = g_array_new(FALSE, FALSE, sizeof(FrameId)),
	        .cells = g_array_new(FALSE, TRUE, sizeof(ProfileCell)),
	        .chain = g_array_new(FALSE, FALSE, sizeof(guint32)),
	};
	pprof_tables_init(&reader->tables);
}

static void reader_clear(PprofReader *reader)
{
	pprof_tables_clear(&reader->tables);
	g_array_unref(reader->frames);
	g_array_unref(reader->cells);
	g_array_unref(reader->chain);
	pprof_summary_clear(&reader->summary);
}

/* Go's names of units, shortened where others write them short. What counts samples is in samples, like any profile. */
static char *unit_of(const PprofReader *reader)
{
	g_autofree char *unit = pprof_string(&reader->tables, reader->tables.types[reader->column].unit);
	if (g_strcmp0(unit, "count") == 0 && g_strcmp0(reader->summary.event, SAMPLES) == 0)
		return g_strdup(SAMPLES);
	if (g_strcmp0(unit, "nanoseconds") == 0)
		return g_strdup("ns");
	return unit != NULL ? g_steal_pointer(&unit) : g_strdup("");
}

static void fill_profile(PprofReader *reader, guint run, PprofSummary *summary)
{
	for (guint i = 0; i < reader->cells->len; i++) {
		ProfileCell cell = g_array_index(reader->cells, ProfileCell, i);
		if (cell.weight > 0)
			profile_add(reader->profile, run, (StackId){i}, cell);
	}
	if (summary == NULL)
		return;
	reader->summary.event = pprof_string(&reader->tables, reader->tables.types[reader->column].type);
	reader->summary.unit = unit_of(reader);
	*summary = reader->summary;
	reader->summary = (PprofSummary){0};
}

static gboolean read_profile(PprofReader *reader, ProtoReader message, guint run, PprofSummary *summary, GError **error)
{
	if (!pprof_tables_read(&reader->tables, message))
		return damaged(reader, error);
	if (reader->tables.n_types == 0 || reader->tables.strings->len == 0)
		return fail(reader, FIREBREAK_ERROR_USAGE, error, "no pprof profile: it has no sample types");
	if (!choose_type(reader, error) || !read_samples(reader, message, error))
		return FALSE;
	fill_profile(reader, run, summary);
	return TRUE;
}

gboolean pprof_read(const guint8 *bytes, gsize length, const char *name, const PprofOptions *options, Profile *profile,
        guint run, PprofSummary *summary, GError **error)
{
	PprofReader reader;
	g_autoptr(GByteArray) content = NULL;
	g_assert(run < profile_n_runs(profile));
	if (gunzip_detect(bytes, length)) {
		content = gunzip(bytes, length, MAX_DECOMPRESSED, error);
		if (content == NULL) {
			g_prefix_error(error, "%s: ", name);
			return FALSE;
		}
		bytes = content->data;
		length = content->len;
	}
	reader_init(&reader, name, options, profile);
	gboolean ok = read_profile(&reader, proto_reader(bytes, length), run, summary, error);
	reader_clear(&reader);
	return ok;
}

/* A sample type is two small numbers. */
static gboolean is_value_type(ProtoReader message)
{
	ProtoField field;
	while (proto_next(&message, &field))
		if (field.type != PROTO_VARINT || field.number > VALUE_UNIT)
			return FALSE;
	return !message.is_damaged;
}

/* Any bytes may happen to be fields of a protocol buffer. These have to be fields that a profile has, and of the types
 * that it has them in. */
static gboolean is_plausible(const ProtoField *field)
{
	gboolean is_message = field->number >= PPROF_SAMPLE_TYPE && field->number <= PPROF_STRING;
	if (field->number > PPROF_LAST_FIELD || (is_message && field->type != PROTO_BYTES))
		return FALSE;
	return field->number != PPROF_SAMPLE_TYPE || is_value_type(field->bytes);
}

gboolean pprof_detect(const guint8 *bytes, gsize length)
{
	ProtoReader reader = proto_reader(bytes, length);
	ProtoField field;
	gboolean has_type = FALSE;
	guint n = 0;
	for (; n < DETECTED_FIELDS && proto_next(&reader, &field); n++) {
		if (!is_plausible(&field))
			return FALSE;
		has_type = has_type || field.number == PPROF_SAMPLE_TYPE;
	}
	return n > 0 && (has_type || n == DETECTED_FIELDS);
}
