/* SPDX-License-Identifier: Apache-2.0 */
#include "core/git/repocheckout.h"

#include "core/error.h"
#include "core/git/gitcleanup.h"
#include "core/git/lfspointer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One descriptor is open for each. */
#define MAX_FOLDER_DEPTH 128
#define MAX_SUBMODULE_DEPTH 8
#define MAX_SUBMODULES 1000

/* --- one tree ---
 *
 * Written here and not by libgit2's own checkout: that one needs a working tree where there are submodules, reads
 * attributes, `.gitmodules` and what they include from it, and has the user's index in its hands. */

/* A folder that is being written: its tree, the entry that comes next, and where it goes. */
typedef struct {
	git_tree *tree;
	size_t next;
	int fd;
} Level;

typedef struct {
	Repo *repo;
	GPtrArray *levels; /* of Level, outermost first */
	guint lfs_pointers;
} Writer;

static void level_free(gpointer data)
{
	Level *level = data;
	git_tree_free(level->tree);
	if (level->fd >= 0)
		close(level->fd);
	g_free(level);
}

static gboolean make_empty_dir(const char *path, GError **error)
{
	struct stat info;
	if (g_mkdir_with_parents(path, 0777) != 0 || lstat(path, &info) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make folder %s", path);
	g_autoptr(GDir) dir = S_ISDIR(info.st_mode) ? g_dir_open(path, 0, NULL) : NULL;
	if (dir != NULL && g_dir_read_name(dir) == NULL)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "%s is not an empty folder", path);
	return FALSE;
}

static git_tree *lookup_tree(Repo *repo, const git_oid *oid, GError **error)
{
	git_tree *tree = NULL;
	int rc = git_tree_lookup(&tree, repo_handle(repo), oid);
	if (rc != 0)
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read tree %s", git_oid_tostr_s(oid));
	return tree;
}

static git_tree *lookup_tree_by_sha(Repo *repo, const char *sha, GError **error)
{
	git_oid oid;
	int rc = git_oid_fromstr(&oid, sha);
	if (rc == 0)
		return lookup_tree(repo, &oid, error);
	repo_set_error(error, FIREBREAK_ERROR_USAGE, rc, "\"%s\" is not a tree", sha);
	return NULL;
}

static gboolean system_error(GError **error, const char *name)
{
	return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot check out %s", name);
}

/* Git never makes such a name; a tree that has one was made to write somewhere else. */
static gboolean check_name(const char *name, GError **error)
{
	if (name[0] != '\0' && strchr(name, '/') == NULL && !g_str_equal(name, ".") && !g_str_equal(name, "..") &&
	        g_ascii_strcasecmp(name, ".git") != 0)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_POLICY,
	        "the tree has an entry with the forbidden name \"%s\"", name);
	return FALSE;
}

/* Goes into the folder `name` of `parent_fd`, and writes `tree`, which it takes, into it next. */
static gboolean enter(Writer *writer, git_tree *tree, int parent_fd, const char *name, GError **error)
{
	Level *level = g_new0(Level, 1);
	level->tree = tree;
	level->fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	g_ptr_array_add(writer->levels, level);
	return level->fd >= 0 || system_error(error, name);
}

static gboolean write_folder(Writer *writer, const git_oid *oid, int parent_fd, const char *name, GError **error)
{
	if (mkdirat(parent_fd, name, 0777) != 0)
		return system_error(error, name);
	if (writer->levels->len == MAX_FOLDER_DEPTH) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE, "folder %s is nested deeper than %d levels",
		        name, MAX_FOLDER_DEPTH);
		return FALSE;
	}
	git_tree *tree = lookup_tree(writer->repo, oid, error);
	return tree != NULL && enter(writer, tree, parent_fd, name, error);
}

/* A link that the tree itself made is never written through: some file systems take two names of a tree, which differ
 * in the case of letters, for one. */
