/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/functionjson.h"

#include "compare/comparison/filelabels.h"
#include "core/json/fieldtable.h"
#include "report/words/highlights.h"

#include <math.h>

static json_t *code_changed_json(gconstpointer record, gboolean counted)
{
	CodeIdentity code = ((const FunctionComparison *)record)->code;
	(void)counted;
	return code == CODE_UNKNOWN ? json_null() : json_boolean(code == CODE_CHANGED);
}

static void read_code_changed(FieldReading *reading, const json_t *changed, gpointer record, gboolean counted)
{
	(void)reading, (void)counted;
	((FunctionComparison *)record)->code = !json_is_boolean(changed) ? CODE_UNKNOWN
	                                       : json_is_true(changed)   ? CODE_CHANGED
	                                                                 : CODE_SAME;
}

static const Field inlined_fields[] = {
        FIELD_LATER("name"),
        FIELD_LATER("file"),
        FIELD_LATER("line"),
        FIELD("contribution_pp", SHARE, InlinedPart, contribution),
        FIELD("ci_pp", SHARE_PAIR, InlinedPart, contribution_lower),
        FIELD("base_cost", COST, InlinedPart, base_cost),
        FIELD("head_cost", COST, InlinedPart, head_cost),
        FIELD("base_samples", SAMPLES, InlinedPart, base_samples),
        FIELD("head_samples", SAMPLES, InlinedPart, head_samples),
        FIELD_NEW_WORD("relation", InlinedPart, relation, change_relation_name, CHANGE_CALLED_BY_TOUCHED + 1),
};

static const Field function_fields[] = {
        FIELD_LATER("name"),
        FIELD_LATER("module"),
        FIELD_LATER("file"),
        FIELD_LATER("line"),
        FIELD_LATER("file_in_commit"),
        FIELD_LATER("base_file"),
        FIELD_LATER("base_line"),
        FIELD_LATER("edited_file"),
        FIELD_LATER("edited_line"),
        FIELD("contribution_pp", SHARE, FunctionComparison, contribution),
        FIELD("ci_pp", SHARE_PAIR, FunctionComparison, contribution_lower),
        FIELD("ci_simultaneous_pp", SHARE_PAIR, FunctionComparison, simultaneous_lower),
        FIELD("change_pct", CHANGE, FunctionComparison, change_ratio),
        FIELD("base_cost", COST, FunctionComparison, base_cost),
        FIELD("head_cost", COST, FunctionComparison, head_cost),
        FIELD("base_samples", SAMPLES, FunctionComparison, base_samples),
        FIELD("head_samples", SAMPLES, FunctionComparison, head_samples),
        FIELD_NEW("repeats", FLAG, FunctionComparison, repeats),
        FIELD("tested", FLAG, FunctionComparison, tested),
        FIELD("p", NUMBER, FunctionComparison, p_value),
        FIELD("p_adjusted", NUMBER, FunctionComparison, p_adjusted),
        FIELD("p_adjusted_improvement", NUMBER, FunctionComparison, p_adjusted_improvement),
        FIELD("mde_pct", SHARE, FunctionComparison, mde_ratio),
        FIELD_WORD("class", FunctionComparison, klass, function_class_name, FUNCTION_LAYOUT_SUSPECT + 1),
        FIELD_MADE("code_changed", code_changed_json, read_code_changed),
        FIELD_NEW_WORD("relation", FunctionComparison, relation, change_relation_name, CHANGE_CALLED_BY_TOUCHED + 1),
        FIELD_LATER("called_through"),
        FIELD("gates", FLAG, FunctionComparison, gates),
        FIELD_NEW_WORD("held_by", FunctionComparison, held, function_hold_name, FUNCTION_HOLDS),
        FIELD_LATER("inlined"),
        FIELD_RARE("accepted", FLAG, FunctionComparison, accepted),
        FIELD_NEW("sentence", TEXT, FunctionComparison, sentence),
        FIELD("note", TEXT, FunctionComparison, note),
        FIELD_LATER("renamed_from"),
};

