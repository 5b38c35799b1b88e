/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which baselines are kept, and ends the others: without this the number of refs grows for ever.
 *
 * Of each kept branch the newest commits that have baselines stay, so that at most `keep` refs a branch are left; what
 * is stored of other commits, of branches that are merged or gone, goes. Newest is decided by ancestry, not by clocks.
 * The objects go with git's next garbage collection. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

typedef struct {
	guint keep;                  /* commits with baselines that stay of each branch, at least 1 */
	const char *const *branches; /* names ("main") or full refnames, NULL-terminated; NULL = the default branch */
	/* whose baselines, and whose branches, are looked at; NULL = those of this repository */
	const char *remote;
	gboolean dry_run; /* only find out */
} RetentionRules;

typedef struct {
	gboolean dry_run;
	guint kept;
	guint removed; /* or, in a dry run, to be removed */
	guint refused; /* that stay as the remote did not let go or others changed them: `baseline_prune_refused` */
	guint damaged; /* that stay as their refs cannot be read: finding `baseline_corrupt` */
	GPtrArray *commits; /* full SHAs (char *) of the removed ones, sorted */
} RetentionResult;

void retention_result_clear(RetentionResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RetentionResult, retention_result_clear)

/* Removes what the rules do not keep. *result starts as {0}. Errors: FIREBREAK_ERROR_USAGE for a branch that is not
 * there, if nothing at all would be left (in a dry run, too), in a shallow clone, whose history does not tell what is
 * on a branch, or if the remote's branch has commits that are not in the clone; FIREBREAK_ERROR_STORAGE. Nothing is
 * removed then, but for what went before an I/O error.
 */
gboolean baseline_prune(BaselineStore *store, const RetentionRules *rules, FindingList *findings,
        RetentionResult *result, GError **error);
