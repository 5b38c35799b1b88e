/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/inventory.h"

#include "baselines/git/ancestry.h"
#include "baselines/manifest.h"
#include "baselines/storedentry.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void baseline_entry_free(BaselineEntry *entry)
{
	if (entry == NULL)
		return;
	g_free(entry->commit);
	g_free(entry->path);
	g_free(entry->fingerprint);
	g_free(entry->benchmark);
	g_strfreev(entry->engines);
	g_free(entry->problem);
	g_free(entry);
}

static void free_entry(gpointer data)
{
	baseline_entry_free(data);
}

/* Damage is part of an inventory; anything else ends it. */
static gboolean is_damage(const GError *error)
{
	return g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE);
}

/* Metrics are sorted by engine. */
static char **engines_of(const Measurement *measurement)
{
	g_autoptr(GPtrArray) engines = g_ptr_array_new();
	for (guint i = 0; i < measurement->metrics->len; i++) {
		const MetricSeries *series = measurement->metrics->pdata[i];
		if (engines->len == 0 || !g_str_equal(engines->pdata[engines->len - 1], series->engine->name))
			g_ptr_array_add(engines, (char *)series->engine->name);
	}
	g_ptr_array_add(engines, NULL);
	return g_strdupv((char **)engines->pdata);
}

/* An entry that knows its place only. */
static BaselineEntry *damaged_entry(const char *commit, const char *path, const char *problem)
{
	const char *slash = strchr(path, '/');
	BaselineEntry *entry = g_new0(BaselineEntry, 1);
	entry->commit = g_strdup(commit);
	entry->path = g_strdup(path);
	entry->fingerprint = slash != NULL ? g_strndup(path, (gsize)(slash - path)) : g_strdup("");
	entry->benchmark = g_strdup(slash != NULL ? slash + 1 : "");
	entry->engines = g_new0(char *, 1);
	entry->problem = g_strdup(problem);
	return entry;
}

static BaselineEntry *read_entry(const RefSnapshot *snapshot, const char *commit, const char *path, GError **error)
{
	g_auto(ManifestStacks) stacks = {0};
	g_autofree char *fingerprint = NULL;
	g_autoptr(StackTable) scratch = stack_table_new();
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, path, FALSE, error);
	if (text == NULL)
		return NULL;
	g_autoptr(Measurement) measurement = manifest_read(text->manifest, scratch, &stacks, &fingerprint, error);
	if (measurement == NULL || !stored_entry_check(measurement, fingerprint, commit, path, error))
		return NULL;
	BaselineEntry *entry = g_new0(BaselineEntry, 1);
	entry->commit = g_strdup(commit);
	entry->path = g_strdup(path);
	entry->fingerprint = g_steal_pointer(&fingerprint);
	entry->benchmark = g_strdup(measurement->benchmark);
	entry->engines = engines_of(measurement);
	entry->runs = measurement_n_runs(measurement);
	entry->size_bytes = text->manifest->len + stacks.size_bytes;
	return entry;
}

static gboolean list_entry(
        const RefSnapshot *snapshot, const char *commit, const char *path, GPtrArray *list, GError **error)
{
	g_autoptr(GError) cause = NULL;
	BaselineEntry *entry = read_entry(snapshot, commit, path, &cause);
	if (entry == NULL && cause != NULL && !is_damage(cause)) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	if (entry == NULL)
		entry = damaged_entry(
		        commit, path, cause != NULL ? cause->message : "damaged: the manifest is missing");
	g_ptr_array_add(list, entry);
	return TRUE;
}

/* --- A/A campaigns --- */

static BaselineEntry *campaigns_entry(const char *commit, const char *folder)
{
	const char *place = folder + strlen(REF_CALIBRATION_FOLDER "/");
	BaselineEntry *entry = damaged_entry(commit, place, NULL);
	g_free(entry->path);
	entry->path = g_strdup(folder);
	return entry;
}

/* True name and full fingerprint are those of the newest campaign. */
static gboolean name_campaigns(
        const RefSnapshot *snapshot, const char *newest_path, BaselineEntry *entry, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(Calibration) newest = stored_campaign_read(snapshot, entry->commit, newest_path, NULL, &cause);
	if (newest != NULL) {
		g_free(entry->benchmark);
		g_free(entry->fingerprint);
		entry->benchmark = g_strdup(newest->benchmark);
		entry->fingerprint = g_strdup(newest->fingerprint);
		return TRUE;
	}
	if (!is_damage(cause)) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	entry->problem = g_strdup(cause->message);
	return TRUE;
}

/* Adds an entry for each folder among the paths of campaigns, which are sorted, in each folder by time. */
static gboolean list_campaigns(
        const RefSnapshot *snapshot, const char *commit, const GPtrArray *paths, GPtrArray *list, GError **error)
{
	BaselineEntry *entry = NULL;
	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *folder = g_path_get_dirname(paths->pdata[i]);
		g_autofree char *next = i + 1 < paths->len ? g_path_get_dirname(paths->pdata[i + 1]) : NULL;
		if (entry == NULL) {
			entry = campaigns_entry(commit, folder);
			g_ptr_array_add(list, entry);
		}
		entry->campaigns++;
		if (g_strcmp0(folder, next) == 0)
			continue;
		if (!name_campaigns(snapshot, paths->pdata[i], entry, error))
			return FALSE;
		entry = NULL;
	}
	return TRUE;
}

/* --- commits --- */

