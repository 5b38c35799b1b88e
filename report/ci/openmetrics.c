/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ci/openmetrics.h"

#include "core/escape.h"
#include "report/ci/flagged.h"
#include "report/words/wording.h"

#include <math.h>

#define LABEL_MAX_CHARS 200
#define MAX_LABELS 8

typedef struct {
	GString *out;
	GHashTable *series; /* those that were written */
} Writer;

typedef struct {
	const char *name, *type, *unit, *help; /* unit NULL = none */
} Family;

/* A list of labels: name, value, name, value, ..., NULL. Values are foreign text. */
typedef const char *Labels[2 * MAX_LABELS + 1];

static void begin(const Writer *writer, const Family *family)
{
	g_string_append_printf(writer->out, "# TYPE %s %s\n", family->name, family->type);
	if (family->unit != NULL)
		g_string_append_printf(writer->out, "# UNIT %s %s\n", family->name, family->unit);
	g_string_append_printf(writer->out, "# HELP %s %s\n", family->name, family->help);
}

/* A label's value: visible as on a terminal, where no newline is left, and what the format takes for its own escaped.
 */
static void append_value(GString *out, const char *text)
{
	g_autofree char *shortened = wording_shorten(text, LABEL_MAX_CHARS);
	g_autofree char *visible = escape_to_string(escape_terminal, shortened);
	for (const char *p = visible; *p != '\0'; p++) {
		if (*p == '\\' || *p == '"')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
}

static void sample(const Writer *writer, const Family *family, const Labels labels, double value)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	g_autoptr(GString) series = g_string_new(family->name);
	if (!isfinite(value))
		return;
	for (guint i = 0; labels[i] != NULL; i += 2) {
		g_string_append_printf(series, "%s%s=\"", i == 0 ? "{" : ",", labels[i]);
		append_value(series, labels[i + 1]);
		g_string_append_c(series, '"');
	}
	if (labels[0] != NULL)
		g_string_append_c(series, '}');
	g_ascii_formatd(number, sizeof number, "%.15g", value == 0 ? 0 : value);
	if (g_hash_table_add(writer->series, g_strdup(series->str)))
		g_string_append_printf(writer->out, "%s %s\n", series->str, number);
}

/* The states of a verdict, of which one is 1. */
static void states(const Writer *writer, const Family *family, const char *benchmark, Verdict verdict)
{
	for (Verdict v = VERDICT_PASS; v <= VERDICT_ERROR; v++) {
		const Labels of_check = {family->name, verdict_name(v), NULL};
		const Labels of_benchmark = {"benchmark", benchmark, family->name, verdict_name(v), NULL};
		sample(writer, family, benchmark == NULL ? of_check : of_benchmark, v == verdict ? 1 : 0);
	}
}

static void write_verdicts(const Writer *writer, const CheckResult *result)
{
	static const Family exit_code = {"firebreak_exit_code", "gauge", NULL, "Exit code of the check."};
	static const Family check = {"firebreak_verdict", "stateset", NULL, "Verdict of the check."};
	static const Family each = {"firebreak_benchmark_verdict", "stateset", NULL, "Verdict of a benchmark."};
	const Labels none = {NULL};
	begin(writer, &exit_code);
	sample(writer, &exit_code, none, result->exit_code);
	begin(writer, &check);
	states(writer, &check, NULL, result->verdict);
	begin(writer, &each);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		states(writer, &each, benchmark->name, result_benchmark_verdict(benchmark));
	}
}

typedef enum { SCALE_TIME, SCALE_BYTES, SCALE_OTHER } Scale;

static Scale scale_of(const char *unit)
{
	return g_strcmp0(unit, "ns") == 0 ? SCALE_TIME : g_strcmp0(unit, "bytes") == 0 ? SCALE_BYTES : SCALE_OTHER;
}

/* Calls `write` for all metrics of all benchmarks. */
typedef void (*MetricFunc)(const Writer *writer, const Family *family, const char *benchmark,
        const MetricComparison *metric, gconstpointer data);

static void for_metrics(
        const Writer *writer, const CheckResult *result, const Family *family, MetricFunc write, gconstpointer data)
{
	begin(writer, family);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		const BenchmarkComparison *comparison = benchmark->comparison;
		for (guint j = 0; comparison != NULL && j < comparison->metrics->len; j++)
			write(writer, family, benchmark->name, g_ptr_array_index(comparison->metrics, j), data);
	}
}

static void write_value(const Writer *writer, const Family *family, const char *benchmark,
        const MetricComparison *metric, gconstpointer data)
{
	Scale scale = *(const Scale *)data;
	double divisor = scale == SCALE_TIME ? 1e9 : 1;
	const char *unit = scale == SCALE_OTHER ? "unit" : NULL;
	if (scale_of(metric->unit) != scale)
		return;
	const Labels base = {"benchmark", benchmark, "metric", metric->name, "engine", metric->engine->name, "side",
	        "base", unit, metric->unit, NULL};
	const Labels head = {"benchmark", benchmark, "metric", metric->name, "engine", metric->engine->name, "side",
	        "head", unit, metric->unit, NULL};
	sample(writer, family, base, metric->base / divisor);
	sample(writer, family, head, metric->head / divisor);
}

