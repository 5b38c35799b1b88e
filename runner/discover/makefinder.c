#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <string.h>

/* The database of make */

static void target_free(gpointer data)
{
	MakeTarget *target = data;
	g_free(target->name);
	g_strfreev(target->prerequisites);
	g_free(target);
}

/* "a: b c | d" -> the words after the colon; NULL for a line that is no rule. */
static MakeTarget *parse_rule(const char *line)
{
	const char *colon = strchr(line, ':');
	if (*line == '#' || *line == '\t' || *line == '.' || *line == '\0' || colon == NULL || colon[1] == '=' ||
	        memchr(line, '%', (gsize)(colon - line)) != NULL || memchr(line, '=', (gsize)(colon - line)) != NULL)
		return NULL;
	MakeTarget *target = g_new0(MakeTarget, 1);
	target->name = g_strchomp(g_strndup(line, (gsize)(colon - line)));
	colon += strspn(colon, ":");
	g_auto(GStrv) words = g_strsplit_set(colon, " \t", -1);
	g_autoptr(GStrvBuilder) kept = g_strv_builder_new();
	for (char **word = words; *word != NULL; word++)
		if (**word != '\0' && !g_str_equal(*word, "|"))
			g_strv_builder_add(kept, *word);
	target->prerequisites = g_strv_builder_end(kept);
	return target;
}

static void read_about(MakeTarget *target, const char *line)
{
	if (g_str_has_prefix(line, "#  Phony target"))
		target->phony = TRUE;
	else if (strstr(line, "recipe to execute") != NULL || strstr(line, "commands to execute") != NULL)
		target->recipe = TRUE;
}

GPtrArray *make_targets(const char *database)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func(target_free);
	const char *files = strstr(database, "\n# Files");
	g_auto(GStrv) lines = g_strsplit(files != NULL ? files : database, "\n", -1);
	MakeTarget *target = NULL;
	gboolean no_target = FALSE;
	for (char **line = lines; *line != NULL; line++) {
		if (**line == '\0')
			target = NULL;
		if (target != NULL) {
			read_about(target, *line);
			continue;
		}
		target = no_target ? NULL : parse_rule(*line);
		if (target != NULL)
			g_ptr_array_add(targets, target);
		no_target = g_str_has_prefix(*line, "# Not a target");
	}
	return targets;
}

/* Commands of make */

/* The words of a command before a redirection; NULL if it has other syntax of the shell. */
static char **plain_words(const char *command, guint *unclear)
{
	g_autofree char *cut = g_strdup(command);
	char *redirection = strchr(cut, '>');
	if (redirection != NULL) {
		*redirection = '\0';
		if (redirection > cut && strchr("12&", redirection[-1]) != NULL && redirection - cut > 1 &&
		        redirection[-2] == ' ')
			redirection[-1] = '\0';
	}
	char **words = NULL;
	if (strpbrk(cut, "|<$`*?(){}") != NULL || !g_shell_parse_argv(cut, NULL, &words, NULL)) {
		(*unclear)++;
		return NULL;
	}
	return words;
}

static gboolean starts_program(const char *command)
{
	return g_str_has_prefix(command, "./") && !g_str_has_prefix(command, "./configure") &&
	       !g_str_has_prefix(command, "./config.status");
}

GPtrArray *make_program_lines(const char *text, guint *unclear)
{
	static GRegex *separator;
	if (g_once_init_enter(&separator))
		g_once_init_leave(&separator, g_regex_new("\\n|;|&&|\\|\\|", G_REGEX_RAW, 0, NULL));
	GPtrArray *programs = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_auto(GStrv) commands = g_regex_split(separator, text, 0);
	for (char **command = commands; *command != NULL; command++) {
		char **words = starts_program(g_strstrip(*command)) ? plain_words(*command, unclear) : NULL;
		if (words != NULL)
			g_ptr_array_add(programs, words);
	}
	return programs;
}

/* Programs */

typedef struct {
	const DiscoverPlace *place;
	const char *folder;
	GPtrArray *targets;
	DiscoveredBuild *build;
	Discovery *discovery;
} Reading;

static const MakeTarget *target_named(const Reading *reading, const char *name)
{
	while (g_str_has_prefix(name, "./"))
		name += 2;
	for (guint i = 0; i < reading->targets->len; i++) {
		const MakeTarget *target = g_ptr_array_index(reading->targets, i);
		if (g_str_equal(target->name, name))
			return target;
	}
	return NULL;
}

/* TRUE for a file that can be a program: made, and without the suffix of anything else. */
static gboolean may_be_program(const MakeTarget *target)
{
	g_autofree char *base = g_path_get_basename(target->name);
	return target->recipe && !target->phony && (strchr(base, '.') == NULL || g_str_has_suffix(base, ".exe"));
}

