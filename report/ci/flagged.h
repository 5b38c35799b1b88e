/* The functions that a change is to answer for, and where they stand in the checkout: what CI systems show beside the
 * lines of a change. */
#pragma once

#include "report/words/highlights.h"

typedef enum {
	FLAGGED_GATES,   /* it alone makes the check fail */
	FLAGGED_SLOWER,  /* it became dearer in a benchmark that did not pass */
	FLAGGED_HELD,    /* it became dearer for certain, but does not fail the check (FunctionComparison.held) */
	FLAGGED_NOTICED, /* it became dearer in one that passed, or may only lie elsewhere in memory */
} FlaggedWeight;

typedef struct {
	FlaggedWeight weight;
	const ResultBenchmark *benchmark;
	FunctionList list; /* that it is of */
	const FunctionComparison *function;
	char *path; /* of the source file to look at, in head, in base of what head lacks: of the edited function that
	             * caused it, if there is one, else of itself. Relative to the checkout, `/` between folders; NULL =
	             * not known, or not in it */
	guint line; /* of that function; 1 where only the file is known */
} FlaggedFunction;

/* All of them (elements: FlaggedFunction), the gravest first, then by contribution; borrows from the result. None where
 * base was measured against itself. */
GPtrArray *flagged_functions(const CheckResult *result);
/* "catalog: hash_word +17.6 pp [+17.0, +18.2], edited in this change"; where something was counted "catalog:
 * instructions: hash_word +1.20 pp". Of a function that does not fail the check it says so; the first one of a
 * benchmark has the whole sentence about such functions (BenchmarkComparison.slower). Foreign text, owned by the
 * caller. */
char *flagged_text(const FlaggedFunction *flagged);
/* The path as git writes it ("./build/../src/x.c" is "src/x.c"), or NULL for one that is empty, absolute, leads out of
 * the checkout or is longer than paths are. Owned by the caller. */
char *flagged_path(const char *file);
