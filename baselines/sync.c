/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/sync.h"

#include "baselines/git/storelock.h"
#include "baselines/inventory.h"
#include "baselines/refwrite.h"
#include "baselines/remoterefs.h"
#include "core/cancel.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>

#define SYNC_PATIENCE_MS (10 * 60 * 1000)
#define MAX_REFUSALS 5
/* Writers that were refused together must not come back together, so pauses grow and are drawn at random. */
#define LONGEST_PAUSE_MS 2000

/* One exchange with a remote. */
typedef struct {
	BaselineStore *store;
	RefStore *refs;
	RemoteRefs *remote;
	StoreLock *lock;
	FindingList *findings;
	SyncCounts *counts;
} Sync;

static void sync_clear(Sync *sync)
{
	g_clear_pointer(&sync->remote, remote_refs_free);
	g_clear_pointer(&sync->lock, store_lock_release);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sync, sync_clear)

static gboolean sync_start(Sync *sync, const char *remote, GError **error)
{
	sync->refs = baseline_store_refs(sync->store);
	sync->remote = remote_refs_open(sync->refs, remote, error);
	if (sync->remote == NULL)
		return FALSE;
	const char *git_folder = repo_path_commondir(ref_store_repo(sync->refs));
	sync->lock = store_lock_acquire_sync(git_folder, SYNC_PATIENCE_MS, error);
	return sync->lock != NULL && incoming_refs_clear(sync->refs, error);
}

gboolean baseline_is_remote(BaselineStore *store, const char *name)
{
	return remote_refs_is_name(baseline_store_refs(store), name);
}

/* Finds the object that a ref points to in this repository, as hex; "" if there is no such ref. */
static gboolean local_tip(const Sync *sync, const char *commit, char hex[GIT_OID_HEXSZ + 1], GError **error)
{
	git_oid tip;
	gboolean found;
	if (!ref_store_tip(sync->refs, commit, &tip, &found, error))
		return FALSE;
	hex[0] = '\0';
	if (found)
		git_oid_tostr(hex, GIT_OID_HEXSZ + 1, &tip);
	return TRUE;
}

/* Damage of a commit is a finding; anything else is passed on. */
static gboolean take_damage(const Sync *sync, const char *commit, GError *cause, GError **error)
{
	if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	finding_add(sync->findings, FINDING_ERROR, "baseline_corrupt", NULL, "%.12s: %s", commit, cause->message);
	g_error_free(cause);
	return TRUE;
}

/* The same where a ref that cannot be read is one that differs from all others: *hex is "?". */
static gboolean local_value(const Sync *sync, const char *commit, char hex[GIT_OID_HEXSZ + 1], GError **error)
{
	GError *cause = NULL;
	if (local_tip(sync, commit, hex, &cause))
		return TRUE;
	g_strlcpy(hex, "?", GIT_OID_HEXSZ + 1);
	return take_damage(sync, commit, cause, error);
}

/* --- receiving --- */

/* Merges what was brought of a commit into the store; damage is a finding. */
static gboolean receive_commit(const Sync *sync, const char *commit, gboolean *changed, GError **error)
{
	git_oid tip;
	g_autoptr(GError) cause = NULL;
	guint n_before = finding_count(sync->findings);
	*changed = FALSE;
	if (!incoming_refs_tip(sync->refs, commit, &tip, error))
		return FALSE;
	if (!ref_store_merge(sync->refs, commit, &tip, sync->findings, changed, &cause)) {
		if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return FALSE;
		}
		finding_add(
		        sync->findings, FINDING_ERROR, "baseline_corrupt", NULL, "%.12s: %s", commit, cause->message);
	}
	if (finding_count(sync->findings) > n_before)
		sync->counts->damaged++;
	return TRUE;
}

/* Calls `receive` for each commit that one call of git brings. */
typedef gboolean (*ReceiveFunc)(const Sync *sync, const char *commit, gpointer data, GError **error);

