#include "report/json/changedjson.h"

#include "model/engine.h"
#include "report/json/fieldtable.h"
#include "report/json/functionjson.h"

#include <math.h>

static const char *engine_name(gboolean counted)
{
	return engine_that(counted)->name;
}

static const Field line_fields[] = {
        FIELD("base_line", LINE, ChangedLine, base_line),
        FIELD("head_line", LINE, ChangedLine, head_line),
        FIELD("text", WORDS, ChangedLine, text),
        FIELD("base_self", COST, ChangedLine, base_self),
        FIELD("head_self", COST, ChangedLine, head_self),
};

static const Field function_fields[] = {
        FIELD("name", WORDS, ChangedFunction, name),
        FIELD("module", NAME, ChangedFunction, module),
        FIELD("contribution_pp", SHARE, ChangedFunction, contribution),
};

static const Field place_fields[] = {
        FIELD("base_first", COUNT, LineChange, base_first),
        FIELD("base_lines", COUNT, LineChange, base_lines),
        FIELD("head_first", COUNT, LineChange, head_first),
        FIELD("head_lines", COUNT, LineChange, head_lines),
};

static const Field code_fields[] = {
        FIELD("files_edited", COUNT, ChangedCode, n_files),
        FIELD("files_measured", COUNT, ChangedCode, n_measured_files),
        FIELD("hunks_measured", COUNT, ChangedCode, n_measured_hunks),
};

/* --- writing --- */

static json_t *line_json(const ChangedLine *line, gboolean counted)
{
	json_t *object = json_object();
	if (changed_line_is_gap(line)) {
		json_set(object, "left_out", json_integer(line->n_left_out));
		return object;
	}
	json_set(object, "kind", json_string(changed_line_kind_name(line->kind)));
	fields_write(object, FIELD_TABLE(line_fields), line, counted);
	return object;
}

static json_t *function_json(const ChangedFunction *function)
{
	json_t *object = json_object();
	json_set(object, "benchmark", json_text(function->benchmark));
	json_set(object, "engine", json_string(engine_name(function->counted)));
	fields_write(object, FIELD_TABLE(function_fields), function, FALSE);
	json_set(object, "class", json_string(function_class_name(function->klass)));
	return object;
}

static json_t *costs_json(const ChangedHunk *hunk)
{
	if (hunk->costs_benchmark == NULL)
		return json_null();
	json_t *object = json_object();
	json_set(object, "benchmark", json_text(hunk->costs_benchmark));
	json_set(object, "engine", json_string(engine_name(hunk->costs_counted)));
	return object;
}

static json_t *hunk_json(const ChangedHunk *hunk)
{
	json_t *object = json_object(), *functions = json_array(), *lines = json_array();
	for (guint i = 0; i < hunk->functions->len; i++)
		json_array_append_new(functions, function_json(g_ptr_array_index(hunk->functions, i)));
	for (guint i = 0; i < hunk->lines->len; i++)
		json_array_append_new(
		        lines, line_json(&g_array_index(hunk->lines, ChangedLine, i), hunk->costs_counted));
	fields_write(object, FIELD_TABLE(place_fields), &hunk->place, FALSE);
	json_set(object, "functions", functions);
	json_set(object, "more_functions", json_integer(hunk->n_more_functions));
	json_set(object, "costs_of", costs_json(hunk));
	json_set(object, "lines", lines);
	return object;
}

static json_t *source_json(const ChangedSource *file)
{
	json_t *object = json_object(), *hunks = json_array();
	for (guint i = 0; i < file->hunks->len; i++)
		json_array_append_new(hunks, hunk_json(g_ptr_array_index(file->hunks, i)));
	json_set(object, "base_file", json_text(file->base_path));
	json_set(object, "head_file", json_text(file->head_path));
	json_set(object, "note", json_text(file->note));
	json_set(object, "hunks_edited", json_integer(file->n_hunks));
	json_set(object, "hunks", hunks);
	return object;
}

