/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a campaign to people: lines of progress, and findings with numbers and what would help. */
#pragma once

#include "runner/campaign/campaignplan.h"
#include "runner/campaign/roundbudget.h"
#include "runner/campaign/stealwatch.h"

/* A line of progress for the round that is done, if anybody listens. */
void campaign_tell_round(const Campaign *campaign);
/* A line of progress, if anybody listens. */
void campaign_tell(const Campaign *campaign, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Before the first round: how many rounds, what they will take, and how far a deadline lets them come. */
void campaign_foretell(const Campaign *campaign, const RoundBudget *budget);

/* `short_benchmark`, `long_benchmark`: how long a run should be instead. Needs the warm-up. */
void run_length_findings(const Campaign *campaign, const RoundBudget *budget);
/* `cache_interference`: the benchmark costs `interference_ratio` times as much beside its twin, and was or should be
 * measured back to back; `discarded` rounds were given up for that, 0 = it was not. */
void interference_finding(const Campaign *campaign, guint discarded);
/* `cannot_run_beside_itself`: it is measured back to back. */
void twin_failure_finding(const Campaign *campaign);
/* `waits_vary`: a round was kept that waited `wait` (wall time over CPU time), which is not the usual. */
void waits_finding(const Campaign *campaign, double wait, double usual);
/* `steal`: rounds were kept of which the hypervisor took much. */
void steal_finding(const Campaign *campaign, const StealWatch *steal);
/* `yardstick_skipped`, with the CPU time it takes, both sides together. */
void yardstick_skipped_finding(const Campaign *campaign, double yardstick_cpu_ns);
/* `out_of_time`: the campaign ended before the look after `look` rounds for `lacking_s`. */
void out_of_time_finding(const Campaign *campaign, const RoundBudget *budget, guint look);
