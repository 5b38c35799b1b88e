/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of a metric over its rounds in report.html: all runs of base beside all of head, and below them the
 * changes of all rounds. Each run is a dot; dots that would cover each other stand beside each other, so a row of dots
 * is as wide as there are runs. The box is the middle half of them. */
#pragma once

#include "report/html/roundsplot.h"

/* Appends the picture. */
void html_spread(GString *out, const RoundsPlot *plot);
