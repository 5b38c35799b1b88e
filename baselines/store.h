/* SPDX-License-Identifier: Apache-2.0 */
/* The store of baselines: measurements in the repository's own object database, found by the commit they measure.
 *
 * There is one ref per measured commit (`refs/firebreak/<full SHA>`), so a reader needs only the ref of the base, also
 * in a shallow clone, and writers of different commits never meet. Below it there is one baseline per fingerprint and
 * benchmark; storing another measurement of the same benchmark on the same kind of machine replaces it. The fingerprint
 * is environment_fingerprint() of METRIC_REPLICABLE. The stored form is described in docs/FORMATS.md.
 *
 * Calling order: baseline_store_open(), then any of the others, from one thread. Lists and checks are in
 * baselines/inventory.h, files in baselines/transfer.h. What put() acknowledged survives a kill and a power cut; what
 * get() returns has matched its hashes. */
#pragma once

#include "baselines/git/refprefix.h"
#include "core/finding.h"
#include "model/measurement.h"

typedef struct BaselineStore BaselineStore;
struct RefStore;

/* Opens the store of the repository around `repo_path`: a working tree, linked working tree or bare repository.
 * `prefix` starts with "refs/" and ends with a slash; NULL is that of the setting `firebreak.prefix` in the git
 * configuration, or else BASELINE_STORE_PREFIX. Writes nothing. Errors are those of repo_open(), and
 * FIREBREAK_ERROR_USAGE for a prefix that git or its hosts use themselves. */
BaselineStore *baseline_store_open(const char *repo_path, const char *prefix, GError **error);
void baseline_store_free(BaselineStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BaselineStore, baseline_store_free)

/* Sets the time that a put waits for other writers before it gives up; it is 60000 ms unless set. A lock file that a
 * killed git left on the ref is removed after half of that. */
void baseline_store_set_patience(BaselineStore *store, guint patience_ms);

/* Sets where put() and the other writers report a damaged baseline that they replace, as a finding `baseline_corrupt`;
 * borrowed, NULL (at first) = nowhere. */
void baseline_store_set_findings(BaselineStore *store, FindingList *findings);

/* Stores a measurement under its commit, replacing an earlier one of the same benchmark and fingerprint. The same
 * measurement stored twice is the same object. An earlier one that is damaged is kept in a folder of
 * its own (baselines/quarantine.h). Errors: FIREBREAK_ERROR_USAGE if the measured commit is "worktree" or not in the
 * clone; FIREBREAK_ERROR_BASELINE if what the ref holds already is damaged (it is not touched); FIREBREAK_ERROR_STORAGE
 * if writing fails or other writers do not let go. */
gboolean baseline_store_put(BaselineStore *store, const Measurement *measurement, GError **error);

/* The baseline of a benchmark at a commit, its stacks in `table`; owned by the caller. `fingerprint` is a full one or
 * its first 16 digits; NULL takes the first there is, in the order of fingerprints. NULL without an error if there is
 * none. Errors: FIREBREAK_ERROR_USAGE for a commit that is no full SHA, FIREBREAK_ERROR_BASELINE for one that is
 * damaged or of a newer schema, FIREBREAK_ERROR_STORAGE. */
Measurement *baseline_store_get(BaselineStore *store, const char *commit, const char *fingerprint,
        const char *benchmark, StackTable *table, GError **error);

/* The refs and objects below, for the other modules of this folder; borrowed. */
struct RefStore *baseline_store_refs(BaselineStore *store);
