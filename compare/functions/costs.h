/* SPDX-License-Identifier: Apache-2.0 */
/* Cost per unit of work, per function and round: the table that all function statistics start from.
 *
 *     cost[f, r] = weight of the samples in f's own code in round r  x  scale[r]
 *
 * A function is a physical one: a symbol, with all that is inlined into it, plus its clones and cold parts, which have
 * its name (model/canonical.h). What runs in an inlined frame is cost of the function around it, so cost that
 * a compiler deals out to other inlined pieces does not move. Inlined frames have no cost of their own here; what they
 * contribute to the function around them is in inlinedparts.h.
 *
 * How sampled weight becomes cost is decided here and nowhere else:
 *  - Event of a counter (cycles, instructions): every run is rescaled to the counter's value of the same run,
 *    scale = counter / (sampled weight x work). This repairs lost samples; it is no comparison of shares, because base
 *    and head keep their own totals.
 *  - Clock event (unit "ns"): a clock that samples user code only has no counter of its own, so the weight is the cost,
 *    scale = 1 / work, and what task-clock counted beyond it, time in the kernel or lost samples, is the bucket
 *    `unsampled` (negative where the clock saw a little more than was counted).
 *  - No such counter: scale = 1 / work, and nothing is unsampled.
 *  - Counts that are exact (cost_table_new_counted()): scale = 1 / work, whatever counters there are.
 * So in every round the costs of all functions, `no_function` and `unsampled` add up to `total`.
 *
 * Functions are tested in sample equivalents, cost x `unit`: all samples of both sides over all their sampled cost. */
#pragma once

#include "model/measurement.h"

typedef struct {
	const Profile *profile; /* borrowed */
	guint rounds;           /* of this side */
	guint64 *samples;       /* per frame, over all rounds; likewise */
	double *cost;           /* [frame * rounds + round], self cost per unit of work; 0 for what is inlined */
	double *scale;          /* per round: cost per weight */
	double *no_function;    /* per round: cost of frames that are no function, and of empty stacks */
	double *unsampled;      /* per round */
	double *total;          /* per round */
	gboolean *present;      /* per frame: it is on a stack with samples, as leaf or as caller */
} SideCosts;

typedef struct {
	guint rounds, n_frames; /* of a counted table, `rounds` is the smaller one of its sides */
	SideCosts base, head;
	double base_total; /* mean over the rounds of base.total: the denominator of every contribution */
	double unit;       /* sample equivalents per unit of cost; 0 if nothing was sampled */
} CostTable;

/* Costs of the first `rounds` runs of both measurements, whose profiles share one stack table and stay alive as long as
 * the result. Owned by the caller. */
CostTable *cost_table_new(const Measurement *base, const Measurement *head, guint rounds);
/* Costs of all runs of either measurement, at least one each but not necessarily as many, whose weights are counts.
 * Otherwise the same. */
CostTable *cost_table_new_counted(const Measurement *base, const Measurement *head);
void cost_table_free(CostTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CostTable, cost_table_free)

/* Self costs of a frame, one per round of the side. Borrowed. */
const double *side_costs_of(const SideCosts *side, FrameId frame);
/* Mean over the rounds; 0 for no rounds. */
double mean_over_rounds(const double *values, guint rounds);

/* By stack: the physical function in whose code its last frame lies, that is the innermost frame up to it that is not
 * inlined; of a stack that has inlined frames only, the outermost of these. Element 0, the empty stack, is not set.
 * Owned by the caller. */
FrameId *physical_frames(const StackTable *table);

/* TRUE for frames that stand for a function, FALSE for command names and buckets such as [unknown]. */
gboolean frame_is_function(const StackTable *table, FrameId frame);
