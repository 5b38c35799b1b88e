#include "report/historyjson.h"

#include "report/functionjson.h"
#include "report/highlights.h"
#include "report/reportfields.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *point_json(const HistoryPoint *point, gboolean exact)
{
	json_t *object = json_object();
	set(object, "sha", json_text(point->sha));
	set(object, "subject", json_text(point->subject));
	set(object, "time_s", json_integer(point->time_s));
	set(object, "same_environment", json_boolean(point->same_environment));
	set(object, "median", cost_json(point->median, exact));
	set(object, "range", pair_json(cost_json(point->lower, exact), cost_json(point->upper, exact)));
	set(object, "runs", json_integer(point->runs));
	return object;
}

static json_t *metric_json(const MetricHistory *history)
{
	json_t *object = json_object(), *points = json_array();
	gboolean exact = highlights_counts(history->engine);
	for (guint i = 0; i < history->points->len; i++)
		json_array_append_new(points, point_json(&g_array_index(history->points, HistoryPoint, i), exact));
	set(object, "metric", json_text(history->metric));
	set(object, "engine", json_text(history->engine));
	set(object, "unit", json_text(history->unit));
	set(object, "higher_is_better", json_boolean(history->higher_is_better));
	set(object, "points", points);
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
	gboolean exact = highlights_counts(history->engine);
	const json_t *range = json_object_get(object, "range");
	g_autofree char *sha = field_text(object, "sha"), *subject = field_text(object, "subject");
	metric_history_add(history, &(HistoryPoint){
	                                    .sha = sha,
	                                    .subject = subject,
	                                    .time_s = json_integer_value(json_object_get(object, "time_s")),
	                                    .same_environment = field_flag(object, "same_environment"),
	                                    .median = field_cost(object, "median", exact),
	                                    .lower = field_cost_value(json_array_get(range, 0), exact),
	                                    .upper = field_cost_value(json_array_get(range, 1), exact),
	                                    .runs = field_small_count(object, "runs"),
	                            });
}

static MetricHistory *read_metric(const json_t *object)
{
	const json_t *points = json_object_get(object, "points");
	g_autofree char *metric = field_text(object, "metric"), *engine = field_text(object, "engine");
	g_autofree char *unit = field_text(object, "unit");
	MetricHistory *history = metric_history_new(metric, engine, unit);
	history->higher_is_better = field_flag(object, "higher_is_better");
	for (gsize i = 0; i < json_array_size(points); i++)
		read_point(history, json_array_get(points, i));
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
