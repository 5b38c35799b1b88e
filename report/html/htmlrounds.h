/* SPDX-License-Identifier: Apache-2.0 */
/* All rounds of a metric in report.html: base and head of each, never their means only, in the order in which they were
 * measured, and beside that as a distribution (htmlspread.h).
 *
 *     CPU time of one run                  CPU time of one run
 *     420 ms ┤ ●  ●  ●  ●                  ┤          ●●●●
 *            ┤ │  │  │  │                  ┤
 *     380 ms ┤ ○  ○  ○  ○                  ┤  ○○○○
 *     change in one round
 *      +10 % ┤░●░░●░░●░░●░                 ┤     ●●●●        the interval of the metric as a band
 *       +3 % ┤------------                 ┤                 margin
 *              1  2  3  4                     base  head
 *
 * A legend before the first of them says what each sign means. */
#pragma once

#include "compare/comparison/comparison.h"

/* TRUE if the metric has at least two rounds, the last of which has a value on both sides. */
gboolean html_has_rounds(const MetricComparison *metric);
/* Appends the legend of the plots of a benchmark, with the colours of this metric. */
void html_rounds_legend(GString *out, const MetricComparison *metric);
/* Appends a <figure> with all rounds of a metric that has some. */
void html_rounds(GString *out, const MetricComparison *metric);
