/* SPDX-License-Identifier: Apache-2.0 */
/* A small result as a check would make it, without measuring anything: one benchmark in which hash_word became dearer,
 * render_rows cheaper, print_page vanished, hash_mix is new, and the rest moves a little, as samples do. */
#pragma once

#include "compare/comparison/sentence.h"
#include "compare/outcome.h"
#include "compare/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_RUNS 8
#define SAMPLE_PERIOD_NS 500250

typedef struct {
	const char *stack; /* frames separated by `;`, each "name@module", "name@[k]" for the kernel, "name!module"
	                      inlined */
	guint base, head;  /* samples per run */
} SampleStack;

static const SampleStack sample_stacks[] = {
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;generate_text@catalog", 61, 61},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog", 38, 37},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog;count_word@catalog", 84, 86},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog;count_word@catalog;hash_word@"
         "catalog",
                120, 254},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog;count_word@catalog;hash_word@"
         "catalog;"
         "hash_mix!catalog",
                0, 38},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog;count_word@catalog;"
         "__strncmp_avx2@libc.so.6",
                47, 48},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;count_words@catalog;memset@libc.so.6", 12, 11},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;sort_rows@catalog;qsort_r@libc.so.6", 18, 18},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;sort_rows@catalog;qsort_r@libc.so.6;msort@libc.so.6",
                66, 65},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;sort_rows@catalog;qsort_r@libc.so.6;msort@libc.so.6;"
         "compare_rows@catalog",
                71, 73},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;render_rows@catalog", 118, 61},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;render_rows@catalog;snprintf@libc.so.6", 33, 34},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;render_rows@catalog;snprintf@libc.so.6;"
         "__vfprintf_internal@libc.so.6",
                52, 50},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;print_page@catalog", 14, 0},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;generate_text@catalog;asm_exc_page_fault@[k]", 6, 7},
        {"_start@catalog;__libc_start_main@libc.so.6;main@catalog;generate_text@catalog;asm_exc_page_fault@[k];"
         "clear_page_erms@[k]",
                17, 16},
};

/* Pushes one "name@module" onto a stack. */
static inline StackId sample_push(StackTable *table, StackId parent, const char *text)
{
	const char *separator = strpbrk(text, "@!");
	g_autofree char *name = separator == NULL ? g_strdup(text) : g_strndup(text, (gsize)(separator - text));
	const char *module = separator == NULL ? "" : separator + 1;
	gboolean kernel = strcmp(module, "[k]") == 0;
	Frame frame = {
	        .name = stack_table_name(table, name, -1),
	        .module = stack_table_name(table, kernel ? "[kernel]" : module, -1),
	        .raw_name = stack_table_name(table, name, -1),
	        .file = stack_table_name(table, strcmp(module, "catalog") == 0 ? "src/catalog.c" : "", -1),
	        .line = strcmp(module, "catalog") == 0 ? 10 + (guint)strlen(name) : 0,
	        .kind = kernel                                   ? FRAME_KERNEL
	                : separator != NULL && *separator == '!' ? FRAME_INLINED
	                                                         : FRAME_USER,
	};
	return stack_table_push(table, parent, stack_table_frame(table, &frame));
}

/* The stack of a `;`-separated text below the command `command` (NULL = none). */
static inline StackId sample_stack(StackTable *table, const char *command, const char *text)
{
	StackId stack = STACK_ROOT;
	if (command != NULL)
		stack = stack_table_push(table, stack, stack_table_frame_named(table, command, NULL, FRAME_COMMAND));
	g_auto(GStrv) frames = g_strsplit(text, ";", -1);
	for (guint i = 0; frames[i] != NULL; i++)
		stack = sample_push(table, stack, frames[i]);
	return stack;
}

