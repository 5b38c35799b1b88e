/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedlack.h"

#include "compare/comparison/judgement.h"
#include "compare/comparison/sentence.h"

gboolean counted_is_settled(const BenchmarkComparison *comparison, const char *doubt, gboolean lacks)
{
	if (comparison->verdict == VERDICT_ERROR)
		return TRUE;
	return doubt == NULL && (comparison->verdict == VERDICT_REGRESSION || !lacks);
}

static const char *problem(const char *doubt)
{
	return doubt != NULL ? doubt : "the counts do not repeat";
}

/* Nothing was judged: it is not known that head was compared with base. */
static void leave_unjudged(GPtrArray *metrics)
{
	for (guint i = 0; i < metrics->len; i++) {
		MetricComparison *metric = metrics->pdata[i];
		if (!metric->gates || metric->verdict == VERDICT_ERROR)
			continue;
		metric->verdict = VERDICT_INCONCLUSIVE;
		g_free(metric->reason);
		metric->reason = g_strdup(JUDGEMENT_TOO_FEW " runs: base was not counted again");
	}
}

/* Takes the reason over. */
static void decide_open(BenchmarkComparison *comparison, const char *code, const char *doubt, char *reason)
{
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, code, reason);
	if (doubt != NULL)
		leave_unjudged(comparison->metrics);
	for (guint i = 0; i < comparison->functions->len; i++)
		((FunctionComparison *)comparison->functions->pdata[i])->gates = FALSE;
	sentence_renew(comparison);
}

void counted_lacks_time(BenchmarkComparison *comparison, const char *doubt, const char *runs, const char *needed)
{
	decide_open(comparison, "out_of_time", doubt,
	        g_strdup_printf(
	                "%s, and time ran out before they were made again (%s); %s", problem(doubt), runs, needed));
}

void counted_lacks_base(BenchmarkComparison *comparison, const char *doubt, const char *why)
{
	decide_open(comparison, "base_not_built", doubt,
	        g_strdup_printf("%s, and base could not be built again to be counted: %s", problem(doubt), why));
}

gboolean counted_rests_on_stored(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_PASS || comparison->verdict == VERDICT_INCONCLUSIVE;
}