static void add_program(
        const Reading *reading, const char *program, const char *build, char *const *arguments, const char *reason)
{
	g_autofree char *path = discovery_path(reading->folder, program);
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *word = discovery_quote(build);
	DiscoveredProgram *added = discovered_build_add(reading->build, name, path, reading->folder, NULL);
	discovered_program_explain(added, word, reason);
	if (arguments != NULL && *arguments != NULL)
		added->arguments = g_strdupv((char **)arguments);
}

/* Adds the programs that a phony target such as `bench` would start. */
static void add_phony(const Reading *reading, const MakeTarget *target)
{
	const char *argv[] = {"make", "-n", target->name, NULL};
	g_autofree char *text = discover_ask(reading->place, reading->folder, argv, NULL);
	guint unclear = 0;
	g_autoptr(GPtrArray) lines = make_program_lines(text != NULL ? text : "", &unclear);
	g_autofree char *reason = g_strdup_printf("`make %s` starts it", target->name);
	guint found = 0;
	for (guint i = 0; i < lines->len; i++) {
		char **line = g_ptr_array_index(lines, i);
		const MakeTarget *made = target_named(reading, line[0]);
		if (made == NULL)
			continue;
		add_program(reading, made->name, made->name, line + 1, reason);
		found++;
	}
	if (found == 0)
		discovery_remark(reading->discovery,
		        "Make in %s: what `make %s` starts could not be read from its commands; write the program as a "
		        "benchmark's command",
		        reading->folder, target->name);
}

/* TRUE if the program stands in the build already, with or without arguments. */
static gboolean is_known(const Reading *reading, const char *name)
{
	g_autofree char *path = discovery_path(reading->folder, name);
	for (guint i = 0; i < reading->build->programs->len; i++) {
		const DiscoveredProgram *program = g_ptr_array_index(reading->build->programs, i);
		if (g_str_equal(program->program, path))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_meant(const char *name)
{
	static GRegex *other;
	if (g_once_init_enter(&other))
		g_once_init_leave(
		        &other, g_regex_new("clean|install|plot|report|compare|profile|debug|valgrind|upload|deps|fuzz",
		                        G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	return hint_path(name) && !g_regex_match(other, name, 0, NULL);
}

static void read_targets(const Reading *reading)
{
	/* what a phony target starts, it starts with the arguments that it needs: first */
	for (guint i = 0; i < reading->targets->len; i++) {
		const MakeTarget *target = g_ptr_array_index(reading->targets, i);
		if (target->phony && target->recipe && is_meant(target->name))
			add_phony(reading, target);
	}
	for (guint i = 0; i < reading->targets->len; i++) {
		const MakeTarget *target = g_ptr_array_index(reading->targets, i);
		g_autofree char *path = discovery_path(reading->folder, target->name);
		if (!may_be_program(target) || !is_meant(path) || is_known(reading, target->name))
			continue;
		g_autofree char *reason = g_strdup_printf("target %s, by its name", target->name);
		add_program(reading, target->name, target->name, NULL, reason);
	}
}

static gboolean has_makefile(const DiscoverPlace *place, const char *folder)
{
	static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = discovery_path(folder, names[i]);
		if (discover_has(place, path))
			return TRUE;
	}
	return FALSE;
}

static void read_database(const DiscoverPlace *place, const char *folder, DiscoveredBuild *build, Discovery *discovery)
{
	/* -q ends with 1 where something has to be made, and with 2 where that cannot be: neither matters here */
	const char *argv[] = {"/bin/sh", "-c", "make -qp; test $? -le 2", NULL};
	g_autofree char *failure = NULL;
	g_autofree char *database = discover_ask(place, folder, argv, &failure);
	if (database == NULL || strstr(database, "\n# Files") == NULL) {
		discovery_remark(discovery, "Make in %s: %s", folder,
		        failure != NULL ? failure : "`make -qp` does not tell its targets; see what `make -n` says");
		return;
	}
	g_autoptr(GPtrArray) targets = make_targets(database);
	const Reading reading = {place, folder, targets, build, discovery};
	read_targets(&reading);
}

gboolean find_make(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	g_autofree char *script = discovery_path(folder, "configure");
	gboolean configures = !has_makefile(place, folder) && discover_has(place, script);
	if (!configures && !has_makefile(place, folder))
		return FALSE;
	const char *argv[] = {"./configure", NULL};
	g_autofree char *failure = NULL;
	g_autofree char *out = configures ? discover_ask(place, folder, argv, &failure) : g_strdup("");
	if (out == NULL) {
		discovery_remark(discovery, "%s: %s", script, failure);
		return TRUE;
	}
	g_autofree char *folder_word = discovery_quote(folder);
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", folder);
	gboolean root = g_str_equal(folder, ".");
	if (configures)
		build->prepare =
		        root ? g_strdup("./configure") : g_strdup_printf("(cd %s && ./configure)", folder_word);
	build->build = root ? g_strdup("make -j2") : g_strdup_printf("make -j2 -C %s", folder_word);
	read_database(place, folder, build, discovery);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}
