/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/campaign.h"

#include "core/error.h"
#include "model/engine.h"
#include "model/median.h"
#include "runner/campaign/campaignround.h"
#include "runner/campaign/campaigntalk.h"
#include "runner/campaign/clockprobe.h"
#include "runner/campaign/fixedwall.h"
#include "runner/campaign/roundpair.h"
#include "runner/campaign/yardstickround.h"
#include "runner/record/stackpiece.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MAX_PADDING 4096
#define INTERFERENCE_LIMIT 1.5
/* Rounds after which AUTO judges interference. */
#define TRIAL_ROUNDS 4
/* Runs alone after a campaign in which a side seems to work for a fixed time. They are spread over some 8 s, since what
 * makes runs slow comes in phases of a second or so: on a Zen 3, a loop that adds to one word of memory takes 24 or 48
 * ms alone, and 24 beside its twin. */
#define ALONE_LOOKS 12
#define LOOK_PAUSE_NS 700000000

/* SplitMix64 (Steele, Lea, Flood 2014). */
static guint64 next_random(guint64 *state)
{
	guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

gboolean *campaign_order(const guint *looks, guint n_looks, guint64 *state)
{
	guint n = looks[n_looks - 1], start = 0;
	gboolean *order = g_new0(gboolean, n);
	/* Each look has as many rounds that base began as others, so that a decision never rests on who went first. */
	for (guint l = 0; l < n_looks; start = looks[l++]) {
		guint step = looks[l] - start;
		guint base_first = step / 2 + (step % 2 == 1 ? (guint)(next_random(state) >> 63) : 0);
		for (guint i = 0; i < step; i++)
			order[start + i] = i < base_first;
		for (guint i = step; i > 1; i--) {
			guint j = (guint)(next_random(state) % i);
			gboolean kept = order[start + i - 1];
			order[start + i - 1] = order[start + j];
			order[start + j] = kept;
		}
	}
	return order;
}

void campaign_free(Campaign *campaign)
{
	if (campaign == NULL)
		return;
	for (int s = 0; s < N_SIDES; s++) {
		g_ptr_array_unref(campaign->recordings[s]);
		g_array_unref(campaign->yardstick_ns[s]);
	}
	g_free(campaign);
}

/* Only what shows that the benchmark does not work ends a campaign here; what disturbs a run is judged in the rounds.
 */
static gboolean note_warm_up(Campaign *campaign, int side, const RunOutcome *outcome, GError **error)
{
	if (outcome->failure_code != NULL &&
	        !(outcome->retry && !g_str_equal(outcome->failure_code, "benchmark_failed")))
		return campaign_run_failed(campaign, side, "warm-up", outcome, error);
	campaign->warm_up_cpu_ns[side] = outcome_metric(outcome, &engine_perf, "task-clock");
	campaign->warm_up_wall_ns[side] = (double)outcome->facts.wall_ns;
	campaign->warm_up_wait_ns[side] = outcome_metric(outcome, &engine_perf, "wait");
	campaign->asks_cpu_clock[side] = campaign->asks_cpu_clock[side] || outcome->asks_cpu_clock;
	return TRUE;
}

/* Only what the benchmark works for: without waiting, and both sides as fast as the one that was warm. */
static double least_round_ns(const Campaign *campaign)
{
	double cpu_ns = INFINITY;
	for (guint s = 0; s < campaign_n_sides(campaign); s++)
		cpu_ns = MIN(cpu_ns, campaign->warm_up_cpu_ns[s]);
	return isfinite(cpu_ns) ? cpu_ns * campaign_n_sides(campaign) / MAX(campaign->plan.benchmark->cpus, 1) : 0;
}

static gboolean takes_pieces(RecorderStacks stacks)
{
	return stacks == RECORDER_LEAF_REPAIR || stacks == RECORDER_DWARF;
}

/* TRUE if the size of the pieces of stack is left to us and not chosen yet. It stays the same in all rounds. */
static gboolean wants_choice(const Campaign *campaign)
{
	const ConfigBenchmark *benchmark = campaign->plan.benchmark;
	return takes_pieces(benchmark->unwind) && benchmark->stack_bytes == 0 && campaign->rounds == 0;
}

/* For all rounds and both sides, from what both showed, so that it cannot differ between them. */
static void choose_pieces(Campaign *campaign, const RunOutcome *outcomes)
{
	const ConfigBenchmark *benchmark = campaign->plan.benchmark;
	const StackPieceCounts *counts[N_SIDES] = {&outcomes[SIDE_BASE].pieces, &outcomes[SIDE_HEAD].pieces};
	campaign->stack_bytes = stack_piece_choose(counts, campaign_n_sides(campaign), benchmark->unwind);
	if (campaign->stack_bytes > stack_piece_usual(benchmark->unwind))
		campaign_tell(campaign,
		        "%s: %u bytes of stack are taken with each sample instead of %u, to see all callers",
		        benchmark->name, campaign->stack_bytes, stack_piece_usual(benchmark->unwind));
}

/* Padding as in rounds, else its length would tell a run that it is none of them. What the rounds draw stays the same.
 */
static guint draw_alone_padding(const Campaign *campaign)
{
	guint64 state = ~campaign->plan.seed + campaign->rounds;
	return (guint)(next_random(&state) % MAX_PADDING);
}

/* Runs each side once, alone. It is sampled like the rounds, so that its times can be compared with theirs. */
static gboolean run_alone(CampaignState *state, gboolean base_first, double *took_ns, GError **error)
{
	Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	g_autofree char *recording = campaign_new_recording(plan);
	RunOutcome outcomes[N_SIDES] = {0};
	RoundPair pair = round_pair_of(plan, 0);
	pair.base_first = base_first;
	pair.look_closely = TRUE;
	pair.padding = draw_alone_padding(campaign);
	pair.recordings[SIDE_BASE] = pair.recordings[SIDE_HEAD] = recording;
	pair.stack_bytes = campaign->stack_bytes;
	pair.weigh_pieces = wants_choice(campaign);
	gint64 start_ns = round_budget_now_ns(state->budget);
	gboolean ok = round_pair_run(plan->executor, &pair, outcomes, error);
	*took_ns = (double)(round_budget_now_ns(state->budget) - start_ns);
	for (guint s = 0; ok && s < campaign_n_sides(campaign); s++)
		ok = note_warm_up(campaign, (int)s, &outcomes[s], error);
	if (ok && pair.weigh_pieces)
		choose_pieces(campaign, outcomes);
	round_pair_clear(outcomes);
	g_unlink(recording);
	return ok;
}

/* The first run of each side fills caches, shows whether the benchmark works at all, and what it costs. */
static gboolean warm_up(CampaignState *state, gboolean base_first, GError **error)
{
	double took_ns;
	if (!run_alone(state, base_first, &took_ns, error))
		return FALSE;
	round_budget_foretell(state->budget, took_ns, least_round_ns(state->campaign));
	return TRUE;
}

static gboolean warm_up_yardstick(CampaignState *state, GError **error)
{
	const Campaign *campaign = state->campaign;
	YardstickCost cost;
	if (campaign->plan.yardstick == NULL || campaign_n_sides(campaign) == 1)
		return TRUE;
	if (!yardstick_try(campaign, state->budget, &cost, error))
		return FALSE;
	state->yardstick_alone_ns = cost.cpu_ns;
	state->yardstick = yardstick_is_worth(campaign, state->budget, &cost);
	if (!state->yardstick)
		yardstick_skipped_finding(campaign, cost.cpu_ns);
	else
		round_budget_foretell(state->budget, round_budget_round_ns(state->budget) + cost.took_ns,
		        state->budget->least_ns + (isnan(cost.cpu_ns) ? 0 : cost.cpu_ns));
	return TRUE;
}

/* Retries are for a disturbed machine. A benchmark that fails now and then on one side only is a bug of that side, and
 * the runs that happened to succeed are no fair sample of it. */
static gboolean check_stability(const Campaign *campaign, GError **error)
{
	const CampaignPlan *plan = &campaign->plan;
	for (guint s = 0; s < campaign_n_sides(campaign); s++)
		if (campaign->crashes[s] > 1 && (campaign_n_sides(campaign) == 1 || campaign->crashes[1 - s] == 0)) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "benchmark %s of %s failed in %u runs that were repeated, and never on the other "
			        "side",
			        plan->benchmark->name, plan->sides[s]->name, campaign->crashes[s]);
			return FALSE;
		}
	if (campaign->retries > 0)
		finding_add(plan->findings, FINDING_WARNING, "rounds_done_again", plan->benchmark->name,
		        "%u rounds were disturbed and repeated (%u by failures of the benchmark)", campaign->retries,
		        campaign->crashes[SIDE_BASE] + campaign->crashes[SIDE_HEAD]);
	return TRUE;
}

