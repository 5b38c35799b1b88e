/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/hints/outputhint.h"

#include "runner/trees/treefiles.h"

#include <string.h>

#define MAX_LINE_BYTES 200
#define MAX_LINES 1000

void complaint_clear(Complaint *complaint)
{
	g_clear_pointer(&complaint->line, g_free);
	complaint->kind = COMPLAINT_NONE;
}

static gboolean has_any(const char *line, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strstr(line, *words) != NULL)
			return TRUE;
	return FALSE;
}

/* Lines are compared in lower case. */
static gboolean is_missing_file(const char *line)
{
	static const char *const words[] = {"no such file", "cannot open", "can't open", "could not open",
	        "couldn't open", "failed to open", "unable to open", "file not found", "cannot find the file", NULL};
	return has_any(line, words);
}

/* google-benchmark, Catch2, doctest, libtest, go test, criterion, ctest. */
static gboolean is_nothing(const char *line)
{
	static const char *const words[] = {"failed to match any benchmarks", "no test cases matched", "no tests ran",
	        "no tests to run", "running 0 tests", "[no test files]", "no benchmarks", "no tests were found",
	        "nothing to run", "test cases:  0 |", NULL};
	return has_any(line, words);
}

/* "usage: prog [options]": not "Usage: 12 MB". */
static gboolean is_usage(const char *line)
{
	static const char *const signs[] = {"[", "<", " -", "/", " option", NULL};
	const char *rest = g_str_has_prefix(line, "usage:") ? line + strlen("usage:") : NULL;
	while (rest != NULL && *rest == ' ')
		rest++;
	return rest != NULL && (*rest == '\0' || (!g_ascii_isdigit(*rest) && has_any(rest, signs)));
}

/* "error: x", "prog: error: x", "fatal error: x", "Error x": a number after it is a result. */
static gboolean is_error(const char *line)
{
	static const char *const words[] = {"error:", "fatal:", "panic:", "abort:", "traceback (most recent", NULL};
	for (const char *const *word = words; *word != NULL; word++) {
		const char *at = strstr(line, *word);
		gboolean begins = at != NULL && (at == line || g_str_has_suffix(*word, "recent") ||
		                                        (at - line >= 2 && at[-1] == ' ' && at[-2] == ':') ||
		                                        g_str_has_prefix(line, "fatal error:"));
		if (!begins)
			continue;
		const char *rest = at + strlen(*word);
		rest += strspn(rest, " \t=~<+-");
		if (*rest != '\0' && !g_ascii_isdigit(*rest) && *rest != '.' && !g_str_has_prefix(rest, "nan") &&
		        !g_str_has_prefix(rest, "none") && !g_str_has_prefix(rest, "inf"))
			return TRUE;
	}
	return FALSE;
}

static ComplaintKind kind_of(const char *line)
{
	g_autofree char *lower = g_ascii_strdown(line, -1);
	g_strstrip(lower);
	if (is_missing_file(lower))
		return COMPLAINT_MISSING_FILE;
	if (is_nothing(lower))
		return COMPLAINT_NOTHING_RAN;
	if (is_usage(lower))
		return COMPLAINT_USAGE;
	return is_error(lower) ? COMPLAINT_ERROR : COMPLAINT_NONE;
}

/* The line as it is told. Owned by the caller. */
static char *told_line(char *line)
{
	return g_utf8_make_valid(g_strstrip(line), (gssize)MIN(strlen(line), MAX_LINE_BYTES));
}

Complaint complaint_of(const char *text)
{
	Complaint complaint = {0};
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL && complaint.kind == COMPLAINT_NONE; line++) {
		complaint.kind = kind_of(*line);
		if (complaint.kind != COMPLAINT_NONE)
			complaint.line = told_line(*line);
	}
	return complaint;
}

/* Words that programs which work well print, too: a sign only where the other side does not print them. */
static gboolean is_failure(const char *line)
{
	static const char *const words[] = {"failed to ", "cannot ", "can't ", "could not ", "couldn't ", "unable to ",
	        "permission denied", "not permitted", "assertion failed", "exception", "out of memory", "[error]",
	        "aborted", "giving up", NULL};
	g_autofree char *lower = g_ascii_strdown(line, -1);
	return has_any(lower, words) || g_str_has_prefix(g_strchug(lower), "error ");
}

