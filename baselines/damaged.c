/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/damaged.h"

#include "baselines/manifest.h"
#include "baselines/storedentry.h"
#include "core/durable.h"
#include "core/error.h"
#include "model/textpiece.h"

#include <string.h>

#define MAX_FOLDERS 10000

void damage_folder_clear(DamageFolder *folder)
{
	g_clear_pointer(&folder->path, g_free);
}

gboolean damage_folder_make(DamageFolder *folder, GError **error)
{
	const char *git_folder = repo_path_commondir(ref_store_repo(folder->refs));
	for (guint i = 1; folder->path == NULL && i < MAX_FOLDERS; i++) {
		g_autofree char *name = g_strdup_printf("%s-%u", folder->commit, i);
		g_autofree char *path = g_build_filename(git_folder, "firebreak", "damaged", name, NULL);
		if (!g_file_test(path, G_FILE_TEST_EXISTS))
			folder->path = g_steal_pointer(&path);
	}
	if (folder->path != NULL)
		return durable_make_dir(folder->path, error);
	return firebreak_refuse(
	        error, FIREBREAK_ERROR_STORAGE, "%s/firebreak/damaged is full; look at it and delete it", git_folder);
}

gboolean damage_folder_keep(DamageFolder *folder, const char *name, const char *text, gsize length, GError **error)
{
	if (folder->path == NULL && !damage_folder_make(folder, error))
		return FALSE;
	g_autofree char *path = g_build_filename(folder->path, name, NULL);
	return durable_write_file(path, text, (gssize)length, error);
}

static gboolean keep_numbered(DamageFolder *folder, const char *name, const GString *text, GError **error)
{
	g_autofree char *file = g_strdup_printf("%u.%s", folder->n_entries, name);
	return text == NULL || damage_folder_keep(folder, file, text->str, text->len, error);
}

/* --- what is damaged --- */

static gboolean is_campaign(const char *path)
{
	return g_str_has_prefix(path, REF_CALIBRATION_FOLDER "/");
}

/* TRUE if this version knows the form of what lies at the path. Entries that later versions add cannot be checked. */
static gboolean is_known(const char *path)
{
	g_autofree char *first = g_strndup(path, strcspn(path, "/"));
	return is_campaign(path) || text_hex_digits(first) == REF_STORE_FINGERPRINT_DIGITS;
}

/* An entry of a later schema cannot be read, but is not damaged. */
static gboolean is_of_later_schema(const RefSnapshot *snapshot, const char *path)
{
	guint version = 0;
	g_autoptr(MeasurementText) text = is_campaign(path) ? NULL : ref_snapshot_read(snapshot, path, FALSE, NULL);
	return text != NULL && manifest_version(text->manifest, &version, NULL) && version > MANIFEST_VERSION;
}

/* Tells why the item at `path` is damaged, owned by the caller; NULL if it is sound or the machine does not let it be
 * read, which is an error then. */
static char *find_damage(const DamageFolder *folder, const RefSnapshot *snapshot, const char *path, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(StackTable) scratch = stack_table_new();
	g_autoptr(Measurement) entry = NULL;
	g_autoptr(Calibration) campaign = NULL;
	if (is_campaign(path))
		campaign = stored_campaign_read(snapshot, folder->commit, path, NULL, &cause);
	else
		entry = stored_entry_read(snapshot, folder->commit, path, scratch, &cause);
	if (cause == NULL || is_of_later_schema(snapshot, path))
		return NULL;
	if (g_error_matches(cause, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE))
		return g_strdup(cause->message);
	g_propagate_error(error, g_steal_pointer(&cause));
	return NULL;
}

/* A file of a baseline, if it can be read. */
static gboolean keep_file(
        DamageFolder *folder, const RefSnapshot *snapshot, const char *entry, const char *name, GError **error)
{
	GString *text = ref_snapshot_read_file(snapshot, entry, name, NULL);
	gboolean ok = keep_numbered(folder, name, text, error);
	if (text != NULL)
		g_string_free(text, TRUE);
	return ok;
}

/* Objects that git cannot read have no text; they stay where they are. */
static gboolean keep_texts(DamageFolder *folder, const RefSnapshot *snapshot, const char *path, GError **error)
{
	folder->n_entries++;
	if (is_campaign(path)) {
		GString *text = ref_snapshot_read_campaign(snapshot, path, NULL);
		gboolean ok = keep_numbered(folder, "campaign.json", text, error);
		if (text != NULL)
			g_string_free(text, TRUE);
		return ok;
	}
	return keep_file(folder, snapshot, path, "manifest.json", error) &&
	       keep_file(folder, snapshot, path, "stacks", error);
}

gboolean damage_folder_keep_entry(
        DamageFolder *folder, const RefSnapshot *snapshot, const char *path, char **reason, GError **error)
{
	GError *cause = NULL;
	*reason = NULL;
	g_autofree char *damage = find_damage(folder, snapshot, path, &cause);
	if (cause != NULL) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	if (damage != NULL && !keep_texts(folder, snapshot, path, error))
		return FALSE;
	*reason = g_steal_pointer(&damage);
	return TRUE;
}

/* --- before something is replaced --- */

/* Sets *differs to TRUE if something else lies at the path of an update. */
static gboolean finds_other(
        const RefSnapshot *snapshot, const git_tree_update *update, gboolean *differs, GError **error)
{
	git_oid id;
	git_filemode_t mode;
	GError *cause = NULL;
	*differs = ref_snapshot_find(snapshot, update->path, &id, &mode, &cause) && !git_oid_equal(&id, &update->id);
	if (cause == NULL)
		return TRUE;
	g_propagate_error(error, cause);
	return FALSE;
}

gboolean damage_keep_replaced(
        DamageFolder *folder, const RefSnapshot *snapshot, const GArray *updates, FindingList *findings, GError **error)
{
	g_autoptr(GString) why = g_string_new(NULL);
	for (guint i = 0; i < updates->len; i++) {
		const git_tree_update *update = &g_array_index(updates, git_tree_update, i);
		g_autofree char *reason = NULL;
		gboolean differs;
		if (!finds_other(snapshot, update, &differs, error))
			return FALSE;
		if (!differs || !is_known(update->path))
			continue;
		if (!damage_folder_keep_entry(folder, snapshot, update->path, &reason, error))
			return FALSE;
		if (reason == NULL)
			continue;
		g_string_append_printf(why, "%s\n", reason);
		if (!damage_folder_keep(folder, "why", why->str, why->len, error))
			return FALSE;
		if (findings != NULL)
			finding_add(findings, FINDING_WARNING, "baseline_corrupt", NULL,
			        "%s; it is replaced, and the damaged copy is kept in %s", reason, folder->path);
	}
	return TRUE;
}
