/* SPDX-License-Identifier: Apache-2.0 */
/* The finders that read text files of the project and run nothing. */
#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <string.h>

/* Zig */

gboolean find_zig(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("addExecutable\\(\\s*\\.\\{\\s*\\.name\\s*=\\s*\"([^\"]+)\"",
		                                  G_REGEX_RAW, 0, NULL));
	g_autofree char *path = discovery_path(folder, "build.zig");
	g_autofree char *text = discover_text(place, path);
	g_autoptr(GMatchInfo) match = NULL;
	if (text == NULL)
		return FALSE;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Zig", folder);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	build->prepare = discovery_command_in(folder, "zig build -Doptimize=ReleaseFast");
	for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *name = g_match_info_fetch(match, 1);
		g_autofree char *inside = g_strconcat("zig-out/bin/", name, NULL);
		g_autofree char *program = discovery_path(folder, inside);
		g_ptr_array_add(names, g_strdup(name));
		if (hint_name(name))
			discovered_program_explain(discovered_build_add(build, name, program, ".", NULL), NULL,
			        "an executable in build.zig, by its name");
	}
	if (build->programs->len == 0 && hint_name(text))
		discovery_remark(discovery,
		        "Zig in %s: build.zig speaks of benchmarks, but no installed executable has such a name; name "
		        "its program in zig-out/bin",
		        folder);
	else if (build->programs->len == 0)
		discovery_looked_at_names(discovery, build, "executable", names, NULL);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}

/* Autotools */

