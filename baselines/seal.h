/* SPDX-License-Identifier: Apache-2.0 */
/* JSON texts that carry their own schema version and hash, so that no damaged byte is believed.
 *
 *     {
 *      "schema": "firebreak-baseline/1",
 *      "sha256": "4b1d...",
 *      ... the members of the object ...
 *     }
 *
 * The hash is the SHA-256 of the whole text with the 64 digits of the hash itself replaced by zeros. So every changed,
 * missing or added byte shows, also in blanks, in the version and in the hash. */
#pragma once

#include "core/jsontext.h"

/* The sealed form of `object`, the text of a JSON object with at least one member ("{ ... }"); ends with a newline.
 * Owned by the caller. */
GString *seal_json(const char *kind, guint version, const char *object);
/* The same of an object as data; numbers keep all 17 digits. */
GString *seal_object(const char *kind, guint version, const json_t *object);

/* Checks a sealed text of this kind with a version up to `newest`. Errors: FIREBREAK_ERROR_BASELINE for another kind, a
 * newer version, or bytes that do not match the hash. */
gboolean seal_verify(const GString *text, const char *kind, guint newest, GError **error);

/* The version of a sealed text of this kind, whose hash was checked, also of a version that is too new to be read: the
 * rule for the hash is that of all versions. Errors: FIREBREAK_ERROR_BASELINE. */
gboolean seal_version(const GString *text, const char *kind, guint *version, GError **error);
