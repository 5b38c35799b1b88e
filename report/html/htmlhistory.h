/* SPDX-License-Identifier: Apache-2.0 */
/* Shows how a metric developed over earlier commits, in report.html: one point per measured commit with the range of
 * its runs, oldest on the left.
 *
 *     420 ms ┤        ╷     ● head        a line joins commits that were measured in one environment;
 *            ┤  ●─●─●─●  ╎  ○ base        where another one begins, there is a gap, and a thin upright line
 *     380 ms ┤  ╵ ╵ ╵ ╵  ╎
 *              1a2b3c4      5d6e7f8 *
 * An upright line in colour stands where the level changed. */
#pragma once

#include "compare/result.h"

#include <glib.h>

typedef struct {
	const MetricHistory *history;
	const char *base_sha, *head_sha; /* of the check, to mark them; foreign */
} HtmlHistory;

/* TRUE if there are at least two points with a value. */
gboolean html_has_history(const MetricHistory *history);
/* Appends a <figure> with a history that has some, and a table of its points in <details> for those who cannot see it.
 * Of very many commits the newest HTML_HISTORY_POINTS are shown, and it says so. */
#define HTML_HISTORY_POINTS 120
/* Appends that figure. */
void html_history(GString *out, const HtmlHistory *shown);

/* The picture alone, as an <svg> element with these further attributes (constant text, or ""). */
typedef struct {
	double width, height;
} HtmlHistorySize;
/* Appends the plot alone, with `attributes` on its element, and returns its size. */
HtmlHistorySize html_history_picture(GString *out, const HtmlHistory *shown, const char *attributes);