char **automake_programs(const char *text)
{
	static GRegex *regex, *joined;
	if (g_once_init_enter(&joined))
		g_once_init_leave(&joined, g_regex_new("\\\\\\n", G_REGEX_RAW, 0, NULL));
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex,
		        g_regex_new("^(?:noinst|check|EXTRA|bin|pkglibexec|libexec)_PROGRAMS\\s*\\+?=([^\\n#]*)",
		                G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL));
	g_autoptr(GStrvBuilder) programs = g_strv_builder_new();
	g_autofree char *flat = g_regex_replace_literal(joined, text, -1, 0, " ", 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	for (g_regex_match(regex, flat, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *list = g_match_info_fetch(match, 1);
		g_auto(GStrv) names = g_strsplit_set(list, " \t", -1);
		for (char **name = names; *name != NULL; name++)
			if (**name != '\0' && strpbrk(*name, "$@%") == NULL)
				g_strv_builder_add(programs, *name);
	}
	return g_strv_builder_end(programs);
}

/* A project of Autotools that is being read. */
typedef struct {
	const DiscoverPlace *place;
	const char *folder;
	const char *output; /* folder of the build */
	GPtrArray *names;   /* of all programs, owned */
	DiscoveredBuild *build;
} Automake;

/* The folder of a file below the project: that in which its Makefile will be. An included file (bench/local.am) speaks
 * of paths below the top. Borrowed from `dir`, the folder that the file is in. */
static const char *makefile_folder(const Automake *automake, const char *path, const char *dir)
{
	if (!g_str_has_suffix(path, "Makefile.am") || g_str_equal(dir, automake->folder))
		return ".";
	return g_str_equal(automake->folder, ".") ? dir : dir + strlen(automake->folder) + 1;
}

static void add_makefile(const Automake *automake, const char *path)
{
	g_autofree char *text = discover_text(automake->place, path);
	g_autofree char *dir = g_path_get_dirname(path);
	g_auto(GStrv) programs = automake_programs(text != NULL ? text : "");
	const char *below = makefile_folder(automake, path, dir);
	g_autofree char *output = discovery_path(automake->output, below);
	g_autofree char *output_word = discovery_quote_path(output);
	for (char **name = programs; *name != NULL; name++) {
		g_ptr_array_add(automake->names, g_strdup(*name));
		if (!hint_path(*name) && !hint_path(below))
			continue;
		g_autofree char *program = discovery_path(output, *name), *base = g_path_get_basename(*name);
		g_autofree char *name_word = discovery_quote(*name);
		g_autofree char *line = g_strdup_printf("make -C %s %s", output_word, name_word);
		g_autofree char *reason = g_strdup_printf("a program in %s", path);
		DiscoveredProgram *added = discovered_build_add(automake->build, base, program, ".", NULL);
		discovered_program_explain(added, line, reason);
	}
}

/* Lines that make `configure` and run it in a folder of its own. */
static char *configure_lines(const Automake *automake, const char *script)
{
	g_autofree char *ready = discovery_path(automake->folder, "configure");
	g_autofree char *text = discover_text(automake->place, script);
	g_autofree char *folder_word = discovery_quote_path(automake->folder);
	g_autofree char *reconfigure = discover_has(automake->place, ready)
	                                       ? g_strdup("")
	                                       : g_strdup_printf("autoreconf -fi %s\n", folder_word);
	g_autofree char *output_word = discovery_quote_path(automake->output);
	/* a libtool script would link the program in its first run: a static library needs none */
	gboolean libtool =
	        text != NULL && (strstr(text, "LT_INIT") != NULL || strstr(text, "AC_PROG_LIBTOOL") != NULL ||
	                                strstr(text, "AM_PROG_LIBTOOL") != NULL);
	return g_strdup_printf("%smkdir -p %s\n(cd %s && ../configure%s)\nmake -C %s -j2", reconfigure, output_word,
	        output_word, libtool ? " --disable-shared" : "", output_word);
}

gboolean find_autotools(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *script = discovery_path(folder, "configure.ac");
	g_autofree char *top = discovery_path(folder, "Makefile.am");
	if (!discover_has(place, script) || !discover_has(place, top))
		return FALSE;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Autotools", folder);
	g_autoptr(GPtrArray) files = discover_list(place, folder, "*.am");
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *output = discover_build_folder(place, folder);
	const Automake automake = {place, folder, output, names, build};
	for (guint i = 0; i < files->len; i++)
		add_makefile(&automake, g_ptr_array_index(files, i));
	if (build->programs->len == 0)
		discovery_looked_at_names(discovery, build, "program", names, "none is in a folder named so");
	build->prepare = configure_lines(&automake, script);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}

/* Folders of sources */

/* The words that compile a source alone. */
static char *compile_line(const DiscoverPlace *place, const char *path, const char *program, const char *framework)
{
	g_autofree char *source = discovery_quote_path(path), *output = discovery_quote(program);
	gboolean c = g_str_has_suffix(path, ".c");
	return g_strdup_printf("%s -O2 -I.%s%s -o %s %s%s", c ? "cc" : "c++",
	        discover_has(place, "include") ? " -Iinclude" : "", discover_has(place, "src") ? " -Isrc" : "", output,
	        source,
	        g_strcmp0(framework, "google-benchmark") == 0 ? " -lbenchmark -lpthread"
	        : c                                           ? " -lm"
	                                                      : "");
}

/* Names the place of the program of a source: a name of its own also where two folders have a source of one name. Owned
 * by the caller. */
static char *plain_program(const DiscoveredBuild *build, const char *stem)
{
	g_autofree char *name = g_path_get_basename(stem);
	g_autofree char *program = g_strconcat("build-bench/", name, NULL);
	for (guint i = 0; i < build->programs->len; i++) {
		const DiscoveredProgram *other = g_ptr_array_index(build->programs, i);
		if (g_str_equal(other->program, program)) {
			g_autofree char *flat = g_strdelimit(g_strdup(stem), "/", '-');
			return g_strconcat("build-bench/", flat, NULL);
		}
	}
	return g_steal_pointer(&program);
}

static void add_source(const DiscoverPlace *place, const char *path, DiscoveredBuild *build)
{
	g_autofree char *text = discover_text(place, path);
	if (text == NULL || !hint_has_main(text))
		return;
	const char *framework = hint_framework(text);
	g_autofree char *stem = g_strndup(path, (gsize)(strrchr(path, '.') - path));
	g_autofree char *name = g_path_get_basename(stem);
	g_autofree char *program = plain_program(build, stem);
	g_autofree char *compile = compile_line(place, path, program, framework);
	g_autofree char *line = g_strconcat("mkdir -p build-bench\n", compile, NULL);
	g_autofree char *reason = g_strdup_printf("%s has a main function", path);
	discovered_program_explain(discovered_build_add(build, name, program, ".", framework), line, reason);
}

gboolean find_plain(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	static const char *const patterns[] = {"*.c", "*.cc", "*.cpp", "*.cxx"};
	g_autofree char *base = g_path_get_basename(folder);
	guint sources = 0;
	if (g_str_equal(folder, ".") || !hint_name(base))
		return FALSE;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("sources", folder);
	for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
		g_autoptr(GPtrArray) files = discover_list(place, folder, patterns[i]);
		sources += files->len;
		for (guint j = 0; j < files->len; j++)
			add_source(place, g_ptr_array_index(files, j), build);
	}
	if (build->programs->len == 0)
		discovery_looked(discovery,
		        "sources in %s: %u of C or C++; none has a main function, and no build system that is known "
		        "builds "
		        "there",
		        folder, sources);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}

/* Bazel */

gboolean find_bazel(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	static const char *const files[] = {"MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"};
	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = discovery_path(folder, files[i]);
		if (!discover_has(place, path))
			continue;
		discovery_remark(discovery,
		        "Bazel in %s is not understood yet; write by hand: `build: {command: \"bazel build -c opt "
		        "--strip=never --copt=-g1 --copt=-fno-omit-frame-pointer //path:benchmark && cp -L "
		        "bazel-bin/path/benchmark bench-program\"}`, with the label that `bazel query 'kind(cc_binary, "
		        "//...)'` names, and `benchmarks: [{name: main, command: [./bench-program]}]`, with "
		        "`framework: "
		        "google-benchmark` if it is one",
		        folder);
		return TRUE;
	}
	return FALSE;
}
