/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/firefoxwrite.h"

#include "profile/exchange/jsonpieces.h"

#include <string.h>

/* The version of the format that browsers record; the viewer requires one. */
#define GECKO_VERSION 24
#define NS_PER_MS 1000000
#define RESOURCE_LIBRARY "1"

typedef enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_GENERATED } Category;

typedef struct {
	const ExportedProfile *exported;
	const StackTable *table;
	gboolean in_ns;
	ExportedRows rows;
	ExportedTexts texts;
	GArray *modules, *files; /* of guint32: texts of resources and sources */
	GHashTable *module_rows; /* NameId -> row + 1 */
	GHashTable *file_rows;
	GString *out;
} FirefoxWriter;

/* A value of one row of a table, appended to the output. */
typedef void (*PutCell)(FirefoxWriter *writer, guint row);

static void put_column(FirefoxWriter *writer, const char *name, guint n, PutCell put)
{
	g_string_append_printf(writer->out, "\"%s\":[", name);
	for (guint i = 0; i < n; i++) {
		if (i > 0)
			g_string_append_c(writer->out, ',');
		put(writer, i);
	}
	g_string_append(writer->out, "],\n");
}

static void put_same(FirefoxWriter *writer, const char *name, const char *value, guint n)
{
	json_put_constants(writer->out, name, value, n);
	g_string_append(writer->out, ",\n");
}

static void put_length(FirefoxWriter *writer, guint n)
{
	g_string_append_printf(writer->out, "\"length\":%u}", n);
}

/* --- stacks --- */

static void put_prefix(FirefoxWriter *writer, guint row)
{
	StackId parent = stack_table_parent(writer->table, g_array_index(writer->rows.stacks, StackId, row));
	if (parent.index == STACK_ROOT.index)
		g_string_append(writer->out, "null");
	else
		json_put_integer(writer->out, writer->rows.stack_rows[parent.index]);
}

static void put_leaf(FirefoxWriter *writer, guint row)
{
	json_put_integer(writer->out, exported_rows_leaf(&writer->rows, writer->table, row));
}

static void put_stack_table(FirefoxWriter *writer)
{
	guint n = writer->rows.stacks->len;
	g_string_append(writer->out, "\"stackTable\":{");
	put_column(writer, "prefix", n, put_prefix);
	put_column(writer, "frame", n, put_leaf);
	put_length(writer, n);
	g_string_append(writer->out, ",\n");
}

/* --- frames and functions: one of each per name and module --- */

static const Frame *frame_of_row(const FirefoxWriter *writer, guint row)
{
	return stack_table_get_frame(writer->table, g_array_index(writer->rows.frames, FrameId, row));
}

static void put_category(FirefoxWriter *writer, guint row)
{
	static const Category categories[FRAME_KINDS] = {
	        [FRAME_USER] = CATEGORY_USER,
	        [FRAME_INLINED] = CATEGORY_USER,
	        [FRAME_KERNEL] = CATEGORY_KERNEL,
	        [FRAME_JIT] = CATEGORY_GENERATED,
	        [FRAME_COMMAND] = CATEGORY_OTHER,
	        [FRAME_SYNTHETIC] = CATEGORY_OTHER,
	};
	json_put_integer(writer->out, categories[frame_of_row(writer, row)->kind]);
}

static void put_row(FirefoxWriter *writer, guint row)
{
	json_put_integer(writer->out, row);
}

static void put_frame_table(FirefoxWriter *writer)
{
	guint n = writer->rows.frames->len;
	g_string_append(writer->out, "\"frameTable\":{");
	put_same(writer, "address", "-1", n);
	put_same(writer, "inlineDepth", "0", n);
	put_column(writer, "category", n, put_category);
	put_same(writer, "subcategory", "0", n);
	put_column(writer, "func", n, put_row);
	put_same(writer, "nativeSymbol", "null", n);
	put_same(writer, "innerWindowID", "null", n);
	put_same(writer, "line", "null", n);
	put_same(writer, "column", "null", n);
	put_length(writer, n);
	g_string_append(writer->out, ",\n");
}

static void put_function_name(FirefoxWriter *writer, guint row)
{
	json_put_integer(
	        writer->out, exported_texts_name(&writer->texts, writer->table, frame_of_row(writer, row)->name));
}

/* The row of a name in a table that has one per name; *is_there is FALSE for the empty name. */
static guint32 row_of_name(FirefoxWriter *writer, GHashTable *rows, GArray *names, NameId name, gboolean *is_there)
{
	gpointer key = GUINT_TO_POINTER(name.index + 1);
	*is_there = *stack_table_text(writer->table, name) != '\0';
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(rows, key));
	if (!*is_there || known != 0)
		return known - 1;
	guint32 text = exported_texts_name(&writer->texts, writer->table, name);
	g_array_append_val(names, text);
	g_hash_table_insert(rows, key, GUINT_TO_POINTER(names->len));
	return names->len - 1;
}

