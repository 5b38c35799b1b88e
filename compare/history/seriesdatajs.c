/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/seriesdatajs.h"

#include "core/error.h"
#include "core/jsontext.h"

#include <math.h>
#include <string.h>

#define ASSIGNED "window.BENCHMARK_DATA"
#define MS_PER_S 1000

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && g_ascii_isspace(*at))
		at++;
	return at;
}

gboolean series_is_datajs(const char *text, gsize length)
{
	const char *end = text + length, *at = skip_space(text, end);
	gsize left = (gsize)(end - at);
	return left > 0 && (*at == '{' || (left > strlen(ASSIGNED) && strncmp(at, ASSIGNED, strlen(ASSIGNED)) == 0));
}

/* The tools whose numbers are rates. Others report times, or what is said to cost less where it is smaller. */
static gboolean is_rate(const char *tool)
{
	static const char *const rates[] = {"benchmarkjs", "pytest", "customBiggerIsBetter", NULL};
	return tool != NULL && g_strv_contains(rates, tool);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text != NULL ? text : "";
}

/* A number, or a text that is one, which custom tools write; NaN if neither. */
static double number_of(const json_t *value)
{
	const char *text = json_string_value(value);
	char *end = NULL;
	if (text == NULL)
		return json_is_number(value) ? json_number_value(value) : NAN;
	double number = g_ascii_strtod(text, &end);
	return end != text && *end == '\0' ? number : NAN;
}

/* The half width in "± 12", "+/- 12", "±1.5%" and "12"; NaN where the tool writes something else, such as a standard
 * deviation of another quantity. */
static double half_width(const json_t *bench, double value)
{
	static const char *const signs[] = {"±", "+/-"};
	const json_t *range = json_object_get(bench, "range");
	const char *text = json_string_value(range);
	char *end = NULL;
	if (text == NULL)
		return number_of(range);
	for (guint i = 0; i < G_N_ELEMENTS(signs); i++)
		if (g_str_has_prefix(text, signs[i]))
			text += strlen(signs[i]);
	double width = g_ascii_strtod(text, &end);
	if (end == text)
		return NAN;
	if (g_str_equal(end, "%"))
		return fabs(value) * width / 100;
	return *end == '\0' ? width : NAN;
}

/* One measurement of a suite. */
typedef struct {
	const char *suite; /* NULL = there is only one */
	const json_t *commit;
	gint64 time_s;
	gboolean higher_is_better;
} Entry;

static void add_bench(const Entry *entry, const json_t *bench, SeriesFile *file)
{
	const char *name = text_of(bench, "name"), *message = text_of(entry->commit, "message");
	double value = number_of(json_object_get(bench, "value")), width = half_width(bench, value);
	if (!isfinite(value) || *name == '\0') {
		file->left_out++;
		return;
	}
	series_file_add(file, &(SeriesValue){
	                              .commit = g_strdup(text_of(entry->commit, "id")),
	                              .subject = g_strndup(message, strcspn(message, "\r\n")),
	                              .benchmark = entry->suite != NULL ? g_strdup_printf("%s: %s", entry->suite, name)
	                                                                : g_strdup(name),
	                              .metric = g_strdup("value"),
	                              .unit = g_strdup(text_of(bench, "unit")),
	                              .environment = g_strdup(""),
	                              .engine = &engine_benchmark,
	                              .higher_is_better = entry->higher_is_better,
	                              .time_s = entry->time_s,
	                              .value = value,
	                              .lower = value - width,
	                              .upper = value + width,
	                      });
}

static void add_suite(const char *suite, const json_t *runs, SeriesFile *file)
{
	size_t i, j;
	json_t *run, *bench;
	json_array_foreach(runs, i, run)
	{
		Entry entry = {
		        .suite = suite,
		        .commit = json_object_get(run, "commit"),
		        .higher_is_better = is_rate(json_string_value(json_object_get(run, "tool"))),
		};
		series_time_set(&entry.time_s, json_number_value(json_object_get(run, "date")) / MS_PER_S);
		if (*text_of(entry.commit, "id") != '\0')
			json_array_foreach(json_object_get(run, "benches"), j, bench) add_bench(&entry, bench, file);
	}
}

gboolean series_datajs_read(const char *text, gsize length, const char *name, SeriesFile *file, GError **error)
{
	const char *begin = memchr(text, '{', length);
	json_error_t problem;
	if (begin == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s has no data", name);
	json_t *data = json_loadb(begin, length - (gsize)(begin - text), JSON_DISABLE_EOF_CHECK, &problem);
	json_t *entries = json_object_get(data, "entries"), *runs;
	const char *suite;
	if (entries == NULL) {
		g_autofree char *why = data == NULL ? g_strdup_printf("line %d: %s", problem.line, problem.text)
		                                    : g_strdup("there is no \"entries\" in it");
		json_decref(data);
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "%s is no data.js of github-action-benchmark: %s", name, why);
	}
	gboolean several = json_object_size(entries) > 1;
	json_object_foreach(entries, suite, runs) add_suite(several ? suite : NULL, runs, file);
	json_decref(data);
	return TRUE;
}
