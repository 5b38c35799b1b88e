/* SPDX-License-Identifier: Apache-2.0 */
/* Catch2, version 2 and 3: the elements <BenchmarkResults> of its XML reporter.
 *
 * Elements are looked for in the text, since what test cases print stands in between. */
#include "core/error.h"
#include "runner/frameworks/frameworkoutput.h"

#include <math.h>
#include <string.h>

/* The value of an attribute in a tag, as it is written; NULL if there is none. Owned by the caller. */
static char *attribute(const char *tag, const char *end, const char *name)
{
	g_autofree char *begin = g_strdup_printf(" %s=\"", name);
	const char *at = g_strstr_len(tag, end - tag, begin);
	const char *quote = at != NULL ? memchr(at + strlen(begin), '"', (gsize)(end - at) - strlen(begin)) : NULL;
	return quote != NULL ? g_strndup(at + strlen(begin), (gsize)(quote - at) - strlen(begin)) : NULL;
}

static double number_attribute(const char *tag, const char *end, const char *name)
{
	g_autofree char *text = attribute(tag, end, name);
	char *rest = NULL;
	double value = text != NULL ? g_ascii_strtod(text, &rest) : NAN;
	return text != NULL && rest != text && *rest == '\0' && isfinite(value) ? value : NAN;
}

/* `samples_ns` is the time that its samples took, in place of what it says; NaN = not known. */
static gboolean take_results(GPtrArray *cases, const char *tag, const char *end, double samples_ns)
{
	const char *tag_end = memchr(tag, '>', (gsize)(end - tag)), *mean = g_strstr_len(tag, end - tag, "<mean ");
	const char *mean_end = mean != NULL ? memchr(mean, '>', (gsize)(end - mean)) : NULL;
	if (tag_end == NULL || mean_end == NULL)
		return FALSE;
	g_autofree char *name = attribute(tag, tag_end, "name");
	double samples = number_attribute(tag, tag_end, "samples");
	double iterations = number_attribute(tag, tag_end, "iterations");
	double ns = isnan(samples_ns) ? number_attribute(mean, mean_end, "value") : samples_ns / (samples * iterations);
	FrameworkCase *one = name != NULL ? framework_cases_get(cases, name) : NULL;
	if (one == NULL || !(samples >= 1) || !(iterations >= 1) || !framework_case_add(one, samples * iterations, ns))
		return FALSE;
	one->reported = samples; /* which can be asked for, unlike the iterations of each */
	return TRUE;
}

static double time_at(const GArray *times, guint i)
{
	return times != NULL && i < times->len ? g_array_index(times, double, i) : NAN;
}

GPtrArray *catch2_output_parse(const char *xml, const GArray *times, GError **error)
{
	static const char begin[] = "<BenchmarkResults ", close[] = "</BenchmarkResults>";
	g_autoptr(GPtrArray) cases = framework_cases_new();
	const char *problem = strstr(xml, "<Catch") == NULL ? "printed no XML of Catch2" : NULL;
	guint n = 0;
	for (const char *at = xml; problem == NULL && (at = strstr(at, begin)) != NULL; n++) {
		const char *end = strstr(at, close);
		if (end == NULL || !take_results(cases, at, end, time_at(times, n)))
			problem = "printed results that are not understood";
		else
			at = end;
	}
	if (problem == NULL && strstr(xml, "<failed ") != NULL)
		problem = "has a benchmark that failed";
	if (problem == NULL)
		return g_steal_pointer(&cases);
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s", problem);
	return NULL;
}
