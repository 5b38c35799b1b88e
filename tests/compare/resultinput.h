/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a result share these ways to put benchmarks into one and to ask what came of it. */
#pragma once

#include "compare/outcome.h"
#include "compare/outcomewords.h"
#include "compare/reasons.h"
#include "compare/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void add_judged(CheckResult *result, const char *name, Verdict verdict, const char *code)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(name);
	comparison->verdict = verdict;
	g_free(comparison->reason_code);
	comparison->reason_code = g_strdup(code);
	check_result_add_benchmark(result, name)->comparison = comparison;
}

static inline const ResultReason *reason_at(const CheckResult *result, guint index)
{
	return result->reasons->pdata[index];
}

static inline BenchmarkComparison *comparison_at(const CheckResult *result, guint index)
{
	return ((ResultBenchmark *)result->benchmarks->pdata[index])->comparison;
}

static inline CheckResult *result_in_mode(CheckMode mode)
{
	CheckResult *result = check_result_new();
	result->mode = mode;
	return result;
}

static inline void check_outcome(CheckResult *result, const char *wanted)
{
	check_result_decide(result);
	g_autofree char *reason = check_result_reason(result);
	assert_string_equal(reason, wanted);
}

/* A benchmark of a self-test; with a profile if `function` is given, which then has this class. */
static inline FunctionComparison *add_planted(
        CheckResult *result, Verdict verdict, const char *function, FunctionClass klass)
{
	add_judged(result, "parse", verdict, "code");
	ResultBenchmark *benchmark = result->benchmarks->pdata[result->benchmarks->len - 1];
	g_free(benchmark->comparison->sentence);
	benchmark->comparison->sentence = g_strdup("task-clock +6.1 % [+5.0, +7.2]");
	MetricComparison *clock = g_new0(MetricComparison, 1);
	clock->name = g_strdup("task-clock");
	clock->gates = TRUE;
	clock->verdict = verdict;
	g_ptr_array_add(benchmark->comparison->metrics, clock);
	if (function == NULL)
		return NULL;
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->head = measurement_new("parse", "", "");
	benchmark->head->profile = profile_new(table, "cpu-clock", "ns");
	FunctionComparison *row = g_new0(FunctionComparison, 1);
	row->frame = stack_table_frame_named(table, function, "yardstick", FRAME_USER);
	row->klass = klass;
	row->contribution = .06;
	g_ptr_array_add(benchmark->comparison->functions, row);
	return row;
}

/* The comparison of an engine for "one". Owned by the caller. */
static inline BenchmarkComparison *engine_says(Verdict verdict, const char *code, const char *text)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("one");
	benchmark_comparison_decide(comparison, verdict, code, g_strdup(text));
	g_free(comparison->sentence);
	comparison->sentence = g_strdup(text);
	return comparison;
}

/* Both engines in a check of that mode. Owned by the caller. */
static inline CheckResult *two_engines(CheckMode mode, BenchmarkComparison *timed, BenchmarkComparison *counted)
{
	CheckResult *result = check_result_new();
	result->mode = mode;
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "one");
	benchmark->comparison = timed;
	check_result_join(result, benchmark, counted);
	benchmark_comparison_free(counted);
	check_result_decide(result);
	return result;
}
