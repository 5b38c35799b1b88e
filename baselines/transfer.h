/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines as files: everything stored of one commit, A/A campaigns included, in one self-contained, sealed JSON file.
 *
 * The file holds the stored texts byte for byte, so an import makes the same objects as in the store they came from. A
 * file that does not match its hash, or whose baselines do not match theirs, is refused as a whole. */
#pragma once

#include "baselines/store.h"

/* Writes all baselines and A/A campaigns of a commit (full SHA) to `path`, replacing the file in one step. Errors:
 * FIREBREAK_ERROR_USAGE for what is no full SHA, FIREBREAK_ERROR_BASELINE if there is none or one is damaged,
 * FIREBREAK_ERROR_STORAGE. */
gboolean baseline_export(BaselineStore *store, const char *commit, const char *path, GError **error);

/* Stores all baselines and A/A campaigns of a file, all or none, and returns the SHA they are stored under; owned by
 * the caller. `commit` NULL keeps that of the file, which need not be in this clone; another full SHA stores them as
 * measurements of that commit, which must be in the clone (for measurements of a commit whose SHA changed in a rebase).
 * Errors: as for baseline_store_put(), and FIREBREAK_ERROR_BASELINE for a file that is damaged, of a newer schema or
 * holds nothing. */
char *baseline_import(BaselineStore *store, const char *path, const char *commit, GError **error);

/* The measurements in a file, without any store: a GPtrArray of Measurement owned by the caller, by fingerprint and
 * benchmark, all with their stacks in `table`. *commit (may be NULL) is the commit they measure, owned by the caller.
 * Errors: FIREBREAK_ERROR_BASELINE, FIREBREAK_ERROR_STORAGE. */
GPtrArray *baseline_export_read(const char *path, StackTable *table, char **commit, GError **error);
