/* SPDX-License-Identifier: Apache-2.0 */
/* One benchmark in report.html, in the order of a reader's questions: what was found, why (source, flame graph,
 * functions, callers and callees), how much and how sure (metrics), and what that rests on (rounds, history, machine).
 * One that needs a look is a card; of any other there is a line, which unfolds. */
#pragma once

#include "report/html/htmlpage.h"

#include "compare/result.h"

typedef struct {
	const CheckResult *result;
	const ResultBenchmark *benchmark;
	const char *id;  /* its anchor, from html_page_id() */
	gboolean card;   /* unfolded to begin with */
	gboolean summed; /* profiles may be sums over all runs, see HtmlReport.again */
	gsize room;      /* bytes that it may take, about; with too few it is words alone */
	GString *links;  /* gets links to its parts, too; or NULL */
} HtmlBenchmark;

/* Appends the section of one benchmark. */
void html_benchmark(HtmlPage *page, const HtmlBenchmark *benchmark);