static void put_resource(FirefoxWriter *writer, guint row)
{
	gboolean is_there;
	NameId module = frame_of_row(writer, row)->module;
	guint32 resource = row_of_name(writer, writer->module_rows, writer->modules, module, &is_there);
	json_put_integer(writer->out, is_there ? (gint64)resource : -1);
}

static void put_source(FirefoxWriter *writer, guint row)
{
	gboolean is_there;
	NameId file = frame_of_row(writer, row)->file;
	guint32 source = row_of_name(writer, writer->file_rows, writer->files, file, &is_there);
	if (is_there)
		json_put_integer(writer->out, source);
	else
		g_string_append(writer->out, "null");
}

static void put_line(FirefoxWriter *writer, guint row)
{
	guint32 line = frame_of_row(writer, row)->line;
	if (line > 0)
		json_put_integer(writer->out, line);
	else
		g_string_append(writer->out, "null");
}

static void put_function_table(FirefoxWriter *writer)
{
	guint n = writer->rows.frames->len;
	g_string_append(writer->out, "\"funcTable\":{");
	put_column(writer, "name", n, put_function_name);
	put_same(writer, "isJS", "false", n);
	put_same(writer, "relevantForJS", "false", n);
	put_column(writer, "resource", n, put_resource);
	put_column(writer, "source", n, put_source);
	put_column(writer, "lineNumber", n, put_line);
	put_same(writer, "columnNumber", "null", n);
	put_length(writer, n);
	g_string_append(writer->out, ",\n");
}

static void put_module_name(FirefoxWriter *writer, guint row)
{
	json_put_integer(writer->out, g_array_index(writer->modules, guint32, row));
}

static void put_file_name(FirefoxWriter *writer, guint row)
{
	json_put_integer(writer->out, g_array_index(writer->files, guint32, row));
}

static void put_names(FirefoxWriter *writer)
{
	guint n_modules = writer->modules->len, n_files = writer->files->len;
	g_string_append(writer->out, "\"resourceTable\":{");
	put_same(writer, "lib", "null", n_modules);
	put_column(writer, "name", n_modules, put_module_name);
	put_same(writer, "host", "null", n_modules);
	put_same(writer, "type", RESOURCE_LIBRARY, n_modules);
	put_length(writer, n_modules);
	g_string_append(writer->out, ",\n\"sources\":{");
	put_same(writer, "uuid", "null", n_files);
	put_column(writer, "filename", n_files, put_file_name);
	put_length(writer, n_files);
	g_string_append(writer->out, ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
	                             "\"functionSize\":[],\"length\":0},\n\"stringArray\":[\n");
	for (guint i = 0; i < writer->texts.texts->len; i++) {
		json_put_separator(writer->out, i == 0);
		json_put_text(writer->out, writer->texts.texts->pdata[i]);
	}
	g_string_append(writer->out, "]");
}

/* Functions come before what they name. */
static void put_shared(FirefoxWriter *writer)
{
	g_string_append(writer->out, "\"shared\":{\n");
	put_stack_table(writer);
	put_frame_table(writer);
	put_function_table(writer);
	put_names(writer);
	g_string_append(writer->out, "},\n");
}

/* --- threads --- */

/* A value of one sample; `before` is how long the sample before lasts. */
typedef void (*PutSample)(FirefoxWriter *writer, guint row, gint64 weight, gint64 before);

static void put_milliseconds(GString *out, gint64 ns)
{
	gint64 fraction = ABS(ns % NS_PER_MS);
	if (ns < 0 && ns > -NS_PER_MS)
		g_string_append_c(out, '-');
	json_put_integer(out, ns / NS_PER_MS);
	if (fraction == 0)
		return;
	g_string_append_printf(out, ".%06" G_GINT64_FORMAT, fraction);
	while (out->str[out->len - 1] == '0')
		g_string_truncate(out, out->len - 1);
}

static void put_cost(FirefoxWriter *writer, gint64 cost)
{
	if (writer->in_ns)
		put_milliseconds(writer->out, cost);
	else
		exported_append_cost(writer->out, writer->exported, cost);
}

static void put_sample_stack(FirefoxWriter *writer, guint row, gint64 weight, gint64 before)
{
	(void)weight;
	(void)before;
	json_put_integer(writer->out, row);
}

static void put_sample_weight(FirefoxWriter *writer, guint row, gint64 weight, gint64 before)
{
	(void)row;
	(void)before;
	put_cost(writer, weight);
}

static void put_sample_delta(FirefoxWriter *writer, guint row, gint64 weight, gint64 before)
{
	(void)row;
	(void)weight;
	put_cost(writer, before);
}

