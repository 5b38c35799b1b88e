/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlhistory.h"

#include "model/engine.h"
#include "model/numbers/number.h"
#include "report/html/htmltext.h"
#include "report/html/plotaxis.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define PLOT_LEFT 76
#define PLOT_RIGHT 40
#define PLOT_TOP 42 /* with room for the title of the axis and for base and head */
#define VALUES_HEIGHT 130
#define PLOT_BOTTOM 48
#define POINT_WIDTH 26.
#define NARROWEST 330.
#define WIDEST 900.

typedef struct {
	const HtmlHistory *shown;
	guint first, n; /* of the points: those that are plotted */
	PlotAxis axis;
	double width;
} Plot;

static const HistoryPoint *point_at(const Plot *plot, guint index)
{
	return &g_array_index(plot->shown->history->points, HistoryPoint, plot->first + index);
}

gboolean html_has_history(const MetricHistory *history)
{
	guint n = 0;
	for (guint i = 0; i < history->points->len; i++)
		n += isfinite(g_array_index(history->points, HistoryPoint, i).median);
	return n >= 2;
}

/* Times and sizes have their unit at each label; of all else the caption says what is counted, and the table the exact
 * numbers. */
static const char *unit_of(const MetricHistory *history)
{
	return g_str_equal(history->unit, "ns") || g_str_equal(history->unit, "bytes") ? history->unit : "count";
}

static Plot plot_of(const HtmlHistory *shown)
{
	guint all = shown->history->points->len;
	Plot plot = {
	        .shown = shown, .n = MIN(all, HTML_HISTORY_POINTS), .axis = plot_axis_new(unit_of(shown->history))};
	plot.first = all - plot.n;
	plot.width = CLAMP(PLOT_LEFT + PLOT_RIGHT + POINT_WIDTH * plot.n, NARROWEST, WIDEST);
	for (guint i = 0; i < plot.n; i++) {
		plot_axis_include(&plot.axis, point_at(&plot, i)->median);
		plot_axis_include(&plot.axis, point_at(&plot, i)->lower);
		plot_axis_include(&plot.axis, point_at(&plot, i)->upper);
	}
	plot_axis_settle(&plot.axis);
	return plot;
}

static double x_of(const Plot *plot, guint index)
{
	return PLOT_LEFT + (plot->width - PLOT_LEFT - PLOT_RIGHT) * (index + .5) / plot->n;
}

static double y_of(const Plot *plot, double value)
{
	return PLOT_TOP + VALUES_HEIGHT * (1 - (value - plot->axis.from) / (plot->axis.to - plot->axis.from));
}

static void append_ticks(GString *out, const Plot *plot)
{
	const PlotAxis *axis = &plot->axis;
	for (double n = plot_axis_first(axis); n * axis->step <= axis->to; n++) {
		double value = n * axis->step, y = y_of(plot, value);
		g_autofree char *text = plot_axis_label(axis, value);
		html_plot_line(out, "grid", "#d0d7de", (double[]){PLOT_LEFT, y, plot->width - PLOT_RIGHT, y});
		html_plot_label(out, PLOT_LEFT - 8, y + 4, "end", text);
	}
}

static char *say_value(const MetricHistory *history, double value)
{
	return engine_counts(history->engine) ? number_counted(value, NULL) : number_value(value, history->unit);
}

/* "base", "head", or NULL. */
static const char *mark_of(const Plot *plot, const HistoryPoint *point)
{
	if (*point->sha == '\0')
		return NULL;
	if (strcmp(point->sha, plot->shown->head_sha) == 0)
		return "head";
	return strcmp(point->sha, plot->shown->base_sha) == 0 ? "base" : NULL;
}

static void append_point_title(GString *out, const Plot *plot, const HistoryPoint *point)
{
	const MetricHistory *history = plot->shown->history;
	g_autofree char *sha = wording_sha(point->sha), *value = say_value(history, point->median);
	const char *mark = mark_of(plot, point);
	g_string_append(out, "<title>");
	html_text(out, sha);
	g_string_append_printf(out, "%s%s: ", mark != NULL ? ", " : "", mark != NULL ? mark : "");
	html_text(out, value);
	if (*point->subject != '\0') {
		g_string_append(out, ", ");
		html_short(out, point->subject, 120);
	}
	g_string_append(out, "</title>");
}

