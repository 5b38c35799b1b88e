/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/refwrite.h"

#include "baselines/damaged.h"
#include "baselines/git/objectread.h"
#include "baselines/git/objectsync.h"
#include "baselines/git/storelock.h"
#include "baselines/refmerge.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_treebuilder, git_treebuilder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_signature, git_signature_free)

static git_repository *git_of(const RefStore *store)
{
	return repo_handle(ref_store_repo(store));
}

/* Syncs a file or folder of the git folder. */
static gboolean sync_below(const RefStore *store, const char *below)
{
	g_autofree char *path = g_build_filename(repo_path_commondir(ref_store_repo(store)), below, NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && fsync(fd) == 0;
	int saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return ok;
}

gboolean ref_store_sync_packs(RefStore *store, GError **error)
{
	return sync_below(store, "objects/pack") ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing the folder of packs");
}

/* The value of a ref, wherever it is, and the folders above. Who wrote it may not have synced it. */
static gboolean sync_refs(const RefStore *store, const char *ref_name, GError **error)
{
	g_autofree char *place = g_strdup(ref_name);
	if (!sync_below(store, "packed-refs") && errno != ENOENT)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing packed-refs");
	do {
		/* a concurrent pack-refs may remove it, or an emptied folder: then the value is in packed-refs */
		if (!sync_below(store, place) && errno != ENOENT)
			return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing %s", place);
		*strrchr(place, '/') = '\0';
	} while (strchr(place, '/') != NULL);
	return sync_below(store, place) ||
	       firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "syncing %s", place);
}

/* Sets the error for something that libgit2 has just failed to write. Returns FALSE. */
static gboolean fail_write(GError **error, const char *what)
{
	return repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "writing %s", what);
}

/* Writes a file and reads it back: an object that is there already is not written again, but may be damaged. */
static gboolean write_file(const RefStore *store, const char *name, const GString *content, git_oid *id, GError **error)
{
	if (git_blob_create_from_buffer(id, git_of(store), content->str, content->len) != 0)
		return fail_write(error, name);
	GString *back = object_read_blob(git_of(store), id, name, error);
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
	int rc = git_treebuilder_new(&builder, git_of(store), NULL);
	if (rc != 0)
		return fail_write(error, "a baseline");
	if (!add_file(store, builder, "manifest.json", text->manifest, error))
		return FALSE;
	if (text->stacks != NULL && !add_file(store, builder, "stacks", text->stacks, error))
		return FALSE;
	rc = git_treebuilder_write(tree, builder);
	return rc == 0 || fail_write(error, "a baseline");
}

/* The data of one change of a ref. */
typedef struct {
	RefStore *store;
	StoreLock *lock;
	const char *ref_name;
	const char *commit;
	gint64 time_s;
	GArray *updates;             /* of git_tree_update */
	const RefSnapshot *incoming; /* what to unite with, instead of updates; else NULL */
	FindingList *findings;       /* NULL = nobody asks for them */
	DamageFolder *damage;        /* where what is damaged and gets replaced is kept */
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
	g_autofree char *message = g_strconcat(REF_SNAPSHOT_MESSAGE, write->commit, "\n", NULL);
	git_oid tree_id;
	git_repository *git = git_of(write->store);
	if (snapshot != NULL && !check_folders(write, updates, snapshot, error))
		return FALSE;
	int rc = git_tree_create_updated(&tree_id, git, snapshot != NULL ? ref_snapshot_root(snapshot) : NULL,
	        updates->len, (const git_tree_update *)updates->data);
	if (rc == 0)
		rc = git_tree_lookup(&tree, git, &tree_id);
	if (rc == 0)
		rc = git_signature_new(&signature, "firebreak", "firebreak@localhost", write->time_s, 0);
	if (rc == 0)
		/* Nothing of the commit is of this machine or this moment, and it has no parent: clones that hold the
		 * same have the same commit, and what was replaced is not kept for ever. */
		rc = git_commit_create(id, git, NULL, signature, signature, NULL, message, tree, 0, NULL);
	return rc == 0 || fail_write(error, write->ref_name);
}

/* The new value of the ref, whose old one is `snapshot` (NULL: there is none). *needed is FALSE if there is nothing to
 * be changed. */
static gboolean prepare(Write *write, const RefSnapshot *snapshot, git_oid *id, gboolean *needed, GError **error)
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
	if (!*needed)
		return TRUE;
	if (snapshot != NULL && !damage_keep_replaced(write->damage, snapshot, updates, write->findings, error))
		return FALSE;
	return make_commit(write, updates, snapshot, id, error) &&
	       object_sync(git_of(write->store), id, updates, ref_store_packs(write->store), error);
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
	if (!ref_store_tip(store, write->commit, &old, &found, error))
		return FALSE;
	if (found && (snapshot = ref_snapshot_at(git_of(store), write->ref_name, &old, error)) == NULL)
		return FALSE;
	if (!prepare(write, snapshot, &new, &needed, error))
		return FALSE;
	if (!needed || (found && git_oid_equal(&old, &new)))
		/* All is there already, but whoever wrote it may have been killed before it was on the disk. */
		return !found || needed || object_sync(git_of(store), &old, NULL, ref_store_packs(store), error);
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, &new);
	if (!store_lock_announce(write->lock, write->ref_name, hex, error))
		return FALSE;
	int rc = git_reference_create_matching(
	        &ref, git_of(store), write->ref_name, &new, found, found ? &old : NULL, "firebreak: store");
	*again = rc == GIT_ELOCKED || rc == GIT_EMODIFIED || rc == GIT_EEXISTS || rc == GIT_ENOTFOUND;
	write->changed = rc == 0;
	return rc == 0 || fail_write(error, write->ref_name);
}

