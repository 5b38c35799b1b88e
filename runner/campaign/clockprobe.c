/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/clockprobe.h"

#include "core/error.h"
#include "model/engine.h"
#include "runner/campaign/roundpair.h"
#include "runner/fixedtime.h"

#include <math.h>

/* So many pairs of runs must all show it: one may do so by chance. */
#define PAIRS 4

/* CPU time of one side in one run alone; NAN if it failed. */
static gboolean run_side(const CampaignState *state, int side, gboolean slow_clocks, double *cpu_ns, GError **error)
{
	const CampaignPlan *plan = &state->campaign->plan;
	RunOutcome outcome = {0};
	RoundPair pair = round_pair_of(plan, 0);
	const RunRequest request = {
	        .benchmark = pair.benchmarks[side],
	        .side = pair.sides[side],
	        .pass_env = plan->pass_env,
	        .slow_clocks = slow_clocks,
	};
	gboolean ok = plan->executor->execute(plan->executor, &request, 1, &outcome, error);
	*cpu_ns = ok && outcome.failure_code == NULL ? outcome_metric(&outcome, &engine_perf, "task-clock") : NAN;
	run_outcome_clear(&outcome);
	return ok;
}

/* Sets *ratio to the least CPU time with slow clocks over the most without: small as soon as one run is no slower
 * with slow clocks, NAN if one failed. */
static gboolean measure_ratio(const CampaignState *state, int side, double *ratio, GError **error)
{
	double usual_ns = state->campaign->warm_up_cpu_ns[side], slow_ns = INFINITY, ns;
	*ratio = NAN;
	for (guint i = 0; i < PAIRS; i++) {
		if (i > 0) {
			if (!run_side(state, side, FALSE, &ns, error))
				return FALSE;
			usual_ns = isnan(ns) ? NAN : fmax(usual_ns, ns);
		}
		if (!run_side(state, side, TRUE, &ns, error))
			return FALSE;
		slow_ns = isnan(ns) ? NAN : fmin(slow_ns, ns);
		*ratio = slow_ns / usual_ns;
		if (!fixed_time_of_cpu(*ratio))
			break;
	}
	return TRUE;
}

static gboolean probe_side(const CampaignState *state, int side, GError **error)
{
	const CampaignPlan *plan = &state->campaign->plan;
	double ratio, longest_ns = SLOW_CLOCKS * state->campaign->warm_up_wall_ns[side];
	if (round_budget_left_ns(state->budget) < longest_ns)
		return TRUE;
	if (!measure_ratio(state, side, &ratio, error))
		return FALSE;
	if (!fixed_time_of_cpu(ratio))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_CALIBRATES,
	        "benchmark %s of %s: it uses %.1f times as much CPU time where the clock of its CPU time (clock(), "
	        "getrusage(), setitimer(), CLOCK_PROCESS_CPUTIME_ID) goes at a quarter of its speed: it works until a "
	        "time is over, "
	        "so that a slower program does less and its cost per run says nothing; let it do a fixed amount of "
	        "work, report its work (`work: reported`), or write `framework: none` if that is intended",
	        plan->benchmark->name, plan->sides[side]->name, ratio);
}

gboolean clock_probe(const CampaignState *state, GError **error)
{
	const CampaignPlan *plan = &state->campaign->plan;
	const ConfigBenchmark *benchmark = plan->benchmark;
	if (benchmark->framework != FRAMEWORK_AUTO || benchmark->work_reported)
		return TRUE;
	for (int s = SIDE_BASE; s < N_SIDES; s++)
		if (plan->sides[s] != NULL && state->campaign->asks_cpu_clock[s] && !probe_side(state, s, error))
			return FALSE;
	return TRUE;
}
