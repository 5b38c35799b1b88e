/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/objectsync.h"

#include "baselines/git/objectread.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The objects that have still to be synced. */
typedef struct {
	git_repository *git;
	const char *folder;  /* of objects */
	GHashTable *seen;    /* object names in hex, owned, of all that were met */
	GPtrArray *trees;    /* those of `seen` that are trees nobody has looked into */
	GHashTable *folders; /* names of two digits, owned, of folders with files of objects */
	gboolean any_packed;
} Sync;

/* *found is FALSE if there is no such file; may be NULL where there must be one. */
static gboolean sync_path(const char *path, gboolean *found, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (found != NULL)
		*found = fd >= 0;
	if (fd < 0 && found != NULL && errno == ENOENT)
		return TRUE;
	gboolean ok = fd >= 0 && fsync(fd) == 0;
	int failed = errno;
	if (fd >= 0)
		close(fd);
	return ok || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, failed, "syncing %s", path);
}

/* Syncs the file of an object, once; *hex is its name, borrowed, NULL if it has been met before. */
static gboolean sync_object(Sync *sync, const git_oid *id, const char **hex, GError **error)
{
	char name[GIT_OID_HEXSZ + 1];
	gboolean found;
	git_oid_tostr(name, sizeof name, id);
	*hex = NULL;
	if (g_hash_table_contains(sync->seen, name))
		return TRUE;
	g_autofree char *path = g_strdup_printf("%s/%.2s/%s", sync->folder, name, name + 2);
	if (!sync_path(path, &found, error))
		return FALSE;
	if (found)
		g_hash_table_add(sync->folders, g_strndup(name, 2));
	else
		sync->any_packed = TRUE;
	char *own = g_strdup(name);
	g_hash_table_add(sync->seen, own);
	*hex = own;
	return TRUE;
}

static gboolean add_tree(Sync *sync, const git_oid *id, GError **error)
{
	const char *hex;
	if (!sync_object(sync, id, &hex, error))
		return FALSE;
	if (hex != NULL)
		g_ptr_array_add(sync->trees, (gpointer)hex);
	return TRUE;
}

static gboolean sync_entry(Sync *sync, const git_tree_entry *entry, GError **error)
{
	const char *hex;
	const git_oid *id = git_tree_entry_id(entry);
	switch (git_tree_entry_type(entry)) {
	case GIT_OBJECT_TREE:
		return add_tree(sync, id, error);
	case GIT_OBJECT_BLOB:
		return sync_object(sync, id, &hex, error);
	default:
		return TRUE;
	}
}

/* Damage is nothing that syncing could help; anything else is passed on. */
static gboolean pass_damage(GError *cause, GError **error)
{
	if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	g_error_free(cause);
	return TRUE;
}

static gboolean sync_entries(Sync *sync, const char *hex, GError **error)
{
	git_oid id;
	GError *cause = NULL;
	if (git_oid_fromstr(&id, hex) != 0)
		return TRUE;
	g_autoptr(git_tree) tree = object_read_tree(sync->git, &id, "folder", &cause);
	if (tree == NULL)
		return pass_damage(cause, error);
	for (size_t i = 0; i < git_tree_entrycount(tree); i++)
		if (!sync_entry(sync, git_tree_entry_byindex(tree, i), error))
			return FALSE;
	return TRUE;
}

/* The trees on the way to `path` in `root`, and what is there. */
static gboolean sync_on_the_way(Sync *sync, const git_tree *root, const char *path, GError **error)
{
	const char *hex;
	for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		g_autofree char *folder = g_strndup(path, (gsize)(slash - path));
		g_autoptr(git_tree_entry) tree = NULL;
		if (git_tree_entry_bypath(&tree, root, folder) != 0)
			return TRUE;
		if (!sync_object(sync, git_tree_entry_id(tree), &hex, error))
			return FALSE;
	}
	g_autoptr(git_tree_entry) entry = NULL;
	return git_tree_entry_bypath(&entry, root, path) != 0 || sync_entry(sync, entry, error);
}

/* The root tree, with what has been updated in it, or all of it. */
static gboolean sync_root(Sync *sync, const git_oid *id, const GArray *updates, GError **error)
{
	const char *hex;
	GError *cause = NULL;
	if (updates == NULL)
		return add_tree(sync, id, error);
	if (!sync_object(sync, id, &hex, error))
		return FALSE;
	g_autoptr(git_tree) root = object_read_tree(sync->git, id, "folder", &cause);
	if (root == NULL)
		return pass_damage(cause, error);
	for (guint i = 0; i < updates->len; i++)
		if (!sync_on_the_way(sync, root, g_array_index(updates, git_tree_update, i).path, error))
			return FALSE;
	return TRUE;
}

static gboolean sync_objects(Sync *sync, const git_oid *tip, const GArray *updates, GError **error)
{
	const char *hex;
	GError *cause = NULL;
	if (!sync_object(sync, tip, &hex, error))
		return FALSE;
	g_autoptr(git_commit) commit = object_read_commit(sync->git, tip, "commit", &cause);
	if (commit == NULL)
		return pass_damage(cause, error);
	if (!sync_root(sync, git_commit_tree_id(commit), updates, error))
		return FALSE;
	while (sync->trees->len > 0)
		if (!sync_entries(sync, g_ptr_array_steal_index_fast(sync->trees, sync->trees->len - 1), error))
			return FALSE;
	return TRUE;
}

static gboolean sync_folders(const Sync *sync, GError **error)
{
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, sync->folders);
	while (g_hash_table_iter_next(&iter, &name, NULL)) {
		g_autofree char *path = g_build_filename(sync->folder, name, NULL);
		gboolean found; /* not if a git has just packed what was in it */
		if (!sync_path(path, &found, error))
			return FALSE;
	}
	return sync_path(sync->folder, NULL, error);
}

/* All packs, as nothing tells in which one an object is; a pack that goes meanwhile has been packed anew. */
static gboolean sync_pack_files(const char *folder, GError **error)
{
	const char *name;
	gboolean found;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		if ((g_str_has_suffix(name, ".pack") || g_str_has_suffix(name, ".idx")) &&
		        !sync_path(path, &found, error))
			return FALSE;
	}
	return sync_path(folder, &found, error);
}

static gboolean sync_packs(const Sync *sync, PackWatch *packs, GError **error)
{
	struct stat now;
	g_autofree char *folder = g_build_filename(sync->folder, "pack", NULL);
	if (stat(folder, &now) != 0)
		return errno == ENOENT || firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", folder);
	if (memcmp(&now.st_mtim, &packs->changed, sizeof now.st_mtim) == 0)
		return TRUE;
	if (!sync_pack_files(folder, error))
		return FALSE;
	packs->changed = now.st_mtim;
	return TRUE;
}

gboolean object_sync(git_repository *git, const git_oid *tip, const GArray *updates, PackWatch *packs, GError **error)
{
	g_autofree char *folder = g_build_filename(git_repository_commondir(git), "objects", NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) trees = g_ptr_array_new();
	Sync sync = {.git = git, .folder = folder, .seen = seen, .trees = trees, .folders = folders};
	return sync_objects(&sync, tip, updates, error) && sync_folders(&sync, error) &&
	       (!sync.any_packed || sync_packs(&sync, packs, error));
}
