/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/campaignround.h"

#include "core/cancel.h"
#include "core/error.h"
#include "runner/campaign/campaigntalk.h"
#include "runner/campaign/roundpair.h"
#include "runner/campaign/yardstickround.h"
#include "runner/trees/arena.h"

#include <math.h>

#define MAX_ATTEMPTS 4
#define PAUSE_STEP_US 100000

guint campaign_n_sides(const Campaign *campaign)
{
	return campaign->plan.sides[SIDE_HEAD] != NULL ? 2 : 1;
}

/* Appends a run: one value to every metric, NaN where this run has none. */
static void append_run(Measurement *measurement, const RunOutcome *outcome)
{
	for (guint i = 0; i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		MetricSeries *series = measurement_add_metric(
		        measurement, metric->engine, metric->name, metric->unit, metric->comparable);
		series->higher_is_better = metric->higher_is_better;
	}
	for (guint m = 0; m < measurement->metrics->len; m++) {
		MetricSeries *series = measurement->metrics->pdata[m];
		double value = outcome_metric(outcome, series->engine, series->name);
		g_array_append_val(series->values, value);
	}
	g_array_append_val(measurement->runs, outcome->facts);
	measurement_add_complaints(measurement, outcome->complaints);
}

/* The metric that this run gives in another unit or direction than those before, or NULL. */
static const char *changed_metric(const Measurement *measurement, const RunOutcome *outcome)
{
	for (guint i = 0; i < outcome->metrics->len; i++) {
		const RunMetric *metric = &g_array_index(outcome->metrics, RunMetric, i);
		const MetricSeries *series = measurement_metric(measurement, metric->engine, metric->name);
		if (series != NULL && (!g_str_equal(series->unit, metric->unit) ||
		                              series->higher_is_better != metric->higher_is_better))
			return metric->name;
	}
	return NULL;
}

/* Values of one metric in two units are no series. */
static void check_outcomes(const Campaign *campaign, RunOutcome *outcomes)
{
	for (guint s = 0; s < campaign_n_sides(campaign); s++) {
		const char *changed = changed_metric(campaign->plan.measurements[s], &outcomes[s]);
		if (changed == NULL || outcomes[s].failure_code != NULL)
			continue;
		outcomes[s].failure_code = g_strdup("metric_changed");
		outcomes[s].failure =
		        g_strdup_printf("reported %s in another unit or direction than in the rounds before", changed);
	}
}

gboolean campaign_run_failed(
        const Campaign *campaign, int side, const char *round, const RunOutcome *outcome, GError **error)
{
	g_set_error(error, FIREBREAK_ERROR, (int)run_outcome_error(outcome), "benchmark %s of %s, %s: %s",
	        campaign->plan.benchmark->name, campaign->plan.sides[side]->name, round, outcome->failure);
	return FALSE;
}

/* The first of the two outcomes that failed, or -1. */
static int failed_side(const Campaign *campaign, const RunOutcome *outcomes)
{
	for (guint s = 0; s < campaign_n_sides(campaign); s++)
		if (outcomes[s].failure_code != NULL)
			return (int)s;
	return -1;
}

/* A run costs another amount alone than beside its twin, so no series has rounds of both schedules. Crashes are
 * forgotten with the rounds, because the twin may have caused them, and so is what was usual of waits, steal and time.
 * What was waited for the hypervisor stays: it was spent. */
void campaign_start_anew(CampaignState *state)
{
	Campaign *campaign = state->campaign;
	campaign->schedule = SCHEDULE_SEQUENTIAL;
	campaign->rounds = 0;
	campaign->cut_stacks = 0;
	for (guint s = 0; s < campaign_n_sides(campaign); s++) {
		Measurement *measurement = campaign->plan.measurements[s];
		g_array_set_size(measurement->runs, 0);
		g_ptr_array_set_size(measurement->metrics, 0);
		g_ptr_array_set_size(campaign->recordings[s], 0);
		g_array_set_size(campaign->yardstick_ns[s], 0);
		campaign->crashes[s] = 0;
	}
	disturbance_forget(state->waits);
	steal_watch_forget(state->steal);
	round_budget_forget_rounds(state->budget);
}

/* A benchmark that works alone but not beside its twin (a port, a lock, an output file) is measured back to back. */
static gboolean fall_back_to_sequential(CampaignState *state, const RunOutcome *failed)
{
	Campaign *campaign = state->campaign;
	if (campaign->plan.schedule != SCHEDULE_AUTO || campaign->schedule != SCHEDULE_COSCHEDULED ||
	        campaign->rounds > 0 || !g_str_equal(failed->failure_code, "benchmark_failed"))
		return FALSE;
	campaign_start_anew(state);
	state->failed_together = TRUE;
	return TRUE;
}

