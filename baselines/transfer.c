/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/transfer.h"

#include "baselines/calibrationtext.h"
#include "baselines/measurementtext.h"
#include "baselines/refwrite.h"
#include "baselines/seal.h"
#include "baselines/storedentry.h"
#include "core/durable.h"
#include "core/error.h"
#include "core/jsontext.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define KIND "firebreak-export"
#define VERSION 1

/* --- export --- */

/* The stored texts of one entry, after reading them with every check. */
static json_t *entry_json(const RefSnapshot *snapshot, const char *commit, const char *entry, GError **error)
{
	g_autoptr(StackTable) scratch = stack_table_new();
	g_autoptr(Measurement) measurement = stored_entry_read(snapshot, commit, entry, scratch, error);
	if (measurement == NULL)
		return NULL;
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, entry, TRUE, error);
	if (text == NULL)
		return NULL;
	return json_pack("{s:o, s:o}", "manifest", json_text(text->manifest->str), "stacks",
	        text->stacks != NULL ? json_text(text->stacks->str) : json_null());
}

static json_t *entries_json(const RefSnapshot *snapshot, const char *commit, GError **error)
{
	g_autoptr(GPtrArray) entries = ref_snapshot_entries(snapshot, error);
	if (entries == NULL)
		return NULL;
	json_auto_t *array = json_array();
	for (guint i = 0; i < entries->len; i++) {
		json_t *entry = entry_json(snapshot, commit, entries->pdata[i], error);
		if (entry == NULL)
			return NULL;
		json_array_append_new(array, entry);
	}
	return json_incref(array);
}

static json_t *campaigns_json(const RefSnapshot *snapshot, const char *commit, GError **error)
{
	g_autoptr(GPtrArray) paths = ref_snapshot_campaigns(snapshot, error);
	if (paths == NULL)
		return NULL;
	json_auto_t *array = json_array();
	for (guint i = 0; i < paths->len; i++) {
		GString *text = NULL;
		g_autoptr(Calibration) campaign = stored_campaign_read(snapshot, commit, paths->pdata[i], &text, error);
		if (campaign == NULL)
			return NULL;
		json_array_append_new(array, json_text(text->str));
		g_string_free(text, TRUE);
	}
	return json_incref(array);
}

/* Everything stored of the commit. A member without A/A campaigns is left out, so that files without any are as they
 * were before there were any. */
static json_t *export_json(const RefSnapshot *snapshot, const char *commit, GError **error)
{
	json_auto_t *entries = entries_json(snapshot, commit, error);
	json_auto_t *campaigns = entries != NULL ? campaigns_json(snapshot, commit, error) : NULL;
	if (campaigns == NULL)
		return NULL;
	json_t *root = json_pack("{s:s, s:I, s:O}", "commit", commit, "commit_time",
	        (json_int_t)ref_snapshot_time(snapshot), "entries", entries);
	if (json_array_size(campaigns) > 0)
		json_object_set(root, "calibrations", campaigns);
	return root;
}

static RefSnapshot *open_snapshot(BaselineStore *store, const char *commit, GError **error)
{
	GError *cause = NULL;
	RefSnapshot *snapshot = ref_store_snapshot(baseline_store_refs(store), commit, &cause);
	if (cause != NULL)
		g_propagate_error(error, cause);
	else if (snapshot == NULL)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE,
		        "there is no baseline of commit %s; `firebreak baseline list` shows what there is", commit);
	return snapshot;
}

gboolean baseline_export(BaselineStore *store, const char *commit, const char *path, GError **error)
{
	g_autoptr(RefSnapshot) snapshot = open_snapshot(store, commit, error);
	if (snapshot == NULL)
		return FALSE;
	json_auto_t *root = export_json(snapshot, commit, error);
	if (root == NULL)
		return FALSE;
	GString *text = seal_object(KIND, VERSION, root);
	gboolean ok = text->len <= JSON_TEXT_MAX_BYTES;
	if (!ok)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE,
		        "%s: the baselines of this commit are larger than the %zu bytes that an exported file may have",
		        path, JSON_TEXT_MAX_BYTES);
	else
		ok = durable_write_file(path, text->str, (gssize)text->len, error);
	g_string_free(text, TRUE);
	return ok;
}

