/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which function is to blame, or made the improvement: the one rule by which every output names a cause.
 *
 * A function that costs more is not always the reason why. A change that edits sort_items() so that it calls jv_free()
 * more often shows up in jv_free(), whose code is the same; a call through the linker's stub memcpy@plt shows up in the
 * stub. So a cause is looked for in this order, among the functions that rose for certain:
 *
 *     1. an edited function, by what it costs more itself and in what it calls: even one that has no samples of its own
 *     2. a function that calls edited code or has some inlined into it, and whose own code is not the same; the largest
 *     3. any other, the largest: those that gate first, then those whose code may have changed, then the rest
 *
 * A linker's stub is named only where nothing else rose, by the function that it calls. */
#pragma once

#include "compare/comparison/comparison.h"

typedef struct {
	const FunctionComparison *seen;  /* where the cost is: the row to show; NULL = no function is to blame */
	const FunctionComparison *cause; /* the row of the cause; NULL if it has none of its own */
	FrameId frame;                   /* the cause */
} Culprit;

/* Tells which functions are asked. */
typedef enum {
	CULPRIT_OF_GATES, /* those that gate, and their consequences */
	CULPRIT_OF_RISES, /* also those that rose with an adjusted p of at most `alpha`; of counts all that rose */
	CULPRIT_OF_FALLS, /* those that became cheaper, with the same certainty: whom an improvement is owed to */
} CulpritScope;

/* The one to blame; everything in it is borrowed from the comparison. */
Culprit culprit_find(const BenchmarkComparison *comparison, CulpritScope scope, double alpha);

/* TRUE if the cost is seen in what the cause calls, and not in the cause itself. */
gboolean culprit_is_elsewhere(const Culprit *culprit);

/* TRUE for a stub of the linker's, through which calls into other object files go: "memcpy@plt". */
gboolean frame_is_stub(const StackTable *table, FrameId frame);
/* The name of a function to tell a reader; that of a stub is what it calls. Owned by the caller. */
char *culprit_name(const StackTable *table, FrameId frame);
