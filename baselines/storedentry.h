/* One stored baseline: where it lies below its ref, and that it is what its place says. Internal to this folder. */
#pragma once

#include "baselines/refstore.h"

/* "<first 16 digits of the fingerprint>/<file name of the benchmark>"; owned by the caller. */
char *stored_entry_path(const char *fingerprint, const char *benchmark);

/* Whether a measurement with this fingerprint belongs at this place; if not, FIREBREAK_ERROR_BASELINE. */
gboolean stored_entry_check(
        const Measurement *measurement, const char *fingerprint, const char *commit, const char *entry, GError **error);

/* Reads an entry that the snapshot of `commit` lists, with every check there is. Errors name the entry. */
Measurement *stored_entry_read(
        const RefSnapshot *snapshot, const char *commit, const char *entry, StackTable *table, GError **error);
