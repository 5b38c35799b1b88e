/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/stored/storedside.h"

#include "baselines/inventory.h"
#include "baselines/transfer.h"
#include "core/error.h"
#include "model/engine.h"
#include "runner/config/config.h"

static void piece_free(gpointer data)
{
	StoredPiece *piece = data;
	g_free(piece->fingerprint);
	g_free(piece->benchmark);
	g_free(piece->problem);
	g_clear_pointer(&piece->measurement, measurement_free);
	g_free(piece);
}

static StoredSide *side_new(const char *name)
{
	StoredSide *side = g_new0(StoredSide, 1);
	side->name = g_strdup(name);
	side->pieces = g_ptr_array_new_with_free_func(piece_free);
	return side;
}

void stored_side_free(StoredSide *side)
{
	if (side == NULL)
		return;
	g_free(side->name);
	g_free(side->sha);
	g_clear_pointer(&side->store, baseline_store_free);
	g_ptr_array_unref(side->pieces);
	g_free(side);
}

static gint compare_pieces(gconstpointer a, gconstpointer b)
{
	const StoredPiece *x = *(StoredPiece *const *)a, *y = *(StoredPiece *const *)b;
	int order = g_strcmp0(x->benchmark, y->benchmark);
	return order != 0 ? order : g_strcmp0(x->fingerprint, y->fingerprint);
}

/* --- from the store --- */

static void add_entry(StoredSide *side, const BaselineEntry *entry)
{
	if (entry->campaigns > 0 || entry->benchmark == NULL)
		return;
	StoredPiece *piece = g_new0(StoredPiece, 1);
	piece->fingerprint = g_strdup(entry->fingerprint);
	piece->benchmark = g_strdup(entry->benchmark);
	piece->problem = g_strdup(entry->problem);
	piece->counted =
	        entry->engines != NULL && g_strv_contains((const char *const *)entry->engines, engine_callgrind.name);
	g_ptr_array_add(side->pieces, piece);
}

static gboolean open_commit(Repo *repo, StoredSide *side, GError **error)
{
	const char *workdir = repo_path_workdir(repo);
	side->store = baseline_store_open(workdir != NULL ? workdir : repo_path_gitdir(repo), NULL, error);
	g_autoptr(GPtrArray) entries =
	        side->store != NULL ? baseline_store_list_commit(side->store, side->sha, error) : NULL;
	if (entries == NULL)
		return FALSE;
	for (guint i = 0; i < entries->len; i++) {
		const BaselineEntry *entry = entries->pdata[i];
		if (*entry->path == '\0')
			return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "what is stored of %s is damaged: %s",
			        side->name, entry->problem);
		add_entry(side, entry);
	}
	if (side->pieces->len > 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
	        "nothing is stored of %s (%.12s): `firebreak run %s` measures it, `firebreak baseline fetch` brings "
	        "what others have stored",
	        side->name, side->sha, side->name);
}

/* --- from a file --- */

static gboolean open_file(StoredSide *side, StackTable *table, GError **error)
{
	g_autoptr(GPtrArray) measurements = baseline_export_read(side->name, table, &side->sha, error);
	if (measurements == NULL)
		return FALSE;
	g_ptr_array_set_free_func(measurements, NULL);
	side->is_file = TRUE;
	for (guint i = 0; i < measurements->len; i++) {
		Measurement *measurement = measurements->pdata[i];
		StoredPiece *piece = g_new0(StoredPiece, 1);
		piece->measurement = measurement;
		piece->benchmark = g_strdup(measurement->benchmark);
		piece->fingerprint = environment_fingerprint(measurement->environment, METRIC_REPLICABLE);
		piece->counted = measurement_metric(measurement, &engine_callgrind, "instructions") != NULL;
		g_ptr_array_add(side->pieces, piece);
	}
	if (side->pieces->len > 0)
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_BASELINE, "%s holds no measurements", side->name);
}

/* --- either --- */

StoredSide *stored_side_open(Repo *repo, const char *name, StackTable *table, GError **error)
{
	g_autoptr(StoredSide) side = side_new(name);
	g_autoptr(GError) unknown = NULL;
	gboolean is_revision = repo != NULL && repo_resolve(repo, name, &side->sha, &unknown);
	if (!is_revision && !g_file_test(name, G_FILE_TEST_EXISTS)) {
		if (unknown != NULL)
			g_propagate_error(error, g_steal_pointer(&unknown));
		else
			firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s: no such file, and there is no repository here that could know it as a revision",
			        name);
		return NULL;
	}
	if (!(is_revision ? open_commit(repo, side, error) : open_file(side, table, error)))
		return NULL;
	g_ptr_array_sort(side->pieces, compare_pieces);
	return g_steal_pointer(&side);
}

StoredPiece *stored_side_find(const StoredSide *side, const char *benchmark, gboolean counted, const char *fingerprint)
{
	for (guint i = 0; i < side->pieces->len; i++) {
		StoredPiece *piece = side->pieces->pdata[i];
		if (piece->problem == NULL && !piece->counted == !counted && g_str_equal(piece->benchmark, benchmark) &&
		        (fingerprint == NULL || g_str_equal(piece->fingerprint, fingerprint)))
			return piece;
	}
	return NULL;
}

Measurement *stored_side_read(const StoredSide *side, StoredPiece *piece, StackTable *table, GError **error)
{
	if (piece->measurement == NULL)
		piece->measurement =
		        baseline_store_get(side->store, side->sha, piece->fingerprint, piece->benchmark, table, error);
	if (piece->measurement == NULL && error != NULL && *error == NULL)
		firebreak_refuse(error, FIREBREAK_ERROR_BASELINE,
		        "%s: the baseline of %s is gone: it was removed just now", side->name, piece->benchmark);
	return piece->measurement;
}
