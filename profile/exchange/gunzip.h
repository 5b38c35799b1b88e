/* SPDX-License-Identifier: Apache-2.0 */
/* Content of bytes that gzip compressed. */
#pragma once

#include <glib.h>

/* TRUE if bytes begin like something compressed by gzip. */
gboolean gunzip_detect(const guint8 *bytes, gsize length);
/* The first `limit` bytes of the content, at most; less if it is shorter, or damaged further on. Owned by the caller.
 */
GByteArray *gunzip_beginning(const guint8 *bytes, gsize length, gsize limit);
/* The whole content. Errors: FIREBREAK_ERROR_INVALID if it is damaged or longer than `limit` bytes, at most 1 GiB.
 * Owned by the caller. */
GByteArray *gunzip(const guint8 *bytes, gsize length, gsize limit, GError **error);