/* Notes how much more CPU time the benchmark needs beside its twin than alone, by the median over all runs so far, each
 * compared with the warm-up of its side. A warm-up that was cold makes that smaller, so AUTO errs towards
 * co-scheduling. */
static void note_interference(Campaign *campaign)
{
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	if (campaign->schedule != SCHEDULE_COSCHEDULED)
		return;
	for (int s = 0; s < N_SIDES; s++) {
		const MetricSeries *series =
		        measurement_metric(campaign->plan.measurements[s], &engine_perf, "task-clock");
		for (guint i = 0; i < campaign->rounds; i++) {
			double ratio = metric_value(series, i) / campaign->warm_up_cpu_ns[s];
			g_array_append_val(ratios, ratio);
		}
	}
	campaign->interference_ratio = median_of(ratios);
}

/* The CPU time that both sides need beside each other, in the round that needs least, over what they need alone. The
 * least, because a disturbed round is no evidence; both together, because which side is slower is no matter. */
static double least_interference(const Campaign *campaign)
{
	const double *alone_ns = campaign->warm_up_cpu_ns;
	double least = INFINITY;
	for (guint i = 0; i < campaign->rounds; i++) {
		double sum_ns = 0;
		for (int s = 0; s < N_SIDES; s++)
			sum_ns += metric_value(
			        measurement_metric(campaign->plan.measurements[s], &engine_perf, "task-clock"), i);
		least = MIN(least, sum_ns / (alone_ns[SIDE_BASE] + alone_ns[SIDE_HEAD]));
	}
	return least;
}

