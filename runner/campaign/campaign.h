/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign: the rounds of one benchmark, from the warm-up to the round at which the caller says that it is decided.
 *
 *     warm-up round             back to back, discarded; layout 0: chooses the size of pieces of stack
 *                               (runner/record/stackpiece.h), unless the configuration does; then the time that all of
 *                               it will take is foretold
 *     rounds 1 .. looks[0]      ask the caller: decided?
 *     rounds    .. looks[1]     ask again, ...
 *
 * A round is one run of each side, co-scheduled (released together on the same CPUs, alternated by the kernel) or back
 * to back. Which side comes first is drawn from the seed, balanced within each step between two looks. A round with a
 * run that failed, lost samples or was disturbed is done again as a whole, at most three times; then the measurement is
 * invalid. A round in which the runs waited unusually long (runner/campaign/disturbance.h), or of which the hypervisor
 * took much (runner/campaign/stealwatch.h), is done again likewise, but kept in the end. With one side only (`firebreak
 * run`) a round is a single run.
 *
 * SCHEDULE_AUTO is co-scheduled, unless the benchmark fails beside its twin, or needs more than 1.5 times the CPU time
 * there; then all starts anew with sequential rounds. The latter takes evidence: in each of the first four rounds, both
 * sides together, against the dearer of two runs alone (the warm-up, and one more after those rounds), and beyond what
 * the yardstick needs more beside itself in these rounds.
 *
 * After each round the yardstick runs once on either side, too (compare/timed/contamination.h judges it). With a
 * deadline, the campaign ends before a round that would overrun it (runner/campaign/roundbudget.h), and before rounds
 * that no look can use; what then lacks is the caller's to judge. Where not even the first look can be reached there
 * are no rounds at all, so that the time is left to others. */
#pragma once

#include "runner/campaign/campaignplan.h"

/* Runs the campaign. An end for the deadline is no error; there may be no rounds then. Errors: FIREBREAK_ERROR_INVALID
 * naming the benchmark, the side, the round and what happened; those of the executor; cancellation. */
Campaign *campaign_run(const CampaignPlan *plan, GError **error);
void campaign_free(Campaign *campaign);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Campaign, campaign_free)

/* The order of `n` rounds: element i TRUE = base first. Balanced and shuffled within each step of the looks. Advances
 * *state (SplitMix64). Owned by the caller. */
gboolean *campaign_order(const guint *looks, guint n_looks, guint64 *state);
