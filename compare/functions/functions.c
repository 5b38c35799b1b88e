/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/functions/functions.h"

#include <math.h>

#include "compare/functions/inlinedparts.h"
#include "compare/functions/renames.h"
#include "compare/statistics/special.h"

#define CAMPAIGN_QUANTILE 1.96 /* normal, .975 */
#define SMALLEST_EFFECT 4.84   /* in standard errors: 4.0 for a family's critical value, .84 for 80 % power */

double function_row_difference(const FunctionRow *row, guint round)
{
	return row->head_cost[round] - row->base_cost[round];
}

static FunctionRow row_of(const CostTable *costs, FrameId base, FrameId head)
{
	return (FunctionRow){
	        .base = base,
	        .head = head,
	        .base_cost = side_costs_of(&costs->base, base),
	        .head_cost = side_costs_of(&costs->head, head),
	        .base_samples = costs->base.samples[base.index],
	        .head_samples = costs->head.samples[head.index],
	        .tested = -1,
	};
}

/* A pair of names is one row, that of head's name. The old name stands in it as `base`, so where head does not have
 * that name any more it gets no row of its own: its cost would count twice. */
GArray *function_rows_new(const CostTable *costs, const CodeFacts *code)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(FunctionRow));
	g_autofree FrameId *other = renames_find(costs, code);
	for (guint f = 0; f < costs->n_frames; f++) {
		FrameId frame = {f};
		gboolean renamed = other[f].index != f;
		if (!frame_is_function(costs->base.profile->table, frame) || (renamed && !costs->head.present[f]))
			continue;
		FunctionRow row = row_of(costs, other[f], frame);
		if (row.base_samples + row.head_samples > 0)
			g_array_append_val(rows, row);
	}
	return rows;
}

static double row_cost(const FunctionRow *row, guint rounds)
{
	return mean_over_rounds(row->base_cost, rounds) + mean_over_rounds(row->head_cost, rounds);
}

static double sampled_mean(const SideCosts *side, guint rounds)
{
	return mean_over_rounds(side->total, rounds) - mean_over_rounds(side->unsampled, rounds);
}

/* Both sides are pooled here, as in the dispersion: what decides which functions are tested, and how, must not change
 * when base and head of a round change places, else p-values of the sign flips are not exact. */
static gboolean is_eligible(const FunctionRow *row, const CostTable *costs)
{
	double sampled = sampled_mean(&costs->base, costs->rounds) + sampled_mean(&costs->head, costs->rounds);
	return row->base_samples + row->head_samples >= ELIGIBLE_SAMPLES &&
	       row_cost(row, costs->rounds) >= ELIGIBLE_SHARE * sampled;
}

/* Copies the costs of rows, in sample equivalents, into one block for the test. */
typedef struct {
	GArray *base, *head; /* of double, [row * rounds + round] */
	GArray *margins;     /* of double, per row */
} FamilyMatrix;

static void matrix_add(FamilyMatrix *matrix, const FunctionRow *row, const CostTable *costs)
{
	for (guint r = 0; r < costs->rounds; r++) {
		double base = row->base_cost[r] * costs->unit, head = row->head_cost[r] * costs->unit;
		g_array_append_val(matrix->base, base);
		g_array_append_val(matrix->head, head);
	}
}

/* The change that a strict gate tests against: the larger of the two floors. */
static void matrix_add_margin(
        FamilyMatrix *matrix, const FunctionRow *row, const CostTable *costs, const FunctionPolicy *policy)
{
	double of_total = policy->floor_contribution * costs->base_total;
	double of_itself = policy->floor_relative * mean_over_rounds(row->base_cost, costs->rounds);
	double margin = MAX(of_total, of_itself) * costs->unit;
	g_array_append_val(matrix->margins, margin);
}

static FamilyMatrix matrix_new(void)
{
	return (FamilyMatrix){
	        g_array_new(FALSE, FALSE, sizeof(double)),
	        g_array_new(FALSE, FALSE, sizeof(double)),
	        g_array_new(FALSE, FALSE, sizeof(double)),
	};
}

static void matrix_clear(FamilyMatrix *matrix)
{
	g_array_unref(matrix->base);
	g_array_unref(matrix->head);
	g_array_unref(matrix->margins);
}

static FlipInput matrix_input(const FamilyMatrix *matrix, guint rounds)
{
	return (FlipInput){
	        .functions = matrix->base->len / rounds,
	        .rounds = rounds,
	        .base = (const double *)matrix->base->data,
	        .head = (const double *)matrix->head->data,
	};
}

/* Returns the typical dispersion over all functions, tested or not. */
static double family_dispersion(FunctionFamily *family)
{
	FamilyMatrix all = matrix_new();
	for (guint i = 0; i < family->rows->len; i++)
		matrix_add(&all, &g_array_index(family->rows, FunctionRow, i), family->costs);
	FlipInput input = matrix_input(&all, family->costs->rounds);
	double phi = flip_dispersion(&input);
	family->interval_phi = flip_interval_dispersion(&input);
	matrix_clear(&all);
	return phi;
}