/* The same of the yardstick, by the median and at least 1: what the machine does to any program. 1 where it did not
 * run. */
static double yardstick_interference(const CampaignState *state)
{
	const Campaign *campaign = state->campaign;
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < campaign->yardstick_ns[SIDE_BASE]->len; i++) {
		double ratio = (g_array_index(campaign->yardstick_ns[SIDE_BASE], double, i) +
		                       g_array_index(campaign->yardstick_ns[SIDE_HEAD], double, i)) /
		               state->yardstick_alone_ns;
		if (isfinite(ratio))
			g_array_append_val(ratios, ratio);
	}
	return ratios->len > 0 ? MAX(median_of(ratios), 1) : 1;
}

static gboolean interferes(const CampaignState *state)
{
	return least_interference(state->campaign) > INTERFERENCE_LIMIT * yardstick_interference(state);
}

/* Runs both sides alone once more, and keeps the dearer run of each: a machine that got slower since the warm-up is no
 * interference. */
static gboolean look_alone_again(CampaignState *state, GError **error)
{
	Campaign *campaign = state->campaign;
	double before_ns[N_SIDES], took_ns;
	memcpy(before_ns, campaign->warm_up_cpu_ns, sizeof before_ns);
	if (!run_alone(state, campaign->rounds % 2 == 0, &took_ns, error))
		return FALSE;
	for (int s = 0; s < N_SIDES; s++)
		campaign->warm_up_cpu_ns[s] = fmax(campaign->warm_up_cpu_ns[s], before_ns[s]);
	return TRUE;
}

/* Not where the time would not allow to start anew: rounds with interference are better than none. */
static gboolean is_trial(const CampaignState *state)
{
	const Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	return plan->schedule == SCHEDULE_AUTO && campaign->schedule == SCHEDULE_COSCHEDULED &&
	       campaign->rounds == TRIAL_ROUNDS && plan->looks[0] >= TRIAL_ROUNDS &&
	       round_budget_allows(state->budget, plan->looks[0] + 1);
}

