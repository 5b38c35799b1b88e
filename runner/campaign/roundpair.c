/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/roundpair.h"

RoundPair round_pair_of(const CampaignPlan *plan, guint layout)
{
	const ConfigBenchmark *head = plan->head_benchmark != NULL ? plan->head_benchmark : plan->benchmark;
	gboolean two_sides = plan->sides[SIDE_HEAD] != NULL;
	return (RoundPair){
	        .benchmarks = {plan->benchmark, head},
	        .sides = {&plan->sides[SIDE_BASE][layout], two_sides ? &plan->sides[SIDE_HEAD][layout] : NULL},
	        .pass_env = plan->pass_env,
	        .base_first = TRUE,
	};
}

guint round_pair_runs(const RoundPair *pair)
{
	return pair->sides[SIDE_HEAD] != NULL ? 2 : 1;
}

gboolean round_pair_run(Executor *executor, const RoundPair *pair, RunOutcome outcomes[N_SIDES], GError **error)
{
	guint n = round_pair_runs(pair);
	RunRequest requests[N_SIDES];
	RunOutcome ordered[N_SIDES] = {0};
	int order[N_SIDES] = {SIDE_BASE, SIDE_HEAD};
	gboolean ok = TRUE;
	if (n == 2 && !pair->base_first)
		order[0] = SIDE_HEAD, order[1] = SIDE_BASE;
	for (guint i = 0; i < n; i++)
		requests[i] = (RunRequest){
		        .benchmark = pair->benchmarks[order[i]],
		        .side = pair->sides[order[i]],
		        .recording = pair->recordings[order[i]],
		        .stack_bytes = pair->stack_bytes,
		        .weigh_pieces = pair->weigh_pieces,
		        .pass_env = pair->pass_env,
		        .padding = pair->padding,
		        .sampling_hz = pair->sampling_hz,
		        .trusted = pair->trusted,
		        .look_closely = pair->look_closely,
		};
	if (pair->together)
		ok = executor->execute(executor, requests, n, ordered, error);
	for (guint i = 0; ok && !pair->together && i < n; i++)
		ok = executor->execute(executor, &requests[i], 1, &ordered[i], error);
	for (guint i = 0; i < n; i++) {
		ordered[i].facts.started_first = i == 0;
		outcomes[order[i]] = ordered[i];
	}
	return ok;
}

void round_pair_clear(RunOutcome outcomes[N_SIDES])
{
	for (int s = 0; s < N_SIDES; s++)
		run_outcome_clear(&outcomes[s]);
}