static gboolean receive_batch(const Sync *sync, ReceiveFunc receive, gpointer data, GError **error)
{
	g_autoptr(GPtrArray) brought = incoming_refs_list(sync->refs, error);
	for (guint i = 0; brought != NULL && i < brought->len; i++) {
		if (!cancel_check(error) || !receive(sync, brought->pdata[i], data, error))
			return FALSE;
	}
	return brought != NULL && incoming_refs_clear(sync->refs, error);
}

/* git refuses every fetch into a repository that has a ref without an object: says so if that is why `cause`, which is
 * consumed, has come up. Returns FALSE. */
static gboolean explain(const Sync *sync, GError *cause, GError **error)
{
	g_autoptr(GPtrArray) commits = ref_store_commits(sync->refs, NULL);
	for (guint i = 0; commits != NULL && i < commits->len; i++) {
		g_autoptr(GError) damage = NULL;
		G_GNUC_UNUSED g_autoptr(RefSnapshot) snapshot =
		        ref_store_snapshot(sync->refs, commits->pdata[i], &damage);
		if (!g_error_matches(damage, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE))
			continue;
		g_error_free(cause);
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "git cannot fetch while a ref is damaged; run `firebreak baseline verify --set-aside` (%s)",
		        damage->message);
	}
	g_propagate_error(error, cause);
	return FALSE;
}

static gboolean receive_all(
        const Sync *sync, const GPtrArray *commits, ReceiveFunc receive, gpointer data, GError **error)
{
	for (guint from = 0; from < commits->len; from += REMOTE_REFS_BATCH) {
		guint n = MIN(REMOTE_REFS_BATCH, commits->len - from);
		GError *cause = NULL;
		if (!remote_refs_fetch(sync->remote, commits, from, n, &cause))
			return explain(sync, cause, error);
		if (!receive_batch(sync, receive, data, error))
			return FALSE;
	}
	return TRUE;
}

/* --- fetch --- */

/* `data` counts what the remote had. */
static gboolean take_one(const Sync *sync, const char *commit, gpointer data, GError **error)
{
	guint *n_found = data, n_damaged = sync->counts->damaged;
	gboolean changed;
	if (!receive_commit(sync, commit, &changed, error))
		return FALSE;
	(*n_found)++;
	if (changed)
		sync->counts->received++;
	else if (sync->counts->damaged == n_damaged)
		sync->counts->same++;
	return TRUE;
}

/* Reports a symbolic ref of the remote. It may point to anything there, so it is left alone. */
static void report_symbolic(const Sync *sync, const char *commit)
{
	sync->counts->damaged++;
	finding_add(sync->findings, FINDING_ERROR, "baseline_corrupt", NULL,
	        "remote %s: %s%s is a symbolic ref; it has to be removed there, with `git symbolic-ref --delete`",
	        sync->remote->name, ref_store_prefix(sync->refs), commit);
}

/* SHAs of the commits whose refs differ in the remote, sorted; counts the others. */
static GPtrArray *find_differing(const Sync *sync, GError **error)
{
	g_autoptr(GPtrArray) differing = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) theirs = remote_refs_list(sync->remote, error);
	GHashTableIter iter;
	gpointer commit, tip;
	if (theirs == NULL)
		return NULL;
	g_hash_table_iter_init(&iter, theirs);
	while (g_hash_table_iter_next(&iter, &commit, &tip)) {
		char ours[GIT_OID_HEXSZ + 1];
		if (!local_value(sync, commit, ours, error))
			return NULL;
		if (*(const char *)tip == '\0')
			report_symbolic(sync, commit);
		else if (g_str_equal(ours, tip))
			sync->counts->same++;
		else
			g_ptr_array_add(differing, g_strdup(commit));
	}
	g_ptr_array_sort(differing, text_order);
	return g_steal_pointer(&differing);
}

/* The commits as an array, each once. */
static GPtrArray *check_commits(const char *const *commits, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) checked = g_ptr_array_new_with_free_func(g_free);
	for (; *commits != NULL; commits++) {
		if (!ref_store_check_commit(*commits, error))
			return NULL;
		if (g_hash_table_add(seen, (gpointer)*commits))
			g_ptr_array_add(checked, g_strdup(*commits));
	}
	return g_steal_pointer(&checked);
}

