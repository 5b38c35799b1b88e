/* A campaign: the rounds of one benchmark, from the warm-up to the round at which the caller says that it is decided.
 *
 *     warm-up round             back to back, discarded; layout 0: chooses the size of pieces of stack
 *                               (runner/perf/stackpiece.h), unless the configuration does; then the time that all of
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
 * sides together, against the dearer of two runs alone (the warm-up, and one more behind those rounds), and beyond what
 * the yardstick needs more beside itself in these rounds.
 *
 * After each round the yardstick runs once on either side, too (compare/contamination.h judges it). With a deadline,
 * the campaign ends before a round that would overrun it (runner/campaign/roundbudget.h), and before rounds that no
 * look can use; what then lacks is the caller's to judge. Where not even the first look can be reached there are no
 * rounds at all, so that the time is left to others. */
#pragma once

#include "runner/executor.h"

enum { SIDE_BASE, SIDE_HEAD, N_SIDES };

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
	gpointer progress_data;
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
	double warm_up_cpu_ns[N_SIDES]; /* task-clock of the warm-up runs, alone on the CPU */
};

/* Runs the campaign. An end for the deadline is no error; there may be no rounds then. Errors: FIREBREAK_ERROR_INVALID
 * naming the benchmark, the side, the round and what happened; those of the executor; cancellation. */
Campaign *campaign_run(const CampaignPlan *plan, GError **error);
void campaign_free(Campaign *campaign);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Campaign, campaign_free)

/* The order of `n` rounds: element i TRUE = base first. Balanced and shuffled within each step of the looks. Advances
 * *state (SplitMix64). Owned by the caller. */
gboolean *campaign_order(const guint *looks, guint n_looks, guint64 *state);
