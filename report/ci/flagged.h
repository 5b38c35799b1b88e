/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a change is to answer for, and where they stand in the checkout: what CI systems show beside the
 * lines of a change. */
#pragma once

#include "report/words/sourceplace.h"

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
	SourcePlace place; /* to look at */
} FlaggedFunction;

/* All of them (elements: FlaggedFunction), the gravest first, then by contribution; borrows from the result. None where
 * base was measured against itself. */
GPtrArray *flagged_functions(const CheckResult *result);
/* "catalog: hash_word +17.6 pp [+17.0, +18.2], edited in this change"; where something was counted "catalog:
 * instructions: hash_word +1.20 pp". Of a function that does not fail the check it says so; the first one of a
 * benchmark has the whole sentence about such functions (BenchmarkComparison.slower). Foreign text, owned by the
 * caller. */
char *flagged_text(const FlaggedFunction *flagged);
