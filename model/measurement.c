/* SPDX-License-Identifier: Apache-2.0 */
#include "model/measurement.h"

#include "model/median.h"

#include <math.h>
#include <string.h>

/* Runs that print a new line each time say nothing new. */
#define MAX_COMPLAINTS 1000

static void field_free(gpointer data)
{
	EnvironmentField *field = data;
	g_free(field->name);
	g_free(field->value);
	g_free(field);
}

Environment *environment_new(void)
{
	Environment *environment = g_new0(Environment, 1);
	environment->fields = g_ptr_array_new_with_free_func(field_free);
	return environment;
}

Environment *environment_copy(const Environment *environment)
{
	Environment *copy = environment_new();
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		environment_set(copy, field->name, field->needed_by, field->value);
	}
	return copy;
}

void environment_free(Environment *environment)
{
	if (environment == NULL)
		return;
	g_ptr_array_unref(environment->fields);
	g_free(environment);
}

/* Index of the first field whose name is not smaller. */
static guint field_position(const Environment *environment, const char *name)
{
	guint i = 0;
	while (i < environment->fields->len &&
	        strcmp(((const EnvironmentField *)environment->fields->pdata[i])->name, name) < 0)
		i++;
	return i;
}

static EnvironmentField *field_at(const Environment *environment, guint position, const char *name)
{
	if (position >= environment->fields->len)
		return NULL;
	EnvironmentField *field = environment->fields->pdata[position];
	return g_str_equal(field->name, name) ? field : NULL;
}

void environment_set(Environment *environment, const char *name, MetricClass needed_by, const char *value)
{
	guint position = field_position(environment, name);
	EnvironmentField *field = field_at(environment, position, name);
	if (field == NULL) {
		field = g_new0(EnvironmentField, 1);
		field->name = g_strdup(name);
		g_ptr_array_insert(environment->fields, (gint)position, field);
	}
	char *copy = g_strdup(value != NULL ? value : "");
	g_free(field->value);
	field->value = copy;
	field->needed_by = needed_by;
}

const char *environment_get(const Environment *environment, const char *name)
{
	const EnvironmentField *field = field_at(environment, field_position(environment, name), name);
	return field != NULL ? field->value : NULL;
}

char *environment_fingerprint(const Environment *environment, MetricClass comparable)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		if (field->needed_by < comparable)
			continue;
		/* escaped, so that no value can look like two fields */
		g_autofree char *value = g_strescape(field->value, NULL);
		g_autofree char *line = g_strdup_printf("%s=%s\n", field->name, value);
		g_checksum_update(checksum, (const guchar *)line, -1);
	}
	return g_strdup(g_checksum_get_string(checksum));
}

static void metric_free(gpointer data)
{
	MetricSeries *series = data;
	g_free(series->name);
	g_free(series->unit);
	g_array_unref(series->values);
	g_free(series);
}

Measurement *measurement_new(const char *benchmark, const char *commit, const char *tree)
{
	Measurement *measurement = g_new0(Measurement, 1);
	measurement->benchmark = g_strdup(benchmark);
	measurement->commit = g_strdup(commit);
	measurement->tree = g_strdup(tree);
	measurement->schedule = g_strdup("");
	measurement->cases = g_strdup("");
	measurement->work = 1;
	measurement->environment = environment_new();
	measurement->metrics = g_ptr_array_new_with_free_func(metric_free);
	measurement->runs = g_array_new(FALSE, TRUE, sizeof(RunFacts));
	return measurement;
}

void measurement_add_complaints(Measurement *measurement, const GPtrArray *lines)
{
	if (measurement->complaints == NULL)
		measurement->complaints = g_ptr_array_new_with_free_func(g_free);
	GPtrArray *known = measurement->complaints;
	for (guint i = 0; lines != NULL && i < lines->len && known->len < MAX_COMPLAINTS; i++)
		if (!g_ptr_array_find_with_equal_func(known, lines->pdata[i], g_str_equal, NULL))
			g_ptr_array_add(known, g_strdup(lines->pdata[i]));
}

void measurement_free(Measurement *measurement)
{
	if (measurement == NULL)
		return;
	g_free(measurement->benchmark);
	g_free(measurement->commit);
	g_free(measurement->tree);
	g_free(measurement->schedule);
	g_free(measurement->cases);
	environment_free(measurement->environment);
	g_ptr_array_unref(measurement->metrics);
	g_array_unref(measurement->runs);
	profile_free(measurement->profile);
	g_clear_pointer(&measurement->complaints, g_ptr_array_unref);
	g_free(measurement);
}

