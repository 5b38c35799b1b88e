/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of a benchmark in report.html: what was measured with its interval against the margin, and what was
 * counted with its range over the runs. */
#pragma once

#include "report/html/htmlpage.h"

#include "compare/result.h"

/* "✕ Regression" as a chip in the colour of the verdict. */
void html_verdict_chip(GString *out, Verdict verdict);
/* That of a benchmark: an error without a comparison (NULL), "✓ Accepted" if it passed only because its regression is
 * accepted, "✓ Faster" or "✓ Better" if it improved. */
void html_benchmark_chip(GString *out, const CheckResult *result, const ResultBenchmark *benchmark);
/* Appends the tables of what was measured and of what was counted, as far as there is any: the first `max_rows` in
 * reading order, and all that gate. */
void html_metrics(HtmlPage *page, const BenchmarkComparison *comparison, guint max_rows);
