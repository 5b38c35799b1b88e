/* SPDX-License-Identifier: Apache-2.0 */
/* The source lines of one function of both sides beside each other, with their costs: the rows of
 * FunctionAnnotation.lines (compare/source/annotation.h), made from the texts of its files and from what its lines
 * cost. */
#pragma once

#include "compare/source/annotation.h"
#include "model/linecosts.h"

/* Longer functions are cut, longer files are not looked through for a function whose place in them is not known. */
#define ANNOTATED_MAX_FUNCTION_LINES 20000
#define ANNOTATED_MAX_SEARCHED_BYTES (4u << 20)

/* A function on one side. */
typedef struct {
	FrameId frame; /* that it has on this side */
	NameId file;
	const char *path; /* the same as text, relative to the checkout; "" = not known */
	/* the whole file with a NUL after it; empty if there is none on this side, NULL if that is not known */
	const char *source;
	gsize length;
	guint32 first_line, last_line; /* of the function in it; 0 = not known */
	double per_weight; /* cost per run and unit of work for each unit of LineCost; NaN = not measured by lines */
} AnnotatedSide;

typedef struct {
	const AnnotatedSide *sides; /* N_SIDES */
	const LineCosts *costs;
} AnnotatedLinesInput;

/* Sets files, lines and other costs of an annotation that has none yet. Where a side does not know its lines of the
 * function, they are those that stand for the lines of the other side; of a function without source, the rows are the
 * lines that cost something. Errors: those of text_align(). */
gboolean annotation_add_lines(FunctionAnnotation *annotation, const AnnotatedLinesInput *input, GError **error);