void complaint_lines(const char *text, GPtrArray *found)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL && found->len < MAX_LINES; line++)
		if (kind_of(*line) != COMPLAINT_NONE || is_failure(*line))
			g_ptr_array_add(found, told_line(*line));
}

/* --- what to change --- */

/* TRUE if it could be the name of a file: it has a slash, or a dot within. */
static gboolean looks_like_path(const char *word)
{
	const char *dot = strchr(word, '.');
	gboolean slash = strchr(word, '/') != NULL;
	return strlen(word) > 2 && (slash || (dot != NULL && dot > word && g_ascii_isalnum(dot[1])));
}

/* The words of a line that could name a file; the program itself, which most lines begin with, is one of them. An array
 * of char * that owns them. */
static GPtrArray *path_words(const char *line)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = g_strsplit_set(line, " \t:;,'\"`()<>[]=", -1);
	for (char **part = parts; *part != NULL; part++)
		if (looks_like_path(*part))
			g_ptr_array_add(words, g_strdup(*part));
	return words;
}

static const char *plain_path(const char *path)
{
	while (g_str_has_prefix(path, "./") || g_str_has_prefix(path, "../"))
		path = strchr(path, '/') + 1;
	return path;
}

/* Says as a clause where a file of the tree is that is not where it was looked for; NULL = it is nowhere. */
static char *found_elsewhere(const char *word, const char *tree, const char *cwd)
{
	const char *wanted = plain_path(word);
	if (g_path_is_absolute(word) || *wanted == '\0')
		return NULL;
	g_autoptr(GPtrArray) paths = tree_files_named(tree, wanted, FALSE);
	if (paths->len == 0)
		return NULL;
	const char *path = paths->pdata[0];
	gsize above = strlen(path) - strlen(wanted);
	if (above == 0)
		return g_strdup_printf("%s is at the root of the checkout, and the benchmark runs in %s: take `cwd` "
		                       "out, or give the path from there",
		        path, cwd);
	g_autofree char *folder = g_strndup(path, above - 1);
	return g_strdup_printf("the checkout has %s: set `cwd: %s` for the benchmark (its program is then named from "
	                       "there), or give it that path",
	        path, folder);
}

static gboolean is_there(const char *word, const char *tree, const char *cwd)
{
	g_autofree char *here = g_path_is_absolute(word) ? g_strdup(word) : g_build_filename(tree, cwd, word, NULL);
	return g_file_test(here, G_FILE_TEST_EXISTS);
}

static char *missing_file_remedy(const char *line, const char *tree, const char *cwd)
{
	g_autoptr(GPtrArray) words = path_words(line);
	const char *absent = NULL;
	for (guint i = 0; i < words->len; i++) {
		if (is_there(words->pdata[i], tree, cwd))
			continue;
		char *elsewhere = found_elsewhere(words->pdata[i], tree, cwd);
		if (elsewhere != NULL)
			return elsewhere;
		absent = words->pdata[i];
	}
	return g_strdup_printf("%s is not in the checkout, which holds what is committed and what the build makes: "
	                       "commit it, or let the build command make it",
	        absent != NULL ? absent : "the file");
}

char *complaint_remedy(const Complaint *complaint, const char *tree, const char *cwd)
{
	switch (complaint->kind) {
	case COMPLAINT_MISSING_FILE:
		return missing_file_remedy(complaint->line, tree, cwd);
	case COMPLAINT_USAGE:
		return g_strdup("it explains its options instead of working: mend the arguments in `command`");
	case COMPLAINT_NOTHING_RAN:
		return g_strdup("it had nothing to run: mend the filter in `command`");
	case COMPLAINT_ERROR:
	case COMPLAINT_NONE:
		break;
	}
	return g_strdup(
	        "if it failed, it has to exit with something else than 0; if that is a result, nothing is wrong");
}