/* --- writing --- */

static void set_place(
        json_t *object, const char *file_key, const char *line_key, const StackTable *table, FunctionPlace place)
{
	const char *file = table == NULL ? "" : stack_table_text(table, place.file);
	json_set(object, file_key, json_text(*file == '\0' ? NULL : file));
	json_set(object, line_key, *file == '\0' || place.line == 0 ? json_null() : json_integer(place.line));
}

void function_set_frame(json_t *object, const StackTable *table, FrameId frame)
{
	const char *module = highlights_module(table, frame);
	json_set(object, "name", json_text(highlights_name(table, frame)));
	json_set(object, "module", json_text(*module == '\0' ? NULL : module));
}

/* TRUE if the file is one that head's commit has; null if nobody looked. */
static json_t *in_commit_json(FunctionPlace place)
{
	return place.origin == SOURCE_UNKNOWN ? json_null() : json_boolean(place.origin == SOURCE_COMMITTED);
}

/* A place that readers may be sent to. */
static FunctionPlace committed(FunctionPlace place)
{
	gboolean may_be = place.origin == SOURCE_UNKNOWN || place.origin == SOURCE_COMMITTED;
	return may_be ? place : (FunctionPlace){0};
}

/* Sets the identity of a function: null where the profile does not say. */
static void set_identity(json_t *object, const StackTable *table, const FunctionComparison *function)
{
	function_set_frame(object, table, function->frame);
	FunctionPlace place = highlights_function_place(table, function);
	set_place(object, "file", "line", table, place);
	json_set(object, "file_in_commit", in_commit_json(place));
	set_place(object, "base_file", "base_line", table, function->base_place);
	set_place(object, "edited_file", "edited_line", table, committed(function->edited_place));
}

/* The functions that are inlined into a function and changed: parts of its contribution. */
static json_t *inlined_json(const StackTable *table, const FunctionComparison *function, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; function->inlined != NULL && i < function->inlined->len; i++) {
		const InlinedPart *part = function->inlined->pdata[i];
		json_t *object = fields_json(FIELD_TABLE(inlined_fields), part, counted);
		json_set(object, "name", json_text(highlights_name(table, part->frame)));
		set_place(object, "file", "line", table, part->place);
		json_array_append_new(array, object);
	}
	return array;
}

/* Counts are not tested, and samples do not repeat. */
static void drop_what_does_not_apply(json_t *object, const FunctionComparison *function, gboolean counted)
{
	if (!counted)
		json_set(object, "repeats", json_null());
	if (function->tested && !counted)
		return;
	json_set(object, "p", json_null());
	json_set(object, "p_adjusted", json_null());
	json_set(object, "p_adjusted_improvement", json_null());
}

static json_t *function_json(const StackTable *table, const FunctionComparison *function, gboolean counted)
{
	json_t *object = fields_json(FIELD_TABLE(function_fields), function, counted);
	gboolean called = function->relation == CHANGE_CALLED_BY_TOUCHED;
	gboolean renamed = function->renamed_from.index != function->frame.index;
	set_identity(object, table, function);
	drop_what_does_not_apply(object, function, counted);
	json_set(object, "called_through", json_text(called ? highlights_name(table, function->through) : NULL));
	json_set(object, "inlined", inlined_json(table, function, counted));
	json_set(object, "renamed_from", json_text(renamed ? highlights_name(table, function->renamed_from) : NULL));
	return object;
}

json_t *functions_json(const StackTable *table, const BenchmarkComparison *comparison)
{
	json_t *array = json_array();
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++)
		json_array_append_new(
		        array, function_json(table, g_ptr_array_index(comparison->functions, i), comparison->counted));
	return array;
}

/* --- reading --- */

