/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of the change where measured code stands: hunks of its diff, each with the functions that stand in it and,
 * where lines of these functions were annotated, with what the lines cost.
 *
 *     src/words.c                                             hash_word +37.5 pp regression
 *      base  head    base     head
 *        26    26                      for (; *word != '\0'; word++)         context
 *        27     -     920              hash = hash * 31 + *word;             removed
 *         -    27             1624     hash = hash_mix(hash, *word);         added
 *
 * Only functions are named that a profile has seen, and that the comparison calls touched (CHANGE_TOUCHED); the rest of
 * the change is a number of files. Hunks that are most important stand first: by the size of the largest contribution
 * of their functions, rises and falls alike; files likewise. What binary files, or files too large to look into,
 * contain is not known.
 *
 * Texts, paths and names are foreign: any bytes but NUL; texts are cut as those of annotations are
 * (compare/source/annotation.h). Data only: compare/source/changedhunks.h makes it. */
#pragma once

#include "compare/comparison/comparison.h"
#include "core/git/linechanges.h"

#define CHANGED_MAX_HUNKS 40     /* of a check */
#define CHANGED_MAX_ROWS 80      /* of a hunk, gaps included */
#define CHANGED_MAX_FUNCTIONS 12 /* named of a hunk */
#define CHANGED_CONTEXT_LINES 3

typedef enum { CHANGED_CONTEXT, CHANGED_REMOVED, CHANGED_ADDED } ChangedLineKind;
/* The name that report.json has for it. */
const char *changed_line_kind_name(ChangedLineKind kind); /* "context", "removed", "added" */

typedef struct {
	ChangedLineKind kind;
	guint32 base_line, head_line; /* from 1; 0 = not on that side; both 0 = a gap */
	guint n_left_out;             /* of a gap: how many lines it stands for; else 0 */
	char *text;
	double base_self, head_self; /* cost of own code per run and unit of work; NaN = not known, or not there */
} ChangedLine;

/* A measured function in a hunk, as one list of functions of its benchmark has it. */
typedef struct {
	char *benchmark, *name, *module; /* `module` is "" if it is not known */
	gboolean counted;                /* from the list of counts */
	double contribution;             /* as in FunctionComparison */
	FunctionClass klass;
} ChangedFunction;

typedef struct {
	LineChange place;     /* its lines, context included */
	GPtrArray *functions; /* of ChangedFunction, largest contribution first */
	guint n_more_functions;
	GArray *lines;         /* of ChangedLine; empty if the text is not known */
	char *costs_benchmark; /* what costs of lines are of: this benchmark; NULL = no line has any */
	gboolean costs_counted;
} ChangedHunk;

/* A file with measured code that the change edits. */
typedef struct {
	char *base_path, *head_path; /* NULL on the side that lacks it */
	char *note;                  /* what is missing, and why; or NULL */
	guint n_hunks;               /* that the change has in it, with measured functions or without */
	GPtrArray *hunks;            /* of ChangedHunk: those with measured functions */
} ChangedSource;

typedef struct {
	GPtrArray *files;       /* of ChangedSource */
	guint n_files;          /* that the change edits */
	guint n_measured_files; /* of those, with measured functions; more than `files` has if some are left out */
	guint n_measured_hunks; /* likewise */
} ChangedCode;

ChangedCode *changed_code_new(void);
void changed_code_free(ChangedCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ChangedCode, changed_code_free)
/* Appends a file without hunks; paths are copied, one may be NULL. Borrowed. */
ChangedSource *changed_code_add_file(ChangedCode *code, const char *base_path, const char *head_path);
/* Appends a hunk without functions and lines. Borrowed. */
ChangedHunk *changed_source_add_hunk(ChangedSource *file, const LineChange *place);
/* A deep copy; owned by the caller. */
ChangedFunction *changed_function_copy(const ChangedFunction *function);
void changed_function_free(ChangedFunction *function);

/* The name that a file has in head, else that of base. Borrowed. */
const char *changed_source_path(const ChangedSource *file);
/* TRUE if it stands for lines that were left out. */
gboolean changed_line_is_gap(const ChangedLine *line);
/* Size of the contribution of a function; less than any other if it is not known. */
double changed_function_size(const ChangedFunction *function);

/* Adds what another part of the same check found (compare/merge.h): functions of other benchmarks in the same hunks,
 * and hunks that only those stand in. Of lines that both have, those with the costs of the larger function stay. How
 * many files and hunks are left out is then at least what is said. */
void changed_code_join(ChangedCode *code, const ChangedCode *other);
