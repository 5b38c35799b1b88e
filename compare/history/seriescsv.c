/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/history/seriescsv.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

/* --- rows and fields --- */

typedef struct {
	const char *at, *end;
	guint line; /* of the row that was read last */
	guint next; /* line of the next one */
} Reader;

/* Reads a field that begins with a quote; a quote in it is doubled. FALSE if it never ends. */
static gboolean read_quoted(Reader *reader, GString *field)
{
	for (reader->at++; reader->at < reader->end; reader->at++) {
		char c = *reader->at;
		reader->next += c == '\n';
		if (c != '"')
			g_string_append_c(field, c);
		else if (reader->at + 1 < reader->end && reader->at[1] == '"')
			g_string_append_c(field, *++reader->at);
		else
			return ++reader->at, TRUE;
	}
	return FALSE;
}

static gboolean read_field(Reader *reader, GPtrArray *row)
{
	GString *field = g_string_new(NULL);
	gboolean whole = TRUE;
	if (reader->at < reader->end && *reader->at == '"')
		whole = read_quoted(reader, field);
	const char *from = reader->at;
	while (reader->at < reader->end && strchr(",\r\n", *reader->at) == NULL)
		reader->at++;
	g_string_append_len(field, from, reader->at - from);
	g_ptr_array_add(row, g_string_free(field, FALSE));
	return whole;
}

/* Reads a row; empty lines are passed over. FALSE at the end of the text, or with *broken where a quote has no end. */
static gboolean read_row(Reader *reader, GPtrArray *row, gboolean *broken)
{
	g_ptr_array_set_size(row, 0);
	while (reader->at < reader->end && (*reader->at == '\n' || *reader->at == '\r'))
		reader->next += *reader->at++ == '\n';
	reader->line = reader->next;
	while (reader->at < reader->end) {
		if (!read_field(reader, row)) {
			*broken = TRUE;
			return FALSE;
		}
		if (reader->at == reader->end || *reader->at != ',')
			break;
		reader->at++;
	}
	return row->len > 0;
}

/* --- columns --- */

typedef enum {
	COMMIT,
	BENCHMARK,
	VALUE,
	METRIC,
	UNIT,
	LOWER,
	UPPER,
	BETTER,
	ENGINE,
	TIME,
	SUBJECT,
	ENVIRONMENT,
	FUNCTION,
	N_COLUMNS,
} Column;

static const struct {
	const char *name, *other;
} columns[N_COLUMNS] = {
        [COMMIT] = {"commit", "sha"},
        [BENCHMARK] = {"benchmark", "name"},
        [VALUE] = {"value", "median"},
        [METRIC] = {"metric", NULL},
        [UNIT] = {"unit", NULL},
        [LOWER] = {"lower", NULL},
        [UPPER] = {"upper", NULL},
        [BETTER] = {"better", NULL},
        [ENGINE] = {"engine", NULL},
        [TIME] = {"time", "time_s"},
        [SUBJECT] = {"subject", NULL},
        [ENVIRONMENT] = {"environment", "fingerprint"},
        [FUNCTION] = {"function", NULL},
};

#define NO_COLUMN G_MAXUINT

typedef struct {
	const char *name; /* of the file */
	guint line;
	guint place[N_COLUMNS]; /* NO_COLUMN = the file has none */
	const GPtrArray *row;
} Table;

static gboolean find_columns(Table *table, GError **error)
{
	for (int c = 0; c < N_COLUMNS; c++) {
		table->place[c] = NO_COLUMN;
		for (guint i = table->row->len; i-- > 0;) {
			g_autofree char *head = g_ascii_strdown(table->row->pdata[i], -1);
			g_strstrip(head);
			if (g_str_equal(head, columns[c].name) || g_strcmp0(head, columns[c].other) == 0)
				table->place[c] = i;
		}
		if (c <= VALUE && table->place[c] == NO_COLUMN)
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s:%u: no column \"%s\"; the first line names the columns, and commit, benchmark and "
			        "value are "
			        "needed",
			        table->name, table->line, columns[c].name);
	}
	return TRUE;
}

/* "" where the row, or the file, has none. */
static const char *cell(const Table *table, Column column)
{
	guint place = table->place[column];
	return place < table->row->len ? table->row->pdata[place] : "";
}

/* NaN for an empty cell, and for what is no finite number. */
static double number(const char *text)
{
	char *end = NULL;
	double value = g_ascii_strtod(text, &end);
	return end != text && *g_strchug(end) == '\0' && isfinite(value) ? value : NAN;
}

static gboolean read_time(const Table *table, gint64 *time_s, GError **error)
{
	const char *text = cell(table, TIME);
	if (series_time_set(time_s, number(text)) || *text == '\0')
		return TRUE;
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(text, utc);
	if (time == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s:%u: \"%s\" is no time: write seconds since 1970, or 2026-01-31T12:00:00Z", table->name,
		        table->line, text);
	*time_s = g_date_time_to_unix(time);
	return TRUE;
}

static gboolean read_better(const Table *table, gboolean *higher, GError **error)
{
	const char *text = cell(table, BETTER);
	*higher = g_str_equal(text, "higher");
	return *text == '\0' || *higher || g_str_equal(text, "lower") ||
	       firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s:%u: better is \"%s\": write lower or higher",
	               table->name, table->line, text);
}

static gboolean add_row(const Table *table, SeriesFile *file, GError **error)
{
	const Engine *engine = engine_find(cell(table, ENGINE));
	SeriesValue value = {
	        .engine = engine != NULL ? engine : &engine_benchmark,
	        .value = number(cell(table, VALUE)),
	        .lower = number(cell(table, LOWER)),
	        .upper = number(cell(table, UPPER)),
	};
	if (*cell(table, FUNCTION) != '\0')
		return TRUE;
	if (*cell(table, COMMIT) == '\0' || *cell(table, BENCHMARK) == '\0')
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s:%u: a row needs a commit and a benchmark",
		        table->name, table->line);
	if (!read_time(table, &value.time_s, error) || !read_better(table, &value.higher_is_better, error))
		return FALSE;
	if (!isfinite(value.value)) {
		file->left_out++;
		return TRUE;
	}
	const char *metric = cell(table, METRIC);
	value.commit = g_strdup(cell(table, COMMIT));
	value.subject = g_strdup(cell(table, SUBJECT));
	value.benchmark = g_strdup(cell(table, BENCHMARK));
	value.metric = g_strdup(*metric != '\0' ? metric : "value");
	value.unit = g_strdup(cell(table, UNIT));
	value.environment = g_strdup(cell(table, ENVIRONMENT));
	series_file_add(file, &value);
	return TRUE;
}

gboolean series_csv_read(const char *text, gsize length, const char *name, SeriesFile *file, GError **error)
{
	Reader reader = {text, text + length, 1, 1};
	g_autoptr(GPtrArray) row = g_ptr_array_new_with_free_func(g_free);
	gboolean broken = FALSE, has_header = FALSE;
	Table table = {.name = name, .row = row};
	while (read_row(&reader, row, &broken)) {
		table.line = reader.line;
		if (!(has_header ? add_row(&table, file, error) : find_columns(&table, error)))
			return FALSE;
		has_header = TRUE;
	}
	if (broken)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s:%u: a quoted field of this row has no closing quote: add it, and write a quote inside of a "
		        "field twice",
		        name, reader.line);
	return has_header || firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is empty", name);
}
