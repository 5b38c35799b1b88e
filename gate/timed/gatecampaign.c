/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gatecampaign.h"

#include "compare/comparison/totals.h"
#include "compare/policy.h"
#include "core/error.h"
#include "gate/context/gateannotate.h"
#include "gate/policy/gatepolicy.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"
#include "gate/timed/gateprofiles.h"
#include "runner/campaign/fixedwall.h"
#include "runner/campaign/yardstick.h"
#include "runner/frameworks/frameworkcases.h"

#include <math.h>

/* A single side gets as many rounds as a check has before its first look. */
#define SINGLE_SIDE_ROUNDS 8
/* Odd, and not the step of the generator that orders rounds: then the streams do not overlap. */
#define SEED_STEP G_GUINT64_CONSTANT(0xd1342543de82ef95)

void gate_campaign_clear(GateCampaign *campaign)
{
	g_clear_pointer(&campaign->policies, g_ptr_array_unref);
	g_clear_pointer(&campaign->code, code_facts_free);
	g_clear_pointer(&campaign->fold, perf_fold_free);
	g_clear_pointer(&campaign->events, sampled_events_free);
	for (int s = 0; s < N_SIDES; s++) {
		g_clear_pointer(&campaign->measurements[s], measurement_free);
		g_clear_pointer(&campaign->profiles[s], g_ptr_array_unref);
	}
}

guint64 gate_campaign_seed(const Gate *gate, guint number)
{
	return gate->request->seed + number * SEED_STEP;
}

LookPlan gate_campaign_looks(const Gate *gate, const ConfigBenchmark *benchmark)
{
	guint rounds = gate->request->rounds > 0 ? gate->request->rounds : benchmark->rounds;
	if (!gate->two_sides)
		return look_plan_fixed(rounds > 0 ? rounds : SINGLE_SIDE_ROUNDS, 1);
	/* Levels are divided by this number; with nothing that gates it would be 0, and the check is an error later. */
	guint endpoints = MAX(gate->endpoints, 1);
	return rounds > 0 ? look_plan_fixed(rounds, endpoints) : look_plan_sequential(endpoints);
}

CompareInput gate_campaign_input(const GateCampaign *campaign)
{
	const Gate *gate = campaign->gate;
	FunctionPolicy functions = default_function_policy(gate->machine.hosted, gate->n_judged);
	functions.gates = functions.gates && campaign->order.benchmark->gate_functions;
	functions.strict = campaign->order.benchmark->strict_functions;
	return (CompareInput){
	        .base = campaign->measurements[SIDE_BASE],
	        .head = campaign->measurements[SIDE_HEAD],
	        .policies = campaign->policies,
	        .functions = functions,
	        .plan = campaign->order.plan,
	        .contaminated = campaign->facts.yardstick.contaminated,
	        .code = campaign->code,
	        /* base against base: that nothing was edited excuses nothing there */
	        .change = gate->request->mode == CHECK_GATE ? gate->change : NULL,
	        .layouts = campaign->facts.layouts,
	        .waits_meant = campaign->order.benchmark->waits,
	        .beyond_regression = acceptances_concern(gate->result->acceptances, campaign->order.benchmark->name),
	};
}

/* A fall-back to sequential rounds keeps the margins of the schedule that was asked for; metrics may turn up that
 * nobody announced. */
static void set_policies(GateCampaign *campaign, Schedule used)
{
	const Gate *gate = campaign->gate;
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	/* Margins of sequential rounds are wider. A program that fails beside its twin must not get them by failing. */
	Schedule asked = policy_schedule(benchmark, gate->request->schedule);
	g_clear_pointer(&campaign->policies, g_ptr_array_unref);
	campaign->policies = policy_metrics_measured(benchmark, asked, used, gate->machine);
	for (int s = 0; s < N_SIDES; s++)
		if (campaign->measurements[s] != NULL)
			policy_add_reported(campaign->policies, campaign->measurements[s]);
}

static gboolean is_decided(gpointer data, const Campaign *runs)
{
	GateCampaign *campaign = data;
	const LookPlan *plan = &campaign->order.plan;
	/* There is nothing to decide with one side, so no look ends it. */
	if (!campaign->gate->two_sides)
		return runs->rounds >= plan->rounds[plan->n - 1];
	set_policies(campaign, runs->schedule);
	CompareInput input = gate_campaign_input(campaign);
	return compare_decided(&input);
}

