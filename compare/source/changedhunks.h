/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the hunks of a change in which measured functions stand: what compare/source/changedcode.h holds.
 *
 *     GPtrArray *touched = touched_functions_new();
 *     touched_functions_add(touched, &query);         for each list of functions, while its code facts are there
 *     ...
 *     ChangedCode *code = changed_code_find(&input);  when all benchmarks are through
 *
 * Changes with at most twice CHANGED_CONTEXT_LINES unedited lines between them are one hunk, as git has it. A function
 * stands in a hunk if line_changes_touch() says so of its lines on either side. */
#pragma once

#include "compare/source/changedcode.h"

/* A hunk is looked into for so many lines, and a function for so many changes. */
#define CHANGED_MAX_HUNK_LINES 20000
#define CHANGED_MAX_FUNCTION_CHANGES 1000

/* A function that the change touches, and where it stands. */
typedef struct {
	ChangedFunction *function;
	char *paths[LINES_SIDES]; /* NULL = its lines on this side are not known */
	guint32 first[LINES_SIDES], last[LINES_SIDES];
} TouchedFunction;

/* An empty list of TouchedFunction, which it owns. */
GPtrArray *touched_functions_new(void);

typedef struct {
	const BenchmarkComparison *comparison;
	const StackTable *table; /* of its frames */
	const CodeFacts *code;   /* NULL = nothing is known */
} TouchedQuery;
/* Appends the functions of a comparison that are touched and whose lines are known. */
void touched_functions_add(GPtrArray *touched, const TouchedQuery *query);

/* Reads the whole file of a side; owned by the caller, NULL if there is none. FALSE and an error if it cannot be read.
 */
typedef gboolean (*ChangedTextFunc)(
        gpointer data, LinesSide side, const char *path, char **text, gsize *length, GError **error);

/* Annotations of one list of functions (compare/source/annotation.h), of which costs of lines are. */
typedef struct {
	const char *benchmark;
	gboolean counted;
	const GPtrArray *annotations;
} ChangedCosts;

typedef struct {
	const LineChanges *change;
	const GPtrArray *touched; /* of TouchedFunction */
	const GArray *costs;      /* of ChangedCosts, each list once */
	ChangedTextFunc read_text;
	gpointer data;
} ChangedCodeInput;

/* Finds the changed code. A text that cannot be read becomes a note of its file. Owned by the caller. */
ChangedCode *changed_code_find(const ChangedCodeInput *input);
