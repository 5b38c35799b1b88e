/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/verdict.h"

#include <math.h>

#include "compare/comparison/complaints.h"
#include "compare/comparison/filelabels.h"
#include "compare/comparison/judgement.h"
#include "compare/comparison/sentence.h"
#include "compare/comparison/totals.h"
#include "compare/functions/relations.h"
#include "compare/timed/confirmation.h"
#include "compare/timed/endpoints.h"
#include "compare/timed/waiting.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/perwork.h"

static guint common_rounds(const CompareInput *input)
{
	return MIN(measurement_n_runs(input->base), measurement_n_runs(input->head));
}

/* A deterministic metric need not be measured in every round: rounds at the end that neither side measured do not
 * count. */
static guint metric_rounds(const MetricSeries *base, const MetricSeries *head, guint rounds)
{
	guint measured = rounds;
	while (measured > 0 && isnan(metric_value(base, measured - 1)) && isnan(metric_value(head, measured - 1)))
		measured--;
	/* Values that a few rounds settle are not made missing by the rounds that left them out. Of all other
	 * metrics a missing value stays missing. */
	gboolean deterministic = base->comparable == METRIC_DETERMINISTIC && head->comparable == METRIC_DETERMINISTIC;
	return deterministic && measured >= TOTALS_DETERMINISTIC_ROUNDS ? measured : rounds;
}

/* TRUE for metrics that no program can do without: there 0 means that nothing was measured. */
static gboolean is_never_zero(const MetricSeries *series)
{
	static const char *const names[] = {
	        "cycles", "instructions", "branches", "task-clock", "wall", "peak-rss", NULL};
	return series->engine != &engine_benchmark && g_strv_contains(names, series->name);
}

static double *comparable_values(const MetricSeries *series, const Measurement *measurement, guint rounds)
{
	double *values = g_new(double, MAX(rounds, 1));
	for (guint i = 0; i < rounds; i++)
		values[i] =
		        metric_value(series, i) /
		        (metric_is_per_work(series->engine, series->name) ? measurement_run_work(measurement, i) : 1);
	return values;
}

static MetricComparison *compare_series(
        const CompareInput *input, const MetricPolicy *policy, const MetricSeries *base, const MetricSeries *head)
{
	guint rounds = metric_rounds(base, head, common_rounds(input));
	g_autofree double *base_values = comparable_values(base, input->base, rounds);
	g_autofree double *head_values = comparable_values(head, input->head, rounds);
	g_autofree gboolean *base_first = measurement_start_order(input->base, rounds);
	MetricPolicy scaled = *policy;
	/* The floor is of a whole run, and the values are per unit of work. */
	if (metric_is_per_work(base->engine, base->name))
		scaled.abs_floor /= measurement_reported_work(input->base);
	TotalsInput totals = {
	        .base = base_values,
	        .head = head_values,
	        .base_first = base_first,
	        .rounds = rounds,
	        .name = policy->metric,
	        .engine = base->engine,
	        .unit = base->unit,
	        .higher_is_better = base->higher_is_better,
	        .zero_is_measured = !is_never_zero(base),
	        .policy = &scaled,
	        .plan = &input->plan,
	};
	return totals_compare(&totals);
}

/* The property of a metric in which the two sides disagree, so that its values cannot be compared; NULL if there is
 * none. */
static char *disagreement(const MetricSeries *base, const MetricSeries *head)
{
	static const char *const better[] = {"lower", "higher"};
	if (g_str_equal(base->unit, head->unit) && base->higher_is_better == head->higher_is_better)
		return NULL;
	return g_strdup_printf("base gives it in %s (%s is better), head in %s (%s is better)", base->unit,
	        better[base->higher_is_better != FALSE], head->unit, better[head->higher_is_better != FALSE]);
}

/* The row of a metric that cannot be compared; `series` is the side that has it, or NULL. A metric that neither side
 * has and whose policy names no engine is of the one whose campaigns are compared here. Takes the reason. */
static MetricComparison *missing_metric(
        const CompareInput *input, const MetricPolicy *policy, const MetricSeries *series, char *reason)
{
	TotalsInput totals = {
	        .name = policy->metric,
	        .engine = series != NULL           ? series->engine
	                  : policy->engine != NULL ? policy->engine
	                                           : &engine_perf,
	        .unit = series != NULL ? series->unit : "",
	        .higher_is_better = series != NULL && series->higher_is_better,
	        .policy = policy,
	        .plan = &input->plan,
	};
	MetricComparison *comparison = totals_compare(&totals);
	g_free(comparison->reason);
	comparison->reason = reason;
	return comparison;
}

