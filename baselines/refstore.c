#include "baselines/refstore.h"

#include "baselines/objectread.h"
#include "baselines/refmerge.h"
#include "baselines/store.h"
#include "baselines/storelock.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 60000
#define MAX_PREFIX_BYTES 200

struct RefStore {
	Repo *repo;
	git_repository *git; /* borrowed from repo */
	char *prefix;
	guint patience_ms;
};

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_treebuilder, git_treebuilder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_reference_iterator, git_reference_iterator_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_signature, git_signature_free)

/* --- the prefix --- */

/* Places to which git, or a host of repositories, gives a meaning. */
static const char *const taken_prefixes[] = {"refs/heads/", "refs/tags/", "refs/remotes/", "refs/notes/",
        "refs/replace/", "refs/pull/", "refs/merge-requests/", "refs/changes/", "refs/for/", "refs/worktree/",
        "refs/bisect/", "refs/rewritten/", "refs/stash/"};

static gboolean check_prefix(const char *prefix, GError **error)
{
	g_autofree char *example = g_strdup_printf("%s%040d", prefix, 0);
	gboolean ok = g_str_has_prefix(prefix, "refs/") && strlen(prefix) > strlen("refs/") &&
	              g_str_has_suffix(prefix, "/") && strlen(prefix) <= MAX_PREFIX_BYTES;
	int valid = 0;
	ok = ok && git_reference_name_is_valid(&valid, example) == 0 && valid != 0;
	for (gsize i = 0; ok && i < G_N_ELEMENTS(taken_prefixes); i++)
		ok = !g_str_has_prefix(prefix, taken_prefixes[i]);
	if (!ok)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
		        "'%s' cannot be the prefix of baselines; take one such as " BASELINE_STORE_PREFIX
		        " that ends with a slash and that git does not use itself",
		        prefix);
	return ok;
}

/* What the repository's configuration says; NULL with *error set if that cannot be read. Owned by the caller. */
static char *configured_prefix(git_repository *git, GError **error)
{
	git_config *config = NULL;
	const char *value = NULL;
	int rc = git_repository_config_snapshot(&config, git);
	if (rc == 0)
		rc = git_config_get_string(&value, config, "firebreak.prefix");
	char *prefix = g_strdup(rc == 0 ? value : BASELINE_STORE_PREFIX);
	git_config_free(config);
	if (rc == 0 || rc == GIT_ENOTFOUND)
		return prefix;
	g_free(prefix);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "reading the git configuration");
	return NULL;
}

RefStore *ref_store_open(const char *repo_path, const char *prefix, GError **error)
{
	g_autoptr(Repo) repo = repo_open(repo_path, error);
	if (repo == NULL)
		return NULL;
	g_autofree char *chosen = prefix != NULL ? g_strdup(prefix) : configured_prefix(repo_handle(repo), error);
	if (chosen == NULL || !check_prefix(chosen, error))
		return NULL;
	RefStore *store = g_new0(RefStore, 1);
	store->repo = g_steal_pointer(&repo);
	store->git = repo_handle(store->repo);
	store->prefix = g_steal_pointer(&chosen);
	store->patience_ms = PATIENCE_MS;
	return store;
}

void ref_store_free(RefStore *store)
{
	if (store == NULL)
		return;
	repo_free(store->repo);
	g_free(store->prefix);
	g_free(store);
}

void ref_store_set_patience(RefStore *store, guint patience_ms)
{
	store->patience_ms = patience_ms;
}

Repo *ref_store_repo(RefStore *store)
{
	return store->repo;
}

const char *ref_store_prefix(const RefStore *store)
{
	return store->prefix;
}

/* --- names --- */

gboolean ref_store_check_commit(const char *commit, GError **error)
{
	if (ref_name_is_hex(commit, 40))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE,
	        "'%s' is not the full SHA of a commit; only measurements of commits are stored", commit);
	return FALSE;
}

static char *ref_name_of(const RefStore *store, const char *commit, GError **error)
{
	return ref_store_check_commit(commit, error) ? g_strconcat(store->prefix, commit, NULL) : NULL;
}

