#include "baselines/storedentry.h"

#include "core/error.h"
#include "core/escape.h"

char *stored_entry_path(const char *fingerprint, const char *benchmark)
{
	g_autofree char *file = escape_to_string(escape_filename, benchmark);
	return g_strdup_printf("%.*s/%s", REF_STORE_FINGERPRINT_DIGITS, fingerprint, file);
}

gboolean stored_entry_check(
        const Measurement *measurement, const char *fingerprint, const char *commit, const char *entry, GError **error)
{
	g_autofree char *path = stored_entry_path(fingerprint, measurement->benchmark);
	if (g_str_equal(measurement->commit, commit) && g_str_equal(path, entry))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "misplaced: it is %s of commit %s", path,
	        measurement->commit);
	return FALSE;
}

static Measurement *read_entry(
        const RefSnapshot *snapshot, const char *commit, const char *entry, StackTable *table, GError **error)
{
	g_autofree char *fingerprint = NULL;
	GError *cause = NULL;
	g_autoptr(MeasurementText) text = ref_snapshot_read(snapshot, entry, TRUE, &cause);
	if (cause != NULL) {
		g_propagate_error(error, cause);
		return NULL;
	}
	if (text == NULL) {
		g_set_error_literal(
		        error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "damaged: the manifest is missing");
		return NULL;
	}
	g_autoptr(Measurement) measurement = measurement_text_read(text, table, &fingerprint, error);
	if (measurement == NULL || !stored_entry_check(measurement, fingerprint, commit, entry, error))
		return NULL;
	return g_steal_pointer(&measurement);
}

Measurement *stored_entry_read(
        const RefSnapshot *snapshot, const char *commit, const char *entry, StackTable *table, GError **error)
{
	Measurement *measurement = read_entry(snapshot, commit, entry, table, error);
	if (measurement == NULL)
		g_prefix_error(error, "baseline %.12s %s: ", commit, entry);
	return measurement;
}
