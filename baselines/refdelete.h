/* Removing many refs at once: in one transaction of git, so that the time does not grow with the square of their
 * number. Holds the lock of the store meanwhile; lock files of git processes that were killed are removed as those of a
 * single ref are (baselines/storelock.h). Internal to this folder. */
#pragma once

#include "baselines/refstore.h"

/* Removes the refs <prefix><commit> of all `commits` (full SHAs), whatever they point to. Errors:
 * FIREBREAK_ERROR_STORAGE; then some of them may be gone. */
gboolean ref_delete_all(RefStore *store, const char *prefix, const GPtrArray *commits, GError **error);
