#include "compare/counted/counted.h"

#include <math.h>

#include "compare/counted/countedfunctions.h"
#include "compare/counted/countedtotals.h"
#include "compare/counted/countedwords.h"
#include "compare/sentence.h"
#include "model/engine.h"
#include "model/numbers/number.h"

/* --- can it be compared at all? --- */

/* Says what is wrong with a profile, or NULL. */
static char *find_bad_profile(const Measurement *measurement, const char *side)
{
	const Profile *profile = measurement->profile;
	guint runs = measurement_n_runs(measurement);
	if (profile == NULL || profile_n_runs(profile) < runs)
		return g_strdup_printf("the profile of %s is missing or has too few runs", side);
	for (guint r = 0; r < runs; r++)
		if (profile_run_total(profile, r).weight == 0)
			return g_strdup_printf("nothing was counted in run %u of %s", r + 1, side);
	return NULL;
}

/* Sets an error verdict if the profiles cannot be compared. */
static gboolean check_profiles(const CountedInput *input, BenchmarkComparison *comparison)
{
	const Measurement *const sides[] = {input->base, input->head};
	static const char *const names[] = {"base", "head"};
	if (input->base->profile == NULL && input->head->profile == NULL)
		return TRUE;
	for (guint side = 0; side < G_N_ELEMENTS(sides); side++) {
		const Profile *profile = sides[side]->profile;
		gboolean complete = profile != NULL && profile_n_runs(profile) >= measurement_n_runs(sides[side]);
		char *problem = find_bad_profile(sides[side], names[side]);
		if (problem == NULL)
			continue;
		benchmark_comparison_decide(
		        comparison, VERDICT_ERROR, complete ? "zero_samples" : "profile_missing", problem);
		return FALSE;
	}
	return TRUE;
}

/* The first gating metric with this verdict, or NULL. */
static const MetricComparison *gating_with(const GPtrArray *metrics, Verdict verdict)
{
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (metric->gates && metric->verdict == verdict)
			return metric;
	}
	return NULL;
}

static gboolean check_metrics(const CountedInput *input, BenchmarkComparison *comparison)
{
	const MetricComparison *invalid = gating_with(comparison->metrics, VERDICT_ERROR);
	if (invalid == NULL)
		return TRUE;
	gboolean missing = measurement_metric(input->base, engine_callgrind.name, invalid->name) == NULL ||
	                   measurement_metric(input->head, engine_callgrind.name, invalid->name) == NULL;
	if (missing)
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "metric_missing",
		        g_strdup_printf("%s gates but was not measured on both sides", invalid->name));
	else
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "invalid_value",
		        g_strdup_printf("%s: %s", invalid->name, invalid->reason));
	return FALSE;
}

static gboolean has_runs(const CountedInput *input)
{
	return MIN(measurement_n_runs(input->base), measurement_n_runs(input->head)) > 0;
}

static gboolean has_gating_metric(const GPtrArray *metrics)
{
	for (guint i = 0; i < metrics->len; i++)
		if (((const MetricComparison *)metrics->pdata[i])->gates)
			return TRUE;
	return FALSE;
}

/* Sets an error verdict if there is nothing to judge. */
static gboolean check_measured(const CountedInput *input, BenchmarkComparison *comparison)
{
	if (!has_runs(input))
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "zero_runs",
		        g_strdup_printf("no run was measured on both sides (base %u runs, head %u)",
		                measurement_n_runs(input->base), measurement_n_runs(input->head)));
	else
		return check_metrics(input, comparison) && check_profiles(input, comparison);
	return FALSE;
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
	        .total_failed = gating_with(metrics, VERDICT_REGRESSION) != NULL,
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

static void judge(const CountedFunctions *functions, BenchmarkComparison *comparison)
{
	const MetricComparison *failed = most_telling_metric(comparison->metrics, VERDICT_REGRESSION);
	const MetricComparison *open = most_telling_metric(comparison->metrics, VERDICT_INCONCLUSIVE);
	const FunctionComparison *gating = gating_function(comparison->functions);
	if (!has_gating_metric(comparison->metrics))
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "zero_endpoints",
		        g_strdup("no metric gates, so nothing was judged"));
	else if (failed != NULL)
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "regression",
		        g_strdup_printf("%s regressed: %s", failed->name, failed->reason));
	else if (gating != NULL)
		benchmark_comparison_decide(comparison, VERDICT_REGRESSION, "function_regression",
		        function_reason(comparison, gating, functions->margin));
	else if (open != NULL)
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE,
		        g_str_has_prefix(open->reason, "too few") ? "too_few_rounds" : "interval_too_wide",
		        g_strdup_printf("%s: %s", open->name, open->reason));
	else if (functions->open != NULL)
		benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "too_few_rounds",
		        g_strdup_printf("%s seems to cost more, but does not repeat; %d runs of either side would "
		                        "tell",
		                stack_table_frame_name(comparison->table, functions->open->frame), COUNTED_NOISY_RUNS));
	else
		benchmark_comparison_decide(comparison, VERDICT_PASS, "", g_strdup("every gating metric passes"));
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
		        g_str_has_prefix(metric->reason, "too few"))
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
