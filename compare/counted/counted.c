/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/counted.h"

#include <math.h>

#include "compare/comparison/complaints.h"
#include "compare/comparison/countedwords.h"
#include "compare/comparison/judgement.h"
#include "compare/comparison/sentence.h"
#include "compare/counted/countedfunctions.h"
#include "compare/counted/countedtotals.h"
#include "model/engine.h"
#include "model/numbers/number.h"

/* --- can it be compared at all? --- */

/* Sets an error verdict if in a run of this side nothing was counted. */
static gboolean check_counts(const Measurement *measurement, const char *side, BenchmarkComparison *comparison)
{
	for (guint r = 0; r < measurement_n_runs(measurement); r++) {
		if (profile_run_total(measurement->profile, r).weight > 0)
			continue;
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "zero_samples",
		        g_strdup_printf("nothing was counted in run %u of %s", r + 1, side));
		return FALSE;
	}
	return TRUE;
}

/* Sets an error verdict if the profiles cannot be compared. */
static gboolean check_profiles(const CountedInput *input, BenchmarkComparison *comparison)
{
	const Measurement *base = input->base, *head = input->head;
	if (base->profile == NULL && head->profile == NULL)
		return TRUE;
	return judgement_has_profiles(
	               comparison, base->profile, measurement_n_runs(base), head->profile, measurement_n_runs(head)) &&
	       check_counts(base, "base", comparison) && check_counts(head, "head", comparison);
}

static gboolean has_runs(const CountedInput *input)
{
	return MIN(measurement_n_runs(input->base), measurement_n_runs(input->head)) > 0;
}

/* Sets an error verdict if there is nothing to compare. */
static gboolean check_measured(const CountedInput *input, BenchmarkComparison *comparison)
{
	return judgement_has_runs(comparison, input->base, input->head, "run") &&
	       judgement_has_metrics(comparison, input->base, input->head) && check_profiles(input, comparison);
}

/* --- the verdict --- */

static void compare_metrics(const CountedInput *input, GPtrArray *metrics)
{
	for (guint i = 0; i < input->policies->len; i++) {
		MetricComparison *metric = counted_metric(input, input->policies->pdata[i]);
		if (metric != NULL)
			g_ptr_array_add(metrics, metric);
	}
	metric_comparisons_sort(metrics);
}

/* The margin of the gating metric that the profile counts; NAN if there is none, or if functions do not gate. */
static double function_margin(const CountedInput *input, const GPtrArray *metrics)
{
	for (guint i = 0; i < metrics->len && input->gate_functions; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (metric->gates && g_str_equal(metric->name, input->head->profile->unit))
			return metric->margin;
	}
	return NAN;
}

/* The totals that hold functions back. The total that the profile counts is exact, so within its margin it tells
 * enough. */
static HoldInput function_hold(const CountedInput *input, const GPtrArray *metrics)
{
	HoldInput hold = {
	        .total_failed = judgement_gating(metrics, VERDICT_REGRESSION) != NULL,
	        .strict = input->strict_functions,
	};
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (metric->gates && g_str_equal(metric->name, input->head->profile->unit))
			hold.total_holds = metric->verdict == VERDICT_PASS;
	}
	return hold;
}

static char *function_reason(const BenchmarkComparison *comparison, const FunctionComparison *f, double margin)
{
	g_autofree char *points = number_count_points(f->contribution), *allowed = number_share(margin);
	return g_strdup_printf("%s costs more: %s of the total, beyond the margin of %s",
	        stack_table_frame_name(comparison->table, f->frame), points, allowed);
}

/* A function that seems to cost more, but of which more runs would have to tell. */
static Objection function_objection(const CountedFunctions *functions, const BenchmarkComparison *comparison)
{
	if (functions->open == NULL)
		return (Objection){NULL, NULL};
	const char *name = stack_table_frame_name(comparison->table, functions->open->frame);
	return (Objection){"too_few_rounds", g_strdup_printf("%s seems to cost more, but its counts differ between "
	                                                     "runs of one side; %d runs of each side would tell",
	                                             name, COUNTED_NOISY_RUNS)};
}

/* Functions are shown also where no metric gates. */
static void judge(const CountedFunctions *functions, BenchmarkComparison *comparison)
{
	JudgementInput judgement = {
	        .function_reason = function_reason,
	        .margin = functions->margin,
	        .functions = function_objection(functions, comparison),
	};
	if (judgement_has_endpoints(comparison))
		judgement_decide(comparison, &judgement);
	g_free(judgement.functions.text);
}

static BenchmarkComparison *comparison_new(const CountedInput *input)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(input->head->benchmark);
	comparison->counted = TRUE;
	return comparison;
}

static void ensure_unstable(BenchmarkComparison *comparison)
{
	if (comparison->unstable == NULL)
		comparison->unstable = g_array_new(FALSE, FALSE, sizeof(UnstableFunction));
}

/* Judges everything but the words. */
static BenchmarkComparison *compare(const CountedInput *input, CountedFunctions *functions)
{
	BenchmarkComparison *comparison = comparison_new(input);
	*functions = (CountedFunctions){.margin = NAN};
	compare_metrics(input, comparison->metrics);
	if (check_measured(input, comparison)) {
		if (input->head->profile != NULL) {
			functions->margin = function_margin(input, comparison->metrics);
			functions->hold = function_hold(input, comparison->metrics);
			counted_functions_compare(input, functions, comparison);
		}
		judge(functions, comparison);
		complaints_judge(input->base, input->head, comparison);
	}
	ensure_unstable(comparison);
	return comparison;
}

BenchmarkComparison *compare_counted(const CountedInput *input)
{
	CountedFunctions functions;
	BenchmarkComparison *comparison = compare(input, &functions);
	sentence_renew(comparison);
	return comparison;
}

BenchmarkComparison *compare_counted_shown(const CountedInput *input)
{
	BenchmarkComparison *comparison = comparison_new(input);
	CountedFunctions functions = {.margin = NAN};
	if (has_runs(input) && check_profiles(input, comparison) && input->head->profile != NULL)
		counted_functions_compare(input, &functions, comparison);
	ensure_unstable(comparison);
	return comparison;
}

/* --- how many runs --- */

/* TRUE if more runs of counts that do not repeat may change what is known. */
static gboolean needs_noisy_runs(const GPtrArray *metrics)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (metric->gates && metric->verdict == VERDICT_INCONCLUSIVE &&
		        g_str_equal(judgement_open_code(metric), "too_few_rounds"))
			return TRUE;
	}
	return FALSE;
}

/* TRUE if anything that can gate differs between the sides at all. */
static gboolean any_difference(const BenchmarkComparison *comparison)
{
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = comparison->metrics->pdata[i];
		if (metric->gates && metric->base != metric->head)
			return TRUE;
	}
	return gating_function(comparison->functions) != NULL;
}

CountedRuns counted_runs_needed(const CountedInput *input)
{
	if (!has_runs(input))
		return (CountedRuns){2, 1};
	CountedFunctions functions;
	g_autoptr(BenchmarkComparison) comparison = compare(input, &functions);
	guint runs = MAX(measurement_n_runs(input->base), measurement_n_runs(input->head));
	if (comparison->verdict == VERDICT_ERROR)
		return (CountedRuns){1, 1};
	if (needs_noisy_runs(comparison->metrics) || functions.open != NULL)
		return (CountedRuns){COUNTED_NOISY_RUNS, COUNTED_NOISY_RUNS};
	return runs < 2 && any_difference(comparison) ? (CountedRuns){2, 1} : (CountedRuns){1, 1};
}
