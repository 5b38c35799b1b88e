/* SPDX-License-Identifier: Apache-2.0 */
/* The state from which runs start: the same for each of them, so that none finds what an earlier one kept.
 *
 * The tree is as it was built (runner/trees/treestate.h); a run may write to it, and what it wrote is gone before the
 * next. HOME and TMPDIR are new and empty (runner/runfolder.h). The folders of the check hold nothing that is not
 * the check's (runner/trees/arena.h). What lies elsewhere (/dev/shm, /var/tmp, sockets of the network) is not looked
 * at. */
#pragma once

#include "runner/executor.h"

/* To be called before `n` runs begin, while neither build nor run goes on. What had to be mended is a finding. Errors:
 * FIREBREAK_ERROR_INVALID or FIREBREAK_ERROR_STORAGE where it cannot be mended. */
gboolean run_state_restore(const RunRequest *requests, guint n, FindingList *findings, GError **error);