/* Told only now: a program that fails alone, too, is no matter of its twin. */
static void note_works_alone(CampaignState *state)
{
	twin_failure_finding(state->campaign);
	state->failed_together = FALSE;
}

static void note_retry(Campaign *campaign, const RunOutcome *outcomes)
{
	campaign->retries++;
	for (guint s = 0; s < campaign_n_sides(campaign); s++)
		campaign->crashes[s] += g_strcmp0(outcomes[s].failure_code, "benchmark_failed") == 0;
}

char *campaign_new_recording(const CampaignPlan *plan)
{
	g_autofree char *name = arena_random_name();
	return g_strdup_printf("%s/%s.data", plan->recording_dir, name);
}

/* One round on its way. */
typedef struct {
	CampaignState *state;
	char *name; /* "round 3" */
	RoundPair pair;
	char *recordings[N_SIDES];
	guint attempts, failed, waited; /* started; of them failed, of them waited long */
	guint stolen;                   /* of them: done again because the hypervisor took much */
	guint rounds_to_look;
} Attempts;

typedef enum { ATTEMPT_COUNTS, ATTEMPT_AGAIN, ATTEMPT_FATAL } AttemptEnd;

static void attempts_init(Attempts *round, CampaignState *state, const RoundDraw *draw)
{
	const Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	*round = (Attempts){.state = state, .name = g_strdup_printf("round %u", campaign->rounds + 1)};
	round->pair = round_pair_of(plan, campaign->rounds % plan->n_layouts);
	round->pair.base_first = draw->base_first;
	round->pair.padding = draw->padding;
	round->pair.sampling_hz = draw->sampling_hz;
	round->rounds_to_look = draw->rounds_to_look;
	round->pair.stack_bytes = campaign->stack_bytes;
	for (int s = 0; s < N_SIDES; s++) {
		round->recordings[s] = campaign_new_recording(plan);
		round->pair.recordings[s] = round->recordings[s];
	}
}

static void attempts_clear(Attempts *round)
{
	g_free(round->name);
	for (int s = 0; s < N_SIDES; s++)
		g_free(round->recordings[s]);
}

static void tell_again(const Attempts *round, const char *side, const char *why)
{
	const Campaign *campaign = round->state->campaign;
	campaign_tell(campaign, "%s: %s of %s is repeated: %s", campaign->plan.benchmark->name, round->name, side, why);
}

gboolean campaign_pause(const Campaign *campaign, gint64 pause_ns, GError **error)
{
	if (campaign->plan.pause != NULL)
		return campaign->plan.pause(pause_ns, error);
	for (gint64 left_us = pause_ns / 1000; left_us > 0; left_us -= PAUSE_STEP_US) {
		if (!cancel_check(error))
			return FALSE;
		g_usleep((gulong)MIN(left_us, PAUSE_STEP_US));
	}
	return cancel_check(error);
}

/* Falling back is no failed attempt: the round begins anew back to back, with all its attempts. */
static AttemptEnd judge_failure(Attempts *round, int failed, const RunOutcome *outcomes, GError **error)
{
	Campaign *campaign = round->state->campaign;
	const RunOutcome *outcome = &outcomes[failed];
	gboolean fell_back = fall_back_to_sequential(round->state, outcome);
	if (!fell_back && !(outcome->retry && ++round->failed < MAX_ATTEMPTS)) {
		campaign_run_failed(campaign, failed, round->name, outcome, error);
		return ATTEMPT_FATAL;
	}
	if (!fell_back)
		note_retry(campaign, outcomes);
	tell_again(round, campaign->plan.sides[failed]->name, outcome->failure_code);
	return ATTEMPT_AGAIN;
}

static AttemptEnd judge_wait(Attempts *round, const RunOutcome *outcomes)
{
	CampaignState *state = round->state;
	double wait = wait_of_round(outcomes, campaign_n_sides(state->campaign));
	if (!state->waits_vary && disturbance_unusual(state->waits, wait)) {
		if (++round->waited < MAX_ATTEMPTS) {
			note_retry(state->campaign, outcomes);
			tell_again(round, campaign_n_sides(state->campaign) == 2 ? "both sides" : "the side",
			        "long waits");
			return ATTEMPT_AGAIN;
		}
		state->waits_vary = TRUE;
		waits_finding(state->campaign, wait, disturbance_usual(state->waits));
	}
	disturbance_keep(state->waits, wait);
	return ATTEMPT_COUNTS;
}

