/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/calibrationsummary.h"

#include "compare/statistics/order.h"
#include "compare/statistics/special.h"

#include <math.h>

/* docs/STATISTICS.md promises this rate: at most 1 % of false alarms from totals and 1 % from functions. */
#define PROMISED_RATE .02
/* A gate that keeps its promise looks suspicious in at most one of a hundred calibrations. */
#define SUSPICIOUS_P .01
#define BOUND_TAIL .05
#define BISECTIONS 60

/* P(X >= k) of a binomial X with n tries of probability p. */
static double binomial_upper_tail(guint k, guint n, double p)
{
	return k == 0 ? 1 : incomplete_beta(k, (double)n - k + 1, p);
}

double binomial_upper_bound(guint k, guint n)
{
	double low = 0, high = 1;
	if (k >= n)
		return 1;
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;
		if (1 - binomial_upper_tail(k + 1, n, middle) > BOUND_TAIL)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* The gating metric that people mean by "slower": CPU time, else the first one; NULL if none gates. */
static const CalibrationMetric *time_metric(const Calibration *calibration)
{
	static const char *const names[] = {"cycles", "task-clock", "wall"};
	const CalibrationMetric *first = NULL;
	for (guint i = calibration->metrics->len; i-- > 0;) {
		const CalibrationMetric *metric = calibration->metrics->pdata[i];
		first = metric->gates ? metric : first;
	}
	for (guint n = 0; n < G_N_ELEMENTS(names); n++)
		for (guint i = 0; i < calibration->metrics->len; i++) {
			const CalibrationMetric *metric = calibration->metrics->pdata[i];
			if (metric->gates && g_str_equal(metric->name, names[n]))
				return metric;
		}
	return first;
}

static void append_finite(GArray *values, double value)
{
	if (isfinite(value))
		g_array_append_val(values, value);
}

static double spread(const GArray *values)
{
	double sum = 0, squares = 0;
	if (values->len < 2)
		return NAN;
	for (guint i = 0; i < values->len; i++)
		sum += g_array_index(values, double, i);
	double mean = sum / values->len;
	for (guint i = 0; i < values->len; i++) {
		double d = g_array_index(values, double, i) - mean;
		squares += d * d;
	}
	return sqrt(squares / (values->len - 1));
}

static void count_outcome(CalibrationSummary *summary, const Calibration *calibration)
{
	summary->campaigns++;
	summary->false_alarms += g_str_equal(calibration->verdict, verdict_name(VERDICT_REGRESSION));
	summary->passes += g_str_equal(calibration->verdict, verdict_name(VERDICT_PASS));
	summary->function_alarms += calibration->false_functions > 0;
}

CalibrationSummary calibration_summary(const GPtrArray *calibrations)
{
	CalibrationSummary summary = {0};
	g_autoptr(GArray) visible = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < calibrations->len; i++) {
		const Calibration *calibration = calibrations->pdata[i];
		const CalibrationMetric *metric = time_metric(calibration);
		count_outcome(&summary, calibration);
		if (metric == NULL)
			continue;
		append_finite(visible, metric->margin + metric->mde_ratio);
		append_finite(changes, log(metric->change_ratio));
	}
	summary.alarm_rate_upper = binomial_upper_bound(summary.false_alarms, summary.campaigns);
	summary.smallest_visible = order_median((const double *)visible->data, visible->len);
	summary.aa_spread = spread(changes);
	summary.suspicious = binomial_upper_tail(summary.false_alarms, summary.campaigns, PROMISED_RATE) < SUSPICIOUS_P;
	return summary;
}

static void take_metric(Calibration *calibration, const MetricComparison *metric)
{
	CalibrationMetric *kept = calibration_add_metric(calibration, metric->name, metric->engine);
	kept->change_ratio = metric->change_ratio;
	kept->sd_log = metric->sd_log;
	kept->margin = metric->margin;
	kept->mde_ratio = metric->mde_ratio;
	kept->gates = metric->gates;
	kept->regressed = metric->verdict == VERDICT_REGRESSION;
	kept->passed = metric->verdict == VERDICT_PASS;
	if (metric->gates)
		calibration->rounds = MAX(calibration->rounds, metric->rounds);
}

static void take_function(Calibration *calibration, const FunctionComparison *function)
{
	gboolean flagged = function->klass == FUNCTION_REGRESSION || function->klass == FUNCTION_IMPROVEMENT;
	if (!function->tested)
		return;
	calibration->functions++;
	calibration->false_functions += flagged;
	calibration->smallest_p = fmin(calibration->smallest_p, function->p_adjusted);
	calibration->smallest_p = fmin(calibration->smallest_p, function->p_adjusted_improvement);
}

Calibration *calibration_of(const BenchmarkComparison *comparison)
{
	Calibration *calibration = calibration_new();
	calibration->benchmark = g_strdup(comparison->benchmark);
	calibration->verdict = g_strdup(verdict_name(comparison->verdict));
	for (guint i = 0; i < comparison->metrics->len; i++)
		take_metric(calibration, comparison->metrics->pdata[i]);
	for (guint i = 0; i < comparison->functions->len; i++)
		take_function(calibration, comparison->functions->pdata[i]);
	return calibration;
}
