/* A campaign: the rounds of one benchmark, from the warm-up to the round at which the caller says that it is decided.
 *
 *     warm-up round (back to back, discarded)
 *     rounds 1 .. looks[0]      ask the caller: decided?
 *     rounds    .. looks[1]     ask again, ...
 *
 * A round is one run of each side, co-scheduled (released together on the same CPUs, alternated by the kernel) or back
 * to back. Which side comes first is drawn from the seed, balanced within each step between two looks. A round with a
 * run that failed, lost samples or was disturbed is done again as a whole, at most three times; then the measurement is
 * invalid. With one side only (`firebreak run`) a round is a single run. */
#pragma once

#include "runner/executor.h"

enum { SIDE_BASE, SIDE_HEAD, N_SIDES };

typedef struct Campaign Campaign;

/* Asked after the last round of each look: TRUE ends the campaign. The measurements have all rounds so far, without
 * profiles. */
typedef gboolean (*CampaignDecided)(gpointer data, const Campaign *campaign);

typedef struct {
	const ConfigBenchmark *benchmark;
	const Side *sides[N_SIDES];         /* head may be NULL: one side only */
	Measurement *measurements[N_SIDES]; /* to be filled; borrowed */
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
	gpointer progress_data;
} CampaignPlan;

struct Campaign {
	CampaignPlan plan;
	Schedule schedule; /* the one that was used, never AUTO */
	guint rounds;
	guint retries;                  /* rounds done again */
	guint crashes[N_SIDES];         /* runs of each side that failed by themselves and were done again */
	GPtrArray *recordings[N_SIDES]; /* of char *: perf.data of each round */
	double warm_up_cpu_ns[N_SIDES]; /* task-clock of the warm-up runs, alone on the CPU */
	double warm_up_ns[N_SIDES];     /* how long they took in all, with what is not measured */
};

/* Runs the campaign. Errors: FIREBREAK_ERROR_INVALID naming the benchmark, the side, the round and what happened;
 * those of the executor; cancellation. */
Campaign *campaign_run(const CampaignPlan *plan, GError **error);
void campaign_free(Campaign *campaign);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Campaign, campaign_free)

/* The order of `n` rounds: element i TRUE = base first. Balanced and shuffled within each step of the looks. Advances
 * *state (SplitMix64). Owned by the caller. */
gboolean *campaign_order(const guint *looks, guint n_looks, guint64 *state);
