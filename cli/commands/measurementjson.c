/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/measurementjson.h"

#include "core/json/document.h"
#include "model/engine.h"

#include <math.h>

typedef struct {
	char *benchmark, *fingerprint;
	guint campaigns;                /* of base against base; then nothing else is known */
	const Measurement *measurement; /* NULL of those */
} Row;

static void row_free(gpointer data)
{
	Row *row = data;
	g_free(row->benchmark);
	g_free(row->fingerprint);
	g_free(row);
}

GPtrArray *measurement_rows_new(void)
{
	return g_ptr_array_new_with_free_func(row_free);
}

void measurement_rows_add_campaigns(GPtrArray *rows, const char *benchmark, const char *fingerprint, guint campaigns)
{
	Row *row = g_new0(Row, 1);
	row->benchmark = g_strdup(benchmark);
	row->fingerprint = g_strdup(fingerprint);
	row->campaigns = campaigns;
	g_ptr_array_add(rows, row);
}

void measurement_rows_add(GPtrArray *rows, const Measurement *measurement, const char *fingerprint)
{
	measurement_rows_add_campaigns(rows, measurement->benchmark, fingerprint, 0);
	((Row *)rows->pdata[rows->len - 1])->measurement = measurement;
}

static json_t *median_json(gconstpointer series, G_GNUC_UNUSED gboolean counted)
{
	double median = metric_median(series);
	return isfinite(median) ? json_real(median) : json_null();
}

static const Field metric_fields[] = {
        FIELD("name", WORDS, MetricSeries, name),
        FIELD_CHOICE("engine", MetricSeries, engine, engine_row, ENGINES),
        FIELD("unit", WORDS, MetricSeries, unit),
        FIELD("higher_is_better", FLAG, MetricSeries, higher_is_better),
        FIELD_MADE("median", median_json, NULL),
        FIELD("values", COSTS, MetricSeries, values),
};

static const Field environment_fields[] = {
        FIELD("name", WORDS, EnvironmentField, name),
        FIELD("value", NAME, EnvironmentField, value),
};

/* Of nothing but campaigns: [] and null. */
static json_t *metrics_json(gconstpointer row, gboolean counted)
{
	const Measurement *measurement = ((const Row *)row)->measurement;
	return records_json(FIELD_TABLE(metric_fields), measurement != NULL ? measurement->metrics : NULL, counted);
}

static json_t *environment_json(gconstpointer row, gboolean counted)
{
	const Measurement *measurement = ((const Row *)row)->measurement;
	gboolean known = measurement != NULL && measurement->environment != NULL;
	return records_json(FIELD_TABLE(environment_fields), known ? measurement->environment->fields : NULL, counted);
}

static json_t *runs_json(gconstpointer row, G_GNUC_UNUSED gboolean counted)
{
	const Measurement *measurement = ((const Row *)row)->measurement;
	return json_integer(measurement != NULL ? measurement_n_runs(measurement) : 0);
}

static json_t *event_json(gconstpointer row, G_GNUC_UNUSED gboolean counted)
{
	const Measurement *measurement = ((const Row *)row)->measurement;
	gboolean known = measurement != NULL && measurement->profile != NULL;
	return known ? json_text(measurement->profile->event) : json_null();
}

static const Field row_fields[] = {
        FIELD("benchmark", WORDS, Row, benchmark),
        FIELD("fingerprint", TEXT, Row, fingerprint),
        FIELD("campaigns", COUNT, Row, campaigns),
        FIELD_MADE("runs", runs_json, NULL),
        FIELD_MADE("metrics", metrics_json, NULL),
        FIELD_MADE("profile_event", event_json, NULL),
        FIELD_MADE("environment", environment_json, NULL),
};

static json_t *reason_code_json(gconstpointer reason, G_GNUC_UNUSED gboolean counted)
{
	return json_integer(((const ResultReason *)reason)->exit_code);
}

static const Field reason_fields[] = {
        FIELD_MADE("exit_code", reason_code_json, NULL),
        FIELD("code", WORDS, ResultReason, code),
        FIELD("benchmark", TEXT, ResultReason, benchmark),
        FIELD("text", WORDS, ResultReason, text),
};

static json_t *exit_code_json(gconstpointer list, G_GNUC_UNUSED gboolean counted)
{
	return json_integer(((const MeasurementList *)list)->code);
}

static const Field list_fields[] = {
        FIELD("sha", WORDS, MeasurementList, sha),
        FIELD_MADE("exit_code", exit_code_json, NULL),
        FIELD_RECORDS("measurements", MeasurementList, rows, Row, row_fields, 0),
        FIELD_RECORDS("reasons", MeasurementList, reasons, ResultReason, reason_fields, 0),
};

char *measurement_list_json(const MeasurementList *list)
{
	g_autoptr(FindingList) none = finding_list_new();
	const JsonDocument document = {.schema = "firebreak-measurements/1",
	        .table = FIELD_TABLE(list_fields),
	        .benchmarks = TRUE,
	        .findings = list->findings != NULL ? list->findings : none};
	return json_document(&document, list, NULL);
}
