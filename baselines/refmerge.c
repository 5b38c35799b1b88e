/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/refmerge.h"

#include "baselines/manifest.h"
#include "baselines/storedentry.h"
#include "core/error.h"

/* The properties that decide between two entries of one place. */
typedef struct {
	git_oid id;
	git_filemode_t mode;
	gboolean is_sound;
	guint version, runs;
} Weight;

typedef struct {
	const RefMerge *merge;
	GArray *updates;
	GPtrArray *paths;
} Union;

/* Reads an item of a snapshot with every check there is; sets version and runs. */
typedef gboolean (*WeighFunc)(
        const RefSnapshot *snapshot, const char *commit, const char *path, Weight *weight, GError **error);

/* --- how much an item weighs --- */

static gboolean weigh_entry(
        const RefSnapshot *snapshot, const char *commit, const char *path, Weight *weight, GError **error)
{
	GError *cause = NULL;
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, path, FALSE, &cause);
	if (cause != NULL) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	if (text == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "damaged: the manifest is missing");
	if (!manifest_version(text->manifest, &weight->version, error))
		return FALSE;
	if (weight->version > MANIFEST_VERSION)
		return TRUE;
	g_autoptr(StackTable) scratch = stack_table_new();
	g_autoptr(Measurement) measurement = stored_entry_read(snapshot, commit, path, scratch, error);
	if (measurement == NULL)
		return FALSE;
	weight->runs = measurement_n_runs(measurement);
	return TRUE;
}

/* The name of a campaign has the hash of its text: two that differ cannot both be sound. */
static gboolean weigh_campaign(
        const RefSnapshot *snapshot, const char *commit, const char *path, G_GNUC_UNUSED Weight *weight, GError **error)
{
	g_autoptr(Calibration) campaign = stored_campaign_read(snapshot, commit, path, NULL, error);
	return campaign != NULL;
}

/* Nothing is known about it but its name. */
static gboolean weigh_unknown(G_GNUC_UNUSED const RefSnapshot *snapshot, G_GNUC_UNUSED const char *commit,
        G_GNUC_UNUSED const char *path, G_GNUC_UNUSED Weight *weight, G_GNUC_UNUSED GError **error)
{
	return TRUE;
}

static gboolean is_heavier(const Weight *a, const Weight *b)
{
	if (a->is_sound != b->is_sound)
		return a->is_sound;
	if (a->version != b->version)
		return a->version > b->version;
	if (a->runs != b->runs)
		return a->runs > b->runs;
	/* Every clone has to choose the same one, whichever way round it merges. */
	return git_oid_cmp(&a->id, &b->id) > 0;
}

/* --- taking --- */

/* Damage is a finding; anything else is passed on. */
static gboolean take_damage(const RefMerge *merge, GError *cause, GError **error)
{
	g_assert(cause != NULL);
	if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	finding_add(
	        merge->findings, FINDING_ERROR, "baseline_corrupt", NULL, "%.12s: %s", merge->commit, cause->message);
	g_error_free(cause);
	return TRUE;
}

static gboolean weigh(
        const Union *all, const RefSnapshot *snapshot, const char *path, WeighFunc func, Weight *weight, GError **error)
{
	GError *cause = NULL;
	weight->is_sound = func(snapshot, all->merge->commit, path, weight, &cause);
	return cause == NULL || take_damage(all->merge, cause, error);
}

/* Tells where `path` is here. *found is FALSE also where that cannot be told because of damage. */
static gboolean find_local(const Union *all, const char *path, Weight *weight, gboolean *found, GError **error)
{
	GError *cause = NULL;
	const RefSnapshot *local = all->merge->local;
	*found = local != NULL && ref_snapshot_find(local, path, &weight->id, &weight->mode, &cause);
	return cause == NULL || take_damage(all->merge, cause, error);
}

static void take(Union *all, const char *path, const Weight *weight)
{
	char *own = g_strdup(path);
	g_ptr_array_add(all->paths, own);
	git_tree_update update = {
	        .action = GIT_TREE_UPDATE_UPSERT, .id = weight->id, .filemode = weight->mode, .path = own};
	g_array_append_val(all->updates, update);
}

/* One item that `incoming` has. */
static gboolean unite(Union *all, const char *path, WeighFunc func, GError **error)
{
	Weight theirs = {.is_sound = FALSE}, ours = {.is_sound = FALSE};
	const RefMerge *merge = all->merge;
	gboolean found;
	if (!ref_snapshot_find(merge->incoming, path, &theirs.id, &theirs.mode, error) ||
	        !find_local(all, path, &ours, &found, error))
		return FALSE;
	if (found && git_oid_equal(&ours.id, &theirs.id))
		return TRUE;
	if (!weigh(all, merge->incoming, path, func, &theirs, error))
		return FALSE;
	if (found && theirs.is_sound && !weigh(all, merge->local, path, func, &ours, error))
		return FALSE;
	if (theirs.is_sound && (!found || is_heavier(&theirs, &ours)))
		take(all, path, &theirs);
	return TRUE;
}

/* All of `paths`, which is consumed; NULL stands for what could not be listed, with the reason in `cause`. */
static gboolean unite_all(Union *all, GPtrArray *paths, WeighFunc func, GError *cause, GError **error)
{
	G_GNUC_UNUSED g_autoptr(GPtrArray) consumed = paths;
	g_autoptr(GError) problem = NULL;
	if (paths == NULL)
		return take_damage(all->merge, cause, error);
	for (guint i = 0; i < paths->len; i++) {
		if (unite(all, paths->pdata[i], func, &problem))
			continue;
		if (!take_damage(all->merge, g_steal_pointer(&problem), error))
			return FALSE;
	}
	return TRUE;
}

gboolean ref_merge_updates(const RefMerge *merge, GArray *updates, GPtrArray *paths, GError **error)
{
	Union all = {merge, updates, paths};
	GError *cause = NULL;
	GPtrArray *entries = ref_snapshot_entries(merge->incoming, &cause);
	if (!unite_all(&all, entries, weigh_entry, cause, error))
		return FALSE;
	cause = NULL;
	GPtrArray *campaigns = ref_snapshot_campaigns(merge->incoming, &cause);
	if (!unite_all(&all, campaigns, weigh_campaign, cause, error))
		return FALSE;
	return unite_all(&all, ref_snapshot_unknown(merge->incoming), weigh_unknown, NULL, error);
}