static Measurement *new_measurement(const GateCampaign *campaign, int side)
{
	const ConfigBenchmark *benchmark = campaign->order.benchmark;
	return gate_measurement_new(
	        &campaign->order.choices[side], benchmark, benchmark->cases, campaign->gate->result->environment);
}

static double median_overlap(const Measurement *measurement)
{
	g_autofree double *shares = g_new(double, MAX(measurement->runs->len, 1));
	for (guint i = 0; i < measurement->runs->len; i++)
		shares[i] = g_array_index(measurement->runs, RunFacts, i).overlap_share;
	return totals_known_median(shares, measurement->runs->len);
}

static Contamination judge_yardstick(const GateCampaign *campaign, const Campaign *runs)
{
	const GArray *base = runs->yardstick_ns[SIDE_BASE], *head = runs->yardstick_ns[SIDE_HEAD];
	/* A round that was cut short may have left one side with a run more. */
	guint n = campaign->gate->two_sides ? MIN(base->len, head->len) : 0;
	return contamination_judge((const double *)(void *)base->data, (const double *)(void *)head->data, n,
	        gate_policy_time(campaign->policies)->margin);
}

static void note_facts(GateCampaign *campaign, const Campaign *runs)
{
	gboolean both = campaign->gate->two_sides;
	set_policies(campaign, runs->schedule);
	campaign->schedule = runs->schedule;
	campaign->cut_stacks = runs->cut_stacks;
	campaign->fixed_wall = campaign_is_fixed_wall(runs);
	campaign->facts = (CampaignFacts){
	        .rounds = runs->rounds,
	        .retries = runs->retries,
	        .layouts = runs->plan.n_layouts,
	        .stack_bytes = runs->stack_bytes,
	        .overlap_share = both ? median_overlap(campaign->measurements[SIDE_BASE]) : NAN,
	        .interference_ratio = runs->interference_ratio,
	        .estimate_s = runs->estimate_s,
	        .elapsed_s = runs->elapsed_s,
	        .out_of_time = runs->out_of_time,
	        .yardstick = judge_yardstick(campaign, runs),
	};
}

/* Tells how long the whole check may still take: this campaign, and the benchmarks to come in proportion to it. */
static void tell_left(gpointer data, double whole_s, double left_s)
{
	const GateCampaign *campaign = data;
	double share = campaign->order.share;
	double others_s = share > 0 ? whole_s * (1 / share - 1) : 0;
	talk_set_left(campaign->gate->request->talk, left_s + others_s);
}

static Campaign *run_plan(GateCampaign *campaign, CampaignPlan *plan, GError **error)
{
	const Gate *gate = campaign->gate;
	const CampaignOrder *order = &campaign->order;
	int first = gate->two_sides ? SIDE_BASE : SIDE_HEAD;
	/* A single side stands in the place of base, the first of all arrays by side; its commit is head's. */
	campaign->measurements[SIDE_BASE] = new_measurement(campaign, first);
	plan->sides[SIDE_BASE] = gate_trees_variants(order->trees, first, order->benchmark, &plan->n_layouts);
	if (gate->two_sides) {
		campaign->measurements[SIDE_HEAD] = new_measurement(campaign, SIDE_HEAD);
		plan->sides[SIDE_HEAD] =
		        gate_trees_variants(order->trees, SIDE_HEAD, order->benchmark, &plan->n_layouts);
	}
	for (int s = 0; s < N_SIDES; s++)
		plan->measurements[s] = campaign->measurements[s];
	plan->schedule = order->schedule != SCHEDULE_AUTO ? order->schedule
	                                                  : policy_schedule(order->benchmark, gate->request->schedule);
	plan->looks = order->plan.rounds;
	plan->n_looks = order->plan.n;
	plan->seed = order->seed;
	plan->deadline_ns = order->deadline_ns;
	plan->now_ns = gate->host->now_ns;
	plan->pause = gate->host->pause;
	plan->pass_env = gate->config->pass_env;
	plan->recording_dir = campaign_folder_path(gate->folder);
	plan->findings = order->findings;
	plan->decided = is_decided;
	plan->decided_data = campaign;
	plan->progress = talk_progress;
	plan->tell_round = talk_detail;
	plan->progress_data = gate->request->talk;
	plan->tell_left = tell_left;
	plan->tell_left_data = campaign;
	set_policies(campaign, plan->schedule);
	return campaign_run(plan, error);
}

