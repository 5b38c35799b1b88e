/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlspread.h"

#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"

#include <math.h>

#define COLUMN_WIDTH 92.
#define APART 8.  /* of two dots that do not cover each other */
#define REACH 34. /* from the middle of a column to its outermost dot */
#define BOX_HALF_WIDTH 38.

/* The dots of one column. */
typedef struct {
	const RoundsPlot *plot;
	const RoundsPanel *panel;
	double (*value)(const RoundsPlot *plot, guint round);
	RoundsDot kind;
	double x; /* of its middle */
} Column;

static gint by_value(gconstpointer left, gconstpointer right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a < b ? -1 : a > b;
}

/* The values of the rounds that both sides have, in order. Owned by the caller. */
static GArray *values_of(const Column *column)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < column->plot->rounds; i++) {
		double value = column->value(column->plot, i);
		gboolean both =
		        isfinite(rounds_plot_base(column->plot, i)) && isfinite(rounds_plot_head(column->plot, i));
		if (both && isfinite(value))
			g_array_append_val(values, value);
	}
	g_array_sort(values, by_value);
	return values;
}

/* The quantile of ordered values, linear between two of them. */
static double quantile(const GArray *values, double share)
{
	double at = share * (values->len - 1), below = floor(at);
	double low = g_array_index(values, double, (guint)below);
	double high = g_array_index(values, double, MIN((guint)below + 1, values->len - 1));
	return low + (at - below) * (high - low);
}

static void append_box(GString *out, const Column *column, const GArray *values)
{
	double top = rounds_plot_y(column->panel, quantile(values, .75));
	double bottom = rounds_plot_y(column->panel, quantile(values, .25));
	double median = rounds_plot_y(column->panel, quantile(values, .5));
	g_string_append(out, "<rect class=\"box\" fill=\"none\" stroke=\"#8c959f\"");
	html_attribute(out, "x", column->x - BOX_HALF_WIDTH);
	html_attribute(out, "y", top);
	html_attribute(out, "width", 2 * BOX_HALF_WIDTH);
	html_attribute(out, "height", fmax(bottom - top, 1));
	g_string_append(out, "/>");
	html_plot_line(out, "median", "#57606a",
	        (double[]){column->x - BOX_HALF_WIDTH, median, column->x + BOX_HALF_WIDTH, median});
}

static gboolean is_free(const GArray *placed, double x, double y)
{
	for (guint i = 0; i + 1 < placed->len; i += 2)
		if (hypot(g_array_index(placed, double, i) - x, g_array_index(placed, double, i + 1) - y) < APART)
			return FALSE;
	return TRUE;
}

/* The place nearest to the middle that no other dot covers; the middle where there is none. */
static double place_of(const Column *column, const GArray *placed, double y)
{
	for (double away = 0; away <= REACH; away += APART / 2) {
		if (is_free(placed, column->x + away, y))
			return column->x + away;
		if (is_free(placed, column->x - away, y))
			return column->x - away;
	}
	return column->x;
}

static void append_column(GString *out, const Column *column, const char *label)
{
	g_autoptr(GArray) values = values_of(column), placed = g_array_new(FALSE, FALSE, sizeof(double));
	if (values->len == 0)
		return;
	append_box(out, column, values);
	for (guint i = 0; i < values->len; i++) {
		double y = rounds_plot_y(column->panel, g_array_index(values, double, i));
		double x = place_of(column, placed, y);
		g_array_append_val(placed, x);
		g_array_append_val(placed, y);
		rounds_plot_dot(out, column->plot->metric, column->kind, x, y);
	}
	html_plot_label(out, column->x, column->panel->top + column->panel->height + 15, "middle", label);
}

void html_spread(GString *out, const RoundsPlot *plot)
{
	double width = ROUNDS_LEFT + ROUNDS_RIGHT + 2 * COLUMN_WIDTH, first = ROUNDS_LEFT + COLUMN_WIDTH / 2;
	Column columns[] = {
	        {plot, &plot->values, rounds_plot_base, ROUNDS_BASE, first},
	        {plot, &plot->values, rounds_plot_head, ROUNDS_HEAD, first + COLUMN_WIDTH},
	        {plot, &plot->changes, rounds_plot_change, ROUNDS_CHANGE, ROUNDS_LEFT + COLUMN_WIDTH},
	};
	static const char *const labels[] = {"base", "head", "all rounds"};
	rounds_plot_open(out, plot, "distribution over the rounds of", width);
	rounds_plot_panel(out, plot, &plot->values, width);
	rounds_plot_panel(out, plot, &plot->changes, width);
	rounds_plot_band(out, plot, width);
	rounds_plot_margin(out, plot, width);
	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		append_column(out, &columns[i], labels[i]);
	g_string_append(out, "</svg>\n");
}
