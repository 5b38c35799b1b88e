/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/timed/gateconfirm.h"

#include "compare/secondlook.h"
#include "compare/timed/confirmation.h"
#include "model/numbers/number.h"

/* Seconds that the second campaign takes, judged by the first. */
static double expected_s(const GateCampaign *first)
{
	double round_s = first->facts.elapsed_s / MAX(first->facts.rounds, 1);
	return gate_budget_whole_s(&first->gate->budget, round_s * second_look_rounds(first->facts.rounds));
}

static void note_not_run(const GateCampaign *first, BenchmarkComparison *comparison, const char *why)
{
	confirmation_skip(comparison, g_strdup(why));
	if (first->gate->request->mode == CHECK_GATE)
		gate_progress(
		        first->gate, "%s: a regression, not measured once more: %s", first->order.benchmark->name, why);
}

static void measure_again(const GateCampaign *first, const BudgetShare *share, BenchmarkComparison *comparison)
{
	/* what the second campaign remarks would stand beside the same remarks of the first */
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GError) error = NULL;
	GateCampaign second = {0};
	CampaignOrder order = first->order;
	order.plan = look_plan_fixed(second_look_rounds(first->facts.rounds), 1);
	/* The sides start in another order than in the first campaign, so chance is not the same twice. */
	order.seed = gate_campaign_seed(first->gate, 1);
	/* another schedule has another spread */
	order.schedule = first->schedule;
	order.deadline_ns = share->end_ns;
	order.findings = findings;
	if (!gate_campaign_run(first->gate, &order, &second, &error)) {
		note_not_run(first, comparison, error->message);
	} else if (second.facts.out_of_time) {
		note_not_run(first, comparison, "time ran out before its last round");
	} else {
		CompareInput input = gate_campaign_input(&second);
		input.suspected = comparison;
		g_autoptr(BenchmarkComparison) again = compare_benchmark(&input);
		confirmation_apply(comparison, again);
		gate_progress(first->gate, "measured again: %s", comparison->confirmation_text);
	}
	gate_campaign_clear(&second);
}

void gate_confirm(const GateCampaign *first, const BudgetShare *share, BenchmarkComparison *comparison)
{
	const Gate *gate = first->gate;
	const SecondCampaign second = {
	        .mode = gate->request->mode,
	        .no_confirm = gate->request->no_confirm,
	        .needed_s = expected_s(first),
	        .left_s = gate_seconds_until(&gate->budget, share->end_ns),
	};
	g_autofree char *why = NULL;
	if (!second_look_is_due(comparison, &second, &why)) {
		if (why != NULL)
			note_not_run(first, comparison, why);
		return;
	}
	g_autofree char *time = number_duration(second.needed_s);
	gate_progress(gate, "%s: a regression; measured once more to confirm it, about %s",
	        first->order.benchmark->name, time);
	measure_again(first, share, comparison);
}
