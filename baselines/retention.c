/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/retention.h"

#include "baselines/git/refdelete.h"
#include "baselines/git/storelock.h"
#include "baselines/remoterefs.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>

#define SYNC_PATIENCE_MS (10 * 60 * 1000)

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)

/* The store, or the remote, that is pruned. */
typedef struct {
	RefStore *refs;
	RemoteRefs *remote; /* NULL = this repository */
	const RetentionRules *rules;
	GHashTable *stored;    /* SHA of each commit with baselines -> its ref's value, hex; "" = damaged */
	GHashTable *kept;      /* SHAs, borrowed from `stored` */
	FindingList *findings; /* borrowed */
} Retention;

static void retention_clear(Retention *retention)
{
	g_clear_pointer(&retention->remote, remote_refs_free);
	g_clear_pointer(&retention->stored, g_hash_table_unref);
	g_clear_pointer(&retention->kept, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Retention, retention_clear)

void retention_result_clear(RetentionResult *result)
{
	g_clear_pointer(&result->commits, g_ptr_array_unref);
}

/* --- branches --- */

/* Tells where a branch of this repository is, its own and that of `origin`; the number found is returned. */
static guint local_tips(const Retention *retention, const char *branch, git_oid tips[2])
{
	static const char *const places[] = {"refs/heads/", "refs/remotes/origin/"};
	git_repository *git = repo_handle(ref_store_repo(retention->refs));
	guint n = 0;
	if (g_str_has_prefix(branch, "refs/"))
		return git_reference_name_to_id(&tips[0], git, branch) == 0 ? 1 : 0;
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *name = g_strconcat(places[i], branch, NULL);
		if (git_reference_name_to_id(&tips[n], git, name) == 0)
			n++;
	}
	return n;
}

/* Tells where it is in the remote, which must be in the clone: else its newest commits would count as of no branch. */
static gboolean remote_tip(
        const Retention *retention, const char *branch, git_oid tips[2], guint *n_tips, GError **error)
{
	g_autofree char *name = g_strconcat(g_str_has_prefix(branch, "refs/") ? "" : "refs/heads/", branch, NULL);
	g_autoptr(GError) cause = NULL;
	g_autofree char *value = remote_refs_value(retention->remote, name, &cause);
	*n_tips = value != NULL ? 1 : 0;
	if (cause != NULL) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	if (value == NULL)
		return TRUE;
	if (!repo_has_commit(ref_store_repo(retention->refs), value))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s of remote %s is at %.12s, which is not in this clone; run `git fetch %s` first", name,
		        retention->remote->name, value, retention->remote->name);
	return git_oid_fromstr(&tips[0], value) == 0;
}

static gboolean find_tips(const Retention *retention, const char *branch, git_oid tips[2], guint *n, GError **error)
{
	int valid = 0;
	g_autofree char *name = g_strconcat(g_str_has_prefix(branch, "refs/") ? "" : "refs/heads/", branch, NULL);
	*n = 0;
	/* the name goes to git as an argument */
	if (git_reference_name_is_valid(&valid, name) != 0 || !valid)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "'%s' is not the name of a branch", branch);
	if (retention->remote == NULL)
		*n = local_tips(retention, branch, tips);
	else if (!remote_tip(retention, branch, tips, n, error))
		return FALSE;
	if (*n > 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "there is no branch '%s'%s%s", branch,
	        retention->remote != NULL ? " in remote " : "",
	        retention->remote != NULL ? retention->remote->name : "");
}

/* --- what stays --- */

/* Keeps the newest commits with baselines that lead to `tips`. */
static gboolean keep_newest(const Retention *retention, const git_oid *tips, guint n_tips, GError **error)
{
	g_autoptr(git_revwalk) walk = NULL;
	git_oid id;
	char hex[GIT_OID_HEXSZ + 1];
	gpointer commit;
	guint n = 0;
	int rc = git_revwalk_new(&walk, repo_handle(ref_store_repo(retention->refs)));
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
	for (guint i = 0; rc == 0 && i < n_tips; i++)
		rc = git_revwalk_push(walk, &tips[i]);
	while (rc == 0 && n < retention->rules->keep && (rc = git_revwalk_next(&id, walk)) == 0) {
		git_oid_tostr(hex, sizeof hex, &id);
		if (!g_hash_table_lookup_extended(retention->stored, hex, &commit, NULL))
			continue;
		g_hash_table_add(retention->kept, commit);
		n++;
	}
	return rc == 0 || rc == GIT_ITEROVER ||
	       repo_set_error(error, FIREBREAK_ERROR_STORAGE, rc, "walking through the history");
}

