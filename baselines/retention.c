#include "baselines/retention.h"

#include "baselines/refdelete.h"
#include "baselines/remoterefs.h"
#include "baselines/storelock.h"
#include "core/error.h"

#include <string.h>

#define SYNC_PATIENCE_MS (10 * 60 * 1000)

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)

/* What is looked at. */
typedef struct {
	RefStore *refs;
	RemoteRefs *remote; /* NULL = this repository */
	const RetentionRules *rules;
	GHashTable *stored; /* SHA of each commit with baselines -> its ref's value; values may be NULL here */
	GHashTable *kept;   /* SHAs, borrowed from `stored` */
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

/* Where a branch of this repository is, its own and that of `origin`; the number found is returned. */
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

/* Where it is in the remote, which must be in the clone: else its newest commits would count as of no branch. */
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
		                                "it is not clear what the default branch is; name branches to keep");
	}
	for (; *branches != NULL; branches++) {
		if (!keep_branch(retention, *branches, error))
			return FALSE;
	}
	return TRUE;
}

static GPtrArray *find_removable(const Retention *retention)
{
	GPtrArray *commits = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer commit;
	g_hash_table_iter_init(&iter, retention->stored);
	while (g_hash_table_iter_next(&iter, &commit, NULL))
		if (!g_hash_table_contains(retention->kept, commit))
			g_ptr_array_add(commits, g_strdup(commit));
	g_ptr_array_sort(commits, ref_name_compare);
	return commits;
}

/* --- removing --- */

static gboolean remove_from_remote(
        const Retention *retention, FindingList *findings, RetentionResult *result, GError **error)
{
	g_autoptr(GArray) items = g_array_new(FALSE, TRUE, sizeof(PushItem));
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
	for (guint i = 0; i < items->len; i++)
		if (g_array_index(items, PushItem, i).result != PUSH_DONE)
			result->refused++;
	result->removed -= result->refused;
	if (result->refused > 0)
		finding_add(findings, FINDING_WARNING, "baseline_prune_refused", NULL,
		        "remote %s did not let go of the baselines of %u commit%s: %s", retention->remote->name,
		        result->refused, result->refused == 1 ? "" : "s",
		        why != NULL ? why : "others changed them meanwhile");
	return TRUE;
}

/* The commits stored here, to NULL. */
static GHashTable *stored_here(RefStore *refs, GError **error)
{
	g_autoptr(GPtrArray) commits = ref_store_commits(refs, error);
	if (commits == NULL)
		return NULL;
	GHashTable *stored = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < commits->len; i++)
		g_hash_table_insert(stored, g_strdup(commits->pdata[i]), NULL);
	return stored;
}

static gboolean open_retention(Retention *retention, GError **error)
{
	if (repo_is_shallow(ref_store_repo(retention->refs)))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "a shallow clone does not tell what is on a branch; run `git fetch --unshallow` first");
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
	g_auto(Retention) retention = {.refs = baseline_store_refs(store), .rules = rules};
	const char *git_folder = repo_path_commondir(ref_store_repo(retention.refs));
	g_autoptr(StoreLock) lock = store_lock_acquire_sync(git_folder, SYNC_PATIENCE_MS, error);
	if (lock == NULL || !open_retention(&retention, error) || !keep_branches(&retention, error))
		return FALSE;
	result->commits = find_removable(&retention);
	result->removed = result->commits->len;
	result->kept = g_hash_table_size(retention.kept);
	if (rules->dry_run || result->removed == 0)
		return TRUE;
	if (result->kept == 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "no kept branch has any baselines, so all of %u commits would go; name other branches",
		        result->removed);
	if (retention.remote != NULL)
		return remove_from_remote(&retention, findings, result, error);
	return ref_delete_all(retention.refs, ref_store_prefix(retention.refs), result->commits, error);
}
