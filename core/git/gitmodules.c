/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/gitmodules.h"

#include "core/error.h"

#include <string.h>

#define MAX_SUBMODULES 1000
#define MAX_PATH_BYTES 1024

/* Tells where the reader is; `current` is the submodule of the section, NULL in other sections. */
typedef struct {
	const char *at, *end;
	guint line;
	RepoSubmodule *current;
	GPtrArray *submodules;
} Reader;

void repo_submodule_free(RepoSubmodule *submodule)
{
	if (submodule == NULL)
		return;
	g_free(submodule->name);
	g_free(submodule->path);
	g_free(submodule->url);
	g_free(submodule->commit_sha);
	g_free(submodule);
}

static void free_submodule(gpointer data)
{
	repo_submodule_free(data);
}

static gboolean syntax_error(const Reader *reader, GError **error, const char *what)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, ".gitmodules:%u: %s", reader->line, what);
	return FALSE;
}

/* The character here, '\n' at the end of the text, and how to get past it. */
static char peek(const Reader *reader)
{
	return reader->at < reader->end ? *reader->at : '\n';
}

static char take(Reader *reader)
{
	char c = peek(reader);
	if (reader->at < reader->end) {
		reader->at++;
		reader->line += c == '\n';
	}
	return c;
}

static void skip_blanks(Reader *reader)
{
	while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\r')
		take(reader);
}

static void skip_line(Reader *reader)
{
	while (peek(reader) != '\n')
		take(reader);
}

static gboolean enter_submodule(Reader *reader, const char *name, GError **error)
{
	for (guint i = 0; i < reader->submodules->len; i++) {
		RepoSubmodule *known = reader->submodules->pdata[i];
		if (g_str_equal(known->name, name)) {
			reader->current = known;
			return TRUE;
		}
	}
	if (reader->submodules->len == MAX_SUBMODULES)
		return syntax_error(reader, error, "more than 1000 submodules");
	reader->current = g_new0(RepoSubmodule, 1);
	reader->current->name = g_strdup(name);
	g_ptr_array_add(reader->submodules, reader->current);
	return TRUE;
}

/* Reads `[section]` or `[section "name"]`. */
static gboolean read_section(Reader *reader, GError **error)
{
	g_autoptr(GString) section = g_string_new(NULL), name = g_string_new(NULL);
	take(reader);
	while (g_ascii_isalnum(peek(reader)) || peek(reader) == '-' || peek(reader) == '.')
		g_string_append_c(section, take(reader));
	skip_blanks(reader);
	gboolean named = peek(reader) == '"';
	if (named) {
		take(reader);
		while (peek(reader) != '"' && peek(reader) != '\n') {
			if (peek(reader) == '\\')
				take(reader);
			if (peek(reader) != '\n')
				g_string_append_c(name, take(reader));
		}
		if (take(reader) != '"')
			return syntax_error(reader, error, "a section name does not end");
	}
	if (take(reader) != ']')
		return syntax_error(reader, error, "a section header does not end");
	reader->current = NULL;
	if (named && g_ascii_strcasecmp(section->str, "submodule") == 0)
		return enter_submodule(reader, name->str, error);
	return TRUE;
}

/* The character that `\c` stands for, or 0. */
static char unescaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case '\\':
	case '"':
		return c;
	default:
		return 0;
	}
}

/* Reads a value up to the end of its line: quotes, escapes, comments and continued lines; unquoted blanks at its end do
 * not count. */
static char *read_value(Reader *reader, GError **error)
{
	g_autoptr(GString) value = g_string_new(NULL);
	gsize kept = 0;
	gboolean quoted = FALSE;
	while (peek(reader) != '\n') {
		char c = take(reader);
		if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && (c == '#' || c == ';')) {
			skip_line(reader);
			continue;
		} else if (c == '\\' && peek(reader) == '\n') {
			take(reader);
			if (reader->at == reader->end)
				break;
			continue;
		} else {
			if (c == '\\' && (c = unescaped(take(reader))) == 0) {
				syntax_error(
				        reader, error, "a backslash stands before a character that is not escaped");
				return NULL;
			}
			g_string_append_c(value, c);
		}
		if (quoted || (c != ' ' && c != '\t' && c != '\r'))
			kept = value->len;
	}
	if (quoted) {
		syntax_error(reader, error, "a quoted value does not end");
		return NULL;
	}
	g_string_truncate(value, kept);
	return g_string_free(g_steal_pointer(&value), FALSE);
}

