/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/usageguess.h"

#include <string.h>

#define SIZE "65536"

static gboolean matches(const char *pattern, const char *text)
{
	return g_regex_match_simple(pattern, text, G_REGEX_CASELESS | G_REGEX_RAW, 0);
}

/* A part of the line in which a program says how it is used. */
static char *match_usage(const char *output, int group)
{
	g_autoptr(GRegex) regex = g_regex_new("^(?:\\S+:\\s+)?(usage:?[ \\t]+(?:\\S+)(.*))$",
	        G_REGEX_MULTILINE | G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	return g_regex_match(regex, output, 0, &match) ? g_match_info_fetch(match, group) : NULL;
}

char *usage_line(const char *output)
{
	return match_usage(output, 1);
}

char **usage_words(const char *output)
{
	g_autofree char *rest = match_usage(output, 2);
	if (rest == NULL)
		return NULL;
	g_auto(GStrv) parts = g_strsplit_set(rest, " \t\r", -1);
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	for (char **part = parts; *part != NULL; part++)
		if (**part != '\0')
			g_strv_builder_add(words, *part);
	return g_strv_builder_end(words);
}

/* The argument for one word; NULL if it is not understood. */
static const char *argument_for(const char *word, const char *data)
{
	if (matches("file|path|input|document|corpus|json|xml|text|data", word))
		return data;
	if (matches("size|bytes|buf|block|chunk|len", word))
		return SIZE;
	if (matches("loop|iter|count|repeat|reps|times|rounds|runs|num|^<?(n|min|max)([-_ ]?n)?>?$|(min|max)_?(n|elem)|"
	            "elements|elems|keys|items|nodes",
	            word))
		return USAGE_KNOB;
	return NULL;
}

char **usage_arguments(char *const *words, const char *data)
{
	g_autoptr(GStrvBuilder) arguments = g_strv_builder_new();
	guint n = 0, depth = 0;
	for (; *words != NULL; words++) {
		gboolean optional = depth > 0 || **words == '[';
		for (const char *c = *words; *c != '\0'; c++)
			depth += *c == '[' ? 1 : *c == ']' && depth > 0 ? (guint)-1 : 0;
		if (optional)
			continue;
		const char *argument = **words == '-' ? NULL : argument_for(*words, data);
		if (argument == NULL)
			return NULL;
		g_strv_builder_add(arguments, argument);
		n++;
	}
	return n > 0 ? g_strv_builder_end(arguments) : NULL;
}

gboolean usage_has_knob(char *const *arguments)
{
	for (; arguments != NULL && *arguments != NULL; arguments++)
		if (g_str_has_suffix(*arguments, USAGE_KNOB))
			return TRUE;
	return FALSE;
}

char **usage_fill(char *const *arguments, guint64 work)
{
	char **filled = g_strdupv((char **)arguments);
	for (char **argument = filled; *argument != NULL; argument++)
		if (g_str_has_suffix(*argument, USAGE_KNOB)) {
			g_autofree char *word = *argument;
			word[strlen(word) - strlen(USAGE_KNOB)] = '\0';
			*argument = g_strdup_printf("%s%" G_GUINT64_FORMAT, word, work);
		}
	return filled;
}
