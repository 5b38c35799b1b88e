/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/counted/countedtotals.h"

#include <math.h>

#include "compare/comparison/countedwords.h"
#include "compare/comparison/judgement.h"
#include "compare/comparison/totals.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "model/perwork.h"

#define EQUAL_SLACK 1e-12 /* a change of exactly the margin is not beyond it */

CountedRange counted_range(const double *values, guint n)
{
	CountedRange range = {n, values[0], values[0]};
	for (guint i = 1; i < n; i++) {
		range.lowest = MIN(range.lowest, values[i]);
		range.highest = MAX(range.highest, values[i]);
	}
	return range;
}

gboolean counted_range_repeats(const CountedRange *range)
{
	return range->lowest == range->highest;
}

gboolean counted_enough_runs(const CountedRange *base, const CountedRange *head)
{
	return MIN(base->runs, head->runs) >= COUNTED_NOISY_RUNS;
}

gboolean counted_is_beyond(double ratio, double margin)
{
	return margin > 0 ? ratio > (1 + margin) * (1 + EQUAL_SLACK) : ratio > 1 + margin;
}

double counted_ratio(double base, double head)
{
	return base == head ? 1 : head / base;
}

/* TRUE for metrics that no program can do without: there 0 means that nothing was counted. */
static gboolean is_never_zero(const MetricPolicy *policy)
{
	static const char *const names[] = {"instructions", "estimated-cycles", NULL};
	return g_strv_contains(names, policy->metric);
}

static GArray *values_of(const MetricSeries *series, const Measurement *measurement, const MetricPolicy *policy)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; series != NULL && i < measurement_n_runs(measurement); i++) {
		double work = metric_is_per_work(&engine_callgrind, policy->metric)
		                      ? measurement_run_work(measurement, i)
		                      : 1;
		double value = metric_value(series, i) / work;
		g_array_append_val(values, value);
	}
	return values;
}

static MetricComparison *row_new(const MetricPolicy *policy, GArray *base, GArray *head)
{
	MetricComparison *row = g_new0(MetricComparison, 1);
	row->name = g_strdup(policy->metric);
	row->engine = &engine_callgrind;
	row->margin = row->pass_margin = policy->margin;
	row->gates = policy->gates;
	row->base_values = base;
	row->head_values = head;
	row->base = totals_known_median((const double *)base->data, base->len);
	row->head = totals_known_median((const double *)head->data, head->len);
	row->rounds = MIN(base->len, head->len);
	row->change_ratio = row->lower_ratio = row->upper_ratio = row->mde_ratio = row->p_value = NAN;
	row->alpha_fail = row->alpha_pass = row->sd_log = row->acf1 = row->slot_effect = NAN;
	row->base_spread = row->head_spread = NAN;
	row->verdict = VERDICT_ERROR;
	row->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	return row;
}

static char *value_problem(guint run, const char *side, double value)
{
	g_autofree char *plain = number_plain(value);
	return g_strdup_printf("run %u of %s has the value %s, which cannot be compared", run + 1, side, plain);
}

/* The first value of a side that cannot be compared, as text, or NULL. */
static char *find_bad_value(const GArray *values, const MetricPolicy *policy, const char *side)
{
	for (guint i = 0; i < values->len; i++) {
		double value = g_array_index(values, double, i);
		if (isnan(value))
			return g_strdup_printf("it was not measured in run %u of %s", i + 1, side);
		if (!isfinite(value) || value < 0 || (value == 0 && is_never_zero(policy)))
			return value_problem(i, side, value);
	}
	return NULL;
}

/* Tells why the sides cannot be compared, or NULL. */
static char *find_invalid(const MetricComparison *row, const MetricPolicy *policy, const MetricSeries *const series[2])
{
	if (series[0] == NULL || series[1] == NULL)
		return series[0] == series[1] ? g_strdup("neither side has it")
		                              : g_strdup_printf("only %s has it", series[0] != NULL ? "base" : "head");
	if (!g_str_equal(series[0]->unit, series[1]->unit))
		return g_strdup_printf("base gives it in %s, head in %s", series[0]->unit, series[1]->unit);
	if (!isfinite(policy->margin) || !isfinite(policy->abs_floor))
		return g_strdup("its margins are not finite numbers");
	if (row->rounds == 0)
		return g_strdup("no runs were measured");
	char *problem = find_bad_value(row->base_values, policy, "base");
	return problem != NULL ? problem : find_bad_value(row->head_values, policy, "head");
}

/* The spread of the runs of one side, as a share of their median; NaN for a single run. */
static double spread_of(const CountedRange *range, double median)
{
	if (range->runs < 2)
		return NAN;
	return counted_range_repeats(range) ? 0 : (range->highest - range->lowest) / median;
}

/* The number of ways to tell n of a + b runs apart: n! / (a! b!). */
static double orders(guint a, guint b)
{
	double ways = 1;
	for (guint i = 1; i <= a; i++)
		ways = ways * (b + i) / i;
	return ways;
}

