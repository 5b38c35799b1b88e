/* SPDX-License-Identifier: Apache-2.0 */
/* All rounds of a metric in report.html: base and head of each, never their means only.
 *
 *     420 ms ┤ ●  ●  ●  ●        ● head
 *            ┤ │  │  │  │
 *     380 ms ┤ ○  ○  ○  ○        ○ base, joined by a thin line
 *
 *      +10 % ┤░●░░●░░●░░●░       change of each round, and the interval of the metric as a band
 *       +3 % ┤------------       margin
 *              1  2  3  4 */
#pragma once

#include "compare/comparison/comparison.h"

/* TRUE if the metric has at least two rounds, the last of which has a value on both sides. */
gboolean html_has_rounds(const MetricComparison *metric);
/* Appends a <figure> with all rounds of a metric that has some. */
void html_rounds(GString *out, const MetricComparison *metric);
