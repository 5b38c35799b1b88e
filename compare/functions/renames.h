/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that only changed their name: which function of base goes on as which function of head.
 *
 * Candidates are one-sided functions of the same module: on stacks of one side only, with at least RENAME_MIN_SAMPLES
 * samples there. What makes two of them one function, best evidence first:
 *
 *     code      their machine code is the same, addresses masked
 *     similar   their machine code is similar, and they cost about the same
 *     lines     they are declared in the same source file at nearly the same line
 *     callers   they cost about the same and have the same callers, and nothing says that their files differ
 *
 * Callers are the same if at least RENAME_SHARED_CALLERS of the cost comes from callers that both have: a stack of
 * which one frame was missed makes a caller of its own, so single samples decide nothing. The best pairs are taken
 * first: by evidence, then nearest line, then most similar cost, then table order, so the result depends on the data
 * alone.
 *
 * A pair is tested as one function (its cost in base under the old name, in head under the new), so that pairing two
 * strangers hides no cost. */
#pragma once

#include "compare/functions/costs.h"
#include "model/codefacts.h"

#define RENAME_MIN_SAMPLES 10
#define RENAME_NEAR_LINES 10
#define RENAME_SIMILAR_COST .25  /* "about the same": within this share of the larger one */
#define RENAME_SHARED_CALLERS .9 /* of the samples of either function, inclusive ones */

/* Per frame of the table: the frame of base that it continues, by default itself. A frame of base that goes on under
 * another name maps to that name's frame, so the array is its own inverse. `code` may be NULL. Owned by the caller. */
FrameId *renames_find(const CostTable *costs, const CodeFacts *code);
