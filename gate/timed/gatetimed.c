/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gatetimed.h"

#include "baselines/store.h"
#include "compare/endings.h"
#include "compare/timed/waiting.h"
#include "core/error.h"
#include "gate/policy/gatepolicy.h"
#include "gate/steps/gatefiles.h"
#include "gate/steps/gateshard.h"
#include "gate/steps/gatetrees.h"
#include "gate/timed/gateadvice.h"
#include "gate/timed/gatecalibrate.h"
#include "gate/timed/gatecampaign.h"
#include "gate/timed/gateconfirm.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "runner/campaign/yardstick.h"

/* One benchmark under perf events. */
typedef struct {
	Gate *gate;
	const GateWork *work;
	const ConfigBenchmark *benchmark;
	ConfigBenchmark *planted; /* what head runs in a self-test: with a delay; or NULL */
	ConfigBenchmark *plain;   /* what base runs there: started in the same way, without one; or NULL */
	BudgetShare share;
	GateCampaign campaign;
	ResultBenchmark *row;
} Timed;

static void clear_timed(Timed *timed)
{
	gate_campaign_clear(&timed->campaign);
	g_clear_pointer(&timed->planted, config_benchmark_free);
	g_clear_pointer(&timed->plain, config_benchmark_free);
}

static gboolean plant_delay(Timed *timed, GError **error)
{
	const Gate *gate = timed->gate;
	if (gate->request->mode != CHECK_SELF_TEST)
		return TRUE;
	Schedule schedule = policy_schedule(timed->benchmark, gate->request->schedule);
	g_autoptr(GPtrArray) policies = policy_metrics(timed->benchmark, schedule, gate->machine);
	double share = PLANTED_MARGINS * gate_policy_time(policies)->margin;
	timed->planted = yardstick_slower_benchmark(timed->benchmark, share, error);
	if (timed->planted == NULL || (timed->plain = yardstick_slower_benchmark(timed->benchmark, 0, error)) == NULL)
		return FALSE;
	g_autofree char *more = number_about(share);
	gate_progress(gate, "%s: head runs what base runs and %s more in " YARDSTICK_DELAY_FUNCTION,
	        timed->benchmark->name, more);
	return TRUE;
}

static gboolean measure(Timed *timed, GError **error)
{
	Gate *gate = timed->gate;
	if (!plant_delay(timed, error))
		return FALSE;
	CampaignOrder order = {
	        .benchmark = timed->plain != NULL ? timed->plain : timed->benchmark,
	        .head_benchmark = timed->planted,
	        .trees = &gate->trees,
	        .choices = gate->choices,
	        .plan = gate_campaign_looks(gate, timed->benchmark),
	        .seed = gate_campaign_seed(gate, 0),
	        .deadline_ns = timed->share.campaign_end_ns,
	        .share = timed->share.share,
	        .table = timed->work->base->table,
	        .findings = gate->result->findings,
	};
	gboolean ok = gate_campaign_run(gate, &order, &timed->campaign, error);
	if (ok)
		timed->row->campaign = timed->campaign.facts;
	return ok;
}

/* Rounds that had no time are too little evidence, not an error. */
static void judge_lack_of_time(Timed *timed)
{
	const CampaignFacts *facts = &timed->campaign.facts;
	const LookPlan *plan = &timed->campaign.order.plan;
	BenchmarkComparison *comparison = timed->row->comparison;
	g_autofree char *needed = gate_time_needed(timed->gate, &timed->share, facts->estimate_s);
	if (ending_lacks_rounds(comparison, facts, plan->rounds[plan->n - 1], needed))
		gate_progress(timed->gate, "%s: %s", timed->benchmark->name, comparison->reason);
}

/* TRUE if the single side of `firebreak run` did anything at all. */
static gboolean has_samples(const Timed *timed, GError **error)
{
	if (timed->campaign.samples[SIDE_BASE] > 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: no samples in any run: it used next to no CPU time; repeat the work inside the "
	        "command until a run takes .5 s",
	        timed->benchmark->name);
}

/* Hands the extra profiles over to the result. */
static void keep_profiles(Timed *timed)
{
	GateCampaign *campaign = &timed->campaign;
	Measurement *sides[N_SIDES] = {NULL, NULL};
	for (guint e = 1; e < sampled_events_array(campaign->events)->len; e++) {
		for (int s = 0; s < N_SIDES && campaign->measurements[s] != NULL; s++)
			sides[s] = measurement_with_profile(
			        campaign->measurements[s], g_ptr_array_steal_index(campaign->profiles[s], 0));
		ResultProfile extra = {
		        .event = (char *)sampled_events_name(campaign->events, e),
		        .head = sides[SIDE_BASE],
		        .engine = &engine_perf,
		};
		if (timed->gate->two_sides) {
			CompareInput input = gate_campaign_input(campaign);
			input.base = extra.base = sides[SIDE_BASE];
			input.head = extra.head = sides[SIDE_HEAD];
			input.functions.gates = FALSE;
			extra.comparison = compare_shown_profiles(&input);
		}
		result_benchmark_add_profile(timed->row, &extra);
	}
}

/* A measurement that was cut short does not replace a whole one. */
static gboolean worth_storing(const Timed *timed)
{
	const GateCampaign *campaign = &timed->campaign;
	gboolean whole = !campaign->facts.out_of_time || campaign->facts.rounds >= campaign->order.plan.rounds[0];
	return timed->gate->request->store && whole;
}

