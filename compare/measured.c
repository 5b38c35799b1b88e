/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/measured.h"

#include "compare/comparison/judgement.h"

/* Codes of reasons with exit code 3 that say that all was measured, and did not settle it. */
static const char *const open_codes[] = {
        "interval_too_wide",
        "contaminated",
        "not_confirmed",
        "confirmation_unclear",
        "unclear",
        "acceptance_unclear",
        "out_of_time",
        NULL,
};

static gboolean is_of_measured(const ResultReason *reason)
{
	return reason->exit_code == 1 || (reason->exit_code == 3 && g_strv_contains(open_codes, reason->code));
}

/* Fewer rounds than the first look leave a metric without a judgement; its reason says so. */
static gboolean is_judged(const MetricComparison *metric)
{
	if (metric->verdict != VERDICT_INCONCLUSIVE)
		return metric->verdict != VERDICT_ERROR;
	return metric->reason != NULL && !g_str_has_prefix(metric->reason, JUDGEMENT_TOO_FEW);
}

static gboolean is_row_measured(const ResultBenchmark *row)
{
	const BenchmarkComparison *comparison = row->comparison;
	guint n_gating = 0;
	if (comparison == NULL || comparison->verdict == VERDICT_ERROR || !measurement_has_runs(row->base) ||
	        !measurement_has_runs(row->head))
		return FALSE;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && !is_judged(metric))
			return FALSE;
		n_gating += metric->gates;
	}
	return n_gating > 0;
}

gboolean result_is_measured(const CheckResult *result)
{
	if (result->exit_code == 0)
		return TRUE;
	for (guint i = 0; i < result->reasons->len; i++)
		if (!is_of_measured(result->reasons->pdata[i]))
			return FALSE;
	for (guint i = 0; i < result->benchmarks->len; i++)
		if (!is_row_measured(result->benchmarks->pdata[i]))
			return FALSE;
	return result->benchmarks->len > 0;
}

const char *const inconclusive_names[] = {
        [INCONCLUSIVE_REPORT] = "report", [INCONCLUSIVE_FAIL] = "fail", [INCONCLUSIVE_PASS] = "pass", NULL};

int inconclusive_exit_code(const CheckResult *result, InconclusiveChoice choice)
{
	if (result->exit_code != 3 || choice == INCONCLUSIVE_REPORT)
		return result->exit_code;
	if (choice == INCONCLUSIVE_FAIL)
		return 1;
	return result_is_measured(result) ? 0 : 3;
}
