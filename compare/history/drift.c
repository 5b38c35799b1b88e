/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/drift.h"

#include <math.h>

#include "compare/counted/countedbase.h"
#include "compare/counted/countedtotals.h"
#include "compare/statistics/order.h"
#include "model/engine.h"
#include "model/perwork.h"

static void drift_clear(gpointer data)
{
	g_free(((Drift *)data)->metric);
}

gboolean drift_is_comparable(const Measurement *anchor, const Measurement *head)
{
	g_autofree char *then = environment_fingerprint(anchor->environment, METRIC_DETERMINISTIC);
	g_autofree char *now = environment_fingerprint(head->environment, METRIC_DETERMINISTIC);
	if (!g_str_equal(then, now))
		return FALSE;
	g_autofree char *foreign = counted_base_foreign(anchor->environment, head->environment);
	return foreign == NULL;
}

/* Median per unit of work; NaN if it was not counted in every run. */
static double median_of(const Measurement *measurement, const char *metric)
{
	const MetricSeries *series = measurement_metric(measurement, &engine_callgrind, metric);
	guint n = measurement_n_runs(measurement);
	gboolean per_work = metric_is_per_work(&engine_callgrind, metric);
	g_autofree double *values = g_new(double, MAX(n, 1));
	for (guint run = 0; run < n; run++) {
		values[run] = metric_value(series, run) / (per_work ? measurement_run_work(measurement, run) : 1);
		if (!isfinite(values[run]))
			return NAN;
	}
	return order_median(values, n);
}

/* TRUE if a change from base to head adds to what there is since the anchor. */
static gboolean is_part(double base, double head, double anchor)
{
	return head - base > DRIFT_MIN_ADDED * anchor;
}

/* TRUE if what is accepted of functions is all that makes the change a part of the drift. */
static gboolean is_accepted(const MetricComparison *metric, double anchor, double margin)
{
	double rest = metric->base * metric->rest_ratio;
	if (!(metric->rest_ratio > 0) || !isfinite(rest))
		return FALSE;
	return !is_part(metric->base, rest, anchor) || !counted_is_beyond(counted_ratio(anchor, rest), margin);
}

GArray *drift_find(const DriftInput *input)
{
	GArray *drifts = g_array_new(FALSE, FALSE, sizeof(Drift));
	g_array_set_clear_func(drifts, drift_clear);
	for (guint i = 0; i < input->comparison->metrics->len; i++) {
		const MetricComparison *metric = input->comparison->metrics->pdata[i];
		if (!metric->gates || metric->negligible || !engine_counts(metric->engine))
			continue;
		double anchor = median_of(input->anchor, metric->name);
		double ratio = counted_ratio(anchor, metric->head);
		if (!isfinite(anchor) || !isfinite(metric->head) || !counted_is_beyond(ratio, input->margin))
			continue;
		Drift drift = {
		        .metric = g_strdup(metric->name),
		        .anchor = anchor,
		        .head = metric->head,
		        .change_ratio = ratio,
		        .added = is_part(metric->base, metric->head, anchor),
		        .accepted = is_accepted(metric, anchor, input->margin),
		};
		g_array_append_val(drifts, drift);
	}
	return drifts;
}
