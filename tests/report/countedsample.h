/* SPDX-License-Identifier: Apache-2.0 */
/* Results of counts as a check would make them, without counting anything: the benchmark of sample.h under
 * callgrind, alone or beside the perf engine. */
#pragma once

#include "compare/counted/enginepair.h"
#include "compare/outcome.h"
#include "tests/report/sample.h"

#define COUNTED_PER_SAMPLE 100000

typedef struct {
	guint runs;     /* of either side */
	guint64 added;  /* to hash_word, of head */
	guint64 jitter; /* what read_clock differs by from one run of a side to the next; 0 = all counts repeat */
} CountedSample;

static inline void counted_add(Profile *profile, guint run, const char *stack, guint64 cost)
{
	profile_add(profile, run, sample_stack(profile->table, "catalog", stack), (ProfileCell){cost, cost});
}

static inline Measurement *counted_measurement(StackTable *table, const CountedSample *sample, gboolean head)
{
	static const char clock[] = "main@catalog;read_clock@catalog";
	Measurement *measurement = measurement_new("catalog", "worktree", "");
	Profile *profile = measurement->profile = profile_new(table, "instructions", "instructions");
	for (guint run = 0; run < sample->runs; run++) {
		RunFacts facts = {.round = run + 1, .running_share = 1, .overlap_share = NAN, .attempts = 1};
		profile_add_run(profile);
		for (guint i = 0; i < G_N_ELEMENTS(sample_stacks); i++) {
			guint64 cost = (guint64)sample_stacks[i].base * COUNTED_PER_SAMPLE + 17 * i + 1;
			gboolean changed = head && g_str_has_suffix(sample_stacks[i].stack, ";hash_word@catalog");
			if (strstr(sample_stacks[i].stack, "[k]") == NULL && sample_stacks[i].base > 0)
				counted_add(profile, run, sample_stacks[i].stack, cost + (changed ? sample->added : 0));
		}
		counted_add(profile, run, clock, 4 * COUNTED_PER_SAMPLE + run * sample->jitter);
		g_array_append_val(measurement->runs, facts);
	}
	return measurement;
}

/* The extremes over the runs of a side: of one function, or of the total with COUNTED_TOTAL. */
typedef struct {
	double lowest, highest, mean;
} CountedRange;

#define COUNTED_TOTAL ((FrameId){G_MAXUINT32})

static inline CountedRange counted_range(const Profile *profile, FrameId frame)
{
	guint n_frames, n = profile_n_runs(profile);
	g_autofree ProfileCell *self = profile_self_by_frame(profile, &n_frames);
	CountedRange range = {INFINITY, -INFINITY, 0};
	for (guint run = 0; run < n; run++) {
		guint64 cost = frame.index == COUNTED_TOTAL.index ? profile_run_total(profile, run).weight
		                                                  : self[(gsize)frame.index * n + run].weight;
		range.lowest = fmin(range.lowest, (double)cost);
		range.highest = fmax(range.highest, (double)cost);
		range.mean += (double)cost / n;
	}
	return range;
}

static inline MetricComparison *counted_metric(const Measurement *base, const Measurement *head, double margin)
{
	guint n = profile_n_runs(base->profile);
	CountedRange b = counted_range(base->profile, COUNTED_TOTAL), h = counted_range(head->profile, COUNTED_TOTAL);
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup("instructions");
	metric->engine = &engine_callgrind;
	metric->unit = g_strdup("instructions");
	metric->base = b.mean;
	metric->head = h.mean;
	metric->change_ratio = h.mean / b.mean;
	metric->lower_ratio = h.lowest / b.highest;
	metric->upper_ratio = h.highest / b.lowest;
	metric->margin = metric->pass_margin = margin;
	metric->base_spread = n > 1 ? (b.highest - b.lowest) / b.mean : NAN;
	metric->head_spread = n > 1 ? (h.highest - h.lowest) / h.mean : NAN;
	metric->p_value = metric->sd_log = metric->acf1 = metric->slot_effect = NAN;
	metric->alpha_fail = metric->alpha_pass = NAN;
	metric->rounds = n;
	metric->gates = TRUE;
	metric->deterministic = b.lowest == b.highest && h.lowest == h.highest;
	metric->verdict = metric->lower_ratio > 1 + margin ? VERDICT_REGRESSION : VERDICT_PASS;
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	metric->head_values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint run = 0; run < n; run++) {
		double of_base = (double)profile_run_total(base->profile, run).weight;
		double of_head = (double)profile_run_total(head->profile, run).weight;
		g_array_append_val(metric->base_values, of_base);
		g_array_append_val(metric->head_values, of_head);
	}
	return metric;
}

static inline void counted_function(BenchmarkComparison *comparison, const Measurement *base, const Measurement *head,
        const char *name, FunctionClass klass)
{
	FrameId frame = sample_frame(base->profile->table, name);
	CountedRange b = counted_range(base->profile, frame), h = counted_range(head->profile, frame);
	double total = counted_range(base->profile, COUNTED_TOTAL).mean;
	FunctionComparison *function = g_new0(FunctionComparison, 1);
	function->frame = function->renamed_from = frame;
	function->base_cost = b.mean;
	function->head_cost = h.mean;
	function->contribution = (h.mean - b.mean) / total;
	function->contribution_lower = function->simultaneous_lower = (h.lowest - b.highest) / total;
	function->contribution_upper = function->simultaneous_upper = (h.highest - b.lowest) / total;
	function->change_ratio = h.mean / b.mean;
	function->share_of_change = function->share_lower = function->share_upper = NAN;
	function->p_value = function->p_value_improvement = NAN;
	function->p_adjusted = function->p_adjusted_improvement = NAN;
	function->tested = TRUE;
	function->repeats = b.lowest == b.highest && h.lowest == h.highest;
	function->klass = klass;
	function->gates = klass == FUNCTION_REGRESSION;
	function->relation = klass == FUNCTION_REGRESSION ? CHANGE_TOUCHED : CHANGE_UNTOUCHED;
	g_ptr_array_add(comparison->functions, function);
}