/* --- import --- */

/* The contents of a file. */
typedef struct {
	char *commit;
	gint64 time_s;
	GPtrArray *paths;        /* of char * */
	GPtrArray *texts;        /* of MeasurementText, as they were stored */
	GPtrArray *measurements; /* of Measurement */
	GPtrArray *calibrations; /* of Calibration */
} Contents;

static void contents_free(Contents *contents)
{
	g_free(contents->commit);
	g_ptr_array_unref(contents->paths);
	g_ptr_array_unref(contents->texts);
	g_ptr_array_unref(contents->measurements);
	g_ptr_array_unref(contents->calibrations);
	g_free(contents);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Contents, contents_free)

static Contents *contents_new(void)
{
	Contents *contents = g_new0(Contents, 1);
	contents->paths = g_ptr_array_new_with_free_func(g_free);
	contents->texts = g_ptr_array_new_with_free_func((GDestroyNotify)measurement_text_free);
	contents->measurements = g_ptr_array_new_with_free_func((GDestroyNotify)measurement_free);
	contents->calibrations = g_ptr_array_new_with_free_func((GDestroyNotify)calibration_free);
	return contents;
}

static GString *read_whole_file(const char *path, GError **error)
{
	struct stat status;
	g_autofree char *data = NULL;
	gsize length;
	if (stat(path, &status) != 0) {
		firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "%s", path);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || (guint64)status.st_size > JSON_TEXT_MAX_BYTES) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, "%s is not a file of at most %zu bytes",
		        path, JSON_TEXT_MAX_BYTES);
		return NULL;
	}
	if (!g_file_get_contents(path, &data, &length, error))
		return NULL;
	return g_string_new_len(data, (gssize)length);
}

static gboolean refuse(GError **error, const char *why)
{
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, why);
	return FALSE;
}

static GString *take_string(char *text)
{
	GString *string = text != NULL ? g_string_new(text) : NULL;
	g_free(text);
	return string;
}

static gboolean read_entry(const json_t *entry, StackTable *table, Contents *contents, GError **error)
{
	g_autofree char *fingerprint = NULL;
	g_autoptr(MeasurementText) text = g_new0(MeasurementText, 1);
	text->manifest = take_string(json_text_decode(json_object_get(entry, "manifest")));
	text->stacks = take_string(json_text_decode(json_object_get(entry, "stacks")));
	if (text->manifest == NULL)
		return refuse(error, "an entry has no manifest");
	g_autoptr(Measurement) measurement = measurement_text_read(text, table, &fingerprint, error);
	if (measurement == NULL)
		return FALSE;
	g_autofree char *path = stored_entry_path(fingerprint, measurement->benchmark);
	if (!stored_entry_check(measurement, fingerprint, contents->commit, path, error))
		return FALSE;
	g_ptr_array_add(contents->paths, g_steal_pointer(&path));
	g_ptr_array_add(contents->texts, g_steal_pointer(&text));
	g_ptr_array_add(contents->measurements, g_steal_pointer(&measurement));
	return TRUE;
}

static gboolean read_campaign(const json_t *value, Contents *contents, GError **error)
{
	GString *text = take_string(json_text_decode(value));
	if (text == NULL)
		return refuse(error, "an A/A campaign is not text");
	g_autoptr(Calibration) calibration = calibration_text_read(text, error);
	g_string_free(text, TRUE);
	if (calibration == NULL)
		return FALSE;
	if (!g_str_equal(calibration->commit, contents->commit))
		return refuse(error, "an A/A campaign is of another commit");
	g_ptr_array_add(contents->calibrations, g_steal_pointer(&calibration));
	return TRUE;
}

