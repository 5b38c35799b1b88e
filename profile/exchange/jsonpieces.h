/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is written piece by piece, because a tree of it would be many times as large as its text. For everything
 * else there is core/jsontext.h. */
#pragma once

#include <glib.h>

/* A string with its quotes. Bytes that are not UTF-8 are visible as `\xNN` (core/jsontext.h); all but ASCII is written
 * as `\uNNNN`, and `/` as `\/`, so that the text can stand in a script of a page. NULL is null. */
void json_put_text(GString *out, const char *text);
/* A whole number. */
void json_put_integer(GString *out, gint64 value);
/* A comma and a new line, unless this is the first of its list. */
void json_put_separator(GString *out, gboolean is_first);
/* A pair `"name":[value,value,...]` with `n` times the same value, which is JSON itself. */
void json_put_constants(GString *out, const char *name, const char *value, guint n);
