/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json/metricjson.h"

#include "compare/comparison/shownvalues.h"
#include "core/json/fieldtable.h"
#include "model/engine.h"

#include <float.h>
#include <math.h>

/* --- looks --- */

/* A log ratio as change in percent; an open one is null. */
static json_t *look_bound_json(double log_ratio)
{
	return isfinite(log_ratio) ? json_number(expm1(log_ratio) * 100) : json_null();
}

static json_t *look_bounds_json(gconstpointer record, gboolean counted)
{
	const MetricLook *look = record;
	(void)counted;
	return pair_json(look_bound_json(look->lower), look_bound_json(look->upper));
}

/* As bound_of(), of a log ratio. */
static double look_bound(const json_t *pair, gsize end, double open)
{
	double share = field_number_value(json_array_get(pair, end)) / 100;
	return isnan(share) ? open : share > -1 ? log1p(share) : log(DBL_MIN);
}

static void read_look_bounds(FieldReading *reading, const json_t *value, gpointer record, gboolean counted)
{
	MetricLook *look = record;
	(void)reading, (void)counted;
	look->lower = look_bound(value, 0, -INFINITY);
	look->upper = look_bound(value, 1, INFINITY);
}

static const Field look_fields[] = {
        FIELD("rounds", COUNT, MetricLook, rounds),
        FIELD_MADE("ci_pct", look_bounds_json, read_look_bounds),
        FIELD_WORD("verdict", MetricLook, verdict, verdict_name, VERDICT_ERROR + 1),
};

/* --- metrics --- */

static const Field metric_fields[] = {
        FIELD("name", WORDS, MetricComparison, name),
        FIELD_CHOICE("engine", MetricComparison, engine, engine_row, ENGINES),
        FIELD("unit", WORDS, MetricComparison, unit),
        FIELD("base", COST, MetricComparison, base),
        FIELD("head", COST, MetricComparison, head),
        FIELD_NEW("higher_is_better", FLAG, MetricComparison, higher_is_better),
        FIELD("change_pct", CHANGE, MetricComparison, change_ratio),
        FIELD_LATER("head_shown"),
        FIELD("ci_pct", CHANGE_PAIR, MetricComparison, lower_ratio),
        FIELD("margin_pct", SHARE, MetricComparison, margin),
        FIELD("pass_margin_pct", SHARE, MetricComparison, pass_margin),
        FIELD_NEW("base_spread_pct", SHARE, MetricComparison, base_spread),
        FIELD_NEW("head_spread_pct", SHARE, MetricComparison, head_spread),
        FIELD("mde_pct", SHARE, MetricComparison, mde_ratio),
        FIELD("rounds", COUNT, MetricComparison, rounds),
        FIELD("rounds_needed", LINE, MetricComparison, rounds_needed),
        FIELD("p", NUMBER, MetricComparison, p_value),
        FIELD("alpha_fail", NUMBER, MetricComparison, alpha_fail),
        FIELD("alpha_pass", NUMBER, MetricComparison, alpha_pass),
        FIELD("sd_log", NUMBER, MetricComparison, sd_log),
        FIELD("acf1", NUMBER, MetricComparison, acf1),
        FIELD("slot_effect", NUMBER, MetricComparison, slot_effect),
        FIELD("gates", FLAG, MetricComparison, gates),
        FIELD_RARE("accepted", FLAG, MetricComparison, accepted),
        FIELD_RARE_WORD("confirmation", MetricComparison, confirmation, confirmation_name, N_CONFIRMATIONS),
        FIELD("negligible", FLAG, MetricComparison, negligible),
        FIELD("deterministic", FLAG, MetricComparison, deterministic),
        FIELD("improved", FLAG, MetricComparison, improved),
        FIELD_WORD("verdict", MetricComparison, verdict, verdict_name, VERDICT_ERROR + 1),
        FIELD("reason", TEXT, MetricComparison, reason),
        FIELD_ROWS("looks", MetricComparison, looks, MetricLook, look_fields, 0),
        FIELD("base_values", COSTS, MetricComparison, base_values),
        FIELD("head_values", COSTS, MetricComparison, head_values),
};

/* From the numbers as they are written, so that a report that is read and written again stays the same. */
static json_t *head_shown(const json_t *object, const MetricComparison *metric, gboolean counted)
{
	MetricComparison written = *metric;
	const json_t *change = json_object_get(object, "change_pct");
	if (json_is_number(change)) {
		written.base = json_number_value(json_object_get(object, "base"));
		written.change_ratio = 1 + json_number_value(change) / 100;
	}
	return json_cost(metric_shown_head(&written), counted);
}

static json_t *metric_json(const MetricComparison *metric)
{
	gboolean counted = engine_counts(metric->engine);
	json_t *object = fields_json(FIELD_TABLE(metric_fields), metric, counted);
	json_set(object, "head_shown", head_shown(object, metric, counted));
	return object;
}

json_t *metrics_json(const GPtrArray *metrics)
{
	json_t *array = json_array();
	for (guint i = 0; i < metrics->len; i++)
		json_array_append_new(array, metric_json(metrics->pdata[i]));
	return array;
}

/* A bound of a change as a ratio; `open` where there is none. A ratio so small that its change reads -100 % is none of
 * those that are not there. */
static double bound_of(const json_t *object, gsize end, double open)
{
	double share = field_end(object, "ci_pct", end);
	return isnan(share) ? open : MAX(1 + share, DBL_MIN);
}

/* Where base is 0 in every run, change and bounds are infinite, which is null in JSON; no bound is the other reason for
 * null, but then a verdict is not possible. */
static void read_change(MetricComparison *metric, const json_t *object)
{
	gboolean is_error = metric->verdict == VERDICT_ERROR, is_open = metric->verdict == VERDICT_INCONCLUSIVE;
	metric->change_ratio = field_ratio(object, "change_pct");
	gboolean from_zero = !is_error && isnan(metric->change_ratio);
	metric->lower_ratio = bound_of(object, 0, is_error ? NAN : from_zero && !is_open ? INFINITY : 0);
	metric->upper_ratio = bound_of(object, 1, is_error ? NAN : INFINITY);
	if (from_zero)
		metric->change_ratio = INFINITY;
}

void metrics_read(FieldReading *reading, const json_t *array, GPtrArray *metrics)
{
	for (gsize i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		const char *name = json_string_value(json_object_get(object, "engine"));
		MetricComparison *metric = g_new0(MetricComparison, 1);
		g_ptr_array_add(metrics, metric);
		fields_read(reading, object, FIELD_TABLE(metric_fields), metric, engine_counts(engine_find(name)));
		read_change(metric, object);
	}
}
