/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/ownmetrics.h"

#include "core/error.h"
#include "core/regularfile.h"
#include "runner/config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES 16384
#define MAX_UNIT 16
#define MIN_WORK 1e-9
#define MAX_WORK 1e18

static void metric_free(gpointer data)
{
	OwnMetric *metric = data;
	g_free(metric->name);
	g_free(metric->unit);
	g_free(metric);
}

static OwnMetrics *metrics_new(void)
{
	OwnMetrics *metrics = g_new0(OwnMetrics, 1);
	metrics->metrics = g_ptr_array_new_with_free_func(metric_free);
	metrics->work = NAN;
	return metrics;
}

void own_metrics_free(OwnMetrics *metrics)
{
	if (metrics == NULL)
		return;
	g_ptr_array_unref(metrics->metrics);
	g_free(metrics);
}

const OwnMetric *own_metrics_find(const OwnMetrics *metrics, const char *name)
{
	for (guint i = 0; i < metrics->metrics->len; i++) {
		const OwnMetric *metric = metrics->metrics->pdata[i];
		if (g_str_equal(metric->name, name))
			return metric;
	}
	return NULL;
}

static gboolean is_unit(const char *text)
{
	gsize length = strlen(text);
	for (gsize i = 0; i < length; i++)
		if (!g_ascii_isgraph(text[i]))
			return FALSE;
	return length > 0 && length <= MAX_UNIT;
}

/* A finite decimal number and nothing else; NaN if it is none. */
static double read_number(const char *text)
{
	char *end = NULL;
	if (*text == '\0' || strspn(text, "0123456789.+-eE") != strlen(text))
		return NAN;
	double value = g_ascii_strtod(text, &end);
	return *end == '\0' && end != text && isfinite(value) ? value : NAN;
}

/* Takes a metric. Returns what is wrong with its words, or NULL. */
static const char *take_metric(OwnMetrics *metrics, char *const *words)
{
	double value = read_number(words[1]);
	gboolean higher = g_str_equal(words[3], "higher");
	if (!config_own_metric_name(words[0]))
		return "the name has 1 to 64 of a-z, 0-9 and `-`, and is not one that firebreak uses itself";
	if (isnan(value))
		return "the value is not a finite decimal number";
	if (!is_unit(words[2]))
		return "the unit has 1 to 16 printable characters";
	if (!higher && !g_str_equal(words[3], "lower"))
		return "the direction that is better is `lower` or `higher`";
	if (own_metrics_find(metrics, words[0]) != NULL)
		return "the metric was reported before";
	if (metrics->metrics->len >= OWN_METRICS_MAX)
		return "there are more than 64 metrics";
	OwnMetric metric = {g_strdup(words[0]), g_strdup(words[2]), value, higher};
	g_ptr_array_add(metrics->metrics, g_memdup2(&metric, sizeof metric));
	return NULL;
}

static const char *take_work(OwnMetrics *metrics, const char *text)
{
	double work = read_number(text);
	if (!(work >= MIN_WORK && work <= MAX_WORK))
		return "the units of work are not a number from 1e-9 to 1e18";
	if (!isnan(metrics->work))
		return "the units of work were reported before";
	metrics->work = work;
	return NULL;
}

static const char *take_line(OwnMetrics *metrics, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 6);
	guint n = g_strv_length(words);
	if (n == 2 && g_str_equal(words[0], "work"))
		return take_work(metrics, words[1]);
	if (n == 4)
		return take_metric(metrics, words);
	return "it is neither `NAME VALUE UNIT lower|higher` nor `work N`";
}

static gboolean refuse(GError **error, guint line, const char *problem)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "line %u of its metrics: %s", line, problem);
	return FALSE;
}

static gboolean take_text(OwnMetrics *metrics, const char *text, gsize length, GError **error)
{
	const char *end = text + length;
	for (guint number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		if (newline == NULL)
			return refuse(error, number, "it does not end with a newline");
		if (memchr(text, '\0', (gsize)(newline - text)) != NULL)
			return refuse(error, number, "it has a NUL character");
		g_autofree char *line = g_strndup(text, (gsize)(newline - text));
		const char *problem = take_line(metrics, line);
		if (problem != NULL)
			return refuse(error, number, problem);
		text = newline + 1;
	}
	return TRUE;
}

OwnMetrics *own_metrics_parse(const char *text, gsize length, GError **error)
{
	g_autoptr(OwnMetrics) metrics = metrics_new();
	if (length > MAX_FILE_BYTES) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "its metrics have more than %d bytes: report each once, at the end", MAX_FILE_BYTES);
		return NULL;
	}
	return take_text(metrics, text, length, error) ? g_steal_pointer(&metrics) : NULL;
}

/* The folder is the benchmark's own: there may be anything under that name. */
OwnMetrics *own_metrics_read(const char *path, GError **error)
{
	g_autoptr(GString) text = regular_file_begin(path, O_NOFOLLOW, MAX_FILE_BYTES + 1);
	if (text == NULL && errno == ENOENT)
		return metrics_new();
	if (text != NULL)
		return own_metrics_parse(text->str, text->len, error);
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
	        "the file of its metrics is not a regular file that can be read");
	return NULL;
}
