/* SPDX-License-Identifier: Apache-2.0 */
/* Removing many refs at once: in one transaction of git, so that the time does not grow with the square of their
 * number. Holds the lock of the store meanwhile; lock files of git processes that were killed are removed as those of a
 * single ref are (baselines/git/storelock.h). Internal to this folder. */
#pragma once

#include "baselines/git/refstore.h"

/* A ref that is to go. */
typedef struct {
	const char *commit;            /* full SHA, borrowed */
	char value[GIT_OID_HEXSZ + 1]; /* what it must still point to, hex; "" = it goes whatever it points to */
	gboolean stays;                /* set by ref_delete_all(): by now it points to something else */
} RefDeletion;

/* Removes the refs <prefix><commit> of all `deletions`, a GArray of RefDeletion, but for those that somebody has
 * changed; one that is gone already is removed. Errors: FIREBREAK_ERROR_STORAGE; then some of them may be gone. */
gboolean ref_delete_all(RefStore *store, const char *prefix, GArray *deletions, GError **error);