static gboolean give_up_together(CampaignState *state, GError **error)
{
	Campaign *campaign = state->campaign;
	if (!is_trial(state) || !interferes(state))
		return TRUE;
	if (!look_alone_again(state, error))
		return FALSE;
	if (!interferes(state))
		return TRUE;
	note_interference(campaign);
	campaign_start_anew(state);
	interference_finding(campaign, TRIAL_ROUNDS);
	campaign_tell(campaign, "%s: costs %.1f times as much beside its twin as alone; measured back to back",
	        campaign->plan.benchmark->name, campaign->interference_ratio);
	return TRUE;
}

static void end_for_time(CampaignState *state, guint look)
{
	Campaign *campaign = state->campaign;
	double needed_ns = (look - campaign->rounds) * round_budget_round_ns(state->budget);
	campaign->out_of_time = TRUE;
	campaign->lacking_s = MAX(needed_ns - round_budget_left_ns(state->budget), 0) / 1e9;
	out_of_time_finding(campaign, state->budget, look);
}

/* Another rate for each round, from nine tenths of what was asked to all of it. At one fixed rate, samples fall on the
 * same places of a loop whose turns take as long as the time between two samples, or a simple fraction or multiple of
 * it: some functions are seen too often and others too rarely, and the error changes only with where the clock of a run
 * starts. It makes intervals wide, or is the same in all rounds, which none of them shows. At changing rates it
 * averages out within a few rounds. */
static guint draw_rate(guint asked_hz, guint64 *state)
{
	return asked_hz - (guint)(next_random(state) % (asked_hz / 10 + 1));
}

/* The choices that are left to chance, drawn from the seed. */
typedef struct {
	const gboolean *base_first; /* per round */
	guint64 state;
} Draws;

/* Tells the time to the look that the rounds lead to. */
static void tell_left(const CampaignState *state, guint look)
{
	const Campaign *campaign = state->campaign;
	double round_s = round_budget_round_ns(state->budget) / 1e9;
	if (campaign->plan.tell_left != NULL)
		campaign->plan.tell_left(
		        campaign->plan.tell_left_data, look * round_s, (look - campaign->rounds) * round_s);
}

/* Rounds up to a look, or fewer for lack of time. */
static gboolean run_rounds(CampaignState *state, guint look, Draws *draws, GError **error)
{
	Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	while (campaign->rounds < look) {
		RoundDraw draw = {
		        .base_first = draws->base_first[campaign->rounds],
		        .padding = (guint)(next_random(&draws->state) % MAX_PADDING),
		        .sampling_hz = draw_rate(plan->benchmark->sampling_hz, &draws->state),
		        .rounds_to_look = look - campaign->rounds,
		};
		RoundEnd end = campaign_round(state, &draw, error);
		if (end == ROUND_NO_TIME)
			end_for_time(state, look);
		if (end != ROUND_KEPT)
			return end == ROUND_NO_TIME;
		tell_left(state, look);
		campaign_tell_round(campaign);
		if (!give_up_together(state, error))
			return FALSE;
	}
	return TRUE;
}

static void name_schedule(const Campaign *campaign)
{
	for (guint s = 0; s < campaign_n_sides(campaign); s++) {
		g_free(campaign->plan.measurements[s]->schedule);
		campaign->plan.measurements[s]->schedule = g_strdup(schedule_name(campaign->schedule));
	}
}

static gboolean run_looks(CampaignState *state, Draws *draws, GError **error)
{
	Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	for (guint l = 0; l < plan->n_looks; l++) {
		if (!run_rounds(state, plan->looks[l], draws, error))
			return FALSE;
		name_schedule(campaign);
		if (campaign->out_of_time || plan->decided(plan->decided_data, campaign))
			break;
	}
	return TRUE;
}

