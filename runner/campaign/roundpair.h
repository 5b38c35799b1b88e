/* SPDX-License-Identifier: Apache-2.0 */
/* The two runs of a round, or of the warm-up or the yardstick beside it: one request for each side, performed together
 * or one after the other, with outcomes by side whatever the order was. */
#pragma once

#include "runner/campaign/campaignplan.h"

typedef struct {
	const ConfigBenchmark *benchmarks[N_SIDES];
	const Side *sides[N_SIDES];      /* head NULL: base alone */
	const char *recordings[N_SIDES]; /* NULL = count only */
	guint stack_bytes;               /* as of RunRequest, as is weigh_pieces; the same for both */
	gboolean weigh_pieces;
	char *const *pass_env;
	gboolean base_first;
	gboolean together;
	gboolean trusted, look_closely; /* as in RunRequest */
	guint padding, sampling_hz;     /* as in RunRequest; the same for both */
} RoundPair;

/* A pair of `benchmarks` of the plan, with layout `layout` of either side, back to back and without recordings. */
RoundPair round_pair_of(const CampaignPlan *plan, guint layout);
/* The number of runs of a pair: 2, or 1 without a head. */
guint round_pair_runs(const RoundPair *pair);
/* Performs them. Outcomes are indexed by side, zeroed by the caller and cleared by it. Errors: those of the executor.
 */
gboolean round_pair_run(Executor *executor, const RoundPair *pair, RunOutcome outcomes[N_SIDES], GError **error);
void round_pair_clear(RunOutcome outcomes[N_SIDES]);