static gboolean write_file(const git_blob *blob, int parent_fd, const char *name, mode_t mode)
{
	int fd = openat(parent_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return FALSE;
	FILE *file = fdopen(fd, "w");
	if (file == NULL) {
		close(fd);
		return FALSE;
	}
	size_t size = (size_t)git_blob_rawsize(blob);
	gboolean good = size == 0 || fwrite(git_blob_rawcontent(blob), 1, size, file) == size;
	return fclose(file) == 0 && good;
}

static gboolean write_link(const git_blob *blob, int parent_fd, const char *name)
{
	g_autofree char *target = g_strndup(git_blob_rawcontent(blob), (gsize)git_blob_rawsize(blob));
	return symlinkat(target == NULL ? "" : target, parent_fd, name) == 0;
}

static gboolean is_lfs_pointer(const git_blob *blob)
{
	return lfs_is_pointer(git_blob_rawcontent(blob), (gsize)git_blob_rawsize(blob));
}

static gboolean write_blob(Writer *writer, const git_tree_entry *entry, int parent_fd, GError **error)
{
	const char *name = git_tree_entry_name(entry);
	git_filemode_t mode = git_tree_entry_filemode(entry);
	g_autoptr(git_blob) blob = NULL;
	int rc = git_blob_lookup(&blob, repo_handle(writer->repo), git_tree_entry_id(entry));
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot check out %s", name);
	gboolean good = mode == GIT_FILEMODE_LINK
	                        ? write_link(blob, parent_fd, name)
	                        : write_file(blob, parent_fd, name, mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666);
	if (!good)
		return system_error(error, name);
	writer->lfs_pointers += mode != GIT_FILEMODE_LINK && is_lfs_pointer(blob);
	return TRUE;
}

static gboolean write_entry(Writer *writer, const git_tree_entry *entry, int parent_fd, GError **error)
{
	const char *name = git_tree_entry_name(entry);
	if (!check_name(name, error))
		return FALSE;
	switch (git_tree_entry_filemode(entry)) {
	case GIT_FILEMODE_TREE:
		return write_folder(writer, git_tree_entry_id(entry), parent_fd, name, error);
	case GIT_FILEMODE_COMMIT:
		return mkdirat(parent_fd, name, 0777) == 0 || system_error(error, name);
	default:
		return write_blob(writer, entry, parent_fd, error);
	}
}

/*  */
static gboolean write_levels(Writer *writer, GError **error)
{
	while (writer->levels->len > 0) {
		Level *level = writer->levels->pdata[writer->levels->len - 1];
		const git_tree_entry *entry = git_tree_entry_byindex(level->tree, level->next++);
		if (entry == NULL)
			g_ptr_array_set_size(writer->levels, (int)writer->levels->len - 1);
		else if (!write_entry(writer, entry, level->fd, error))
			return FALSE;
	}
	return TRUE;
}

gboolean repo_checkout_tree(
        Repo *repo, const char *tree_sha, const char *target_dir, guint *lfs_pointers, GError **error)
{
	g_autoptr(git_tree) tree = lookup_tree_by_sha(repo, tree_sha, error);
	if (tree == NULL || !make_empty_dir(target_dir, error))
		return FALSE;
	g_autoptr(GPtrArray) levels = g_ptr_array_new_with_free_func(level_free);
	Writer writer = {.repo = repo, .levels = levels};
	if (!enter(&writer, g_steal_pointer(&tree), AT_FDCWD, target_dir, error) || !write_levels(&writer, error)) {
		g_prefix_error(error, "tree %.12s: ", tree_sha);
		return FALSE;
	}
	if (lfs_pointers != NULL)
		*lfs_pointers += writer.lfs_pointers;
	return TRUE;
}

/* --- submodules --- */

/* The commit recorded under `path`, or NULL if there is no submodule there. */
static char *recorded_commit(const git_tree *tree, const char *path)
{
	g_autoptr(git_tree_entry) entry = NULL;
	if (git_tree_entry_bypath(&entry, tree, path) != 0 || git_tree_entry_filemode(entry) != GIT_FILEMODE_COMMIT)
		return NULL;
	return repo_oid_text(git_tree_entry_id(entry));
}

gboolean repo_submodules(Repo *repo, const char *tree_sha, GPtrArray **submodules, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	g_autoptr(git_tree) tree = lookup_tree_by_sha(repo, tree_sha, error);
	if (tree == NULL || !repo_read_tree_file(repo, tree_sha, ".gitmodules", &text, &length, error))
		return FALSE;
	g_autoptr(GPtrArray) found = gitmodules_parse(text == NULL ? "" : text, length, error);
	if (found == NULL)
		return FALSE;
	for (guint i = 0; i < found->len;) {
		RepoSubmodule *submodule = found->pdata[i];
		submodule->commit_sha = recorded_commit(tree, submodule->path);
		if (submodule->commit_sha == NULL)
			g_ptr_array_remove_index(found, i);
		else
			i++;
	}
	*submodules = g_steal_pointer(&found);
	return TRUE;
}

/* Opens a clone with `open` if it is there and has the commit, else NULL; *error is set only for one that is there and
 * cannot be opened. */
static Repo *open_clone(
        Repo *(*open)(const char *, GError **), const char *path, const char *commit_sha, GError **error)
{
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	g_autoptr(Repo) clone = open(path, error);
	return clone != NULL && repo_has_commit(clone, commit_sha) ? g_steal_pointer(&clone) : NULL;
}

/* Looks below the git folder of a linked working tree, below the common one, and for a clone in place. */
static Repo *find_clone(Repo *repo, const RepoSubmodule *submodule, GError **error)
{
	const char *sha = submodule->commit_sha, *workdir = repo_path_workdir(repo);
	g_autoptr(GError) problem = NULL;
	g_autofree char *own = g_build_filename(repo_path_gitdir(repo), "modules", submodule->name, NULL);
	g_autofree char *common = g_build_filename(repo_path_commondir(repo), "modules", submodule->name, NULL);
	g_autofree char *in_place = workdir == NULL ? NULL : g_build_filename(workdir, submodule->path, ".git", NULL);
	Repo *clone = open_clone(repo_open_gitdir, own, sha, &problem);
	if (clone == NULL && problem == NULL)
		clone = open_clone(repo_open_gitdir, common, sha, &problem);
	if (clone == NULL && problem == NULL && in_place != NULL)
		clone = open_clone(repo_open_exact, in_place, sha, &problem);
	if (problem != NULL)
		g_propagate_prefixed_error(error, g_steal_pointer(&problem), "submodule %s: ", submodule->path);
	return clone;
}

/* A tree that is checked out and whose submodules are not. */
typedef struct {
	Repo *repo; /* borrowed if depth is 0 */
	char *tree_sha;
	char *dir;  /* NULL = nothing is written */
	char *path; /* below the top, "" = the top */
	guint depth;
} Pending;

/* The way through all submodules. */
typedef struct {
	GPtrArray *queue;   /* of Pending */
	GPtrArray *missing; /* of char *: paths of those that are in no clone */
	guint lfs_pointers;
} Submodules;

static void pending_free(gpointer data)
{
	Pending *pending = data;
	if (pending->depth > 0)
		repo_free(pending->repo);
	g_free(pending->tree_sha);
	g_free(pending->dir);
	g_free(pending->path);
	g_free(pending);
}

/* Takes the clone. */
static gboolean checkout_submodule(
        Submodules *all, const Pending *parent, const RepoSubmodule *submodule, Repo *clone, GError **error)
{
	Pending *pending = g_new0(Pending, 1);
	pending->repo = clone;
	pending->depth = parent->depth + 1;
	pending->dir = parent->dir != NULL ? g_build_filename(parent->dir, submodule->path, NULL) : NULL;
	pending->path = g_build_filename(parent->path, submodule->path, NULL);
	g_ptr_array_add(all->queue, pending);
	return repo_commit_tree(clone, submodule->commit_sha, &pending->tree_sha, error) &&
	       (pending->dir == NULL ||
	               repo_checkout_tree(clone, pending->tree_sha, pending->dir, &all->lfs_pointers, error));
}

static gboolean visit_submodule(Submodules *all, const Pending *parent, const RepoSubmodule *submodule, GError **error)
{
	g_autoptr(GError) problem = NULL;
	Repo *clone = find_clone(parent->repo, submodule, &problem);
	if (clone != NULL)
		return checkout_submodule(all, parent, submodule, clone, error);
	if (problem != NULL) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return FALSE;
	}
	g_ptr_array_add(all->missing, g_build_filename(parent->path, submodule->path, NULL));
	return TRUE;
}

