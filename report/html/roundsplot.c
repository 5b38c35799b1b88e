/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/roundsplot.h"

#include "compare/comparison/changewords.h"
#include "model/numbers/number.h"
#include "report/html/htmlplots.h"
#include "report/html/htmltext.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define TITLE_HEIGHT 22
#define VALUES_HEIGHT 120
#define GAP 40
#define CHANGES_HEIGHT 84
#define DOT_RADIUS 4

static double value_at(const GArray *values, guint index)
{
	return values == NULL || index >= values->len ? NAN : g_array_index(values, double, index);
}

double rounds_plot_base(const RoundsPlot *plot, guint round)
{
	return value_at(plot->metric->base_values, round);
}

double rounds_plot_head(const RoundsPlot *plot, guint round)
{
	return value_at(plot->metric->head_values, round);
}

double rounds_plot_change(const RoundsPlot *plot, guint round)
{
	double base = rounds_plot_base(plot, round), head = rounds_plot_head(plot, round);
	return base > 0 && isfinite(head) ? head / base - 1 : NAN;
}

guint rounds_plot_count(const MetricComparison *metric)
{
	guint n = 0;
	for (guint i = 0; metric->base_values != NULL && i < metric->base_values->len; i++)
		if (isfinite(value_at(metric->base_values, i)) && isfinite(value_at(metric->head_values, i)))
			n = i + 1;
	return n;
}

/* The margin as a change of the value: a metric of which more is better fails by falling. */
static double margin_of(const MetricComparison *metric)
{
	return metric->higher_is_better ? 1 / (1 + metric->margin) - 1 : metric->margin;
}

static void include_rounds(RoundsPlot *plot)
{
	for (guint i = 0; i < plot->rounds; i++) {
		plot_axis_include(&plot->values.scale, rounds_plot_base(plot, i));
		plot_axis_include(&plot->values.scale, rounds_plot_head(plot, i));
		plot_axis_include(&plot->changes.scale, rounds_plot_change(plot, i));
	}
}

/* Times and sizes have their unit at each label; of all else the title says what is counted. */
static const char *unit_of(const MetricComparison *metric)
{
	const char *unit = metric->unit != NULL ? metric->unit : "";
	return g_str_equal(unit, "ns") || g_str_equal(unit, "bytes") ? unit : "count";
}

RoundsPlot rounds_plot_of(const MetricComparison *metric)
{
	RoundsPlot plot = {.metric = metric, .rounds = rounds_plot_count(metric)};
	plot.values = (RoundsPanel){plot_axis_new(unit_of(metric)), TITLE_HEIGHT, VALUES_HEIGHT,
	        g_strdup_printf("%s of one run", change_words_name(metric))};
	plot.changes = (RoundsPanel){plot_axis_new(NULL), TITLE_HEIGHT + VALUES_HEIGHT + GAP, CHANGES_HEIGHT,
	        g_strdup("change in one round, head against base")};
	plot_axis_include(&plot.changes.scale, 0);
	include_rounds(&plot);
	if (metric->gates)
		plot_axis_include(&plot.changes.scale, margin_of(metric));
	plot_axis_settle(&plot.values.scale);
	plot_axis_settle(&plot.changes.scale);
	return plot;
}

void rounds_plot_clear(RoundsPlot *plot)
{
	g_clear_pointer(&plot->values.title, g_free);
	g_clear_pointer(&plot->changes.title, g_free);
}

double rounds_plot_y(const RoundsPanel *panel, double value)
{
	double share = (value - panel->scale.from) / (panel->scale.to - panel->scale.from);
	return panel->top + panel->height * (1 - CLAMP(share, 0, 1));
}

double rounds_plot_height(const RoundsPlot *plot)
{
	return plot->changes.top + plot->changes.height + ROUNDS_BOTTOM;
}

void rounds_plot_open(GString *out, const RoundsPlot *plot, const char *label, double width)
{
	double height = rounds_plot_height(plot);
	g_string_append_printf(out, "<svg role=\"img\" aria-label=\"%s ", label);
	html_text(out, plot->metric->name);
	g_string_append(out, "\"");
	html_attribute(out, "width", width);
	html_attribute(out, "height", height);
	g_string_append(out, " viewBox=\"0 0 ");
	html_number(out, width);
	g_string_append_c(out, ' ');
	html_number(out, height);
	g_string_append(out, "\">\n");
}

static void level_line(GString *out, const RoundsPanel *panel, const char *class, double value, double width)
{
	double y = rounds_plot_y(panel, value);
	html_plot_line(out, class, "#8c959f", (double[]){ROUNDS_LEFT, y, width - ROUNDS_RIGHT, y});
}

/* Labels that would read the same are said once. */
void rounds_plot_panel(GString *out, const RoundsPlot *plot, const RoundsPanel *panel, double width)
{
	g_autofree char *last = g_strdup("");
	const PlotAxis *scale = &panel->scale;
	gboolean of_changes = panel == &plot->changes;
	html_plot_label(out, 0, panel->top - 9, "start", panel->title);
	for (double n = plot_axis_first(scale); n * scale->step <= scale->to; n++) {
		double value = n * scale->step;
		g_autofree char *text = of_changes ? number_change(1 + value) : plot_axis_label(scale, value);
		level_line(out, panel, of_changes && n == 0 ? "zero" : "grid", value, width);
		if (strcmp(text, last) != 0)
			html_plot_label(out, ROUNDS_LEFT - 8, rounds_plot_y(panel, value) + 4, "end", text);
		g_free(last);
		last = g_steal_pointer(&text);
	}
}

