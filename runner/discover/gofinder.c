/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/finders.h"

#include <string.h>

guint go_benchmarks(const char *text)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("^func Benchmark(?![a-z])\\w*\\(\\w+ \\*testing\\.B\\)",
		                                  G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL));
	g_autoptr(GMatchInfo) match = NULL;
	guint n = 0;
	for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL))
		n++;
	return n;
}

/* TRUE if a folder between the module and the file has a go.mod of its own. */
static gboolean in_other_module(const DiscoverPlace *place, const char *folder, const char *package)
{
	g_autofree char *at = g_strdup(package);
	while (!g_str_equal(at, folder) && !g_str_equal(at, ".")) {
		g_autofree char *module = discovery_path(at, "go.mod");
		if (discover_has(place, module))
			return TRUE;
		char *up = g_path_get_dirname(at);
		g_free(at);
		at = up;
	}
	return FALSE;
}

/* TRUE for "v2" and the like, with which the path of a module may end. */
static gboolean is_version(const char *part)
{
	return *part == 'v' && part[1] != '\0' && part[1 + strspn(part + 1, "0123456789")] == '\0';
}

/* The last part of the path of a module, without a version: "github.com/x/y/v2" -> "y". Owned by the caller. */
static char *module_name(const DiscoverPlace *place, const char *folder)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(
		        &regex, g_regex_new("^module\\s+\"?([^\\s\"]+)", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL));
	g_autofree char *path = discovery_path(folder, "go.mod");
	g_autofree char *text = discover_text(place, path);
	g_autoptr(GMatchInfo) match = NULL;
	if (text == NULL || !g_regex_match(regex, text, 0, &match))
		return g_strdup("module");
	g_autofree char *module = g_match_info_fetch(match, 1);
	g_autofree char *last = g_path_get_basename(module), *above = g_path_get_dirname(module);
	return is_version(last) && !g_str_equal(above, ".") ? g_path_get_basename(above) : g_steal_pointer(&last);
}

static void add_package(
        const DiscoverPlace *place, const char *folder, const char *package, guint n, DiscoveredBuild *build)
{
	gboolean root = g_str_equal(package, folder);
	g_autofree char *name = root ? module_name(place, folder) : g_path_get_basename(package);
	g_autofree char *file = g_strconcat(name, ".test", NULL);
	g_autofree char *program = discovery_path(package, file);
	const char *below = root ? "." : package + (g_str_equal(folder, ".") ? 0 : strlen(folder) + 1);
	g_autofree char *import = root ? g_strdup(".") : g_strconcat("./", below, NULL);
	g_autofree char *output = root ? g_strdup(file) : g_strconcat(below, "/", file, NULL);
	g_autofree char *output_word = discovery_quote_path(output), *import_word = discovery_quote(import);
	g_autofree char *compile = g_strdup_printf("go test -c -o %s %s", output_word, import_word);
	g_autofree char *line = discovery_command_in(folder, compile);
	g_autofree char *reason =
	        g_strdup_printf("package %s has %u function%s Benchmark*", import, n, n == 1 ? "" : "s");
	discovered_program_explain(discovered_build_add(build, name, program, package, "go"), line, reason);
}

/* Adds what a file has to the count of its package (char * -> number; the table owns the names). */
static void count_file(
        const DiscoverPlace *place, const char *folder, const char *file, GPtrArray *packages, GHashTable *counts)
{
	g_autofree char *package = g_path_get_dirname(file);
	/* the go command looks into no folder of that name */
	g_autofree char *text = strstr(file, "testdata/") == NULL ? discover_text(place, file) : NULL;
	guint n = text != NULL && !in_other_module(place, folder, package) ? go_benchmarks(text) : 0;
	if (n == 0)
		return;
	n += GPOINTER_TO_UINT(g_hash_table_lookup(counts, package));
	if (!g_hash_table_contains(counts, package))
		g_ptr_array_add(packages, g_strdup(package));
	g_hash_table_insert(counts, g_steal_pointer(&package), GUINT_TO_POINTER(n));
}

gboolean find_go(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *module = discovery_path(folder, "go.mod");
	if (!discover_has(place, module))
		return FALSE;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Go", folder);
	g_autoptr(GPtrArray) files = discover_list(place, folder, "*_test.go");
	/* the files of a package are neither in a row nor alone, since those of folders below it come between */
	g_autoptr(GPtrArray) packages = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < files->len; i++)
		count_file(place, folder, g_ptr_array_index(files, i), packages, counts);
	for (guint i = 0; i < packages->len; i++) {
		const char *package = g_ptr_array_index(packages, i);
		add_package(place, folder, package, GPOINTER_TO_UINT(g_hash_table_lookup(counts, package)), build);
	}
	if (packages->len == 0)
		discovery_looked(discovery,
		        "Go in %s: %u file%s *_test.go; none has a function Benchmark*(b *testing.B)", folder,
		        files->len, files->len == 1 ? "" : "s");
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}
