/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/annotationjson.h"

#include "core/json/fieldtable.h"
#include "report/json/functionjson.h"

static const Field line_fields[] = {
        FIELD("base_line", LINE, AnnotatedLine, base_line),
        FIELD("head_line", LINE, AnnotatedLine, head_line),
        FIELD("text", WORDS, AnnotatedLine, text),
        FIELD("base_text", TEXT, AnnotatedLine, base_text),
        FIELD("base_self", COST, AnnotatedLine, base_self),
        FIELD("head_self", COST, AnnotatedLine, head_self),
        FIELD("base_total", COST, AnnotatedLine, base_total),
        FIELD("head_total", COST, AnnotatedLine, head_total),
        FIELD("base_samples", SAMPLES, AnnotatedLine, base_samples),
        FIELD("head_samples", SAMPLES, AnnotatedLine, head_samples),
        FIELD("edited", FLAG, AnnotatedLine, edited),
};

static const Field instruction_fields[] = {
        FIELD_LATER("base_offset"),
        FIELD_LATER("head_offset"),
        FIELD("text", WORDS, AnnotatedInstruction, text),
        FIELD("base_text", TEXT, AnnotatedInstruction, base_text),
        FIELD("base_line", LINE, AnnotatedInstruction, base_line),
        FIELD("head_line", LINE, AnnotatedInstruction, head_line),
        FIELD("base_self", COST, AnnotatedInstruction, base_self),
        FIELD("head_self", COST, AnnotatedInstruction, head_self),
        FIELD("base_samples", SAMPLES, AnnotatedInstruction, base_samples),
        FIELD("head_samples", SAMPLES, AnnotatedInstruction, head_samples),
};

static const Field annotation_fields[] = {
        FIELD_LATER("name"),
        FIELD_LATER("module"),
        FIELD("base_file", NAME, FunctionAnnotation, base_file),
        FIELD("head_file", NAME, FunctionAnnotation, head_file),
        FIELD("note", TEXT, FunctionAnnotation, note),
        FIELD("other_base", COST, FunctionAnnotation, other_base),
        FIELD("other_head", COST, FunctionAnnotation, other_head),
        FIELD_LATER("lines"),
        FIELD("instructions_note", TEXT, FunctionAnnotation, instructions_note),
        FIELD_LATER("instructions"),
};

/* --- writing --- */

static json_t *number_or_null(guint64 number, gboolean known)
{
	return known ? json_integer((json_int_t)MIN(number, (guint64)G_MAXINT64)) : json_null();
}

static json_t *gap_json(guint left_out)
{
	return json_pack("{s:i}", "left_out", (int)left_out);
}

static json_t *line_json(const AnnotatedLine *line, gboolean counted)
{
	return annotated_line_is_gap(line) ? gap_json(line->n_left_out)
	                                   : fields_json(FIELD_TABLE(line_fields), line, counted);
}

static json_t *instruction_json(const AnnotatedInstruction *instruction, gboolean counted)
{
	if (annotated_instruction_is_gap(instruction))
		return gap_json(instruction->n_left_out);
	json_t *object = fields_json(FIELD_TABLE(instruction_fields), instruction, counted);
	json_set(object, "base_offset", number_or_null(instruction->base_offset, instruction->in_base));
	json_set(object, "head_offset", number_or_null(instruction->head_offset, instruction->in_head));
	return object;
}

static json_t *annotation_json(const FunctionAnnotation *annotation, const StackTable *table, gboolean counted)
{
	json_t *object = fields_json(FIELD_TABLE(annotation_fields), annotation, counted);
	json_t *lines = json_array(), *instructions = json_array();
	for (guint i = 0; i < annotation->lines->len; i++)
		json_array_append_new(lines, line_json(&g_array_index(annotation->lines, AnnotatedLine, i), counted));
	for (guint i = 0; i < annotation->instructions->len; i++)
		json_array_append_new(instructions,
		        instruction_json(&g_array_index(annotation->instructions, AnnotatedInstruction, i), counted));
	function_set_frame(object, table, annotation->frame);
	json_set(object, "lines", lines);
	json_set(object, "instructions", instructions);
	return object;
}

json_t *annotations_json(const GPtrArray *annotations, const StackTable *table, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; annotations != NULL && i < annotations->len; i++)
		json_array_append_new(array, annotation_json(g_ptr_array_index(annotations, i), table, counted));
	return array;
}

/* --- reading --- */

/* A row that is on neither side stands for others. */
static AnnotatedLine read_line(const json_t *object, gboolean counted)
{
	AnnotatedLine line = {0};
	fields_read(NULL, object, FIELD_TABLE(line_fields), &line, counted);
	line.n_left_out = annotated_line_is_gap(&line) ? field_small_count(object, "left_out") : 0;
	return line;
}

static AnnotatedInstruction read_instruction(const json_t *object, gboolean counted)
{
	AnnotatedInstruction instruction = {
	        .base_offset = field_count(object, "base_offset"),
	        .head_offset = field_count(object, "head_offset"),
	        .in_base = field_is_set(object, "base_offset"),
	        .in_head = field_is_set(object, "head_offset"),
	};
	fields_read(NULL, object, FIELD_TABLE(instruction_fields), &instruction, counted);
	instruction.n_left_out = annotated_instruction_is_gap(&instruction) ? field_small_count(object, "left_out") : 0;
	return instruction;
}

/* The function's frame, which the functions of the benchmark brought into the table already. */
static FrameId frame_of(const json_t *object, StackTable *table)
{
	g_autofree char *name = field_text_or_empty(object, "name"), *module = field_text_or_empty(object, "module");
	return stack_table_frame_named(table, name, module, FRAME_USER);
}

static FunctionAnnotation *read_annotation(const json_t *object, StackTable *table, gboolean counted)
{
	FunctionAnnotation *annotation = function_annotation_new(frame_of(object, table));
	const json_t *lines = json_object_get(object, "lines");
	const json_t *instructions = json_object_get(object, "instructions");
	fields_read(NULL, object, FIELD_TABLE(annotation_fields), annotation, counted);
	for (gsize i = 0; i < json_array_size(lines); i++) {
		AnnotatedLine line = read_line(json_array_get(lines, i), counted);
		g_array_append_val(annotation->lines, line);
	}
	for (gsize i = 0; i < json_array_size(instructions); i++) {
		AnnotatedInstruction instruction = read_instruction(json_array_get(instructions, i), counted);
		g_array_append_val(annotation->instructions, instruction);
	}
	return annotation;
}

GPtrArray *annotations_read(const json_t *array, StackTable *table, gboolean counted)
{
	if (json_array_size(array) == 0)
		return NULL;
	GPtrArray *annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(annotations, read_annotation(json_array_get(array, i), table, counted));
	return annotations;
}
