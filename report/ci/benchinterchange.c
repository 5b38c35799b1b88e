/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/benchinterchange.h"

#include "core/escape.h"
#include "core/jsontext.h"
#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <math.h>

#define TEXT_MAX_CHARS 400

/* Foreign text as others show it: cut, and what nobody would see made visible. Owned by the caller. */
static char *visible(const char *text)
{
	g_autofree char *shortened = wording_shorten(text, TEXT_MAX_CHARS);
	return escape_to_string(escape_terminal, shortened);
}

/* The ends of what head's runs measured; FALSE if there are no finite values. */
static gboolean range_of(const MetricComparison *metric, double *lowest, double *highest)
{
	*lowest = INFINITY;
	*highest = -INFINITY;
	for (guint i = 0; metric->head_values != NULL && i < metric->head_values->len; i++) {
		double value = g_array_index(metric->head_values, double, i);
		if (!isfinite(value))
			continue;
		*lowest = MIN(*lowest, value);
		*highest = MAX(*highest, value);
	}
	return *lowest <= *highest;
}

static json_t *bmf_metric(const MetricComparison *metric)
{
	double lowest, highest;
	gboolean counted = engine_counts(metric->engine);
	json_t *object = json_object();
	json_set(object, "value", json_cost(metric->head, counted));
	if (range_of(metric, &lowest, &highest)) {
		json_set(object, "lower_value", json_cost(lowest, counted));
		json_set(object, "upper_value", json_cost(highest, counted));
	}
	return object;
}

/* The name of a metric that is not taken yet. Owned by the caller. */
static char *free_name(const json_t *taken, const MetricComparison *metric)
{
	g_autofree char *name = visible(metric->name);
	if (json_object_get(taken, name) == NULL)
		return g_steal_pointer(&name);
	return g_strdup_printf("%s (%s)", name, metric->engine->name);
}

static json_t *bmf_benchmark(const BenchmarkComparison *comparison)
{
	json_t *object = json_object();
	for (guint i = 0; i < comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(comparison->metrics, i);
		g_autofree char *name = free_name(object, metric);
		if (isfinite(metric->head) && json_object_get(object, name) == NULL)
			json_set(object, name, bmf_metric(metric));
	}
	return object;
}

char *bench_bmf_json(const CheckResult *result, gsize *length)
{
	json_auto_t *object = json_object();
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_autofree char *name = visible(benchmark->name);
		json_t *metrics = benchmark->comparison != NULL ? bmf_benchmark(benchmark->comparison) : NULL;
		if (json_object_size(metrics) > 0 && json_object_get(object, name) == NULL)
			json_object_set(object, name, metrics);
		json_decref(metrics);
	}
	return json_dump_text(object, length);
}

/* The text that is shown beside a point when somebody looks at it. Foreign text, owned by the caller. */
static char *extra_of(const MetricComparison *metric)
{
	g_autofree char *base = number_value(metric->base, metric->unit);
	g_autofree char *change = wording_metric_change(metric), *interval = wording_metric_interval(metric);
	g_autofree char *repetitions = wording_repetitions(metric);
	return g_strdup_printf("engine %s, %s\nbase %s, change %s%s%s\n%s", metric->engine->name, repetitions, base,
	        change, *interval != '\0' ? " " : "", interval, wording_metric_verdict(metric));
}

static json_t *lines(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "\n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);
	for (guint i = 0; parts[i] != NULL; i++) {
		g_autofree char *line = visible(parts[i]);
		g_string_append_printf(joined, "%s%s", i > 0 ? "\n" : "", line);
	}
	return json_string(joined->str);
}

#define RANGE_DIGITS 4

static json_t *smaller_entry(const char *name, const MetricComparison *metric)
{
	double lowest, highest;
	g_autofree char *extra = extra_of(metric), *unit = visible(metric->unit);
	json_t *object = json_object();
	json_set(object, "name", json_string(name));
	json_set(object, "unit", json_string(unit));
	json_set(object, "value", json_cost(metric->head, engine_counts(metric->engine)));
	if (range_of(metric, &lowest, &highest)) {
		g_autofree char *size = number_digits((highest - lowest) / 2, RANGE_DIGITS);
		g_autofree char *range = g_strconcat("± ", size, NULL);
		json_set(object, "range", json_string(range));
	}
	json_set(object, "extra", lines(extra));
	return object;
}

static void add_smaller(json_t *array, GHashTable *names, const ResultBenchmark *benchmark)
{
	for (guint i = 0; benchmark->comparison != NULL && i < benchmark->comparison->metrics->len; i++) {
		const MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, i);
		gboolean counts = engine_counts(metric->engine);
		g_autofree char *title =
		        g_strdup_printf("%s: %s%s", benchmark->name, metric->name, counts ? " (counted)" : "");
		char *name = visible(title);
		gboolean fits = isfinite(metric->head) && !metric->higher_is_better;
		if (fits && !g_hash_table_contains(names, name))
			json_array_append_new(array, smaller_entry(name, metric));
		g_hash_table_add(names, name);
	}
}

char *bench_smaller_json(const CheckResult *result, gsize *length)
{
	json_auto_t *array = json_array();
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < result->benchmarks->len; i++)
		add_smaller(array, names, g_ptr_array_index(result->benchmarks, i));
	return json_dump_text(array, length);
}
