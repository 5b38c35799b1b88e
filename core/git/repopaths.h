/* SPDX-License-Identifier: Apache-2.0 */
/* Looks a path up in a tree of a repository, through libgit2. It tells a source file of the commit from one that its
 * build made; debug information names both. */
#pragma once

#include "core/git/repo.h"

typedef enum {
	TREE_PATH_ABSENT,       /* nothing, or no regular file */
	TREE_PATH_FILE,         /* a regular file of this tree */
	TREE_PATH_OF_SUBMODULE, /* at or below a submodule, which this tree does not look into */
} TreePath;

/* `path` is relative to the root of the tree, with `/` between folders and without "." and "..". Errors: those of
 * core/git/repo.h. */
gboolean repo_tree_path(Repo *repo, const char *tree_sha, const char *path, TreePath *what, GError **error);
/* TRUE if rules such as those of .gitignore hide the path, relative to the working tree, from git; whether anything is
 * there does not matter. FALSE also if that cannot be told. */
gboolean repo_path_is_ignored(Repo *repo, const char *path);
