/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/trend.h"

#include "baselines/manifest.h"
#include "baselines/storedentry.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/git/repotags.h"

#include <string.h>

static void commit_free(gpointer data)
{
	TrendCommit *commit = data;
	g_free(commit->sha);
	g_free(commit->subject);
	g_free(commit);
}

static TrendCommit *commit_new(Repo *repo, const char *sha, guint distance, GError **error)
{
	TrendCommit *commit = g_new0(TrendCommit, 1);
	commit->sha = g_strdup(sha);
	commit->position = distance;
	if (repo_commit_subject(repo, sha, &commit->subject, error) &&
	        repo_commit_time(repo, sha, &commit->time_s, error))
		return commit;
	commit_free(commit);
	return NULL;
}

/* Turns the order from newest first to oldest first, and distances to head into positions from the oldest. */
static void turn_around(GPtrArray *commits)
{
	guint farthest = commits->len > 0 ? ((TrendCommit *)commits->pdata[commits->len - 1])->position : 0;
	for (guint i = 0; i < commits->len / 2; i++) {
		gpointer kept = commits->pdata[i];
		commits->pdata[i] = commits->pdata[commits->len - 1 - i];
		commits->pdata[commits->len - 1 - i] = kept;
	}
	for (guint i = 0; i < commits->len; i++) {
		TrendCommit *commit = commits->pdata[i];
		commit->position = farthest - commit->position;
	}
}

/* Adds the commit if it has a ref. */
static gboolean look_at(RefStore *refs, const char *sha, guint distance, GPtrArray *commits, GError **error)
{
	git_oid tip;
	gboolean found;
	if (!ref_store_tip(refs, sha, &tip, &found, error))
		return FALSE;
	TrendCommit *commit = found ? commit_new(ref_store_repo(refs), sha, distance, error) : NULL;
	if (commit != NULL)
		g_ptr_array_add(commits, commit);
	return !found || commit != NULL;
}

GPtrArray *trend_commits(BaselineStore *store, const TrendRequest *request, GError **error)
{
	RefStore *refs = baseline_store_refs(store);
	g_autoptr(GPtrArray) commits = g_ptr_array_new_with_free_func(commit_free);
	g_autofree char *sha = g_strdup(request->head);
	guint within = request->within > 0 ? request->within : TREND_MAX_COMMITS;
	for (guint distance = 0; sha != NULL && distance < within && commits->len < request->most; distance++)
		if (!look_at(refs, sha, distance, commits, error) || !repo_step_back(ref_store_repo(refs), &sha, error))
			return NULL;
	turn_around(commits);
	return g_steal_pointer(&commits);
}

/* --- measurements --- */

static Measurement *read_manifest(
        const RefSnapshot *snapshot, const TrendWanted *wanted, const char *path, GError **error)
{
	g_autofree char *fingerprint = NULL;
	g_autoptr(StackTable) scratch = stack_table_new();
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, path, FALSE, error);
	if (text == NULL)
		return NULL;
	g_autoptr(Measurement) measurement = manifest_read(text->manifest, scratch, NULL, &fingerprint, error);
	if (measurement == NULL || !stored_entry_check(measurement, fingerprint, wanted->commit, path, error)) {
		g_prefix_error(error, "baseline %.12s %s: ", wanted->commit, path);
		return NULL;
	}
	/* it has functions but no costs */
	g_clear_pointer(&measurement->profile, profile_free);
	return g_steal_pointer(&measurement);
}

static Measurement *read_one(const RefSnapshot *snapshot, const TrendWanted *wanted, const char *path, GError **error)
{
	if (!wanted->stacks)
		return read_manifest(snapshot, wanted, path, error);
	g_autoptr(StackTable) table = stack_table_new();
	return stored_entry_read(snapshot, wanted->commit, path, table, error);
}

/* Damage becomes a finding; other errors are passed on. */
static gboolean take_damage(const TrendWanted *wanted, GError *cause, FindingList *findings, GError **error)
{
	if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	finding_add(findings, FINDING_WARNING, "baseline_corrupt", wanted->benchmark,
	        "a baseline in the store is left out: %s", cause->message);
	g_error_free(cause);
	return TRUE;
}

/* TRUE if a path is that of the benchmark. */
static gboolean is_of(const char *path, const char *file)
{
	const char *slash = strchr(path, '/');
	return file == NULL || (slash != NULL && g_str_equal(slash + 1, file));
}

GPtrArray *trend_measurements(BaselineStore *store, const TrendWanted *wanted, FindingList *findings, GError **error)
{
	GError *cause = NULL;
	g_autoptr(GPtrArray) measurements = g_ptr_array_new_with_free_func((GDestroyNotify)measurement_free);
	g_autofree char *file = wanted->benchmark != NULL ? escape_to_string(escape_filename, wanted->benchmark) : NULL;
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(baseline_store_refs(store), wanted->commit, &cause);
	g_autoptr(GPtrArray) paths = snapshot != NULL ? ref_snapshot_entries(snapshot, &cause) : NULL;
	if (cause != NULL && !take_damage(wanted, g_steal_pointer(&cause), findings, error))
		return NULL;
	for (guint i = 0; paths != NULL && i < paths->len; i++) {
		if (!is_of(paths->pdata[i], file))
			continue;
		Measurement *measurement = read_one(snapshot, wanted, paths->pdata[i], &cause);
		if (measurement != NULL)
			g_ptr_array_add(measurements, measurement);
		else if (cause != NULL && !take_damage(wanted, g_steal_pointer(&cause), findings, error))
			return NULL;
	}
	return g_steal_pointer(&measurements);
}
