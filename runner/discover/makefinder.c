/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/finders.h"
#include "runner/discover/sourcehints.h"

#include <string.h>

#define DATABASE "\n# Make data base"

/* The database of make */

static void target_free(gpointer data)
{
	MakeTarget *target = data;
	g_free(target->name);
	g_strfreev(target->prerequisites);
	g_free(target->commands);
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
	else if (*line == '\t') {
		char *longer = g_strconcat(target->commands != NULL ? target->commands : "", line, "\n", NULL);
		g_free(target->commands);
		target->commands = longer;
	}
}

GPtrArray *make_targets(const char *database)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func(target_free);
	/* lines with $(MAKE) are done also with -q, and what those print comes first */
	const char *own = g_strrstr(database, DATABASE);
	database = own != NULL ? own : database;
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

/* TRUE if its first word is a path below the folder: "./speed", "build/speed". */
static gboolean starts_program(const char *command)
{
	gsize word = strcspn(command, " \t");
	return word > 0 && *command != '/' && *command != '-' && memchr(command, '/', word) != NULL &&
	       memchr(command, '=', word) == NULL && !g_str_has_prefix(command, "./configure") &&
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

/* TRUE for a target that is linked by a rule for its kind, and has no recipe of its own: "speed: speed.o", or one that
 * only stands among what another target needs and is not there. */
static gboolean has_implicit_rule(const Reading *reading, const MakeTarget *target)
{
	static const char *const parts[] = {".o", ".obj", ".c", ".cc", ".cpp", ".cxx", ".a", NULL};
	for (char **one = target->prerequisites; *one != NULL; one++) {
		const char *suffix = strrchr(*one, '.');
		if (suffix != NULL && g_strv_contains(parts, suffix))
			return TRUE;
	}
	g_autofree char *path = discovery_path(reading->folder, target->name);
	return target->prerequisites[0] == NULL && !discover_has(reading->place, path);
}

/* TRUE if the recipe seems to write the target: it names it, or says with -o what it writes. One that does neither, as
 * in "run: speed\n\t./speed", would be done in every build. */
static gboolean makes_itself(const MakeTarget *target)
{
	static const char *const signs[] = {"$@", "$(@", "${@", "-o", "$(call", "$(eval", "$(LINK", "$(OUTPUT"};
	if (target->commands == NULL)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strstr(target->commands, signs[i]) != NULL)
			return TRUE;
	g_autofree char *base = g_path_get_basename(target->name), *name = g_regex_escape_string(base, -1);
	g_autofree char *word = g_strdup_printf("(?<![-\\w.]|\\./)%s(?![-\\w.])", name);
	return g_regex_match_simple(word, target->commands, G_REGEX_RAW, 0);
}

/* TRUE if making the target is to do something, like running a benchmark. */
static gboolean is_action(const MakeTarget *target)
{
	return target->recipe && (target->phony || !makes_itself(target));
}