static void foretell(CampaignState *state)
{
	Campaign *campaign = state->campaign;
	guint most = campaign->plan.looks[campaign->plan.n_looks - 1];
	campaign->estimate_s =
	        (round_budget_elapsed_ns(state->budget) + most * round_budget_round_ns(state->budget)) / 1e9;
	run_length_findings(campaign, state->budget);
	campaign_foretell(campaign, state->budget);
}

static void conclude(const CampaignState *state)
{
	const Campaign *campaign = state->campaign;
	for (guint s = 0; s < campaign_n_sides(campaign); s++)
		measurement_settle_work(campaign->plan.measurements[s]);
	if (campaign->schedule == SCHEDULE_COSCHEDULED && campaign->interference_ratio > INTERFERENCE_LIMIT)
		interference_finding(campaign, 0);
	yardstick_finding(campaign);
	if (state->steal->kept > 0)
		steal_finding(campaign, state->steal);
}

/* A run alone that was slow by chance makes a fixed amount of work look like work for a fixed time; some more show
 * which of them it is. */
static gboolean look_for_fixed_wall(CampaignState *state, GError **error)
{
	double took_ns;
	for (guint i = 0; i < ALONE_LOOKS; i++) {
		if (!campaign_is_fixed_wall(state->campaign) || !round_budget_allows(state->budget, 1))
			return TRUE;
		if (i > 0 && !campaign_pause(state->campaign, LOOK_PAUSE_NS, error))
			return FALSE;
		if (!run_alone(state, (state->campaign->rounds + i) % 2 == 0, &took_ns, error))
			return FALSE;
		campaign_note_fixed_amount(state->campaign);
	}
	return TRUE;
}

static gboolean measure(CampaignState *state, GError **error)
{
	Campaign *campaign = state->campaign;
	const CampaignPlan *plan = &campaign->plan;
	Draws draws = {.state = plan->seed};
	g_autofree gboolean *order = campaign_order(plan->looks, plan->n_looks, &draws.state);
	draws.base_first = order;
	if (round_budget_left_ns(state->budget) <= 0) {
		campaign->out_of_time = TRUE;
		campaign->lacking_s = NAN;
		out_of_time_finding(campaign, state->budget, plan->looks[0]);
		name_schedule(campaign);
		return TRUE;
	}
	if (!warm_up(state, order[0], error) || !clock_probe(state, error) || !warm_up_yardstick(state, error))
		return FALSE;
	foretell(state);
	if (!run_looks(state, &draws, error))
		return FALSE;
	note_interference(campaign);
	if (!look_for_fixed_wall(state, error))
		return FALSE;
	conclude(state);
	return check_stability(campaign, error);
}

static Campaign *campaign_new(const CampaignPlan *plan)
{
	g_assert(plan->n_layouts >= 1 && plan->n_looks >= 1);
	Campaign *campaign = g_new0(Campaign, 1);
	campaign->plan = *plan;
	campaign->schedule = plan->schedule == SCHEDULE_SEQUENTIAL || plan->sides[SIDE_HEAD] == NULL
	                             ? SCHEDULE_SEQUENTIAL
	                             : SCHEDULE_COSCHEDULED;
	campaign->interference_ratio = NAN;
	campaign->stack_bytes = takes_pieces(plan->benchmark->unwind) ? plan->benchmark->stack_bytes : 0;
	for (int s = 0; s < N_SIDES; s++) {
		campaign->recordings[s] = g_ptr_array_new_with_free_func(g_free);
		campaign->yardstick_ns[s] = g_array_new(FALSE, FALSE, sizeof(double));
	}
	return campaign;
}

Campaign *campaign_run(const CampaignPlan *plan, GError **error)
{
	g_autoptr(Campaign) campaign = campaign_new(plan);
	g_autoptr(RoundBudget) budget = round_budget_new(plan->now_ns, plan->deadline_ns);
	g_autoptr(Disturbance) waits = disturbance_new();
	StealWatch steal = {0};
	CampaignState state = {.campaign = campaign, .budget = budget, .waits = waits, .steal = &steal};
	if (!measure(&state, error))
		return NULL;
	campaign->elapsed_s = round_budget_elapsed_ns(budget) / 1e9;
	return g_steal_pointer(&campaign);
}