/* A ratio of MetricComparison that has a family of its own. */
typedef struct {
	Family family;
	gsize offset;
	gboolean is_bound; /* 0 where there is none */
} RatioField;

static void write_ratio(const Writer *writer, const Family *family, const char *benchmark,
        const MetricComparison *metric, gconstpointer data)
{
	const RatioField *field = data;
	double value = *(const double *)((const char *)metric + field->offset);
	const Labels labels = {"benchmark", benchmark, "metric", metric->name, "engine", metric->engine->name, NULL};
	if (value > 0 || !field->is_bound)
		sample(writer, family, labels, value);
}

/* `data` is the offset of the margin. */
static void write_margin(const Writer *writer, const Family *family, const char *benchmark,
        const MetricComparison *metric, gconstpointer data)
{
	double margin = *(const double *)((const char *)metric + *(const gsize *)data);
	const Labels labels = {"benchmark", benchmark, "metric", metric->name, "engine", metric->engine->name, NULL};
	if (metric->gates)
		sample(writer, family, labels, margin);
}

static void write_rounds(const Writer *writer, const Family *family, const char *benchmark,
        const MetricComparison *metric, gconstpointer data)
{
	(void)data;
	const Labels labels = {"benchmark", benchmark, "metric", metric->name, "engine", metric->engine->name, NULL};
	sample(writer, family, labels, metric->rounds);
}

static void write_metrics(const Writer *writer, const CheckResult *result)
{
	static const Family values[] = {
	        {"firebreak_time_seconds", "gauge", "seconds", "Time metrics: median per unit of work."},
	        {"firebreak_memory_bytes", "gauge", "bytes", "Metrics in bytes: median per unit of work."},
	        {"firebreak_cost", "gauge", NULL, "All other metrics: median per unit of work."},
	};
	static const RatioField ratios[] = {
	        {{"firebreak_change_ratio", "gauge", "ratio", "Head divided by base; 1 is no change."},
	                G_STRUCT_OFFSET(MetricComparison, change_ratio), FALSE},
	        {{"firebreak_change_lower_ratio", "gauge", "ratio", "Lower bound of the change."},
	                G_STRUCT_OFFSET(MetricComparison, lower_ratio), TRUE},
	        {{"firebreak_change_upper_ratio", "gauge", "ratio", "Upper bound of the change."},
	                G_STRUCT_OFFSET(MetricComparison, upper_ratio), TRUE},
	};
	static const Family margin = {
	        "firebreak_margin_ratio", "gauge", "ratio", "Change beyond which a gating metric is a regression."};
	static const Family pass_margin = {
	        "firebreak_pass_margin_ratio", "gauge", "ratio", "Change below which a gating metric passes."};
	static const gsize margin_offset = G_STRUCT_OFFSET(MetricComparison, margin);
	static const gsize pass_margin_offset = G_STRUCT_OFFSET(MetricComparison, pass_margin);
	static const Family rounds = {"firebreak_rounds", "gauge", NULL, "Rounds that a metric rests on."};
	for (Scale scale = SCALE_TIME; scale <= SCALE_OTHER; scale++)
		for_metrics(writer, result, &values[scale], write_value, &scale);
	for (guint i = 0; i < G_N_ELEMENTS(ratios); i++)
		for_metrics(writer, result, &ratios[i].family, write_ratio, &ratios[i]);
	for_metrics(writer, result, &margin, write_margin, &margin_offset);
	for_metrics(writer, result, &pass_margin, write_margin, &pass_margin_offset);
	for_metrics(writer, result, &rounds, write_rounds, NULL);
}

static void write_functions(const Writer *writer, const CheckResult *result)
{
	static const Family family = {"firebreak_function_contribution_ratio", "gauge", "ratio",
	        "Change of the self cost of a flagged function, as share of the base's total cost."};
	g_autoptr(GPtrArray) functions = flagged_functions(result);
	begin(writer, &family);
	for (guint i = 0; i < MIN(functions->len, OPENMETRICS_MAX_FUNCTIONS); i++) {
		const FlaggedFunction *flagged = g_ptr_array_index(functions, i);
		const FunctionList *list = &flagged->list;
		const Labels labels = {"benchmark", flagged->benchmark->name, "event",
		        list->event != NULL ? list->event : "", "module",
		        highlights_module(list->table, flagged->function->frame), "function",
		        highlights_name(list->table, flagged->function->frame), NULL};
		sample(writer, &family, labels, flagged->function->contribution);
	}
}

char *openmetrics_text(const CheckResult *result, gsize *length)
{
	g_autoptr(GHashTable) series = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GString *out = g_string_new(NULL);
	Writer writer = {out, series};
	write_verdicts(&writer, result);
	write_metrics(&writer, result);
	write_functions(&writer, result);
	g_string_append(out, "# EOF\n");
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}
