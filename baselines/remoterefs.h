/* SPDX-License-Identifier: Apache-2.0 */
/* The refs of baselines in a remote, and the way of their objects.
 *
 *     remote_refs_open -> remote_refs_list -> remote_refs_fetch -> (incoming_refs_list) -> incoming_refs_clear
 *                                          -> remote_refs_push
 *
 * What is fetched lies below `refs/firebreak-incoming/` (the prefix without its slash, and "-incoming/") until it has
 * been merged; whoever uses this holds the lock of store_lock_acquire_sync(), so that what lies there at first is left
 * from a process that was killed. Refs of a remote change by compare-and-swap only (`--force-with-lease` with the
 * expected value); what tells whether one did is git's table for programs (`--porcelain`), not its messages.
 *
 * Internal to this folder. Errors: FIREBREAK_ERROR_USAGE for a remote that is not configured, FIREBREAK_ERROR_STORAGE
 * where the remote does not answer, those of baselines/git/gitprogram.h. */
#pragma once

#include "baselines/git/refstore.h"

typedef struct {
	RefStore *store; /* borrowed */
	char *name;      /* of a configured remote */
} RemoteRefs;

/* The remote of that name; NULL is `origin`, or the only one there is. `store` must outlive it. */
RemoteRefs *remote_refs_open(RefStore *store, const char *name, GError **error);
void remote_refs_free(RemoteRefs *remote);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RemoteRefs, remote_refs_free)
/* TRUE if a remote of that name is configured. */
gboolean remote_refs_is_name(RefStore *store, const char *name);

/* Full SHAs of the commits with baselines in the remote, and what their refs point to, both hex: a GHashTable of char *
 * to char *, owned by the caller. The value is "" for a symbolic ref, through which a push would change another one;
 * older servers do not tell which ones are. */
GHashTable *remote_refs_list(const RemoteRefs *remote, GError **error);
/* The object that a ref of another kind, given by its full name, points to in the remote; NULL without an error if
 * there is none. Owned by the caller. */
char *remote_refs_value(const RemoteRefs *remote, const char *ref_name, GError **error);

/* Brings the refs of commits from..from+n-1 of `commits` (full SHAs), as far as the remote has them, n at most
 * REMOTE_REFS_BATCH. */
gboolean remote_refs_fetch(const RemoteRefs *remote, const GPtrArray *commits, guint from, guint n, GError **error);
/* SHAs of what was brought, sorted; a GPtrArray of char * owned by the caller. */
GPtrArray *incoming_refs_list(RefStore *store, GError **error);
/* Finds the object that was brought for a commit. */
gboolean incoming_refs_tip(RefStore *store, const char *commit, git_oid *tip, GError **error);
/* Drops all that was brought. */
gboolean incoming_refs_clear(RefStore *store, GError **error);

/* The most refs that one call of git handles. */
#define REMOTE_REFS_BATCH 2000

typedef enum {
	PUSH_DONE,
	PUSH_STALE,  /* the ref has another value than expected */
	PUSH_REFUSED /* the remote did not take it: a hook, a setting, no permission */
} PushResult;

typedef struct {
	const char *commit; /* borrowed */
	char tip[41];       /* new value, hex; "" = the ref is to go */
	char expected[41];  /* value that the ref has now, hex; "" = there is no such ref */
	PushResult result;  /* set by remote_refs_push() */
} PushItem;

/* Changes refs from..from+n-1 of `items`, a GArray of PushItem; sets their results. *reason is why one was refused,
 * NULL if none was; owned by the caller. A push that does not come to the remote's answer is an error, unless that is
 * for lack of permission. */
gboolean remote_refs_push(const RemoteRefs *remote, GArray *items, guint from, guint n, char **reason, GError **error);
