#include "core/repocheckout.h"

#include "core/error.h"
#include "core/gitcleanup.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DEPTH 8
#define MAX_SUBMODULES 1000

/* A Git LFS pointer is a text of a few lines that starts like this; no larger file is one. */
#define LFS_PREFIX "version https://git-lfs.github.com/spec/"
#define LFS_MAX_BYTES 1024

/* --- one tree --- */

typedef struct {
	git_odb *odb;
	guint pointers;
} LfsCount;

static gboolean is_lfs_pointer(git_odb *odb, const git_oid *oid)
{
	size_t size = 0;
	git_object_t type;
	g_autoptr(git_odb_object) object = NULL;
	if (git_odb_read_header(&size, &type, odb, oid) != 0 || type != GIT_OBJECT_BLOB)
		return FALSE;
	if (size <= strlen(LFS_PREFIX) || size > LFS_MAX_BYTES || git_odb_read(&object, odb, oid) != 0)
		return FALSE;
	return memcmp(git_odb_object_data(object), LFS_PREFIX, strlen(LFS_PREFIX)) == 0;
}

/* Called for each file that is about to be written. */
static int count_lfs_pointer(git_checkout_notify_t why, const char *path, const git_diff_file *baseline,
        const git_diff_file *target, const git_diff_file *workdir, void *payload)
{
	LfsCount *count = payload;
	(void)why, (void)path, (void)baseline, (void)workdir;
	if (target != NULL && target->mode != GIT_FILEMODE_COMMIT && is_lfs_pointer(count->odb, &target->id))
		count->pointers++;
	return 0;
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

static git_tree *lookup_tree(Repo *repo, const char *sha, GError **error)
{
	git_oid oid;
	git_tree *tree = NULL;
	int rc = git_oid_fromstr(&oid, sha);
	if (rc == 0)
		rc = git_tree_lookup(&tree, repo_handle(repo), &oid);
	if (rc != 0)
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot read tree %s", sha);
	return tree;
}

/* Everything in the tree counts as new against an empty baseline, whatever HEAD and the user's index say. */
static int checkout(Repo *repo, git_tree *tree, const char *target_dir, LfsCount *count)
{
	g_autoptr(git_index) nothing = NULL;
	int rc = git_index_new(&nothing);
	if (rc != 0)
		return rc;
	git_checkout_options options;
	git_checkout_options_init(&options, GIT_CHECKOUT_OPTIONS_VERSION);
	options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DONT_UPDATE_INDEX | GIT_CHECKOUT_DONT_WRITE_INDEX;
	options.disable_filters = 1;
	options.baseline_index = nothing;
	options.target_directory = target_dir;
	options.notify_flags = GIT_CHECKOUT_NOTIFY_UPDATED;
	options.notify_cb = count_lfs_pointer;
	options.notify_payload = count;
	return git_checkout_tree(repo_handle(repo), (const git_object *)tree, &options);
}

gboolean repo_checkout_tree(
        Repo *repo, const char *tree_sha, const char *target_dir, guint *lfs_pointers, GError **error)
{
	g_autoptr(git_tree) tree = lookup_tree(repo, tree_sha, error);
	g_autoptr(git_odb) odb = NULL;
	if (tree == NULL || !make_empty_dir(target_dir, error))
		return FALSE;
	int rc = git_repository_odb(&odb, repo_handle(repo));
	LfsCount count = {.odb = odb};
	if (rc == 0)
		rc = checkout(repo, tree, target_dir, &count);
	if (rc != 0)
		return repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "cannot check out tree %.12s into %s",
		        tree_sha, target_dir);
	if (lfs_pointers != NULL)
		*lfs_pointers += count.pointers;
	return TRUE;
}

/* --- submodules --- */

/* The commit recorded under `path`, or NULL if there is no submodule there. */
static char *recorded_commit(const git_tree *tree, const char *path)
{
	g_autoptr(git_tree_entry) entry = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	if (git_tree_entry_bypath(&entry, tree, path) != 0 || git_tree_entry_filemode(entry) != GIT_FILEMODE_COMMIT)
		return NULL;
	return g_strdup(git_oid_tostr(hex, sizeof hex, git_tree_entry_id(entry)));
}

