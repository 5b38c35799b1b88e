/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/yardstickround.h"

#include "core/cancel.h"
#include "model/engine.h"
#include "runner/campaign/stealwatch.h"

#include <math.h>

#define WORTH_SHARE .2
#define WORTH_NS 5e9

/* An error of the machine spoils this one value; the next round of the benchmark will meet it, too, if it lasts. */
static gboolean run_yardstick(const Campaign *campaign, RoundPair pair, RunOutcome outcomes[N_SIDES], GError **error)
{
	const CampaignPlan *plan = &campaign->plan;
	pair.trusted = TRUE;
	for (int s = 0; s < N_SIDES; s++) {
		pair.benchmarks[s] = plan->yardstick;
		pair.recordings[s] = NULL;
	}
	round_pair_run(plan->executor, &pair, outcomes, NULL);
	return cancel_check(error);
}

gboolean yardstick_try(const Campaign *campaign, const RoundBudget *budget, YardstickCost *cost, GError **error)
{
	RunOutcome outcomes[N_SIDES] = {0};
	gint64 start_ns = round_budget_now_ns(budget);
	gboolean ok = run_yardstick(campaign, round_pair_of(&campaign->plan, 0), outcomes, error);
	cost->took_ns = (double)(round_budget_now_ns(budget) - start_ns);
	cost->cpu_ns = outcome_metric(&outcomes[SIDE_BASE], &engine_perf, "task-clock") +
	               outcome_metric(&outcomes[SIDE_HEAD], &engine_perf, "task-clock");
	round_pair_clear(outcomes);
	return ok;
}

gboolean yardstick_is_worth(const Campaign *campaign, const RoundBudget *budget, const YardstickCost *cost)
{
	const CampaignPlan *plan = &campaign->plan;
	guint most = plan->looks[plan->n_looks - 1];
	double round_cpu_ns = campaign->warm_up_cpu_ns[SIDE_BASE] + campaign->warm_up_cpu_ns[SIDE_HEAD];
	double with_it_ns = round_budget_round_ns(budget) + cost->took_ns;
	if (!(cost->cpu_ns > WORTH_SHARE * round_cpu_ns))
		return TRUE;
	return cost->cpu_ns * most < WORTH_NS && with_it_ns * most <= round_budget_left_ns(budget);
}

gboolean yardstick_round(Campaign *campaign, const RoundPair *pair, GError **error)
{
	RunOutcome outcomes[N_SIDES] = {0};
	double cpu_ns[N_SIDES];
	gboolean valid, ok = run_yardstick(campaign, *pair, outcomes, error);
	valid = !steal_is_much(steal_of_round(outcomes, N_SIDES));
	for (int s = 0; s < N_SIDES; s++) {
		cpu_ns[s] = outcome_metric(&outcomes[s], &engine_perf, "task-clock");
		valid = valid && outcomes[s].failure_code == NULL && isfinite(cpu_ns[s]);
	}
	for (int s = 0; ok && s < N_SIDES; s++) {
		double value = valid ? cpu_ns[s] : NAN;
		g_array_append_val(campaign->yardstick_ns[s], value);
	}
	round_pair_clear(outcomes);
	return ok;
}

void yardstick_finding(const Campaign *campaign)
{
	const GArray *values = campaign->yardstick_ns[SIDE_BASE];
	guint failed = 0;
	for (guint i = 0; i < values->len; i++)
		failed += !isfinite(g_array_index(values, double, i));
	if (failed * 2 > values->len)
		finding_add(campaign->plan.findings, FINDING_WARNING, "yardstick_failed",
		        campaign->plan.benchmark->name,
		        "the yardstick failed or was disturbed in %u of %u rounds, so too little shows whether the "
		        "machine treated both sides alike",
		        failed, values->len);
}
