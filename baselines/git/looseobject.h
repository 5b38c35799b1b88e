/* SPDX-License-Identifier: Apache-2.0 */
/* A guard for reading git objects.
 *
 * An object that git has not packed lies zlib-compressed in a file of its own. libgit2 1.5 reads such a file for ever
 * if its stream does not come to an end: a file that was cut short, or one with a changed bit. So every object of the
 * store is looked at here before libgit2 gets to read it. */
#pragma once

#include <glib.h>

/* *is_whole is FALSE if the object `oid` (hex) has a file of its own in `objects_folder` whose compressed stream is cut
 * or damaged. TRUE for a whole stream, and for an object without such a file (packed, or not there). Whether the
 * content matches the object's name is for libgit2 to check. Errors: FIREBREAK_ERROR_STORAGE for a file that is there
 * but cannot be read, which libgit2 would take for absent. */
gboolean loose_object_check(const char *objects_folder, const char *oid, gboolean *is_whole, GError **error);