/* A column of the samples, whose number is returned. */
static guint put_samples(FirefoxWriter *writer, const char *name, ExportedPart part, PutSample put)
{
	guint n = 0;
	gint64 before = 0;
	g_string_append_printf(writer->out, "\"%s\":[", name);
	for (guint i = 0; i < writer->rows.stacks->len; i++) {
		gint64 weight = exported_weight(writer->exported, part, g_array_index(writer->rows.stacks, StackId, i));
		if (weight == 0)
			continue;
		if (n++ > 0)
			g_string_append_c(writer->out, ',');
		put(writer, i, weight, before);
		before = ABS(weight);
	}
	g_string_append(writer->out, "],\n");
	return n;
}

static const char *weight_type(const FirefoxWriter *writer)
{
	if (writer->in_ns)
		return "tracing-ms";
	return strcmp(writer->exported->head->unit, "bytes") == 0 ? "bytes" : "samples";
}

/* Each thread is a process of its own, so that each has a track that can be chosen. */
static void put_thread(FirefoxWriter *writer, guint number, const char *name, ExportedPart part)
{
	GString *out = writer->out;
	g_string_append(out, "{\"name\":");
	json_put_text(out, name);
	g_string_append(out, ",\"processName\":");
	json_put_text(out, name);
	g_string_append_printf(out,
	        ",\"pid\":\"%u\",\"tid\":%u,\"isMainThread\":true,\"processType\":\"default\","
	        "\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
	        "\"pausedRanges\":[],\n\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	        "\"phase\":[],\"category\":[],\"length\":0},\n\"samples\":{",
	        number, number);
	put_samples(writer, "weight", part, put_sample_weight);
	put_samples(writer, "timeDeltas", part, put_sample_delta);
	guint n = put_samples(writer, "stack", part, put_sample_stack);
	g_string_append_printf(out, "\"weightType\":\"%s\",", weight_type(writer));
	put_length(writer, n);
	g_string_append_c(out, '}');
}

static void put_threads(FirefoxWriter *writer)
{
	static const struct {
		const char *name;
		ExportedPart part;
	} sides[] = {{"base", EXPORT_BASE}, {"head", EXPORT_HEAD}, {"difference", EXPORT_DIFFERENCE}};
	g_string_append(writer->out, "\"threads\":[\n");
	if (writer->exported->base == NULL)
		put_thread(writer, 1, writer->exported->name, EXPORT_HEAD);
	for (guint i = 0; writer->exported->base != NULL && i < G_N_ELEMENTS(sides); i++) {
		json_put_separator(writer->out, i == 0);
		put_thread(writer, i + 1, sides[i].name, sides[i].part);
	}
	g_string_append(writer->out, "\n]}\n");
}

/* --- the whole --- */

static void put_meta(FirefoxWriter *writer)
{
	GString *out = writer->out;
	gboolean is_comparison = writer->exported->base != NULL;
	g_string_append(out, "{\"meta\":{\"product\":");
	json_put_text(out, writer->exported->name);
	g_string_append(out, ",\"importedFrom\":");
	json_put_text(out, writer->exported->exporter);
	g_string_append_printf(out,
	        ",\"version\":%d,\"preprocessedProfileVersion\":%d,\"interval\":1,\"startTime\":0,\"processType\":0,"
	        "\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
	        "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,"
	        "\"initialVisibleThreads\":[%s],\"initialSelectedThreads\":[%d],\"markerSchema\":[],\n\"categories\":[",
	        GECKO_VERSION, FIREFOX_PROCESSED_VERSION, is_comparison ? "0,1,2" : "0", is_comparison ? 2 : 0);
	g_string_append(out, "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	                     "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	                     "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	                     "{\"name\":\"Generated code\",\"color\":\"blue\",\"subcategories\":[\"Other\"]}]},\n"
	                     "\"libs\":[],\n");
}

GString *firefox_write(const ExportedProfile *exported)
{
	FirefoxWriter writer = {
	        .exported = exported,
	        .table = exported->head->table,
	        .in_ns = strcmp(exported->head->unit, "ns") == 0,
	        .modules = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .files = g_array_new(FALSE, FALSE, sizeof(guint32)),
	        .module_rows = g_hash_table_new(NULL, NULL),
	        .file_rows = g_hash_table_new(NULL, NULL),
	        .out = g_string_new(NULL),
	};
	exported_rows_init(&writer.rows, exported);
	exported_texts_init(&writer.texts);
	put_meta(&writer);
	put_shared(&writer);
	put_threads(&writer);
	exported_rows_clear(&writer.rows);
	exported_texts_clear(&writer.texts);
	g_array_unref(writer.modules);
	g_array_unref(writer.files);
	g_hash_table_unref(writer.module_rows);
	g_hash_table_unref(writer.file_rows);
	return writer.out;
}