static gboolean keep_branch(const Retention *retention, const char *branch, GError **error)
{
	git_oid tips[2];
	guint n_tips;
	return find_tips(retention, branch, tips, &n_tips, error) && keep_newest(retention, tips, n_tips, error);
}

/* The name of the default branch without its folders; owned by the caller. */
static char *default_branch(RefStore *refs)
{
	g_autofree char *full = repo_default_branch(ref_store_repo(refs));
	static const char *const places[] = {"refs/heads/", "refs/remotes/origin/"};
	for (gsize i = 0; full != NULL && i < G_N_ELEMENTS(places); i++)
		if (g_str_has_prefix(full, places[i]))
			return g_strdup(full + strlen(places[i]));
	return g_steal_pointer(&full);
}

static gboolean keep_branches(const Retention *retention, GError **error)
{
	const char *const *branches = retention->rules->branches;
	if (branches == NULL) {
		g_autofree char *branch = default_branch(retention->refs);
		return branch != NULL ? keep_branch(retention, branch, error)
		                      : firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		                                "the default branch is not known; name the branches to keep with "
		                                "--keep-branches");
	}
	for (; *branches != NULL; branches++) {
		if (!keep_branch(retention, *branches, error))
			return FALSE;
	}
	return TRUE;
}

/* A damaged ref stays, since nobody can tell what it was. */
static void note_damage(const Retention *retention, const char *commit, RetentionResult *result)
{
	gboolean remote = retention->remote != NULL;
	result->damaged++;
	finding_add(retention->findings, FINDING_ERROR, "baseline_corrupt", NULL, "%s%s %s",
	        ref_store_prefix(retention->refs), commit,
	        remote ? "is a symbolic ref in the remote and stays; `git symbolic-ref --delete` removes it there"
	               : "is damaged and stays; `firebreak baseline verify --set-aside` makes room");
}

/* SHAs of what no branch keeps, sorted, but for what is damaged. */
static GPtrArray *find_removable(const Retention *retention, RetentionResult *result)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	GPtrArray *commits = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer commit;
	g_hash_table_iter_init(&iter, retention->stored);
	while (g_hash_table_iter_next(&iter, &commit, NULL))
		if (!g_hash_table_contains(retention->kept, commit))
			g_ptr_array_add(sorted, commit);
	g_ptr_array_sort(sorted, text_order);
	for (guint i = 0; i < sorted->len; i++) {
		const char *value = g_hash_table_lookup(retention->stored, sorted->pdata[i]);
		if (*value == '\0')
			note_damage(retention, sorted->pdata[i], result);
		else
			g_ptr_array_add(commits, g_strdup(sorted->pdata[i]));
	}
	return commits;
}

/* --- removing --- */

/* Tells why refs stay; `why` is what the remote says, NULL if nothing. */
static void report_refused(const Retention *retention, guint n, const char *why)
{
	static const char changed[] = "somebody else changed them at the same time";
	if (n == 0)
		return;
	if (retention->remote != NULL)
		finding_add(retention->findings, FINDING_WARNING, "baseline_prune_refused", NULL,
		        "remote %s did not delete the baselines of %u commit%s: %s", retention->remote->name, n,
		        n == 1 ? "" : "s", why != NULL ? why : changed);
	else
		finding_add(retention->findings, FINDING_WARNING, "baseline_prune_refused", NULL,
		        "the baselines of %u commit%s stay: %s", n, n == 1 ? "" : "s", changed);
}

/* Takes the commits of `left`, an array of gboolean, out of those that are removed. */
static void leave(const GArray *left, RetentionResult *result)
{
	GPtrArray *removed = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < result->commits->len; i++)
		if (!g_array_index(left, gboolean, i))
			g_ptr_array_add(removed, g_strdup(result->commits->pdata[i]));
	result->refused = result->commits->len - removed->len;
	result->removed = removed->len;
	g_ptr_array_unref(result->commits);
	result->commits = removed;
}

static gboolean remove_from_remote(const Retention *retention, RetentionResult *result, GError **error)
{
	g_autoptr(GArray) items = g_array_new(FALSE, TRUE, sizeof(PushItem));
	g_autoptr(GArray) left = g_array_new(FALSE, TRUE, sizeof(gboolean));
	g_autofree char *why = NULL;
	for (guint i = 0; i < result->commits->len; i++) {
		PushItem item = {.commit = result->commits->pdata[i]};
		g_strlcpy(item.expected, g_hash_table_lookup(retention->stored, item.commit), sizeof item.expected);
		g_array_append_val(items, item);
	}
	for (guint from = 0; from < items->len; from += REMOTE_REFS_BATCH) {
		g_autofree char *reason = NULL;
		guint n = MIN(REMOTE_REFS_BATCH, items->len - from);
		if (!remote_refs_push(retention->remote, items, from, n, &reason, error))
			return FALSE;
		if (reason != NULL && why == NULL)
			why = g_steal_pointer(&reason);
	}
	for (guint i = 0; i < items->len; i++) {
		gboolean stays = g_array_index(items, PushItem, i).result != PUSH_DONE;
		g_array_append_val(left, stays);
	}
	leave(left, result);
	report_refused(retention, result->refused, why);
	return TRUE;
}

