/* SPDX-License-Identifier: Apache-2.0 */
/* The build-id of an object file or of the running kernel, from its notes, and where a file is mapped, from its
 * segments, both without a library: what must be known to choose a file, before anybody reads the rest of it.
 *
 * A note is {u32 name length, u32 content length, u32 type}, name, content, the last two padded to 4 bytes. The bytes
 * are foreign; only native order is read. Source: ELF specification, "Note Section". */
#pragma once

#include <glib.h>

#define BUILD_ID_MAX_BYTES 20

/* Each returns the length of the build-id, 0 if there is none that can be read; longer ones are cut. */
guint build_id_from_notes(const guint8 *notes, gsize length, guint8 build_id[BUILD_ID_MAX_BYTES]);
/* The build-id of an ELF file; returns its length in bytes, 0 if it has none or cannot be read. */
guint build_id_of_file(const char *path, guint8 build_id[BUILD_ID_MAX_BYTES]);
/* The build-id of the running kernel; returns its length in bytes, 0 if it is not known. */
guint build_id_of_running_kernel(guint8 build_id[BUILD_ID_MAX_BYTES]);

/* FALSE if code that was mapped from `page_offset` on, `length` bytes, cannot be of this file: it has no code there, or
 * neither the file nor its image in memory is that long. A file of another kind, without segments, or none, cannot be
 * judged: TRUE. */
gboolean object_fits_map(const char *path, guint64 page_offset, guint64 length);
