/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what object files say of themselves: which build they are, and by which tools they were made.
 *
 * Paths may come from dumps, and the files from a benchmark: only regular files are opened, sizes and offsets are
 * checked, and never more than 64 MiB of a file is read. */
#pragma once

#include <glib.h>

/* The beginning of its build-id in hexadecimal digits, or "sha256-..." with that of size and content; "" if it cannot
 * be read or is too large for that. Owned by the caller. */
char *object_identity(const char *path);
/* The content of its section .comment, at most 64 KiB, in which compilers and linkers leave their names; NULL if it has
 * none. Source: ELF specification, "Sections". */
GBytes *object_comment(const char *path);
