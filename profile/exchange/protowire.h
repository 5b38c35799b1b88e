/* SPDX-License-Identifier: Apache-2.0 */
/* The wire format of protocol buffers: a message is a sequence of (field number, type, value).
 *
 *     ProtoReader reader = proto_reader(bytes, length);
 *     ProtoField field;
 *     while (proto_next(&reader, &field))
 *             ...
 *     if (reader.is_damaged) ...
 *
 * Nothing is copied and nothing is nested here: the bytes of a message within a message are a reader of their own, and
 * the caller decides how deep to go. Every length is checked against what is there.
 *
 * Writing appends fields to bytes; a message within a message is written into bytes of its own first. */
#pragma once

#include <glib.h>

typedef struct {
	const guint8 *at, *end;
	gboolean is_damaged; /* ended because something was wrong */
} ProtoReader;

typedef enum {
	PROTO_VARINT = 0,
	PROTO_FIXED64 = 1,
	PROTO_BYTES = 2,
	PROTO_FIXED32 = 5,
} ProtoType;

typedef struct {
	guint32 number; /* at least 1 */
	ProtoType type;
	guint64 value;     /* of all types but PROTO_BYTES */
	ProtoReader bytes; /* of PROTO_BYTES */
} ProtoField;

/* A reader of these bytes, which are borrowed. */
ProtoReader proto_reader(const guint8 *bytes, gsize length);
/* The next field. FALSE at the end, or if the rest is damaged. Groups, which nobody writes any more, are damage. */
gboolean proto_next(ProtoReader *reader, ProtoField *field);
/* The next element of a repeated field of integers, which may be packed (many in one field) or not (one in each). Call
 * until it returns FALSE; a packed field is used up by it. Sets reader->is_damaged of the field's bytes. */
gboolean proto_next_integer(ProtoField *field, guint64 *value);

/* Appends a number without a field, as elements of packed fields are. A negative one is its two's complement. */
void proto_put_varint(GByteArray *out, guint64 value);
/* Appends a field with a number. */
void proto_put_integer(GByteArray *out, guint32 number, guint64 value);
/* Appends a field of `length` bytes: text, a message or packed numbers. */
void proto_put_bytes(GByteArray *out, guint32 number, const void *bytes, gsize length);
