/* SPDX-License-Identifier: Apache-2.0 */
/* The one line on a benchmark, the same in every output.
 *
 *     verdict of the benchmark             its line                               the rest, for outputs with room
 *     pass, regression                     the sentence: what was found, where    the reason of the verdict
 *     inconclusive, error                  the reason of the verdict              the sentence, if there is one
 *     any, without a sentence              the reason of the verdict              nothing
 *     error, since it was not compared     the reason that the result has for     nothing
 *                                          that benchmark, else
 *                                          BENCHMARK_NOT_COMPARED
 *
 * A sentence tells numbers. Where these prove nothing, a reader is told first why not.
 *
 * Text is foreign. It is borrowed from the result unless it is said to be owned by the caller. */
#pragma once

#include "compare/result.h"

/* The reason of a benchmark that could not be compared, where nothing else is known; what report.json always says. */
#define BENCHMARK_NOT_COMPARED "it could not be compared"

/* The line. */
const char *benchmark_line(const CheckResult *result, const ResultBenchmark *benchmark);
/* The other one of reason and sentence: "" if there is none, or if it says the same. */
const char *benchmark_line_rest(const CheckResult *result, const ResultBenchmark *benchmark);
/* Tells why the benchmark has its verdict, whatever its line is. */
const char *benchmark_line_reason(const CheckResult *result, const ResultBenchmark *benchmark);
/* The line with the name in front, for outputs of many benchmarks: "parse: too close to call", and "parse is 12 %
 * slower (11 to 14 %); confirmed" for a regression that a second campaign found again. Owned by the caller. */
char *benchmark_line_named(const CheckResult *result, const ResultBenchmark *benchmark);
/* Why a metric of it does not simply pass: its reason, else that of the benchmark; the word for one that does not gate,
 * or is accepted (wording_metric_verdict()). NULL if it passes. */
const char *benchmark_line_metric(const BenchmarkComparison *comparison, const MetricComparison *metric);
/* The line on the functions of one of its comparisons: the sentence of that where functions `gate`, which tells them;
 * else, where the benchmark is not decided, its own line. NULL if there is nothing to say. */
const char *benchmark_line_functions(const CheckResult *result, const ResultBenchmark *benchmark,
        const BenchmarkComparison *comparison, gboolean gate);
/* A text with the name of its benchmark in front, unless it begins with that. `benchmark` may be NULL. Owned by the
 * caller. */
char *benchmark_line_about(const char *benchmark, const char *text);
