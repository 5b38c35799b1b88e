/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlrounds.h"

#include "model/numbers/number.h"
#include "report/html/htmlplots.h"
#include "report/html/htmlspread.h"
#include "report/html/htmltext.h"
#include "report/html/roundsplot.h"

#include <math.h>

#define ROUND_WIDTH 20.
#define NARROWEST 330.
#define WIDEST 640.

gboolean html_has_rounds(const MetricComparison *metric)
{
	return rounds_plot_count(metric) >= 2;
}

void html_rounds_legend(GString *out, const MetricComparison *metric)
{
	rounds_plot_legend(out, metric);
}

static double width_of(const RoundsPlot *plot)
{
	return CLAMP(ROUNDS_LEFT + ROUNDS_RIGHT + ROUND_WIDTH * plot->rounds, NARROWEST, WIDEST);
}

static double x_of(const RoundsPlot *plot, guint round)
{
	return ROUNDS_LEFT + (width_of(plot) - ROUNDS_LEFT - ROUNDS_RIGHT) * (round + .5) / plot->rounds;
}

static void append_round_title(GString *out, const RoundsPlot *plot, guint round)
{
	const char *unit = plot->metric->unit;
	g_autofree char *base = number_value(rounds_plot_base(plot, round), unit);
	g_autofree char *head = number_value(rounds_plot_head(plot, round), unit);
	g_autofree char *change = number_change(1 + rounds_plot_change(plot, round));
	g_string_append_printf(out, "<title>round %u: base ", round + 1);
	html_text(out, base);
	g_string_append(out, ", head ");
	html_text(out, head);
	g_string_append_printf(out, ", %s</title>", change);
}

/* Base and head of one round, and their change below. */
static void append_round(GString *out, const RoundsPlot *plot, guint round)
{
	const MetricComparison *metric = plot->metric;
	double base = rounds_plot_base(plot, round), head = rounds_plot_head(plot, round);
	double x = x_of(plot, round), change = rounds_plot_change(plot, round);
	if (!isfinite(base) || !isfinite(head))
		return;
	double base_y = rounds_plot_y(&plot->values, base), head_y = rounds_plot_y(&plot->values, head);
	g_string_append(out, "<g>");
	append_round_title(out, plot, round);
	html_plot_line(out, "pair", "#8c959f", (double[]){x, base_y, x, head_y});
	rounds_plot_dot(out, metric, ROUNDS_BASE, x, base_y);
	rounds_plot_dot(out, metric, ROUNDS_HEAD, x, head_y);
	if (isfinite(change))
		rounds_plot_dot(out, metric, ROUNDS_CHANGE, x, rounds_plot_y(&plot->changes, change));
	g_string_append(out, "</g>\n");
}

/* The first and the last round, and those between as far as there is room. */
static void append_rounds_axis(GString *out, const RoundsPlot *plot)
{
	guint step = plot->rounds <= 12 ? 1 : plot->rounds <= 30 ? 5 : 10;
	double y = plot->changes.top + plot->changes.height + 15;
	for (guint i = 0; i < plot->rounds; i++) {
		g_autofree char *number = g_strdup_printf("%u", i + 1);
		if ((i + 1) % step == 0 || i == 0)
			html_plot_label(out, x_of(plot, i), y, "middle", number);
	}
	html_plot_label(out, (ROUNDS_LEFT + width_of(plot) - ROUNDS_RIGHT) / 2, y + 16, "middle",
	        "round, in the order of measuring");
}

static void append_timeline(GString *out, const RoundsPlot *plot)
{
	double width = width_of(plot);
	rounds_plot_open(out, plot, "all rounds of", width);
	rounds_plot_panel(out, plot, &plot->values, width);
	rounds_plot_panel(out, plot, &plot->changes, width);
	rounds_plot_band(out, plot, width);
	rounds_plot_margin(out, plot, width);
	for (guint i = 0; i < plot->rounds; i++)
		append_round(out, plot, i);
	append_rounds_axis(out, plot);
	g_string_append(out, "</svg>\n");
}

void html_rounds(GString *out, const MetricComparison *metric)
{
	g_auto(RoundsPlot) plot = rounds_plot_of(metric);
	g_string_append(out, "<figure class=\"rounds\">");
	rounds_plot_caption(out, &plot);
	g_string_append(out, "<div class=\"pair\">\n");
	append_timeline(out, &plot);
	html_spread(out, &plot);
	g_string_append(out, "</div></figure>\n");
}
