/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a comparison of counts (CountedInput), and its limits. Data of compare/counted/counted.h and of its
 * parts. */
#pragma once

#include "compare/comparison/comparison.h"
#include "core/git/linechanges.h"

#define COUNTED_FLOOR 1e-4     /* share of base's total that a flagged function changes by at least */
#define COUNTED_SHIFT_REST .05 /* of a rise that may remain when cost moved */
#define COUNTED_NOISY_RUNS 5   /* of either side, where counts do not repeat */

typedef struct {
	const Measurement *base, *head; /* of the engine "callgrind", with at least one run; profiles share one table */
	const GPtrArray *policies;      /* of MetricPolicy: what is judged. A metric without one is not compared */
	gboolean gate_functions;
	gboolean strict_functions; /* also where the total is within its margin */
	const CodeFacts *code;     /* NULL = not known */
	const LineChanges *change; /* NULL = not known */
	gboolean stored_base;      /* base was not run: `code` holds nothing of it, so no rename can be seen */
} CountedInput;