static gboolean remove_here(const Retention *retention, RetentionResult *result, GError **error)
{
	g_autoptr(GArray) deletions = g_array_new(FALSE, TRUE, sizeof(RefDeletion));
	g_autoptr(GArray) left = g_array_new(FALSE, TRUE, sizeof(gboolean));
	for (guint i = 0; i < result->commits->len; i++) {
		RefDeletion deletion = {.commit = result->commits->pdata[i]};
		g_strlcpy(
		        deletion.value, g_hash_table_lookup(retention->stored, deletion.commit), sizeof deletion.value);
		g_array_append_val(deletions, deletion);
	}
	if (!ref_delete_all(retention->refs, ref_store_prefix(retention->refs), deletions, error))
		return FALSE;
	for (guint i = 0; i < deletions->len; i++)
		g_array_append_val(left, g_array_index(deletions, RefDeletion, i).stays);
	leave(left, result);
	report_refused(retention, result->refused, NULL);
	return TRUE;
}

/* --- what there is --- */

/* Adds a commit and what its ref points to; "" for one that is damaged. */
static gboolean add_stored(RefStore *refs, const char *commit, GHashTable *stored, GError **error)
{
	git_oid tip;
	gboolean found;
	char hex[GIT_OID_HEXSZ + 1] = "";
	GError *cause = NULL;
	if (ref_store_tip(refs, commit, &tip, &found, &cause)) {
		if (!found)
			return TRUE;
		git_oid_tostr(hex, sizeof hex, &tip);
	} else if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	g_clear_error(&cause);
	g_hash_table_insert(stored, g_strdup(commit), g_strdup(hex));
	return TRUE;
}

/* The commits that have something stored in this repository. */
static GHashTable *stored_here(RefStore *refs, GError **error)
{
	g_autoptr(GPtrArray) commits = ref_store_commits(refs, error);
	g_autoptr(GHashTable) stored = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; commits != NULL && i < commits->len; i++)
		if (!add_stored(refs, commits->pdata[i], stored, error))
			return NULL;
	return commits != NULL ? g_steal_pointer(&stored) : NULL;
}

static gboolean open_retention(Retention *retention, GError **error)
{
	if (repo_is_shallow(ref_store_repo(retention->refs)))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "a shallow clone does not know which commits are on a branch; run `git fetch --unshallow` "
		        "first");
	if (retention->rules->remote != NULL) {
		retention->remote = remote_refs_open(retention->refs, retention->rules->remote, error);
		if (retention->remote == NULL)
			return FALSE;
		retention->stored = remote_refs_list(retention->remote, error);
	} else {
		retention->stored = stored_here(retention->refs, error);
	}
	retention->kept = g_hash_table_new(g_str_hash, g_str_equal);
	return retention->stored != NULL;
}

gboolean baseline_prune(BaselineStore *store, const RetentionRules *rules, FindingList *findings,
        RetentionResult *result, GError **error)
{
	g_auto(Retention) retention = {.refs = baseline_store_refs(store), .rules = rules, .findings = findings};
	const char *git_folder = repo_path_commondir(ref_store_repo(retention.refs));
	g_autoptr(StoreLock) lock = store_lock_acquire_sync(git_folder, SYNC_PATIENCE_MS, error);
	if (lock == NULL || !open_retention(&retention, error) || !keep_branches(&retention, error))
		return FALSE;
	result->commits = find_removable(&retention, result);
	result->removed = result->commits->len;
	result->kept = g_hash_table_size(retention.kept);
	/* A wrong name, or a branch that was never measured, would empty the whole store. */
	if (result->kept == 0 && result->removed > 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "no branch to keep has baselines, so those of all %u commits would be removed; name other "
		        "branches",
		        result->removed);
	result->dry_run = rules->dry_run;
	if (rules->dry_run || result->removed == 0)
		return TRUE;
	return retention.remote != NULL ? remove_from_remote(&retention, result, error)
	                                : remove_here(&retention, result, error);
}
