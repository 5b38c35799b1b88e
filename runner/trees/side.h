/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison on disk: checked out, built, and ready to run.
 *
 *     <cache>/builds/<key>/tree   checkout + build, made once per (tree, submodules, command, flags, compiler)
 *     <campaign>/<arena>/<name>   a copy for this campaign, where the benchmarks run; each layout has its own, and a
 *                                 name that tells neither side nor layout (runner/trees/arena.h)
 *
 * The layout of a program is where its functions lie in memory, which changes their speed. Layout 0 is what the build
 * makes by itself; for layouts 1, 2, ... the build is asked to let ld.lld shuffle the functions with that seed. Each is
 * built from nothing and copied for itself.
 *
 * Benchmarks run in the copy, so what they write below their working folder does not reach the next check, nor the next
 * run (runner/runstate.h). What a build wrote down as absolute path (an RPATH, a libtool wrapper) still leads into the
 * cached tree, which nobody may write to, and which is looked after like the copy. */
#pragma once

#include "core/finding.h"
#include "core/git/repo.h"
#include "model/toolchain.h"
#include "runner/config/config.h"
#include "runner/trees/arena.h"
#include "runner/trees/basechoice.h"
#include "runner/trees/buildcache.h"
#include "runner/trees/treestate.h"

typedef struct {
	const char *name; /* "base" or "head" */
	char *tree_dir;   /* the campaign's copy */
	Arena *arena;     /* in which it lies, and each of its runs gets a folder; borrowed */
	guint layout;     /* 0 = as the build links it, n = functions shuffled with seed n */
	char *build_dir;  /* the cached tree it was copied from */
	char *log;        /* of the compilers of that build (runner/compilers/compilerlog.h) */
	char *key;        /* of the build in the cache */
	TreeSeal *seal;   /* what the build was when it was made */
	/* both trees as runs find them; NULL = they are not looked after */
	TreeState *state, *build_state;
	gboolean cached; /* the build was there already */
	int lock;        /* shared lock on the build, held until side_clear() */
} Side;

void side_clear(Side *side);

/* Told what is going on, one line at a time. */
typedef void (*ProgressFn)(gpointer data, const char *text);

typedef struct {
	Repo *repo;
	const Config *config;   /* how this side is built: the side's own, like its makefiles */
	char *const *pass_env;  /* what builds may see: the policy's, never the head's own choice */
	gboolean privileges;    /* programs of the build may gain privileges: likewise */
	Arena *arena;           /* where the copy goes */
	BuildCache *cache;      /* where builds are kept */
	const char *compiler;   /* version line, part of the cache key */
	guint layout;           /* as in Side; up to 99 */
	const char *links_tree; /* SHA of the tree whose links may stay wherever they lead, base's; NULL = none may */
	FindingList *findings;
	ProgressFn progress;
	gpointer progress_data;
} SidePlan;

/* Checks out and builds `choice` as side `name` ("base" or "head"), unless that was done before. Errors:
 * FIREBREAK_ERROR_BUILD with the end of the build's output, FIREBREAK_ERROR_POLICY for links that lead out of the tree
 * (runner/trees/treelinks.h), FIREBREAK_ERROR_STORAGE, and those of core/git/repo.h. */
gboolean side_build(const SidePlan *plan, const char *name, const Choice *choice, Side *side, GError **error);
/* The same once more, from nothing, for a build that was damaged. */
gboolean side_rebuild(const SidePlan *plan, const char *name, const Choice *choice, Side *side, GError **error);
/* Makes the copy that runs, and compares both with what was built: *difference is the first path that differs, NULL if
 * none does; owned by the caller. To be called when all builds of a check have been made, for each can write to the
 * others; where one differs, none of the copies can be believed. */
gboolean side_copy(Side *side, char **difference, GError **error);
/* TRUE if the linker can shuffle functions (ld.lld 13 or newer is there); else FIREBREAK_ERROR_ENVIRONMENT that says
 * what to install. */
gboolean side_can_shuffle(GError **error);

/* Looks at the program of a benchmark in the trees of `n` sides: is it optimised, does it have frame pointers and debug
 * information? What is missing becomes a finding, one for all sides that lack the same; frame pointers are not missed
 * where stacks are unwound without them. Two sides whose compilers or options differ are the finding
 * `compilers_differ`. Sets facts[i] to what the program of side i says of its build, NULL if nothing; owned by the
 * caller. `facts` may be NULL. */
void side_inspect(const Side *const *sides, guint n, const ConfigBenchmark *benchmark, ProgramFacts **facts,
        FindingList *findings);
/* Do the layouts of one side differ? A build that ignores the flags is the finding `layouts_ignored`, a program whose
 * functions cannot be seen `layouts_unchecked`. Fewer than two layouts are fine. */
void side_check_layouts(const Side *layouts, guint n, const ConfigBenchmark *benchmark, FindingList *findings);

/* First line of `$CC --version` (default cc), "" if there is none. Owned by the caller. */
char *compiler_version(void);
/* $XDG_CACHE_HOME/firebreak or ~/.cache/firebreak; NULL if it cannot be made. Owned by the caller. */
char *default_cache_dir(void);
