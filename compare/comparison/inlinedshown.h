/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a function that are inlined into it and that a reader is shown, by the one rule of all sentences and
 * tables: the largest, rises and falls alike, but none that is small beside the function's own contribution and the
 * largest part. compare/functions/inlinedparts.h finds the parts. */
#pragma once

#include "compare/comparison/comparison.h"

#define INLINED_SHOWN 3 /* in a table */
typedef struct {
	guint n;     /* the first n of FunctionComparison.inlined */
	double rest; /* what they leave of the function's contribution: its own code and smaller parts. 0 = too small to
	              * show, or nothing is shown */
} InlinedShown;
/* Of `function`, at most `most` parts. */
InlinedShown inlined_parts_shown(const FunctionComparison *function, guint most);