void rounds_plot_band(GString *out, const RoundsPlot *plot, double width)
{
	const MetricComparison *metric = plot->metric;
	HtmlTone tone = html_metric_tone(metric);
	if (isnan(metric->lower_ratio) || isnan(metric->upper_ratio))
		return;
	double top = rounds_plot_y(&plot->changes, metric->upper_ratio - 1);
	double bottom = rounds_plot_y(&plot->changes, metric->lower_ratio - 1);
	g_string_append_printf(out, "<rect class=\"band %s\" fill=\"%s\" fill-opacity=\".18\"", html_tone_classes[tone],
	        html_tone_fills[tone]);
	html_attribute(out, "x", ROUNDS_LEFT);
	html_attribute(out, "y", top);
	html_attribute(out, "width", width - ROUNDS_LEFT - ROUNDS_RIGHT);
	html_attribute(out, "height", fmax(bottom - top, 1));
	g_string_append(out, "/>");
}

void rounds_plot_margin(GString *out, const RoundsPlot *plot, double width)
{
	const MetricComparison *metric = plot->metric;
	if (metric->gates && isfinite(metric->margin))
		level_line(out, &plot->changes, "margin", margin_of(metric), width);
}

void rounds_plot_dot(GString *out, const MetricComparison *metric, RoundsDot kind, double x, double y)
{
	HtmlTone tone = html_metric_tone(metric);
	if (kind == ROUNDS_BASE)
		g_string_append(out, "<circle class=\"dot-base\" fill=\"#ffffff\" stroke=\"#57606a\"");
	else if (kind == ROUNDS_HEAD)
		g_string_append(out, "<circle class=\"dot-head\" fill=\"#24292f\"");
	else
		g_string_append_printf(
		        out, "<circle class=\"%s\" fill=\"%s\"", html_tone_classes[tone], html_tone_fills[tone]);
	g_string_append_printf(out, " r=\"%d\"", DOT_RADIUS);
	html_attribute(out, "cx", x);
	html_attribute(out, "cy", y);
	g_string_append(out, "/>");
}

/* --- the legend --- */

static void append_dot_entry(GString *out, const MetricComparison *metric, RoundsDot kind, const char *text)
{
	html_sign_begin(out);
	rounds_plot_dot(out, metric, kind, 11, 6);
	html_sign_end(out, text);
}

/* ", at least +28.0 % (99.975 % sure), at most +36.8 % (98 % sure)": the levels of the two ends differ, since a false
 * alarm is to be rarer than a regression that is missed. Owned by the caller. */
static char *interval_words(const MetricComparison *metric)
{
	double below = metric->higher_is_better ? metric->alpha_pass : metric->alpha_fail;
	double above = metric->higher_is_better ? metric->alpha_fail : metric->alpha_pass;
	if (!isfinite(metric->lower_ratio) || !isfinite(metric->upper_ratio) || metric->lower_ratio <= 0)
		return g_strdup("");
	g_autofree char *least = number_change(metric->lower_ratio), *most = number_change(metric->upper_ratio);
	if (!(below > 0) || !(above > 0))
		return g_strdup_printf(", at least %s, at most %s", least, most);
	g_autofree char *low = number_margin(1 - below), *high = number_margin(1 - above);
	return g_strdup_printf(", at least %s (%s sure), at most %s (%s sure)", least, low, most, high);
}

static void append_band_entry(GString *out, const MetricComparison *metric)
{
	HtmlTone tone = html_metric_tone(metric);
	html_sign_begin(out);
	g_string_append_printf(out, "<rect class=\"%s\" fill=\"%s\" fill-opacity=\".25\" width=\"22\" height=\"12\"/>",
	        html_tone_classes[tone], html_tone_fills[tone]);
	html_sign_end(out, "the interval of the change over all rounds");
}

static void append_margin_entry(GString *out)
{
	html_sign_begin(out);
	html_plot_line(out, "margin", "#57606a", (double[]){0, 6, 22, 6});
	html_sign_end(out, "the margin: what is shown to be worse than this fails the check");
}

static void append_box_entry(GString *out)
{
	html_sign_begin(out);
	g_string_append(out, "<rect class=\"box\" fill=\"none\" stroke=\"#8c959f\" x=\"1\" y=\"1\" width=\"20\" "
	                     "height=\"10\"/>");
	html_plot_line(out, "median", "#57606a", (double[]){1, 6, 21, 6});
	html_sign_end(out, "box: the middle half of the rounds; line in it: their median");
}

void rounds_plot_legend(GString *out, const MetricComparison *metric)
{
	g_string_append(out, "<ul class=\"signs rounds\">");
	append_dot_entry(out, metric, ROUNDS_BASE, "a run of base");
	append_dot_entry(out, metric, ROUNDS_HEAD, "the run of head beside it, in the same round");
	append_dot_entry(out, metric, ROUNDS_CHANGE, "how far head is above base in that round");
	append_band_entry(out, metric);
	append_margin_entry(out);
	append_box_entry(out);
	g_string_append(out, "</ul>\n");
}

void rounds_plot_caption(GString *out, const RoundsPlot *plot)
{
	const MetricComparison *metric = plot->metric;
	g_autofree char *values = wording_metric_costs(metric), *change = wording_metric_change(metric);
	g_autofree char *interval = interval_words(metric);
	g_string_append(out, "<figcaption><b>");
	html_text(out, metric->name);
	g_string_append(out, "</b>: ");
	html_text(out, values);
	g_string_append_printf(out, ", a change of %s%s; %u rounds</figcaption>\n", change, interval, metric->rounds);
}