static inline void counted_unstable(BenchmarkComparison *comparison, const Measurement *measurement, guint side)
{
	FrameId frame = sample_frame(measurement->profile->table, "read_clock");
	CountedRange range = counted_range(measurement->profile, frame);
	UnstableFunction function = {frame, side, range.lowest, range.highest};
	if (range.lowest < range.highest)
		g_array_append_val(comparison->unstable, function);
}

static inline BenchmarkComparison *counted_comparison(const Measurement *base, const Measurement *head)
{
	BenchmarkComparison *comparison = benchmark_comparison_new("catalog");
	MetricComparison *metric = counted_metric(base, head, .005);
	gboolean slower = metric->verdict == VERDICT_REGRESSION;
	comparison->counted = TRUE;
	comparison->unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
	comparison->total_change = metric->change_ratio - 1;
	g_ptr_array_add(comparison->metrics, metric);
	counted_function(comparison, base, head, "hash_word", slower ? FUNCTION_REGRESSION : FUNCTION_UNCHANGED);
	counted_function(comparison, base, head, "read_clock", FUNCTION_UNCHANGED);
	counted_function(comparison, base, head, "count_word", FUNCTION_UNCHANGED);
	counted_function(comparison, base, head, "msort", FUNCTION_UNCHANGED);
	counted_unstable(comparison, base, 0);
	counted_unstable(comparison, head, 1);
	benchmark_comparison_decide(comparison, metric->verdict, slower ? "regression" : "",
	        g_strdup(slower ? "instructions regressed: +1.20 % (886 k more), beyond the margin of 0.5 %"
	                        : "every gating metric passes"));
	g_free(comparison->sentence);
	comparison->sentence = g_strdup(
	        slower ? "catalog runs 1.20 % more instructions (+886 k), caused by hash_word, edited in this change"
	               : "catalog: instructions unchanged (73.8 M)");
	return comparison;
}

/* A check by callgrind alone. */
static inline CheckResult *counted_result(const CountedSample *sample)
{
	CheckResult *result = check_result_new();
	g_autoptr(StackTable) table = stack_table_new();
	result_side_set(
	        &result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "catalog: sort rows");
	result_side_set(
	        &result->head, "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80", "topic", "--head", "catalog: mix better");
	ResultBenchmark *benchmark = check_result_add_benchmark(result, "catalog");
	benchmark->engine = &engine_callgrind;
	benchmark->base_source = BASE_MEASURED;
	benchmark->base = counted_measurement(table, sample, FALSE);
	benchmark->head = counted_measurement(table, sample, TRUE);
	benchmark->comparison = counted_comparison(benchmark->base, benchmark->head);
	check_result_decide(result);
	return result;
}

static inline int counted_by_gates(gconstpointer left, gconstpointer right)
{
	const MetricComparison *a = *(MetricComparison *const *)left, *b = *(MetricComparison *const *)right;
	return (int)b->gates - (int)a->gates;
}

/* A check by both engines: time as in sample.h or, if not `slower`, within its margins. */
static inline CheckResult *counted_both(const CountedSample *sample, gboolean slower, EnginePair pair, const char *text)
{
	CheckResult *result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	BenchmarkComparison *timed = benchmark->comparison;
	StackTable *table = benchmark->head->profile->table;
	ResultProfile extra = {.event = (char *)"instructions",
	        .base = counted_measurement(table, sample, FALSE),
	        .head = counted_measurement(table, sample, TRUE),
	        .engine = &engine_callgrind,
	        .decides = TRUE};
	extra.comparison = counted_comparison(extra.base, extra.head);
	benchmark->engine = &engine_perf;
	benchmark->base_source = BASE_STORED;
	g_ptr_array_set_size(result->reasons, 0);
	if (!slower) {
		MetricComparison *time = g_ptr_array_index(timed->metrics, 0);
		time->head = time->base;
		g_array_set_size(time->head_values, 0);
		g_array_append_vals(time->head_values, time->base_values->data, time->base_values->len);
		time->change_ratio = 1;
		time->lower_ratio = .996;
		time->upper_ratio = 1.004;
		time->verdict = VERDICT_PASS;
		g_ptr_array_set_size(timed->functions, 0);
		benchmark_comparison_decide(timed, extra.comparison->verdict, extra.comparison->reason_code,
		        g_strdup(extra.comparison->reason));
		g_free(timed->sentence);
		timed->sentence = g_strdup(extra.comparison->sentence);
	}
	g_ptr_array_add(timed->metrics, counted_metric(extra.base, extra.head, .005));
	g_ptr_array_sort(timed->metrics, counted_by_gates);
	timed->pair = (int)pair;
	timed->pair_text = g_strdup(text);
	result_benchmark_add_profile(benchmark, &extra);
	check_result_decide(result);
	return result;
}