/* Draws where another environment begins, and the line from the point before where none does. */
static void append_join(GString *out, const Plot *plot, guint index)
{
	const HistoryPoint *before = index > 0 ? point_at(plot, index - 1) : NULL, *point = point_at(plot, index);
	if (before == NULL)
		return;
	if (!point->same_environment) {
		double x = (x_of(plot, index - 1) + x_of(plot, index)) / 2;
		html_plot_line(out, "margin", "#57606a", (double[]){x, PLOT_TOP, x, PLOT_TOP + VALUES_HEIGHT});
	} else if (isfinite(before->median) && isfinite(point->median)) {
		html_plot_line(out, "pair", "#8c959f",
		        (double[]){x_of(plot, index - 1), y_of(plot, before->median), x_of(plot, index),
		                y_of(plot, point->median)});
	}
}

static void append_point(GString *out, const Plot *plot, guint index)
{
	const HistoryPoint *point = point_at(plot, index);
	const char *mark = mark_of(plot, point);
	double x = x_of(plot, index);
	if (!isfinite(point->median))
		return;
	g_string_append(out, "<g>");
	append_point_title(out, plot, point);
	if (isfinite(point->lower) && isfinite(point->upper))
		html_plot_line(
		        out, "pair", "#8c959f", (double[]){x, y_of(plot, point->lower), x, y_of(plot, point->upper)});
	gboolean is_base = g_strcmp0(mark, "base") == 0;
	g_string_append_printf(out, "<circle class=\"%s\" fill=\"%s\" stroke=\"#57606a\" r=\"%s\"",
	        is_base ? "dot-base" : "dot-head", is_base ? "#ffffff" : "#24292f", mark != NULL ? "5" : "3");
	html_attribute(out, "cx", x);
	html_attribute(out, "cy", y_of(plot, point->median));
	g_string_append(out, "/></g>");
	if (mark != NULL) /* base is left of head, and often next to it */
		html_plot_label(out, is_base ? x + 5 : x - 5, PLOT_TOP - 8, is_base ? "end" : "start", mark);
}

/* An upright line through the first point of a new level. */
static void append_change(GString *out, const Plot *plot, const HistoryChange *change)
{
	if (change->point < plot->first)
		return;
	double x = x_of(plot, change->point - plot->first);
	const char *color = change->worse ? "#cf222e" : "#1a7f37";
	g_autofree char *size = wording_history_change(plot->shown->history, change->change);
	html_plot_line(out, "change", color, (double[]){x, PLOT_TOP, x, PLOT_TOP + VALUES_HEIGHT});
	html_plot_label(out, x, PLOT_TOP + VALUES_HEIGHT + 12, "middle", size);
}

static void append_ends(GString *out, const Plot *plot)
{
	g_autofree char *first = wording_sha(point_at(plot, 0)->sha);
	g_autofree char *last = wording_sha(point_at(plot, plot->n - 1)->sha);
	double y = PLOT_TOP + VALUES_HEIGHT + (plot->shown->history->changes->len > 0 ? 26 : 18);
	html_plot_label(out, x_of(plot, 0), y, "middle", first);
	html_plot_label(out, x_of(plot, plot->n - 1), y, "middle", last);
}

/* The titles of the axes. Ticks of times and sizes have their unit. */
static void append_axis_titles(GString *out, const Plot *plot)
{
	const MetricHistory *history = plot->shown->history;
	const char *unit = unit_of(history);
	gboolean named = g_str_equal(unit, "count") && *history->unit != '\0' && !g_str_equal(history->unit, "count") &&
	                 !g_str_equal(history->unit, history->metric);
	const char *of = *history->function != '\0' ? "of its own code in a run" : "of a run";
	g_autofree char *values = g_strdup_printf(
	        "%s %s%s%s (median)", history->metric, of, named ? ", in " : "", named ? history->unit : "");
	html_plot_label(out, 0, 13, "start", values);
	html_plot_label(out, plot->width / 2, PLOT_TOP + VALUES_HEIGHT + PLOT_BOTTOM - 6, "middle",
	        "commits, oldest on the left");
}

