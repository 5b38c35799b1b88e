/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/changedjson.h"

#include "core/json/fieldtable.h"
#include "model/engine.h"

static const char *nth_engine(guint counted)
{
	return engine_that((gboolean)counted)->name;
}

static const Field line_fields[] = {
        FIELD_LATER("kind"),
        FIELD("base_line", LINE, ChangedLine, base_line),
        FIELD("head_line", LINE, ChangedLine, head_line),
        FIELD("text", WORDS, ChangedLine, text),
        FIELD("base_self", COST, ChangedLine, base_self),
        FIELD("head_self", COST, ChangedLine, head_self),
};

static const Field function_fields[] = {
        FIELD("benchmark", WORDS, ChangedFunction, benchmark),
        FIELD_WORD("engine", ChangedFunction, counted, nth_engine, 2),
        FIELD("name", WORDS, ChangedFunction, name),
        FIELD("module", NAME, ChangedFunction, module),
        FIELD("contribution_pp", SHARE, ChangedFunction, contribution),
        FIELD_WORD("class", ChangedFunction, klass, function_class_name, FUNCTION_LAYOUT_SUSPECT + 1),
};

static const Field costs_fields[] = {
        FIELD("benchmark", WORDS, ChangedHunk, costs_benchmark),
        FIELD_WORD("engine", ChangedHunk, costs_counted, nth_engine, 2),
};

static const Field hunk_fields[] = {
        FIELD("base_first", COUNT, ChangedHunk, place.base_first),
        FIELD("base_lines", COUNT, ChangedHunk, place.base_lines),
        FIELD("head_first", COUNT, ChangedHunk, place.head_first),
        FIELD("head_lines", COUNT, ChangedHunk, place.head_lines),
        FIELD_RECORDS("functions", ChangedHunk, functions, ChangedFunction, function_fields, 0),
        FIELD("more_functions", COUNT, ChangedHunk, n_more_functions),
        FIELD_LATER("costs_of"),
        FIELD_LATER("lines"),
};

static const Field file_fields[] = {
        FIELD("base_file", TEXT, ChangedSource, base_path),
        FIELD("head_file", TEXT, ChangedSource, head_path),
        FIELD("note", TEXT, ChangedSource, note),
        FIELD("hunks_edited", COUNT, ChangedSource, n_hunks),
        FIELD_LATER("hunks"),
};

static const Field code_fields[] = {
        FIELD("files_edited", COUNT, ChangedCode, n_files),
        FIELD("files_measured", COUNT, ChangedCode, n_measured_files),
        FIELD("hunks_measured", COUNT, ChangedCode, n_measured_hunks),
        FIELD_LATER("files"),
};

/* --- writing --- */

static json_t *line_json(const ChangedLine *line, gboolean counted)
{
	if (changed_line_is_gap(line))
		return json_pack("{s:i}", "left_out", (int)line->n_left_out);
	json_t *object = fields_json(FIELD_TABLE(line_fields), line, counted);
	json_set(object, "kind", json_string(changed_line_kind_name(line->kind)));
	return object;
}

static json_t *hunk_json(const ChangedHunk *hunk)
{
	json_t *object = fields_json(FIELD_TABLE(hunk_fields), hunk, FALSE), *lines = json_array();
	for (guint i = 0; i < hunk->lines->len; i++)
		json_array_append_new(
		        lines, line_json(&g_array_index(hunk->lines, ChangedLine, i), hunk->costs_counted));
	if (hunk->costs_benchmark != NULL)
		json_set(object, "costs_of", fields_json(FIELD_TABLE(costs_fields), hunk, FALSE));
	json_set(object, "lines", lines);
	return object;
}

static json_t *source_json(const ChangedSource *file)
{
	json_t *object = fields_json(FIELD_TABLE(file_fields), file, FALSE), *hunks = json_array();
	for (guint i = 0; i < file->hunks->len; i++)
		json_array_append_new(hunks, hunk_json(g_ptr_array_index(file->hunks, i)));
	json_set(object, "hunks", hunks);
	return object;
}

json_t *changed_code_json(const ChangedCode *code)
{
	if (code == NULL)
		return json_null();
	json_t *object = fields_json(FIELD_TABLE(code_fields), code, FALSE), *files = json_array();
	for (guint i = 0; i < code->files->len; i++)
		json_array_append_new(files, source_json(g_ptr_array_index(code->files, i)));
	json_set(object, "files", files);
	return object;
}

/* --- reading --- */

/* A row that is on neither side stands for others. */
static ChangedLine read_line(FieldReading *reading, const json_t *object, gboolean counted)
{
	ChangedLine line = {0};
	fields_read(reading, object, FIELD_TABLE(line_fields), &line, counted);
	if (changed_line_is_gap(&line))
		line.n_left_out = field_small_count(object, "left_out");
	else
		line.kind = field_word(reading, object, "kind", changed_line_kind_name, CHANGED_ADDED + 1);
	return line;
}

static void read_hunk(FieldReading *reading, ChangedSource *file, const json_t *object)
{
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){0});
	const json_t *lines = json_object_get(object, "lines"), *costs = json_object_get(object, "costs_of");
	fields_read(reading, object, FIELD_TABLE(hunk_fields), hunk, FALSE);
	if (json_is_object(costs))
		fields_read(reading, costs, FIELD_TABLE(costs_fields), hunk, FALSE);
	for (gsize i = 0; i < json_array_size(lines); i++) {
		ChangedLine line = read_line(reading, json_array_get(lines, i), hunk->costs_counted);
		g_array_append_val(hunk->lines, line);
	}
}

static void read_source(FieldReading *reading, ChangedCode *code, const json_t *object)
{
	const json_t *hunks = json_object_get(object, "hunks");
	ChangedSource *file = changed_code_add_file(code, NULL, NULL);
	fields_read(reading, object, FIELD_TABLE(file_fields), file, FALSE);
	for (gsize i = 0; i < json_array_size(hunks); i++)
		read_hunk(reading, file, json_array_get(hunks, i));
}

ChangedCode *changed_code_read(FieldReading *reading, const json_t *object)
{
	if (!json_is_object(object))
		return NULL;
	ChangedCode *code = changed_code_new();
	const json_t *files = json_object_get(object, "files");
	fields_read(NULL, object, FIELD_TABLE(code_fields), code, FALSE);
	for (gsize i = 0; i < json_array_size(files); i++)
		read_source(reading, code, json_array_get(files, i));
	return code;
}
