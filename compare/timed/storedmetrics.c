/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/storedmetrics.h"

#include "compare/comparison/totals.h"
#include "model/engine.h"
#include "model/perwork.h"

#include <math.h>

#define UNPAIRED "measured at different times: shown, not judged"

static GArray *values_per_work(const Measurement *measurement, const MetricSeries *series)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	gboolean per_work = metric_is_per_work(series->engine, series->name);
	for (guint run = 0; run < measurement_n_runs(measurement); run++) {
		double value = metric_value(series, run) / (per_work ? measurement_run_work(measurement, run) : 1);
		g_array_append_val(values, value);
	}
	return values;
}

static double median(const GArray *values)
{
	return totals_known_median((const double *)(const void *)values->data, values->len);
}

static MetricComparison *shown_metric(const Measurement *const sides[2], const MetricSeries *const series[2])
{
	MetricComparison *metric = g_new0(MetricComparison, 1);
	metric->name = g_strdup(series[0]->name);
	metric->engine = series[0]->engine;
	metric->unit = g_strdup(series[0]->unit);
	metric->higher_is_better = series[0]->higher_is_better;
	metric->base_values = values_per_work(sides[0], series[0]);
	metric->head_values = values_per_work(sides[1], series[1]);
	metric->base = median(metric->base_values);
	metric->head = median(metric->head_values);
	metric->change_ratio = metric->base == metric->head ? 1 : metric->head / metric->base;
	metric->lower_ratio = 0;
	metric->upper_ratio = INFINITY;
	metric->margin = metric->pass_margin = metric->mde_ratio = metric->p_value = NAN;
	metric->alpha_fail = metric->alpha_pass = NAN;
	metric->sd_log = metric->acf1 = metric->slot_effect = NAN;
	metric->base_spread = metric->head_spread = NAN;
	metric->rounds = MIN(metric->base_values->len, metric->head_values->len);
	metric->looks = g_array_new(FALSE, FALSE, sizeof(MetricLook));
	metric->verdict = VERDICT_INCONCLUSIVE;
	metric->reason = g_strdup(UNPAIRED);
	return metric;
}

gboolean stored_metric_is_unpaired(const MetricComparison *metric)
{
	return !metric->gates && g_strcmp0(metric->reason, UNPAIRED) == 0;
}

void stored_metrics_append(GPtrArray *metrics, const Measurement *base, const Measurement *head)
{
	for (guint i = 0; i < base->metrics->len; i++) {
		const MetricSeries *series = base->metrics->pdata[i];
		const MetricSeries *other = measurement_metric(head, series->engine, series->name);
		if (other != NULL && !engine_counts(series->engine) && g_str_equal(series->unit, other->unit))
			g_ptr_array_add(metrics, shown_metric((const Measurement *[]){base, head},
			                                 (const MetricSeries *[]){series, other}));
	}
}

BenchmarkComparison *stored_metrics_compare(const Measurement *base, const Measurement *head)
{
	BenchmarkComparison *comparison = benchmark_comparison_new(base->benchmark);
	stored_metrics_append(comparison->metrics, base, head);
	benchmark_comparison_decide(comparison, VERDICT_INCONCLUSIVE, "time_not_judged",
	        g_strdup("both sides were timed at different times: only `check`, which times them together, can judge "
	                 "that"));
	g_free(comparison->sentence);
	comparison->sentence = g_strdup("time is shown, not judged");
	return comparison;
}
