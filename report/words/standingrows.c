/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/standingrows.h"

#include "compare/comparison/sentence.h"

#include <math.h>

static double size_of(const StandingRow *row)
{
	double size = row->metric == NULL ? NAN : fabs(log(row->metric->change_ratio));
	return isnan(size) ? -1 : size;
}

/* Memory that doubled is no larger slowdown than half a second more. */
static gboolean is_time(const StandingRow *row)
{
	return row->metric != NULL && metric_is_time(row->metric);
}

static gint by_standing(gconstpointer left, gconstpointer right)
{
	const StandingRow *a = left, *b = right;
	if (a->standing != b->standing)
		return a->standing < b->standing ? -1 : 1;
	if (a->standing == STANDING_PASSED)
		return 0; /* the sort is stable: they stay in the order of the configuration */
	gboolean x_time = is_time(a), y_time = is_time(b);
	if (x_time != y_time)
		return x_time ? -1 : 1;
	double x = size_of(a), y = size_of(b);
	return x > y ? -1 : x < y;
}

static guint count_look(const GArray *rows)
{
	guint n = 0;
	while (n < rows->len && standing_needs_a_look(g_array_index(rows, StandingRow, n).standing))
		n++;
	return n;
}

GArray *standing_rows(const CheckResult *result, guint *n_look)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(StandingRow));
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		StandingRow row = {.benchmark = benchmark, .standing = standing_of(result, benchmark)};
		row.metric = standing_metric(benchmark, row.standing);
		g_array_append_val(rows, row);
	}
	g_array_sort(rows, by_standing);
	*n_look = count_look(rows);
	return rows;
}
