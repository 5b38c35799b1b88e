/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of trees. */
#pragma once

#include <glib.h>

/* Copies the folder `from` to `to`, which is not there, with modes, times, links and attributes; it shares the blocks
 * of the file system where it can. Errors: FIREBREAK_ERROR_STORAGE. */
gboolean tree_copy(const char *from, const char *to, GError **error);
