/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/source/rowchoice.h"

static gint by_weight(gconstpointer a, gconstpointer b, gpointer data)
{
	const double *weights = data;
	guint x = *(const guint *)a, y = *(const guint *)b;
	if (weights[x] != weights[y])
		return weights[x] > weights[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Numbers of the rows that matter, heaviest first. */
static GArray *rows_that_matter(const double *weights, guint n)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < n; i++)
		if (weights[i] > 0)
			g_array_append_val(rows, i);
	g_array_sort_with_data(rows, by_weight, (gpointer)weights);
	return rows;
}

/* Shows the first `n_rows` of `rows`; returns how many rows and gaps that makes. */
static guint show(const GArray *rows, guint n_rows, guint context, gboolean *shown, guint n)
{
	guint count = 0;
	for (guint i = 0; i < n; i++)
		shown[i] = FALSE;
	for (guint i = 0; i < n_rows; i++) {
		guint row = g_array_index(rows, guint, i);
		guint begin = row > context ? row - context : 0, end = MIN((guint64)row + context, n - 1);
		for (guint j = begin; j <= end; j++)
			shown[j] = TRUE;
	}
	for (guint i = 0; i < n; i++)
		count += shown[i] || i == 0 || shown[i - 1];
	return count;
}

/* A gap takes a row itself. */
static void close_small_gaps(gboolean *shown, guint n)
{
	for (guint i = 1; i + 1 < n; i++)
		shown[i] = shown[i] || (shown[i - 1] && shown[i + 1]);
}

/* More rows never make less to show: a row that closes a gap takes its place. */
gboolean *row_choice(const double *weights, guint n, RowLimits limits)
{
	gboolean *shown = g_new0(gboolean, MAX(n, 1));
	g_autoptr(GArray) rows = rows_that_matter(weights, n);
	guint fits = 0, too_many = rows->len + 1;
	while (too_many - fits > 1) {
		guint middle = fits + (too_many - fits) / 2;
		if (show(rows, middle, limits.context, shown, n) <= limits.most)
			fits = middle;
		else
			too_many = middle;
	}
	show(rows, fits, limits.context, shown, n);
	close_small_gaps(shown, n);
	return shown;
}
