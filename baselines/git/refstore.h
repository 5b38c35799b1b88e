/* SPDX-License-Identifier: Apache-2.0 */
/* The git side of the baseline store: which objects and refs hold what, and how they are found.
 *
 *     refs/firebreak/<full SHA of the measured commit>
 *         -> commit without parents, author and committer `firebreak`, at the time of the measured commit
 *              tree
 *                <first 16 hex digits of the fingerprint>/
 *                    <file name of the benchmark>/
 *                        manifest.json
 *                        stacks            only with a profile
 *                calibration/                  only with A/A campaigns
 *                    <first 16 hex digits of the fingerprint>/
 *                        <file name of the benchmark>/
 *                            <name>.json   one per campaign
 *
 * Everything in it follows from the measurements and the measured commit, so the same baselines are the same object in
 * every clone. Refs are changed by baselines/refwrite.h. Refs of other forms below the prefix are left alone.
 *
 * Internal to this folder; users take baselines/store.h. A RefStore is used by one thread. Errors:
 * FIREBREAK_ERROR_USAGE for a commit that is no full SHA, FIREBREAK_ERROR_BASELINE for objects that are missing or
 * damaged, FIREBREAK_ERROR_STORAGE for what the machine refuses. */
#pragma once

#include "baselines/git/objectsync.h"
#include "baselines/git/refsnapshot.h"
#include "core/finding.h"
#include "core/git/repo.h"

typedef struct RefStore RefStore;

/* Opens the repository around `repo_path` (working tree, linked working tree or bare). `prefix` starts with "refs/",
 * ends with a slash and is none that git gives a meaning; NULL is that of the setting `firebreak.prefix` in the
 * repository's git configuration, or BASELINE_STORE_PREFIX. */
RefStore *ref_store_open(const char *repo_path, const char *prefix, GError **error);
void ref_store_free(RefStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RefStore, ref_store_free)

/* Sets the time that a write waits for other writers; it is 60 s unless set. */
void ref_store_set_patience(RefStore *store, guint patience_ms);
/* Tells where a write reports what was damaged and is replaced; borrowed, NULL = nowhere. */
void ref_store_set_findings(RefStore *store, FindingList *findings);
/* That list; borrowed, or NULL. */
FindingList *ref_store_findings(const RefStore *store);
/* The repository; borrowed. */
Repo *ref_store_repo(const RefStore *store);
/* "refs/firebreak/" or what is in its place; borrowed. */
const char *ref_store_prefix(const RefStore *store);

/* That number of milliseconds. */
guint ref_store_patience(const RefStore *store);
/* When the packs were synced last; borrowed. */
PackWatch *ref_store_packs(RefStore *store);
/* The full name of a commit's ref; owned by the caller. */
char *ref_store_name(const RefStore *store, const char *commit, GError **error);

/* Refuses what is not 40 lower-case hex digits: short SHAs, "worktree". */
gboolean ref_store_check_commit(const char *commit, GError **error);

/* SHAs of all commits with a ref, sorted; a GPtrArray of char * owned by the caller. */
GPtrArray *ref_store_commits(RefStore *store, GError **error);

/* Finds the object that the ref of a commit points to; *found is FALSE if there is no such ref. */
gboolean ref_store_tip(RefStore *store, const char *commit, git_oid *tip, gboolean *found, GError **error);

/* The tree that one commit's ref names at this moment. NULL without an error if the commit has no ref. */
RefSnapshot *ref_store_snapshot(RefStore *store, const char *commit, GError **error);
