/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlrounds.h"

#include "model/numbers/number.h"
#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"
#include "report/html/plotaxis.h"

#include <math.h>
#include <string.h>

#define PLOT_LEFT 76
#define PLOT_RIGHT 14
#define PLOT_TOP 10
#define VALUES_HEIGHT 120
#define GAP 26
#define CHANGES_HEIGHT 74
#define PLOT_BOTTOM 30
#define ROUND_WIDTH 28.
#define NARROWEST 330.
#define WIDEST 900.

typedef struct {
	PlotAxis scale;     /* value `from` is at the bottom */
	double top, height; /* pixels */
} Axis;

typedef struct {
	const MetricComparison *metric;
	guint rounds;
	double width; /* pixels, of the whole plot */
	Axis values, changes;
} Plot;

static double value_at(const GArray *values, guint index)
{
	return values == NULL || index >= values->len ? NAN : g_array_index(values, double, index);
}

static guint count_rounds(const MetricComparison *metric)
{
	guint n = 0;
	for (guint i = 0; metric->base_values != NULL && i < metric->base_values->len; i++)
		if (isfinite(value_at(metric->base_values, i)) && isfinite(value_at(metric->head_values, i)))
			n = i + 1;
	return n;
}

gboolean html_has_rounds(const MetricComparison *metric)
{
	return count_rounds(metric) >= 2;
}

/* Head over base in a round, as share; NaN if there is none. */
static double change_at(const MetricComparison *metric, guint round)
{
	double base = value_at(metric->base_values, round), head = value_at(metric->head_values, round);
	return base > 0 && isfinite(head) ? head / base - 1 : NAN;
}

static Plot plot_of(const MetricComparison *metric)
{
	Plot plot = {.metric = metric, .rounds = count_rounds(metric)};
	plot.width = CLAMP(PLOT_LEFT + PLOT_RIGHT + ROUND_WIDTH * plot.rounds, NARROWEST, WIDEST);
	plot.values = (Axis){plot_axis_new(metric->unit != NULL ? metric->unit : ""), PLOT_TOP, VALUES_HEIGHT};
	plot.changes = (Axis){plot_axis_new(NULL), PLOT_TOP + VALUES_HEIGHT + GAP, CHANGES_HEIGHT};
	plot_axis_include(&plot.changes.scale, 0);
	for (guint i = 0; i < plot.rounds; i++) {
		plot_axis_include(&plot.values.scale, value_at(metric->base_values, i));
		plot_axis_include(&plot.values.scale, value_at(metric->head_values, i));
		plot_axis_include(&plot.changes.scale, change_at(metric, i));
	}
	if (metric->gates)
		plot_axis_include(&plot.changes.scale, metric->higher_is_better ? -metric->margin : metric->margin);
	plot_axis_settle(&plot.values.scale);
	plot_axis_settle(&plot.changes.scale);
	return plot;
}

static double x_of(const Plot *plot, guint round)
{
	return PLOT_LEFT + (plot->width - PLOT_LEFT - PLOT_RIGHT) * (round + .5) / plot->rounds;
}

static double y_of(const Axis *axis, double value)
{
	double share = (value - axis->scale.from) / (axis->scale.to - axis->scale.from);
	return axis->top + axis->height * (1 - CLAMP(share, 0, 1));
}

static void level_line(GString *out, const Plot *plot, const Axis *axis, const char *class, double value)
{
	double y = y_of(axis, value);
	html_plot_line(out, class, "#8c959f", (double[]){PLOT_LEFT, y, plot->width - PLOT_RIGHT, y});
}

/* Lines and labels of an axis. Labels that would read the same are said once. */
static void plot_axis(GString *out, const Plot *plot, const Axis *axis, gboolean of_changes)
{
	g_autofree char *last = g_strdup("");
	const PlotAxis *scale = &axis->scale;
	for (double n = plot_axis_first(scale); n * scale->step <= scale->to; n++) {
		double value = n * scale->step;
		g_autofree char *text = of_changes ? number_change(1 + value) : plot_axis_label(scale, value);
		level_line(out, plot, axis, of_changes && n == 0 ? "zero" : "grid", value);
		if (strcmp(text, last) != 0)
			html_plot_label(out, PLOT_LEFT - 8, y_of(axis, value) + 4, "end", text);
		g_free(last);
		last = g_steal_pointer(&text);
	}
}

/* `look` is the dot's attributes, ours. */
static void plot_dot(GString *out, const char *look, double x, double y)
{
	g_string_append_printf(out, "<circle %s r=\"4\"", look);
	html_attribute(out, "cx", x);
	html_attribute(out, "cy", y);
	g_string_append(out, "/>");
}

static void append_round_title(GString *out, const Plot *plot, guint round)
{
	const MetricComparison *metric = plot->metric;
	g_autofree char *base = number_value(value_at(metric->base_values, round), metric->unit);
	g_autofree char *head = number_value(value_at(metric->head_values, round), metric->unit);
	g_autofree char *change = number_change(1 + change_at(metric, round));
	g_string_append_printf(out, "<title>round %u: base ", round + 1);
	html_text(out, base);
	g_string_append(out, ", head ");
	html_text(out, head);
	g_string_append_printf(out, ", %s</title>", change);
}

