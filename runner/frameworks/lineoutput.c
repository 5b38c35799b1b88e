/* SPDX-License-Identifier: Apache-2.0 */
/* Frameworks that print a line for each case: Go, and Rust's libtest. */
#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <string.h>

#define MAX_WORDS 64

/* The words of a line, without those that are empty. Owned by the caller. */
static char **words_of(const char *line)
{
	g_auto(GStrv) all = g_strsplit_set(line, " \t\r", -1);
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	for (char **word = all; *word != NULL && words->len < MAX_WORDS; word++)
		if (**word != '\0')
			g_ptr_array_add(words, g_strdup(*word));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

typedef gboolean (*TakeLine)(GPtrArray *cases, const char *line);

static GPtrArray *parse_lines(const char *text, TakeLine take, GError **error)
{
	g_autoptr(GPtrArray) cases = framework_cases_new();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		if (!take(cases, *line)) {
			framework_refuse_line(*line, error);
			return NULL;
		}
	return g_steal_pointer(&cases);
}

static void take_go_value(FrameworkCase *one, double value, const char *unit)
{
	if (g_str_equal(unit, "MB/s"))
		one->bytes_per_s = framework_figure(value * 1e6);
	else if (g_str_equal(unit, "B/op"))
		one->allocated_bytes = framework_figure(value);
	else if (g_str_equal(unit, "allocs/op"))
		one->allocations = framework_figure(value);
}

/* `BenchmarkName-8   1000   517.7 ns/op   ...`. A case that writes to standard output itself may have text before its
 * result; what is no result is passed over, and a case without one is missed by whoever looks for it. */
static gboolean take_go(GPtrArray *cases, const char *line)
{
	g_auto(GStrv) words = words_of(line);
	guint n = g_strv_length(words);
	if (n < 4 || !g_str_has_prefix(words[0], "Benchmark") || !g_str_equal(words[3], "ns/op"))
		return TRUE;
	double iterations = framework_number(words[1]), ns = framework_number(words[2]);
	FrameworkCase *one = framework_cases_get(cases, words[0]);
	if (one == NULL || isnan(iterations) || !framework_case_add(one, iterations, ns))
		return FALSE;
	/* a case is run once with one iteration before the number that was asked for */
	one->iterations += iterations > 1 ? 1 : 0;
	for (guint i = 4; i + 1 < n; i += 2)
		take_go_value(one, framework_number(words[i]), words[i + 1]);
	return TRUE;
}

GPtrArray *go_output_parse(const char *text, GError **error)
{
	return parse_lines(text, take_go, error);
}

/* `test name ... bench:   1,234.56 ns/iter (+/- 12) = 1600 MB/s` */
static gboolean take_libtest(GPtrArray *cases, const char *line)
{
	g_auto(GStrv) words = words_of(line);
	guint n = g_strv_length(words);
	if (n < 6 || !g_str_equal(words[0], "test") || !g_str_equal(words[2], "...") ||
	        !g_str_equal(words[3], "bench:") || !g_str_equal(words[5], "ns/iter"))
		return TRUE;
	FrameworkCase *one = framework_cases_get(cases, words[1]);
	if (one == NULL || !framework_case_add(one, NAN, framework_number(words[4])))
		return FALSE;
	if (n >= 11 && g_str_equal(words[n - 1], "MB/s"))
		one->bytes_per_s = framework_figure(framework_number(words[n - 2]) * 1e6);
	return TRUE;
}

GPtrArray *libtest_output_parse(const char *text, GError **error)
{
	return parse_lines(text, take_libtest, error);
}
