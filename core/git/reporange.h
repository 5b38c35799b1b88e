/* SPDX-License-Identifier: Apache-2.0 */
/* The commits between two others: what is reachable from one and not from the other, with the parents of each. */
#pragma once

#include "core/git/repo.h"

/* Longest range that is listed. */
#define REPO_RANGE_MAX 50000

typedef struct {
	char *sha;
	GArray *parents; /* of guint: positions in the range; parents outside of it are left out */
} RangeCommit;

typedef struct {
	const char *from,
	        *to; /* full SHAs; `from` is an ancestor of `to` and not in the range, `to` is its last commit */
	gboolean first_parent; /* follow only the first parent of each merge */
} RangePlan;

/* A GPtrArray of RangeCommit, each after its parents, owned by the caller; empty if both are the same commit. Errors:
 * FIREBREAK_ERROR_USAGE if `from` is no ancestor of `to` (naming their merge base), in a shallow clone, and for more
 * than REPO_RANGE_MAX commits. */
GPtrArray *repo_range(Repo *repo, const RangePlan *plan, GError **error);
