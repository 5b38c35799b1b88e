/* SPDX-License-Identifier: Apache-2.0 */
/* The request for a check. Everything is borrowed and outlives the check. */
#pragma once

#include "compare/result.h"
#include "gate/request/gatehost.h"
#include "gate/request/talk.h"
#include "model/engine.h"
#include "runner/campaign/shardsplit.h"
#include "runner/config/config.h"

typedef struct {
	const char *repo_path;   /* inside the repository */
	const char *base, *head; /* as named on the command line, NULL = chosen */
	const char *config_file; /* the policy, and how both sides are built; NULL = firebreak.yml of the commits */
	char *const *benchmarks; /* only these, NULL = all */
	const Engine *engine;    /* of benchmarks that are measured by several, only this one; NULL = as configured */
	guint rounds;            /* 0 = as configured */
	Schedule schedule;       /* SCHEDULE_AUTO = as configured */
	guint64 seed;            /* of the order of rounds */
	CheckMode mode;
	Shard shard;         /* which part of the check this machine does; total 0 = all of it */
	guint campaigns;     /* of each benchmark with CHECK_CALIBRATE; 0 = 1 */
	double max_time_s;   /* for the whole check; 0 = not limited */
	gboolean probe;      /* head against itself, to see if it can be measured: no base is looked for */
	gboolean no_confirm; /* do not measure a regression once more */
	gboolean allow_policy_change;
	gboolean only_measured; /* what is measured decides: nothing is accepted, and no drift is looked for */
	gboolean store;         /* keep the measurements as baselines */
	gboolean measure_base;  /* count base also where its counts are stored */
	const char *out_dir;    /* where the results will go: tried before anything is built; NULL = nowhere */
	Talk *talk;
	const GateHost *host; /* what measures; NULL = gate_host() */
} GateRequest;
