/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/discovery.h"

#include <string.h>

#define TARGET_OPTION " --target"
/* Names that a line about what was looked at has at most. */
#define MAX_NAMES 6

static void program_free(gpointer data)
{
	DiscoveredProgram *program = data;
	g_free(program->name);
	g_free(program->framework);
	g_free(program->program);
	g_strfreev(program->arguments);
	g_free(program->cwd);
	g_free(program->build);
	g_free(program->reason);
	g_free(program);
}

void discovered_build_free(DiscoveredBuild *build)
{
	if (build == NULL)
		return;
	g_free(build->system);
	g_free(build->folder);
	g_free(build->prepare);
	g_free(build->build);
	g_free(build->left);
	g_ptr_array_unref(build->programs);
	g_free(build);
}

Discovery *discovery_new(void)
{
	Discovery *discovery = g_new0(Discovery, 1);
	discovery->builds = g_ptr_array_new_with_free_func((GDestroyNotify)discovered_build_free);
	discovery->remarks = g_ptr_array_new_with_free_func(g_free);
	discovery->looked = g_ptr_array_new_with_free_func(g_free);
	return discovery;
}

void discovery_free(Discovery *discovery)
{
	if (discovery == NULL)
		return;
	g_ptr_array_unref(discovery->builds);
	g_ptr_array_unref(discovery->remarks);
	g_ptr_array_unref(discovery->looked);
	g_free(discovery);
}

