/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/judgement.h"

#include "compare/comparison/changewords.h"
#include "compare/comparison/sentence.h"

/* --- can it be compared at all? --- */

const MetricComparison *judgement_gating(const GPtrArray *metrics, Verdict verdict)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (metric->gates && metric->verdict == verdict)
			return metric;
	}
	return NULL;
}

/* Takes the reason. Returns FALSE. */
static gboolean end_in_error(BenchmarkComparison *comparison, const char *code, char *reason)
{
	benchmark_comparison_decide(comparison, VERDICT_ERROR, code, reason);
	return FALSE;
}

gboolean judgement_has_runs(
        BenchmarkComparison *comparison, const Measurement *base, const Measurement *head, const char *word)
{
	guint n_base = measurement_n_runs(base), n_head = measurement_n_runs(head);
	if (n_base > 0 && n_head > 0)
		return TRUE;
	return end_in_error(comparison, "zero_runs",
	        g_strdup_printf("no %s was measured on both sides (base %u runs, head %u)", word, n_base, n_head));
}

gboolean judgement_has_endpoints(BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++)
		if (((const MetricComparison *)comparison->metrics->pdata[i])->gates)
			return TRUE;
	return end_in_error(comparison, "zero_endpoints", g_strdup("no metric gates, so nothing was judged"));
}

gboolean judgement_has_metrics(BenchmarkComparison *comparison, const Measurement *base, const Measurement *head)
{
	const MetricComparison *invalid = judgement_gating(comparison->metrics, VERDICT_ERROR);
	if (invalid == NULL)
		return TRUE;
	gboolean missing = measurement_metric(base, invalid->engine, invalid->name) == NULL ||
	                   measurement_metric(head, invalid->engine, invalid->name) == NULL;
	if (missing)
		return end_in_error(comparison, "metric_missing",
		        g_strdup_printf("%s gates but was not measured on both sides", invalid->name));
	return end_in_error(comparison, "invalid_value", g_strdup_printf("%s: %s", invalid->name, invalid->reason));
}

static gboolean is_complete(const Profile *profile, guint runs)
{
	return profile != NULL && profile_n_runs(profile) >= runs;
}

gboolean judgement_has_profiles(
        BenchmarkComparison *comparison, const Profile *base, guint base_runs, const Profile *head, guint head_runs)
{
	if (is_complete(base, base_runs) && is_complete(head, head_runs))
		return TRUE;
	return end_in_error(comparison, "profile_missing",
	        g_strdup_printf("the profile of %s is missing or has too few runs",
	                is_complete(base, base_runs) ? "head" : "base"));
}

/* --- the order of reasons --- */

const char *judgement_open_code(const MetricComparison *metric)
{
	if (g_str_has_prefix(metric->reason, JUDGEMENT_SAME_CODE))
		return "same_code";
	return g_str_has_prefix(metric->reason, JUDGEMENT_TOO_FEW) ? "too_few_rounds" : "interval_too_wide";
}

static gboolean decide_regression(BenchmarkComparison *comparison, const JudgementInput *input)
{
	const MetricComparison *failed = most_telling_metric(comparison->metrics, VERDICT_REGRESSION);
	const FunctionComparison *function = gating_function(comparison->functions);
	if (failed != NULL)
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "regression",
		        g_strdup_printf("%s regressed: %s", failed->name, failed->reason));
	else if (function != NULL)
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "function_regression",
		        input->function_reason(comparison, function, input->margin));
	return failed != NULL || function != NULL;
}

static gboolean object(BenchmarkComparison *comparison, Objection *objection)
{
	if (objection->code == NULL)
		return FALSE;
	benchmark_comparison_decide(
	        comparison, VERDICT_INCONCLUSIVE, objection->code, g_steal_pointer(&objection->text));
	return TRUE;
}

static gboolean decide_open(BenchmarkComparison *comparison)
{
	const MetricComparison *open = most_telling_metric(comparison->metrics, VERDICT_INCONCLUSIVE);
	if (open == NULL)
		return FALSE;
	/* of the time that a benchmark takes it is said what is the matter, of anything else what it is about */
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, judgement_open_code(open),
	        change_words_is_speed(open) ? g_strdup(open->reason)
	                                    : g_strdup_printf("%s: %s", change_words_name(open), open->reason));
	return TRUE;
}

void judgement_decide(BenchmarkComparison *comparison, JudgementInput *input)
{
	gboolean decided = decide_regression(comparison, input) || object(comparison, &input->campaign) ||
	                   decide_open(comparison) || object(comparison, &input->functions);
	if (!decided)
		benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
	g_clear_pointer(&input->campaign.text, g_free);
	g_clear_pointer(&input->functions.text, g_free);
}
