/* SPDX-License-Identifier: Apache-2.0 */
/* Interval bars of report.html, as inline SVG that needs neither script nor style sheet to be read.
 *
 *     |      0░░░░¦   ├──●──┤        no change, zone up to the margin ¦, interval and estimate
 *
 * Positions are percentages, so that bars of one column line up at every width. Tones say what a change means,
 * and are repeated in words beside every bar: nothing is said by colour alone. */
#pragma once

#include "compare/comparison/comparison.h"

typedef enum {
	HTML_TONE_QUIET, /* nothing was shown, or it decides nothing */
	HTML_TONE_WORSE,
	HTML_TONE_BETTER,
	HTML_TONE_OPEN, /* could be either */
} HtmlTone;
/* By tone: the class of what has it, for the style sheet, and the colour of what has none. */
extern const char *const html_tone_classes[];
extern const char *const html_tone_fills[];

typedef struct {
	double estimate, lower, upper; /* 0 = no change; an end that is infinite or NaN is open, two that are NaN are
	                                * no interval */
	double margin;                 /* where a regression begins, negative if less is worse; NaN = none */
	double reach;                  /* the ends of the bar are at -reach and +reach: no finite value lies beyond;
	                                * an open end is an arrow */
	double even;                   /* > 0: the scale is even up to about here, and logarithmic further out */
	HtmlTone tone;
	const char *label; /* the bar in words */
} HtmlInterval;

/* Appends the bar of an interval. */
void html_interval_bar(GString *out, const HtmlInterval *interval);

/* The tone of a metric: by its verdict if it gates, else quiet. */
HtmlTone html_metric_tone(const MetricComparison *metric);
/* The number of margins that the bars of a table have to reach so that those of its metrics fit: to be kept up to date
 * from metric to metric, beginning with HTML_MIN_MARGINS. Where that is many, the scale is compressed further out, so
 * that the margin can be seen beside the largest change. */
#define HTML_MIN_MARGINS 2
/* The larger of `margins` and the number of margins that the metric needs on a plot. */
double html_margins_for(double margins, const MetricComparison *metric);
/* The addition to a caption for bars that reach so far: a sentence after a blank, or "". Static. */
const char *html_bars_words(double margins);
/* The bar of a metric, which says `label`. It reaches `margins` margins to either side, or if the metric has none as
 * far as its interval. */
void html_metric_bar(GString *out, const MetricComparison *metric, double margins, const char *label);