/* TRUE for a file that can be a program: made, and without the suffix of anything else. */
static gboolean may_be_program(const Reading *reading, const MakeTarget *target)
{
	g_autofree char *base = g_path_get_basename(target->name),
	                *path = discovery_path(reading->folder, target->name);
	g_autofree char *file = discover_file(reading->place, path);
	return !target->phony && !is_action(target) && (target->recipe || has_implicit_rule(reading, target)) &&
	       (strchr(base, '.') == NULL || g_str_has_suffix(base, ".exe")) && !g_file_test(file, G_FILE_TEST_IS_DIR);
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

/* TRUE if a command line names the target after -o. */
static gboolean writes(const char *commands, const char *target)
{
	g_autofree char *name = g_regex_escape_string(target, -1);
	g_autofree char *option = g_strdup_printf("\\s-o\\s*(\\./)?%s(\\s|$)", name);
	return g_regex_match_simple(option, commands, G_REGEX_RAW, 0);
}

/* Adds the programs that a target such as `bench` would start. */
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
	if (found == 0 && !target->phony && writes(text != NULL ? text : "", target->name))
		add_program(reading, target->name, target->name, NULL, reason);
	else if (found == 0)
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

/* The words after -o in a recipe, but objects and those with variables. A GStrv owned by the caller. */
static char **written_by(const MakeTarget *target)
{
	g_autoptr(GStrvBuilder) outputs = g_strv_builder_new();
	g_auto(GStrv) words = g_strsplit_set(target->commands != NULL ? target->commands : "", " \t\n", -1);
	for (char **word = words; *word != NULL && word[1] != NULL; word++)
		if (g_str_equal(*word, "-o") && strpbrk(word[1], "$.") == NULL && *word[1] != '\0')
			g_strv_builder_add(outputs, word[1]);
	return g_strv_builder_end(outputs);
}

/* Adds a target that is a program, or the programs that its recipe writes if those have other names. */
static void add_target(const Reading *reading, const MakeTarget *target)
{
	g_autofree char *reason = g_strdup_printf("target %s, by its name", target->name);
	g_auto(GStrv) outputs = written_by(target);
	if (outputs[0] == NULL || g_strv_contains((const char *const *)outputs, target->name))
		add_program(reading, target->name, target->name, NULL, reason);
	else
		for (char **output = outputs; *output != NULL; output++)
			add_program(reading, *output, target->name, NULL, reason);
}

/* Adds programs that only stand among what a target needs: a pattern rule makes them. */
static void add_needed(const Reading *reading, const MakeTarget *target)
{
	for (char **name = target->prerequisites; *name != NULL; name++) {
		g_autofree char *base = g_path_get_basename(*name), *path = discovery_path(reading->folder, *name);
		if (strchr(base, '.') != NULL || !is_meant(path) || target_named(reading, *name) != NULL ||
		        discover_has(reading->place, path) || is_known(reading, *name))
			continue;
		g_autofree char *reason =
		        g_strdup_printf("%s, which target %s needs, by its name", *name, target->name);
		add_program(reading, *name, *name, NULL, reason);
	}
}

static void read_targets(const Reading *reading)
{
	/* what a phony target starts, it starts with the arguments that it needs: first */
	for (guint i = 0; i < reading->targets->len; i++) {
		const MakeTarget *target = g_ptr_array_index(reading->targets, i);
		if (is_action(target) && is_meant(target->name))
			add_phony(reading, target);
	}
	for (guint i = 0; i < reading->targets->len; i++) {
		const MakeTarget *target = g_ptr_array_index(reading->targets, i);
		g_autofree char *path = discovery_path(reading->folder, target->name);
		if (!may_be_program(reading, target) || !is_meant(path) || is_known(reading, target->name))
			continue;
		add_target(reading, target);
	}
	for (guint i = 0; i < reading->targets->len; i++)
		add_needed(reading, g_ptr_array_index(reading->targets, i));
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
	guint remarks = discovery->remarks->len;
	read_targets(&reading);
	if (build->programs->len == 0 && discovery->remarks->len == remarks)
		discovery_looked(discovery,
		        "Make in %s: %u targets; none is named like a benchmark (bench, perf, speed); `make -qp` lists "
		        "them",
		        folder, targets->len);
}

static gboolean has_one(const DiscoverPlace *place, const char *folder, const char *const *names)
{
	for (; *names != NULL; names++) {
		g_autofree char *path = discovery_path(folder, *names);
		if (discover_has(place, path))
			return TRUE;
	}
	return FALSE;
}

/* The commands that write the Makefile, one a line; NULL if it is there. *known is FALSE if there is none and nothing
 * that could write it. Where it comes from Automake (a Makefile.am), the finder of Autotools has looked. Owned by the
 * caller. */
static char *configure_lines(const DiscoverPlace *place, const char *folder, gboolean *known)
{
	static const char *const makefiles[] = {"GNUmakefile", "makefile", "Makefile", NULL};
	static const char *const configures[] = {"configure", NULL}, *const ins[] = {"Makefile.in", NULL};
	static const char *const sources[] = {"configure.ac", "configure.in", NULL};
	*known = TRUE;
	if (has_one(place, folder, makefiles))
		return NULL;
	if (has_one(place, folder, configures))
		return g_strdup("./configure");
	*known = has_one(place, folder, ins) && has_one(place, folder, sources);
	/* not one line: `set -e` passes over what fails before && */
	return *known ? g_strdup("autoreconf -fi\n./configure") : NULL;
}

/* The commands of configure_lines() in the folder. Owned by the caller. */
static char *prepare_lines(const char *folder, const char *configure)
{
	g_auto(GStrv) lines = g_strsplit(configure, "\n", -1);
	g_autofree char *joined = g_strjoinv(" && ", lines);
	return g_str_equal(folder, ".") ? g_strdup(configure) : discovery_command_in(folder, joined);
}

gboolean find_make(const DiscoverPlace *place, const char *folder, Discovery *discovery)
{
	gboolean known;
	g_autofree char *configure = configure_lines(place, folder, &known);
	if (!known)
		return FALSE;
	const char *argv[] = {"/bin/sh", "-ec", configure, NULL};
	g_autofree char *failure = NULL;
	g_autofree char *out = configure != NULL ? discover_ask(place, folder, argv, &failure) : g_strdup("");
	g_autoptr(DiscoveredBuild) build = discovered_build_new("Make", folder);
	build->prepare = configure != NULL ? prepare_lines(folder, configure) : NULL;
	g_autofree char *folder_word = discovery_quote(folder);
	build->build = g_str_equal(folder, ".") ? g_strdup("make -j2") : g_strdup_printf("make -j2 -C %s", folder_word);
	if (out != NULL)
		read_database(place, folder, build, discovery);
	else
		discovery_remark(discovery, "Make in %s: its Makefile has to be made, and %s", folder, failure);
	g_ptr_array_add(discovery->builds, g_steal_pointer(&build));
	return TRUE;
}
