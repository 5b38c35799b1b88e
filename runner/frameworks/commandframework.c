/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/commandframework.h"

#include "core/regularfile.h"
#include "runner/config/configlookup.h"
#include "runner/frameworks/frameworks.h"
#include "runner/trees/treefiles.h"

#define MAX_WORDS 4096
#define MAX_SCRIPT_BYTES 65536
#define SCRIPTS_DEEP 2 /* a command, and a script that it names */
#define BETWEEN_WORDS " \t\r\n;|&<>()\"'`"

typedef struct {
	const char *tree, *cwd; /* the latter below the former */
	char *program;          /* that was found */
} Search;

static char **split_words(const char *text)
{
	g_auto(GStrv) pieces = g_strsplit_set(text, BETWEEN_WORDS, MAX_WORDS);
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	for (char **piece = pieces; *piece != NULL; piece++)
		if (**piece != '\0')
			g_ptr_array_add(words, g_strdup(*piece));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

/* The path of a file in the tree; NULL if it is none. Owned by the caller. */
static char *file_in_tree(const Search *search, const char *cwd, const char *word)
{
	g_autofree char *below = tree_path_named(search->tree, cwd, word);
	g_autofree char *path = below != NULL ? g_build_filename(search->tree, below, NULL) : NULL;
	return path != NULL && g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&path) : NULL;
}

/* The words of a script, or NULL if the file is none. Owned by the caller. */
static char **script_words(const char *path)
{
	g_autoptr(GString) text = regular_file_begin(path, 0, MAX_SCRIPT_BYTES);
	return text != NULL && g_str_has_prefix(text->str, "#!") ? split_words(text->str) : NULL;
}

static gboolean has_prefix_in(const char *const *words, const char *prefix)
{
	for (; *words != NULL; words++)
		if (g_str_has_prefix(*words, prefix))
			return TRUE;
	return FALSE;
}

/* Tools that build and run benchmarks at once. */
static FrameworkId tool_framework(Search *search, const char *const *words)
{
	FrameworkId id = FRAMEWORK_NONE;
	if (g_strv_contains(words, "go") && g_strv_contains(words, "test") && has_prefix_in(words, "-bench"))
		id = FRAMEWORK_GO;
	if (g_strv_contains(words, "cargo") && g_strv_contains(words, "bench"))
		id = FRAMEWORK_LIBTEST;
	if (id != FRAMEWORK_NONE)
		search->program = g_strdup(id == FRAMEWORK_GO ? "go test" : "cargo bench");
	return id;
}

static void follow_cd(char **folder, const char *to)
{
	char *next = g_build_filename(*folder, to, NULL);
	g_free(*folder);
	*folder = next;
}

static FrameworkId search_words(Search *search, const char *const *words, guint depth)
{
	FrameworkId id = tool_framework(search, words);
	g_autofree char *led = g_strdup(search->cwd); /* by the `cd` so far; one in brackets may be over */
	for (const char *const *word = words; id == FRAMEWORK_NONE && *word != NULL; word++) {
		if (g_str_equal(*word, "cd") && word[1] != NULL)
			follow_cd(&led, word[1]);
		g_autofree char *there = file_in_tree(search, led, *word);
		g_autofree char *path =
		        there != NULL ? g_steal_pointer(&there) : file_in_tree(search, search->cwd, *word);
		if (path == NULL)
			continue;
		FrameworkId of_file = framework_of_file(path);
		g_auto(GStrv) inner = of_file == FRAMEWORK_NONE && depth < SCRIPTS_DEEP ? script_words(path) : NULL;
		if (inner != NULL)
			id = search_words(search, (const char *const *)inner, depth + 1);
		if (!framework_calibrates(of_file, path, words))
			continue;
		id = of_file;
		search->program = g_strdup(*word);
	}
	return id;
}

FrameworkId framework_of_command(const char *tree_dir, const ConfigBenchmark *benchmark, char **program)
{
	Search search = {.tree = tree_dir, .cwd = benchmark->cwd};
	g_auto(GStrv) words =
	        config_command_is_text(benchmark) ? split_words(benchmark->command[2]) : g_strdupv(benchmark->command);
	FrameworkId id = search_words(&search, (const char *const *)words, 1);
	*program = search.program;
	return id;
}
