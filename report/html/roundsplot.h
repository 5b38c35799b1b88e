/* SPDX-License-Identifier: Apache-2.0 */
/* The two panels that pictures of a metric's rounds share, the values of base and head above and the change of each
 * round below, so that pictures beside each other have the same heights and scales.
 *
 *     RoundsPlot plot = rounds_plot_of(metric);
 *     rounds_plot_open(out, "all rounds of task-clock", 330);
 *     rounds_plot_panel(out, &plot, &plot.values, 330);        title, grid and labels
 *     rounds_plot_dot(out, ROUNDS_HEAD, x, rounds_plot_y(&plot.values, value));
 *     ...
 *     g_string_append(out, "</svg>");
 *
 * Lengths are pixels, the origin is at the upper left. */
#pragma once

#include "compare/comparison/comparison.h"
#include "report/html/plotaxis.h"

#define ROUNDS_LEFT 72 /* room for the labels of the value axis */
#define ROUNDS_RIGHT 12
#define ROUNDS_BOTTOM 38 /* below the lower panel, for the labels and the title of the other axis */

typedef struct {
	PlotAxis scale;
	double top, height;
	char *title; /* quantity and unit */
} RoundsPanel;

typedef struct {
	const MetricComparison *metric;
	guint rounds; /* up to the last one that has both values */
	RoundsPanel values, changes;
} RoundsPlot;

typedef enum { ROUNDS_BASE, ROUNDS_HEAD, ROUNDS_CHANGE } RoundsDot;

/* The number of rounds up to the last one that has a value on both sides. */
guint rounds_plot_count(const MetricComparison *metric);
/* Panels that fit all rounds of the metric, which is borrowed. The caller clears it. */
RoundsPlot rounds_plot_of(const MetricComparison *metric);
/* Frees its texts. */
void rounds_plot_clear(RoundsPlot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RoundsPlot, rounds_plot_clear)

/* Base of a round; NaN where it has none. */
double rounds_plot_base(const RoundsPlot *plot, guint round);
/* Head of a round; NaN where it has none. */
double rounds_plot_head(const RoundsPlot *plot, guint round);
/* Head over base in a round, as share; NaN if there is none. */
double rounds_plot_change(const RoundsPlot *plot, guint round);

/* Where a value stands in a panel; one beyond its ends stands at the end. */
double rounds_plot_y(const RoundsPanel *panel, double value);
/* The height of the whole picture. */
double rounds_plot_height(const RoundsPlot *plot);
/* Appends the start tag of a picture that says `label` and `name`, which is foreign. */
void rounds_plot_open(GString *out, const RoundsPlot *plot, const char *label, double width);
/* Appends title, grid and labels of a panel. */
void rounds_plot_panel(GString *out, const RoundsPlot *plot, const RoundsPanel *panel, double width);
/* Appends the interval of the change over all rounds, as a band in the panel of changes; open ends reach its edge. */
void rounds_plot_band(GString *out, const RoundsPlot *plot, double width);
/* Appends the margin in the panel of changes, where the metric gates. */
void rounds_plot_margin(GString *out, const RoundsPlot *plot, double width);
/* Appends a dot. */
void rounds_plot_dot(GString *out, const MetricComparison *metric, RoundsDot kind, double x, double y);
/* Appends a figcaption with what the rounds say. */
void rounds_plot_caption(GString *out, const RoundsPlot *plot);
/* Appends a list with what each sign means, for all plots of a benchmark; its colours are those of the metric. */
void rounds_plot_legend(GString *out, const MetricComparison *metric);
