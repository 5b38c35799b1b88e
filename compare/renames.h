/* Functions that only changed their name: which function of base goes on as which function of head.
 *
 * Candidates are one-sided functions of the same module: on stacks of one side only, with at least RENAME_MIN_SAMPLES
 * samples there. Two of them are one function if they are declared in the same source file at nearly the same line; or,
 * where their lines are far apart or not known, if they cost about the same and have the same callers. The best pairs
 * are taken first: nearest line, then most similar cost, then table order, so the result depends on the data alone.
 *
 * A pair is tested as one function (its cost in base under the old name, in head under the new), so that pairing two
 * strangers hides no cost. */
#pragma once

#include "compare/costs.h"

#define RENAME_MIN_SAMPLES 10
#define RENAME_NEAR_LINES 10
#define RENAME_SIMILAR_COST .25 /* "about the same": within this share of the larger one */

/* Per frame of the table: the frame of base that it continues, by default itself. A frame of base that goes on under
 * another name maps to that name's frame, so the array is its own inverse. Owned by the caller. */
FrameId *renames_find(const CostTable *costs);
