/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repooverlay.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"

#include <string.h>

void overlay_clear(Overlay *overlay)
{
	g_clear_pointer(&overlay->tree_sha, g_free);
	g_clear_pointer(&overlay->laid, g_ptr_array_unref);
	g_clear_pointer(&overlay->kept, g_ptr_array_unref);
}

/* The files of a tree as an index in memory, which no repository owns. */
static git_index *read_files(Repo *repo, const char *sha, GError **error)
{
	g_autoptr(git_tree) tree = repo_lookup_tree(repo_handle(repo), sha, error);
	g_autoptr(git_index) index = NULL;
	if (tree == NULL)
		return NULL;
	int rc = git_index_new(&index);
	if (rc == 0)
		rc = git_index_read_tree(index, tree);
	if (rc == 0)
		return g_steal_pointer(&index);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read tree %.12s", sha);
	return NULL;
}

static gboolean is_below(const char *file, const char *path)
{
	gsize length = strlen(path);
	return strncmp(file, path, length) == 0 && (file[length] == '\0' || file[length] == '/');
}

static gboolean is_named(const char *file, char *const *paths)
{
	for (; paths != NULL && *paths != NULL; paths++)
		if (is_below(file, *paths))
			return TRUE;
	return FALSE;
}

static gboolean is_same(const git_index_entry *a, const git_index_entry *b)
{
	return b != NULL && a->mode == b->mode && git_oid_equal(&a->id, &b->id);
}

/* TRUE if something is in the way of a file that is to be added: a folder of that name, or a file where one of its
 * folders would be. */
static gboolean is_in_the_way(git_index *index, const char *file)
{
	g_autofree char *folder = g_strconcat(file, "/", NULL), *parent = g_strdup(file);
	if (git_index_find_prefix(NULL, index, folder) == 0)
		return TRUE;
	for (char *slash = strrchr(parent, '/'); slash != NULL; slash = strrchr(parent, '/')) {
		*slash = '\0';
		if (git_index_get_bypath(index, parent, 0) != NULL)
			return TRUE;
	}
	return FALSE;
}

static gboolean is_replaced(const char *file, const char *const *patterns)
{
	g_autofree char *name = g_path_get_basename(file);
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (g_pattern_match_simple(*patterns, name))
			return TRUE;
	return FALSE;
}

/* The way through the files. */
typedef struct {
	const OverlayPlan *plan;
	git_index *onto, *from;
	Overlay *overlay;
} Laying;

static int lay_file(const Laying *laying, const git_index_entry *file)
{
	const git_index_entry *there = git_index_get_bypath(laying->onto, file->path, 0);
	if (is_same(file, there))
		return 0;
	const OverlayPlan *plan = laying->plan;
	gboolean differs = there != NULL && !is_replaced(file->path, plan->replaced);
	gboolean stays = plan->only_missing && (differs || is_in_the_way(laying->onto, file->path));
	g_ptr_array_add(stays ? laying->overlay->kept : laying->overlay->laid, g_strdup(file->path));
	return stays ? 0 : git_index_add(laying->onto, file);
}

static int lay_files(const Laying *laying)
{
	int rc = 0;
	for (gsize i = 0; rc == 0 && i < git_index_entrycount(laying->from); i++) {
		const git_index_entry *file = git_index_get_byindex(laying->from, i);
		if (is_named(file->path, laying->plan->paths))
			rc = lay_file(laying, file);
	}
	return rc;
}

/* TRUE if there is a file of that path, or a folder with something in it. */
static gboolean has_path(git_index *index, const char *path)
{
	g_autofree char *folder = g_strconcat(path, "/", NULL);
	return git_index_get_bypath(index, path, 0) != NULL || git_index_find_prefix(NULL, index, folder) == 0;
}

/* Paths that `from` has something at; of one that it lacks nothing is removed. Borrowed, but for the array. */
static GPtrArray *paths_of_from(const Laying *laying)
{
	GPtrArray *paths = g_ptr_array_new();
	for (char *const *path = laying->plan->paths; path != NULL && *path != NULL; path++)
		if (has_path(laying->from, *path))
			g_ptr_array_add(paths, *path);
	g_ptr_array_add(paths, NULL);
	return paths;
}

static int remove_others(const Laying *laying)
{
	g_autoptr(GPtrArray) paths = paths_of_from(laying);
	int rc = 0;
	for (gsize i = git_index_entrycount(laying->onto); rc == 0 && i > 0; i--) {
		const git_index_entry *file = git_index_get_byindex(laying->onto, i - 1);
		if (!is_named(file->path, (char *const *)paths->pdata) ||
		        git_index_get_bypath(laying->from, file->path, 0) != NULL)
			continue;
		g_autofree char *path = g_strdup(file->path);
		rc = git_index_remove(laying->onto, path, 0);
		g_ptr_array_add(laying->overlay->laid, g_steal_pointer(&path));
	}
	return rc;
}

gboolean repo_overlay(Repo *repo, const OverlayPlan *plan, Overlay *overlay, GError **error)
{
	g_autoptr(git_index) onto = read_files(repo, plan->onto, error);
	g_autoptr(git_index) from = onto != NULL ? read_files(repo, plan->from, error) : NULL;
	if (from == NULL)
		return FALSE;
	*overlay = (Overlay){
	        .laid = g_ptr_array_new_with_free_func(g_free),
	        .kept = g_ptr_array_new_with_free_func(g_free),
	};
	const Laying laying = {plan, onto, from, overlay};
	git_oid oid;
	int rc = plan->only_missing ? 0 : remove_others(&laying);
	if (rc == 0)
		rc = lay_files(&laying);
	if (rc == 0 && overlay->laid->len > 0)
		rc = git_index_write_tree_to(&oid, onto, repo_handle(repo));
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot lay files of tree %.12s over %.12s",
		        plan->from, plan->onto);
	overlay->tree_sha = overlay->laid->len > 0 ? repo_oid_text(&oid) : g_strdup(plan->onto);
	return TRUE;
}

gboolean repo_lacks_path(Repo *repo, const char *tree_sha, char *const *paths, const char **lacking, GError **error)
{
	g_autoptr(git_index) files = read_files(repo, tree_sha, error);
	if (files == NULL)
		return FALSE;
	*lacking = NULL;
	for (; *lacking == NULL && paths != NULL && *paths != NULL; paths++)
		if (!has_path(files, *paths))
			*lacking = *paths;
	return TRUE;
}
