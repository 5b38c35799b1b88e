/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/contradiction.h"
#include "compare/exitcodes.h"
#include "compare/outcome.h"

#include <math.h>

#define SLACK 1e-6 /* of ratios and values: files hold ten digits */

/* --- one metric --- */

static gboolean all_known(const GArray *values, guint n)
{
	for (guint i = 0; i < n; i++)
		if (!isfinite(g_array_index(values, double, i)))
			return FALSE;
	return TRUE;
}

/* TRUE if a median is one of those values. */
static gboolean is_among(double median, const GArray *values)
{
	double lowest = INFINITY, highest = -INFINITY;
	for (guint i = 0; i < values->len; i++) {
		double value = g_array_index(values, double, i);
		lowest = MIN(lowest, isfinite(value) ? value : lowest);
		highest = MAX(highest, isfinite(value) ? value : highest);
	}
	double slack = SLACK * fabs(median);
	return isfinite(median) && median >= lowest - slack && median <= highest + slack;
}

static gboolean is_measured(const MetricComparison *metric)
{
	return metric->rounds > 0 && metric->base_values->len >= metric->rounds &&
	       metric->head_values->len >= metric->rounds && all_known(metric->base_values, metric->rounds) &&
	       all_known(metric->head_values, metric->rounds) && is_among(metric->base, metric->base_values) &&
	       is_among(metric->head, metric->head_values);
}

/* TRUE if the bound on the worse side allows a pass. Which of the two margins counts depends on the metric; the wider
 * one is enough to tell that a verdict is made up. */
static gboolean may_pass(const MetricComparison *metric)
{
	double worst = metric->higher_is_better ? 1 / metric->lower_ratio : metric->upper_ratio;
	double most = 1 + MAX(metric->margin, metric->pass_margin);
	return metric->negligible || worst <= most * (1 + SLACK);
}

/* The obstacle to a gating metric's being part of a pass, as a clause; NULL if there is none. */
static const char *metric_problem(const MetricComparison *metric)
{
	gboolean accepted = metric->verdict == VERDICT_REGRESSION && metric->accepted;
	if (metric->verdict != VERDICT_PASS && !accepted)
		return "does not pass";
	if (!is_measured(metric))
		return "was not measured in every round of both sides";
	return accepted || may_pass(metric) ? NULL : "is beyond its margin";
}

/* --- one row --- */

static char *metrics_problem(const ResultBenchmark *row)
{
	const BenchmarkComparison *comparison = row->comparison;
	guint n_gating = 0;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		const char *problem = metric->gates ? metric_problem(metric) : NULL;
		n_gating += metric->gates;
		if (problem != NULL)
			return g_strdup_printf("%s passes, but %s, which gates, %s", row->name, metric->name, problem);
		if (metric->gates && metric->accepted && comparison->accepted == NULL)
			return g_strdup_printf(
			        "%s passes, but nobody accepted what %s costs more", row->name, metric->name);
	}
	return n_gating > 0 ? NULL : g_strdup_printf("%s passes, but none of its metrics gates", row->name);
}

static gboolean any_gates(const BenchmarkComparison *comparison)
{
	for (guint i = 0; comparison != NULL && i < comparison->functions->len; i++)
		if (((const FunctionComparison *)comparison->functions->pdata[i])->gates)
			return TRUE;
	return FALSE;
}

/* Functions of the benchmark, and of profiles that are part of its verdict. */
static gboolean a_function_gates(const ResultBenchmark *row)
{
	gboolean gates = any_gates(row->comparison);
	for (guint i = 0; i < row->profiles->len; i++) {
		const ResultProfile *profile = row->profiles->pdata[i];
		gates |= profile->decides && any_gates(profile->comparison);
	}
	return gates;
}

static char *pass_problem(const ResultBenchmark *row)
{
	const char *code = row->comparison->reason_code;
	if (!measurement_has_runs(row->base) || !measurement_has_runs(row->head))
		return g_strdup_printf("%s passes, but was not run on both sides", row->name);
	if (*code != '\0' && !g_str_equal(code, "accepted"))
		return g_strdup_printf("%s passes, but its reason is %s", row->name, code);
	if (*code != '\0' && row->comparison->accepted == NULL)
		return g_strdup_printf("%s passes as accepted, but nothing of it is", row->name);
	if (a_function_gates(row))
		return g_strdup_printf("%s passes, but a function of it gates", row->name);
	return metrics_problem(row);
}

/* A calibration and a self-test pass by other verdicts, too, which have to be of something measured. */
static char *other_problem(const ResultBenchmark *row)
{
	if (!measurement_has_runs(row->base) || !measurement_has_runs(row->head))
		return g_strdup_printf("%s has a verdict, but was not run on both sides", row->name);
	for (guint i = 0; i < row->comparison->metrics->len; i++) {
		const MetricComparison *metric = row->comparison->metrics->pdata[i];
		if (metric->gates && metric->verdict == VERDICT_REGRESSION && !is_measured(metric))
			return g_strdup_printf("%s of %s regressed, but was not measured in every round of both sides",
			        metric->name, row->name);
	}
	return NULL;
}

static char *row_problem(const CheckResult *result, const ResultBenchmark *row)
{
	const BenchmarkComparison *comparison = row->comparison;
	if (comparison != NULL && comparison->verdict == VERDICT_PASS)
		return pass_problem(row);
	gboolean may_pass_too =
	        comparison != NULL && comparison->verdict != VERDICT_ERROR && result->mode != CHECK_GATE;
	return may_pass_too ? other_problem(row) : NULL;
}

/* --- the whole --- */

static char *ending_problem(const CheckResult *result)
{
	int exit_code = check_result_decided(result);
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		int least = g_str_equal(reason->code, NOTHING_TO_COMPARE) ? 0 : 1; /* that alone lets a check pass */
		if (reason->exit_code < least || reason->exit_code > 255)
			return g_strdup_printf("a reason has the exit code %d", reason->exit_code);
	}
	if (result->verdict != exit_code_verdict(result->exit_code))
		return g_strdup_printf(
		        "the verdict is %s, but the exit code %d", verdict_name(result->verdict), result->exit_code);
	if (result->exit_code != exit_code)
		return g_strdup_printf(
		        "the exit code is %d, but benchmarks and reasons say %d", result->exit_code, exit_code);
	return NULL;
}

char *result_contradiction(const CheckResult *result)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *row = result->benchmarks->pdata[i];
		char *problem = g_hash_table_add(names, row->name) ? row_problem(result, row)
		                                                   : g_strdup_printf("%s is listed twice", row->name);
		if (problem != NULL)
			return problem;
	}
	return ending_problem(result);
}
