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

char *work_variable_of_file(const char *path)
{
	g_autofree char *found = NULL;
	GString *bytes = regular_file_begin(path, 0, MAX_FILE_BYTES);
	if (bytes == NULL)
		return NULL;
	const char *end = bytes->str + bytes->len;
	gboolean several = bytes->len == MAX_FILE_BYTES || !g_str_has_prefix(bytes->str, ELF_MAGIC);
	/* a text of a program begins after a NUL and ends with one */
	for (const char *at = bytes->str; !several && at < end; at++) {
		gsize length = name_length(at, end);
		char name[MAX_NAME + 1] = "";
		if (length > 0 && length <= MAX_NAME && at > bytes->str && at[-1] == '\0' && at + length < end &&
		        at[length] == '\0')
			memcpy(name, at, length);
		if (is_name(name)) {
			several = found != NULL && !g_str_equal(found, name);
			g_free(found);
			found = g_strdup(name);
		}
		at += length;
	}
	g_string_free(bytes, TRUE);
	return several ? NULL : g_steal_pointer(&found);
}