static void add_commit(GHashTable *commits, const char *name)
{
	if (ref_name_is_hex(name, GIT_OID_HEXSZ))
		g_hash_table_add(commits, g_strdup(name));
}

/* Refs whose file holds no value are skipped by libgit2, but must be seen: they are damaged, not absent. */
static void add_files(const RefStore *store, GHashTable *commits)
{
	const char *name;
	g_autofree char *path = g_build_filename(repo_path_commondir(store->repo), store->prefix, NULL);
	g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
	while (folder != NULL && (name = g_dir_read_name(folder)) != NULL)
		add_commit(commits, name);
}

static GPtrArray *sorted_names(GHashTable *names)
{
	GPtrArray *list = g_ptr_array_new_full(g_hash_table_size(names), g_free);
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_ptr_array_add(list, g_strdup(name));
	g_ptr_array_sort(list, ref_name_compare);
	return list;
}

GPtrArray *ref_store_commits(RefStore *store, GError **error)
{
	g_autoptr(GHashTable) commits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(git_reference_iterator) iterator = NULL;
	g_autofree char *glob = g_strconcat(store->prefix, "*", NULL);
	const char *name;
	int rc = git_reference_iterator_glob_new(&iterator, store->git, glob);
	while (rc == 0 && (rc = git_reference_next_name(&name, iterator)) == 0)
		add_commit(commits, name + strlen(store->prefix));
	if (rc != GIT_ITEROVER) {
		repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "listing %s", glob);
		return NULL;
	}
	add_files(store, commits);
	return sorted_names(commits);
}

/* --- reading --- */

/* The id a ref points to; *found is FALSE if there is no such ref. */
static gboolean read_ref(RefStore *store, const char *ref_name, git_oid *tip, gboolean *found, GError **error)
{
	int rc = git_reference_name_to_id(tip, store->git, ref_name);
	*found = rc == 0;
	if (rc == 0 || rc == GIT_ENOTFOUND)
		return TRUE;
	return object_read_fail(error, ref_name);
}

gboolean ref_store_tip(RefStore *store, const char *commit, git_oid *tip, gboolean *found, GError **error)
{
	g_autofree char *ref_name = ref_name_of(store, commit, error);
	return ref_name != NULL && read_ref(store, ref_name, tip, found, error);
}

RefSnapshot *ref_store_snapshot(RefStore *store, const char *commit, GError **error)
{
	git_oid tip;
	gboolean found;
	g_autofree char *ref_name = ref_name_of(store, commit, error);
	if (ref_name == NULL || !read_ref(store, ref_name, &tip, &found, error) || !found)
		return NULL;
	return ref_snapshot_at(store->git, ref_name, &tip, error);
}

/* --- writing --- */

static gboolean sync_folder(const RefStore *store, const char *below)
{
	g_autofree char *path = g_build_filename(repo_path_commondir(store->repo), below, NULL);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	gboolean ok = fd >= 0 && fsync(fd) == 0;
	int saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return ok;
}

/* libgit2 syncs files and the folder they are in, but not the folder above a folder that it made. */
static gboolean sync_objects(const RefStore *store, GError **error)
{
	return sync_folder(store, "objects") ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing the object folder");
}

gboolean ref_store_sync_packs(RefStore *store, GError **error)
{
	return sync_folder(store, "objects/pack") ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing the folder of packs");
}

static gboolean sync_refs(const RefStore *store, GError **error)
{
	g_autofree char *folder = g_strdup(store->prefix);
	for (char *slash = strrchr(folder, '/'); slash != NULL; slash = strrchr(folder, '/')) {
		*slash = '\0';
		/* a concurrent pack-refs may remove an emptied folder: then the value is in packed-refs */
		if (!sync_folder(store, folder) && errno != ENOENT)
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing %s", folder);
	}
	return TRUE;
}

/* Sets the error for something that libgit2 has just failed to write. Returns FALSE. */
static gboolean fail_write(GError **error, const char *what)
{
	return repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "writing %s", what);
}

