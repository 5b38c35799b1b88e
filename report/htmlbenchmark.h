/* One benchmark in report.html: what was found, its metrics, rounds, functions, pictures, and callers and callees. */
#pragma once

#include "report/htmlpage.h"

#include "compare/result.h"

typedef struct {
	const CheckResult *result;
	const ResultBenchmark *benchmark;
	const char *id;  /* its anchor, from html_page_id() */
	gboolean open;   /* unfolded to begin with */
	gboolean summed; /* profiles are sums over all runs, see HtmlReport */
	gsize room;      /* bytes that it may take, about; with less than HTML_LEAST_ROOM it is words alone */
} HtmlBenchmark;

void html_benchmark(HtmlPage *page, const HtmlBenchmark *benchmark);
/* What is said of a benchmark in one line: what it found, else why it was not compared; borrowed, foreign. */
const char *html_benchmark_sentence(const ResultBenchmark *benchmark);
