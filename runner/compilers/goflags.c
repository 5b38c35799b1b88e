/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/compilers/goflags.h"

#include <string.h>

gboolean go_compiles(char *const *arguments)
{
	static const char *const commands[] = {"build", "install", "test", NULL};
	if (*arguments != NULL && g_str_equal(*arguments, "-C") && arguments[1] != NULL)
		arguments += 2;
	else if (*arguments != NULL && g_str_has_prefix(*arguments, "-C="))
		arguments++;
	return *arguments != NULL && g_strv_contains(commands, *arguments);
}

/* The name of a flag after one dash or two; NULL if it is none. Borrowed. */
static const char *flag_name(const char *argument)
{
	if (*argument != '-' || argument[1] == '\0')
		return NULL;
	return argument[1] == '-' ? argument + 2 : argument + 1;
}

/* TRUE for the flag alone and with a value that does not switch it off ("-s=false"). */
static gboolean is_switched_on(const char *argument, const char *flag)
{
	const char *name = flag_name(argument);
	gsize length = strlen(flag);
	if (name == NULL || strncmp(name, flag, length) != 0)
		return FALSE;
	return name[length] == '\0' || g_str_equal(name + length, "=true") || g_str_equal(name + length, "=1") ||
	       g_str_equal(name + length, "=t") || g_str_equal(name + length, "=T");
}

/* The end of the word that begins here: a blank, or the quote that closes it. */
static const char *word_end(const char *at)
{
	if (*at == '\'' || *at == '"') {
		const char *close = strchr(at + 1, *at);
		return close != NULL ? close + 1 : at + strlen(at);
	}
	return at + strcspn(at, " \t\r\n");
}

/* The words of a list without those that `drops` names. */
static char *without(const char *list, gboolean (*drops)(const char *word))
{
	GString *kept = g_string_new(NULL);
	for (const char *at = list + strspn(list, " \t\r\n"); *at != '\0'; at += strspn(at, " \t\r\n")) {
		const char *end = word_end(at);
		g_autofree char *word = g_strndup(at, (gsize)(end - at));
		if (!drops(word))
			g_string_append_printf(kept, "%s%s", kept->len > 0 ? " " : "", word);
		at = end;
	}
	return g_string_free(kept, FALSE);
}

static gboolean strips(const char *word)
{
	return is_switched_on(word, "s") || is_switched_on(word, "w");
}

/* The value of -ldflags, which may begin with the packages that it is for ("all=-s -w"). */
static char *linker_flags(const char *value)
{
	const char *equals = strchr(value, '=');
	gsize pattern = equals != NULL && *value != '-' && strcspn(value, " \t'\"") > (gsize)(equals - value)
	                        ? (gsize)(equals - value) + 1
	                        : 0;
	g_autofree char *kept = without(value + pattern, strips);
	return g_strdup_printf("%.*s%s", (int)pattern, value, kept);
}

/* An argument as it is handed on; NULL = not at all. */
static char *changed(const char *argument)
{
	const char *name = flag_name(argument);
	if (is_switched_on(argument, "trimpath"))
		return NULL;
	if (name == NULL || !g_str_has_prefix(name, "ldflags="))
		return g_strdup(argument);
	g_autofree char *value = linker_flags(name + strlen("ldflags="));
	return g_strdup_printf("-ldflags=%s", value);
}

GPtrArray *go_arguments(char *const *arguments)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	gboolean changes = go_compiles(arguments);
	for (char *const *at = arguments; *at != NULL; at++) {
		const char *before = at > arguments ? flag_name(at[-1]) : NULL;
		changes = changes && g_strcmp0(flag_name(*at), "args") != 0;
		char *word = !changes                            ? g_strdup(*at)
		             : g_strcmp0(before, "ldflags") == 0 ? linker_flags(*at)
		                                                 : changed(*at);
		if (word != NULL)
			g_ptr_array_add(all, word);
	}
	g_ptr_array_add(all, NULL);
	return all;
}

char *go_flags_variable(const char *value)
{
	g_auto(GStrv) words = g_strsplit_set(value, " \t\r\n", -1);
	GString *kept = g_string_new(NULL);
	for (char **word = words; *word != NULL; word++) {
		g_autofree char *handed_on = **word != '\0' ? changed(*word) : NULL;
		if (handed_on != NULL)
			g_string_append_printf(kept, "%s%s", kept->len > 0 ? " " : "", handed_on);
	}
	return g_string_free(kept, FALSE);
}
