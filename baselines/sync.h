/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanging baselines with a remote of the repository, without a server of our own and without losing any.
 *
 * Both directions unite: a commit whose baselines differ here and there has those of both afterwards, here and, after a
 * push, there. Which of two baselines of one place stays is decided alike everywhere (baselines/refmerge.h). Many may
 * push at once: a ref that somebody else changed meanwhile is fetched, merged and pushed again, after a random pause.
 * Nothing damaged is taken over, and nothing damaged is passed on.
 *
 * One process of a repository talks to remotes at a time; others wait. Nothing is written outside of the refs of the
 * store. Errors: FIREBREAK_ERROR_USAGE for a remote or commit that is none, FIREBREAK_ERROR_ENVIRONMENT without a git
 * program, FIREBREAK_ERROR_STORAGE if the remote cannot be read or the machine refuses something. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

typedef struct {
	guint received; /* commits of which something new is stored here */
	guint sent;     /* commits of which something new is in the remote */
	guint same;     /* commits asked for that were the same on both sides */
	guint missing;  /* commits asked for of which the remote has nothing */
	guint refused;  /* commits whose baselines the remote did not take: finding `baseline_push_refused` */
	guint damaged;  /* commits with damage: findings `baseline_corrupt` */
} SyncCounts;

/* TRUE if a remote of that name is configured. */
gboolean baseline_is_remote(BaselineStore *store, const char *name);

/* Takes what the remote (NULL: `origin`, or the only one) has of `commits`, full SHAs, NULL-terminated; NULL = of all.
 * The commits need not be in the clone. Works in shallow and partial clones; the history does not come along. */
gboolean baseline_fetch(BaselineStore *store, const char *remote, const char *const *commits, FindingList *findings,
        SyncCounts *counts, GError **error);

/* Gives the remote what is stored here. A remote that can be read but refuses to be written to is a finding (a
 * warning), not an error. */
gboolean baseline_push(
        BaselineStore *store, const char *remote, FindingList *findings, SyncCounts *counts, GError **error);
