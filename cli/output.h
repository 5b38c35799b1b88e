/* Where a result goes: standard output, or the file of -o. */
#pragma once

#include <glib.h>

/* Writes the text to `path`; NULL and "-" are standard output. A file is there whole or not at all, and one that
 * was there before stays if writing fails; a link is followed. Devices and pipes are written to as they are. Errors:
 * FIREBREAK_ERROR_STORAGE. */
gboolean output_write(const char *path, const char *text, GError **error);
