/* What a path is in a tree of a repository, through libgit2: whether a source file that debug information names is part
 * of the commit at all, or was made by its build. */
#pragma once

#include "core/repo.h"

typedef enum {
	TREE_PATH_ABSENT,       /* nothing, or no regular file */
	TREE_PATH_FILE,         /* a regular file of this tree */
	TREE_PATH_OF_SUBMODULE, /* at or below a submodule, which this tree does not look into */
} TreePath;

/* `path` is relative to the root of the tree, with `/` between folders and without "." and "..". Errors: those of
 * core/repo.h. */
gboolean repo_tree_path(Repo *repo, const char *tree_sha, const char *path, TreePath *what, GError **error);
