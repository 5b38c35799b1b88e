/* SPDX-License-Identifier: Apache-2.0 */
/* nanobench: the Markdown tables that it prints.
 *
 *     |               ns/op |                op/s |    err% |     total | benchmark
 *     |--------------------:|--------------------:|--------:|----------:|:----------
 *     |              447.15 |        2,236,368.07 |    0.4% |      0.01 | `name`
 *
 * Columns come and go with the settings of a benchmark (relative, complexityN, columns of its own), and a table with
 * other columns has a head of its own, so the time is looked for by its heading. */
#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <string.h>

#define MAX_CELLS 64
#define COMPLEXITY "complexityN"
#define PER_SECOND "/s"
#define NS_PER_S 1e9
#define USUAL_UNIT "op"
/* Times are printed with two decimals, so that those below 10 are off by up to .1 %, and those below 1 by more than 1
 * %.
 */
#define DECIMALS .01
#define EXACT_TIME 10
#define MIN_TIME 1

typedef struct {
	guint n; /* cells of its head */
	/* columns; 0, the text before the first bar, is none */
	guint time, rate, complexity;
	double unit_ns;
	char *per;        /* what its time is one of: "op" */
	gboolean foreign; /* it is one of nanobench without a time that is understood */
} Table;

static void table_clear(Table *table)
{
	g_free(table->per);
	*table = (Table){0};
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Table, table_clear)

/* Owned by the caller; at most `n` cells, of which the last has the rest of the line. */
static char **cells_of(const char *line, guint n)
{
	char **cells = g_strsplit(line, "|", (gint)n);
	for (char **cell = cells; *cell != NULL; cell++)
		g_strstrip(*cell);
	return cells;
}

static double time_unit_ns(const char *heading, gsize length)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ps", 1e-3}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
		if (strlen(units[i].name) == length && strncmp(heading, units[i].name, length) == 0)
			return units[i].ns;
	return NAN;
}

/* The nanoseconds of the unit of a heading such as "ns/op"; NaN if it is none. "op/s" is none, and nor is "ins/op". */
static double heading_ns(const char *heading)
{
	const char *slash = strchr(heading, '/');
	if (slash == NULL || slash[1] == '\0' || g_str_equal(slash, PER_SECOND))
		return NAN;
	return time_unit_ns(heading, (gsize)(slash - heading));
}

/* Where two columns have headings of times, nobody knows which it is. */
static void read_head(Table *table, char *const *cells)
{
	guint times = 0;
	table_clear(table);
	table->n = g_strv_length((char **)cells);
	for (guint i = 1; i < table->n; i++) {
		double ns = heading_ns(cells[i]);
		table->foreign |= g_str_has_suffix(cells[i], PER_SECOND) || g_str_equal(cells[i], "err%");
		if (g_str_equal(cells[i], COMPLEXITY))
			table->complexity = i;
		if (isnan(ns))
			continue;
		times++;
		table->time = i;
		table->unit_ns = ns;
		g_free(table->per);
		table->per = g_strdup(strchr(cells[i], '/') + 1);
	}
	table->foreign &= times != 1;
	table->time = times == 1 ? table->time : 0;
	g_autofree char *rate = table->time > 0 ? g_strconcat(table->per, PER_SECOND, NULL) : NULL;
	for (guint i = 1; rate != NULL && i < table->n; i++)
		table->rate = g_str_equal(cells[i], rate) ? i : table->rate;
}

static gboolean is_separator(const char *line)
{
	return *line == '|' && strchr(line, '-') != NULL && strspn(line, "|-: \t") == strlen(line);
}

/* One name may stand for several sizes, and the time of a byte is not that of an operation. Owned by the caller; NULL =
 * the row is none of nanobench. */
static char *row_name(const Table *table, char *const *cells)
{
	if (g_strv_length((char **)cells) < table->n)
		return NULL;
	const char *begin = strchr(cells[table->n - 1], '`'), *end = begin != NULL ? strchr(begin + 1, '`') : NULL;
	if (end == NULL)
		return NULL;
	GString *name = g_string_new_len(begin + 1, end - begin - 1);
	if (table->complexity > 0)
		g_string_append_printf(name, "/%s", cells[table->complexity]);
	if (!g_str_equal(table->per, USUAL_UNIT))
		g_string_append_printf(name, " (per %s)", table->per);
	return g_string_free(name, FALSE);
}

/* The time of a row. One that is printed with few digits is read from how many there are in a second, if that agrees
 * with it. A case that failed has a dash there. */
static double row_ns(const Table *table, char *const *cells)
{
	double time = framework_number(cells[table->time]);
	double rate_ns = table->rate > 0 ? NS_PER_S / framework_number(cells[table->rate]) : NAN;
	if (time >= MIN_TIME && !(time < EXACT_TIME && isfinite(rate_ns)))
		return time * table->unit_ns;
	return time >= 0 && fabs(rate_ns - time * table->unit_ns) <= DECIMALS * table->unit_ns ? rate_ns : NAN;
}

static gboolean take_row(GPtrArray *cases, const Table *table, const char *line, GError **error)
{
	g_auto(GStrv) cells = cells_of(line, table->n);
	g_autofree char *name = row_name(table, cells);
	if (name == NULL)
		return TRUE;
	FrameworkCase *one = framework_cases_get(cases, name);
	return (one != NULL && framework_case_add(one, NAN, row_ns(table, cells))) ||
	       framework_refuse_line(line, error);
}

static gboolean take_head(Table *table, const char *line, GError **error)
{
	g_auto(GStrv) cells = cells_of(line, MAX_CELLS);
	read_head(table, cells);
	if (!table->foreign)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "printed a table of nanobench without one time of a unit, such as ns/op, in its head: leave "
	        "`timeUnit`, `unit`, `output` and its columns as they are");
}

GPtrArray *nanobench_output_parse(const char *text, GError **error)
{
	g_autoptr(GPtrArray) cases = framework_cases_new();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_auto(Table) table = {0};
	gboolean ok = TRUE;
	for (char **line = lines; ok && *line != NULL; line++) {
		gboolean is_head = line[1] != NULL && is_separator(line[1]);
		if (is_head)
			ok = take_head(&table, *line, error);
		else if (table.time > 0 && **line == '|' && !is_separator(*line))
			ok = take_row(cases, &table, *line, error);
	}
	return ok ? g_steal_pointer(&cases) : NULL;
}
