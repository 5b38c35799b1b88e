/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/annotation.h"

#include <math.h>

#define MAX_CHARACTER_BYTES 4

static void clear_line(gpointer data)
{
	AnnotatedLine *line = data;
	g_free(line->text);
	g_free(line->base_text);
}

static void clear_instruction(gpointer data)
{
	AnnotatedInstruction *instruction = data;
	g_free(instruction->text);
	g_free(instruction->base_text);
}

static GArray *new_rows(guint size, GDestroyNotify clear)
{
	GArray *rows = g_array_new(FALSE, FALSE, size);
	g_array_set_clear_func(rows, clear);
	return rows;
}

FunctionAnnotation *function_annotation_new(FrameId frame)
{
	FunctionAnnotation *annotation = g_new0(FunctionAnnotation, 1);
	annotation->frame = frame;
	annotation->base_file = g_strdup("");
	annotation->head_file = g_strdup("");
	annotation->lines = new_rows(sizeof(AnnotatedLine), clear_line);
	annotation->instructions = new_rows(sizeof(AnnotatedInstruction), clear_instruction);
	annotation->other_base = annotation->other_head = NAN;
	return annotation;
}

void function_annotation_free(FunctionAnnotation *annotation)
{
	if (annotation == NULL)
		return;
	g_free(annotation->base_file);
	g_free(annotation->head_file);
	g_free(annotation->note);
	g_array_unref(annotation->lines);
	g_array_unref(annotation->instructions);
	g_free(annotation->instructions_note);
	g_free(annotation);
}

void annotation_add_note(char **note, const char *clause)
{
	char *longer = *note == NULL ? g_strdup(clause) : g_strconcat(*note, "; ", clause, NULL);
	g_free(*note);
	*note = longer;
}

/* Bytes of a line of `length` bytes that are kept: its end is cut off, and what comes after too many characters,
 * between two of them. */
static gsize kept_bytes(const char *line, gsize length)
{
	gsize most = MIN(length, (gsize)ANNOTATION_MAX_TEXT * MAX_CHARACTER_BYTES), n = 0, characters = 0;
	for (; n < most && line[n] != '\0'; n++)
		if (((guchar)line[n] & 0xc0) != 0x80 && characters++ == ANNOTATION_MAX_TEXT)
			break;
	return n > 0 && n == length && line[n - 1] == '\r' ? n - 1 : n;
}

char *annotation_line_text(const char *line, gsize length)
{
	return g_strndup(line, kept_bytes(line, length));
}

gboolean annotated_line_is_gap(const AnnotatedLine *line)
{
	return line->base_line == 0 && line->head_line == 0;
}

gboolean annotated_instruction_is_gap(const AnnotatedInstruction *instruction)
{
	return !instruction->in_base && !instruction->in_head;
}
