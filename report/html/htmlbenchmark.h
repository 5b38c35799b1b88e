/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark in report.html, in the order of a reader's questions: what was found, how much and how sure (metrics),
 * where (flame graph, source, functions, callers and callees), and what that rests on (rounds, history, machine). */
#pragma once

#include "report/html/htmlpage.h"

#include "compare/result.h"

typedef struct {
	const CheckResult *result;
	const ResultBenchmark *benchmark;
	const char *id;  /* its anchor, from html_page_id() */
	gboolean open;   /* unfolded to begin with */
	gboolean summed; /* profiles may be sums over all runs, see HtmlReport.again */
	gsize room;      /* bytes that it may take, about; with too few it is words alone */
	GString *links;  /* gets links to its parts, too; or NULL */
} HtmlBenchmark;

/* Appends the section of one benchmark. */
void html_benchmark(HtmlPage *page, const HtmlBenchmark *benchmark);
