/* SPDX-License-Identifier: Apache-2.0 */
/* A result in which every text that a repository, a benchmark, a binary or a machine can choose is the same one: names
 * of benchmarks, metrics, units, events, functions, modules, files, commits, refs and codes, sentences, findings,
 * reasons, fields of the environment, lines of source and machine code. Sampled and counted
 * functions, annotations, history and changed code; where it is broken, a second benchmark that was not compared. Its
 * shape does not depend on the text. */
#pragma once

#include "compare/outcome.h"
#include "compare/result.h"

#include <math.h>

#define HOSTILE_RUNS 8

static inline void hostile_set(char **place, const char *text)
{
	g_free(*place);
	*place = g_strdup(text);
}

static inline FrameId hostile_frame(StackTable *table, const char *text, guint line)
{
	Frame frame = {.name = stack_table_name(table, text, -1), .line = line, .kind = FRAME_USER};
	frame.raw_name = frame.module = frame.file = frame.name;
	return stack_table_frame(table, &frame);
}

/* The functions of a hostile table: one of ours, and two with foreign names in different lines. */
typedef struct {
	FrameId own, foreign[2];
} HostileFrames;

static inline HostileFrames hostile_frames(StackTable *table, const char *text)
{
	return (HostileFrames){stack_table_frame_named(table, "own", "program", FRAME_USER),
	        {hostile_frame(table, text, 7), hostile_frame(table, text, 8)}};
}

/* Stacks own;foreign and own;foreign;foreign, the second cheaper in base. */
static inline Profile *hostile_profile(StackTable *table, const char *text, gboolean head)
{
	HostileFrames frames = hostile_frames(table, text);
	Profile *profile = profile_new(table, text, text);
	StackId first = stack_table_push(table, stack_table_push(table, STACK_ROOT, frames.own), frames.foreign[0]);
	StackId second = stack_table_push(table, first, frames.foreign[1]);
	guint64 more = head ? 2 : 1;
	for (guint run = 0; run < HOSTILE_RUNS; run++) {
		profile_add_run(profile);
		profile_add(profile, run, first, (ProfileCell){1000, 1000000});
		profile_add(profile, run, second, (ProfileCell){600 * more, 600000 * more});
	}
	return profile;
}

static inline void hostile_metric_values(MetricSeries *series, double value)
{
	for (guint run = 0; run < HOSTILE_RUNS; run++)
		g_array_index(series->values, double, run) = value + run;
}

static inline Measurement *hostile_measurement(StackTable *table, const char *text, gboolean head)
{
	Measurement *measurement = measurement_new(text, text, text);
	hostile_set(&measurement->schedule, text);
	environment_set(measurement->environment, text, METRIC_REPLICABLE, text);
	for (guint run = 0; run < HOSTILE_RUNS; run++) {
		RunFacts facts = {.round = run + 1, .samples = 1600, .running_share = 1, .overlap_share = NAN};
		facts.attempts = 1;
		g_array_append_val(measurement->runs, facts);
	}
	hostile_metric_values(measurement_add_metric(measurement, &engine_benchmark, text, text, METRIC_REPLICABLE),
	        head ? 1500 : 1000);
	measurement->profile = hostile_profile(table, text, head);
	return measurement;
}

static inline MetricComparison *hostile_metric(const char *text, const Engine *engine, Verdict verdict)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	*metric = (MetricComparison){.name = g_strdup(text),
	        .engine = engine,
	        .unit = g_strdup(text),
	        .base = 1000,
	        .head = 1500,
	        .change_ratio = 1.5,
	        .lower_ratio = 1.4,
	        .upper_ratio = 1.6,
	        .margin = .03,
	        .pass_margin = .03,
	        .mde_ratio = .01,
	        .rounds = HOSTILE_RUNS,
	        .p_value = .004,
	        .sd_log = .01,
	        .acf1 = NAN,
	        .slot_effect = NAN,
	        .base_spread = NAN,
	        .head_spread = NAN,
	        .gates = TRUE,
	        .verdict = verdict,
	        .reason = g_strdup(text)};
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint run = 0; run < HOSTILE_RUNS; run++) {
		double base = 1000 + run, head = 1500 + run;
		g_array_append_val(metric->base_values, base);
		g_array_append_val(metric->head_values, head);
	}
	return metric;
}

static inline FunctionComparison *hostile_function(
        const HostileFrames *frames, guint index, const char *text, FunctionClass klass)
{
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	*function = (FunctionComparison){.frame = frames->foreign[index],
	        .renamed_from = klass == FUNCTION_RENAMED ? frames->own : frames->foreign[index],
	        .base_cost = 600000,
	        .head_cost = 1200000,
	        .contribution = .375,
	        .contribution_lower = .3,
	        .contribution_upper = .4,
	        .simultaneous_lower = .3,
	        .simultaneous_upper = .4,
	        .change_ratio = 2,
	        .base_samples = 4800,
	        .head_samples = 9600,
	        .tested = TRUE,
	        .share_of_change = NAN,
	        .share_lower = NAN,
	        .share_upper = NAN,
	        .p_value = .004,
	        .p_value_improvement = 1,
	        .p_adjusted = .004,
	        .p_adjusted_improvement = 1,
	        .klass = klass,
	        .relation = CHANGE_TOUCHED,
	        .gates = klass == FUNCTION_REGRESSION,
	        .sentence = g_strdup(text),
	        .note = g_strdup(text)};
	return function;
}

