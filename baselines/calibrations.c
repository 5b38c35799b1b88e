/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/calibrations.h"

#include "baselines/calibrationtext.h"
#include "baselines/refwrite.h"
#include "baselines/storedentry.h"
#include "core/error.h"

#include <string.h>

gboolean calibrations_put(BaselineStore *store, const Calibration *calibration, GError **error)
{
	gint64 time_s;
	RefStore *refs = baseline_store_refs(store);
	if (!ref_store_check_commit(calibration->commit, error) ||
	        !repo_commit_time(ref_store_repo(refs), calibration->commit, &time_s, error))
		return FALSE;
	GString *text = calibration_text_write(calibration);
	/* what could not be read again must not get in */
	g_autoptr(Calibration) back = calibration_text_read(text, error);
	gboolean ok = back != NULL;
	if (ok) {
		g_autofree char *path = stored_campaign_path(calibration, text);
		g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(RefFile));
		RefFile file = {path, text};
		RefChanges changes = {.files = files};
		g_array_append_val(files, file);
		ok = ref_store_write(refs, calibration->commit, &changes, time_s, error);
	}
	g_string_free(text, TRUE);
	return ok;
}

/* --- reading --- */

/* A stored campaign, by its path. */
typedef struct {
	char *commit;
	char *path;
	gint64 time_s; /* as its name says */
} Place;

static void place_clear(gpointer data)
{
	Place *place = data;
	g_free(place->commit);
	g_free(place->path);
}

/* The question, and the campaigns that were found so far. */
typedef struct {
	RefStore *refs;
	const char *benchmark, *fingerprint;
	FindingList *findings;
	GArray *places; /* of Place */
} Search;

