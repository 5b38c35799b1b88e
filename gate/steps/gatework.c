/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatework.h"

#include "compare/endings.h"
#include "core/error.h"
#include "gate/steps/gatefiles.h"
#include "model/numbers/number.h"
#include "runner/frameworks/frameworkcases.h"

#include <math.h>

/* Sides that did amounts of work so different are worth a word. */
#define WORK_DIFFERS .01

gboolean gate_time_is_over(const Gate *gate, const BudgetShare *share)
{
	return gate_seconds_until(&gate->budget, share->campaign_end_ns) <= 0;
}

/* A duration as --max-time takes it, rounded up. */
static char *duration_text(double seconds)
{
	return seconds < 120 ? g_strdup_printf("%.0fs", ceil(seconds)) : g_strdup_printf("%.0fm", ceil(seconds / 60));
}

char *gate_time_needed(const Gate *gate, const BudgetShare *share, double campaign_s)
{
	/* Negated, so that a duration that is not known (NaN) gets the general advice, too. */
	if (!(campaign_s > 0))
		return g_strdup("give --max-time more, or let a run do less: 0.3 to 2 s of work are enough");
	g_autofree char *text = duration_text(gate_budget_needed_s(&gate->budget, share, campaign_s));
	g_autofree char *time = number_duration(campaign_s);
	return g_strdup_printf("all of them take about %s: --max-time %s would do", time, text);
}

void gate_report_no_time(const GateWork *work, const BudgetShare *share, double campaign_s, const char *why)
{
	g_autofree char *needed = gate_time_needed(work->gate, share, campaign_s);
	g_autofree char *text = g_strdup_printf(
	        "time ran out%s%s%s; %s", *why != '\0' ? " (" : "", why, *why != '\0' ? ")" : "", needed);
	ending_add_not_measured(work->gate->result, work->benchmark->name, text);
}

gboolean gate_may_store(const GateWork *work, int side, const Measurement *measurement)
{
	const GateRequest *request = work->gate->request;
	gboolean all_cases = side != SIDE_HEAD || work->benchmark->case_filter == NULL;
	return request->store && request->mode == CHECK_GATE && !g_str_equal(measurement->commit, "worktree") &&
	       all_cases && gate_files_are_of_commit(work->gate, measurement);
}

void gate_settle_no_time(const Gate *gate, ResultBenchmark *row)
{
	if (gate->two_sides)
		ending_settle_not_measured(gate->result, row);
}

Measurement *gate_measurement_new(
        const Choice *choice, const ConfigBenchmark *benchmark, const GPtrArray *cases, const Environment *environment)
{
	Measurement *measurement = measurement_new(benchmark->name, choice->sha, choice->tree);
	environment_free(measurement->environment);
	measurement->environment = environment_copy(environment);
	measurement->work = benchmark->work;
	g_free(measurement->cases);
	measurement->cases = framework_cases_text(cases);
	return measurement;
}

ConfigBenchmark *gate_limit_timeout(const ConfigBenchmark *benchmark, double left_ms)
{
	if (benchmark == NULL)
		return NULL;
	ConfigBenchmark *limited = config_benchmark_copy(benchmark);
	if (left_ms < (double)limited->timeout_ms)
		limited->timeout_ms = (gint64)ceil(MAX(left_ms, 1));
	return limited;
}

void gate_outside_finding(FindingList *findings, const char *benchmark)
{
	finding_add(findings, FINDING_WARNING, "program_outside_tree", benchmark,
	        "nothing that it runs was built from the checkout: both sides may run the same program (found in "
	        "PATH?)");
}

/* Costs are per unit of work, so this is no error; but somebody may not have meant it. */
void gate_work_finding(const GateWork *work, const Measurement *base, const Measurement *head)
{
	if (base == NULL || head == NULL || !(fabs(head->work / base->work - 1) > WORK_DIFFERS))
		return;
	g_autofree char *of_base = number_plain(base->work), *of_head = number_plain(head->work);
	finding_add(work->gate->result->findings, FINDING_INFO, "work_differs", work->benchmark->name,
	        "by their own reports a run of base does %s units of work and one of head %s; costs are per unit",
	        of_base, of_head);
}