static gboolean read_setting(Reader *reader, GError **error)
{
	g_autoptr(GString) key = g_string_new(NULL);
	while (g_ascii_isalnum(peek(reader)) || peek(reader) == '-')
		g_string_append_c(key, take(reader));
	skip_blanks(reader);
	if (key->len == 0)
		return syntax_error(reader, error, "expected a section or a setting");
	/* A key alone is a boolean; none is of interest. */
	if (peek(reader) != '=') {
		skip_line(reader);
		return TRUE;
	}
	take(reader);
	skip_blanks(reader);
	g_autofree char *value = read_value(reader, error);
	if (value == NULL)
		return FALSE;
	char **field = NULL;
	if (reader->current != NULL && g_ascii_strcasecmp(key->str, "path") == 0)
		field = &reader->current->path;
	else if (reader->current != NULL && g_ascii_strcasecmp(key->str, "url") == 0)
		field = &reader->current->url;
	if (field != NULL) {
		g_free(*field);
		*field = g_steal_pointer(&value);
	}
	return TRUE;
}

static gboolean has_control(const char *text)
{
	for (; *text != '\0'; text++)
		if (g_ascii_iscntrl(*text))
			return TRUE;
	return FALSE;
}

/* Names are folders below .git/modules, so `..` would lead out of it (CVE-2018-11235), and a path or URL that begins
 * with a dash would be an option of the program that it is passed to (CVE-2018-17456). */
static gboolean is_safe_path(const char *path)
{
	if (strlen(path) > MAX_PATH_BYTES || path[0] == '-' || has_control(path))
		return FALSE;
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	/* No part at all is the empty path; an empty part is `//` or a slash at an end. */
	if (parts[0] == NULL)
		return FALSE;
	for (char **part = parts; *part != NULL; part++)
		if (g_str_equal(*part, "") || g_str_equal(*part, ".") || g_str_equal(*part, "..") ||
		        g_ascii_strcasecmp(*part, ".git") == 0)
			return FALSE;
	return TRUE;
}

static gboolean check_submodule(const RepoSubmodule *submodule, GError **error)
{
	const char *what = !is_safe_path(submodule->name)   ? "name"
	                   : !is_safe_path(submodule->path) ? "path"
	                   : submodule->url != NULL && (submodule->url[0] == '-' || has_control(submodule->url)) ? "url"
	                                                                                                         : NULL;
	if (what == NULL)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_POLICY,
	        ".gitmodules: submodule \"%s\" has a %s that is not safe to use; nothing was checked out",
	        submodule->name, what);
	return FALSE;
}

static gboolean read_all(Reader *reader, GError **error)
{
	while (reader->at < reader->end) {
		skip_blanks(reader);
		char c = peek(reader);
		gboolean good = TRUE;
		if (c == '\n')
			take(reader);
		else if (c == '#' || c == ';')
			skip_line(reader);
		else if (c == '[')
			good = read_section(reader, error);
		else
			good = read_setting(reader, error);
		if (!good)
			return FALSE;
	}
	return TRUE;
}

GPtrArray *gitmodules_parse(const char *text, gsize length, GError **error)
{
	g_autoptr(GPtrArray) submodules = g_ptr_array_new_with_free_func(free_submodule);
	Reader reader = {.at = text, .end = text + length, .line = 1, .submodules = submodules};
	if (memchr(text, '\0', length) != NULL) {
		syntax_error(&reader, error, "the file has NUL bytes");
		return NULL;
	}
	if (!read_all(&reader, error))
		return NULL;
	for (guint i = 0; i < submodules->len;) {
		const RepoSubmodule *submodule = submodules->pdata[i];
		if (submodule->path == NULL)
			g_ptr_array_remove_index(submodules, i);
		else if (!check_submodule(submodule, error))
			return NULL;
		else
			i++;
	}
	return g_steal_pointer(&submodules);
}
