/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of summary.md: metrics that were measured, metrics that were counted, and functions.
 *
 * What was counted has a table of its own, since rounds, intervals and what they can detect are no words for it. */
#pragma once

#include "report/words/highlights.h"

/* The two lines above the rows of a table of metrics. */
void markdown_metric_head(GString *out, gboolean counted);
/* The row of a metric, for the table that engine_counts() of its engine says. */
void markdown_metric_row(GString *out, const char *benchmark, const MetricComparison *metric);
/* The row of a benchmark that could not be compared. */
void markdown_missing_row(GString *out, const char *benchmark, gboolean counted);

/* The data that the rows of a table of functions share. */
typedef struct {
	const FunctionList *list;
	gboolean with_relation; /* a column says what the change did to their lines */
	double base_total;      /* cost of base per unit of work; NaN = not known */
} MarkdownFunctions;

/* For a table of these functions of the list. */
MarkdownFunctions markdown_functions(const FunctionList *list, const GPtrArray *functions);
/* The two lines above the rows; a row, with those of what explains it (highlights_parts()); and the line below them
 * that says what the numbers are, and what is left of the total beside the `shown` ones. */
void markdown_functions_head(GString *out, const MarkdownFunctions *table);
/* Appends the row of a function. */
void markdown_functions_row(GString *out, const MarkdownFunctions *table, const FunctionComparison *function);
/* Appends what the numbers are, and what is left of the total beside `shown`. */
void markdown_functions_note(GString *out, const MarkdownFunctions *table, const GPtrArray *shown);
