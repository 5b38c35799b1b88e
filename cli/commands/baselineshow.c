/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/baselineshow.h"

#include "baselines/inventory.h"
#include "cli/commands/measurementjson.h"
#include "cli/options/commandline.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/git/repo.h"
#include "model/numbers/number.h"
#include "report/words/texttable.h"
#include "report/words/wording.h"

#include <math.h>

#define INDENT "  "

/* A baseline may come from anywhere, so that all its texts are foreign. */
static void add_foreign(TextTable *table, const char *text)
{
	g_autofree char *safe = escape_to_string(escape_terminal, text);
	text_table_cell(table, safe, NULL);
}

/* Appends the runs, and their schedule unless they were counted: counts have none. */
static void append_runs(GString *text, const BaselineEntry *entry, const Measurement *measurement)
{
	guint n = measurement_n_runs(measurement);
	g_autofree char *name = escape_to_string(escape_terminal, measurement->benchmark);
	g_autofree char *work = number_plain(measurement->work);
	g_autofree char *schedule = escape_to_string(escape_terminal, measurement->schedule);
	g_string_append_printf(text, "%s at %s, on machines of kind %.16s: %u run%s%s%s, %s unit%s of work per run\n",
	        name, measurement->commit, entry->fingerprint, n, n == 1 ? "" : "s", *schedule != '\0' ? ", " : "",
	        schedule, work, measurement->work == 1 ? "" : "s");
}

static void add_value(TextTable *table, const MetricSeries *series, double value)
{
	g_autofree char *text = wording_metric_value(series, value);
	add_foreign(table, text);
}

static void add_metric(TextTable *table, const MetricSeries *series)
{
	double least = NAN, most = NAN;
	for (guint run = 0; run < series->values->len; run++) {
		least = fmin(least, metric_value(series, run));
		most = fmax(most, metric_value(series, run));
	}
	add_foreign(table, series->name);
	add_value(table, series, metric_median(series));
	add_value(table, series, least);
	add_value(table, series, most);
	text_table_cell(table, series->engine->name, NULL);
}

static void append_metrics(GString *text, const Measurement *measurement)
{
	static const char *const titles[] = {"METRIC", "MEDIAN", "LEAST", "MOST", "ENGINE"};
	g_autoptr(TextTable) table = text_table_new("lrrrl");
	for (gsize i = 0; i < G_N_ELEMENTS(titles); i++)
		text_table_cell(table, titles[i], NULL);
	for (guint i = 0; i < measurement->metrics->len; i++)
		add_metric(table, measurement->metrics->pdata[i]);
	if (measurement->metrics->len > 0)
		text_table_append(text, table, INDENT, 0);
}

static void append_profile(GString *text, const Measurement *measurement)
{
	const Profile *profile = measurement->profile;
	guint n_stacks = 0;
	for (guint i = 0; profile != NULL && i < stack_table_n_stacks(profile->table); i++)
		n_stacks += profile_stack_total(profile, (StackId){i}).samples > 0;
	if (n_stacks == 0)
		return;
	g_autofree char *event = escape_to_string(escape_terminal, profile->event);
	g_autofree char *count = number_count(n_stacks);
	g_string_append_printf(text, INDENT "profile of %s: %s stack%s\n", event, count, n_stacks == 1 ? "" : "s");
}

static void append_environment(GString *text, const Environment *environment)
{
	g_autoptr(TextTable) table = text_table_new("ll");
	g_autoptr(GString) unknown = g_string_new(NULL);
	for (guint i = 0; i < environment->fields->len; i++) {
		const EnvironmentField *field = environment->fields->pdata[i];
		if (*field->value == '\0') {
			g_autofree char *name = escape_to_string(escape_terminal, field->name);
			g_string_append_printf(unknown, "%s%s", unknown->len > 0 ? ", " : "", name);
			continue;
		}
		add_foreign(table, field->name);
		add_foreign(table, field->value);
	}
	g_string_append(text, INDENT "environment:\n");
	text_table_append(text, table, INDENT INDENT, 0);
	if (unknown->len > 0)
		g_string_append_printf(text, INDENT INDENT "not known: %s\n", unknown->str);
}