static guint count_changes(const Plot *plot)
{
	guint n = 0;
	for (guint i = 1; i < plot->n; i++)
		n += !point_at(plot, i)->same_environment;
	return n;
}

static void append_caption(GString *out, const Plot *plot)
{
	const MetricHistory *history = plot->shown->history;
	guint changes = count_changes(plot);
	g_string_append(out, "<figcaption><b>");
	if (*history->function != '\0') {
		html_code(out, history->function);
		g_string_append(out, ", self ");
	}
	html_text(out, history->metric);
	g_string_append_printf(
	        out, "</b> at %u commits%s", plot->n, history->higher_is_better ? "; higher is better" : "");
	if (changes > 0)
		g_string_append_printf(out,
		        "; %u time%s the environment changed: values on either side of such a line do not compare",
		        changes, changes == 1 ? "" : "s");
	if (plot->first > 0)
		g_string_append_printf(out, "; %u older ones are in report.json", plot->first);
	g_string_append(out, "</figcaption>\n");
}

static void append_picture(GString *out, const Plot *plot, const char *attributes)
{
	const GArray *changes = plot->shown->history->changes;
	double height = PLOT_TOP + VALUES_HEIGHT + PLOT_BOTTOM;
	g_string_append(out, "<svg role=\"img\" aria-label=\"history of ");
	html_text(out, plot->shown->history->metric);
	g_string_append_printf(out, "\"%s", attributes);
	html_attribute(out, "width", plot->width);
	html_attribute(out, "height", height);
	g_string_append(out, " viewBox=\"0 0 ");
	html_number(out, plot->width);
	g_string_append_c(out, ' ');
	html_number(out, height);
	g_string_append(out, "\">\n");
	append_ticks(out, plot);
	for (guint i = 0; i < changes->len; i++)
		append_change(out, plot, &g_array_index(changes, HistoryChange, i));
	for (guint i = 0; i < plot->n; i++)
		append_join(out, plot, i);
	for (guint i = 0; i < plot->n; i++)
		append_point(out, plot, i);
	append_ends(out, plot);
	append_axis_titles(out, plot);
	g_string_append(out, "</svg>\n");
}

static void append_dot_entry(GString *out, const char *kind, const char *fill, const char *radius, const char *text)
{
	html_sign_begin(out);
	g_string_append_printf(out, "<circle class=\"%s\" fill=\"%s\" stroke=\"#57606a\" r=\"%s\" cx=\"11\" cy=\"6\"/>",
	        kind, fill, radius);
	html_sign_end(out, text);
}

static void append_line_entry(GString *out, const char *kind, const char *color, const char *text)
{
	html_sign_begin(out);
	html_plot_line(out, kind, color, (double[]){11, 0, 11, 12});
	html_sign_end(out, text);
}

static gboolean has_mark(const Plot *plot, const char *mark)
{
	for (guint i = 0; i < plot->n; i++)
		if (g_strcmp0(mark_of(plot, point_at(plot, i)), mark) == 0)
			return TRUE;
	return FALSE;
}

/* The signs that the plot has. */
static void append_legend(GString *out, const Plot *plot)
{
	g_string_append(out, "<ul class=\"signs rounds\">");
	append_dot_entry(out, "dot-head", "#24292f", "3", "a commit: the median of its runs");
	if (has_mark(plot, "base"))
		append_dot_entry(out, "dot-base", "#ffffff", "5", "base of this check");
	if (has_mark(plot, "head"))
		append_dot_entry(out, "dot-head", "#24292f", "5", "head of this check");
	append_line_entry(out, "pair", "#8c959f", "from the lowest to the highest run");
	if (plot->shown->history->changes->len > 0)
		append_line_entry(out, "change", "#cf222e",
		        "from this commit on, a run costs more (red) or less (green) by the percentage below the line");
	if (count_changes(plot) > 0)
		append_line_entry(
		        out, "margin", "#57606a", "another machine, compiler or setting: do not compare across it");
	g_string_append(out, "</ul>\n");
}

