/* SPDX-License-Identifier: Apache-2.0 */
/* The order of commits by ancestry. */
#pragma once

#include "core/git/repo.h"

/* Sorts a GPtrArray of full SHAs (char *) in place, oldest first: a commit comes after all its ancestors, whatever the
 * clocks of their authors said; among unrelated ones the earlier committer time comes first, then the smaller SHA.
 * Commits that are not in the clone come before all others, by SHA. Ancestry through commits that are more than a day
 * older than the oldest one listed is not seen; this bounds the walk to the part of the history that is asked about. */
gboolean ancestry_sort(Repo *repo, GPtrArray *commits, GError **error);
