/* SPDX-License-Identifier: Apache-2.0 */
/* The orders of a campaign (CampaignPlan) and its results (Campaign). Data of runner/campaign/campaign.h and of its
 * parts. */
#pragma once

#include "model/sides.h"
#include "runner/executor.h"

typedef struct Campaign Campaign;

/* Asked after the last round of each look: TRUE ends the campaign. The measurements have all rounds so far, without
 * profiles. */
typedef gboolean (*CampaignDecided)(gpointer data, const Campaign *campaign);

typedef struct {
	const ConfigBenchmark *benchmark;
	const Side *sides[N_SIDES]; /* n_layouts of each; head may be NULL: one side only */
	guint n_layouts;            /* round i runs layout i mod n_layouts of either side; at least 1 */
	const ConfigBenchmark
	        *head_benchmark;          /* what head runs if that is another command (a self-test); NULL = same */
	const ConfigBenchmark *yardstick; /* the program that nobody changes; NULL = none */
	gint64 deadline_ns;               /* by now_ns; 0 = none */
	gint64 (*now_ns)(void);           /* NULL = CLOCK_MONOTONIC; tests have one of their own */
	gboolean (*pause)(gint64 ns, GError **error); /* NULL = sleeps, and fails if cancelled; likewise */
	Measurement *measurements[N_SIDES];           /* to be filled; borrowed */
	Schedule schedule;
	const guint *looks; /* numbers of rounds at which to ask, ascending */
	guint n_looks;
	guint64 seed;
	char *const *pass_env;
	const char *recording_dir; /* exists; recordings stay there until the caller removes it */
	Executor *executor;
	FindingList *findings;
	CampaignDecided decided;
	gpointer decided_data;
	ProgressFn progress;
	ProgressFn tell_round; /* each round that is done, with progress_data; NULL = as progress */
	gpointer progress_data;
	/* Called after each round with the seconds that the campaign takes to its next look, and those of them that are
	 * left; NULL = nobody asks. */
	void (*tell_left)(gpointer data, double whole_s, double left_s);
	gpointer tell_left_data;
} CampaignPlan;

struct Campaign {
	CampaignPlan plan;
	Schedule schedule; /* the one that was used, never AUTO */
	guint rounds;
	guint retries;                  /* rounds done again */
	guint crashes[N_SIDES];         /* runs of each side that failed by themselves and were done again */
	GPtrArray *recordings[N_SIDES]; /* of char *: perf.data of each round */
	GArray *yardstick_ns[N_SIDES];  /* of double: CPU time of the yardstick in each round, NaN = it failed; empty =
	                                   it  did not run */
	double interference_ratio;      /* median CPU time beside its twin / alone; NaN if it does not apply */
	double estimate_s, elapsed_s;   /* foretold after the warm-up for all looks, 0 = it did not run; needed */
	gboolean out_of_time;           /* ended for the deadline, before the last look and undecided */
	double lacking_s;               /* the time that the next look would have needed beyond the deadline, NaN = not
	                                   known (it had passed before the warm-up); else 0 */
	guint stack_bytes;  /* piece of stack of each sample in the rounds; 0 = what suits `unwind`, or none */
	guint64 cut_stacks; /* in the rounds, those that ended with the piece */
	double warm_up_cpu_ns[N_SIDES];   /* task-clock of the warm-up runs, alone on the CPU */
	double warm_up_wall_ns[N_SIDES];  /* and how long they took */
	double warm_up_wait_ns[N_SIDES];  /* and waited of that; NaN = not known */
	gboolean fixed_amount[N_SIDES];   /* a run alone showed that it does a fixed amount of work (fixedwall.h) */
	gboolean asks_cpu_clock[N_SIDES]; /* programs of these runs ask a clock of CPU time */
};
