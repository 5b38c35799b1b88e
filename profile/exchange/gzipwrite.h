/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes compressed by gzip while they come: only the result is kept in memory. There is no name and no time in its
 * header, so that equal bytes give equal results.
 *
 *     gzip_writer_new()
 *     gzip_writer_add()     as often as there is something
 *     gzip_writer_finish()  once; frees the writer */
#pragma once

#include <glib.h>

typedef struct GzipWriter GzipWriter;

GzipWriter *gzip_writer_new(void);
/* Appends bytes to what is compressed. */
void gzip_writer_add(GzipWriter *writer, const void *bytes, gsize length);
/* The result: bytes, which may hold NULs, and their number. Owned by the caller; the writer is gone. */
GString *gzip_writer_finish(GzipWriter *writer);