/* Visits the submodules of one tree; each that is there goes into the queue. */
static gboolean visit_level(Submodules *all, const Pending *parent, GError **error)
{
	g_autoptr(GPtrArray) submodules = NULL;
	if (!repo_submodules(parent->repo, parent->tree_sha, &submodules, error))
		return FALSE;
	if (submodules->len > 0 &&
	        (parent->depth == MAX_SUBMODULE_DEPTH || all->queue->len + submodules->len > MAX_SUBMODULES + 1)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "submodules are nested deeper than %d levels or more than %d", MAX_SUBMODULE_DEPTH,
		        MAX_SUBMODULES);
		return FALSE;
	}
	for (guint i = 0; i < submodules->len; i++)
		if (!visit_submodule(all, parent, submodules->pdata[i], error))
			return FALSE;
	return TRUE;
}

static gboolean visit_all(Submodules *all, Repo *repo, const char *tree_sha, const char *target_dir, GError **error)
{
	Pending *top = g_new0(Pending, 1);
	top->repo = repo;
	top->tree_sha = g_strdup(tree_sha);
	top->dir = g_strdup(target_dir);
	top->path = g_strdup("");
	g_ptr_array_add(all->queue, top);
	for (guint i = 0; i < all->queue->len; i++)
		if (!visit_level(all, all->queue->pdata[i], error))
			return FALSE;
	return TRUE;
}

