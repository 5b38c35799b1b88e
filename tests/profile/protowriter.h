/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in the wire format of protocol buffers, for tests. */
#pragma once

#include <glib.h>
#include <string.h>

static inline void put_varint(GByteArray *out, guint64 value)
{
	do {
		guint8 byte = (guint8)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		g_byte_array_append(out, &byte, 1);
		value >>= 7;
	} while (value != 0);
}

static inline void put_integer(GByteArray *out, guint field, guint64 value)
{
	put_varint(out, field << 3);
	put_varint(out, value);
}

static inline void put_bytes(GByteArray *out, guint field, const void *bytes, gsize length)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, length);
	g_byte_array_append(out, bytes, (guint)length);
}

static inline void put_string(GByteArray *out, guint field, const char *text)
{
	put_bytes(out, field, text, strlen(text));
}

/* Writes the message as a field and forgets it. */
static inline void put_message(GByteArray *out, guint field, GByteArray *message)
{
	put_bytes(out, field, message->data, message->len);
	g_byte_array_unref(message);
}

static inline void put_packed(GByteArray *out, guint field, const guint64 *values, guint n)
{
	GByteArray *packed = g_byte_array_new();
	for (guint i = 0; i < n; i++)
		put_varint(packed, values[i]);
	put_message(out, field, packed);
}