void discovery_remark(Discovery *discovery, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_ptr_array_add(discovery->remarks, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

void discovery_looked(Discovery *discovery, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_ptr_array_add(discovery->looked, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

void discovery_looked_at_names(Discovery *discovery, const DiscoveredBuild *build, const char *noun,
        const GPtrArray *names, const char *besides)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < names->len && i < MAX_NAMES; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : ": ", (const char *)g_ptr_array_index(names, i));
	g_string_append(text, names->len > MAX_NAMES ? ", ..." : "");
	discovery_looked(discovery, "%s in %s: %u %s%s%s; none is named like a benchmark (bench, perf, speed)%s%s",
	        build->system, build->folder, names->len, noun, names->len == 1 ? "" : "s", text->str,
	        besides != NULL ? ", and " : "", besides != NULL ? besides : "");
}

DiscoveredBuild *discovered_build_new(const char *system, const char *folder)
{
	DiscoveredBuild *build = g_new0(DiscoveredBuild, 1);
	build->system = g_strdup(system);
	build->folder = g_strdup(folder);
	build->programs = g_ptr_array_new_with_free_func(program_free);
	return build;
}

DiscoveredProgram *discovered_build_add(
        DiscoveredBuild *build, const char *name, const char *program, const char *cwd, const char *framework)
{
	DiscoveredProgram *added = g_new0(DiscoveredProgram, 1);
	added->name = g_strdup(name);
	added->program = g_strdup(program);
	added->cwd = g_strdup(cwd);
	added->framework = g_strdup(framework);
	g_ptr_array_add(build->programs, added);
	return added;
}

void discovered_program_explain(DiscoveredProgram *program, const char *build, const char *reason)
{
	g_free(program->build);
	g_free(program->reason);
	program->build = g_strdup(build);
	program->reason = g_strdup(reason);
}

/* Commands */

static void add_line(GString *lines, const char *line)
{
	if (line != NULL)
		g_string_append_printf(lines, "%s\n", line);
}

/* Returns TRUE if there is a program to build. */
static gboolean append_programs(GString *lines, const DiscoveredBuild *build, GHashTable *kept)
{
	g_autoptr(GString) programs = g_string_new(NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	gboolean any = FALSE;
	for (guint i = 0; i < build->programs->len; i++) {
		const DiscoveredProgram *program = g_ptr_array_index(build->programs, i);
		if (kept != NULL && !g_hash_table_contains(kept, program))
			continue;
		any = TRUE;
		if (program->build == NULL || !g_hash_table_add(seen, program->build))
			continue;
		if (build->build != NULL)
			g_string_append_printf(programs, " %s", program->build);
		else
			add_line(programs, program->build);
	}
	if (!any)
		return FALSE;
	if (build->build != NULL)
		g_string_append_printf(lines, "%s%s\n", build->build, programs->str);
	else
		g_string_append(lines, programs->str);
	return TRUE;
}

static void append_build(GString *lines, const DiscoveredBuild *build, GHashTable *kept)
{
	g_autoptr(GString) programs = g_string_new(NULL);
	if (!append_programs(programs, build, kept))
		return;
	add_line(lines, build->prepare);
	g_string_append(lines, programs->str);
}

static char *as_command(GString *lines)
{
	if (lines->len == 0)
		return NULL;
	g_string_truncate(lines, lines->len - 1);
	if (strchr(lines->str, '\n') != NULL)
		g_string_prepend(lines, "set -e\n");
	return g_strdup(lines->str);
}

char *discovery_build_command(const Discovery *discovery, GHashTable *kept)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	for (guint i = 0; i < discovery->builds->len; i++)
		append_build(lines, g_ptr_array_index(discovery->builds, i), kept);
	return as_command(lines);
}

char *discovered_build_programs(const DiscoveredBuild *build, GHashTable *kept)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	append_programs(lines, build, kept);
	return as_command(lines);
}

char *discovery_bare_command(const Discovery *discovery)
{
	const DiscoveredBuild *build = discovery->builds->len > 0 ? g_ptr_array_index(discovery->builds, 0) : NULL;
	g_autoptr(GString) lines = g_string_new(NULL);
	if (build == NULL)
		return NULL;
	add_line(lines, build->prepare);
	add_line(lines, build->build);
	/* of CMake, which takes that only with a target */
	if (build->build != NULL && g_str_has_suffix(build->build, TARGET_OPTION))
		g_string_erase(lines, (gssize)(lines->len - strlen(TARGET_OPTION) - 1), (gssize)strlen(TARGET_OPTION));
	return as_command(lines);
}

/* Paths */

char *discovery_path(const char *folder, const char *name)
{
	while (g_str_has_prefix(name, "./"))
		name += 2;
	if (g_str_equal(folder, "."))
		return g_strdup(name);
	if (*name == '\0' || g_str_equal(name, "."))
		return g_strdup(folder);
	return g_strconcat(folder, "/", name, NULL);
}

char *discovery_seen_from(const char *cwd, const char *program)
{
	if (g_path_is_absolute(program))
		return g_strdup(program);
	if (g_str_equal(cwd, "."))
		return g_strconcat("./", program, NULL);
	g_autofree char *inside = g_strconcat(cwd, "/", NULL);
	if (g_str_has_prefix(program, inside))
		return g_strconcat("./", program + strlen(inside), NULL);
	GString *up = g_string_new("../");
	for (const char *slash = strchr(cwd, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		g_string_append(up, "../");
	g_string_append(up, program);
	return g_string_free(up, FALSE);
}

char **discovered_program_command(const DiscoveredProgram *program)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_autofree char *first = discovery_seen_from(program->cwd, program->program);
	g_strv_builder_add(words, first);
	if (program->arguments != NULL)
		g_strv_builder_addv(words, (const char **)program->arguments);
	return g_strv_builder_end(words);
}

char *discovery_quote(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@";
	return *word != '\0' && word[strspn(word, plain)] == '\0' ? g_strdup(word) : g_shell_quote(word);
}

char *discovery_path_argument(const char *path)
{
	return *path == '-' ? g_strconcat("./", path, NULL) : g_strdup(path);
}

char *discovery_quote_path(const char *path)
{
	g_autofree char *argument = discovery_path_argument(path);
	return discovery_quote(argument);
}

char *discovery_command_in(const char *folder, const char *command)
{
	g_autofree char *word = discovery_quote_path(folder);
	return g_str_equal(folder, ".") ? g_strdup(command) : g_strdup_printf("(cd %s && %s)", word, command);
}

char *discovery_quote_words(char *const *words)
{
	GString *line = g_string_new(NULL);
	for (guint i = 0; words[i] != NULL; i++) {
		g_autofree char *word = discovery_quote(words[i]);
		g_string_append_printf(line, "%s%s", i > 0 ? " " : "", word);
	}
	return g_string_free(line, FALSE);
}
