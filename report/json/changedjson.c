#include "report/json/changedjson.h"

#include "model/engine.h"
#include "report/json/functionjson.h"

#include <math.h>

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static const char *engine_name(gboolean counted)
{
	return engine_that(counted)->name;
}

/* --- writing --- */

static json_t *number_of_line(guint32 line)
{
	return line > 0 ? json_integer(line) : json_null();
}

static json_t *line_json(const ChangedLine *line, gboolean counted)
{
	json_t *object = json_object();
	if (changed_line_is_gap(line)) {
		set(object, "left_out", json_integer(line->n_left_out));
		return object;
	}
	set(object, "kind", json_string(changed_line_kind_name(line->kind)));
	set(object, "base_line", number_of_line(line->base_line));
	set(object, "head_line", number_of_line(line->head_line));
	set(object, "text", json_text(line->text));
	set(object, "base_self", json_cost(line->base_self, counted));
	set(object, "head_self", json_cost(line->head_self, counted));
	return object;
}

static json_t *function_json(const ChangedFunction *function)
{
	json_t *object = json_object();
	set(object, "benchmark", json_text(function->benchmark));
	set(object, "engine", json_string(engine_name(function->counted)));
	set(object, "name", json_text(function->name));
	set(object, "module", json_text(*function->module != '\0' ? function->module : NULL));
	set(object, "contribution_pp", json_number(function->contribution * 100));
	set(object, "class", json_string(function_class_name(function->klass)));
	return object;
}

static json_t *costs_json(const ChangedHunk *hunk)
{
	if (hunk->costs_benchmark == NULL)
		return json_null();
	json_t *object = json_object();
	set(object, "benchmark", json_text(hunk->costs_benchmark));
	set(object, "engine", json_string(engine_name(hunk->costs_counted)));
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
	set(object, "base_first", json_integer(hunk->place.base_first));
	set(object, "base_lines", json_integer(hunk->place.base_lines));
	set(object, "head_first", json_integer(hunk->place.head_first));
	set(object, "head_lines", json_integer(hunk->place.head_lines));
	set(object, "functions", functions);
	set(object, "more_functions", json_integer(hunk->n_more_functions));
	set(object, "costs_of", costs_json(hunk));
	set(object, "lines", lines);
	return object;
}

static json_t *source_json(const ChangedSource *file)
{
	json_t *object = json_object(), *hunks = json_array();
	for (guint i = 0; i < file->hunks->len; i++)
		json_array_append_new(hunks, hunk_json(g_ptr_array_index(file->hunks, i)));
	set(object, "base_file", json_text(file->base_path));
	set(object, "head_file", json_text(file->head_path));
	set(object, "note", json_text(file->note));
	set(object, "hunks_edited", json_integer(file->n_hunks));
	set(object, "hunks", hunks);
	return object;
}

json_t *changed_code_json(const ChangedCode *code)
{
	if (code == NULL)
		return json_null();
	json_t *object = json_object(), *files = json_array();
	for (guint i = 0; i < code->files->len; i++)
		json_array_append_new(files, source_json(g_ptr_array_index(code->files, i)));
	set(object, "files_edited", json_integer(code->n_files));
	set(object, "files_measured", json_integer(code->n_measured_files));
	set(object, "hunks_measured", json_integer(code->n_measured_hunks));
	set(object, "files", files);
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
	ChangedLine line = {
	        .base_line = field_small_count(object, "base_line"),
	        .head_line = field_small_count(object, "head_line"),
	        .text = field_text_or_empty(object, "text"),
	        .base_self = field_cost(object, "base_self", counted),
	        .head_self = field_cost(object, "head_self", counted),
	};
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
	function->name = field_text_or_empty(object, "name");
	function->module = field_text_or_empty(object, "module");
	function->contribution = field_share(object, "contribution_pp");
	function->klass = field_word(reading, object, "class", nth_class, FUNCTION_LAYOUT_SUSPECT + 1);
	return function;
}

static LineChange read_place(const json_t *object)
{
	return (LineChange){
	        .base_first = field_small_count(object, "base_first"),
	        .base_lines = field_small_count(object, "base_lines"),
	        .head_first = field_small_count(object, "head_first"),
	        .head_lines = field_small_count(object, "head_lines"),
	};
}

static void read_hunk(ReportReading *reading, ChangedSource *file, const json_t *object)
{
	LineChange place = read_place(object);
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
	code->n_files = field_small_count(object, "files_edited");
	code->n_measured_files = field_small_count(object, "files_measured");
	code->n_measured_hunks = field_small_count(object, "hunks_measured");
	for (gsize i = 0; i < json_array_size(files); i++)
		read_source(reading, code, json_array_get(files, i));
	return code;
}
