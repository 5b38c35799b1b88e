/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/outcomewords.h"

#include "compare/comparison/changewords.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

/* Adds what is known of a benchmark's A/A campaigns: those of this check and all earlier ones on this kind of machine,
 * or the one at hand where nothing is kept. */
static void add_campaigns(CalibrationSummary *sum, const ResultBenchmark *benchmark)
{
	const CalibrationSummary *known = benchmark->calibration;
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (known != NULL) {
		sum->campaigns += known->campaigns;
		sum->false_alarms += known->false_alarms;
		sum->passes += known->passes;
	} else if (comparison != NULL) {
		sum->campaigns++;
		sum->false_alarms += comparison->verdict == VERDICT_REGRESSION;
		sum->passes += comparison->verdict == VERDICT_PASS;
	}
}

/* "calibrated 2 benchmarks, base against base: 1 false alarm in 48 A/A campaigns, 3 inconclusive" */
static char *calibration_outcome(const CheckResult *result)
{
	guint n = result->benchmarks->len;
	CalibrationSummary sum = {0};
	for (guint i = 0; i < n; i++)
		add_campaigns(&sum, result->benchmarks->pdata[i]);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text,
	        "calibrated %u benchmark%s, base against base: %u false alarm%s in %u A/A campaign%s", n,
	        n == 1 ? "" : "s", sum.false_alarms, sum.false_alarms == 1 ? "" : "s", sum.campaigns,
	        sum.campaigns == 1 ? "" : "s");
	guint decided = sum.false_alarms + sum.passes;
	if (sum.campaigns > decided)
		g_string_append_printf(text, ", %u inconclusive", sum.campaigns - decided);
	return g_string_free(text, FALSE);
}

/* ", 1 of them with a regression that is accepted: parse, task-clock +12.3 % (firebreak.yml:12: worth it)", or "" */
static char *accepted_clause(const CheckResult *result)
{
	const ResultBenchmark *first = NULL;
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		gboolean accepted = benchmark->comparison != NULL && benchmark->comparison->accepted != NULL;
		first = first == NULL && accepted ? benchmark : first;
		n += accepted;
	}
	if (first == NULL)
		return g_strdup("");
	const AcceptedRegression *accepted = first->comparison->accepted->pdata[0];
	g_autofree char *with =
	        result->benchmarks->len == 1 ? g_strdup(" with") : g_strdup_printf(", %u of them with", n);
	return g_strdup_printf("%s a regression that is accepted: %s, %s (%s: %s)", with, first->name, accepted->text,
	        accepted->where, accepted->reason);
}

/* TRUE if the metric is a time and passes by an interval, and so has a pass margin that says how much. */
static gboolean passed_measured(const MetricComparison *metric)
{
	gboolean is_time = change_words_is_speed(metric) || g_str_equal(metric->name, "wall");
	return is_time && metric->gates && metric->verdict == VERDICT_PASS && !metric->negligible &&
	       !engine_counts(metric->engine) && metric->pass_margin > 0;
}

/* ": nothing worse by more than 4 to 10 %", the pass margins of what passed; "" if only counts did. */
static char *ruled_out_clause(const CheckResult *result)
{
	double least = INFINITY, most = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		for (guint m = 0; benchmark->comparison != NULL && m < benchmark->comparison->metrics->len; m++) {
			const MetricComparison *metric = benchmark->comparison->metrics->pdata[m];
			if (!passed_measured(metric))
				continue;
			least = fmin(least, metric->pass_margin);
			most = fmax(most, metric->pass_margin);
		}
	}
	if (!isfinite(least))
		return g_strdup("");
	g_autofree char *margins = number_share_range(least, most);
	return g_strconcat(": nothing worse by more than ", margins, NULL);
}

/* The benchmarks that were compared, which is all but those with nothing to compare. */
static guint n_compared(const CheckResult *result)
{
	guint n = 0;
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		n += !result_benchmark_is_uncompared(benchmark);
	}
	return n;
}

/* "3 benchmarks passed: nothing worse by more than 4 %; 1 new benchmark: nothing to compare yet" */
static char *passed_outcome(const CheckResult *result)
{
	guint n = n_compared(result), n_new = result->benchmarks->len - n;
	g_autofree char *accepted = accepted_clause(result);
	g_autofree char *excluded = *accepted == '\0' ? ruled_out_clause(result) : g_strdup("");
	GString *text = g_string_new(NULL);
	if (n > 0)
		g_string_append_printf(text, "%u benchmark%s passed%s%s", n, n == 1 ? "" : "s", accepted, excluded);
	if (n_new > 0)
		g_string_append_printf(text, "%s%u new benchmark%s: nothing to compare yet", n > 0 ? "; " : "", n_new,
		        n_new == 1 ? "" : "s");
	return g_string_free(text, FALSE);
}

static char *outcome(const CheckResult *result)
{
	static const char *const contexts[] = {
	        [CHECK_GATE] = "", [CHECK_CALIBRATE] = "calibration: ", [CHECK_SELF_TEST] = "self-test: "};
	guint n = result->benchmarks->len;
	if (result->exit_code == 0 && result->mode == CHECK_GATE)
		return passed_outcome(result);
	if (result->reasons->len > 0)
		return g_strconcat(contexts[result->mode], ((ResultReason *)result->reasons->pdata[0])->text, NULL);
	if (result->mode == CHECK_CALIBRATE)
		return calibration_outcome(result);
	if (result->mode == CHECK_SELF_TEST)
		return g_strdup_printf(
		        "self-test: the delay planted in %u benchmark%s was found", n, n == 1 ? "" : "s");
	return passed_outcome(result);
}

char *check_result_reason(const CheckResult *result)
{
	const ShardPart *part = shard_set_single(result->shards);
	char *text = outcome(result);
	if (part == NULL || result->shards->total == 1)
		return text;
	char *named = g_strdup_printf("shard %u of %u: %s", part->index, result->shards->total, text);
	g_free(text);
	return named;
}
