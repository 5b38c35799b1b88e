/* SPDX-License-Identifier: Apache-2.0 */
/* One check on its way: what the parts of the gate share. Internal to gate/.
 *
 *     gate.c            the whole way, from two revisions to a result
 *     gatestate.c       what all steps say: failures, findings, progress; and which lines the change edits
 *     gatepolicy.c      which benchmarks, judged how
 *     gateshard.c       which of them this machine measures, if the check is split
 *     gateaccept.c      which regressions head says are accepted
 *     gateengines.c     whether this machine has what their engines need
 *     gatebase.c        counts of base that are stored already
 *     gatetrees.c       both sides checked out and built
 *     gatefiles.c       files of benchmarks that one side has from the other one
 *     gateframework.c   whether a program calibrates itself, and how much a run of a framework's is to do
 *     gatecosts.c       how long each benchmark is expected to take, by stored runs
 *     gatebudget.c      how much of --max-time each step may take
 *     gatebenchmark.c   one benchmark, by one engine or both
 *     gatenew.c         the benchmarks that are new in head, which base may not be able to run
 *     gateprobe.c       a single run that tells whether a side can
 *     gatework.c        what both engines do alike
 *     gatetimed.c       perf: measured, judged, confirmed, stored
 *     gatecampaign.c    one campaign of it; gateprofiles.c makes names of its samples
 *     gateconfirm.c     a regression measured once more
 *     gatecounted.c     callgrind: counted, judged, confirmed, stored
 *     gatecountedbase.c whether stored counts of base are believed, and counting it after all
 *     gatecountedruns.c how often; gatecounts.c makes the runs, gatefold.c metrics and profiles of their dumps
 *     gatecountedadvice.c what its counts cannot tell, and what would help
 *     gatesources.c     whether the source files of its functions are part of the commits
 *     gateannotate.c    source lines and instructions of the functions that a reader sees first
 *     gatechange.c      what the change edits where measured code stands
 *     gatedrift.c       head against a commit of long ago, by stored counts
 *     gatehistory.c     what is stored of the commits before head, for the report
 *     gatecalibrate.c   base against base, and what earlier such campaigns say
 *     gateadvice.c      what would make a benchmark tell more */
#pragma once

#include "compare/source/changedhunks.h"
#include "core/git/linechanges.h"
#include "core/git/repo.h"
#include "gate/request/gaterequest.h"
#include "gate/request/policyset.h"
#include "gate/steps/gatebudget.h"
#include "runner/campaign/campaign.h"
#include "runner/events/perfevent.h"
#include "runner/trees/basechoice.h"
#include "runner/trees/campaignfolder.h"
#include "runner/trees/side.h"
#include "runner/valgrind/valgrind.h"

/* Both sides on disk: element 0 of each as its build links it, element n with layout n. What no benchmark asks for is
 * not there (its tree_dir is NULL). */
typedef struct {
	Side *sides[N_SIDES]; /* 1 + n_layouts of each, base and head; NULL = not prepared */
	guint n_layouts;
} GateTrees;

typedef struct {
	const GateRequest *request;
	const GateHost *host; /* that of the request, or this machine */
	CheckResult *result;
	gboolean two_sides;
	GateBudget budget;
	Repo *repo;
	Choice choices[N_SIDES];  /* the tree of each is what is checked out (gate/steps/gatefiles.h) */
	char *own_trees[N_SIDES]; /* of the commits as they are */
	GHashTable *new_names;    /* of benchmarks that head's configuration adds; NULL = none */
	gboolean judges_new;      /* the trees are those for the benchmarks that are new */
	gboolean incomplete;      /* benchmarks of base were left out, or could not be read */
	LineChanges *change;      /* between their trees; NULL = not known */
	GPtrArray *touched;       /* of TouchedFunction: measured functions that it edits */
	Config *config;           /* the policy */
	Config *head_config;      /* head's own, which says how head is built; NULL if it is the policy */
	PerfAbilities abilities;
	GError *no_perf;            /* why no perf event can be opened here; NULL = they can */
	FindingList *perf_findings; /* what else is to be said of perf events, if any benchmark uses them */
	Valgrind *valgrind;         /* NULL unless a benchmark uses it */
	PolicyMachine machine;
	char *cache_dir, *compiler;
	BuildCache *cache;
	CampaignFolder *folder; /* of this check; has the recordings, too */
	Arena *arena;           /* in that folder */
	GateTrees trees;
	char *no_base; /* why base, which was not built at first, cannot be built; NULL = it can, as far as is known */
	GPtrArray *bases;          /* of GateBase (gate/steps/gatebase.h), one for each benchmark */
	guint endpoints;           /* what gates in the whole check, all shards of it */
	guint n_judged;            /* benchmarks of the whole check */
	gboolean trailers_are_cut; /* commits of the change that may accept something could not be read */
	GPtrArray *calibrations;   /* of Calibration: the A/A campaigns of this check */
} Gate;

/* Adds a failure to the result as a reason, and says it on stderr. `benchmark` may be NULL. */
void gate_add_failure(Gate *gate, const char *benchmark, const GError *error);
/* Adds what is in `findings` to the result. */
void gate_add_findings(Gate *gate, const FindingList *findings);
/* Reads which lines differ between the trees that are compared. */
void gate_read_change(Gate *gate);
/* A line of progress: talk_progress() with a format. */
void gate_progress(const Gate *gate, const char *format, ...) G_GNUC_PRINTF(2, 3);