/* The contents of a commit's ref; all NULL if it has gone meanwhile. */
typedef struct {
	RefSnapshot *snapshot;
	GPtrArray *paths;     /* of baselines */
	GPtrArray *campaigns; /* paths of A/A campaigns */
} Holdings;

static void holdings_clear(Holdings *holdings)
{
	g_clear_pointer(&holdings->snapshot, ref_snapshot_free);
	g_clear_pointer(&holdings->paths, g_ptr_array_unref);
	g_clear_pointer(&holdings->campaigns, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Holdings, holdings_clear)

static gboolean open_commit(RefStore *refs, const char *commit, Holdings *holdings, GError **error)
{
	GError *cause = NULL;
	holdings->snapshot = ref_store_snapshot(refs, commit, &cause);
	if (holdings->snapshot != NULL)
		holdings->paths = ref_snapshot_entries(holdings->snapshot, &cause);
	if (holdings->paths != NULL)
		holdings->campaigns = ref_snapshot_campaigns(holdings->snapshot, &cause);
	if (cause == NULL)
		return TRUE;
	g_propagate_error(error, cause);
	return FALSE;
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const BaselineEntry *x = *(BaselineEntry *const *)a, *y = *(BaselineEntry *const *)b;
	if ((x->campaigns > 0) != (y->campaigns > 0))
		return x->campaigns > 0 ? 1 : -1;
	int by_benchmark = strcmp(x->benchmark, y->benchmark);
	return by_benchmark != 0 ? by_benchmark : strcmp(x->path, y->path);
}

static gboolean list_commit(RefStore *refs, const char *commit, GPtrArray *list, GError **error)
{
	g_auto(Holdings) holdings = {0};
	g_autoptr(GError) cause = NULL;
	guint start = list->len;
	if (!open_commit(refs, commit, &holdings, &cause)) {
		if (is_damage(cause)) {
			g_ptr_array_add(list, damaged_entry(commit, "", cause->message));
			return TRUE;
		}
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	if (holdings.snapshot == NULL)
		return TRUE;
	for (guint i = 0; i < holdings.paths->len; i++) {
		if (!list_entry(holdings.snapshot, commit, holdings.paths->pdata[i], list, error))
			return FALSE;
	}
	if (!list_campaigns(holdings.snapshot, commit, holdings.campaigns, list, error))
		return FALSE;
	qsort(list->pdata + start, list->len - start, sizeof(gpointer), compare_entries);
	return TRUE;
}

GPtrArray *baseline_store_list(BaselineStore *store, GError **error)
{
	RefStore *refs = baseline_store_refs(store);
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_entry);
	g_autoptr(GPtrArray) commits = ref_store_commits(refs, error);
	if (commits == NULL || !ancestry_sort(ref_store_repo(refs), commits, error))
		return NULL;
	for (guint i = 0; i < commits->len; i++) {
		if (!list_commit(refs, commits->pdata[i], list, error))
			return NULL;
	}
	return g_steal_pointer(&list);
}

GPtrArray *baseline_store_list_commit(BaselineStore *store, const char *commit, GError **error)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_entry);
	if (!list_commit(baseline_store_refs(store), commit, list, error))
		return NULL;
	return g_steal_pointer(&list);
}

/* Turns damage into a finding; other errors are passed on. */
static gboolean take_damage(GError *cause, FindingList *findings, gboolean *ok, GError **error)
{
	if (!is_damage(cause)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	finding_add(findings, FINDING_ERROR, "baseline_corrupt", NULL, "%s", cause->message);
	g_error_free(cause);
	*ok = FALSE;
	return TRUE;
}

static gboolean verify_commit(RefStore *refs, const char *commit, FindingList *findings, gboolean *ok, GError **error)
{
	g_auto(Holdings) holdings = {0};
	GError *cause = NULL;
	if (!open_commit(refs, commit, &holdings, &cause))
		return take_damage(cause, findings, ok, error);
	for (guint i = 0; holdings.snapshot != NULL && i < holdings.paths->len; i++) {
		g_autoptr(StackTable) scratch = stack_table_new();
		g_autoptr(Measurement) measurement =
		        stored_entry_read(holdings.snapshot, commit, holdings.paths->pdata[i], scratch, &cause);
		if (measurement == NULL && !take_damage(g_steal_pointer(&cause), findings, ok, error))
			return FALSE;
	}
	for (guint i = 0; holdings.snapshot != NULL && i < holdings.campaigns->len; i++) {
		g_autoptr(Calibration) calibration =
		        stored_campaign_read(holdings.snapshot, commit, holdings.campaigns->pdata[i], NULL, &cause);
		if (calibration == NULL && !take_damage(g_steal_pointer(&cause), findings, ok, error))
			return FALSE;
	}
	return TRUE;
}

gboolean baseline_store_verify(BaselineStore *store, FindingList *findings, gboolean *ok, GError **error)
{
	RefStore *refs = baseline_store_refs(store);
	g_autoptr(GPtrArray) commits = ref_store_commits(refs, error);
	gboolean all_sound = TRUE;
	if (commits == NULL)
		return FALSE;
	for (guint i = 0; i < commits->len; i++) {
		if (!verify_commit(refs, commits->pdata[i], findings, &all_sound, error))
			return FALSE;
	}
	*ok = all_sound;
	return TRUE;
}

gboolean baseline_store_verify_commit(
        BaselineStore *store, const char *commit, FindingList *findings, gboolean *ok, GError **error)
{
	gboolean sound = TRUE;
	if (!verify_commit(baseline_store_refs(store), commit, findings, &sound, error))
		return FALSE;
	*ok = sound;
	return TRUE;
}
