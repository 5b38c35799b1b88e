/* SPDX-License-Identifier: Apache-2.0 */
/* One campaign of one benchmark: its runs, the profiles of both sides, and what the verdict is made from.
 *
 * Campaigns that are compared with each other (a first one and its confirmation) share a stack table, so that a
 * function has one number in both. */
#pragma once

#include "compare/timed/verdict.h"
#include "gate/steps/gatestate.h"
#include "gate/timed/campaigndata.h"
#include "profile/fold/foldperf.h"
#include "runner/perf/sampledevents.h"

/* The looks at the totals of a benchmark in this check. */
LookPlan gate_campaign_looks(const Gate *gate, const ConfigBenchmark *benchmark);

/* The seed of campaign `number` of a benchmark in this check, 0 = the first. */
guint64 gate_campaign_seed(const Gate *gate, guint number);

/* Runs it. `campaign` is zeroed by the caller and cleared by gate_campaign_clear() also on failure. What the order
 * names is borrowed. The configured timeout of a run is shortened to the time that is left. */
gboolean gate_campaign_run(const Gate *gate, const CampaignOrder *order, GateCampaign *campaign, GError **error);
void gate_campaign_clear(GateCampaign *campaign);

/* Annotates the functions of its comparison that a reader sees first (gate/context/gateannotate.h), and frees the fold,
 * which holds the samples of all runs. NULL if there are none. Owned by the caller. To be called once, before the
 * campaign's measurements are handed over. */
GPtrArray *gate_campaign_annotate(GateCampaign *campaign, const BenchmarkComparison *comparison);

/* The input that it is judged from; borrowed from the campaign. */
CompareInput gate_campaign_input(const GateCampaign *campaign);
