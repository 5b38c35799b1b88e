/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/sourcehints.h"

#include <string.h>

gboolean hint_name(const char *name)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("(?<!work)bench(?!ed|er)|(^|[-_.])(bm|perf|perftest|speed|"
		                                      "speedtest|performance)([-_.]|$)",
		                                  G_REGEX_CASELESS | G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL));
	return g_regex_match(regex, name, 0, NULL);
}

gboolean hint_path(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	for (char **part = parts; *part != NULL; part++)
		if (hint_name(*part))
			return TRUE;
	return FALSE;
}

const char *hint_framework(const char *text)
{
	if (strstr(text, "benchmark/benchmark.h") != NULL)
		return "google-benchmark";
	if (strstr(text, "nanobench.h") != NULL)
		return "nanobench";
	if ((strstr(text, "catch.hpp") != NULL || strstr(text, "catch2/") != NULL ||
	            strstr(text, "catch_all.hpp") != NULL) &&
	        strstr(text, "BENCHMARK") != NULL)
		return "catch2";
	if (strstr(text, "criterion_group!") != NULL || strstr(text, "criterion_main!") != NULL)
		return "criterion";
	if (strstr(text, "#[bench]") != NULL)
		return "libtest";
	return NULL;
}

const char *hint_link_framework(const char *fragment)
{
	static GRegex *google;
	if (g_once_init_enter(&google))
		g_once_init_leave(&google,
		        g_regex_new("(^|/)libbenchmark(_main)?\\.(a|so)|(^|\\s)-lbenchmark", G_REGEX_RAW, 0, NULL));
	if (g_regex_match(google, fragment, 0, NULL))
		return "google-benchmark";
	return strstr(fragment, "nanobench") != NULL ? "nanobench" : NULL;
}

gboolean hint_has_project(const char *text)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("^\\s*project\\s*\\(",
		                                  G_REGEX_MULTILINE | G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	return g_regex_match(regex, text, 0, NULL);
}

gboolean hint_has_main(const char *text)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("(?:^|\\s)main\\s*\\(|BENCHMARK_MAIN|criterion_main!|"
		                                      "CATCH_CONFIG_MAIN",
		                                  G_REGEX_RAW, 0, NULL));
	return g_regex_match(regex, text, 0, NULL);
}
