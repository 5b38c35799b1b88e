/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/workvariable.h"

#include "core/regularfile.h"

#include <string.h>

#define MAX_FILE_BYTES (64 << 20)
#define MAX_NAME 64
#define ELF_MAGIC "\177ELF"

static gboolean is_name(const char *text)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex,
		        g_regex_new("^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(ITERS?|ITERATIONS|LOOPS|REPEATS?|REPETITIONS)$",
		                G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, NULL));
	return g_regex_match(regex, text, 0, NULL);
}

static gsize name_length(const char *text, const char *end)
{
	const char *at = text;
	while (at < end && (g_ascii_isupper(*at) || g_ascii_isdigit(*at) || *at == '_'))
		at++;
	return (gsize)(at - text);
}

/* The text at this place, which begins after a NUL and ends with one; its length is that of the name at its beginning.
 * Empty if it has anything else, or is too long. */
static void copy_text(const char *begin, const char *at, const char *end, gsize length, char name[MAX_NAME + 1])
{
	gboolean whole = at > begin && at[-1] == '\0' && at + length < end && at[length] == '\0';
	gsize n = whole && length <= MAX_NAME ? length : 0;
	memcpy(name, at, n);
	name[n] = '\0';
}

/* The only name in the bytes; NULL if there are several, or none. */
static char *only_name(const GString *bytes)
{
	g_autofree char *found = NULL;
	const char *end = bytes->str + bytes->len;
	for (const char *at = bytes->str; at < end; at++) {
		char name[MAX_NAME + 1];
		gsize length = name_length(at, end);
		copy_text(bytes->str, at, end, length, name);
		at += length;
		if (!is_name(name))
			continue;
		if (found != NULL && !g_str_equal(found, name))
			return NULL;
		g_free(found);
		found = g_strdup(name);
	}
	return g_steal_pointer(&found);
}

char *work_variable_of_file(const char *path)
{
	GString *bytes = regular_file_begin(path, 0, MAX_FILE_BYTES);
	if (bytes == NULL)
		return NULL;
	gboolean readable = bytes->len < MAX_FILE_BYTES && g_str_has_prefix(bytes->str, ELF_MAGIC);
	char *name = readable ? only_name(bytes) : NULL;
	g_string_free(bytes, TRUE);
	return name;
}
