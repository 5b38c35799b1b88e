#include "report/json/historyjson.h"

#include "model/engine.h"
#include "report/json/functionjson.h"
#include "report/json/reportfields.h"
#include "report/words/highlights.h"

#include <math.h>

static json_t *point_json(const HistoryPoint *point, gboolean counted)
{
	json_t *object = json_object();
	json_set(object, "sha", json_text(point->sha));
	json_set(object, "subject", json_text(point->subject));
	json_set(object, "time_s", json_integer(point->time_s));
	json_set(object, "same_environment", json_boolean(point->same_environment));
	json_set(object, "median", json_cost(point->median, counted));
	json_set(object, "range", pair_json(json_cost(point->lower, counted), json_cost(point->upper, counted)));
	json_set(object, "runs", json_integer(point->runs));
	if (*point->fingerprint != '\0')
		json_set(object, "fingerprint", json_text(point->fingerprint));
	json_set(object, "unmeasured", json_integer(point->unmeasured));
	return object;
}

static json_t *change_json(const MetricHistory *history, const HistoryChange *change, gboolean counted)
{
	json_t *object = json_object();
	json_set(object, "point", json_integer(change->point));
	json_set(object, "sha", json_text(g_array_index(history->points, HistoryPoint, change->point).sha));
	json_set(object, "before", json_cost(change->before, counted));
	json_set(object, "after", json_cost(change->after, counted));
	json_set(object, "change_pct", json_number(100 * change->change));
	json_set(object, "p", json_number(change->p_value));
	json_set(object, "worse", json_boolean(change->worse));
	json_set(object, "candidates", json_integer(change->candidates));
	return object;
}

static json_t *changes_json(const MetricHistory *history, gboolean counted)
{
	json_t *array = json_array();
	for (guint i = 0; i < history->changes->len; i++)
		json_array_append_new(
		        array, change_json(history, &g_array_index(history->changes, HistoryChange, i), counted));
	return array;
}

/* Whose history it is, where that does not go without saying. */
static void set_owner(json_t *object, const char *key, const char *text)
{
	if (*text != '\0')
		json_set(object, key, json_text(text));
}

static json_t *metric_json(const MetricHistory *history)
{
	json_t *object = json_object(), *points = json_array();
	gboolean counted = engine_counts(history->engine);
	for (guint i = 0; i < history->points->len; i++)
		json_array_append_new(points, point_json(&g_array_index(history->points, HistoryPoint, i), counted));
	set_owner(object, "benchmark", history->benchmark);
	set_owner(object, "function", history->function);
	set_owner(object, "module", history->module);
	json_set(object, "metric", json_text(history->metric));
	json_set(object, "engine", json_text(history->engine));
	json_set(object, "unit", json_text(history->unit));
	json_set(object, "higher_is_better", json_boolean(history->higher_is_better));
	json_set(object, "counted", json_boolean(history->counted));
	json_set(object, "points", points);
	json_set(object, "changes", changes_json(history, counted));
	return object;
}

json_t *history_json(const GPtrArray *history)
{
	json_t *array = json_array();
	for (guint i = 0; history != NULL && i < history->len; i++)
		json_array_append_new(array, metric_json(g_ptr_array_index(history, i)));
	return array;
}

static void read_point(MetricHistory *history, const json_t *object)
{
	gboolean counted = engine_counts(history->engine);
	const json_t *range = json_object_get(object, "range");
	g_autofree char *sha = field_text(object, "sha"), *subject = field_text(object, "subject");
	g_autofree char *fingerprint = field_text(object, "fingerprint");
	metric_history_add(history, &(HistoryPoint){
	                                    .sha = sha,
	                                    .subject = subject,
	                                    .time_s = json_integer_value(json_object_get(object, "time_s")),
	                                    .same_environment = field_flag(object, "same_environment"),
	                                    .median = field_cost(object, "median", counted),
	                                    .lower = field_cost_value(json_array_get(range, 0), counted),
	                                    .upper = field_cost_value(json_array_get(range, 1), counted),
	                                    .runs = field_small_count(object, "runs"),
	                                    .fingerprint = fingerprint,
	                                    .unmeasured = field_small_count(object, "unmeasured"),
	                            });
}

/* A change from 0 has no number. One of a point that is not there is none. */
static void read_change(MetricHistory *history, const json_t *object)
{
	gboolean counted = engine_counts(history->engine);
	HistoryChange change = {
	        .point = field_small_count(object, "point"),
	        .before = field_cost(object, "before", counted),
	        .after = field_cost(object, "after", counted),
	        .change = field_share(object, "change_pct"),
	        .p_value = field_number(object, "p"),
	        .worse = field_flag(object, "worse"),
	        .candidates = field_small_count(object, "candidates"),
	};
	if (isnan(change.change))
		change.change = copysign(INFINITY, change.after - change.before);
	if (change.point > 0 && change.point < history->points->len)
		g_array_append_val(history->changes, change);
}

static void read_owner(char **field, const json_t *object, const char *key)
{
	g_free(*field);
	*field = field_text_or_empty(object, key);
}

static MetricHistory *read_metric(const json_t *object)
{
	const json_t *points = json_object_get(object, "points"), *changes = json_object_get(object, "changes");
	g_autofree char *metric = field_text(object, "metric"), *engine = field_text(object, "engine");
	g_autofree char *unit = field_text(object, "unit");
	MetricHistory *history = metric_history_new(metric, engine, unit);
	read_owner(&history->benchmark, object, "benchmark");
	read_owner(&history->function, object, "function");
	read_owner(&history->module, object, "module");
	history->higher_is_better = field_flag(object, "higher_is_better");
	history->counted = field_flag(object, "counted");
	for (gsize i = 0; i < json_array_size(points); i++)
		read_point(history, json_array_get(points, i));
	for (gsize i = 0; i < json_array_size(changes); i++)
		read_change(history, json_array_get(changes, i));
	return history;
}

GPtrArray *history_read(const json_t *array)
{
	if (json_array_size(array) == 0)
		return NULL;
	GPtrArray *history = g_ptr_array_new_with_free_func((GDestroyNotify)metric_history_free);
	for (gsize i = 0; i < json_array_size(array); i++)
		g_ptr_array_add(history, read_metric(json_array_get(array, i)));
	return history;
}