static FlipTest *family_test(FunctionFamily *family, const FunctionPolicy *policy)
{
	FamilyMatrix eligible = matrix_new();
	for (guint i = 0; i < family->rows->len; i++) {
		FunctionRow *row = &g_array_index(family->rows, FunctionRow, i);
		if (!is_eligible(row, family->costs))
			continue;
		row->tested = (gint)eligible.margins->len;
		matrix_add(&eligible, row, family->costs);
		matrix_add_margin(&eligible, row, family->costs, policy);
	}
	FlipInput input = matrix_input(&eligible, family->costs->rounds);
	input.phi = family_dispersion(family);
	input.margins = policy->strict_floor ? (const double *)eligible.margins->data : NULL;
	FlipTest *test = flip_test_new(&input);
	matrix_clear(&eligible);
	return test;
}

FunctionFamily *function_family_new(const FamilyInput *input)
{
	FunctionFamily *family = g_new0(FunctionFamily, 1);
	family->costs = cost_table_new(input->base, input->head, input->rounds);
	family->rows = function_rows_new(family->costs, input->code);
	family->test = family_test(family, input->policy);
	return family;
}

void function_family_free(FunctionFamily *family)
{
	if (family == NULL)
		return;
	flip_test_free(family->test);
	g_array_unref(family->rows);
	cost_table_free(family->costs);
	g_free(family);
}

static double covariance(const double *x, const double *y, guint k)
{
	double mean_x = mean_over_rounds(x, k), mean_y = mean_over_rounds(y, k), sum = 0;
	for (guint i = 0; i < k; i++)
		sum += (x[i] - mean_x) * (y[i] - mean_y);
	return sum / (k - 1);
}

SeriesBounds series_bounds(const double *difference, guint k)
{
	double mean = mean_over_rounds(difference, k);
	if (k < 2)
		return (SeriesBounds){mean, NAN, NAN};
	double half = student_upper_quantile(.05, k - 1) * sqrt(covariance(difference, difference, k) / k);
	return (SeriesBounds){mean, mean - half, mean + half};
}

/* The interval of a ratio of two means that vary together (Fieller 1954): the ratios x for which f - x all is not shown
 * to differ from 0, that is a - 2 b x + c x^2 <= 0. If the change of the total may be 0 (c <= 0), they have no end. */
ChangeShare change_share(const double *function, const double *total, guint k)
{
	const ChangeShare unknown = {NAN, NAN, NAN};
	if (k < 2)
		return unknown;
	double t = student_upper_quantile(.025, k - 1), weight = t * t / k;
	double f = mean_over_rounds(function, k), all = mean_over_rounds(total, k);
	double a = f * f - weight * covariance(function, function, k);
	double b = f * all - weight * covariance(function, total, k);
	double c = all * all - weight * covariance(total, total, k);
	if (!(c > 0))
		return unknown;
	double root = sqrt(MAX(b * b - a * c, 0));
	return (ChangeShare){f / all, (b - root) / c, (b + root) / c};
}

static void report_share(FunctionComparison *out, const FunctionFamily *family, const FunctionRow *row)
{
	const CostTable *costs = family->costs;
	g_autofree double *function = g_new(double, costs->rounds);
	g_autofree double *total = g_new(double, costs->rounds);
	for (guint r = 0; r < costs->rounds; r++) {
		function[r] = function_row_difference(row, r);
		total[r] = costs->head.total[r] - costs->base.total[r];
	}
	ChangeShare share = change_share(function, total, costs->rounds);
	out->share_of_change = share.share;
	out->share_lower = share.lower;
	out->share_upper = share.upper;
}

/* The standard error of the mean difference of a tested row, as its interval has it. The test has
 * another phi, the one that flips do not change (flip_interval_dispersion() says why). */
static double interval_error(const FunctionFamily *family, const FunctionRow *row)
{
	const FlipTest *test = family->test;
	g_autofree double *difference = g_new(double, test->rounds);
	for (guint r = 0; r < test->rounds; r++)
		difference[r] = test->difference[(gsize)r * test->functions + (guint)row->tested];
	double v0 = flip_prior_variance(family->interval_phi, test->s1[row->tested]);
	return flip_standard_error(difference, test->rounds, v0);
}

double campaign_half_width(double within, double contribution)
{
	return hypot(within, CAMPAIGN_QUANTILE * CAMPAIGN_SPREAD * contribution);
}

/* Adds the results of the test to a row: intervals, p-values, resolution. The test works in sample equivalents, what is
 * reported is a share of base's total. */
