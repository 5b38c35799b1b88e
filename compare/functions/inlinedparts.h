/* SPDX-License-Identifier: Apache-2.0 */
/* The contributions of inlined functions to the physical functions around them: the explanation of a row, never a row.
 *
 *     compress_generic  +3.1 pp            a function with all that is inlined into it: tested, gates
 *       LZ4_count       +5.0 pp            what samples in its inlined instructions say
 *       LZ4_putIndex    -1.9 pp
 *       (its own code)   0.0 pp            the rest
 *
 * Parts of one function add up to it, together with its own code. Debug information deals instructions out to inlined
 * functions as the compiler happened to mix them, so cost moves among parts without any function being slower. */
#pragma once

#include "compare/comparison/comparison.h"
#include "compare/functions/costgroups.h"
#include "compare/functions/costs.h"
#include "compare/functions/functionrow.h"

/* One inlined function in one row, per round of either side. */
typedef struct {
	FrameId frame;
	FrameId function; /* with code of its own and the same name; `frame` if there is none */
	guint row;        /* position in the rows of functions */
	double *base_cost, *head_cost;
	guint64 base_samples, head_samples;
} InlinedCosts;

/* All inlined functions with a cost, of `rows` (function_rows_new()), in order of their first stack: an array of
 * InlinedCosts, owned by the caller. */
GPtrArray *inlined_costs_new(const CostTable *costs, const GArray *rows);

/* The cost of a row with all inlined copies of its function, whatever they are inlined into, per round of either side:
 * a function that a compiler outlines costs what its copies did. NULL if there is no copy. `inlined` is of
 * inlined_costs_new(). Owned by the caller, free with function_copies_free(). */
typedef struct {
	double *base, *head;
} FunctionCopies;
FunctionCopies *function_copies_new(const CostTable *costs, const GPtrArray *inlined, const FunctionRow *row);
void function_copies_free(FunctionCopies *copies);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FunctionCopies, function_copies_free)

/* Makes what the functions around its copies fell by a part of the group of row `flagged`, which is the one that was
 * outlined: it explains no other rise any more. `rows` are those that `inlined` is of. */
void function_copies_spend(CostGroups *groups, const GArray *rows, const GPtrArray *inlined, guint flagged);

/* Adds a part to a function, which takes it. */
void inlined_part_add(FunctionComparison *function, InlinedPart *part);
/* Says of all parts how they are related to the change and where they stand, and drops those that neither changed by
 * `least` of the total nor are touched by the change; then sorts the rest, largest first. `relations`
 * is per frame. */
typedef struct {
	const StackTable *table;
	const CodeFacts *code;           /* NULL = not known */
	const ChangeRelation *relations; /* per frame */
	double least;
} InlinedChoice;
/* Makes that choice in each of `functions` (of FunctionComparison). */
void inlined_parts_choose(const InlinedChoice *choice, GPtrArray *functions);
