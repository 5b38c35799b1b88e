/* SPDX-License-Identifier: Apache-2.0 */
/* The data of one campaign of one benchmark: its order, and its results (gate/timed/gatecampaign.h). */
#pragma once

#include "compare/timed/verdict.h"
#include "gate/steps/gatestate.h"
#include "profile/fold/foldperf.h"
#include "runner/perf/sampledevents.h"

typedef struct {
	const ConfigBenchmark *benchmark;
	const ConfigBenchmark *head_benchmark; /* what head runs if that is another command; NULL = the same */
	const GateTrees *trees;
	const Choice *choices; /* N_SIDES: whose measurements these are */
	LookPlan plan;
	Schedule schedule; /* SCHEDULE_AUTO = as configured */
	guint64 seed;
	gint64 deadline_ns; /* CLOCK_MONOTONIC; 0 = none */
	double share;       /* the part of what is left of the check that is this benchmark's; 0 = not known */
	StackTable *table;
	FindingList *findings;
} CampaignOrder;

typedef struct {
	const Gate *gate;
	CampaignOrder order;
	GPtrArray *policies; /* of MetricPolicy, for the schedule that was used */
	SampledEvents *events;
	Measurement *measurements[N_SIDES]; /* with one side: only SIDE_BASE, as campaigns see it */
	GPtrArray *profiles[N_SIDES];       /* of Profile: one for each event but the first */
	CodeFacts *code;
	PerfFold *fold;           /* what the profiles were made from, for gate_campaign_annotate() */
	guint64 samples[N_SIDES]; /* of the first event, in all runs */
	CampaignFacts facts;
	guint64 cut_stacks;  /* in all rounds, those that ended with their piece of stack */
	gboolean fixed_wall; /* a side works for a fixed time (runner/campaign/fixedwall.h) */
	Schedule schedule;   /* that was used */
	gint64 runs_end_ns;  /* CLOCK_MONOTONIC */
} GateCampaign;