/* Attempts until it works, fails for good, or patience ends; removes a lock file that nobody is using any more. */
static gboolean write_patiently(Write *write, GError **error)
{
	RefStore *store = write->store;
	g_autofree char *lock_name = g_strconcat(write->ref_name, ".lock", NULL);
	g_autofree char *lock_path = g_build_filename(repo_path_commondir(ref_store_repo(store)), lock_name, NULL);
	gint64 deadline_us = g_get_monotonic_time() + (gint64)ref_store_patience(store) * 1000;
	LockWatch watch = {0};
	for (guint attempt = 0;; attempt++) {
		g_autoptr(GError) cause = NULL;
		gboolean again;
		if (try_write(write, &again, &cause))
			return sync_refs(store, write->ref_name, error);
		if (!again || g_get_monotonic_time() > deadline_us) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return FALSE;
		}
		if (lock_watch_is_stale(&watch, lock_path, ref_store_patience(store) / 2))
			(void)unlink(lock_path);
		store_lock_pause(attempt);
	}
}

/* Changes the ref under the lock: all updates, whose objects are there, or none. Sets `ref_name`, `lock` and `damage`
 * itself, which end with it. */
static gboolean write_locked(Write *write, GError **error)
{
	RefStore *store = write->store;
	g_autofree char *ref_name = ref_store_name(store, write->commit, error);
	if (ref_name == NULL)
		return FALSE;
	g_autoptr(StoreLock) lock =
	        store_lock_acquire(repo_path_commondir(ref_store_repo(store)), ref_store_patience(store), error);
	if (lock == NULL)
		return FALSE;
	write->ref_name = ref_name;
	write->lock = lock;
	g_auto(DamageFolder) damage = {.refs = store, .commit = write->commit};
	write->damage = &damage;
	gboolean written = write_patiently(write, error);
	write->ref_name = NULL;
	write->lock = NULL;
	write->damage = NULL;
	return written;
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
	Write write = {.store = store,
	        .commit = commit,
	        .time_s = time_s,
	        .updates = updates,
	        .findings = ref_store_findings(store)};
	GError *cause = NULL;
	if (write_locked(&write, &cause))
		return TRUE;
	if (g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE))
		firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "%s; `firebreak baseline verify --set-aside` makes room", cause->message);
	else
		g_propagate_error(error, g_steal_pointer(&cause));
	g_clear_error(&cause);
	return FALSE;
}

/* The time that all clones give the ref's commit: that of the measured one, or, where that is not in the clone, of
 * whoever stored it first. */
static gboolean find_time(
        RefStore *store, const char *commit, const RefSnapshot *incoming, gint64 *time_s, GError **error)
{
	*time_s = ref_snapshot_time(incoming);
	if (repo_has_commit(ref_store_repo(store), commit))
		return repo_commit_time(ref_store_repo(store), commit, time_s, error);
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
	        (snapshot = ref_snapshot_at(git_of(store), commit, incoming, error)) == NULL ||
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
	g_autofree char *path = g_build_filename(repo_path_commondir(ref_store_repo(store)), write->ref_name, NULL);
	int rc = git_reference_remove(git_of(store), write->ref_name);
	if (rc != 0 && rc != GIT_ENOTFOUND && unlink(path) != 0 && errno != ENOENT)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "removing %s", path);
	return sync_refs(store, write->ref_name, error);
}

static gboolean replace_ref(const Write *write, const git_oid *old, const git_oid *new, GError **error)
{
	g_autoptr(git_reference) ref = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, new);
	if (!store_lock_announce(write->lock, write->ref_name, hex, error))
		return FALSE;
	int rc = git_reference_create_matching(
	        &ref, git_of(write->store), write->ref_name, new, TRUE, old, "firebreak: set damage aside");
	return rc == 0 ? sync_refs(write->store, write->ref_name, error) : fail_write(error, write->ref_name);
}

gboolean ref_store_drop_damage(RefStore *store, const char *commit, FindingList *findings, GError **error)
{
	git_oid old, new;
	gboolean found = FALSE, any = FALSE;
	g_autoptr(RefSnapshot) snapshot = NULL;
	g_autofree char *ref_name = ref_store_name(store, commit, error);
	if (ref_name == NULL)
		return FALSE;
	g_autoptr(StoreLock) lock =
	        store_lock_acquire(repo_path_commondir(ref_store_repo(store)), ref_store_patience(store), error);
	if (lock == NULL)
		return FALSE;
	Write write = {.store = store, .lock = lock, .ref_name = ref_name, .commit = commit, .findings = findings};
	if (ref_store_tip(store, commit, &old, &found, NULL) && found)
		snapshot = ref_snapshot_at(git_of(store), ref_name, &old, NULL);
	if (snapshot != NULL && !make_sound_commit(&write, snapshot, &new, &any, error))
		return FALSE;
	return any ? replace_ref(&write, &old, &new, error) : remove_ref(&write, error);
}