/* Base and head of one round, and their change below. */
static void plot_round(GString *out, const Plot *plot, guint round)
{
	const MetricComparison *metric = plot->metric;
	double base = value_at(metric->base_values, round), head = value_at(metric->head_values, round);
	double x = x_of(plot, round), change = change_at(metric, round);
	if (!isfinite(base) || !isfinite(head))
		return;
	g_string_append(out, "<g>");
	append_round_title(out, plot, round);
	html_plot_line(out, "pair", "#8c959f", (double[]){x, y_of(&plot->values, base), x, y_of(&plot->values, head)});
	plot_dot(out, "class=\"dot-base\" fill=\"#ffffff\" stroke=\"#57606a\"", x, y_of(&plot->values, base));
	plot_dot(out, "class=\"dot-head\" fill=\"#24292f\"", x, y_of(&plot->values, head));
	if (isfinite(change)) {
		HtmlTone tone = html_metric_tone(metric);
		g_autofree char *look =
		        g_strdup_printf("class=\"%s\" fill=\"%s\"", html_tone_classes[tone], html_tone_fills[tone]);
		plot_dot(out, look, x, y_of(&plot->changes, change));
	}
	g_string_append(out, "</g>\n");
}

/* The interval of the change over all rounds, as a band; open ends reach the edge. */
static void plot_interval(GString *out, const Plot *plot)
{
	const MetricComparison *metric = plot->metric;
	if (isnan(metric->lower_ratio) || isnan(metric->upper_ratio))
		return;
	double top = y_of(&plot->changes, metric->upper_ratio - 1),
	       bottom = y_of(&plot->changes, metric->lower_ratio - 1);
	HtmlTone tone = html_metric_tone(metric);
	g_string_append_printf(out, "<rect class=\"band %s\" fill=\"%s\" fill-opacity=\".18\"", html_tone_classes[tone],
	        html_tone_fills[tone]);
	html_attribute(out, "x", PLOT_LEFT);
	html_attribute(out, "y", top);
	html_attribute(out, "width", plot->width - PLOT_LEFT - PLOT_RIGHT);
	html_attribute(out, "height", MAX(bottom - top, 1));
	g_string_append(out, "/>");
}

static void plot_margin(GString *out, const Plot *plot)
{
	const MetricComparison *metric = plot->metric;
	if (!metric->gates || !isfinite(metric->margin))
		return;
	double margin = metric->higher_is_better ? 1 / (1 + metric->margin) - 1 : metric->margin;
	level_line(out, plot, &plot->changes, "margin", margin);
	html_plot_label(out, plot->width - PLOT_RIGHT, y_of(&plot->changes, margin) - 4, "end", "margin");
}

/* The first and the last round, and those between as far as there is room. */
static void plot_rounds_axis(GString *out, const Plot *plot)
{
	guint step = plot->rounds <= 12 ? 1 : plot->rounds <= 30 ? 5 : 10;
	double y = plot->changes.top + CHANGES_HEIGHT + 16;
	for (guint i = 0; i < plot->rounds; i++) {
		g_autofree char *number = g_strdup_printf("%u", i + 1);
		if ((i + 1) % step == 0 || i == 0)
			html_plot_label(out, x_of(plot, i), y, "middle", number);
	}
	html_plot_label(out, PLOT_LEFT - 8, y, "end", "round");
}

void html_rounds(GString *out, const MetricComparison *metric)
{
	Plot plot = plot_of(metric);
	double height = plot.changes.top + CHANGES_HEIGHT + PLOT_BOTTOM;
	g_string_append(out, "<figure class=\"rounds\"><figcaption><b>");
	html_text(out, metric->name);
	g_string_append(out, "</b>, every round: <span class=\"key-base\">○ base</span> <span class=\"key-head\">● head"
	                     "</span>, and below them the change of each round with the interval of them all"
	                     "</figcaption>\n<svg role=\"img\" aria-label=\"all rounds of ");
	html_text(out, metric->name);
	g_string_append(out, "\"");
	html_attribute(out, "width", plot.width);
	html_attribute(out, "height", height);
	g_string_append(out, " viewBox=\"0 0 ");
	html_number(out, plot.width);
	g_string_append_c(out, ' ');
	html_number(out, height);
	g_string_append(out, "\">\n");
	plot_axis(out, &plot, &plot.values, FALSE);
	plot_axis(out, &plot, &plot.changes, TRUE);
	plot_interval(out, &plot);
	plot_margin(out, &plot);
	for (guint i = 0; i < plot.rounds; i++)
		plot_round(out, &plot, i);
	plot_rounds_axis(out, &plot);
	g_string_append(out, "</svg></figure>\n");
}