/* A copy of a benchmark whose runs end in time: both runs of a round may follow each other. Owned by the caller; NULL
 * for NULL. */
static ConfigBenchmark *within_deadline(const Gate *gate, const ConfigBenchmark *benchmark, gint64 deadline_ns)
{
	return gate_limit_timeout(benchmark, gate_seconds_until(&gate->budget, deadline_ns) * 1000 / N_SIDES);
}

/* Runs the rounds with firebreak off the measured CPUs, and puts it back whatever became of them. */
static Campaign *run_rounds(GateCampaign *campaign, const CpuPlan *cpus, CampaignPlan *plan, GError **error)
{
	const Gate *gate = campaign->gate;
	FindingList *findings = campaign->order.findings;
	if (!cpu_plan_apply(cpus, error))
		return NULL;
	machine_noise_findings(gate->result->environment, cpus, findings);
	g_autoptr(Executor) executor = gate->host->timed_executor(&gate->abilities, cpus, campaign->events, findings);
	plan->executor = executor;
	g_autoptr(Campaign) runs = run_plan(campaign, plan, error);
	/* The first error is the one to tell; the CPUs are given back in any case. */
	return cpu_plan_undo(cpus, runs != NULL ? error : NULL) ? g_steal_pointer(&runs) : NULL;
}

static gboolean measure(GateCampaign *campaign, CampaignPlan *plan, GError **error)
{
	const Gate *gate = campaign->gate;
	FindingList *findings = campaign->order.findings;
	g_autoptr(CpuPlan) cpus = cpu_plan_new(plan->benchmark->cpus, findings, error);
	if (cpus == NULL)
		return FALSE;
	SampledEventsPlan events = {
	        .benchmark = campaign->order.benchmark,
	        .abilities = &gate->abilities,
	        .cpus = cpus,
	        .scratch_dir = campaign_folder_path(gate->folder),
	        .findings = findings,
	};
	campaign->events = sampled_events_new(&events, error);
	if (campaign->events == NULL)
		return FALSE;
	g_autoptr(Campaign) runs = run_rounds(campaign, cpus, plan, error);
	if (runs == NULL)
		return FALSE;
	/* All that comes from here on is the time after a campaign, which the budget learns from. */
	campaign->runs_end_ns = gate->host->now_ns();
	note_facts(campaign, runs);
	return gate_profiles_make(campaign, runs->recordings, error);
}

gboolean gate_campaign_run(const Gate *gate, const CampaignOrder *order, GateCampaign *campaign, GError **error)
{
	g_autoptr(ConfigBenchmark) benchmark = within_deadline(gate, order->benchmark, order->deadline_ns);
	g_autoptr(ConfigBenchmark) head = within_deadline(gate, order->head_benchmark, order->deadline_ns);
	g_autoptr(ConfigBenchmark) yardstick = NULL;
	campaign->gate = gate;
	campaign->order = *order;
	if (benchmark->yardstick && gate->two_sides && (yardstick = yardstick_benchmark(benchmark, error)) == NULL)
		return FALSE;
	CampaignPlan plan = {.benchmark = benchmark, .head_benchmark = head, .yardstick = yardstick};
	return measure(campaign, &plan, error);
}

static LineCosts *line_costs(gpointer fold, const LineCostQuery *query)
{
	return perf_fold_line_costs(fold, query);
}

GPtrArray *gate_campaign_annotate(GateCampaign *campaign, const BenchmarkComparison *comparison)
{
	AnnotateOrder order = {
	        .gate = campaign->gate,
	        .comparison = comparison,
	        .base = campaign->measurements[SIDE_BASE],
	        .head = campaign->measurements[SIDE_HEAD],
	        .code = campaign->code,
	        .line_costs = line_costs,
	        .fold = campaign->fold,
	};
	GPtrArray *annotations = gate_annotate(&order);
	g_clear_pointer(&campaign->fold, perf_fold_free);
	return annotations;
}