static inline Measurement *sample_measurement(StackTable *table, gboolean head)
{
	Measurement *measurement = measurement_new("catalog",
	        head ? "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80" : "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
	        head ? "2222222222222222222222222222222222222222" : "1111111111111111111111111111111111111111");
	g_free(measurement->schedule);
	measurement->schedule = g_strdup("coscheduled");
	measurement->profile = profile_new(table, "cpu-clock:u", "ns");
	for (guint run = 0; run < SAMPLE_RUNS; run++) {
		guint64 samples = 0;
		profile_add_run(measurement->profile);
		for (guint i = 0; i < G_N_ELEMENTS(sample_stacks); i++) {
			guint count = head ? sample_stacks[i].head : sample_stacks[i].base;
			if (count > 20)
				count = count + (run * 7 + i * 3 + head) % 5 - 2;
			StackId stack = sample_stack(table, "catalog", sample_stacks[i].stack);
			profile_add(measurement->profile, run, stack,
			        (ProfileCell){.samples = count, .weight = (guint64)count * SAMPLE_PERIOD_NS});
			samples += count;
		}
		RunFacts facts = {
		        .round = run + 1,
		        .started_first = (run % 2 == 0) != head,
		        .wall_ns = samples * SAMPLE_PERIOD_NS * 2,
		        .samples = samples,
		        .steal_share = .002,
		        .running_share = 1,
		        .overlap_share = .97,
		        .attempts = 1,
		};
		g_array_append_val(measurement->runs, facts);
	}
	return measurement;
}

static inline MetricComparison *sample_metric(const char *name, const char *unit, double base, double change_ratio,
        double spread, Verdict verdict, gboolean gates)
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(name);
	metric->engine = &engine_perf;
	metric->unit = g_strdup(unit);
	metric->base = base;
	metric->head = base * change_ratio;
	metric->change_ratio = change_ratio;
	metric->lower_ratio = change_ratio - spread;
	metric->upper_ratio = change_ratio + spread;
	metric->margin = .03;
	metric->pass_margin = .06;
	metric->mde_ratio = .0135;
	metric->rounds = SAMPLE_RUNS;
	metric->rounds_needed = 6;
	metric->alpha_fail = .01;
	metric->alpha_pass = .05;
	metric->p_value = verdict == VERDICT_REGRESSION ? .0039 : .42;
	metric->sd_log = .011;
	metric->acf1 = NAN;
	metric->slot_effect = .001;
	metric->gates = gates;
	metric->verdict = verdict;
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	MetricLook look = {SAMPLE_RUNS, log(metric->lower_ratio), log(metric->upper_ratio), verdict};
	g_array_append_val(metric->looks, look);
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < SAMPLE_RUNS; i++) {
		double b = base * (1 + .001 * (i % 3)), h = b * change_ratio;
		g_array_append_val(metric->base_values, b);
		g_array_append_val(metric->head_values, h);
	}
	return metric;
}

/* Finds a frame by name; the last one interned of that name. */
static inline FrameId sample_frame(const StackTable *table, const char *name)
{
	for (guint32 i = stack_table_n_frames(table); i-- > 0;) {
		if (strcmp(stack_table_frame_name(table, (FrameId){i}), name) == 0)
			return (FrameId){i};
	}
	g_assert_not_reached();
}

static inline double sample_mean(const ProfileCell *self, FrameId frame, gboolean samples)
{
	double sum = 0;
	for (guint run = 0; run < SAMPLE_RUNS; run++) {
		const ProfileCell *cell = &self[frame.index * SAMPLE_RUNS + run];
		sum += (double)(samples ? cell->samples : cell->weight);
	}
	return sum / SAMPLE_RUNS;
}

static inline FunctionComparison *sample_function(
        const ResultBenchmark *benchmark, const char *name, FunctionClass klass, double p_adjusted, gboolean gates)
{
	guint n;
	const StackTable *table = benchmark->head->profile->table;
	g_autofree ProfileCell *base = profile_self_by_frame(benchmark->base->profile, &n);
	g_autofree ProfileCell *head = profile_self_by_frame(benchmark->head->profile, &n);
	double total = 0;
	for (guint run = 0; run < SAMPLE_RUNS; run++)
		total += (double)profile_run_total(benchmark->base->profile, run).weight / SAMPLE_RUNS;
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->frame = function->renamed_from = sample_frame(table, name);
	function->base_cost = sample_mean(base, function->frame, FALSE);
	function->head_cost = sample_mean(head, function->frame, FALSE);
	function->contribution = (function->head_cost - function->base_cost) / total;
	function->contribution_lower = function->contribution - .006;
	function->contribution_upper = function->contribution + .006;
	function->simultaneous_lower = function->contribution - .009;
	function->simultaneous_upper = function->contribution + .009;
	function->change_ratio = function->base_cost > 0 ? function->head_cost / function->base_cost : NAN;
	function->base_samples = (guint64)lround(SAMPLE_RUNS * sample_mean(base, function->frame, TRUE));
	function->head_samples = (guint64)lround(SAMPLE_RUNS * sample_mean(head, function->frame, TRUE));
	function->tested = TRUE;
	function->p_value = p_adjusted / 4;
	function->p_adjusted = function->contribution > 0 ? p_adjusted : 1;
	function->p_adjusted_improvement = function->contribution > 0 ? 1 : p_adjusted;
	function->mde_ratio = .062;
	function->klass = klass;
	function->gates = gates;
	return function;
}