gboolean baseline_fetch(BaselineStore *store, const char *remote, const char *const *commits, FindingList *findings,
        SyncCounts *counts, GError **error)
{
	g_auto(Sync) sync = {.store = store, .findings = findings, .counts = counts};
	guint n_found = 0;
	*counts = (SyncCounts){0};
	if (!sync_start(&sync, remote, error))
		return FALSE;
	g_autoptr(GPtrArray) wanted = commits != NULL ? check_commits(commits, error) : find_differing(&sync, error);
	if (wanted == NULL || !receive_all(&sync, wanted, take_one, &n_found, error))
		return FALSE;
	counts->missing = wanted->len - n_found;
	return TRUE;
}

/* --- push --- */

/* Commits that have still to get there. */
typedef struct {
	Sync *sync;
	GHashTable *refusals; /* "<commit> <value there>" -> how often it was refused, as a pointer */
	GPtrArray *pending;   /* SHAs */
	GHashTable *merging;  /* those of `pending` that differ there, to themselves */
	GArray *items;        /* of PushItem, whose commits `pending` owns; of this round */
	char *reason;         /* why the remote refused last, NULL if it did not */
} Push;

static void push_clear(Push *push)
{
	g_clear_pointer(&push->refusals, g_hash_table_unref);
	g_clear_pointer(&push->merging, g_hash_table_unref);
	g_clear_pointer(&push->pending, g_ptr_array_unref);
	g_clear_pointer(&push->items, g_array_unref);
	g_clear_pointer(&push->reason, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Push, push_clear)

/* Adds a commit to those of this round, if the value here is another one than `expected` there. */
static gboolean plan_item(Push *push, const char *commit, const char *expected, GError **error)
{
	PushItem item = {.commit = commit};
	gboolean ok = TRUE;
	g_strlcpy(item.expected, expected, sizeof item.expected);
	if (!local_value(push->sync, commit, item.tip, error) ||
	        !baseline_store_verify_commit(push->sync->store, commit, push->sync->findings, &ok, error))
		return FALSE;
	if (!ok)
		push->sync->counts->damaged++;
	else if (item.tip[0] != '\0' && !g_str_equal(item.tip, expected))
		g_array_append_val(push->items, item);
	return TRUE;
}

/* Merges what the remote has of a commit before its value is replaced; `data` is the Push. */
static gboolean merge_one(const Sync *sync, const char *commit, gpointer data, GError **error)
{
	Push *push = data;
	git_oid tip;
	gboolean changed;
	char theirs[GIT_OID_HEXSZ + 1];
	guint n_damaged = sync->counts->damaged;
	const char *name = g_hash_table_lookup(push->merging, commit);
	if (name == NULL)
		return TRUE;
	if (!incoming_refs_tip(sync->refs, commit, &tip, error) || !receive_commit(sync, commit, &changed, error))
		return FALSE;
	if (changed)
		sync->counts->received++;
	/* what is damaged there is not replaced by what is here: somebody has to look at it */
	if (sync->counts->damaged > n_damaged)
		return TRUE;
	return plan_item(push, name, git_oid_tostr(theirs, sizeof theirs, &tip), error);
}

/* Fills `items` with what this round has to change. */
static gboolean plan_round(Push *push, GError **error)
{
	Sync *sync = push->sync;
	g_autoptr(GPtrArray) to_merge = g_ptr_array_new();
	g_autoptr(GHashTable) theirs = remote_refs_list(sync->remote, error);
	g_array_set_size(push->items, 0);
	g_hash_table_remove_all(push->merging);
	for (guint i = 0; theirs != NULL && i < push->pending->len; i++) {
		char ours[GIT_OID_HEXSZ + 1];
		const char *commit = push->pending->pdata[i], *tip = g_hash_table_lookup(theirs, commit);
		if (!local_value(sync, commit, ours, error))
			return FALSE;
		if (tip == NULL && !plan_item(push, commit, "", error))
			return FALSE;
		if (tip != NULL && *tip == '\0') {
			report_symbolic(sync, commit);
		} else if (tip != NULL && g_str_equal(tip, ours)) {
			sync->counts->same++;
		} else if (tip != NULL) {
			g_ptr_array_add(to_merge, (gpointer)commit);
			g_hash_table_add(push->merging, (gpointer)commit);
		}
	}
	return theirs != NULL && receive_all(sync, to_merge, merge_one, push, error);
}

/* TRUE if the remote has refused a commit for the last time. While its value there changes, others are at work. */
static gboolean is_final_refusal(Push *push, const PushItem *item)
{
	char *key = g_strdup_printf("%s %s", item->commit, item->expected);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(push->refusals, key)) + 1;
	g_hash_table_replace(push->refusals, key, GUINT_TO_POINTER(n));
	return n >= MAX_REFUSALS;
}

