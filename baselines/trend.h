/* SPDX-License-Identifier: Apache-2.0 */
/* The stored measurements along a line of history: what `history` and the gate look back on.
 *
 *     head ── parent ── parent ── ...      first parents: what a branch was, one commit after the other, without
 *      ●        ○         ●                what was merged into it; ● has baselines
 *
 * The refs of the commits are asked one by one, from the newest on, so the cost does not grow with the number of refs;
 * of a baseline its manifest is read, and its stacks only if asked for. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

typedef struct {
	char *sha;
	char *subject;  /* foreign text */
	gint64 time_s;  /* of the committer */
	guint position; /* distance from the oldest one in the list along first parents; 0 of that itself */
} TrendCommit;

/* Commits that are looked at before the search ends. */
#define TREND_MAX_COMMITS 20000

typedef struct {
	const char *head; /* full SHA; itself included */
	guint most;       /* commits with baselines */
	guint within;     /* commits to look at, 0 = TREND_MAX_COMMITS */
} TrendRequest;

/* The newest commits with a ref of the store, oldest first; a GPtrArray of TrendCommit owned by the caller. The end of
 * a shallow clone is the end of the history. Errors: FIREBREAK_ERROR_USAGE if head is not in the clone,
 * FIREBREAK_ERROR_STORAGE. */
GPtrArray *trend_commits(BaselineStore *store, const TrendRequest *request, GError **error);

typedef struct {
	const char *commit;    /* full SHA */
	const char *benchmark; /* NULL = all */
	gboolean stacks;       /* FALSE: measurements are without profile */
} TrendWanted;

/* The baselines of a commit, by fingerprint and benchmark; each has a stack table of its own. A GPtrArray of
 * Measurement owned by the caller. One that is damaged is a finding `baseline_corrupt` and left out. Errors:
 * FIREBREAK_ERROR_STORAGE. */
GPtrArray *trend_measurements(BaselineStore *store, const TrendWanted *wanted, FindingList *findings, GError **error);
