/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworks.h"

#include <string.h>

static const char *const list_google[] = {"--benchmark_list_tests=true", NULL};
static const char *const list_go[] = {"-test.list=^Benchmark", NULL};
static const char *const list_catch2[] = {"--list-test-names-only", NULL};
static const char *const list_rust[] = {"--bench", "--list", NULL};

static const Framework frameworks[] = {
        {FRAMEWORK_GOOGLE_BENCHMARK, FRAMEWORK_FIXES, FALSE, FALSE, TRUE, list_google, "", "", "a regular expression"},
        {FRAMEWORK_GO, FRAMEWORK_FIXES, FALSE, FALSE, TRUE, list_go, "Benchmark", "", "a regular expression"},
        {FRAMEWORK_CATCH2, FRAMEWORK_FIXES, FALSE, TRUE, FALSE, list_catch2, "", "",
                "the name of a test case, or a tag"},
        {FRAMEWORK_CRITERION, FRAMEWORK_TIMES, FALSE, FALSE, TRUE, list_rust, "", ": benchmark",
                "a regular expression"},
        {FRAMEWORK_LIBTEST, FRAMEWORK_FIXES, TRUE, TRUE, TRUE, list_rust, "", ": benchmark", "the name of a benchmark"},
        {FRAMEWORK_NANOBENCH, FRAMEWORK_TIMES, TRUE, FALSE, FALSE, NULL, "", "", "not possible"},
};

const Framework *framework(FrameworkId id)
{
	for (gsize i = 0; i < G_N_ELEMENTS(frameworks); i++)
		if (frameworks[i].id == id)
			return &frameworks[i];
	return NULL;
}

GPtrArray *framework_cases(FrameworkId id, const char *output)
{
	const Framework *row = framework(id);
	GPtrArray *cases = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; row != NULL && row->list != NULL && *line != NULL; line++) {
		if (!g_str_has_prefix(*line, row->case_begins) || !g_str_has_suffix(*line, row->case_ends))
			continue;
		char *name = g_strndup(*line, strlen(*line) - strlen(row->case_ends));
		if (*g_strstrip(name) != '\0')
			g_ptr_array_add(cases, name);
		else
			g_free(name);
	}
	return cases;
}

gboolean framework_knows_work(FrameworkId id, guint iterations)
{
	return framework(id)->work == FRAMEWORK_FIXES && (!framework(id)->own_word || iterations > 0);
}

/* Go matches each part of a name between slashes with its own expression. */
static char *go_filter(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);
	for (char **part = parts; *part != NULL; part++) {
		g_autofree char *plain = *part, *escaped = g_regex_escape_string(plain, -1);
		*part = g_strdup_printf("^%s$", escaped);
	}
	return g_strjoinv("/", parts);
}

/* In Catch2 a comma and brackets mean something, and so do stars at either end. */
static char *catch2_filter(const char *name)
{
	GString *text = g_string_new(name);
	g_string_replace(text, "\\", "\\\\", 0);
	g_string_replace(text, ",", "\\,", 0);
	g_string_replace(text, "[", "\\[", 0);
	return g_string_free(text, FALSE);
}

char *framework_filter(FrameworkId id, const char *name)
{
	if (id == FRAMEWORK_GO)
		return go_filter(name);
	if (id == FRAMEWORK_CATCH2)
		return catch2_filter(name);
	if (id == FRAMEWORK_LIBTEST)
		return g_strdup(name);
	g_autofree char *escaped = g_regex_escape_string(name, -1);
	return g_strdup_printf("^%s$", escaped);
}
