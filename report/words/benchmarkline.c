/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/benchmarkline.h"

#include "report/words/wording.h"

#include <string.h>

static gboolean is_decided(const BenchmarkComparison *comparison)
{
	return comparison->verdict == VERDICT_PASS || comparison->verdict == VERDICT_REGRESSION;
}

/* TRUE if what was found stands, so that its numbers are the line. */
static gboolean tells_numbers(const BenchmarkComparison *comparison)
{
	return is_decided(comparison) && *comparison->sentence != '\0';
}

/* The first reason is the gravest one. */
static const char *missing_reason(const CheckResult *result, const char *benchmark)
{
	for (guint i = 0; i < result->reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(result->reasons, i);
		if (g_strcmp0(reason->benchmark, benchmark) == 0)
			return reason->text;
	}
	return BENCHMARK_NOT_COMPARED;
}

const char *benchmark_line_reason(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	return comparison != NULL ? comparison->reason : missing_reason(result, benchmark->name);
}

const char *benchmark_line(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	gboolean numbers = comparison != NULL && tells_numbers(comparison);
	return numbers ? comparison->sentence : benchmark_line_reason(result, benchmark);
}

const char *benchmark_line_rest(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	if (comparison == NULL)
		return "";
	const char *rest = tells_numbers(comparison) ? comparison->reason : comparison->sentence;
	return g_str_equal(rest, benchmark_line(result, benchmark)) ? "" : rest;
}

char *benchmark_line_named(const CheckResult *result, const ResultBenchmark *benchmark)
{
	const BenchmarkComparison *comparison = benchmark->comparison;
	const char *line = benchmark_line(result, benchmark);
	gboolean numbers = comparison != NULL && tells_numbers(comparison);
	if (numbers && comparison->confirmation == CONFIRMATION_CONFIRMED)
		return g_strconcat(line, "; confirmed", NULL);
	return benchmark_line_about(benchmark->name, line);
}

const char *benchmark_line_metric(const BenchmarkComparison *comparison, const MetricComparison *metric)
{
	if (!metric->gates || metric->accepted)
		return wording_metric_verdict(metric);
	if (metric->verdict == VERDICT_PASS)
		return NULL;
	return metric->reason != NULL ? metric->reason : comparison->reason;
}

const char *benchmark_line_functions(const CheckResult *result, const ResultBenchmark *benchmark,
        const BenchmarkComparison *comparison, gboolean gate)
{
	if (gate)
		return *comparison->sentence != '\0' ? comparison->sentence : NULL;
	return is_decided(benchmark->comparison) ? NULL : benchmark_line(result, benchmark);
}

char *benchmark_line_about(const char *benchmark, const char *text)
{
	gsize length = benchmark != NULL ? strlen(benchmark) : 0;
	gboolean begins = length > 0 && g_str_has_prefix(text, benchmark);
	if (length == 0 || (begins && (text[length] == ':' || text[length] == ' ')))
		return g_strdup(text);
	return g_strconcat(benchmark, ": ", text, NULL);
}
