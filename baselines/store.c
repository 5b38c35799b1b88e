/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/store.h"

#include "baselines/measurementtext.h"
#include "baselines/refwrite.h"
#include "baselines/storedentry.h"

struct BaselineStore {
	RefStore *refs;
};

BaselineStore *baseline_store_open(const char *repo_path, const char *prefix, GError **error)
{
	RefStore *refs = ref_store_open(repo_path, prefix, error);
	if (refs == NULL)
		return NULL;
	BaselineStore *store = g_new0(BaselineStore, 1);
	store->refs = refs;
	return store;
}

void baseline_store_free(BaselineStore *store)
{
	if (store == NULL)
		return;
	ref_store_free(store->refs);
	g_free(store);
}

void baseline_store_set_patience(BaselineStore *store, guint patience_ms)
{
	ref_store_set_patience(store->refs, patience_ms);
}

void baseline_store_set_findings(BaselineStore *store, FindingList *findings)
{
	ref_store_set_findings(store->refs, findings);
}

RefStore *baseline_store_refs(BaselineStore *store)
{
	return store->refs;
}

gboolean baseline_store_put(BaselineStore *store, const Measurement *measurement, GError **error)
{
	gint64 time_s;
	if (!ref_store_check_commit(measurement->commit, error) ||
	        !repo_commit_time(ref_store_repo(store->refs), measurement->commit, &time_s, error))
		return FALSE;
	g_autofree char *fingerprint = environment_fingerprint(measurement->environment, METRIC_REPLICABLE);
	g_autofree char *path = stored_entry_path(fingerprint, measurement->benchmark);
	g_autoptr(MeasurementText) text = measurement_text_new(measurement);
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(RefEntry));
	RefEntry entry = {path, text};
	g_array_append_val(entries, entry);
	RefChanges changes = {.entries = entries};
	return ref_store_write(store->refs, measurement->commit, &changes, time_s, error);
}

/* The first entry of this benchmark and fingerprint (NULL: any); borrowed from `entries`, NULL if there is none. */
static const char *find_entry(const GPtrArray *entries, const char *fingerprint, const char *benchmark)
{
	for (guint i = 0; i < entries->len; i++) {
		const char *entry = entries->pdata[i];
		g_autofree char *wanted = stored_entry_path(fingerprint != NULL ? fingerprint : entry, benchmark);
		if (g_str_equal(entry, wanted))
			return entry;
	}
	return NULL;
}

Measurement *baseline_store_get(BaselineStore *store, const char *commit, const char *fingerprint,
        const char *benchmark, StackTable *table, GError **error)
{
	g_autoptr(RefSnapshot) snapshot = ref_store_snapshot(store->refs, commit, error);
	if (snapshot == NULL)
		return NULL;
	g_autoptr(GPtrArray) entries = ref_snapshot_entries(snapshot, error);
	if (entries == NULL)
		return NULL;
	const char *entry = find_entry(entries, fingerprint, benchmark);
	return entry != NULL ? stored_entry_read(snapshot, commit, entry, table, error) : NULL;
}
