/* SPDX-License-Identifier: Apache-2.0 */
/* Changing the refs of the store (baselines/git/refstore.h).
 *
 * A ref is changed by compare-and-swap; what another writer added in the meantime is kept. When a write returns TRUE,
 * objects, ref and folder entries are on the disk. No other ref and nothing in the working tree or index is touched.
 * Internal to this folder. Errors: those of baselines/git/refstore.h. */
#pragma once

#include "baselines/git/refstore.h"
#include "core/finding.h"

/* A baseline to be written; both borrowed. */
typedef struct {
	const char *path; /* "<16 digits>/<benchmark file>" */
	const MeasurementText *text;
} RefEntry;

/* A file to be written; both borrowed. */
typedef struct {
	const char *path; /* "calibration/<16 digits>/<benchmark file>/<name>.json" */
	const GString *content;
} RefFile;

/* The entries that are written at once; either may be NULL. */
typedef struct {
	const GArray *entries; /* of RefEntry */
	const GArray *files;   /* of RefFile */
} RefChanges;

/* Adds or replaces entries and files of one commit, all or none; what else the ref holds stays. `time_s` is the time of
 * the commit. */
gboolean ref_store_write(RefStore *store, const char *commit, const RefChanges *changes, gint64 time_s, GError **error);

/* Adds what the commit object `incoming` holds of `commit`, which came from another store, by the rules of
 * baselines/refmerge.h. Damage in it, and here, is a finding. *changed tells whether the ref has another value now.
 * Errors: FIREBREAK_ERROR_BASELINE where `incoming`, or what is here, is damaged as a whole; then nothing has changed.
 */
gboolean ref_store_merge(RefStore *store, const char *commit, const git_oid *incoming, FindingList *findings,
        gboolean *changed, GError **error);

/* Leaves of a commit what is sound, the rest becomes findings: of the entries those that can be read, of a ref that
 * cannot be read nothing, and no ref where nothing is left. What is dropped has been kept elsewhere by the caller. */
gboolean ref_store_drop_damage(RefStore *store, const char *commit, FindingList *findings, GError **error);

/* Makes the folder entries of objects durable that a git program has written. */
gboolean ref_store_sync_packs(RefStore *store, GError **error);