static void append_campaigns(GString *text, const BaselineEntry *entry)
{
	g_autofree char *name = escape_to_string(escape_terminal, entry->benchmark);
	g_string_append_printf(text, "%s at %s: %u A/A campaign%s on machines of kind %.16s\n", name, entry->commit,
	        entry->campaigns, entry->campaigns == 1 ? "" : "s", entry->fingerprint);
}

/* The measurement of an entry, NULL if it was replaced or pruned since it was listed. */
static Measurement *read_entry(BaselineStore *store, const BaselineEntry *entry, GError **error)
{
	g_autoptr(StackTable) table = stack_table_new();
	return baseline_store_get(store, entry->commit, entry->fingerprint, entry->benchmark, table, error);
}

static char *show_text(const GPtrArray *entries, const GPtrArray *measurements)
{
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < entries->len; i++) {
		const BaselineEntry *entry = entries->pdata[i];
		const Measurement *measurement = measurements->pdata[i];
		if (entry->campaigns > 0)
			append_campaigns(text, entry);
		if (measurement == NULL)
			continue;
		append_runs(text, entry, measurement);
		append_metrics(text, measurement);
		append_profile(text, measurement);
		append_environment(text, measurement->environment);
	}
	return g_string_free(text, FALSE);
}

static char *show_json(const char *sha, const GPtrArray *entries, const GPtrArray *measurements)
{
	g_autoptr(GPtrArray) rows = measurement_rows_new();
	for (guint i = 0; i < entries->len; i++) {
		const BaselineEntry *entry = entries->pdata[i];
		if (entry->campaigns > 0)
			measurement_rows_add_campaigns(rows, entry->benchmark, entry->fingerprint, entry->campaigns);
		else if (measurements->pdata[i] != NULL)
			measurement_rows_add(rows, measurements->pdata[i], entry->fingerprint);
	}
	return measurement_list_json(&(MeasurementList){.sha = sha, .rows = rows});
}

static void free_measurement(gpointer data)
{
	g_clear_pointer((Measurement **)&data, measurement_free);
}

/* Reads what is stored: a measurement for each entry, NULL for those that are none. NULL on an error. */
static GPtrArray *read_all(BaselineStore *store, const GPtrArray *entries, GError **error)
{
	g_autoptr(GPtrArray) measurements = g_ptr_array_new_with_free_func(free_measurement);
	for (guint i = 0; i < entries->len; i++) {
		const BaselineEntry *entry = entries->pdata[i];
		GError *cause = NULL;
		if (entry->campaigns == 0 && entry->problem != NULL)
			firebreak_refuse(&cause, FIREBREAK_ERROR_BASELINE, "%s", entry->problem);
		g_ptr_array_add(
		        measurements, entry->campaigns == 0 && cause == NULL ? read_entry(store, entry, &cause) : NULL);
		if (cause != NULL) {
			g_propagate_error(error, cause);
			return NULL;
		}
	}
	return g_steal_pointer(&measurements);
}

int baseline_show_run(BaselineStore *store, const BaselineOptions *options, char **arguments, GError **error)
{
	g_autofree char *sha = repo_resolve_at(".", arguments[0], error);
	g_autoptr(GPtrArray) entries = sha != NULL ? baseline_store_list_commit(store, sha, error) : NULL;
	g_autoptr(GPtrArray) measurements = entries != NULL ? read_all(store, entries, error) : NULL;
	if (measurements == NULL)
		return 0;
	if (entries->len == 0) {
		firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "no baseline is stored for %.12s; `firebreak run %.12s` makes one", sha, sha);
		return 0;
	}
	g_autofree char *text =
	        options->json ? show_json(sha, entries, measurements) : show_text(entries, measurements);
	return print_result(text) ? 0 : FIREBREAK_ERROR_STORAGE;
}
