/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a reader of the result sees first, annotated: their source lines and instructions of both sides
 * with what each cost (compare/source/annotation.h).
 *
 * This is done when the verdict is there and the builds still are. Nothing of it changes a verdict: what cannot be read
 * is a note of the function. Source text comes from git and not from the folders where benchmarks ran. Base that is
 * stored and was not counted has no costs by line. */
#pragma once

#include "gate/steps/gatestate.h"
#include "model/linecosts.h"

#define ANNOTATED_FUNCTIONS 12 /* at most, of one list */

/* Asks a fold what lines cost. Owned by the caller. */
typedef LineCosts *(*LineCostsFunc)(gpointer fold, const LineCostQuery *query);

typedef struct {
	const Gate *gate;
	const BenchmarkComparison *comparison;
	const Measurement *base, *head;
	gboolean base_is_stored; /* base is not in the fold */
	const CodeFacts *code;
	LineCostsFunc line_costs;
	gpointer fold;
} AnnotateOrder;

/* A GPtrArray of FunctionAnnotation, owned by the caller; NULL if no function is worth it, and for base against base.
 */
GPtrArray *gate_annotate(const AnnotateOrder *order);
