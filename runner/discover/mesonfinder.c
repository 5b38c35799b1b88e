/* SPDX-License-Identifier: Apache-2.0 */
#include "core/jsontext.h"
#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <string.h>

char **meson_benchmark_options(const char *json)
{
	json_auto_t *options = json_load_text(json, strlen(json), "build options", NULL);
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	json_t *option;
	gsize i;
	json_array_foreach(options, i, option)
	{
		const char *name = discover_key(option, "name"), *type = discover_key(option, "type");
		gboolean feature = g_str_equal(discover_key(option, "section"), "user") &&
		                   json_array_size(json_object_get(option, "choices")) == 3 &&
		                   g_str_equal(type, "combo");
		if (strchr(name, ':') != NULL || !hint_name(name))
			continue;
		if (g_str_equal(type, "boolean") || feature || g_str_equal(type, "feature")) {
			g_autofree char *word =
			        g_strdup_printf("-D%s=%s", name, g_str_equal(type, "boolean") ? "true" : "enabled");
			g_strv_builder_add(words, word);
		}
	}
	return g_strv_builder_end(words);
}

static json_t *introspect(const DiscoverPlace *place, const char *build, const char *what)
{
	const char *argv[] = {"meson", "introspect", build, what, NULL};
	g_autofree char *text = discover_ask(place, ".", argv, NULL);
	return text != NULL ? json_load_text(text, strlen(text), what, NULL) : NULL;
}

/* The framework that the sources of a target include. */
static const char *target_framework(const DiscoverPlace *place, const json_t *target)
{
	json_t *group, *source;
	gsize i, j;
	json_array_foreach(json_object_get(target, "target_sources"), i, group)
	{
		json_array_foreach(json_object_get(group, "sources"), j, source)
		{
			const char *path = discover_inside(place, json_string_value(source));
			const char *framework = path != NULL ? discover_framework(place, path) : NULL;
			if (framework != NULL)
				return framework;
		}
	}
	return NULL;
}

/* A build that is being filled. */
typedef struct {
	const DiscoverPlace *place;
	const char *output; /* folder of the build */
	json_t *targets, *benchmarks;
	DiscoveredBuild *build;
	GPtrArray *names; /* of the project's programs, owned */
} Reading;

/* The entry of `benchmark()` that runs the program; NULL if there is none. */
static const json_t *benchmark_of(const Reading *reading, const char *path)
{
	json_t *benchmark;
	gsize i;
	json_array_foreach(reading->benchmarks, i, benchmark)
	{
		const char *program = json_string_value(json_array_get(json_object_get(benchmark, "cmd"), 0));
		if (g_strcmp0(program, path) == 0)
			return benchmark;
	}
	return NULL;
}

static char **arguments_of(const json_t *benchmark)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	json_t *command = json_object_get(benchmark, "cmd");
	for (gsize i = 1; i < json_array_size(command); i++)
		g_strv_builder_add(words, json_string_value(json_array_get(command, i)));
	return g_strv_builder_end(words);
}

static void add_target(const Reading *reading, const json_t *target)
{
	const char *path = json_string_value(json_array_get(json_object_get(target, "filename"), 0));
	const char *name = discover_key(target, "name"),
	           *program = path != NULL ? discover_inside(reading->place, path) : NULL;
	if (!g_str_equal(discover_key(target, "type"), "executable") || program == NULL ||
	        json_string_value(json_object_get(target, "subproject")) != NULL)
		return;
	g_ptr_array_add(reading->names, g_strdup(name));
	const json_t *benchmark = benchmark_of(reading, path);
	const char *framework = target_framework(reading->place, target);
	if (benchmark == NULL && framework == NULL && !hint_name(name))
		return;
	g_autofree char *reason = benchmark != NULL
	                                  ? g_strdup_printf("benchmark() of Meson: %s", discover_key(benchmark, "name"))
	                                  : g_strdup_printf("target %s", name);
	DiscoveredProgram *added = discovered_build_add(reading->build, name, program, ".", framework);
	g_autofree char *inside = g_strconcat(reading->output, "/", NULL);
	g_autofree char *word = discovery_quote(g_str_has_prefix(program, inside) ? program + strlen(inside) : program);
	discovered_program_explain(added, word, reason);
	if (json_array_size(json_object_get(benchmark, "cmd")) > 1)
		added->arguments = arguments_of(benchmark);
}

/* The words of `meson setup` with these options. */
static GPtrArray *setup_words(const char *folder, const char *output, char *const *options)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	const char *const start[] = {"meson", "setup", output, folder, "--buildtype=release", "--wrap-mode=nodownload"};
	for (gsize i = 0; i < G_N_ELEMENTS(start); i++)
		if (!g_str_equal(start[i], ".")) /* the folder where it starts */
			g_ptr_array_add(
			        words, start[i] == folder ? discovery_path_argument(folder) : g_strdup(start[i]));
	for (; options != NULL && *options != NULL; options++)
		g_ptr_array_add(words, g_strdup(*options));
	g_ptr_array_add(words, NULL);
	return words;
}

static char **options_of(const DiscoverPlace *place, const char *file)
{
	g_autofree char *argument = discovery_path_argument(file);
	const char *argv[] = {"meson", "introspect", "--buildoptions", argument, NULL};
	g_autofree char *text = discover_ask(place, ".", argv, NULL);
	return meson_benchmark_options(text != NULL ? text : "[]");
}

static gboolean set_up(const DiscoverPlace *place, const GPtrArray *words, char **failure)
{
	g_autofree char *out = discover_ask(place, ".", (const char *const *)words->pdata, failure);
	return out != NULL;
}

static void read_targets(const DiscoverPlace *place, DiscoveredBuild *build, const char *output, Discovery *discovery)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *argument = discovery_path_argument(output);
	json_auto_t *targets = introspect(place, argument, "--targets");
	json_auto_t *benchmarks = introspect(place, argument, "--benchmarks");
	const Reading reading = {place, output, targets, benchmarks, build, names};
	json_t *target;
	gsize i;
	json_array_foreach(targets, i, target) add_target(&reading, target);
	if (build->programs->len == 0)
		discovery_looked_at_names(discovery, build, "program", names,
		        "there is neither a benchmark() nor one that includes a known framework");
}

gboolean find_meson(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *file = discovery_path(folder, "meson.build");
	g_autofree char *text = discover_text(place, file);
	/* below another one, a file without project() is a part of that */
	gboolean below = !g_str_equal(folder, ".") && discover_has(place, "meson.build");
	if (text == NULL || (below && !hint_has_project(text)))
		return FALSE;
	g_autofree char *output = discover_build_folder(place, folder);
	g_autofree char *output_argument = discovery_path_argument(output), *output_word = discovery_quote_path(output);
	g_auto(GStrv) options = options_of(place, file);
	g_autoptr(GPtrArray) words = setup_words(folder, output_argument, options);
	g_autofree char *failure = NULL;
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Meson", folder);
	build->left = g_strdup(output);
	if (set_up(place, words, &failure))
		read_targets(place, build, output, discovery);
	else
		discovery_remark(discovery, "Meson in %s: %s", folder, failure);
	build->prepare = discovery_quote_words((char *const *)words->pdata);
	build->build = g_strdup_printf("ninja -C %s", output_word);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}
