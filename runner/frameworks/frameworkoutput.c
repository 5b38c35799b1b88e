/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworkoutput.h"

#include "core/error.h"
#include "core/regularfile.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES (16 * 1024 * 1024)
#define MAX_FIGURE 1e18
#define QUOTED_BYTES 80

static void case_free(gpointer data)
{
	FrameworkCase *one = data;
	g_free(one->name);
	g_free(one);
}

GPtrArray *framework_cases_new(void)
{
	return g_ptr_array_new_with_free_func(case_free);
}

FrameworkCase *framework_cases_get(GPtrArray *cases, const char *name)
{
	guint hash = g_str_hash(name);
	for (guint i = 0; i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		if (one->hash == hash && g_str_equal(one->name, name))
			return one;
	}
	if (cases->len >= FRAMEWORK_MAX_CASES)
		return NULL;
	FrameworkCase *one = g_new0(FrameworkCase, 1);
	one->name = g_strdup(name);
	one->hash = hash;
	one->reported = one->items_per_s = one->bytes_per_s = one->allocated_bytes = one->allocations = NAN;
	g_ptr_array_add(cases, one);
	return one;
}

gboolean framework_case_add(FrameworkCase *one, double iterations, double ns)
{
	gboolean counted = isnan(iterations) || (iterations >= 1 && iterations <= FRAMEWORK_MAX_ITERATIONS);
	if (!counted || !(ns >= 0 && ns <= FRAMEWORK_MAX_NS))
		return FALSE;
	/* repetitions of one case that did different amounts of work are none that could be asked for */
	one->reported = one->repetitions > 0 && one->reported != iterations ? NAN : iterations;
	one->iterations += iterations;
	one->ns = (one->ns * one->repetitions + ns) / (one->repetitions + 1);
	one->repetitions++;
	return TRUE;
}

double framework_cases_ns(const GPtrArray *cases)
{
	double ns = 0;
	for (guint i = 0; i < cases->len; i++)
		ns += ((const FrameworkCase *)cases->pdata[i])->ns;
	return ns;
}

double framework_number(const char *text)
{
	g_autoptr(GString) digits = g_string_new(text);
	char *end = NULL;
	g_string_replace(digits, ",", "", 0);
	double value = g_ascii_strtod(digits->str, &end);
	return end != digits->str && *end == '\0' && isfinite(value) ? value : NAN;
}

double framework_figure(double value)
{
	return value >= 0 && value <= MAX_FIGURE ? value : NAN;
}

gboolean framework_refuse_line(const char *line, GError **error)
{
	g_autofree char *valid = g_utf8_make_valid(line, (gssize)MIN(strlen(line), QUOTED_BYTES));
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "its output has a line that cannot be used (unknown form, impossible number, or more than %d cases): "
	        "%s",
	        FRAMEWORK_MAX_CASES, valid);
}

/* The folder is the program's own: there may be anything under that name. */
GString *framework_file(const char *path)
{
	g_autoptr(GString) content = regular_file_begin(path, O_NOFOLLOW, MAX_FILE_BYTES + 1);
	return content != NULL && content->len <= MAX_FILE_BYTES ? g_steal_pointer(&content) : NULL;
}
