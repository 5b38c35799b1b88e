/* SPDX-License-Identifier: Apache-2.0 */
/* google-benchmark: the file of --benchmark_out, and what it logs with --v=2. */
#include "core/error.h"
#include "core/jsontext.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <string.h>

#define LOGS "Running "
#define LOGS_COUNT " for "

static double ns_of_unit(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	for (gsize i = 0; unit != NULL && i < G_N_ELEMENTS(units); i++)
		if (g_str_equal(unit, units[i].name))
			return units[i].ns;
	return NAN;
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static gboolean take_run(GPtrArray *cases, const json_t *run, GError **error)
{
	const char *name = json_string_value(json_object_get(run, "name"));
	const char *type = json_string_value(json_object_get(run, "run_type"));
	double unit_ns = ns_of_unit(json_string_value(json_object_get(run, "time_unit")));
	double iterations = number_of(run, "iterations"), time = number_of(run, "cpu_time");
	if (name != NULL && type != NULL && !g_str_equal(type, "iteration"))
		return TRUE;
	if (name != NULL &&
	        (json_is_true(json_object_get(run, "error_occurred")) || json_is_true(json_object_get(run, "skipped"))))
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "its case %s failed or was skipped", name);
	if (name == NULL || isnan(iterations) || isnan(time) || isnan(unit_ns))
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "the file of its results names no iterations");
	FrameworkCase *one = framework_cases_get(cases, name);
	if (one == NULL)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_INVALID, "it ran more than %d cases", FRAMEWORK_MAX_CASES);
	if (!framework_case_add(one, iterations, time * unit_ns))
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "reports an impossible result for %s: %.17g iterations of %.17g ns", name, iterations,
		        time * unit_ns);
	one->items_per_s = framework_figure(number_of(run, "items_per_second"));
	one->bytes_per_s = framework_figure(number_of(run, "bytes_per_second"));
	return TRUE;
}

/* After a number that JSON does not have, which google-benchmark writes for a counter of the program that is none: NaN,
 * -NaN, Infinity, -Infinity. NULL if there is none. */
static const char *after_no_number(const char *at)
{
	static const char *const words[] = {"NaN", "nan", "Infinity", "inf"};
	at += *at == '-';
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(at, words[i]))
			return at + strlen(words[i]);
	return NULL;
}

/* The text with null for these, outside of strings. Owned by the caller. */
static GString *as_json(const char *text, gsize length)
{
	GString *json = g_string_sized_new(length);
	gboolean quoted = FALSE;
	for (const char *at = text; at < text + length;) {
		const char *after = quoted ? NULL : after_no_number(at);
		if (after != NULL) {
			g_string_append(json, "null");
			at = after;
			continue;
		}
		if (quoted && *at == '\\' && at + 1 < text + length)
			g_string_append_c(json, *at++);
		else if (*at == '"')
			quoted = !quoted;
		g_string_append_c(json, *at++);
	}
	return json;
}

/* Results of which only mean, median and deviation are told are those of no number of iterations. */
static gboolean has_aggregates_alone(const json_t *runs)
{
	for (gsize i = 0; i < json_array_size(runs); i++) {
		const char *type = json_string_value(json_object_get(json_array_get(runs, i), "run_type"));
		if (g_strcmp0(type, "aggregate") != 0)
			return FALSE;
	}
	return json_array_size(runs) > 0;
}

/* The iterations of one case by the log. */
typedef struct {
	double all, last;
} Batches;

/* The batches of each name in the log, as Batches. Each batch is logged before it runs: those with which a case
 * calibrates itself, too. The last word of a line is the number of iterations; of one thread, where there are several.
 * Owned by the caller. */
static GHashTable *read_log(const char *log)
{
	GHashTable *batches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		const char *at = strstr(*line, LOGS), *count = at != NULL ? g_strrstr(at, LOGS_COUNT) : NULL;
		if (count == NULL || count < at + strlen(LOGS))
			continue;
		g_autofree char *name = g_strndup(at + strlen(LOGS), (gsize)(count - at) - strlen(LOGS));
		Batches *one = g_hash_table_lookup(batches, name);
		if (one == NULL)
			g_hash_table_insert(batches, g_steal_pointer(&name), one = g_new0(Batches, 1));
		one->last = framework_number(count + strlen(LOGS_COUNT));
		one->all += one->last >= 1 && one->last <= FRAMEWORK_MAX_ITERATIONS ? one->last : NAN;
	}
	return batches;
}

/* A case whose log has a number that cannot be has none. */
static void take_log(GPtrArray *cases, const char *log)
{
	g_autoptr(GHashTable) batches = read_log(log);
	for (guint c = 0; c < cases->len; c++) {
		FrameworkCase *one = cases->pdata[c];
		const Batches *logged = g_hash_table_lookup(batches, one->name);
		one->logged = logged != NULL && isfinite(logged->all);
		if (one->logged)
			one->iterations = logged->all * (one->reported / logged->last);
	}
}

GPtrArray *google_output_parse(const char *json, gsize length, const char *log, GError **error)
{
	g_autoptr(GPtrArray) cases = framework_cases_new();
	if (length == 0)
		return g_steal_pointer(&cases);
	g_autoptr(GString) text = as_json(json, length);
	g_autoptr(GError) failed = NULL;
	json_auto_t *root = json_load_text(text->str, text->len, "results", &failed);
	const json_t *runs = json_object_get(root, "benchmarks");
	if (!json_is_array(runs)) {
		firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "the file of its results is not that of google-benchmark%s%s", failed != NULL ? ": " : "",
		        failed != NULL ? failed->message : "");
		return NULL;
	}
	if (has_aggregates_alone(runs)) {
		firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "printed only the means of its repetitions, not how many iterations they did: remove "
		        "`ReportAggregatesOnly()` from its code, or --benchmark_report_aggregates_only from the "
		        "command");
		return NULL;
	}
	for (gsize i = 0; i < json_array_size(runs); i++)
		if (!take_run(cases, json_array_get(runs, i), error))
			return NULL;
	take_log(cases, log);
	return g_steal_pointer(&cases);
}
