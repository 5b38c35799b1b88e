/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of an unchanged program of many functions, made up: the sample counts of every function in every run.
 *
 * The function of rank r has a share proportional to 1/r of the samples. What a run costs in all follows the machine
 * (scenarios.h); every third function also suffers when neighbours use the memory; each function scatters a little by
 * itself, and counting scatters like counting does (Poisson). Where functions change in head, their means do. */
#pragma once

#include "compare/functions/functions.h"
#include "compare/policy.h"
#include "tests/statistics/scenarios.h"

#define FAMILY_MAX_FUNCTIONS 500
#define FAMILY_CALLERS 7
#define FAMILY_SAMPLE_NS 500000 /* at 2 kHz */
#define FAMILY_MEMORY_KEPT .6   /* of the contention from one run to the next */

typedef struct {
	const Scenario *machine;
	double samples; /* of a run, on average */
	double own;     /* standard deviation of one function in one run, with heavy tails (t, 5 degrees) */
	double memory;  /* standard deviation of what contention for memory costs every third function */
} FamilyNoise;

static const FamilyNoise family_quiet = {&scenario_quiet, 12000, .005, .005};
static const FamilyNoise family_vm = {&scenario_vm, 2000, .010, .050};
static const FamilyNoise family_noisy = {&scenario_noisy, 2000, .020, .120};
static const FamilyNoise family_bimodal = {&scenario_bimodal, 2000, .010, .050};
static const FamilyNoise family_drift = {&scenario_drift, 2000, .010, .050};

typedef struct {
	const FamilyNoise *noise;
	guint functions, rounds;
	double factors[FAMILY_MAX_FUNCTIONS]; /* of the cost in head; 0 = unchanged */
} FamilyPlan;

/* The functions f0, f1, ... as frames, largest first, and their stacks: each is called by one of a few callers, which
 * cost nothing themselves. */
typedef struct {
	StackTable *table;
	StackId stacks[FAMILY_MAX_FUNCTIONS];
	FrameId frames[FAMILY_MAX_FUNCTIONS]; /* with ascending ids */
} FamilyNames;

static inline FrameId family_frame(StackTable *table, const char *prefix, guint number)
{
	g_autofree char *name = g_strdup_printf("%s%u", prefix, number);
	Frame frame = {.name = stack_table_name(table, name, -1),
	        .module = stack_table_name(table, "prog", -1),
	        .kind = FRAME_USER};
	frame.raw_name = frame.name;
	return stack_table_frame(table, &frame);
}

static inline FamilyNames *family_names_new(void)
{
	FamilyNames *names = g_new0(FamilyNames, 1);
	names->table = stack_table_new();
	for (guint f = 0; f < FAMILY_MAX_FUNCTIONS; f++)
		names->frames[f] = family_frame(names->table, "f", f);
	for (guint f = 0; f < FAMILY_MAX_FUNCTIONS; f++) {
		FrameId caller = family_frame(names->table, "caller", f % FAMILY_CALLERS);
		StackId stack = stack_table_push(names->table, STACK_ROOT, caller);
		names->stacks[f] = stack_table_push(names->table, stack, names->frames[f]);
	}
	return names;
}

static inline void family_names_free(FamilyNames *names)
{
	stack_table_unref(names->table);
	g_free(names);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FamilyNames, family_names_free)

/* Mean samples of a function in a run of base on a machine without noise. */
static inline double family_mean(const FamilyPlan *plan, guint function)
{
	double all = 0;
	for (guint f = 0; f < plan->functions; f++)
		all += 1.0 / (f + 1);
	return plan->noise->samples / all / (function + 1);
}

/* The function with the share nearest to this one. */
static inline guint family_nearest(const FamilyPlan *plan, double share)
{
	guint nearest = 0;
	for (guint f = 1; f < plan->functions; f++)
		if (fabs(family_mean(plan, f) / plan->noise->samples - share) <
		        fabs(family_mean(plan, nearest) / plan->noise->samples - share))
			nearest = f;
	return nearest;
}

/* One campaign, round by round. */
typedef struct {
	const FamilyPlan *plan;
	const FamilyNames *names;
	RoundOrder order;
	DrawnCampaign common, memory; /* what a run costs more, as logarithm: in all, and where memory is waited for */
	Measurement *base, *head;
} FamilyCampaign;

static inline Measurement *family_side_new(const FamilyNames *names, const char *commit)
{
	Measurement *side = measurement_new("family", commit, "tree");
	side->work = 1;
	side->profile = profile_new(names->table, "cpu-clock:u", "ns");
	return side;
}

/* Draws what happens to the machine in all rounds that the plan allows; no run is there yet. */
static inline void family_campaign_init(
        FamilyCampaign *campaign, const FamilyPlan *plan, const FamilyNames *names, Draws *draws)
{
	double wander[2 * SCENARIO_MAX_ROUNDS] = {0};
	*campaign = (FamilyCampaign){.plan = plan, .names = names};
	campaign->order = draw_order(draws, plan->rounds);
	draw_campaign(plan->noise->machine, draws, &campaign->order, &campaign->common);
	add_wander((Wander){plan->noise->memory, FAMILY_MEMORY_KEPT}, draws, wander, 2 * plan->rounds);
	deal_runs(wander, &campaign->order, &campaign->memory);
	campaign->base = family_side_new(names, "base");
	campaign->head = family_side_new(names, "head");
}

static inline void family_campaign_clear(FamilyCampaign *campaign)
{
	measurement_free(campaign->base);
	measurement_free(campaign->head);
}

/* One run: its samples, and as task-clock what its functions cost whether samples fell on them or not. */
static inline void family_add_run(FamilyCampaign *campaign, gboolean of_head, guint round, Draws *draws)
{
	const FamilyPlan *plan = campaign->plan;
	Measurement *side = of_head ? campaign->head : campaign->base;
	RunFacts facts = {.round = round + 1, .started_first = campaign->order.head_first[round] == of_head};
	double common = (of_head ? campaign->common.head : campaign->common.base)[round], cost = 0;
	double memory = (of_head ? campaign->memory.head : campaign->memory.base)[round];
	double largest = family_mean(plan, 0);
	guint run = profile_add_run(side->profile);
	for (guint f = 0; f < plan->functions; f++) {
		double noise = common + (f % 3 == 1 ? memory : 0) + plan->noise->own * draw_heavy(draws, 5);
		double factor = of_head && plan->factors[f] > 0 ? plan->factors[f] : 1;
		double mean = factor * largest / (f + 1) * exp(noise);
		guint64 samples = (guint64)draw_poisson(draws, mean);
		if (samples > 0)
			profile_add(side->profile, run, campaign->names->stacks[f],
			        (ProfileCell){samples, samples * FAMILY_SAMPLE_NS});
		cost += mean * FAMILY_SAMPLE_NS;
	}
	g_array_append_val(side->runs, facts);
	MetricSeries *clock = measurement_add_metric(side, &engine_perf, "task-clock", "ns", METRIC_SAME_CAMPAIGN);
	g_array_set_size(clock->values, run + 1);
	g_array_index(clock->values, double, run) = cost;
}

/* Goes on to `rounds` rounds in all. */
static inline void family_campaign_run(FamilyCampaign *campaign, guint rounds, Draws *draws)
{
	for (guint round = campaign->base->runs->len; round < rounds; round++) {
		family_add_run(campaign, FALSE, round, draws);
		family_add_run(campaign, TRUE, round, draws);
	}
}
