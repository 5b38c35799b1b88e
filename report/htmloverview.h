/* The table of all benchmarks in report.html: one row each with its verdict, what time and instructions did against the
 * margin, the function to look at, and whether a regression was seen again. */
#pragma once

#include "report/htmlpage.h"

#include "compare/result.h"

/* Appends the table; nothing if there is no benchmark. `ids` holds the anchors of the benchmarks, of char *; one
 * without is left out, as a benchmark that passed among very many, and a line says how many are. */
void html_overview(HtmlPage *page, const CheckResult *result, const GPtrArray *ids);