static inline int sample_by_contribution(gconstpointer left, gconstpointer right)
{
	const FunctionComparison *a = *(FunctionComparison *const *)left, *b = *(FunctionComparison *const *)right;
	return a->contribution > b->contribution ? -1 : a->contribution < b->contribution;
}

static inline void sample_functions(ResultBenchmark *benchmark)
{
	static const struct {
		const char *name;
		FunctionClass klass;
		double p;
		gboolean gates;
	} rows[] = {
	        {"hash_word", FUNCTION_REGRESSION, .0039, TRUE},
	        {"hash_mix", FUNCTION_NEW, .0039, FALSE},
	        {"count_word", FUNCTION_UNCHANGED, .71, FALSE},
	        {"compare_rows", FUNCTION_UNCHANGED, .83, FALSE},
	        {"generate_text", FUNCTION_UNCHANGED, .95, FALSE},
	        {"msort", FUNCTION_UNCHANGED, .99, FALSE},
	        {"__vfprintf_internal", FUNCTION_UNCHANGED, .6, FALSE},
	        {"print_page", FUNCTION_REMOVED, .0117, FALSE},
	        {"render_rows", FUNCTION_IMPROVEMENT, .0039, FALSE},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		g_ptr_array_add(benchmark->comparison->functions,
		        sample_function(benchmark, rows[i].name, rows[i].klass, rows[i].p, rows[i].gates));
	g_ptr_array_sort(benchmark->comparison->functions, sample_by_contribution);
}

/* A metric that the benchmark reports itself and nothing gates on. */
static inline void sample_own_metric(BenchmarkComparison *comparison)
{
	MetricComparison *own = sample_metric("latency-p99", "us", 812, 1.02, .05, VERDICT_INCONCLUSIVE, FALSE);
	own->engine = &engine_benchmark;
	own->lower_ratio = 0;
	own->mde_ratio = NAN;
	g_ptr_array_add(comparison->metrics, own);
}

/* Two more of its own metrics: a count that left 0, and one that cannot be compared. Both read like that whether they
 * come from a check or from its report. */
static inline void sample_zero_metrics(BenchmarkComparison *comparison)
{
	static const char *const names[] = {"errors", "balance"};
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		MetricComparison *metric = sample_metric(
		        names[i], "count", i == 0 ? 0 : -5, 1, .01, i == 0 ? VERDICT_REGRESSION : VERDICT_ERROR, FALSE);
		metric->engine = &engine_benchmark;
		metric->head = 100000;
		metric->change_ratio = metric->lower_ratio = metric->upper_ratio = i == 0 ? INFINITY : NAN;
		metric->mde_ratio = metric->sd_log = NAN;
		metric->reason = g_strdup(i == 0 ? "0 in every run of base and above 0 in every run of head"
		                                 : "cannot be compared as a ratio: round 1 of base has the value -5");
		g_ptr_array_add(comparison->metrics, metric);
	}
}

static inline FunctionComparison *sample_row(const ResultBenchmark *benchmark, const char *name)
{
	for (guint i = 0; i < benchmark->comparison->functions->len; i++) {
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, i);
		if (strcmp(stack_table_frame_name(benchmark->head->profile->table, function->frame), name) == 0)
			return function;
	}
	g_assert_not_reached();
}