/* Damage is a finding; anything else is passed on. */
static gboolean take_damage(const Search *search, GError *cause, GError **error)
{
	if (!g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	finding_add(search->findings, FINDING_WARNING, "calibration_damaged", search->benchmark,
	        "a stored A/A campaign cannot be used: %s", cause->message);
	g_error_free(cause);
	return TRUE;
}

/* The folder of a path of the benchmark asked for, on any machine or that asked for. */
static gboolean is_wanted(const Search *search, const char *path)
{
	const char *digits = path + strlen(REF_CALIBRATION_FOLDER "/");
	const char *fingerprint = search->fingerprint != NULL ? search->fingerprint : digits;
	g_autofree char *folder = stored_campaign_folder(fingerprint, search->benchmark);
	g_autofree char *parent = g_path_get_dirname(path);
	return g_str_equal(parent, folder);
}

static gboolean find_in_commit(Search *search, const char *commit, GError **error)
{
	GError *cause = NULL;
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(search->refs, commit, &cause);
	g_autoptr(GPtrArray) paths = snapshot != NULL ? ref_snapshot_campaigns(snapshot, &cause) : NULL;
	if (cause != NULL)
		return take_damage(search, cause, error);
	for (guint i = 0; paths != NULL && i < paths->len; i++) {
		if (!is_wanted(search, paths->pdata[i]))
			continue;
		const char *name = strrchr(paths->pdata[i], '/') + 1;
		Place place = {g_strdup(commit), g_strdup(paths->pdata[i]), g_ascii_strtoll(name, NULL, 10)};
		g_array_append_val(search->places, place);
	}
	return TRUE;
}

static gint newest_place_first(gconstpointer a, gconstpointer b)
{
	const Place *x = a, *y = b;
	if (x->time_s != y->time_s)
		return x->time_s > y->time_s ? -1 : 1;
	int by_commit = strcmp(x->commit, y->commit);
	return by_commit != 0 ? by_commit : strcmp(x->path, y->path);
}

static gint newest_first(gconstpointer a, gconstpointer b)
{
	const Calibration *x = *(Calibration *const *)a, *y = *(Calibration *const *)b;
	if (x->time_s != y->time_s)
		return x->time_s > y->time_s ? -1 : 1;
	int by_commit = strcmp(x->commit, y->commit);
	return by_commit != 0 ? by_commit : (x->seed > y->seed) - (x->seed < y->seed);
}

/* A full fingerprint may differ beyond the digits that are in the path. */
static gboolean is_kind(const char *wanted, const Calibration *calibration)
{
	return wanted == NULL || g_str_has_prefix(calibration->fingerprint, wanted);
}

static gboolean read_place(const Search *search, const Place *place, GPtrArray *calibrations, GError **error)
{
	GError *cause = NULL;
	g_autoptr(Calibration) calibration = NULL;
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(search->refs, place->commit, &cause);
	if (snapshot != NULL)
		calibration = stored_campaign_read(snapshot, place->commit, place->path, NULL, &cause);
	if (cause != NULL)
		return take_damage(search, cause, error);
	if (calibration != NULL && is_kind(search->fingerprint, calibration))
		g_ptr_array_add(calibrations, g_steal_pointer(&calibration));
	return TRUE;
}

static GPtrArray *read_newest(const Search *search, GError **error)
{
	g_autoptr(GPtrArray) calibrations = g_ptr_array_new_with_free_func((GDestroyNotify)calibration_free);
	g_array_sort(search->places, newest_place_first);
	for (guint i = 0; i < MIN(search->places->len, CALIBRATIONS_MAX); i++) {
		if (!read_place(search, &g_array_index(search->places, Place, i), calibrations, error))
			return NULL;
	}
	g_ptr_array_sort(calibrations, newest_first);
	return g_steal_pointer(&calibrations);
}

/* The newest commits of the history, full SHAs; a set. Clones without any commit have none. */
static GHashTable *newest_commits(RefStore *refs, GError **error)
{
	git_oid id;
	char hex[GIT_OID_HEXSZ + 1];
	git_revwalk *walk = NULL;
	g_autoptr(GHashTable) newest = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int rc = git_revwalk_new(&walk, repo_handle(ref_store_repo(refs)));
	if (rc == 0)
		rc = git_revwalk_sorting(walk, GIT_SORT_TIME);
	if (rc == 0) {
		(void)git_revwalk_push_head(walk); /* fails where HEAD has no commit yet */
		(void)git_revwalk_push_glob(walk, "heads/*");
		(void)git_revwalk_push_glob(walk, "remotes/*");
	}
	while (rc == 0 && g_hash_table_size(newest) < CALIBRATIONS_MAX_COMMITS &&
	        (rc = git_revwalk_next(&id, walk)) == 0)
		g_hash_table_add(newest, g_strdup(git_oid_tostr(hex, sizeof hex, &id)));
	git_revwalk_free(walk);
	if (rc == 0 || rc == GIT_ITEROVER)
		return g_steal_pointer(&newest);
	repo_set_error(error, FIREBREAK_ERROR_STORAGE, GIT_ERROR, "walking the history");
	return NULL;
}

/* The commits whose campaigns are looked for. */
static GPtrArray *searched_commits(RefStore *refs, GError **error)
{
	g_autoptr(GPtrArray) all = ref_store_commits(refs, error);
	if (all == NULL || all->len <= CALIBRATIONS_MAX_COMMITS)
		return g_steal_pointer(&all);
	g_autoptr(GHashTable) newest = newest_commits(refs, error);
	g_autoptr(GPtrArray) searched = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; newest != NULL && i < all->len; i++)
		if (g_hash_table_contains(newest, all->pdata[i]))
			g_ptr_array_add(searched, g_strdup(all->pdata[i]));
	return newest != NULL ? g_steal_pointer(&searched) : NULL;
}

GPtrArray *calibrations_list(
        BaselineStore *store, const char *benchmark, const char *fingerprint, FindingList *findings, GError **error)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
	g_array_set_clear_func(places, place_clear);
	Search search = {baseline_store_refs(store), benchmark, fingerprint, findings, places};
	g_autoptr(GPtrArray) commits = searched_commits(search.refs, error);
	for (guint i = 0; commits != NULL && i < commits->len; i++) {
		if (!find_in_commit(&search, commits->pdata[i], error))
			return NULL;
	}
	return commits != NULL ? read_newest(&search, error) : NULL;
}
