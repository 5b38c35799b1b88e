/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/rowreason.h"

#include "report/words/benchmarkline.h"
#include "report/words/headline.h"

#include <string.h>

/* TRUE if the line above everything is this reason: then the benchmark is the one that it names. */
static gboolean is_in_headline(const CheckResult *result, const ResultBenchmark *benchmark, const char *reason)
{
	if (result->mode != CHECK_GATE || result_benchmark_verdict(benchmark) != result->verdict)
		return FALSE;
	g_autofree char *headline = headline_text(result);
	return strstr(headline, reason) != NULL && strstr(headline, benchmark->name) != NULL;
}

char *row_reason(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const char *reason = benchmark_line_reason(result, benchmark);
	if (result_benchmark_is_uncompared(benchmark))
		return g_strchomp(g_strndup(reason, strcspn(reason, "(;")));
	/* a benchmark that is broken says why in its row, whatever else is told above it */
	gboolean open = result_benchmark_verdict(benchmark) == VERDICT_INCONCLUSIVE;
	return g_strdup(open && is_in_headline(result, benchmark, reason) ? "see the headline" : reason);
}
