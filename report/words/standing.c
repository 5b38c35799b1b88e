/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/standing.h"

#include "compare/comparison/sentence.h"
#include "model/numbers/number.h"
#include "report/words/highlights.h"

/* TRUE for a metric of which a reader is told in a benchmark of that standing. */
static gboolean is_telling(const MetricComparison *metric, Standing standing)
{
	switch (standing) {
	case STANDING_REGRESSED:
		return metric->verdict == VERDICT_REGRESSION && !metric->accepted;
	case STANDING_INCONCLUSIVE:
		return metric->verdict == VERDICT_INCONCLUSIVE || metric->verdict == VERDICT_REGRESSION;
	case STANDING_ACCEPTED:
		return metric->accepted;
	case STANDING_IMPROVED:
		return metric->improved;
	case STANDING_BROKEN:
		return metric->verdict == VERDICT_ERROR;
	default:
		return metric->verdict == VERDICT_PASS;
	}
}

/* The first of the gating metrics that tell the standing, times first; or NULL. */
static const MetricComparison *telling_metric(const BenchmarkComparison *comparison, Standing standing)
{
	const MetricComparison *best = NULL;
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && is_telling(metric, standing) &&
		        (best == NULL || telling_rank(metric) < telling_rank(best)))
			best = metric;
	}
	return best;
}

const MetricComparison *standing_metric(const ResultBenchmark *benchmark, Standing standing)
{
	if (benchmark->comparison == NULL || benchmark->comparison->metrics->len == 0)
		return NULL;
	const MetricComparison *metric = telling_metric(benchmark->comparison, standing);
	if (metric != NULL || standing == STANDING_BROKEN)
		return metric;
	g_autoptr(GPtrArray) metrics = highlights_metrics(benchmark->comparison);
	return metrics->pdata[0];
}

static Standing standing_of_pass(const CheckResult *result, const ResultBenchmark *benchmark)
{
	if (highlights_is_accepted(benchmark->comparison))
		return STANDING_ACCEPTED;
	if (highlights_is_slower(result, benchmark))
		return highlights_is_shift(benchmark) ? STANDING_SHIFTED : STANDING_SLOWER;
	return telling_metric(benchmark->comparison, STANDING_IMPROVED) != NULL ? STANDING_IMPROVED : STANDING_PASSED;
}

Standing standing_of(const CheckResult *result, const ResultBenchmark *benchmark)
{
	if (benchmark->comparison == NULL)
		return STANDING_BROKEN;
	if (result_benchmark_is_uncompared(benchmark))
		return STANDING_NEW;
	switch (benchmark->comparison->verdict) {
	case VERDICT_PASS:
		return standing_of_pass(result, benchmark);
	case VERDICT_REGRESSION:
		return STANDING_REGRESSED;
	case VERDICT_INCONCLUSIVE:
		return STANDING_INCONCLUSIVE;
	default:
		return STANDING_BROKEN;
	}
}

/* TRUE if its result is not about speed: more memory is worse, not slower. */
static gboolean is_other_than_speed(const ResultBenchmark *benchmark, Standing standing)
{
	const MetricComparison *metric =
	        benchmark->comparison != NULL ? telling_metric(benchmark->comparison, standing) : NULL;
	return metric != NULL && !metric_is_time(metric);
}

const char *standing_word(const ResultBenchmark *benchmark, Standing standing)
{
	static const char *const words[N_STANDINGS] = {
	        [STANDING_REGRESSED] = "slower",
	        [STANDING_BROKEN] = "broken",
	        [STANDING_INCONCLUSIVE] = "unclear",
	        [STANDING_ACCEPTED] = "accepted",
	        [STANDING_SLOWER] = "slower in a function",
	        [STANDING_SHIFTED] = "cost moved",
	        [STANDING_IMPROVED] = "faster",
	        [STANDING_NEW] = "new",
	        [STANDING_PASSED] = "unchanged",
	};
	if (standing == STANDING_REGRESSED && is_other_than_speed(benchmark, standing))
		return "worse";
	if (standing == STANDING_IMPROVED && is_other_than_speed(benchmark, standing))
		return "better";
	return words[standing];
}

gboolean standing_needs_a_look(Standing standing)
{
	return standing != STANDING_PASSED;
}

/* Appends the number of benchmarks of that standing for each of its words. */
static void append_counts(GString *out, const CheckResult *result, Standing standing)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GArray) counts = g_array_new(FALSE, TRUE, sizeof(guint));
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		guint at;
		if (standing_of(result, benchmark) != standing)
			continue;
		const char *word = standing_word(benchmark, standing);
		if (!g_ptr_array_find(words, word, &at)) {
			at = words->len;
			g_ptr_array_add(words, (gpointer)word);
			g_array_set_size(counts, words->len);
		}
		g_array_index(counts, guint, at)++;
	}
	for (guint i = 0; i < words->len; i++) {
		g_autofree char *count = number_count(g_array_index(counts, guint, i));
		g_string_append_printf(out, "%s%s %s%s", out->len > 0 ? ", " : "", count,
		        standing == STANDING_SHIFTED ? "with " : "", (const char *)words->pdata[i]);
	}
}

char *standing_counts(const CheckResult *result)
{
	GString *out = g_string_new(NULL);
	for (Standing standing = 0; standing < N_STANDINGS; standing++)
		append_counts(out, result, standing);
	if (out->len == 0)
		g_string_append(out, "no benchmarks");
	return g_string_free(out, FALSE);
}