static void fill_change(MetricComparison *row, const CountedRange *base, const CountedRange *head)
{
	row->deterministic = counted_range_repeats(base) && counted_range_repeats(head);
	row->change_ratio = counted_ratio(row->base, row->head);
	row->lower_ratio = counted_ratio(base->highest, head->lowest);
	row->upper_ratio = counted_ratio(base->lowest, head->highest);
	row->base_spread = spread_of(base, row->base);
	row->head_spread = spread_of(head, row->head);
	row->rounds_needed = row->deterministic ? 1 : COUNTED_NOISY_RUNS;
	if (row->deterministic) {
		row->mde_ratio = 0;
		return;
	}
	/* If nothing changed, every order of the runs is as likely, and one of them has all of head above all of base.
	 */
	row->alpha_fail = row->alpha_pass = 1 / orders(base->runs, head->runs);
	if (row->base > 0 && head->lowest > 0)
		row->mde_ratio = base->highest / row->base * (row->head / head->lowest) - 1;
}

/* TRUE if a pass would still be one if the runs differed by much more than they do. */
static gboolean is_settled(const MetricComparison *row, const CountedRange *base, const CountedRange *head)
{
	double spread = counted_ratio(base->lowest, base->highest) * counted_ratio(head->lowest, head->highest) - 1;
	return !counted_is_beyond(row->upper_ratio * (1 + COUNTED_SETTLED_SPREADS * spread), row->margin);
}

static Verdict judge(const MetricComparison *row, const CountedRange *base, const CountedRange *head)
{
	gboolean fails = counted_is_beyond(row->lower_ratio, row->margin);
	gboolean passes = !counted_is_beyond(row->upper_ratio, row->margin);
	if (row->negligible)
		return VERDICT_PASS;
	if (!row->deterministic && !counted_enough_runs(base, head))
		return passes && is_settled(row, base, head) ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
	if (fails)
		return VERDICT_REGRESSION;
	return passes ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

static char *regression_reason(const MetricComparison *row)
{
	if (isinf(row->lower_ratio))
		return g_strdup("0 in every run of base and above 0 in every run of head");
	g_autofree char *change = counted_change(row), *margin = number_share(row->margin);
	if (row->deterministic)
		return g_strdup_printf("%s, beyond the margin of %s", change, margin);
	g_autofree char *least = number_count_change(row->lower_ratio);
	return g_strdup_printf("at least %s, beyond the margin of %s", least, margin);
}

static gboolean is_undecidable(const MetricComparison *row)
{
	return !counted_is_beyond(row->lower_ratio, row->margin) && counted_is_beyond(row->upper_ratio, row->margin);
}

static char *inconclusive_reason(const MetricComparison *row)
{
	guint base = row->base_values->len, head = row->head_values->len;
	if (!is_undecidable(row))
		return g_strdup_printf(JUDGEMENT_TOO_FEW
		        " runs: %u of base and %u of head, and its counts differ between runs of one side; %d "
		        "of each are needed",
		        base, head, COUNTED_NOISY_RUNS);
	g_autofree char *from = number_count_change(row->lower_ratio), *to = number_count_change(row->upper_ratio);
	g_autofree char *margin = number_share(row->margin);
	return g_strdup_printf("too close to call: %s to %s, for a margin of %s; its counts differ between runs of one "
	                       "side (%u of base, %u of head)",
	        from, to, margin, base, head);
}

static char *reason_of(const MetricComparison *row)
{
	if (row->verdict == VERDICT_REGRESSION)
		return regression_reason(row);
	return row->verdict == VERDICT_INCONCLUSIVE ? inconclusive_reason(row) : NULL;
}

MetricComparison *counted_metric(const CountedInput *input, const MetricPolicy *policy)
{
	const MetricSeries *base_series = measurement_metric(input->base, &engine_callgrind, policy->metric);
	const MetricSeries *head_series = measurement_metric(input->head, &engine_callgrind, policy->metric);
	if (!policy->gates && isnan(metric_median(base_series)) && isnan(metric_median(head_series)))
		return NULL;
	MetricComparison *row = row_new(
	        policy, values_of(base_series, input->base, policy), values_of(head_series, input->head, policy));
	const MetricSeries *known = base_series != NULL ? base_series : head_series;
	row->unit = g_strdup(known != NULL ? known->unit : "");
	row->reason = find_invalid(row, policy, (const MetricSeries *const[]){base_series, head_series});
	if (row->reason != NULL)
		return row;
	CountedRange base = counted_range((const double *)row->base_values->data, row->base_values->len);
	CountedRange head = counted_range((const double *)row->head_values->data, row->head_values->len);
	fill_change(row, &base, &head);
	double floor =
	        policy->abs_floor /
	        (metric_is_per_work(&engine_callgrind, policy->metric) ? measurement_reported_work(input->base) : 1);
	row->negligible = row->base < floor && row->head < floor;
	row->improved = !row->negligible && (row->deterministic || counted_enough_runs(&base, &head)) &&
	                counted_is_beyond(counted_ratio(head.highest, base.lowest), row->margin);
	row->verdict = judge(row, &base, &head);
	row->reason = reason_of(row);
	return row;
}