/* TRUE if the rounds up to the look still fit after the pause. */
static gboolean can_pause(const Attempts *round, gint64 pause_ns)
{
	const RoundBudget *budget = round->state->budget;
	double needed_ns = round->rounds_to_look * round_budget_round_ns(budget);
	return pause_ns > 0 && (double)pause_ns + needed_ns <= round_budget_left_ns(budget);
}

/* Steal is judged before waits: a run from which the hypervisor took the CPU waits, too, and a pause helps against
 * that, while another attempt at once does not. */
static AttemptEnd judge_stolen(Attempts *round, const RunOutcome *outcomes, GError **error)
{
	CampaignState *state = round->state;
	Campaign *campaign = state->campaign;
	double share = steal_of_round(outcomes, campaign_n_sides(campaign));
	gint64 pause_ns = steal_is_much(share) ? steal_watch_pause_ns(state->steal, round->stolen) : 0;
	if (!can_pause(round, pause_ns)) {
		AttemptEnd end = judge_wait(round, outcomes);
		if (end == ATTEMPT_COUNTS)
			steal_watch_keep(state->steal, share);
		return end;
	}
	round->stolen++;
	note_retry(campaign, outcomes);
	steal_watch_note_again(state->steal, pause_ns);
	campaign_tell(campaign, "%s: waiting %.0f s for the hypervisor, which took %.0f %% of the CPU time of %s",
	        campaign->plan.benchmark->name, (double)pause_ns / 1e9, 100 * share, round->name);
	return campaign_pause(campaign, pause_ns, error) ? ATTEMPT_AGAIN : ATTEMPT_FATAL;
}

static AttemptEnd attempt(Attempts *round, RunOutcome *outcomes, GError **error)
{
	Campaign *campaign = round->state->campaign;
	round->attempts++;
	round->pair.together = campaign->schedule == SCHEDULE_COSCHEDULED;
	if (!round_pair_run(campaign->plan.executor, &round->pair, outcomes, error))
		return ATTEMPT_FATAL;
	check_outcomes(campaign, outcomes);
	int failed = failed_side(campaign, outcomes);
	return failed >= 0 ? judge_failure(round, failed, outcomes, error) : judge_stolen(round, outcomes, error);
}

static void keep_round(const Attempts *round, RunOutcome *outcomes)
{
	Campaign *campaign = round->state->campaign;
	campaign->rounds++;
	for (guint s = 0; s < campaign_n_sides(campaign); s++) {
		outcomes[s].facts.round = campaign->rounds;
		outcomes[s].facts.attempts = round->attempts;
		append_run(campaign->plan.measurements[s], &outcomes[s]);
		campaign->cut_stacks += outcomes[s].pieces.cut;
		g_ptr_array_add(campaign->recordings[s], g_strdup(round->recordings[s]));
	}
}

static RoundEnd try_until_it_counts(Attempts *round, const RoundDraw *draw, GError **error)
{
	CampaignState *state = round->state;
	AttemptEnd end = ATTEMPT_AGAIN;
	gint64 start_ns = round_budget_now_ns(state->budget), attempt_ns = start_ns;
	while (end == ATTEMPT_AGAIN) {
		RunOutcome outcomes[N_SIDES] = {0};
		guint stolen = round->stolen;
		if (!round_budget_allows(state->budget, draw->rounds_to_look))
			return ROUND_NO_TIME;
		attempt_ns = round_budget_now_ns(state->budget);
		end = attempt(round, outcomes, error);
		if (end == ATTEMPT_COUNTS)
			keep_round(round, outcomes);
		if (end == ATTEMPT_COUNTS && state->failed_together)
			note_works_alone(state);
		round_pair_clear(outcomes);
		if (round->stolen > stolen) /* what the hypervisor costs now says little of the rounds to come */
			start_ns = round_budget_now_ns(state->budget);
	}
	if (end == ATTEMPT_FATAL || (state->yardstick && !yardstick_round(state->campaign, &round->pair, error)))
		return ROUND_FAILED;
	gint64 end_ns = round_budget_now_ns(state->budget);
	round_budget_note_round(state->budget, (double)(end_ns - start_ns), (double)(end_ns - attempt_ns));
	return ROUND_KEPT;
}

RoundEnd campaign_round(CampaignState *state, const RoundDraw *draw, GError **error)
{
	Attempts round;
	attempts_init(&round, state, draw);
	RoundEnd end = try_until_it_counts(&round, draw, error);
	attempts_clear(&round);
	return end;
}
