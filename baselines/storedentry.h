/* SPDX-License-Identifier: Apache-2.0 */
/* One stored baseline or A/A campaign: where it lies below its ref, and that it is what its place says. Internal to
 * this folder. */
#pragma once

#include "baselines/git/refstore.h"
#include "model/calibration.h"
#include "model/measurement.h"

/* "<first 16 digits of the fingerprint>/<file name of the benchmark>"; owned by the caller. */
char *stored_entry_path(const char *fingerprint, const char *benchmark);

/* TRUE if a measurement with this fingerprint belongs at this place; if not, FIREBREAK_ERROR_BASELINE. */
gboolean stored_entry_check(
        const Measurement *measurement, const char *fingerprint, const char *commit, const char *entry, GError **error);

/* Reads an entry that the snapshot of `commit` lists, with every check there is. Errors name the entry. */
Measurement *stored_entry_read(
        const RefSnapshot *snapshot, const char *commit, const char *entry, StackTable *table, GError **error);

/* "calibration/<first 16 digits of the fingerprint>/<file name of the benchmark>"; owned by the caller. */
char *stored_campaign_folder(const char *fingerprint, const char *benchmark);
/* Tells where a campaign with this text lies: in that folder "<time, 12 digits>-<first 16 digits of the text's
 * SHA-256>.json". So names are sorted by time, and the same campaign has the same name. Owned by the caller. */
char *stored_campaign_path(const Calibration *calibration, const GString *text);
/* TRUE if a campaign with this text belongs at this place; if not, FIREBREAK_ERROR_BASELINE. */
gboolean stored_campaign_check(
        const Calibration *calibration, const GString *text, const char *commit, const char *path, GError **error);
/* Reads a campaign that the snapshot of `commit` lists, with every check there is. *text (may be NULL) gets its stored
 * form, owned by the caller. Errors name the campaign. */
Calibration *stored_campaign_read(
        const RefSnapshot *snapshot, const char *commit, const char *path, GString **text, GError **error);