json_t *changed_code_json(const ChangedCode *code)
{
	if (code == NULL)
		return json_null();
	json_t *object = json_object(), *files = json_array();
	for (guint i = 0; i < code->files->len; i++)
		json_array_append_new(files, source_json(g_ptr_array_index(code->files, i)));
	fields_write(object, FIELD_TABLE(code_fields), code, FALSE);
	json_set(object, "files", files);
	return object;
}

/* --- reading --- */

static const char *nth_kind(guint index)
{
	return changed_line_kind_name((ChangedLineKind)index);
}

static const char *nth_class(guint index)
{
	return function_class_name((FunctionClass)index);
}

static const char *nth_engine(guint index)
{
	return engine_name(index == 1);
}

static gboolean is_counted(ReportReading *reading, const json_t *object)
{
	return field_word(reading, object, "engine", nth_engine, 2) == 1;
}

/* A row that is on neither side stands for others. */
static ChangedLine read_line(ReportReading *reading, const json_t *object, gboolean counted)
{
	ChangedLine line = {0};
	fields_read(object, FIELD_TABLE(line_fields), &line, counted);
	if (changed_line_is_gap(&line))
		line.n_left_out = field_small_count(object, "left_out");
	else
		line.kind = field_word(reading, object, "kind", nth_kind, CHANGED_ADDED + 1);
	return line;
}

static ChangedFunction *read_function(ReportReading *reading, const json_t *object)
{
	ChangedFunction *function = g_new0(ChangedFunction, 1);
	function->benchmark = field_text_or_empty(object, "benchmark");
	function->counted = is_counted(reading, object);
	fields_read(object, FIELD_TABLE(function_fields), function, FALSE);
	function->klass = field_word(reading, object, "class", nth_class, FUNCTION_LAYOUT_SUSPECT + 1);
	return function;
}

static void read_hunk(ReportReading *reading, ChangedSource *file, const json_t *object)
{
	LineChange place = {0};
	fields_read(object, FIELD_TABLE(place_fields), &place, FALSE);
	ChangedHunk *hunk = changed_source_add_hunk(file, &place);
	const json_t *functions = json_object_get(object, "functions"), *lines = json_object_get(object, "lines");
	const json_t *costs = json_object_get(object, "costs_of");
	hunk->n_more_functions = field_small_count(object, "more_functions");
	if (json_is_object(costs)) {
		hunk->costs_benchmark = field_text_or_empty(costs, "benchmark");
		hunk->costs_counted = is_counted(reading, costs);
	}
	for (gsize i = 0; i < json_array_size(functions); i++)
		g_ptr_array_add(hunk->functions, read_function(reading, json_array_get(functions, i)));
	for (gsize i = 0; i < json_array_size(lines); i++) {
		ChangedLine line = read_line(reading, json_array_get(lines, i), hunk->costs_counted);
		g_array_append_val(hunk->lines, line);
	}
}

static void read_source(ReportReading *reading, ChangedCode *code, const json_t *object)
{
	g_autofree char *base = field_text(object, "base_file"), *head = field_text(object, "head_file");
	const json_t *hunks = json_object_get(object, "hunks");
	ChangedSource *file = changed_code_add_file(code, base, head);
	file->note = field_text(object, "note");
	file->n_hunks = field_small_count(object, "hunks_edited");
	for (gsize i = 0; i < json_array_size(hunks); i++)
		read_hunk(reading, file, json_array_get(hunks, i));
}

ChangedCode *changed_code_read(ReportReading *reading, const json_t *object)
{
	if (!json_is_object(object))
		return NULL;
	ChangedCode *code = changed_code_new();
	const json_t *files = json_object_get(object, "files");
	fields_read(object, FIELD_TABLE(code_fields), code, FALSE);
	for (gsize i = 0; i < json_array_size(files); i++)
		read_source(reading, code, json_array_get(files, i));
	return code;
}