static inline BenchmarkComparison *hostile_comparison(StackTable *table, const char *text, gboolean counted)
{
	HostileFrames frames = hostile_frames(table, text);
	BenchmarkComparison *comparison = benchmark_comparison_new(text);
	benchmark_comparison_decide(comparison, VERDICT_REGRESSION, text, g_strdup(text));
	hostile_set(&comparison->sentence, text);
	comparison->table = stack_table_ref(table);
	comparison->counted = counted;
	comparison->pair_text = g_strdup(text);
	comparison->slower = g_strdup(text);
	comparison->confirmation = CONFIRMATION_CONFIRMED;
	comparison->confirmation_text = g_strdup(text);
	comparison->total_change = .375;
	comparison->report_alpha = .05;
	g_ptr_array_add(comparison->functions, hostile_function(&frames, 1, text, FUNCTION_REGRESSION));
	g_ptr_array_add(comparison->functions, hostile_function(&frames, 0, text, FUNCTION_RENAMED));
	if (counted) {
		UnstableFunction unstable = {frames.foreign[0], 1, 1000000, 1000007};
		comparison->unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
		g_array_append_val(comparison->unstable, unstable);
	}
	return comparison;
}

static inline GPtrArray *hostile_annotations(StackTable *table, const char *text)
{
	FunctionAnnotation *annotation = function_annotation_new(hostile_frames(table, text).foreign[1]);
	AnnotatedLine lines[] = {
	        {7, 7, 0, g_strdup(text), NULL, 10, 10, 20, 20, 1, 1, FALSE},
	        {.n_left_out = 3},
	        {9, 9, 0, g_strdup(text), g_strdup("harmless"), 10, 20, 20, 40, 1, 2, TRUE},
	        {10, 10, 0, g_strdup("harmless"), g_strdup(text), 10, 20, 20, 40, 1, 2, TRUE},
	        {0, 11, 0, g_strdup(text), NULL, NAN, 20, NAN, 40, 0, 2, TRUE},
	};
	AnnotatedInstruction instructions[] = {
	        {.in_base = TRUE, .in_head = TRUE, .text = g_strdup(text), .base_self = 10, .head_self = 20},
	        {4, 4, TRUE, TRUE, 0, g_strdup(text), g_strdup(text), 9, 9, 10, 20, 1, 2},
	};
	GPtrArray *annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	hostile_set(&annotation->base_file, text);
	hostile_set(&annotation->head_file, text);
	annotation->note = g_strdup(text);
	annotation->instructions_note = g_strdup(text);
	annotation->other_base = annotation->other_head = 5;
	g_array_append_vals(annotation->lines, lines, G_N_ELEMENTS(lines));
	g_array_append_vals(annotation->instructions, instructions, G_N_ELEMENTS(instructions));
	g_ptr_array_add(annotations, annotation);
	return annotations;
}

static inline GPtrArray *hostile_history(const char *text)
{
	g_autofree char *subject = g_strdup(text), *sha = g_strdup(text);
	GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	MetricHistory *history = metric_history_new(text, &engine_benchmark, text);
	for (guint i = 0; i < 3; i++) {
		HistoryPoint point = {.sha = sha,
		        .subject = subject,
		        .time_s = 1700000000 + i,
		        .same_environment = i > 0,
		        .median = 1000 + i,
		        .lower = 990 + i,
		        .upper = 1010 + i,
		        .runs = HOSTILE_RUNS,
		        .fingerprint = sha};
		metric_history_add(history, &point);
	}
	g_ptr_array_add(all, history);
	return all;
}

static inline void hostile_benchmark(CheckResult *result, StackTable *table, const char *text)
{
	ResultBenchmark *benchmark = check_result_add_benchmark(result, text);
	benchmark->base = hostile_measurement(table, text, FALSE);
	benchmark->head = hostile_measurement(table, text, TRUE);
	benchmark->comparison = hostile_comparison(table, text, FALSE);
	g_ptr_array_add(benchmark->comparison->metrics, hostile_metric(text, &engine_perf, VERDICT_REGRESSION));
	g_ptr_array_add(benchmark->comparison->metrics, hostile_metric(text, &engine_benchmark, VERDICT_ERROR));
	g_ptr_array_add(benchmark->comparison->metrics, hostile_metric(text, &engine_callgrind, VERDICT_REGRESSION));
	benchmark->annotations = hostile_annotations(table, text);
	benchmark->history = hostile_history(text);
	ResultProfile counted = {.event = (char *)text, .engine = &engine_callgrind, .decides = TRUE};
	counted.base = hostile_measurement(table, text, FALSE);
	counted.head = hostile_measurement(table, text, TRUE);
	counted.comparison = hostile_comparison(table, text, TRUE);
	counted.annotations = hostile_annotations(table, text);
	result_benchmark_add_profile(benchmark, &counted);
	g_autofree char *extra = g_strconcat(text, ".diff_svg", NULL);
	const char *artifacts[] = {"diff_svg", text, extra, text};
	for (guint i = 0; i < G_N_ELEMENTS(artifacts); i++)
		g_ptr_array_add(benchmark->artifacts, g_strdup(artifacts[i]));
}