static void append_table_row(GString *out, const Plot *plot, guint index)
{
	const MetricHistory *history = plot->shown->history;
	const HistoryPoint *point = point_at(plot, index);
	const char *mark = mark_of(plot, point);
	g_autofree char *sha = wording_sha(point->sha), *median = say_value(history, point->median);
	g_autofree char *lower = say_value(history, point->lower), *upper = say_value(history, point->upper);
	g_autofree char *range = g_strdup_printf("%s to %s", lower, upper);
	g_string_append(out, "<tr><th scope=\"row\">");
	html_code(out, sha);
	if (mark != NULL)
		g_string_append_printf(out, " <b>%s</b>", mark);
	g_string_append(out, "</th>");
	html_element(out, "td", NULL, point->subject);
	html_element(out, "td", "n", median);
	html_element(out, "td", "n", range);
	html_element(out, "td", NULL, index == 0 || point->same_environment ? "" : "another environment");
	g_string_append(out, "</tr>\n");
}

static void append_table(GString *out, const Plot *plot)
{
	g_string_append(out,
	        "<details class=\"facts\"><summary>as a table</summary>\n<table class=\"history\"><thead><tr>"
	        "<th scope=\"col\">commit</th><th scope=\"col\">subject</th><th scope=\"col\" class=\"n\">"
	        "median</th><th scope=\"col\" class=\"n\">range</th><th scope=\"col\"></th></tr></thead>"
	        "<tbody>\n");
	for (guint i = 0; i < plot->n; i++)
		append_table_row(out, plot, i);
	g_string_append(out, "</tbody></table></details>\n");
}

static void append_change_row(GString *out, const Plot *plot, const HistoryChange *change)
{
	const MetricHistory *history = plot->shown->history;
	const HistoryPoint *point = &g_array_index(history->points, HistoryPoint, change->point);
	g_autofree char *size = wording_history_change(history, change->change), *sha = wording_sha(point->sha);
	g_autofree char *candidates = change->candidates == 2
	                                      ? g_strdup("the commit")
	                                      : g_strdup_printf("one of the %u commits", change->candidates - 1);
	g_autofree char *range = wording_history_range(history, change), *spread = wording_history_spread(change);
	g_string_append_printf(out, "<li><b>%s</b> %s ", size, change->worse ? "worse" : "better");
	if (spread != NULL) {
		g_string_append_printf(out, "%s%s, ", change->drifts ? "" : "at ", spread);
		html_code(out, range);
		g_string_append(out, "</li>\n");
		return;
	}
	g_string_append(out, "at ");
	html_code(out, sha);
	g_string_append_c(out, ' ');
	html_short(out, point->subject, 120);
	if (change->candidates > 1)
		g_string_append_printf(out, " (or %s before it, which nobody measured)", candidates);
	g_string_append(out, "</li>\n");
}

static void append_changes(GString *out, const Plot *plot)
{
	const GArray *changes = plot->shown->history->changes;
	if (changes->len == 0)
		return;
	g_string_append(out, "<ul class=\"changes\">\n");
	for (guint i = 0; i < changes->len; i++)
		append_change_row(out, plot, &g_array_index(changes, HistoryChange, i));
	g_string_append(out, "</ul>\n");
}

HtmlHistorySize html_history_picture(GString *out, const HtmlHistory *shown, const char *attributes)
{
	Plot plot = plot_of(shown);
	append_picture(out, &plot, attributes);
	return (HtmlHistorySize){plot.width, PLOT_TOP + VALUES_HEIGHT + PLOT_BOTTOM};
}

void html_history(GString *out, const HtmlHistory *shown)
{
	Plot plot = plot_of(shown);
	g_string_append(out, "<figure class=\"rounds history\">");
	append_caption(out, &plot);
	append_picture(out, &plot, "");
	append_legend(out, &plot);
	append_changes(out, &plot);
	append_table(out, &plot);
	g_string_append(out, "</figure>\n");
}
