/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/reasons.h"

#include "compare/counted/enginepair.h"
#include "compare/exitcodes.h"

gint result_reason_compare(gconstpointer a, gconstpointer b)
{
	const ResultReason *x = *(ResultReason *const *)a, *y = *(ResultReason *const *)b;
	return (gint)exit_code_precedence(x->exit_code) - (gint)exit_code_precedence(y->exit_code);
}

gboolean check_result_has_reason(const CheckResult *result, int exit_code, const char *code, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean same_kind = reason->exit_code == exit_code ||
		                     (exit_code_is_error(reason->exit_code) && exit_code_is_error(exit_code));
		if (same_kind && g_str_equal(reason->code, code) && g_strcmp0(reason->benchmark, benchmark) == 0)
			return TRUE;
	}
	return FALSE;
}

gboolean check_result_explains(const CheckResult *result, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean own = g_strcmp0(reason->benchmark, benchmark) == 0 && reason->exit_code != 0;
		if (own || (reason->benchmark == NULL && exit_code_is_error(reason->exit_code)))
			return TRUE;
	}
	return FALSE;
}

gboolean check_result_has_error(const CheckResult *result)
{
	for (guint i = 0; i < result->reasons->len; i++)
		if (exit_code_is_error(((ResultReason *)result->reasons->pdata[i])->exit_code))
			return TRUE;
	return FALSE;
}

/* TRUE if a reason of that benchmark says it already, or says what of the metric is beyond what was accepted. */
static gboolean is_told(const CheckResult *result, const char *benchmark, const char *metric, const char *text)
{
	g_autofree char *beyond = g_strdup_printf("%s regressed beyond ", metric);
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		gboolean same = g_str_equal(reason->text, text) || g_str_has_prefix(reason->text, beyond);
		if (same && g_strcmp0(reason->benchmark, benchmark) == 0)
			return TRUE;
	}
	return FALSE;
}

void check_result_add_regressed_metrics(
        CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	for (guint i = 0; comparison->verdict == VERDICT_REGRESSION && i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (!metric->gates || metric->accepted || metric->verdict != VERDICT_REGRESSION ||
		        metric->reason == NULL)
			continue;
		g_autofree char *text = g_strdup_printf("%s regressed: %s", metric->name, metric->reason);
		if (!is_told(result, benchmark, metric->name, text))
			check_result_add_reason(result, 1, "regression", benchmark, "%s", text);
	}
}

/* TRUE if a reason of the benchmark has the code and the text of the comparison. */
static gboolean has_verdict(const CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = result->reasons->pdata[i];
		if (g_strcmp0(reason->benchmark, benchmark) == 0 &&
		        g_str_equal(reason->code, comparison->reason_code) &&
		        g_str_equal(reason->text, comparison->reason))
			return TRUE;
	}
	return FALSE;
}

void check_result_add_verdict(CheckResult *result, const char *benchmark, const BenchmarkComparison *comparison)
{
	int exit_code = verdict_exit_code(comparison->verdict);
	gboolean counts = result->mode == CHECK_GATE || comparison->verdict == VERDICT_ERROR;
	if (exit_code != 0 && counts && !engine_pair_abstains(comparison) &&
	        !has_verdict(result, benchmark, comparison))
		check_result_add_reason(
		        result, exit_code, comparison->reason_code, benchmark, "%s", comparison->reason);
	if (result->mode == CHECK_GATE)
		check_result_add_regressed_metrics(result, benchmark, comparison);
}

gboolean check_result_join(CheckResult *result, ResultBenchmark *benchmark, BenchmarkComparison *counted)
{
	gboolean decides = engine_pair_abstains(benchmark->comparison) || !engine_pair_abstains(counted);
	check_result_add_verdict(result, benchmark->name, benchmark->comparison);
	check_result_add_verdict(result, benchmark->name, counted);
	engine_pair_join(benchmark->comparison, counted);
	if (!decides)
		benchmark_comparison_decide(
		        counted, VERDICT_PASS, "", g_strdup("no metric that callgrind counts gates"));
	return decides;
}

void check_result_lacks_engine(CheckResult *result, ResultBenchmark *benchmark, const ResultReason *why)
{
	BenchmarkComparison *comparison = benchmark->comparison;
	Verdict verdict = exit_code_verdict(why->exit_code);
	gboolean graver =
	        exit_code_precedence(why->exit_code) < exit_code_precedence(verdict_exit_code(comparison->verdict));
	check_result_add_verdict(result, benchmark->name, comparison);
	if (!graver && !engine_pair_abstains(comparison))
		return;
	char *sentence = engine_pair_abstains(comparison) ? g_strdup(why->text)
	                                                  : g_strdup_printf("%s; %s", why->text, comparison->sentence);
	g_free(comparison->sentence);
	comparison->sentence = sentence;
	benchmark_comparison_decide(comparison, verdict, why->code, g_strdup(why->text));
}
