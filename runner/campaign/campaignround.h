/* SPDX-License-Identifier: Apache-2.0 */
/* One round of a campaign, tried until it counts: what runs, what is done again and why, what is kept.
 *
 *     attempt  ->  a run failed, retry may help      again, at most three times, then the measurement is invalid
 *                  the hypervisor took much          pause, again, at most three times, then kept (finding `steal`)
 *                  both runs waited unusually long   again, at most three times, then kept (finding `waits_vary`)
 *                  else                              kept
 *
 * Waiting ends no measurement: it is no part of CPU time, and both runs of the round met it. Where it is (wall time),
 * it makes the interval wider, and a verdict that is not certain any more is inconclusive anyway. Once a round was kept
 * so, the machine has changed for good, or the benchmark is like that, and none is done again for it any more. */
#pragma once

#include "runner/campaign/campaignplan.h"
#include "runner/campaign/disturbance.h"
#include "runner/campaign/roundbudget.h"
#include "runner/campaign/stealwatch.h"

/* A campaign on its way. All borrowed from campaign_run(). */
typedef struct {
	Campaign *campaign;
	RoundBudget *budget;
	Disturbance *waits;
	StealWatch *steal;
	gboolean failed_together;  /* a run failed beside its twin, and none has worked alone yet */
	gboolean waits_vary;       /* a round was kept that waited long */
	gboolean yardstick;        /* it runs after each round */
	double yardstick_alone_ns; /* CPU time of both sides in the warm-up */
} CampaignState;

/* The properties of the next round that chance and the plan of looks decide. */
typedef struct {
	gboolean base_first;
	guint padding, sampling_hz;
	guint rounds_to_look; /* that lack until the next look, this one included */
} RoundDraw;

typedef enum { ROUND_KEPT, ROUND_FAILED, ROUND_NO_TIME } RoundEnd;

/* Performs the next round and appends it to the measurements. FAILED sets the error: FIREBREAK_ERROR_INVALID, those of
 * the executor, or cancellation. NO_TIME: the budget allows no further attempt; nothing was appended. */
RoundEnd campaign_round(CampaignState *state, const RoundDraw *draw, GError **error);

/* Tells where the recording of a run goes, with a name that tells the run neither its side nor its number. Owned by the
 * caller. */
char *campaign_new_recording(const CampaignPlan *plan);

/* Forgets all rounds and goes on back to back. */
void campaign_start_anew(CampaignState *state);

/* Sets the error of a run that failed: benchmark, side, `round` and what happened. Returns FALSE. */
gboolean campaign_run_failed(
        const Campaign *campaign, int side, const char *round, const RunOutcome *outcome, GError **error);

/* 2, or 1 where only base is measured. */
guint campaign_n_sides(const Campaign *campaign);

/* Sleeps in steps, so that a signal ends it; what the plan has for it instead, where it has something. FALSE when
 * cancelled. */
gboolean campaign_pause(const Campaign *campaign, gint64 pause_ns, GError **error);
