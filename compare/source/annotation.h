/* SPDX-License-Identifier: Apache-2.0 */
/* One function, line by line and instruction by instruction, of base and head side by side, with what each cost.
 *
 *     base  head   base     head
 *      12    12                    for (i = 0; i < n; i++)
 *      13    14    310      310            sum += word[i];        the same line, moved by an insertion: one row
 *       -    13      -      290            sum ^= crc(word);      only in head: edited
 *     ... 7 lines left out
 *
 * Rows are in the order of the text. A row is a line of base, of head, or of both if alignment (core/git/textalign.h)
 * found them to be the same line, or to stand in each other's place; or it is a gap, which stands for lines left out.
 * Few rows are kept: lines that cost something and lines that were edited, with some lines around them.
 *
 * Costs are means per run and unit of work in the unit of the profile's event, as those of FunctionComparison are; NaN
 * on a side that was not measured by lines, or where the line is not there. `self` is own code, so the lines of a
 * function, together with its `other` costs, add up to its self cost; `total` is that and what was called from there.
 *
 * All text is foreign: any bytes but NUL, line ends cut off, cut at ANNOTATION_MAX_TEXT characters. Data only: rows of
 * lines are made by compare/source/annotatedlines.h, those of instructions by compare/source/annotatedcode.h. */
#pragma once

#include "model/stacktable.h"

#define ANNOTATION_MAX_ROWS 400 /* of lines, and of instructions, gaps included */
#define ANNOTATION_MAX_TEXT 400 /* characters of a line */
#define ANNOTATION_CONTEXT 3    /* rows kept before and after each that matters */

typedef struct {
	guint32 base_line, head_line; /* from 1; 0 = not on that side; both 0 = a gap */
	guint n_left_out;             /* of a gap: how many rows it stands for; else 0 */
	char *text;                   /* of head, or of base where head has none; "" if the source is not known */
	char *base_text;              /* of base, where both are there and differ; else NULL */
	double base_self, head_self, base_total, head_total;
	guint64 base_samples, head_samples; /* of own code, over all runs */
	gboolean edited;                    /* only on one side, or another text */
} AnnotatedLine;

typedef struct {
	guint64 base_offset, head_offset; /* bytes of listed code in front of it */
	gboolean in_base, in_head;        /* neither = a gap */
	guint n_left_out;                 /* of a gap: how many rows it stands for; else 0 */
	char *text;                       /* of head, or of base where head has none */
	char *base_text;              /* of base, where both are there and differ in more than addresses; else NULL */
	guint32 base_line, head_line; /* in `base_file` and `head_file`; 0 = of another file, or not known */
	double base_self, head_self;
	guint64 base_samples, head_samples;
} AnnotatedInstruction;

typedef struct {
	FrameId frame;                 /* FunctionComparison.frame */
	char *base_file, *head_file;   /* relative to the checkout, as CodePlace has them; "" = not known */
	char *note;                    /* what is missing of the lines, and why: clauses with "; " between them; or
	                                * NULL */
	GArray *lines;                 /* of AnnotatedLine; may be empty */
	double other_base, other_head; /* self cost that stands in no row of `lines`: of other files, of lines that are
	                                * not known or were left out; NaN = not measured by lines */
	GArray *instructions;          /* of AnnotatedInstruction; may be empty */
	char *instructions_note;       /* what is missing of the instructions, and why; or NULL */
} FunctionAnnotation;

/* Empty: no rows, files "", costs NaN. Rows appended to `lines` and `instructions` belong to them with their texts. */
FunctionAnnotation *function_annotation_new(FrameId frame);
void function_annotation_free(FunctionAnnotation *annotation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FunctionAnnotation, function_annotation_free)

/* Appends a clause to one of the notes, after "; " if there is one. */
void annotation_add_note(char **note, const char *clause);

/* A line of source as rows have it: `length` bytes, without the end of the line, cut at ANNOTATION_MAX_TEXT characters
 * and at a NUL. Owned by the caller. */
char *annotation_line_text(const char *line, gsize length);

/* TRUE for a row that stands for others that were left out. */
gboolean annotated_line_is_gap(const AnnotatedLine *line);
/* TRUE if it stands for instructions that were left out. */
gboolean annotated_instruction_is_gap(const AnnotatedInstruction *instruction);
