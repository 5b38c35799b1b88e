/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlplots.h"

#include "report/html/htmltext.h"
#include "report/words/wording.h"

#include <math.h>

#define BAR_HEIGHT 20
#define MAX_EVEN 8        /* so many margins to either side are shown on an even scale */
#define BAR_REACH_PCT 46. /* what lies within reach takes this much on either side of the middle */
#define EDGE_PCT 49.      /* and an end that is not known is here */

const char *const html_tone_classes[] = {
        [HTML_TONE_QUIET] = "quiet",
        [HTML_TONE_WORSE] = "worse",
        [HTML_TONE_BETTER] = "better",
        [HTML_TONE_OPEN] = "open",
};

const char *const html_tone_fills[] = {
        [HTML_TONE_QUIET] = "#6e7781",
        [HTML_TONE_WORSE] = "#bc4c00",
        [HTML_TONE_BETTER] = "#0969da",
        [HTML_TONE_OPEN] = "#8a6100",
};

/* Tells where a value stands, in percent of the width. */
static double bar_position(const HtmlInterval *interval, double value)
{
	double share = interval->even > 0 ? asinh(value / interval->even) / asinh(interval->reach / interval->even)
	                                  : value / interval->reach;
	return 50 + CLAMP(share * BAR_REACH_PCT, -EDGE_PCT, EDGE_PCT);
}

static void bar_line(GString *out, const char *class, double x, const char *stroke)
{
	g_string_append_printf(out, "<line class=\"%s\" stroke=\"%s\" y1=\"2\" y2=\"18\"", class, stroke);
	html_percent_attribute(out, "x1", x);
	html_percent_attribute(out, "x2", x);
	g_string_append(out, "/>");
}

/* The zone between no change and the margin, and the margin itself. */
static void bar_scale(GString *out, const HtmlInterval *interval)
{
	if (isfinite(interval->margin) && interval->margin != 0) {
		double x = bar_position(interval, interval->margin);
		g_string_append(out, "<rect class=\"zone\" fill=\"#8c959f\" fill-opacity=\".2\" y=\"2\" height=\"16\"");
		html_percent_attribute(out, "x", MIN(x, 50));
		html_percent_attribute(out, "width", fabs(x - 50));
		g_string_append(out, "/>");
		bar_line(out, "margin", x, "#57606a");
	}
	bar_line(out, "zero", 50, "#8c959f");
}

static void bar_arrow(GString *out, gboolean right, HtmlTone tone)
{
	g_string_append_printf(out,
	        "<text class=\"%s\" fill=\"%s\" x=\"%s\" y=\"14.5\" font-size=\"14\" text-anchor=\"%s\">%s</text>",
	        html_tone_classes[tone], html_tone_fills[tone], right ? "100%" : "0%", right ? "end" : "start",
	        right ? "▸" : "◂");
}

static void bar_band(GString *out, const HtmlInterval *interval)
{
	double lower = isnan(interval->lower) ? -INFINITY : interval->lower;
	double upper = isnan(interval->upper) ? INFINITY : interval->upper;
	double from = bar_position(interval, lower), to = bar_position(interval, upper);
	g_string_append_printf(out, "<rect class=\"%s\" fill=\"%s\" fill-opacity=\".5\" y=\"8\" height=\"4\" rx=\"1\"",
	        html_tone_classes[interval->tone], html_tone_fills[interval->tone]);
	html_percent_attribute(out, "x", from);
	html_percent_attribute(out, "width", MAX(to - from, .4));
	g_string_append(out, "/>");
	if (!isfinite(lower))
		bar_arrow(out, lower > 0, interval->tone);
	if (!isfinite(upper))
		bar_arrow(out, upper > 0, interval->tone);
}

/* Where nothing is known of the ends, as of what was not tested, there is the estimate alone. */
static void bar_interval(GString *out, const HtmlInterval *interval)
{
	if (!isnan(interval->lower) || !isnan(interval->upper))
		bar_band(out, interval);
	if (!isfinite(interval->estimate))
		return;
	g_string_append_printf(out, "<circle class=\"%s\" fill=\"%s\" cy=\"10\" r=\"3.5\"",
	        html_tone_classes[interval->tone], html_tone_fills[interval->tone]);
	html_percent_attribute(out, "cx", bar_position(interval, interval->estimate));
	g_string_append(out, "/>");
}

void html_interval_bar(GString *out, const HtmlInterval *interval)
{
	g_string_append(out,
	        "<svg class=\"bar\" width=\"180\" height=\"" G_STRINGIFY(BAR_HEIGHT) "\" role=\"img\" aria-label=\"");
	html_text(out, interval->label);
	g_string_append(out, "\">");
	bar_scale(out, interval);
	if (!isnan(interval->estimate))
		bar_interval(out, interval);
	g_string_append(out, "</svg>");
}

HtmlTone html_metric_tone(const MetricComparison *metric)
{
	if (!metric->gates)
		return HTML_TONE_QUIET;
	if (metric->verdict == VERDICT_REGRESSION && !metric->accepted)
		return HTML_TONE_WORSE;
	if (metric->verdict == VERDICT_INCONCLUSIVE)
		return HTML_TONE_OPEN;
	gboolean better = metric->higher_is_better ? metric->lower_ratio > 1 : metric->upper_ratio < 1;
	return better && metric->verdict == VERDICT_PASS ? HTML_TONE_BETTER : HTML_TONE_QUIET;
}

/* The size of the largest known end of a change. */
static double extent_of(const MetricComparison *metric)
{
	const double ends[] = {metric->change_ratio, metric->lower_ratio, metric->upper_ratio};
	double extent = 0;
	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++)
		if (isfinite(ends[i]) && ends[i] > 0)
			extent = fmax(extent, fabs(ends[i] - 1));
	return extent;
}

double html_margins_for(double margins, const MetricComparison *metric)
{
	return metric->margin > 0 ? fmax(margins, 1.1 * extent_of(metric) / metric->margin) : margins;
}

const char *html_bars_words(double margins)
{
	return margins > MAX_EVEN ? " Beyond the margin the scale is ever more compressed, so that the largest "
	                            "change fits."
	                          : "";
}

void html_metric_bar(GString *out, const MetricComparison *metric, double margins, const char *label)
{
	double margin = metric->higher_is_better ? 1 / (1 + metric->margin) - 1 : metric->margin;
	double extent = extent_of(metric);
	gboolean unpaired = wording_not_judged(metric) != NULL;
	HtmlInterval interval = {
	        .estimate = metric->change_ratio - 1,
	        .lower = unpaired                  ? NAN
	                 : metric->lower_ratio > 0 ? metric->lower_ratio - 1
	                                           : -INFINITY,
	        .upper = unpaired ? NAN : metric->upper_ratio - 1,
	        .margin = metric->gates ? margin : NAN,
	        .reach = extent > 0 ? 1.25 * extent : 1,
	        .tone = html_metric_tone(metric),
	        .label = label,
	};
	if (metric->margin > 0) {
		interval.reach = margins * metric->margin;
		interval.even = margins > MAX_EVEN ? metric->margin : 0;
	}
	html_interval_bar(out, &interval);
}