static gboolean read_contents(const GString *text, StackTable *table, Contents *contents, GError **error)
{
	g_autoptr(GError) cause = NULL;
	if (!seal_verify(text, KIND, VERSION, error))
		return FALSE;
	json_auto_t *root = json_load_text(text->str, text->len, "export", &cause);
	if (root == NULL)
		return refuse(error, cause->message);
	const json_t *entries = json_object_get(root, "entries"), *campaigns = json_object_get(root, "calibrations");
	contents->commit = json_text_decode(json_object_get(root, "commit"));
	contents->time_s = json_integer_value(json_object_get(root, "commit_time"));
	if (contents->commit == NULL || json_array_size(entries) + json_array_size(campaigns) == 0)
		return refuse(error, "the file holds no baselines");
	for (gsize i = 0; i < json_array_size(entries); i++) {
		if (!read_entry(json_array_get(entries, i), table, contents, error))
			return FALSE;
	}
	for (gsize i = 0; i < json_array_size(campaigns); i++) {
		if (!read_campaign(json_array_get(campaigns, i), contents, error))
			return FALSE;
	}
	return TRUE;
}

static Contents *load_contents(const char *path, StackTable *table, GError **error)
{
	g_autoptr(Contents) contents = contents_new();
	GString *text = read_whole_file(path, error);
	if (text == NULL)
		return NULL;
	gboolean ok = read_contents(text, table, contents, error);
	g_string_free(text, TRUE);
	if (ok)
		return g_steal_pointer(&contents);
	g_prefix_error(error, "%s: ", path);
	return NULL;
}

static void free_text(gpointer text)
{
	g_string_free(text, TRUE);
}

/* Makes everything a measurement of `commit`. */
static gboolean retarget(Contents *contents, Repo *repo, const char *commit, GError **error)
{
	g_autofree char *tree = NULL;
	if (!repo_commit_tree(repo, commit, &tree, error))
		return FALSE;
	g_ptr_array_set_size(contents->texts, 0);
	for (guint i = 0; i < contents->measurements->len; i++) {
		Measurement *measurement = contents->measurements->pdata[i];
		g_free(measurement->commit);
		g_free(measurement->tree);
		measurement->commit = g_strdup(commit);
		measurement->tree = g_strdup(tree);
		g_ptr_array_add(contents->texts, measurement_text_new(measurement));
	}
	for (guint i = 0; i < contents->calibrations->len; i++) {
		Calibration *calibration = contents->calibrations->pdata[i];
		g_free(calibration->commit);
		calibration->commit = g_strdup(commit);
	}
	g_free(contents->commit);
	contents->commit = g_strdup(commit);
	return TRUE;
}

static gboolean store_contents(RefStore *refs, const Contents *contents, GError **error)
{
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(RefEntry));
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(RefFile));
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(free_text);
	for (guint i = 0; i < contents->texts->len; i++) {
		RefEntry entry = {contents->paths->pdata[i], contents->texts->pdata[i]};
		g_array_append_val(entries, entry);
	}
	for (guint i = 0; i < contents->calibrations->len; i++) {
		const Calibration *calibration = contents->calibrations->pdata[i];
		GString *text = calibration_text_write(calibration);
		char *path = stored_campaign_path(calibration, text);
		RefFile file = {path, text};
		g_ptr_array_add(texts, text);
		g_ptr_array_add(paths, path);
		g_array_append_val(files, file);
	}
	RefChanges changes = {entries, files};
	return ref_store_write(refs, contents->commit, &changes, contents->time_s, error);
}

char *baseline_import(BaselineStore *store, const char *path, const char *commit, GError **error)
{
	RefStore *refs = baseline_store_refs(store);
	Repo *repo = ref_store_repo(refs);
	if (commit != NULL && !ref_store_check_commit(commit, error))
		return NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Contents) contents = load_contents(path, table, error);
	if (contents == NULL)
		return NULL;
	if (commit != NULL && !g_str_equal(commit, contents->commit) && !retarget(contents, repo, commit, error))
		return NULL;
	if (repo_has_commit(repo, contents->commit) &&
	        !repo_commit_time(repo, contents->commit, &contents->time_s, error))
		return NULL;
	return store_contents(refs, contents, error) ? g_strdup(contents->commit) : NULL;
}

GPtrArray *baseline_export_read(const char *path, StackTable *table, char **commit, GError **error)
{
	g_autoptr(Contents) contents = load_contents(path, table, error);
	if (contents == NULL)
		return NULL;
	if (commit != NULL)
		*commit = g_strdup(contents->commit);
	return g_ptr_array_ref(contents->measurements);
}