static void report_test(FunctionComparison *out, const FunctionFamily *family, const FunctionRow *row)
{
	const FlipTest *test = family->test;
	double to_share = 1 / family->costs->unit / family->costs->base_total;
	double se = interval_error(family, row) * to_share;
	double pointwise = student_upper_quantile(.025, FLIP_PRIOR_ROUNDS + test->rounds - 1) * se;
	double simultaneous =
	        campaign_half_width(test->multiplier * test->se[row->tested] * to_share, out->contribution);
	out->tested = TRUE;
	double half = campaign_half_width(pointwise, out->contribution);
	out->contribution_lower = out->contribution - half;
	out->contribution_upper = out->contribution + half;
	out->simultaneous_lower = out->contribution - simultaneous;
	out->simultaneous_upper = out->contribution + simultaneous;
	out->p_value = test->p_value[row->tested];
	out->p_value_improvement = test->p_value_improvement[row->tested];
	out->p_adjusted = test->p_adjusted[row->tested];
	out->p_adjusted_improvement = test->p_adjusted_improvement[row->tested];
	if (out->base_cost > 0)
		out->mde_ratio = SMALLEST_EFFECT * se * family->costs->base_total / out->base_cost;
	report_share(out, family, row);
}

static FunctionComparison *report_row(const FunctionFamily *family, const FunctionRow *row)
{
	guint rounds = family->costs->rounds;
	FunctionComparison *out = g_new0(FunctionComparison, 1);
	out->frame = row->head;
	out->renamed_from = row->base;
	out->base_cost = mean_over_rounds(row->base_cost, rounds);
	out->head_cost = mean_over_rounds(row->head_cost, rounds);
	out->contribution = (out->head_cost - out->base_cost) / family->costs->base_total;
	out->change_ratio = out->base_cost > 0 ? out->head_cost / out->base_cost : NAN;
	out->base_samples = row->base_samples;
	out->head_samples = row->head_samples;
	out->contribution_lower = out->contribution_upper = NAN;
	out->simultaneous_lower = out->simultaneous_upper = NAN;
	out->share_of_change = out->share_lower = out->share_upper = NAN;
	out->p_value = out->p_value_improvement = out->p_adjusted = out->p_adjusted_improvement = NAN;
	out->mde_ratio = NAN;
	if (row->tested >= 0)
		report_test(out, family, row);
	return out;
}

/* With the interval that a tested function of that size would have. */
static InlinedPart *report_part(const FunctionFamily *family, const InlinedCosts *inlined)
{
	const CostTable *costs = family->costs;
	guint rounds = costs->rounds;
	g_autofree double *difference = g_new(double, rounds);
	for (guint r = 0; r < rounds; r++)
		difference[r] = (inlined->head_cost[r] - inlined->base_cost[r]) * costs->unit;
	InlinedPart *part = g_new0(InlinedPart, 1);
	part->frame = inlined->frame;
	part->base_cost = mean_over_rounds(inlined->base_cost, rounds);
	part->head_cost = mean_over_rounds(inlined->head_cost, rounds);
	part->contribution = (part->head_cost - part->base_cost) / costs->base_total;
	part->base_samples = inlined->base_samples;
	part->head_samples = inlined->head_samples;
	double v0 = flip_prior_variance(family->interval_phi, (part->base_cost + part->head_cost) * costs->unit);
	double pointwise = student_upper_quantile(.025, FLIP_PRIOR_ROUNDS + rounds - 1) *
	                   flip_standard_error(difference, rounds, v0) / costs->unit / costs->base_total;
	double half = campaign_half_width(pointwise, part->contribution);
	part->contribution_lower = part->contribution - half;
	part->contribution_upper = part->contribution + half;
	return part;
}

/* `first` is where the rows of the family begin among the functions. */
static void report_parts(const FunctionFamily *family, GPtrArray *functions, guint first)
{
	g_autoptr(GPtrArray) parts = inlined_costs_new(family->costs, family->rows);
	for (guint i = 0; i < parts->len; i++) {
		const InlinedCosts *inlined = parts->pdata[i];
		inlined_part_add(functions->pdata[first + inlined->row], report_part(family, inlined));
	}
}

static double change_of(const double *base, const double *head, const CostTable *costs)
{
	return (mean_over_rounds(head, costs->rounds) - mean_over_rounds(base, costs->rounds)) / costs->base_total;
}

void function_family_report(const FunctionFamily *family, BenchmarkComparison *comparison)
{
	const CostTable *costs = family->costs;
	comparison->other_contribution = 0;
	guint first = comparison->functions->len;
	for (guint i = 0; i < family->rows->len; i++) {
		FunctionComparison *out = report_row(family, &g_array_index(family->rows, FunctionRow, i));
		comparison->other_contribution += out->tested ? 0 : out->contribution;
		g_ptr_array_add(comparison->functions, out);
	}
	report_parts(family, comparison->functions, first);
	comparison->total_change = change_of(costs->base.total, costs->head.total, costs);
	comparison->unknown_contribution = change_of(costs->base.no_function, costs->head.no_function, costs);
	comparison->unsampled_contribution = change_of(costs->base.unsampled, costs->head.unsampled, costs);
	comparison->tested_functions = family->test->functions;
	comparison->flips = family->test->flips;
	comparison->phi = family->test->phi;
	comparison->d0 = FLIP_PRIOR_ROUNDS;
}