static inline void hostile_changed_function(ChangedHunk *hunk, const char *text, gboolean counted)
{
	const ChangedFunction function = {
	        .benchmark = (char *)text,
	        .name = (char *)text,
	        .module = (char *)text,
	        .counted = counted,
	        .contribution = .375,
	        .klass = FUNCTION_REGRESSION,
	};
	g_ptr_array_add(hunk->functions, changed_function_copy(&function));
}

static inline ChangedCode *hostile_changed(const char *text)
{
	ChangedCode *code = changed_code_new();
	g_autofree char *other = g_strconcat(text, ".old", NULL);
	ChangedSource *file = changed_code_add_file(code, other, text);
	ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){7, 2, 7, 2});
	ChangedLine lines[] = {
	        {CHANGED_CONTEXT, 7, 7, 0, g_strdup(text), 10, 10},
	        {CHANGED_REMOVED, 8, 0, 0, g_strdup(text), 10, NAN},
	        {.n_left_out = 3, .text = g_strdup(""), .base_self = NAN, .head_self = NAN},
	        {CHANGED_ADDED, 0, 8, 0, g_strdup(text), NAN, 20},
	};
	g_array_append_vals(hunk->lines, lines, G_N_ELEMENTS(lines));
	hostile_changed_function(hunk, text, FALSE);
	hostile_changed_function(hunk, text, TRUE);
	hunk->costs_benchmark = g_strdup(text);
	file->note = g_strdup(text);
	file->n_hunks = code->n_measured_hunks = code->n_measured_files = 1;
	code->n_files = 2;
	return code;
}

/* Adds what else went wrong, so that the check is an error and no regression. */
static inline void hostile_breakage(CheckResult *result, const char *text)
{
	g_autofree char *other = g_strconcat(text, " too", NULL);
	check_result_add_reason(result, 4, text, other, "%s", text);
	check_result_add_reason(result, 7, text, NULL, "%s", text);
	check_result_add_benchmark(result, other);
}

/* A regression, or with `broken` an error. Owned by the caller. */
static inline CheckResult *hostile_check(const char *text, gboolean broken)
{
	g_autoptr(StackTable) table = stack_table_new();
	CheckResult *result = check_result_new();
	result_side_set(&result->base, text, text, text, text);
	result_side_set(&result->head, text, text, text, text);
	result->environment = environment_new();
	environment_set(result->environment, text, METRIC_REPLICABLE, text);
	hostile_set(&result->config_source, text);
	for (FindingSeverity severity = FINDING_INFO; severity <= FINDING_ERROR; severity++) {
		g_autofree char *code = g_strdup_printf("%s %u", text, severity);
		finding_add(result->findings, severity, code, text, "%s", text);
	}
	check_result_add_reason(result, 1, text, text, "%s", text);
	hostile_benchmark(result, table, text);
	result->changed = hostile_changed(text);
	if (broken)
		hostile_breakage(result, text);
	check_result_decide(result);
	return result;
}

/* Replaces what a schema allows few values for, which our own results never have another value in. */
static inline void hostile_keep_to_schema(CheckResult *result)
{
	static const char sha[] = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
	hostile_set(&result->base.sha, sha);
	hostile_set(&result->head.sha, sha);
	hostile_set(&result->config_source, "base");
	hostile_set(&((EnvironmentField *)g_ptr_array_index(result->environment->fields, 0))->name, "field");
	for (guint i = 0; i < finding_count(result->findings); i++)
		hostile_set(&((Finding *)finding_get(result->findings, i))->code, "remark");
	for (guint i = 0; i < result->reasons->len; i++)
		hostile_set(&((ResultReason *)g_ptr_array_index(result->reasons, i))->code, "reason");
	for (guint i = 0; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_ptr_array_set_size(benchmark->artifacts, 0);
		for (guint j = 0; benchmark->history != NULL && j < benchmark->history->len; j++) {
			const MetricHistory *history = g_ptr_array_index(benchmark->history, j);
			for (guint k = 0; k < history->points->len; k++)
				hostile_set(&g_array_index(history->points, HistoryPoint, k).sha, sha);
		}
		if (benchmark->comparison == NULL)
			continue;
		hostile_set(&benchmark->comparison->reason_code, "regression");
		hostile_set(&benchmark->base->schedule, "sequential");
		hostile_set(&benchmark->head->schedule, "sequential");
		for (guint j = 0; j < benchmark->profiles->len; j++) {
			ResultProfile *profile = g_ptr_array_index(benchmark->profiles, j);
			hostile_set(&profile->comparison->reason_code, "regression");
			hostile_set(&profile->base->schedule, "sequential");
			hostile_set(&profile->head->schedule, "sequential");
		}
	}
}
