/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all benchmarks in report.html: one row each with its verdict, what time and instructions did against the
 * margin, its main cause, and what a second campaign said of a regression. The gravest verdict comes first, then the
 * largest change. */
#pragma once

#include "report/html/htmlpage.h"

#include "compare/result.h"

/* The benchmarks in the order of the page: by verdict, then by how many margins their leading metric changed, then as
 * the result has them. A GArray of guint, owned by the caller. */
GArray *html_overview_order(const CheckResult *result);
/* The number of unchanged benchmarks that are folded, which are the last ones of those with an anchor: all, if they
 * are many and others need a look; else 0. */
guint html_overview_folded(const CheckResult *result, const GPtrArray *ids);
/* The start of a <details> for so many. */
void html_open_unchanged(GString *out, guint n);
/* Appends the table; nothing if there is one benchmark or none: the page begins with it. `ids` holds the anchors of the
 * benchmarks, of char *; one without is left out, as a benchmark that passed among very many, and a line says how many
 * are. */
void html_overview(HtmlPage *page, const CheckResult *result, const GPtrArray *ids);
