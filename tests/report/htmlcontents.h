/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of report.html share these results, and these questions about the elements of a page. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/html/htmlreport.h"
#include "tests/report/annotatedsample.h"
#include "tests/report/wellformed.h"

static inline char *render(const CheckResult *result)
{
	return report_html(&(HtmlReport){.result = result}, NULL);
}

static inline char *render_sample(void)
{
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(g_ptr_array_index(result->benchmarks, 0));
	return render(result);
}

static inline void assert_contains(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("not in the page: %s", part);
}

static inline guint count_of(const char *text, const char *part)
{
	guint n = 0;
	for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
		n++;
	return n;
}

/* The texts of all elements <tag ...>, whose start tag is to begin with `open`; borrowed slices as new strings. */
static inline GPtrArray *contents_of(const char *html, const char *open, const char *close)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	for (const char *at = strstr(html, open); at != NULL; at = strstr(at, open)) {
		const char *start = strchr(at, '>') + 1, *end = strstr(start, close);
		assert_non_null(end);
		g_ptr_array_add(found, g_strndup(start, (gsize)(end - start)));
		at = end;
	}
	return found;
}

/* The page as a parser of XML may read it: without the texts of scripts and styles, which are no markup in HTML. */
static inline char *as_xml(const char *html)
{
	static const char *const raw[][2] = {{"<script", "</script>"}, {"<style", "</style>"}};
	GString *xml = g_string_new(html);
	for (gsize kind = 0; kind < G_N_ELEMENTS(raw); kind++) {
		for (char *at = strstr(xml->str, raw[kind][0]); at != NULL;) {
			gssize start = strchr(at, '>') + 1 - xml->str,
			       end = strstr(xml->str + start, raw[kind][1]) - xml->str;
			g_string_erase(xml, start, end - start);
			at = strstr(xml->str + start, raw[kind][0]);
		}
	}
	return g_string_free(xml, FALSE);
}

static inline WellFormed parse(const char *html)
{
	g_autofree char *xml = as_xml(html);
	return wellformed_parse(xml);
}

/* Benchmarks without functions, as it would take a while to make thousands with them. */
static inline CheckResult *very_many(guint n)
{
	CheckResult *result = sample_result();
	for (guint i = 1; i < n; i++) {
		g_autofree char *name = g_strdup_printf("more-%u", i);
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->comparison = benchmark_comparison_new(name);
		benchmark->comparison->verdict = VERDICT_PASS;
		for (guint metric = 0; metric < 6; metric++)
			g_ptr_array_add(benchmark->comparison->metrics,
			        sample_metric("task-clock", "ns", 1e9, 1.001, .01, VERDICT_PASS, metric < 2));
		finding_add(result->findings, FINDING_INFO, "remark", name, "%0500d", i);
	}
	return result;
}

static inline CheckResult *annotated_result(void)
{
	CheckResult *result = sample_result();
	annotate_sample(result);
	return result;
}

static inline CheckResult *changed_by(const double *ratios, guint n)
{
	CheckResult *result = very_many(1);
	g_ptr_array_set_size(result->benchmarks, 0);
	for (guint i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("by-%u", i);
		Verdict verdict = ratios[i] > 1.03 ? VERDICT_REGRESSION : VERDICT_PASS;
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->comparison = benchmark_comparison_new(name);
		benchmark->comparison->verdict = verdict;
		g_ptr_array_add(benchmark->comparison->metrics,
		        sample_metric("task-clock", "ns", 1e9, ratios[i], .01, verdict, TRUE));
	}
	return result;
}
