/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repopaths.h"

#include <string.h>

#include "core/error.h"
#include "core/git/gitcleanup.h"

static TreePath kind_of(const git_tree_entry *entry)
{
	switch (git_tree_entry_filemode(entry)) {
	case GIT_FILEMODE_BLOB:
	case GIT_FILEMODE_BLOB_EXECUTABLE:
		return TREE_PATH_FILE;
	case GIT_FILEMODE_COMMIT:
		return TREE_PATH_OF_SUBMODULE;
	default:
		return TREE_PATH_ABSENT;
	}
}

/* The first `length` bytes of a path are a submodule. */
static gboolean is_submodule(const git_tree *tree, const char *path, gsize length)
{
	g_autofree char *folder = g_strndup(path, length);
	g_autoptr(git_tree_entry) entry = NULL;
	return git_tree_entry_bypath(&entry, tree, folder) == 0 &&
	       git_tree_entry_filemode(entry) == GIT_FILEMODE_COMMIT;
}

gboolean repo_tree_path(Repo *repo, const char *tree_sha, const char *path, TreePath *what, GError **error)
{
	g_autoptr(git_tree) tree = repo_lookup_tree(repo_handle(repo), tree_sha, error);
	g_autoptr(git_tree_entry) entry = NULL;
	*what = TREE_PATH_ABSENT;
	if (tree == NULL)
		return FALSE;
	int rc = git_tree_entry_bypath(&entry, tree, path);
	if (rc == 0) {
		*what = kind_of(entry);
		return TRUE;
	}
	if (rc != GIT_ENOTFOUND || repo_misses_object())
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot look up %s", path);
	for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		if (is_submodule(tree, path, (gsize)(slash - path)))
			*what = TREE_PATH_OF_SUBMODULE;
	return TRUE;
}

gboolean repo_path_is_ignored(Repo *repo, const char *path)
{
	int ignored = 0;
	return git_ignore_path_is_ignored(&ignored, repo_handle(repo), path) == 0 && ignored != 0;
}