Measurement *measurement_with_profile(const Measurement *measurement, Profile *profile)
{
	Measurement *copy = measurement_new(measurement->benchmark, measurement->commit, measurement->tree);
	copy->work = measurement->work;
	g_array_append_vals(copy->runs, measurement->runs->data, measurement->runs->len);
	copy->profile = profile;
	return copy;
}

guint measurement_n_runs(const Measurement *measurement)
{
	return measurement->runs->len;
}

double measurement_run_work(const Measurement *measurement, guint run)
{
	double own = run < measurement->runs->len ? g_array_index(measurement->runs, RunFacts, run).work : 0;
	return own > 0 ? own : measurement->work;
}

double measurement_reported_work(const Measurement *measurement)
{
	double sum = 0;
	guint n = 0;
	for (guint i = 0; i < measurement->runs->len; i++) {
		double work = g_array_index(measurement->runs, RunFacts, i).work;
		sum += work > 0 ? work : 0;
		n += work > 0;
	}
	return n > 0 ? sum / n : 1;
}

double run_lost_share(const RunFacts *facts)
{
	double all = (double)facts->samples + (double)facts->lost_samples;
	return all > 0 ? (double)facts->lost_samples / all : 0;
}

void measurement_settle_work(Measurement *measurement)
{
	gboolean reported = FALSE;
	double sum = 0;
	for (guint i = 0; i < measurement->runs->len; i++)
		reported = reported || g_array_index(measurement->runs, RunFacts, i).work > 0;
	if (!reported)
		return;
	for (guint i = 0; i < measurement->runs->len; i++) {
		RunFacts *facts = &g_array_index(measurement->runs, RunFacts, i);
		facts->work = measurement_run_work(measurement, i);
		sum += facts->work;
	}
	measurement->work = sum / measurement->runs->len;
}

MetricSeries *measurement_metric(const Measurement *measurement, const Engine *engine, const char *name)
{
	for (guint i = 0; i < measurement->metrics->len; i++) {
		MetricSeries *series = measurement->metrics->pdata[i];
		if (g_str_equal(series->name, name) && (engine == NULL || series->engine == engine))
			return series;
	}
	return NULL;
}

static MetricSeries *metric_new(const Engine *engine, const char *name, const char *unit, guint n_runs)
{
	MetricSeries *series = g_new0(MetricSeries, 1);
	const double not_measured = NAN;
	series->engine = engine;
	series->name = g_strdup(name);
	series->unit = g_strdup(unit);
	series->values = g_array_new(FALSE, TRUE, sizeof(double));
	for (guint i = 0; i < n_runs; i++)
		g_array_append_val(series->values, not_measured);
	return series;
}

static gboolean sorts_before(const MetricSeries *series, const Engine *engine, const char *name)
{
	int by_engine = engine_order(series->engine, engine);
	return by_engine < 0 || (by_engine == 0 && strcmp(series->name, name) < 0);
}

MetricSeries *measurement_add_metric(
        Measurement *measurement, const Engine *engine, const char *name, const char *unit, MetricClass comparable)
{
	MetricSeries *series = measurement_metric(measurement, engine, name);
	if (series != NULL)
		return series;
	guint position = 0;
	while (position < measurement->metrics->len &&
	        sorts_before(measurement->metrics->pdata[position], engine, name))
		position++;
	series = metric_new(engine, name, unit, measurement->runs->len);
	series->comparable = comparable;
	g_ptr_array_insert(measurement->metrics, (gint)position, series);
	return series;
}

double metric_value(const MetricSeries *series, guint run)
{
	if (series == NULL || run >= series->values->len)
		return NAN;
	return g_array_index(series->values, double, run);
}

double metric_median(const MetricSeries *series)
{
	return series != NULL ? median_of(series->values) : NAN;
}

gboolean *measurement_start_order(const Measurement *base, guint rounds)
{
	gboolean *base_first = g_new(gboolean, MAX(rounds, 1));
	for (guint i = 0; i < rounds; i++)
		base_first[i] = g_array_index(base->runs, RunFacts, i).started_first;
	return base_first;
}

gboolean measurement_has_runs(const Measurement *side)
{
	return side != NULL && measurement_n_runs(side) > 0;
}