static gboolean store_measurements(const Timed *timed, GError **error)
{
	const Gate *gate = timed->gate;
	if (!worth_storing(timed))
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, error);
	if (store == NULL)
		return FALSE;
	baseline_store_set_findings(store, gate->result->findings);
	for (int s = 0; s < N_SIDES; s++) {
		const Measurement *measurement = timed->campaign.measurements[s];
		if (measurement != NULL && gate_may_store(timed->work, s, measurement) &&
		        gate_shard_may_store(gate, measurement->commit) &&
		        !baseline_store_put(store, measurement, error))
			return FALSE;
	}
	return TRUE;
}

/* CPU time says nothing of it, so it stands beside the verdict. */
static void note_waits(const Timed *timed)
{
	const WaitingChange *waiting = &timed->row->comparison->waiting;
	g_autofree char *text = waiting_text(waiting);
	if (text != NULL)
		finding_add(timed->gate->result->findings, waiting->fell ? FINDING_INFO : FINDING_WARNING,
		        "wait_changed", timed->benchmark->name, "%s", text);
}

static void judge(Timed *timed)
{
	CompareInput input = gate_campaign_input(&timed->campaign);
	timed->row->comparison = compare_benchmark(&input);
	judge_lack_of_time(timed);
	note_waits(timed);
	timed->row->annotations = gate_campaign_annotate(&timed->campaign, timed->row->comparison);
}

/* Keeps what was measured before more is measured. */
static gboolean keep_and_confirm(Timed *timed, GError **error)
{
	GateBudget *budget = &timed->gate->budget;
	BenchmarkComparison *comparison = timed->row->comparison;
	if (comparison->verdict != VERDICT_ERROR && !store_measurements(timed, error))
		return FALSE;
	gate_budget_learn(
	        budget, timed->campaign.facts.elapsed_s, gate_seconds_since(budget, timed->campaign.runs_end_ns));
	gate_confirm(&timed->campaign, &timed->share, comparison);
	CompareInput input = gate_campaign_input(&timed->campaign);
	acceptance_apply(timed->gate->result->acceptances, &input, comparison);
	gate_advise(&timed->campaign, comparison);
	return gate_calibrate(timed->gate, &timed->campaign, &timed->share, comparison, error);
}

static void hand_over(Timed *timed)
{
	Measurement **sides = timed->campaign.measurements;
	timed->row->base = timed->gate->two_sides ? g_steal_pointer(&sides[SIDE_BASE]) : NULL;
	timed->row->head = g_steal_pointer(&sides[timed->gate->two_sides ? SIDE_HEAD : SIDE_BASE]);
}

/* TRUE if a run had less than its own timeout, because two of them must fit into the time of the campaign. */
static gboolean runs_are_cut_short(const Timed *timed)
{
	const BudgetShare *share = &timed->share;
	gint64 run_ns = (share->campaign_end_ns - share->begin_ns) / N_SIDES;
	return gate_budget_limited(&timed->gate->budget) && run_ns / 1000000 < timed->work->benchmark->timeout_ms;
}

static gboolean is_gate(const Timed *timed)
{
	return timed->gate->two_sides && timed->gate->request->mode == CHECK_GATE;
}

/* Then there is nothing to judge, to show or to keep, whatever the warm-up took. */
static gboolean has_no_round(const Timed *timed)
{
	return is_gate(timed) && timed->campaign.facts.out_of_time && timed->campaign.facts.rounds == 0;
}

static gboolean report_no_time(const Timed *timed, const char *why)
{
	gate_report_no_time(timed->work, &timed->share, timed->campaign.facts.estimate_s, why);
	return TRUE;
}

/* The first line alone: what the benchmark wrote stands below it, and is not why the time was over. */
static gboolean report_cut_run(const Timed *timed, const GError *failed)
{
	g_auto(GStrv) lines = g_strsplit(failed->message, "\n", 2);
	return report_no_time(timed, lines[0]);
}

/* Runs. What is cut short for lack of time is no failure: *measured is FALSE then, and the result has the reason. */
static gboolean measure_in_time(Timed *timed, gboolean *measured, GError **error)
{
	g_autoptr(GError) failed = NULL;
	*measured = FALSE;
	if (is_gate(timed) && gate_time_is_over(timed->gate, &timed->share))
		return report_no_time(timed, "");
	if (measure(timed, &failed)) {
		*measured = !has_no_round(timed);
		return *measured || report_no_time(timed, "");
	}
	if (runs_are_cut_short(timed) && g_error_matches(failed, FIREBREAK_ERROR, FIREBREAK_ERROR_TIMEOUT))
		return report_cut_run(timed, failed);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

gboolean gate_timed(const GateWork *work, const BudgetShare *share, GError **error)
{
	Timed timed = {
	        .gate = work->gate,
	        .work = work,
	        .benchmark = work->benchmark,
	        .share = *share,
	        .row = work->row,
	};
	gboolean both = work->gate->two_sides, measured, ok = measure_in_time(&timed, &measured, error);
	if (measured)
		keep_profiles(&timed);
	if (measured && both && timed.campaign.fixed_wall) {
		ending_add_fixed_time(work->gate->result, work->benchmark->name);
	} else if (measured && both) {
		gate_work_finding(work, timed.campaign.measurements[SIDE_BASE], timed.campaign.measurements[SIDE_HEAD]);
		judge(&timed);
		ok = keep_and_confirm(&timed, error);
	} else if (measured) {
		ok = has_samples(&timed, error) && store_measurements(&timed, error);
	}
	if (both ? work->row->comparison != NULL : ok)
		hand_over(&timed);
	gate_calibration_report(work->gate, work->row);
	clear_timed(&timed);
	return ok;
}
