/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the call graph that attribution asks: who is near a function, and what they have in common.
 *
 * Everything is answered by passes over the rows of the shared stack table, in which a parent has a smaller id than its
 * children. Functions are physical ones (physical_frames()): who is called from an inlined frame is called by the
 * function around it. */
#pragma once

#include "compare/functions/functions.h"

/* Per frame of the table: whether it is a caller, a callee, or a sibling under one caller of one of the two frames of
 * `row`. Owned by the caller. */
gboolean *callgraph_neighbours(const CostTable *costs, const FunctionRow *row);

/* TRUE if two functions of one module are declared in the same source file or have names of one stem. */
gboolean callgraph_is_related(const StackTable *table, FrameId a, FrameId b);

/* TRUE if two names share their stem, the text before the last "_", "." or "::" (before any "(" or "<"), or if one is
 * the stem of the other: parse_rows and parse_cells, emit and emit.slow. A stem has at least three characters. */
gboolean callgraph_same_stem(const char *a, const char *b);

/* The deepest stack that all stacks with samples in the code of a marked frame have in common; the empty one if there
 * are none. `members` is per frame. */
StackId callgraph_ancestor(const CostTable *costs, const gboolean *members);
/* Writes the inclusive cost of a stack, per round of the side. */
void callgraph_inclusive(const SideCosts *side, StackId stack, double *cost);
/* Writes head minus base, per round, of the inclusive cost of callgraph_ancestor(). */
void callgraph_common_ancestor(const CostTable *costs, const gboolean *members, double *difference);