/* Writes a file and reads it back: an object that is there already is not written again, but may be damaged. */
static gboolean write_file(const RefStore *store, const char *name, const GString *content, git_oid *id, GError **error)
{
	if (git_blob_create_from_buffer(id, store->git, content->str, content->len) != 0)
		return fail_write(error, name);
	GString *back = object_read_blob(store->git, id, name, error);
	if (back == NULL)
		return FALSE;
	g_string_free(back, TRUE);
	return TRUE;
}

static gboolean add_file(
        const RefStore *store, git_treebuilder *builder, const char *name, const GString *content, GError **error)
{
	git_oid id;
	if (!write_file(store, name, content, &id, error))
		return FALSE;
	return git_treebuilder_insert(NULL, builder, name, &id, GIT_FILEMODE_BLOB) == 0 || fail_write(error, name);
}

static gboolean write_entry(const RefStore *store, const MeasurementText *text, git_oid *tree, GError **error)
{
	g_autoptr(git_treebuilder) builder = NULL;
	int rc = git_treebuilder_new(&builder, store->git, NULL);
	if (rc != 0)
		return fail_write(error, "a baseline");
	if (!add_file(store, builder, "manifest.json", text->manifest, error))
		return FALSE;
	if (text->stacks != NULL && !add_file(store, builder, "stacks", text->stacks, error))
		return FALSE;
	rc = git_treebuilder_write(tree, builder);
	return rc == 0 || fail_write(error, "a baseline");
}

/* What one change of a ref is about. */
typedef struct {
	RefStore *store;
	StoreLock *lock;
	const char *ref_name;
	const char *commit;
	gint64 time_s;
	GArray *updates;             /* of git_tree_update */
	const RefSnapshot *incoming; /* what to unite with, instead of updates; else NULL */
	FindingList *findings;
	gboolean changed;
} Write;

/* Reads the folders that the updates go into: git_tree_create_updated() would read a damaged one for ever. */
static gboolean check_folders(const Write *write, const GArray *updates, const RefSnapshot *snapshot, GError **error)
{
	for (guint i = 0; i < updates->len; i++) {
		const char *path = g_array_index(updates, git_tree_update, i).path;
		for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
			g_autofree char *folder = g_strndup(path, (gsize)(slash - path));
			GError *cause = NULL;
			g_autoptr(git_tree) tree = ref_snapshot_folder(snapshot, folder, &cause);
			if (cause != NULL) {
				g_propagate_prefixed_error(error, cause, "%s: ", write->ref_name);
				return FALSE;
			}
			if (tree == NULL)
				break;
		}
	}
	return TRUE;
}

/* The commit with the updates on top of `snapshot` (NULL: of nothing). */
static gboolean make_commit(
        const Write *write, const GArray *updates, const RefSnapshot *snapshot, git_oid *id, GError **error)
{
	g_autoptr(git_tree) tree = NULL;
	g_autoptr(git_signature) signature = NULL;
	g_autofree char *message = g_strdup_printf("firebreak baseline of %s\n", write->commit);
	git_oid tree_id;
	git_repository *git = write->store->git;
	if (snapshot != NULL && !check_folders(write, updates, snapshot, error))
		return FALSE;
	int rc = git_tree_create_updated(&tree_id, git, snapshot != NULL ? ref_snapshot_root(snapshot) : NULL,
	        updates->len, (const git_tree_update *)updates->data);
	if (rc == 0)
		rc = git_tree_lookup(&tree, git, &tree_id);
	if (rc == 0)
		rc = git_signature_new(&signature, "firebreak", "firebreak@localhost", write->time_s, 0);
	if (rc == 0)
		rc = git_commit_create(id, git, NULL, signature, signature, NULL, message, tree, 0, NULL);
	return rc == 0 || fail_write(error, write->ref_name);
}

/* The new value of the ref, whose old one is `snapshot` (NULL: there is none). *needed is FALSE if there is nothing to
 * be changed. */
static gboolean prepare(const Write *write, const RefSnapshot *snapshot, git_oid *id, gboolean *needed, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) merged = g_array_new(FALSE, TRUE, sizeof(git_tree_update));
	const GArray *updates = write->updates;
	if (write->incoming != NULL) {
		RefMerge merge = {write->commit, snapshot, write->incoming, write->findings};
		if (!ref_merge_updates(&merge, merged, paths, error))
			return FALSE;
		updates = merged;
	}
	gboolean earlier = write->incoming != NULL && snapshot != NULL && write->time_s < ref_snapshot_time(snapshot);
	*needed = updates->len > 0 || earlier;
	return !*needed || (make_commit(write, updates, snapshot, id, error) && sync_objects(write->store, error));
}

