/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a ref of the store at one moment; later writes do not change them. The layout is in
 * baselines/git/refstore.h.
 *
 * Nothing is trusted: every object is looked at before it is read (baselines/git/objectread.h), names that are not of
 * the documented form are skipped, and nothing is followed deeper than the layout goes. Internal to this folder.
 * Errors: FIREBREAK_ERROR_BASELINE for objects that are missing or damaged, FIREBREAK_ERROR_STORAGE for what the
 * machine refuses. */
#pragma once

#include "baselines/git/entrytexts.h"
#include "core/git/gitcleanup.h"

/* The digits of a fingerprint that are in a path; the whole of it is in the texts. */
#define REF_STORE_FINGERPRINT_DIGITS 16
/* The folder of A/A campaigns. */
#define REF_CALIBRATION_FOLDER "calibration"
/* The beginning of the commit's message; the measured commit follows. */
#define REF_SNAPSHOT_MESSAGE "firebreak baseline of "

typedef struct RefSnapshot RefSnapshot;

/* The contents of the commit `tip`, to which the ref points. `git` stays the caller's and must outlive the snapshot. */
RefSnapshot *ref_snapshot_at(git_repository *git, const char *ref_name, const git_oid *tip, GError **error);
void ref_snapshot_free(RefSnapshot *snapshot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RefSnapshot, ref_snapshot_free)

/* Seconds since 1970 of the commit object. */
gint64 ref_snapshot_time(const RefSnapshot *snapshot);
/* The tree of the ref; borrowed. */
git_tree *ref_snapshot_root(const RefSnapshot *snapshot);
/* The folder at a path such as "0123456789abcdef/parse"; owned by the caller. NULL without an error if there is none;
 * something else than a folder in its place is damage. */
git_tree *ref_snapshot_folder(const RefSnapshot *snapshot, const char *path, GError **error);

/* Finds the entry at a path. FALSE without an error if there is none. */
gboolean ref_snapshot_find(
        const RefSnapshot *snapshot, const char *path, git_oid *id, git_filemode_t *mode, GError **error);
/* Names in the root that no version of the layout has had so far: of later ones, perhaps. Folders and files only,
 * sorted; a GPtrArray of char * owned by the caller. */
GPtrArray *ref_snapshot_unknown(const RefSnapshot *snapshot);

/* Paths of the baselines, "<16 digits>/<benchmark file>", sorted; a GPtrArray of char * owned by the caller. */
GPtrArray *ref_snapshot_entries(const RefSnapshot *snapshot, GError **error);
/* Manifest and, if asked for and there, stacks of a baseline. NULL without an error if there is no such entry. */
MeasurementText *ref_snapshot_read(
        const RefSnapshot *snapshot, const char *entry, gboolean with_stacks, GError **error);

/* One file of a baseline, whatever the others are like; owned by the caller. NULL without an error if it is not there.
 */
GString *ref_snapshot_read_file(const RefSnapshot *snapshot, const char *entry, const char *name, GError **error);

/* Paths of the A/A campaigns, "calibration/<16 digits>/<benchmark file>/<name>.json", sorted; a GPtrArray of char *
 * owned by the caller. */
GPtrArray *ref_snapshot_campaigns(const RefSnapshot *snapshot, GError **error);
/* The text of an A/A campaign; owned by the caller. A missing one is damage. */
GString *ref_snapshot_read_campaign(const RefSnapshot *snapshot, const char *path, GError **error);
