/* SPDX-License-Identifier: Apache-2.0 */
/* Where a result goes: standard output, or the file of -o. */
#pragma once

#include <glib.h>

/* Writes the text to `path`; NULL and "-" are standard output. A file is there whole or not at all, and one that
 * was there before stays if writing fails; a link is followed. Devices and pipes are written to as they are. Errors:
 * FIREBREAK_ERROR_STORAGE. */
gboolean output_write(const char *path, const char *text, GError **error);
/* The same with bytes, which may hold NULs. */
gboolean output_write_bytes(const char *path, const char *bytes, gsize length, GError **error);

/* Where writing to standard output failed with EPIPE, as in `firebreak top | head`, the process ends by SIGPIPE without
 * a word, like other programs, though it ignores that signal everywhere else. Any other errno: does nothing. */
void output_end_if_unread(int error_number);

/* Errors with FIREBREAK_ERROR_USAGE if `path` is one of the files in the NULL-terminated list `inputs`, of which "-" is
 * standard input, under whatever name. To be called before anything is read. */
gboolean output_is_no_input(const char *path, char *const *inputs, GError **error);

/* Prints a result to stdout and flushes it. FALSE with a message on stderr when it could not be written. Ends the
 * process by SIGPIPE if nobody reads it. */
gboolean print_result(const char *text);
