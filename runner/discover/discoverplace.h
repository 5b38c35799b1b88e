/* SPDX-License-Identifier: Apache-2.0 */
/* Where a project is looked at: a checkout of what lies in its working tree, in a temporary folder, in which tools may
 * write as they like. They see the environment that builds see (runner/trees/hostenv.h), and reach no network: what
 * would be downloaded fails, and is said. */
#pragma once

#include "core/child.h"
#include "core/git/repo.h"
#include "core/jsontext.h"

typedef struct {
	char *tree;             /* the checkout, an absolute path */
	char **environment;     /* of builds */
	char **run_environment; /* of benchmarks */
	gpointer folder;        /* that it lies in, and goes with it; NULL = of the caller */
} DiscoverPlace;

/* Checks out the working tree as it is, with files that are not committed, in a temporary folder. Errors:
 * FIREBREAK_ERROR_STORAGE, FIREBREAK_ERROR_ENVIRONMENT, and those of core/git/repo.h. */
DiscoverPlace *discover_place_new(Repo *repo, GError **error);
/* The same in a folder of the caller's, which stays: for tests. `environment` is copied. */
DiscoverPlace *discover_place_at(const char *tree, char *const *environment);
/* Removes the temporary folder. */
void discover_place_free(DiscoverPlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiscoverPlace, discover_place_free)

/* An absolute path in the checkout. Owned by the caller. */
char *discover_file(const DiscoverPlace *place, const char *path);
/* TRUE if there is such a file or folder. */
gboolean discover_has(const DiscoverPlace *place, const char *path);
/* A folder for the build of the project in `folder`, in it: "build", or "build-bench" where there is one of that name.
 * Owned by the caller. */
char *discover_build_folder(const DiscoverPlace *place, const char *folder);
/* The text of a file of at most 4 MiB; NULL if it cannot be read. Owned by the caller. */
char *discover_text(const DiscoverPlace *place, const char *path);
/* The framework that a file uses, by hint_framework(); NULL if there is none, or the file cannot be read. */
const char *discover_framework(const DiscoverPlace *place, const char *path);
/* The path in the checkout of one that a tool names: "." for the checkout itself, NULL for a path elsewhere. Borrowed
 * from `path`. */
const char *discover_inside(const DiscoverPlace *place, const char *path);
/* The text of a key in what a tool wrote; "" if it has none. Borrowed. */
const char *discover_key(const json_t *object, const char *key);
/* Names of the folders in the root that may be projects of their own, sorted. A GPtrArray owned by the caller. */
GPtrArray *discover_folders(const DiscoverPlace *place);
/* Paths of the files in `folder` and below whose name matches the pattern (a glob), sorted; folders of versions, builds
 * and foreign code (.git, node_modules, vendor, third_party, ...) and those deeper than 6 are left out. At most 2000.
 */
GPtrArray *discover_list(const DiscoverPlace *place, const char *folder, const char *pattern);
/* The largest file of data (XML, JSON, text, ...) of at most 64 MiB in the project; NULL if there is none of 1 KiB or
 * more. Owned by the caller. */
char *discover_data_file(const DiscoverPlace *place);
/* TRUE for a folder that holds code of others. */
gboolean discover_is_foreign(const char *name);

/* Runs a tool of the build in `folder` for at most five minutes. NULL if it could not be run or failed, and then
 * *failure (may be NULL) is a line that says so; else what it wrote to standard output. Both are owned by the caller.
 * On cancellation *failure is set, too. */
char *discover_ask(const DiscoverPlace *place, const char *folder, const char *const *argv, char **failure);
/* "exited with 1: error: no x", of how a run ended and all that it wrote; with what to do if it wanted to download
 * something. Owned by the caller. */
char *discover_failure_text(const char *trouble, const char *output);
/* The line of a failed run that says most: the first error of a compiler, make or CMake, else the first that speaks of
 * an error, else the last. `text` is what it wrote. At most 200 characters; "" if there is none. Owned by the caller.
 */
char *discover_error_line(const char *text);
