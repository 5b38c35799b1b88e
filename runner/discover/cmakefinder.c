/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jsontext.h"
#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <glib/gstdio.h>
#include <string.h>

#define QUERY ".cmake/api/v1/query"
#define REPLY ".cmake/api/v1/reply"

char **cmake_benchmark_options(const char *cache)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("^([A-Za-z0-9_.-]*BENCH[A-Za-z0-9_.-]*):BOOL=(OFF|NO|FALSE|0)?$",
		                                  G_REGEX_MULTILINE | G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	/* options of google-benchmark itself, where a project has it as a part, and others that build no benchmark */
	static GRegex *other;
	if (g_once_init_enter(&other))
		g_once_init_leave(&other,
		        g_regex_new(
		                "^BENCHMARK_|INSTALL|DOWNLOAD|FETCH|SYSTEM|BUNDLED|DOCS|_ONLY|ASAN|PROFILE|COVERAGE|"
		                "DISABLE|WITHOUT|NO_BENCH",
		                G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	g_autoptr(GStrvBuilder) options = g_strv_builder_new();
	g_autoptr(GMatchInfo) match = NULL;
	for (g_regex_match(regex, cache, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *name = g_match_info_fetch(match, 1);
		if (!g_regex_match(other, name, 0, NULL))
			g_strv_builder_add(options, name);
	}
	return g_strv_builder_end(options);
}

/* One project of CMake. */
typedef struct {
	const DiscoverPlace *place;
	const char *folder;
	const char *build; /* folder of the build, below the root */
	GPtrArray *words;  /* of the command that configures it */
	GPtrArray *names;  /* of its programs, owned */
} Project;

static gboolean configure(const Project *project, char **failure)
{
	g_autofree char *query = g_build_filename(project->place->tree, project->build, QUERY, NULL);
	g_autofree char *request = g_build_filename(query, "codemodel-v2", NULL);
	if (g_mkdir_with_parents(query, 0777) != 0 || !g_file_set_contents(request, "", 0, NULL)) {
		*failure = g_strdup("cannot write its query");
		return FALSE;
	}
	g_autofree char *out = discover_ask(project->place, ".", (const char *const *)project->words->pdata, failure);
	return out != NULL;
}

static void set_words(Project *project, char *const *options, const char *value)
{
	g_ptr_array_set_size(project->words, 0);
	g_ptr_array_add(project->words, g_strdup("cmake"));
	g_ptr_array_add(project->words, g_strdup("-S"));
	g_ptr_array_add(project->words, discovery_path_argument(project->folder));
	g_ptr_array_add(project->words, g_strdup("-B"));
	g_ptr_array_add(project->words, discovery_path_argument(project->build));
	g_ptr_array_add(project->words, g_strdup("-DCMAKE_BUILD_TYPE=Release"));
	for (; options != NULL && *options != NULL; options++)
		g_ptr_array_add(project->words, g_strdup_printf("-D%s=%s", *options, value));
	g_ptr_array_add(project->words, NULL);
}

/* Configures it once more with the options that build benchmarks, and without them if that fails. */
static gboolean switch_on(Project *project, Discovery *discovery, char **failure)
{
	g_autofree char *path = g_strconcat(project->build, "/CMakeCache.txt", NULL);
	g_autofree char *cache = discover_text(project->place, path);
	g_auto(GStrv) options = cmake_benchmark_options(cache != NULL ? cache : "");
	g_autofree char *why = NULL;
	if (options[0] == NULL)
		return TRUE;
	set_words(project, options, "ON");
	if (configure(project, &why))
		return TRUE;
	g_autofree char *names = g_strjoinv(", ", options);
	discovery_remark(discovery, "CMake in %s: the benchmarks need the option %s, and with it %s", project->folder,
	        names, why);
	set_words(project, options, "OFF");
	if (!configure(project, failure))
		return FALSE;
	set_words(project, NULL, NULL);
	return TRUE;
}

/* Replies */

static json_t *read_json(const Project *project, const char *name)
{
	g_autofree char *path = g_strconcat(project->build, "/" REPLY "/", name, NULL);
	g_autofree char *text = discover_text(project->place, path);
	return text != NULL ? json_load_text(text, strlen(text), name, NULL) : NULL;
}

static json_t *read_model(const Project *project)
{
	g_autofree char *reply = g_build_filename(project->place->tree, project->build, REPLY, NULL);
	g_autoptr(GDir) dir = g_dir_open(reply, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;)
		if (g_str_has_prefix(name, "codemodel-v2"))
			return read_json(project, name);
	return NULL;
}

static const char *link_framework(const json_t *target)
{
	json_t *fragments = json_object_get(json_object_get(target, "link"), "commandFragments"), *fragment;
	gsize i;
	json_array_foreach(fragments, i, fragment)
	{
		const char *framework = hint_link_framework(discover_key(fragment, "fragment"));
		if (framework != NULL)
			return framework;
	}
	return NULL;
}

/* The framework that its sources include, and whether their names speak of benchmarks. */
static const char *source_framework(const Project *project, const json_t *target, gboolean *named)
{
	const char *found = NULL;
	json_t *source;
	gsize i;
	json_array_foreach(json_object_get(target, "sources"), i, source)
	{
		const char *path = discover_key(source, "path");
		if (g_path_is_absolute(path))
			continue;
		g_autofree char *inside = discovery_path(project->folder, path);
		*named |= hint_path(path);
		if (found == NULL)
			found = discover_framework(project->place, inside);
	}
	return found;
}

/* A target of foreign code: what FetchContent brought, or a folder of others' sources. */
static gboolean is_foreign(const json_t *target)
{
	const char *source = discover_key(json_object_get(target, "paths"), "source");
	g_auto(GStrv) parts = g_strsplit(source, "/", -1);
	for (char **part = parts; *part != NULL; part++)
		if (**part != '.' && **part != '\0' && discover_is_foreign(*part))
			return TRUE;
	return g_path_is_absolute(source);
}

static void add_target(const Project *project, const json_t *target, DiscoveredBuild *build)
{
	const char *name = discover_key(target, "name");
	const char *artifact = discover_key(json_array_get(json_object_get(target, "artifacts"), 0), "path");
	if (!g_str_equal(discover_key(target, "type"), "EXECUTABLE") || *artifact == '\0' || is_foreign(target))
		return;
	g_ptr_array_add(project->names, g_strdup(name));
	gboolean named = hint_name(name);
	const char *framework = source_framework(project, target, &named), *linked = link_framework(target);
	if (framework == NULL)
		framework = linked;
	if (framework == NULL && !named)
		return;
	/* what lies outside of the build folder, such as in `bin` of the sources, has its whole path here */
	const char *outside = g_path_is_absolute(artifact) ? discover_inside(project->place, artifact) : NULL;
	g_autofree char *program = outside != NULL                ? g_strdup(outside)
	                           : g_path_is_absolute(artifact) ? g_strdup(artifact)
	                                                          : g_strconcat(project->build, "/", artifact, NULL);
	g_autofree char *word = discovery_quote(name);
	g_autofree char *reason = framework != NULL ? g_strdup_printf("target %s uses %s", name, framework)
	                                            : g_strdup_printf("target %s, by its name", name);
	discovered_program_explain(discovered_build_add(build, name, program, ".", framework), word, reason);
}

static gboolean add_targets(const Project *project, DiscoveredBuild *build)
{
	json_auto_t *model = read_model(project);
	json_t *targets = json_object_get(json_array_get(json_object_get(model, "configurations"), 0), "targets"), *row;
	gsize i;
	json_array_foreach(targets, i, row)
	{
		json_auto_t *target = read_json(project, discover_key(row, "jsonFile"));
		if (target != NULL)
			add_target(project, target, build);
	}
	return model != NULL;
}

static void find_targets(Project *project, Discovery *discovery)
{
	g_autofree char *failure = NULL;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("CMake", project->folder);
	set_words(project, NULL, NULL);
	build->left = g_strdup(project->build);
	if (!configure(project, &failure) || !switch_on(project, discovery, &failure))
		discovery_remark(discovery, "CMake in %s: %s", project->folder, failure);
	else if (!add_targets(project, build))
		discovery_remark(discovery,
		        "CMake in %s: it did not answer the query of its file API (CMake 3.14 or newer)",
		        project->folder);
	else if (build->programs->len == 0)
		discovery_looked_at_names(discovery, build, "program", project->names,
		        "none includes or links a known framework, as CMake is configured without further options");
	build->prepare = discovery_quote_words((char *const *)project->words->pdata);
	g_autofree char *output = discovery_quote_path(project->build);
	build->build = g_strdup_printf("cmake --build %s -j2 --target", output);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
}

gboolean find_cmake(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *lists = discovery_path(folder, "CMakeLists.txt");
	g_autofree char *text = discover_text(place, lists);
	/* below another one, a file without project() is a part of that */
	gboolean below = !g_str_equal(folder, ".") && discover_has(place, "CMakeLists.txt");
	if (text == NULL || (below && !hint_has_project(text)))
		return FALSE;
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *output = discover_build_folder(place, folder);
	Project project = {place, folder, output, words, names};
	find_targets(&project, discovery);
	return TRUE;
}
