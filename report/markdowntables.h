/* The tables of summary.md: metrics that were measured, metrics that were counted, and functions.
 *
 * What was counted has a table of its own, since rounds, intervals and what they can detect are no words for it. */
#pragma once

#include "report/highlights.h"

/* The two lines above the rows of a table of metrics. */
void markdown_metric_head(GString *out, gboolean counted);
/* The row of a metric, for the table that highlights_counts() of its engine says. */
void markdown_metric_row(GString *out, const char *benchmark, const MetricComparison *metric);
/* The row of a benchmark that could not be compared. */
void markdown_missing_row(GString *out, const char *benchmark, gboolean counted);

/* The table of some functions of the list, with a line below it that says what its numbers are. */
void markdown_function_table(GString *out, const FunctionList *list, const GPtrArray *functions);