/* The row of a metric that only one side has: with the values of that side. */
static MetricComparison *one_sided_metric(
        const CompareInput *input, const MetricPolicy *policy, const MetricSeries *series, gboolean of_head)
{
	const Measurement *measurement = of_head ? input->head : input->base;
	guint n = measurement_n_runs(measurement);
	g_autofree double *values = comparable_values(series, measurement, n);
	MetricComparison *comparison =
	        missing_metric(input, policy, series, g_strdup_printf("only %s has it", of_head ? "head" : "base"));
	g_array_append_vals(of_head ? comparison->head_values : comparison->base_values, values, n);
	*(of_head ? &comparison->head : &comparison->base) = totals_known_median(values, n);
	return comparison;
}

static gboolean is_measured(const MetricSeries *series)
{
	return series != NULL && !isnan(metric_median(series));
}

/* NULL if a metric that does not gate was measured on neither side. What cannot be compared is shown all the same. */
static MetricComparison *compare_metric(const CompareInput *input, const MetricPolicy *policy)
{
	const MetricSeries *base = measurement_metric(input->base, policy->engine, policy->metric);
	const MetricSeries *head = measurement_metric(input->head, policy->engine, policy->metric);
	/* Metrics that this machine cannot measure would fill every report with empty rows. One that gates and is
	 * not there is an error, and has its row. */
	if (!policy->gates && !is_measured(base) && !is_measured(head))
		return NULL;
	if (base == NULL && head == NULL)
		return missing_metric(input, policy, NULL, g_strdup("neither side has it"));
	if (base == NULL || head == NULL)
		return one_sided_metric(input, policy, base != NULL ? base : head, base == NULL);
	/* A benchmark that reports ms instead of us would be a thousand times faster. */
	char *differs = disagreement(base, head);
	return differs != NULL ? missing_metric(input, policy, NULL, differs)
	                       : compare_series(input, policy, base, head);
}

static void compare_metrics(const CompareInput *input, GPtrArray *metrics)
{
	for (guint i = 0; i < input->policies->len; i++) {
		MetricComparison *metric = compare_metric(input, input->policies->pdata[i]);
		if (metric != NULL)
			g_ptr_array_add(metrics, metric);
	}
	metric_comparisons_sort(metrics);
	/* A second campaign judges only what the first one suspected, at levels of its own. */
	if (input->suspected == NULL)
		endpoints_judge(metrics, input->policies, &input->plan);
}

/* A side with fewer samples than one function needs to be tested did not run what it was meant to run, or so little of
 * it that nothing can be said. */
#define MIN_SAMPLES ELIGIBLE_SAMPLES

static gboolean has_samples(const Profile *profile, guint rounds)
{
	guint64 samples = 0;
	for (guint r = 0; r < rounds; r++)
		samples += profile_run_total(profile, r).samples;
	return samples >= MIN_SAMPLES;
}

/* Sets an error verdict if the profiles cannot be compared. */
static gboolean check_profiles(const CompareInput *input, BenchmarkComparison *comparison)
{
	const Profile *base = input->base->profile, *head = input->head->profile;
	guint rounds = common_rounds(input);
	if (base == NULL && head == NULL)
		return TRUE;
	if (!judgement_has_profiles(comparison, base, rounds, head, rounds))
		return FALSE;
	if (!has_samples(base, rounds) || !has_samples(head, rounds)) {
		benchmark_comparison_decide(comparison, VERDICT_ERROR, "zero_samples",
		        g_strdup_printf("fewer than %d samples in all runs of %s: it used next to no CPU time; repeat "
		                        "the work inside "
		                        "the command until a run takes .5 s",
		                MIN_SAMPLES, has_samples(base, rounds) ? "head" : "base"));
		return FALSE;
	}
	return TRUE;
}

/* Sets an error verdict if there is nothing to judge. */
static gboolean check_measured(const CompareInput *input, BenchmarkComparison *comparison)
{
	return judgement_has_runs(comparison, input->base, input->head, "round") &&
	       (input->suspected != NULL || judgement_has_endpoints(comparison)) &&
	       judgement_has_metrics(comparison, input->base, input->head) && check_profiles(input, comparison);
}

