/* SPDX-License-Identifier: Apache-2.0 */
/* Does what `firebreak compare` says: judges two stored measurements of every benchmark, and runs nothing.
 *
 * Counts gate, with the policy of base's firebreak.yml where the clone has that commit, else with the defaults.
 * What was timed is shown and never judged: only runs of one check can be compared in time. A benchmark that was
 * counted on both sides is judged by its counts alone; one that was only timed is inconclusive. Measurements belong
 * together if their fingerprints are equal. */
#pragma once

#include "compare/result.h"

typedef struct {
	const char *repo_path;
	const char *base, *head; /* revisions or exported files */
	char *const *benchmarks; /* only these, NULL = all */
	gboolean allow_policy_change;
} StoredRequest;

/* A result comes out of every ending. Owned by the caller. */
CheckResult *compare_stored(const StoredRequest *request);
