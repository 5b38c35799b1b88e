/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/worksource.h"

#include "runner/discover/sourcehints.h"

#include <math.h>
#include <string.h>

/* A smaller number sets no run of some seconds in most programs, and is the size of a buffer more often. */
#define MIN_AMOUNT 1e4
#define MAX_LINE_CHARS 120
#define NUMBER "(0[xX][0-9a-fA-F']+|[0-9][0-9']*(?:\\.[0-9]*)?(?:[eE][0-9]+)?)[uUlLfF]*(?:\\s*(<<|\\*)\\s*([0-9]+))?"
#define COUNTS "(?i:iter|loop|count|repeat|reps|round|times|runs|turns|bytes|total|num|amount|requests|ops)"

/* A constant or macro that is named like an amount of work, or the bound of a loop. */
static GRegex *work_regex(void)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(
		        &regex, g_regex_new("(?|^\\s*#\\s*define\\s+\\w*" COUNTS "\\w*\\s+\\(?" NUMBER "|\\b\\w*" COUNTS
		                            "\\w*\\s*=\\s*" NUMBER "|\\bfor\\s*\\(.*<=?\\s*" NUMBER ")",
		                        G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL));
	return regex;
}

static double plain_number(const char *digits)
{
	g_auto(GStrv) parts = g_strsplit(digits, "'", -1);
	g_autofree char *joined = g_strjoinv("", parts);
	return g_str_has_prefix(joined, "0x") || g_str_has_prefix(joined, "0X")
	               ? (double)g_ascii_strtoull(joined, NULL, 16)
	               : g_ascii_strtod(joined, NULL);
}

/* The amount of work that the line sets; 0 if it sets none. */
static double amount_of(const char *line)
{
	g_autoptr(GMatchInfo) match = NULL;
	if (!g_regex_match(work_regex(), line, 0, &match))
		return 0;
	g_autofree char *digits = g_match_info_fetch(match, 1), *sign = g_match_info_fetch(match, 2),
	                *second = g_match_info_fetch(match, 3);
	double number = plain_number(digits);
	if (sign == NULL || *sign == '\0')
		return number;
	double other = g_ascii_strtod(second, NULL);
	return *sign == '<' ? ldexp(number, (int)fmin(other, 63)) : number * other;
}

/* The line of the largest amount, from 1 on; 0 if there is none. */
static guint find_line(char *const *lines)
{
	double most = MIN_AMOUNT;
	guint found = 0;
	for (guint i = 0; lines[i] != NULL; i++) {
		double amount = amount_of(lines[i]);
		if (amount < most || (found > 0 && amount == most))
			continue;
		most = amount;
		found = i + 1;
	}
	return found;
}

static gboolean is_source(const char *path)
{
	static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx"};
	for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(path, endings[i]))
			return TRUE;
	return FALSE;
}

/* "bench/parse.cc" is named like "build/parse". */
static gboolean named_like(const char *source, const char *program)
{
	g_autofree char *file = g_path_get_basename(source), *name = g_path_get_basename(program);
	gsize length = strcspn(file, ".");
	return strlen(name) == length && strncmp(file, name, length) == 0;
}

static gboolean is_main_source(const DiscoverPlace *place, const DiscoveredProgram *program, const char *file)
{
	g_autofree char *text =
	        is_source(file) && named_like(file, program->program) ? discover_text(place, file) : NULL;
	return text != NULL && hint_has_main(text);
}

/* The only source of the program that has a main function; NULL if there is none or several. Owned by the caller. */
static char *main_source(const DiscoverPlace *place, const DiscoveredProgram *program)
{
	g_autoptr(GPtrArray) files = discover_list(place, ".", "*.c*");
	const char *found = NULL;
	for (guint i = 0; i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);
		if (!is_main_source(place, program, file))
			continue;
		if (found != NULL)
			return NULL;
		found = file;
	}
	return g_strdup(found);
}

char *work_source_line(const DiscoverPlace *place, const DiscoveredProgram *program)
{
	g_autofree char *file = main_source(place, program);
	g_autofree char *text = file != NULL ? discover_text(place, file) : NULL;
	if (text == NULL)
		return NULL;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint at = find_line(lines);
	if (at == 0)
		return NULL;
	g_autofree char *valid = g_utf8_make_valid(g_strstrip(lines[at - 1]), -1),
	                *line = g_utf8_substring(valid, 0, MIN(MAX_LINE_CHARS, g_utf8_strlen(valid, -1)));
	return g_strdup_printf("%s:%u: %s", file, at, line);
}