/* TRUE if instructions were counted, and are shown not to have risen beyond their margin, nor seem to have fallen. */
static gboolean is_steady(const GPtrArray *metrics)
{
	gboolean counted = FALSE;
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (!g_str_equal(metric->name, "instructions"))
			continue;
		double most = 1 + metric->margin;
		/* An interval that merely includes 0 does not show that instructions stayed: they are steady only if
		 * a rise is ruled out. */
		if (metric->verdict != VERDICT_PASS ||
		        !(metric->upper_ratio <= most && metric->change_ratio * most >= 1))
			return FALSE;
		counted = TRUE;
	}
	return counted;
}

/* The metric of CPU time; NULL if it was not compared. */
static const MetricComparison *cpu_time(const GPtrArray *metrics)
{
	static const char *const names[] = {"cycles", "task-clock"};
	for (guint n = 0; n < G_N_ELEMENTS(names); n++)
		for (guint i = 0; i < metrics->len; i++) {
			const MetricComparison *metric = metrics->pdata[i];
			if (g_str_equal(metric->name, names[n]) && !isnan(metric->upper_ratio))
				return metric;
		}
	return NULL;
}

/* The same instructions were seen to become 1 to 11 % slower by where they lie in memory. */
#define LAYOUT_MOST .12

static gboolean is_cpu_time(const MetricComparison *metric)
{
	return metric->engine == &engine_perf &&
	       (g_str_equal(metric->name, "cycles") || g_str_equal(metric->name, "task-clock"));
}

/* TRUE if the luck of one build may be all that a total failed by: it took longer for as many instructions, by no more
 * than layout does. With several layouts in turns luck is averaged out already. */
static gboolean may_be_luck(const CompareInput *input, const GPtrArray *metrics)
{
	gboolean failed = FALSE;
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		if (!metric->gates || metric->verdict != VERDICT_REGRESSION)
			continue;
		if (!is_cpu_time(metric) || !(metric->change_ratio <= 1 + LAYOUT_MOST))
			return FALSE;
		failed = TRUE;
	}
	return failed && input->layouts <= 1 && is_steady(metrics);
}

/* The same code with the same work does not fail a check alone, and was not shown to be as fast either. */
static void leave_open(GPtrArray *metrics)
{
	for (guint i = 0; i < metrics->len; i++) {
		MetricComparison *metric = metrics->pdata[i];
		if (!metric->gates || metric->verdict != VERDICT_REGRESSION)
			continue;
		g_autofree char *change = number_change(metric->change_ratio);
		metric->verdict = VERDICT_INCONCLUSIVE;
		g_free(metric->reason);
		metric->reason = g_strdup_printf(JUDGEMENT_SAME_CODE
		        " on both sides, and no more instructions: %s may be where the build put it in memory; "
		        "`layouts: 3` averages that out",
		        change);
	}
}

/* For a first campaign: what a second one confirms was not luck of the noise, but may be luck of the build. */
static void doubt_luck(const CompareInput *input, const CostTable *costs, GPtrArray *metrics)
{
	const RelationInput change = {.costs = costs, .code = input->code, .change = input->change};
	if (input->suspected == NULL && may_be_luck(input, metrics) &&
	        relations_same_code_ran(&change, input->functions.floor_contribution))
		leave_open(metrics);
}

static void compare_functions(const CompareInput *input, BenchmarkComparison *comparison)
{
	if (input->base->profile == NULL)
		return;
	comparison->table = stack_table_ref(input->base->profile->table);
	comparison->head_places = attribution_head_places(input->code);
	FamilyInput functions = {
	        .base = input->base,
	        .head = input->head,
	        .rounds = common_rounds(input),
	        .policy = &input->functions,
	        .code = input->code,
	};
	g_autoptr(FunctionFamily) family = function_family_new(&functions);
	function_family_report(family, comparison);
	doubt_luck(input, family->costs, comparison->metrics);
	const MetricComparison *time = cpu_time(comparison->metrics);
	AttributionInput attribution = {
	        .policy = &input->functions,
	        .contaminated = input->contaminated,
	        .total_failed = judgement_gating(comparison->metrics, VERDICT_REGRESSION) != NULL,
	        .total_change = comparison->total_change,
	        .total_holds = compare_total_holds(comparison->metrics, input->base->profile),
	        /* Without a CPU time nothing bounds what functions may have gained or lost together. */
	        .total_lower = time != NULL ? time->lower_ratio - 1 : -INFINITY,
	        .total_upper = time != NULL ? time->upper_ratio - 1 : INFINITY,
	        .instructions_steady = is_steady(comparison->metrics),
	        .code = input->code,
	        .change = input->change,
	};
	attribution_classify(family, &attribution, comparison->functions);
	attribution_sort(input->base->profile->table, comparison->functions);
	file_labels_set(comparison, comparison->table);
}

