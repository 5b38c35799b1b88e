/* SPDX-License-Identifier: Apache-2.0 */
/* The yardstick (runner/campaign/yardstick.h) beside the rounds of a campaign: it runs once on either side after each
 * round that counts, scheduled, padded and started in the order of that round, counted but not sampled.
 *
 * Whatever becomes of it, the campaign goes on: where a run of it fails or is disturbed, both sides get NaN. */
#pragma once

#include "runner/campaign/roundbudget.h"
#include "runner/campaign/roundpair.h"

/* The cost of the yardstick, both sides together. */
typedef struct {
	double took_ns;
	double cpu_ns; /* NaN if it failed */
} YardstickCost;

/* Runs the yardstick of the plan once on either side, back to back. Errors: only cancellation. */
gboolean yardstick_try(const Campaign *campaign, const RoundBudget *budget, YardstickCost *cost, GError **error);
/* TRUE if the yardstick is worth its time. It is not if it needs more than a fifth of the CPU time of a round and that
 * is felt: 5 s and more over all looks, or the deadline would come before the last look. CPU time, because on a busy
 * machine, where the yardstick matters most, one look at the clock says little. */
gboolean yardstick_is_worth(const Campaign *campaign, const RoundBudget *budget, const YardstickCost *cost);
/* Runs it after the round `pair` and appends to yardstick_ns. Errors: only cancellation. */
gboolean yardstick_round(Campaign *campaign, const RoundPair *pair, GError **error);
/* `yardstick_failed` if most rounds have no value. */
void yardstick_finding(const Campaign *campaign);