/* One attempt. *again is set if somebody else changed or holds the ref. */
static gboolean try_write(Write *write, gboolean *again, GError **error)
{
	RefStore *store = write->store;
	git_oid old, new;
	gboolean found, needed;
	g_autoptr(RefSnapshot) snapshot = NULL;
	g_autoptr(git_reference) ref = NULL;
	*again = FALSE;
	if (!read_ref(store, write->ref_name, &old, &found, error))
		return FALSE;
	if (found && (snapshot = ref_snapshot_at(store->git, write->ref_name, &old, error)) == NULL)
		return FALSE;
	if (!prepare(write, snapshot, &new, &needed, error))
		return FALSE;
	if (!needed || (found && git_oid_equal(&old, &new)))
		return TRUE;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, &new);
	if (!store_lock_announce(write->lock, write->ref_name, hex, error))
		return FALSE;
	int rc = git_reference_create_matching(
	        &ref, store->git, write->ref_name, &new, found, found ? &old : NULL, "firebreak: store");
	*again = rc == GIT_ELOCKED || rc == GIT_EMODIFIED || rc == GIT_EEXISTS || rc == GIT_ENOTFOUND;
	write->changed = rc == 0;
	return rc == 0 || fail_write(error, write->ref_name);
}

/* Attempts until it works, fails for good, or patience ends; removes a lock file that nobody is using any more. */
static gboolean write_patiently(Write *write, GError **error)
{
	RefStore *store = write->store;
	g_autofree char *lock_name = g_strconcat(write->ref_name, ".lock", NULL);
	g_autofree char *lock_path = g_build_filename(repo_path_commondir(store->repo), lock_name, NULL);
	gint64 deadline_us = g_get_monotonic_time() + (gint64)store->patience_ms * 1000;
	LockWatch watch = {0};
	for (guint attempt = 0;; attempt++) {
		g_autoptr(GError) cause = NULL;
		gboolean again;
		if (try_write(write, &again, &cause))
			return sync_refs(store, error);
		if (!again || g_get_monotonic_time() > deadline_us) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return FALSE;
		}
		if (lock_watch_is_stale(&watch, lock_path, store->patience_ms / 2))
			(void)unlink(lock_path);
		store_lock_pause(attempt);
	}
}

/* Changes the ref under the lock: all updates, whose objects are there, or none. Sets `ref_name` and `lock` itself. */
static gboolean write_locked(Write *write, GError **error)
{
	RefStore *store = write->store;
	g_autofree char *ref_name = ref_name_of(store, write->commit, error);
	if (ref_name == NULL)
		return FALSE;
	g_autoptr(StoreLock) lock = store_lock_acquire(repo_path_commondir(store->repo), store->patience_ms, error);
	if (lock == NULL)
		return FALSE;
	write->ref_name = ref_name;
	write->lock = lock;
	return write_patiently(write, error);
}

static void add_update(GArray *updates, const char *path, git_filemode_t mode, const git_oid *id)
{
	git_tree_update update = {.action = GIT_TREE_UPDATE_UPSERT, .id = *id, .filemode = mode, .path = path};
	g_array_append_val(updates, update);
}

gboolean ref_store_write(RefStore *store, const char *commit, const RefChanges *changes, gint64 time_s, GError **error)
{
	git_oid id;
	g_autoptr(GArray) updates = g_array_new(FALSE, TRUE, sizeof(git_tree_update));
	if (!ref_store_check_commit(commit, error))
		return FALSE;
	for (guint i = 0; changes->entries != NULL && i < changes->entries->len; i++) {
		const RefEntry *entry = &g_array_index(changes->entries, RefEntry, i);
		if (!write_entry(store, entry->text, &id, error))
			return FALSE;
		add_update(updates, entry->path, GIT_FILEMODE_TREE, &id);
	}
	for (guint i = 0; changes->files != NULL && i < changes->files->len; i++) {
		const RefFile *file = &g_array_index(changes->files, RefFile, i);
		if (!write_file(store, file->path, file->content, &id, error))
			return FALSE;
		add_update(updates, file->path, GIT_FILEMODE_BLOB, &id);
	}
	Write write = {.store = store, .commit = commit, .time_s = time_s, .updates = updates};
	return write_locked(&write, error);
}