static const char *function_name(const BenchmarkComparison *comparison, const FunctionComparison *f)
{
	return stack_table_frame_name(comparison->table, f->frame);
}

static char *function_reason(const BenchmarkComparison *comparison, const FunctionComparison *f, double margin)
{
	g_autofree char *points = number_points(f->contribution), *p = number_p(f->p_adjusted);
	(void)margin;
	return g_strdup_printf("%s costs more: %s of the total, %s", function_name(comparison, f), points, p);
}

/* An objection to the whole campaign: nothing shows then that nothing got worse. */
static Objection campaign_objection(const CompareInput *input, const BenchmarkComparison *comparison)
{
	if (comparison->waits_too_long)
		return (Objection){"waits_more", waiting_objection(&comparison->waiting)};
	if (input->contaminated)
		return (Objection){"contaminated", g_strdup("the control program, which is the same on both sides, "
		                                            "took different times, so this campaign shows nothing")};
	return (Objection){NULL, NULL};
}

static void judge(const CompareInput *input, BenchmarkComparison *comparison)
{
	JudgementInput judgement = {
	        .function_reason = function_reason,
	        .campaign = campaign_objection(input, comparison),
	};
	judgement_decide(comparison, &judgement);
	complaints_judge(input->base, input->head, comparison);
}

/* A wall time or a wait that gates is judged by its own margin. */
static gboolean waits_are_meant(const CompareInput *input, const GPtrArray *metrics)
{
	gboolean meant = input->waits_meant;
	for (guint i = 0; i < metrics->len; i++) {
		const MetricComparison *metric = metrics->pdata[i];
		gboolean holds_it = g_str_equal(metric->name, "wall") || g_str_equal(metric->name, "wait");
		meant |= metric->gates && holds_it && metric->engine == &engine_perf;
	}
	return meant;
}

static void compare_waits(const CompareInput *input, BenchmarkComparison *comparison)
{
	const WaitingChange *waiting = &comparison->waiting;
	comparison->waiting = waiting_compare(input->base, input->head, common_rounds(input));
	comparison->waits_too_long =
	        (waiting->shifted || waiting->unknown) && !waits_are_meant(input, comparison->metrics);
}

static BenchmarkComparison *compare(const CompareInput *input)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(input->head->benchmark);
	compare_metrics(input, comparison->metrics);
	if (check_measured(input, comparison)) {
		compare_functions(input, comparison);
		compare_waits(input, comparison);
		/* A confirmation has a verdict of its own kind: found again, not found, or not to be told. */
		if (input->suspected != NULL)
			confirmation_judge(input, comparison);
		else
			judge(input, comparison);
	}
	comparison->report_alpha = input->functions.report_alpha;
	sentence_renew(comparison);
	return comparison;
}

BenchmarkComparison *compare_benchmark(const CompareInput *input)
{
	if (input->suspected == NULL)
		return compare(input);
	g_autoptr(GPtrArray) policies = confirmation_policies(input);
	CompareInput again = confirmation_input(input, policies, common_rounds(input));
	return compare(&again);
}

BenchmarkComparison *compare_shown_profiles(const CompareInput *input)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(input->head->benchmark);
	if (common_rounds(input) > 0 && check_profiles(input, comparison))
		compare_functions(input, comparison);
	return comparison;
}

gboolean compare_decided(const CompareInput *input)
{
	g_autoptr(GPtrArray) metrics = g_ptr_array_new_with_free_func((GDestroyNotify)metric_comparison_free);
	g_autoptr(GPtrArray) policies = input->suspected != NULL ? confirmation_policies(input) : NULL;
	CompareInput judged = *input;
	if (policies != NULL)
		judged = confirmation_input(input, policies, common_rounds(input));
	compare_metrics(&judged, metrics);
	if (judgement_gating(metrics, VERDICT_ERROR) != NULL)
		return TRUE;
	gboolean failed = judgement_gating(metrics, VERDICT_REGRESSION) != NULL;
	/* A regression may still be accepted, and then what else there is counts: more rounds are needed to see it. */
	if (input->suspected != NULL || (failed && input->beyond_regression))
		return FALSE;
	return failed || judgement_gating(metrics, VERDICT_INCONCLUSIVE) == NULL;
}