/* Counts the results of a round; what is to be tried again becomes `pending`. */
static void take_results(Push *push)
{
	SyncCounts *counts = push->sync->counts;
	g_autoptr(GPtrArray) again = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < push->items->len; i++) {
		const PushItem *item = &g_array_index(push->items, PushItem, i);
		if (item->result == PUSH_DONE)
			counts->sent++;
		else if (item->result == PUSH_REFUSED && is_final_refusal(push, item))
			counts->refused++;
		else
			g_ptr_array_add(again, g_strdup(item->commit));
	}
	g_array_set_size(push->items, 0);
	g_ptr_array_unref(push->pending);
	push->pending = g_steal_pointer(&again);
}

static gboolean push_round(Push *push, GError **error)
{
	if (!plan_round(push, error))
		return FALSE;
	for (guint from = 0; from < push->items->len; from += REMOTE_REFS_BATCH) {
		guint n = MIN(REMOTE_REFS_BATCH, push->items->len - from);
		g_autofree char *reason = NULL;
		if (!remote_refs_push(push->sync->remote, push->items, from, n, &reason, error))
			return FALSE;
		if (reason != NULL) {
			g_free(push->reason);
			push->reason = g_steal_pointer(&reason);
		}
	}
	take_results(push);
	return TRUE;
}

static void report_refusal(const Push *push)
{
	guint n = push->sync->counts->refused;
	if (n > 0)
		finding_add(push->sync->findings, FINDING_WARNING, "baseline_push_refused", NULL,
		        "remote %s did not take the baselines of %u commit%s: %s; they are stored here only",
		        push->sync->remote->name, n, n == 1 ? "" : "s", push->reason);
}

/* A pause of random length, the longer the more rounds there have been. */
static void pause_before(guint round)
{
	gint32 most_ms = MIN(50 << MIN(round, 6u), LONGEST_PAUSE_MS);
	g_usleep((gulong)g_random_int_range(most_ms / 4, most_ms + 1) * 1000);
}

gboolean baseline_push(
        BaselineStore *store, const char *remote, FindingList *findings, SyncCounts *counts, GError **error)
{
	g_auto(Sync) sync = {.store = store, .findings = findings, .counts = counts};
	*counts = (SyncCounts){0};
	if (!sync_start(&sync, remote, error))
		return FALSE;
	g_auto(Push) push = {.sync = &sync,
	        .refusals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	        .merging = g_hash_table_new(g_str_hash, g_str_equal),
	        .pending = ref_store_commits(sync.refs, error),
	        .items = g_array_new(FALSE, FALSE, sizeof(PushItem))};
	gint64 deadline_us = g_get_monotonic_time() + (gint64)SYNC_PATIENCE_MS * 1000;
	for (guint round = 0; push.pending != NULL && push.pending->len > 0; round++) {
		if (round > 0)
			pause_before(round - 1);
		if (!cancel_check(error) || !push_round(&push, error))
			return FALSE;
		if (push.pending->len > 0 && g_get_monotonic_time() > deadline_us)
			return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE,
			        "remote %s: others kept changing the baselines of %u commits; push again later",
			        sync.remote->name, push.pending->len);
	}
	if (push.pending == NULL)
		return FALSE;
	report_refusal(&push);
	return TRUE;
}
