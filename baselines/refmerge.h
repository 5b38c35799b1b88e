/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the contents of two stores for one commit.
 *
 * The union of both, entry by entry. Where both have an entry and the two differ, one of them stays, and whichever
 * side merges and in whatever order, it is the same one:
 *
 *     1. a sound one rather than a damaged one
 *     2. the one with the newer schema
 *     3. the one with more runs
 *     4. the one whose git object has the greater name
 *
 * So stores that exchange what they have end up equal. A damaged entry never gets from one store into another; it is a
 * finding `baseline_corrupt`. Entries of a newer schema are carried over after a check of their hash, and what later
 * versions may have added to the layout is carried over as it is. Internal to this folder. */
#pragma once

#include "baselines/git/refsnapshot.h"
#include "core/finding.h"

typedef struct {
	const char *commit;
	const RefSnapshot *local; /* NULL = nothing is stored of the commit here */
	const RefSnapshot *incoming;
	FindingList *findings;
} RefMerge;

/* Appends what `local` has to take from `incoming` to `updates`, a GArray of git_tree_update; `paths` owns their paths.
 * Damage is a finding; other errors are FIREBREAK_ERROR_STORAGE. */
gboolean ref_merge_updates(const RefMerge *merge, GArray *updates, GPtrArray *paths, GError **error);