/* Adds what is known where the code was looked at, the regression measured again, and the gate calibrated. */
static inline void sample_trust(ResultBenchmark *benchmark)
{
	static const struct {
		const char *name;
		ChangeRelation relation;
		CodeIdentity code;
	} rows[] = {
	        {"hash_word", CHANGE_TOUCHED, CODE_CHANGED},
	        {"hash_mix", CHANGE_TOUCHED, CODE_UNKNOWN},
	        {"count_word", CHANGE_CALLS_TOUCHED, CODE_SAME},
	        {"render_rows", CHANGE_UNTOUCHED, CODE_SAME},
	        {"msort", CHANGE_UNKNOWN, CODE_SAME},
	};
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		FunctionComparison *function = sample_row(benchmark, rows[i].name);
		function->relation = rows[i].relation;
		function->code = rows[i].code;
	}
	sample_row(benchmark, "hash_word")->sentence =
	        g_strdup("hash_word +17.6 pp [+17.0, +18.2], edited in this change");
	benchmark->comparison->confirmation = CONFIRMATION_CONFIRMED;
	benchmark->comparison->confirmation_text = g_strdup("task-clock +13.1 % [+11.9, +14.3]");
	benchmark->campaign = (CampaignFacts){
	        .rounds = SAMPLE_RUNS,
	        .retries = 1,
	        .layouts = 3,
	        .stack_bytes = 12288,
	        .overlap_share = .97,
	        .interference_ratio = 1.021,
	        .estimate_s = 31.5,
	        .elapsed_s = 12.25,
	        .yardstick = {SAMPLE_RUNS, 1.002, .995, 1.009, FALSE},
	};
	benchmark->calibration = g_new0(CalibrationSummary, 1);
	*benchmark->calibration = (CalibrationSummary){
	        .campaigns = 24,
	        .passes = 23,
	        .function_alarms = 1,
	        .alarm_rate_upper = .11734,
	        .smallest_visible = .0259,
	        .aa_spread = .0031,
	};
}

/* The files that the output folder gets, as far as texts name them. */
static inline void sample_artifacts(ResultBenchmark *benchmark)
{
	static const char *const artifacts[] = {"diff_svg", "catalog.diff.svg", "off-cpu.head_svg",
	        "catalog.off-cpu.head.svg", "off-cpu.diff_svg", "catalog.off-cpu.diff.svg", "page-faults.diff_svg",
	        "catalog.page-faults.diff.svg"};
	for (guint i = 0; i < G_N_ELEMENTS(artifacts); i++)
		g_ptr_array_add(benchmark->artifacts, g_strdup(artifacts[i]));
}

/* A result whose one benchmark has everything but a verdict of its own. */
static inline CheckResult *sample_result(void)
{
	CheckResult *result = check_result_new();
	result_side_set(
	        &result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "catalog: sort rows");
	result_side_set(
	        &result->head, "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80", "topic", "--head", "catalog: mix | better");
	result->environment = environment_new();
	environment_set(result->environment, "cpu_model", METRIC_REPLICABLE, "Example CPU @ 3.00GHz");
	environment_set(result->environment, "kernel_release", METRIC_REPLICABLE, "6.1.0");
	g_free(result->config_source);
	result->config_source = g_strdup("base");
	result->seed = 42;
	result->elapsed_s = 31.5;
	finding_add(result->findings, FINDING_WARNING, "no_hardware_counters", NULL,
	        "no hardware counters on this machine; CPU time decides, changes below 1.4 %% stay unseen");
	finding_add(
	        result->findings, FINDING_INFO, "unknown_frames", "catalog", "0.8 %% of the samples have no symbol");

	ResultBenchmark *benchmark = check_result_add_benchmark(result, "catalog");
	g_autoptr(StackTable) table = stack_table_new();
	benchmark->base = sample_measurement(table, FALSE);
	benchmark->head = sample_measurement(table, TRUE);
	BenchmarkComparison *comparison = benchmark->comparison = benchmark_comparison_new("catalog");
	comparison->verdict = VERDICT_REGRESSION;
	g_free(comparison->reason_code);
	g_free(comparison->reason);
	g_free(comparison->sentence);
	comparison->reason_code = g_strdup("regression");
	comparison->sentence = g_strdup("catalog is 13 % slower (12 to 15 %), caused by hash_word in catalog.c:19");
	comparison->reason = g_strdup("task-clock regressed: the whole interval is above the margin of 3 %");
	comparison->total_change = .134;
	comparison->other_contribution = .001;
	comparison->unknown_contribution = 0;
	comparison->tested_functions = 9;
	comparison->flips = 256;
	comparison->phi = 1.1;
	comparison->d0 = 8;
	g_ptr_array_add(
	        comparison->metrics, sample_metric("task-clock", "ns", 3.787e8, 1.134, .013, VERDICT_REGRESSION, TRUE));
	g_ptr_array_add(
	        comparison->metrics, sample_metric("peak-rss", "bytes", 5242880, 1.001, .002, VERDICT_PASS, TRUE));
	g_ptr_array_add(
	        comparison->metrics, sample_metric("page-faults", "count", 412, 1.0, .004, VERDICT_PASS, FALSE));
	sample_own_metric(comparison);
	sample_functions(benchmark);
	check_result_decide(result);
	return result;
}