/* The time that all clones give the ref's commit: that of the measured one, or, where that is not in the clone, of
 * whoever stored it first. */
static gboolean find_time(
        RefStore *store, const char *commit, const RefSnapshot *incoming, gint64 *time_s, GError **error)
{
	*time_s = ref_snapshot_time(incoming);
	if (repo_has_commit(store->repo, commit))
		return repo_commit_time(store->repo, commit, time_s, error);
	g_autoptr(GError) cause = NULL;
	g_autoptr(RefSnapshot) local = ref_store_snapshot(store, commit, &cause);
	if (local != NULL)
		*time_s = MIN(*time_s, ref_snapshot_time(local));
	return TRUE;
}

gboolean ref_store_merge(RefStore *store, const char *commit, const git_oid *incoming, FindingList *findings,
        gboolean *changed, GError **error)
{
	g_autoptr(RefSnapshot) snapshot = NULL;
	Write write = {.store = store, .commit = commit, .findings = findings};
	if (!ref_store_check_commit(commit, error) ||
	        (snapshot = ref_snapshot_at(store->git, commit, incoming, error)) == NULL ||
	        !find_time(store, commit, snapshot, &write.time_s, error))
		return FALSE;
	write.incoming = snapshot;
	if (!write_locked(&write, error))
		return FALSE;
	*changed = write.changed;
	return TRUE;
}

/* --- dropping --- */

/* The commit with what is sound in `snapshot`; *any is FALSE if nothing is. */
static gboolean make_sound_commit(Write *write, const RefSnapshot *snapshot, git_oid *id, gboolean *any, GError **error)
{
	write->incoming = snapshot;
	write->time_s = ref_snapshot_time(snapshot);
	return prepare(write, NULL, id, any, error);
}

/* Removes a ref that perhaps cannot be read: then it is a file whose content is none. */
static gboolean remove_ref(const Write *write, GError **error)
{
	RefStore *store = write->store;
	g_autofree char *path = g_build_filename(repo_path_commondir(store->repo), write->ref_name, NULL);
	int rc = git_reference_remove(store->git, write->ref_name);
	if (rc != 0 && rc != GIT_ENOTFOUND && unlink(path) != 0 && errno != ENOENT)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "removing %s", path);
	return sync_refs(store, error);
}

static gboolean replace_ref(const Write *write, const git_oid *old, const git_oid *new, GError **error)
{
	g_autoptr(git_reference) ref = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, new);
	if (!store_lock_announce(write->lock, write->ref_name, hex, error))
		return FALSE;
	int rc = git_reference_create_matching(
	        &ref, write->store->git, write->ref_name, new, TRUE, old, "firebreak: set damage aside");
	return rc == 0 ? sync_refs(write->store, error) : fail_write(error, write->ref_name);
}

gboolean ref_store_drop_damage(RefStore *store, const char *commit, FindingList *findings, GError **error)
{
	git_oid old, new;
	gboolean found = FALSE, any = FALSE;
	g_autoptr(RefSnapshot) snapshot = NULL;
	g_autofree char *ref_name = ref_name_of(store, commit, error);
	if (ref_name == NULL)
		return FALSE;
	g_autoptr(StoreLock) lock = store_lock_acquire(repo_path_commondir(store->repo), store->patience_ms, error);
	if (lock == NULL)
		return FALSE;
	Write write = {.store = store, .lock = lock, .ref_name = ref_name, .commit = commit, .findings = findings};
	if (read_ref(store, ref_name, &old, &found, NULL) && found)
		snapshot = ref_snapshot_at(store->git, ref_name, &old, NULL);
	if (snapshot != NULL && !make_sound_commit(&write, snapshot, &new, &any, error))
		return FALSE;
	return any ? replace_ref(&write, &old, &new, error) : remove_ref(&write, error);
}
