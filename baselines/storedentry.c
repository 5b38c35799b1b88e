/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/storedentry.h"

#include "baselines/calibrationtext.h"
#include "baselines/measurementtext.h"
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

/* --- A/A campaigns --- */

char *stored_campaign_folder(const char *fingerprint, const char *benchmark)
{
	g_autofree char *entry = stored_entry_path(fingerprint, benchmark);
	return g_strconcat(REF_CALIBRATION_FOLDER "/", entry, NULL);
}

char *stored_campaign_path(const Calibration *calibration, const GString *text)
{
	g_autofree char *folder = stored_campaign_folder(calibration->fingerprint, calibration->benchmark);
	g_autofree char *hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text->str, text->len);
	return g_strdup_printf("%s/%012" G_GINT64_FORMAT "-%.16s.json", folder, calibration->time_s, hash);
}

gboolean stored_campaign_check(
        const Calibration *calibration, const GString *text, const char *commit, const char *path, GError **error)
{
	g_autofree char *wanted = stored_campaign_path(calibration, text);
	if (g_str_equal(calibration->commit, commit) && g_str_equal(wanted, path))
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE, "misplaced: it is %s of commit %s", wanted,
	        calibration->commit);
	return FALSE;
}

Calibration *stored_campaign_read(
        const RefSnapshot *snapshot, const char *commit, const char *path, GString **text, GError **error)
{
	GString *stored = ref_snapshot_read_campaign(snapshot, path, error);
	g_autoptr(Calibration) calibration = stored != NULL ? calibration_text_read(stored, error) : NULL;
	gboolean ok = calibration != NULL && stored_campaign_check(calibration, stored, commit, path, error);
	if (ok && text != NULL)
		*text = g_steal_pointer(&stored);
	if (stored != NULL)
		g_string_free(stored, TRUE);
	if (ok)
		return g_steal_pointer(&calibration);
	g_prefix_error(error, "A/A campaign %.12s %s: ", commit, path);
	return NULL;
}
