/* SPDX-License-Identifier: Apache-2.0 */
/* The builds of a project that were found, and the programs of them that measure something.
 *
 *     Discovery ── DiscoveredBuild (CMake in ".") ── DiscoveredProgram (bench/parse_bench)
 *               └─ remarks: what was not understood, one sentence each
 *
 * Paths are relative to the root of the project, with "/" between folders; "." is the root. Everything is owned by the
 * Discovery. Names and paths are foreign texts: escape them where they go. */
#pragma once

#include <glib.h>

typedef struct {
	char *name;       /* of the target, function or file */
	char *framework;  /* as firebreak.yml names it; NULL = none, or not known before it is built */
	char *program;    /* where the build leaves it */
	char **arguments; /* with which the project itself starts it; NULL = none */
	char *cwd;        /* folder in which it is started */
	char *build;      /* what builds it: words after the `build` of its DiscoveredBuild, or a command */
	char *reason;     /* why it is taken for a benchmark: "links google-benchmark" */
} DiscoveredProgram;

typedef struct {
	char *system;        /* "CMake", "Go", ... */
	char *folder;        /* in which its files lie */
	char *prepare;       /* shell lines that come first; NULL = none */
	char *build;         /* command that takes the `build` of all programs as arguments; NULL = each is a command */
	char *left;          /* folder that looking left in the tree, to be removed; NULL = none */
	GPtrArray *programs; /* of DiscoveredProgram */
} DiscoveredBuild;

typedef struct {
	GPtrArray *builds;  /* of DiscoveredBuild; each has programs */
	GPtrArray *remarks; /* of char *, not ending with a full stop */
	GPtrArray *looked;  /* of char *: what was looked at where nothing was found, one line each */
} Discovery;

Discovery *discovery_new(void);
void discovery_free(Discovery *discovery);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Discovery, discovery_free)
/* Adds a sentence about something that was not understood. */
void discovery_remark(Discovery *discovery, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Adds a line about a folder in which a build system has no benchmark: what was looked at, and why nothing came of it.
 */
void discovery_looked(Discovery *discovery, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Says what was looked at (such as "3 programs: a, b, c", from the noun and a GPtrArray of char *), and that none is
 * named like a benchmark; `besides` (may be NULL) says what would have been taken as well. */
void discovery_looked_at_names(Discovery *discovery, const DiscoveredBuild *build, const char *noun,
        const GPtrArray *names, const char *besides);

/* A build without programs. The texts are copied. Owned by the caller. */
DiscoveredBuild *discovered_build_new(const char *system, const char *folder);
void discovered_build_free(DiscoveredBuild *build);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiscoveredBuild, discovered_build_free)
/* Adds a program that is started without arguments in `cwd`. The texts are copied; `framework` may be NULL. Borrowed.
 */
DiscoveredProgram *discovered_build_add(
        DiscoveredBuild *build, const char *name, const char *program, const char *cwd, const char *framework);
/* Says what builds the program, and why it is taken for a benchmark; both are copied. */
void discovered_program_explain(DiscoveredProgram *program, const char *build, const char *reason);

/* The commands that build those of the programs that are in the set `kept` (NULL = all), one a line, with `set -e`
 * first if there are several. NULL if nothing has to be built. Owned by the caller. */
char *discovery_build_command(const Discovery *discovery, GHashTable *kept);
/* The same of one build, without the lines that come first. NULL if none of its programs is kept, or nothing is left to
 * do for them. Owned by the caller. */
char *discovered_build_programs(const DiscoveredBuild *build, GHashTable *kept);
/* The command that builds the first of the projects as a whole, where none of its benchmarks is known. NULL if there is
 * none. Owned by the caller. */
char *discovery_bare_command(const Discovery *discovery);
/* Argument vector that starts it in its folder: the program as seen from there, then its arguments. Owned by the
 * caller. */
char **discovered_program_command(const DiscoveredProgram *program);
/* A path as it is named in the folder `cwd`: "./x", "../build/x". Owned by the caller. */
char *discovery_seen_from(const char *cwd, const char *path);
/* `folder` and `name` as one path, without "./". Owned by the caller. */
char *discovery_path(const char *folder, const char *name);
/* A word for the shell: quoted if it has to be. Owned by the caller. */
char *discovery_quote(const char *word);
/* The same of a path, which begins with "./" if a tool would take it for an option. Owned by the caller. */
char *discovery_quote_path(const char *path);
/* A path as an argument: "./-x" for "-x", any other as it is. Owned by the caller. */
char *discovery_path_argument(const char *path);
/* A command in a folder: as it is in the root, else "(cd FOLDER && COMMAND)". Owned by the caller. */
char *discovery_command_in(const char *folder, const char *command);
/* A NULL-terminated argument vector as a line for the shell. Owned by the caller. */
char *discovery_quote_words(char *const *words);