/* As somebody accepted whatever regressed in the only benchmark: no function gates any more. */
static inline void sample_accept(CheckResult *result)
{
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	BenchmarkComparison *comparison = benchmark->comparison;
	const AcceptedRegression written = {FALSE, (char *)"task-clock", &engine_perf, (char *)"task-clock +13.4 %",
	        (char *)"worth it", (char *)"firebreak.yml:6"};
	((MetricComparison *)g_ptr_array_index(comparison->metrics, 0))->accepted = TRUE;
	for (guint i = 0; i < comparison->functions->len; i++)
		((FunctionComparison *)g_ptr_array_index(comparison->functions, i))->gates = FALSE;
	benchmark_comparison_add_accepted(comparison, accepted_regression_copy(&written));
	benchmark_comparison_decide(comparison, VERDICT_PASS, "accepted", g_strdup("accepted in firebreak.yml:6"));
	check_result_decide(result);
}

/* Adds a part that is inlined into a function, with its cost on both sides as shares of the base total. */
static inline void sample_add_part(
        ResultBenchmark *benchmark, FunctionComparison *function, const char *name, double base, double head)
{
	StackTable *table = benchmark->head->profile->table;
	double total = (function->head_cost - function->base_cost) / function->contribution;
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = stack_table_frame_named(table, name, "catalog", FRAME_INLINED);
	part->base_cost = base * total;
	part->head_cost = head * total;
	part->contribution = head - base;
	part->contribution_lower = part->contribution - .005;
	part->contribution_upper = part->contribution + .005;
	part->base_samples = (guint64)lround(part->base_cost * SAMPLE_RUNS / SAMPLE_PERIOD_NS);
	part->head_samples = (guint64)lround(part->head_cost * SAMPLE_RUNS / SAMPLE_PERIOD_NS);
	part->place = (FunctionPlace){.file = stack_table_name(table, "src/mix.h", -1), .line = 7};
	if (function->inlined == NULL)
		function->inlined = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(function->inlined, part);
}

/* A benchmark that passes although hash_word, in which cost moved between what is inlined into it, is slower for
 * certain. */
static inline CheckResult *sample_slower_result(void)
{
	CheckResult *result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	BenchmarkComparison *comparison = benchmark->comparison;
	FunctionComparison *function = sample_row(benchmark, "hash_word");
	sample_trust(benchmark);
	function->gates = FALSE;
	function->held = FUNCTION_HELD_BY_TOTAL;
	sample_add_part(benchmark, function, "mix_all", .03, .28);
	sample_add_part(benchmark, function, "mix_one", .08, .04);
	sample_add_part(benchmark, function, "mix_none", .001, .004);
	((InlinedPart *)g_ptr_array_index(function->inlined, 0))->relation = CHANGE_TOUCHED;
	metric_comparison_free(g_ptr_array_index(comparison->metrics, 0));
	comparison->metrics->pdata[0] = sample_metric("task-clock", "ns", 3.787e8, 1.004, .012, VERDICT_PASS, TRUE);
	comparison->confirmation = CONFIRMATION_NOT_NEEDED;
	benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("no rise beyond the margin"));
	g_free(comparison->sentence);
	comparison->sentence = g_strdup("catalog: no slowdown beyond 6 % (measured +0.40 %, -0.80 to +1.6 %)");
	comparison->slower = g_strdup("slower although the total passes: hash_word +17.6 pp [+17.0, +18.2]; masked by "
	                              "render_rows -7.5 pp");
	comparison->total_change = .004;
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	return result;
}

/* The same with cost that only moved to hash_word from another function. */
static inline CheckResult *sample_moved_result(void)
{
	CheckResult *result = sample_slower_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *function = sample_row(benchmark, "hash_word");
	function->klass = FUNCTION_COST_SHIFT;
	g_free(function->note);
	function->note = g_strdup("cost moved from render_rows");
	if (benchmark->comparison->table == NULL)
		benchmark->comparison->table = stack_table_ref(benchmark->head->profile->table);
	g_free(benchmark->comparison->slower);
	benchmark->comparison->slower = sentence_of_slower(benchmark->comparison);
	return result;
}