gboolean repo_checkout_submodules(Repo *repo, const char *tree_sha, const char *target_dir, guint *n_submodules,
        guint *lfs_pointers, GError **error)
{
	g_autoptr(GPtrArray) queue = g_ptr_array_new_with_free_func(pending_free);
	g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
	Submodules all = {.queue = queue, .missing = missing};
	if (!visit_all(&all, repo, tree_sha, target_dir, error))
		return FALSE;
	if (n_submodules != NULL)
		*n_submodules += queue->len - 1;
	if (lfs_pointers != NULL)
		*lfs_pointers += all.lfs_pointers;
	return TRUE;
}

GPtrArray *repo_missing_submodules(Repo *repo, const char *tree_sha, GError **error)
{
	g_autoptr(GPtrArray) queue = g_ptr_array_new_with_free_func(pending_free);
	g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
	Submodules all = {.queue = queue, .missing = missing};
	return visit_all(&all, repo, tree_sha, NULL, error) ? g_steal_pointer(&missing) : NULL;
}

/* --- links --- */

typedef struct {
	const Pending *at;
	GHashTable *links;
	int failed; /* what libgit2 returned */
} LinkWalk;

static int note_link(const char *folder, const git_tree_entry *entry, void *data)
{
	LinkWalk *walk = data;
	g_autoptr(git_blob) blob = NULL;
	if (git_tree_entry_filemode(entry) != GIT_FILEMODE_LINK)
		return 0;
	walk->failed = git_blob_lookup(&blob, repo_handle(walk->at->repo), git_tree_entry_id(entry));
	if (walk->failed != 0)
		return -1;
	g_autofree char *below = g_strconcat(folder, git_tree_entry_name(entry), NULL);
	g_hash_table_insert(walk->links, g_build_filename(walk->at->path, below, NULL),
	        g_strndup(git_blob_rawcontent(blob), (gsize)git_blob_rawsize(blob)));
	return 0;
}

static gboolean note_links(const Pending *at, GHashTable *links, GError **error)
{
	LinkWalk walk = {.at = at, .links = links};
	g_autoptr(git_tree) tree = lookup_tree_by_sha(at->repo, at->tree_sha, error);
	if (tree == NULL)
		return FALSE;
	int rc = git_tree_walk(tree, GIT_TREEWALK_PRE, note_link, &walk);
	if (rc == 0)
		return TRUE;
	return repo_set_error(error, FIREBREAK_ERROR_STORAGE, walk.failed != 0 ? walk.failed : rc,
	        "cannot read the links of tree %.12s", at->tree_sha);
}

GHashTable *repo_tree_links(Repo *repo, const char *tree_sha, GError **error)
{
	g_autoptr(GPtrArray) queue = g_ptr_array_new_with_free_func(pending_free);
	g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) links = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	Submodules all = {.queue = queue, .missing = missing};
	if (!visit_all(&all, repo, tree_sha, NULL, error))
		return NULL;
	for (guint i = 0; i < queue->len; i++)
		if (!note_links(queue->pdata[i], links, error))
			return NULL;
	return g_steal_pointer(&links);
}
