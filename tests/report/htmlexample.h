/* SPDX-License-Identifier: Apache-2.0 */
/* Results for the tests of report.html beside those of sample.h: one as large as they come, and one whose every text is
 * hostile. */
#pragma once

#include "compare/outcome.h"
#include "tests/report/countedsample.h"

#define LARGE_FUNCTIONS 5000
#define LARGE_STACKS 6000
#define LARGE_DEPTH 60

/* The same numbers everywhere: SplitMix64. */
static inline guint64 large_random(guint64 *state)
{
	guint64 z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static inline FrameId large_frame(StackTable *table, guint index)
{
	g_autofree char *name =
	        g_strdup_printf("std::vector<example::module_%u::Record>::process_batch_%u(unsigned long, char const*)",
	                index % 40, index);
	g_autofree char *module = g_strdup_printf("libexample_%u.so", index % 40);
	g_autofree char *file = g_strdup_printf("src/module_%u/process_batch.cc", index % 40);
	Frame frame = {
	        .name = stack_table_name(table, name, -1),
	        .raw_name = stack_table_name(table, name, -1),
	        .module = stack_table_name(table, module, -1),
	        .file = stack_table_name(table, file, -1),
	        .line = 1 + index,
	        .kind = FRAME_USER,
	};
	return stack_table_frame(table, &frame);
}

/* Stacks of up to LARGE_DEPTH frames, most of which share their beginnings. */
static inline void large_stacks(StackTable *table, Profile *base, Profile *head)
{
	guint64 state = 7;
	for (guint i = 0; i < LARGE_STACKS; i++) {
		StackId stack = STACK_ROOT;
		guint depth = 8 + (guint)(large_random(&state) % (LARGE_DEPTH - 8)), at = 0;
		for (guint level = 0; level < depth; level++) {
			at = (at * 3 + 1 + (guint)(large_random(&state) % (level < 12 ? 2 : 5))) % LARGE_FUNCTIONS;
			stack = stack_table_push(table, stack, large_frame(table, at));
		}
		guint64 samples = 1 + large_random(&state) % 40;
		for (guint run = 0; run < SAMPLE_RUNS; run++) {
			profile_add(base, run, stack, (ProfileCell){samples, samples * SAMPLE_PERIOD_NS});
			profile_add(head, run, stack, (ProfileCell){samples + 1, (samples + 1) * SAMPLE_PERIOD_NS});
		}
	}
}

static inline void large_functions(ResultBenchmark *benchmark, StackTable *table)
{
	double total = (double)profile_run_total(benchmark->base->profile, 0).weight;
	g_ptr_array_set_size(benchmark->comparison->functions, 0);
	for (guint i = 0; i < LARGE_FUNCTIONS; i++) {
		FunctionComparison *function = g_new0(FunctionComparison, 1);
		function->frame = function->renamed_from = large_frame(table, i);
		function->contribution = (i % 3 == 0 ? -.05 : .07) / (1 + i);
		function->contribution_lower = function->contribution - .002;
		function->contribution_upper = function->contribution + .002;
		function->base_cost = .06 * total / (1 + i);
		function->head_cost = function->base_cost + total * function->contribution;
		function->change_ratio = function->head_cost / function->base_cost;
		function->base_samples = function->head_samples = 400;
		function->p_adjusted = function->p_adjusted_improvement = i < 3 ? .01 : 1;
		function->tested = TRUE;
		function->klass = i < 3 ? FUNCTION_REGRESSION : FUNCTION_UNCHANGED;
		function->relation = CHANGE_UNTOUCHED;
		g_ptr_array_add(benchmark->comparison->functions, function);
	}
}

static inline Measurement *large_measurement(StackTable *table, const char *commit)
{
	Measurement *measurement = measurement_new("catalog", commit, "");
	measurement->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint run = 0; run < SAMPLE_RUNS; run++)
		profile_add_run(measurement->profile);
	return measurement;
}

static inline CheckResult *large_result(void)
{
	CheckResult *result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autoptr(StackTable) table = stack_table_new();
	measurement_free(benchmark->base);
	measurement_free(benchmark->head);
	benchmark->base = large_measurement(table, "base");
	benchmark->head = large_measurement(table, "head");
	large_stacks(table, benchmark->base->profile, benchmark->head->profile);
	large_functions(benchmark, table);
	return result;
}

static inline void replace(char **text, const char *by)
{
	g_free(*text);
	*text = g_strdup(by);
}

/* A result in which every text that a repository, a benchmark or a binary can choose is `text`. */
static inline CheckResult *hostile_result(const char *text)
{
	CheckResult *result = check_result_new();
	g_autoptr(StackTable) table = stack_table_new();
	result_side_set(&result->base, text, text, text, text);
	result_side_set(&result->head, text, text, text, text);
	result->environment = environment_new();
	environment_set(result->environment, text, METRIC_REPLICABLE, text);
	replace(&result->config_source, text);
	finding_add(result->findings, FINDING_WARNING, text, text, "%s", text);
	check_result_add_reason(result, 1, text, text, "%s", text);
	ResultBenchmark *benchmark = check_result_add_benchmark(result, text);
	benchmark->base = large_measurement(table, text);
	benchmark->head = large_measurement(table, text);
	Frame frame = {.name = stack_table_name(table, text, -1), .kind = FRAME_USER};
	frame.raw_name = frame.module = frame.file = frame.name;
	FrameId function = stack_table_frame(table, &frame),
	        own = stack_table_frame_named(table, "own", text, FRAME_USER);
	StackId stack = stack_table_push(table, stack_table_push(table, STACK_ROOT, own), function);
	stack = stack_table_push(table, stack, own);
	for (guint run = 0; run < SAMPLE_RUNS; run++) {
		profile_add(benchmark->base->profile, run, stack, (ProfileCell){100, 1000});
		profile_add(benchmark->head->profile, run, stack, (ProfileCell){200, 2000});
		profile_add(benchmark->head->profile, run, stack_table_parent(table, stack), (ProfileCell){200, 2000});
	}
	BenchmarkComparison *comparison = benchmark->comparison = benchmark_comparison_new(text);
	benchmark_comparison_decide(comparison, VERDICT_REGRESSION, text, g_strdup(text));
	replace(&comparison->sentence, text);
	comparison->pair_text = g_strdup(text);
	comparison->confirmation = CONFIRMATION_CONFIRMED;
	comparison->confirmation_text = g_strdup(text);
	comparison->total_change = 3;
	MetricComparison *metric = sample_metric(text, text, 100, 1.5, .1, VERDICT_REGRESSION, TRUE);
	metric->reason = g_strdup(text);
	g_ptr_array_add(comparison->metrics, metric);
	FunctionComparison *row = g_new0(FunctionComparison, 1);
	*row = (FunctionComparison){.frame = function,
	        .renamed_from = own,
	        .base_cost = 500,
	        .head_cost = 2000,
	        .contribution = 1.5,
	        .contribution_lower = 1,
	        .contribution_upper = 2,
	        .change_ratio = 4,
	        .tested = TRUE,
	        .klass = FUNCTION_RENAMED,
	        .gates = TRUE,
	        .note = g_strdup(text),
	        .sentence = g_strdup(text)};
	g_ptr_array_add(comparison->functions, row);
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup(text));
	check_result_decide(result);
	return result;
}
