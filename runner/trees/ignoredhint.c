/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/ignoredhint.h"

#include "core/git/repopaths.h"

#include <string.h>

/* Characters that end a path in what compilers and build systems print. */
#define SEPARATORS " \t'\"`:;,()<>[]"

/* TRUE for a line that says that something is missing. */
static gboolean misses_something(const char *line)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex,
		        g_regex_new(
		                "no such file|not found|no rule to make|cannot find|can't find|could not find|"
		                "does not exist|doesn't exist|not an existing|nonexistent|is not in std|no go files",
		                G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	return g_regex_match(regex, line, 0, NULL);
}

/* A word as a path below the tree; NULL if it is none. Borrowed from `word`. */
static const char *below_tree(const char *tree, const char *word)
{
	gsize length = strlen(tree);
	if (g_str_has_prefix(word, tree) && word[length] == '/')
		word += length + 1;
	while (g_str_has_prefix(word, "./"))
		word += 2;
	return *word == '\0' || *word == '/' || *word == '.' || strstr(word, "..") != NULL ? NULL : word;
}

static gboolean is_there(const char *root, const char *path)
{
	g_autofree char *whole = g_build_filename(root, path, NULL);
	return g_file_test(whole, G_FILE_TEST_EXISTS);
}

/* The first such path of a line, or NULL. Owned by the caller. */
static char *ignored_path(Repo *repo, const char *tree, const char *line)
{
	const char *workdir = repo_path_workdir(repo);
	g_auto(GStrv) words = g_strsplit_set(line, SEPARATORS, -1);
	for (char **word = words; *word != NULL; word++) {
		const char *path = below_tree(tree, *word);
		if (path != NULL && !is_there(tree, path) && is_there(workdir, path) &&
		        repo_path_is_ignored(repo, path))
			return g_strdup(path);
	}
	return NULL;
}

char *ignored_hint(Repo *repo, const char *tree, const char *output)
{
	g_autofree char *path = NULL;
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	if (repo_path_workdir(repo) == NULL)
		return NULL;
	for (char **line = lines; *line != NULL && path == NULL; line++)
		path = misses_something(*line) ? ignored_path(repo, tree, *line) : NULL;
	if (path == NULL)
		return NULL;
	return g_strdup_printf("%s is in your working folder, but git ignores it, so no checkout has it: let the build "
	                       "command make it, or commit it after a change of .gitignore (a line `bench` hides "
	                       "cmd/bench, too; `/bench` does not)",
	        path);
}
