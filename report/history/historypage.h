/* SPDX-License-Identifier: Apache-2.0 */
/* The history of metrics and functions as pictures: a page of its own, that loads nothing and needs no script, and the
 * plots alone as one SVG file. The plots are those of report.html (report/html/htmlhistory.h). */
#pragma once

#include "report/history/historyset.h"

/* The document. Owned by the caller. */
char *history_page(const HistorySet *set, gboolean all);
/* The plots below each other. Owned by the caller. */
char *history_svg(const HistorySet *set, gboolean all);