gboolean repo_submodules(Repo *repo, const char *tree_sha, GPtrArray **submodules, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;
	g_autoptr(git_tree) tree = lookup_tree(repo, tree_sha, error);
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

/* Opens the clone at `gitdir` if it is there and has the commit; else NULL, and *error only for a clone that is there
 * and cannot be opened. */
static Repo *open_clone(const char *path, const char *commit_sha, GError **error)
{
	if (!g_file_test(path, G_FILE_TEST_IS_DIR))
		return NULL;
	g_autoptr(Repo) clone = repo_open_exact(path, error);
	return clone != NULL && repo_has_commit(clone, commit_sha) ? g_steal_pointer(&clone) : NULL;
}

Repo *repo_open_submodule(Repo *repo, const RepoSubmodule *submodule, GError **error)
{
	const char *workdir = repo_path_workdir(repo);
	g_autofree char *own = g_build_filename(repo_path_gitdir(repo), "modules", submodule->name, NULL);
	g_autofree char *common = g_build_filename(repo_path_commondir(repo), "modules", submodule->name, NULL);
	g_autofree char *in_place = workdir == NULL ? NULL : g_build_filename(workdir, submodule->path, ".git", NULL);
	const char *candidates[] = {own, common, in_place};
	for (guint i = 0; i < G_N_ELEMENTS(candidates) && candidates[i] != NULL; i++) {
		g_autoptr(GError) problem = NULL;
		Repo *clone = open_clone(candidates[i], submodule->commit_sha, &problem);
		if (clone != NULL)
			return clone;
		if (problem != NULL) {
			g_propagate_error(error, g_steal_pointer(&problem));
			return NULL;
		}
	}
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "submodule %s: commit %s is not in its clone; run git submodule update --init --recursive (submodules: "
	        "recursive in actions/checkout, GIT_SUBMODULE_STRATEGY: recursive in GitLab)",
	        submodule->path, submodule->commit_sha);
	return NULL;
}

/* A tree that is checked out and whose submodules are not. */
typedef struct {
	Repo *repo; /* borrowed if depth is 0 */
	char *tree_sha, *dir;
	guint depth;
} Pending;

static void pending_free(gpointer data)
{
	Pending *pending = data;
	if (pending->depth > 0)
		repo_free(pending->repo);
	g_free(pending->tree_sha);
	g_free(pending->dir);
	g_free(pending);
}

static Pending *checkout_submodule(
        const Pending *parent, const RepoSubmodule *submodule, guint *lfs_pointers, GError **error)
{
	g_autoptr(Repo) clone = repo_open_submodule(parent->repo, submodule, error);
	g_autofree char *tree_sha = NULL;
	g_autofree char *dir = g_build_filename(parent->dir, submodule->path, NULL);
	if (clone == NULL || !repo_commit_tree(clone, submodule->commit_sha, &tree_sha, error) ||
	        !repo_checkout_tree(clone, tree_sha, dir, lfs_pointers, error))
		return NULL;
	Pending *pending = g_new0(Pending, 1);
	pending->repo = g_steal_pointer(&clone);
	pending->tree_sha = g_steal_pointer(&tree_sha);
	pending->dir = g_steal_pointer(&dir);
	pending->depth = parent->depth + 1;
	return pending;
}

/* Checks out the submodules of one tree and puts each into `queue`. */
static gboolean checkout_level(GPtrArray *queue, const Pending *parent, guint *lfs_pointers, GError **error)
{
	g_autoptr(GPtrArray) submodules = NULL;
	if (!repo_submodules(parent->repo, parent->tree_sha, &submodules, error))
		return FALSE;
	if (submodules->len > 0 && (parent->depth == MAX_DEPTH || queue->len + submodules->len > MAX_SUBMODULES + 1)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "submodules are nested deeper than %d levels or more than %d", MAX_DEPTH, MAX_SUBMODULES);
		return FALSE;
	}
	for (guint i = 0; i < submodules->len; i++) {
		Pending *pending = checkout_submodule(parent, submodules->pdata[i], lfs_pointers, error);
		if (pending == NULL)
			return FALSE;
		g_ptr_array_add(queue, pending);
	}
	return TRUE;
}

gboolean repo_checkout_submodules(Repo *repo, const char *tree_sha, const char *target_dir, guint *n_submodules,
        guint *lfs_pointers, GError **error)
{
	g_autoptr(GPtrArray) queue = g_ptr_array_new_with_free_func(pending_free);
	Pending *top = g_new0(Pending, 1);
	top->repo = repo;
	top->tree_sha = g_strdup(tree_sha);
	top->dir = g_strdup(target_dir);
	g_ptr_array_add(queue, top);
	for (guint i = 0; i < queue->len; i++)
		if (!checkout_level(queue, queue->pdata[i], lfs_pointers, error))
			return FALSE;
	if (n_submodules != NULL)
		*n_submodules += queue->len - 1;
	return TRUE;
}