FrameId function_read_frame(StackTable *table, const json_t *object)
{
	g_autofree char *name = field_text_or_empty(object, "name"), *module = field_text_or_empty(object, "module");
	g_autofree char *file = field_text_or_empty(object, "file");
	NameId name_id = stack_table_name(table, name, -1);
	Frame frame = {
	        .name = name_id,
	        .raw_name = name_id,
	        .module = stack_table_name(table, module, -1),
	        .file = stack_table_name(table, file, -1),
	        .line = field_small_count(object, "line"),
	        .kind = FRAME_USER,
	};
	return stack_table_frame(table, &frame);
}

/* The base's function of a renamed one. Its module is not in the report: it is the same, but where the name is, too. */
static FrameId read_renamed_from(StackTable *table, FrameId frame, const json_t *object)
{
	g_autofree char *name = field_text(object, "renamed_from"), *module = field_text(object, "module");
	if (name == NULL)
		return frame;
	FrameId renamed_from = stack_table_frame_named(table, name, module, FRAME_USER);
	return renamed_from.index != frame.index ? renamed_from
	                                         : stack_table_frame_named(table, name, NULL, FRAME_USER);
}

/* Only its name is in the report. */
static FrameId read_through(StackTable *table, const json_t *object)
{
	g_autofree char *name = field_text(object, "called_through");
	return name == NULL ? (FrameId){0} : stack_table_frame_named(table, name, NULL, FRAME_USER);
}

static FunctionPlace read_place(StackTable *table, const json_t *object, const char *file_key, const char *line_key)
{
	g_autofree char *file = field_text_or_empty(object, file_key);
	return (FunctionPlace){.file = stack_table_name(table, file, -1), .line = field_small_count(object, line_key)};
}

/* Why a file is not part of the commit is not in the report. */
static SourceOrigin read_origin(const json_t *object)
{
	const json_t *in_commit = json_object_get(object, "file_in_commit");
	if (!json_is_boolean(in_commit))
		return SOURCE_UNKNOWN;
	return json_is_true(in_commit) ? SOURCE_COMMITTED : SOURCE_MADE;
}

static InlinedPart *read_part(
        FieldReading *reading, StackTable *table, NameId module, const json_t *object, gboolean counted)
{
	g_autofree char *name = field_text_or_empty(object, "name");
	NameId name_id = stack_table_name(table, name, -1);
	const Frame frame = {.name = name_id, .raw_name = name_id, .module = module, .kind = FRAME_INLINED};
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = stack_table_frame(table, &frame);
	part->place = read_place(table, object, "file", "line");
	fields_read(reading, object, FIELD_TABLE(inlined_fields), part, counted);
	return part;
}

static void read_inlined(
        FieldReading *reading, FunctionComparison *function, StackTable *table, const json_t *array, gboolean counted)
{
	NameId module = stack_table_get_frame(table, function->frame)->module;
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		InlinedPart *part = read_part(reading, table, module, object, counted);
		if (function->inlined == NULL)
			function->inlined = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(function->inlined, part);
	}
}

static FunctionComparison *read_function(
        FieldReading *reading, StackTable *table, const json_t *object, gboolean counted)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	fields_read(reading, object, FIELD_TABLE(function_fields), function, counted);
	function->frame = function_read_frame(table, object);
	function->renamed_from = read_renamed_from(table, function->frame, object);
	function->place = read_place(table, object, "file", "line");
	function->place.origin = read_origin(object);
	function->base_place = read_place(table, object, "base_file", "base_line");
	function->edited_place = read_place(table, object, "edited_file", "edited_line");
	function->share_of_change = function->share_lower = function->share_upper = NAN;
	function->p_value_improvement = NAN;
	function->through = read_through(table, object);
	read_inlined(reading, function, table, json_object_get(object, "inlined"), counted);
	return function;
}

void functions_read(FieldReading *reading, BenchmarkComparison *comparison, StackTable *table, const json_t *array)
{
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(comparison->functions,
		        read_function(reading, table, json_array_get(array, i), comparison->counted));
	comparison->table = stack_table_ref(table);
	file_labels_set(comparison, table);
}
