#include "gate/timed/gateconfirm.h"

#include "compare/confirmation.h"
#include "model/numbers/number.h"

#define MIN_ROUNDS 8

/* The first gating metric that failed and is deterministic, or NULL: measured once more it would say the same. */
static const MetricComparison *deterministic_failure(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->deterministic && metric->verdict == VERDICT_REGRESSION)
			return metric;
	}
	return NULL;
}

/* As many as the first campaign needed: fewer would find less. */
static guint confirmation_rounds(const GateCampaign *first)
{
	return MAX(first->facts.rounds, MIN_ROUNDS);
}

/* Seconds that the second campaign takes, judged by the first. */
static double expected_s(const GateCampaign *first)
{
	double round_s = first->facts.elapsed_s / MAX(first->facts.rounds, 1);
	return gate_budget_whole_s(&first->gate->budget, round_s * confirmation_rounds(first));
}

/* Why there is no second campaign, or NULL. Owned by the caller. */
static char *why_not(const GateCampaign *first, const BudgetShare *share, const BenchmarkComparison *comparison)
{
	const GateRequest *request = first->gate->request;
	const MetricComparison *deterministic = deterministic_failure(comparison);
	double needed_s = expected_s(first), left_s = gate_seconds_until(&first->gate->budget, share->end_ns);
	if (request->mode == CHECK_SELF_TEST)
		return g_strdup("the delay is known to be there");
	if (request->mode == CHECK_CALIBRATE)
		return g_strdup("false alarms are counted as they come");
	if (deterministic != NULL)
		return g_strdup_printf("%s is exact", deterministic->name);
	if (request->no_confirm)
		return g_strdup("--no-confirm");
	g_autofree char *needed = number_duration(needed_s), *left = number_duration(left_s);
	return needed_s > left_s ? g_strdup_printf("it takes about %s, and %s are left", needed, left) : NULL;
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
	order.plan = look_plan_fixed(confirmation_rounds(first), 1);
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
		gate_progress(first->gate, "%s: %s", first->order.benchmark->name, comparison->confirmation_text);
	}
	gate_campaign_clear(&second);
}

void gate_confirm(const GateCampaign *first, const BudgetShare *share, BenchmarkComparison *comparison)
{
	if (comparison->verdict != VERDICT_REGRESSION)
		return;
	g_autofree char *why = why_not(first, share, comparison);
	if (why != NULL) {
		note_not_run(first, comparison, why);
		return;
	}
	g_autofree char *time = number_duration(expected_s(first));
	gate_progress(first->gate, "%s: a regression; measured once more to confirm it, about %s",
	        first->order.benchmark->name, time);
	measure_again(first, share, comparison);
}
