/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text of a `.gitmodules` file: which submodules there are, under which name, path and URL.
 *
 * The file comes from the commit that is measured, so it is hostile: only `path` and `url` of `[submodule "name"]`
 * sections are taken, `include` and everything else is ignored, and a name or path that could point outside is refused.
 */
#pragma once

#include <glib.h>

/* One submodule. Path and name are relative, without `.`, `..` or `.git` components and control characters, and do not
 * start with `-`: fit to be used below the working tree and below `.git/modules`. The URL is hostile text. */
typedef struct {
	char *name, *path;
	char *url;        /* NULL if the file names none */
	char *commit_sha; /* as recorded in the tree; NULL as long as no tree has been asked */
} RepoSubmodule;

void repo_submodule_free(RepoSubmodule *submodule);

/* A GPtrArray of RepoSubmodule in the order of the file, those without a path left out. Errors: FIREBREAK_ERROR_USAGE
 * for what is no git configuration or names more than 1000, FIREBREAK_ERROR_POLICY for what points outside. */
GPtrArray *gitmodules_parse(const char *text, gsize length, GError **error);
