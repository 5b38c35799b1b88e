/* SPDX-License-Identifier: Apache-2.0 */
/* Folders in which damage is kept: `<git folder>/firebreak/damaged/<SHA of the commit>-<number>/`. What is in them is
 * described in baselines/quarantine.h. Internal to this folder. Errors: FIREBREAK_ERROR_STORAGE. */
#pragma once

#include "baselines/git/refstore.h"
#include "core/finding.h"

typedef struct {
	RefStore *refs;     /* borrowed */
	const char *commit; /* borrowed */
	char *path;         /* the folder; NULL until there is one */
	guint n_entries;    /* kept so far */
} DamageFolder;

void damage_folder_clear(DamageFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DamageFolder, damage_folder_clear)

/* Makes the folder, under the first number that is free, unless that has been done. */
gboolean damage_folder_make(DamageFolder *folder, GError **error);
/* Writes a file into the folder, which is made if need be; `length` in bytes. */
gboolean damage_folder_keep(DamageFolder *folder, const char *name, const char *text, gsize length, GError **error);
/* Keeps the texts of an entry or campaign at `path` if it is damaged but its git objects can be read; *reason is then
 * why, owned by the caller, else NULL. */
gboolean damage_folder_keep_entry(
        DamageFolder *folder, const RefSnapshot *snapshot, const char *path, char **reason, GError **error);

/* Keeps what is damaged among what `updates` (of git_tree_update) are about to replace in `snapshot`; each becomes a
 * finding `baseline_corrupt`, a warning. `findings` may be NULL. */
gboolean damage_keep_replaced(DamageFolder *folder, const RefSnapshot *snapshot, const GArray *updates,
        FindingList *findings, GError **error);
