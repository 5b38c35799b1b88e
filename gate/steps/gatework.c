#include "gate/steps/gatework.h"

#include "core/error.h"
#include "model/numbers/number.h"

#include <math.h>
#include <string.h>

/* Sides that did amounts of work so different are worth a word. */
#define WORK_DIFFERS .01

gboolean gate_time_is_over(const Gate *gate, const BudgetShare *share)
{
	return gate_budget_limited(&gate->budget) && gate_seconds_until(&gate->budget, share->campaign_end_ns) <= 0;
}

/* The first line of the message says so. What the benchmark wrote comes below it. */
gboolean gate_is_timeout(const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", 2);
	return g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID) && lines[0] != NULL &&
	       g_strrstr(lines[0], " timed out after ") != NULL;
}

/* A duration as --max-time takes it, rounded up. */
static char *duration_text(double seconds)
{
	return seconds < 120 ? g_strdup_printf("%.0fs", ceil(seconds)) : g_strdup_printf("%.0fm", ceil(seconds / 60));
}

char *gate_time_needed(const Gate *gate, const BudgetShare *share, double campaign_s)
{
	if (!(campaign_s > 0))
		return g_strdup("give --max-time more, or let a run do less: 0.3 to 2 s of work are enough");
	g_autofree char *text = duration_text(gate_budget_needed_s(&gate->budget, share, campaign_s));
	g_autofree char *time = number_duration(campaign_s);
	return g_strdup_printf("all of them take about %s: --max-time %s would do", time, text);
}

void gate_report_no_time(const GateWork *work, const BudgetShare *share, double campaign_s, const char *why)
{
	const char *name = work->benchmark->name;
	g_autofree char *needed = gate_time_needed(work->gate, share, campaign_s);
	check_result_add_reason(work->gate->result, 3, NOT_MEASURED, name, "%s: not measured: time ran out%s%s%s; %s",
	        name, *why != '\0' ? " (" : "", why, *why != '\0' ? ")" : "", needed);
}

/* The reason that names the benchmark, if all that do are of that code; else NULL. */
static const ResultReason *only_no_time(const CheckResult *result, const char *benchmark)
{
	const ResultReason *found = NULL;
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (g_strcmp0(reason->benchmark, benchmark) != 0)
			continue;
		if (!g_str_equal(reason->code, NOT_MEASURED))
			return NULL;
		found = reason;
	}
	return found;
}

void gate_settle_no_time(const Gate *gate, ResultBenchmark *row)
{
	const ResultReason *reason = only_no_time(gate->result, row->name);
	if (row->comparison != NULL || reason == NULL || !gate->two_sides || gate->request->mode != CHECK_GATE)
		return;
	gsize name = strlen(row->name) + strlen(": ");
	row->comparison = benchmark_comparison_new(row->name);
	benchmark_comparison_decide(row->comparison, VERDICT_INCONCLUSIVE, reason->code, g_strdup(reason->text + name));
}

/* Costs are per unit of work, so this is no error; but somebody may not have meant it. */
void gate_work_finding(const GateWork *work, const Measurement *base, const Measurement *head)
{
	if (base == NULL || head == NULL || !(fabs(head->work / base->work - 1) > WORK_DIFFERS))
		return;
	g_autofree char *of_base = number_plain(base->work), *of_head = number_plain(head->work);
	finding_add(work->gate->result->findings, FINDING_INFO, "work_differs", work->benchmark->name,
	        "a run of base does %s units of work, one of head %s, as they report; costs are per unit", of_base,
	        of_head);
}
