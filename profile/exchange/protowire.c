/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/protowire.h"

#include <string.h>

#define MAX_VARINT_BYTES 10

ProtoReader proto_reader(const guint8 *bytes, gsize length)
{
	return (ProtoReader){bytes, bytes + length, FALSE};
}

static gboolean damaged(ProtoReader *reader)
{
	reader->at = reader->end;
	reader->is_damaged = TRUE;
	return FALSE;
}

/* Seven bits per byte, lowest first; the last byte has no high bit. */
static gboolean take_varint(ProtoReader *reader, guint64 *value)
{
	*value = 0;
	for (guint i = 0; i < MAX_VARINT_BYTES && reader->at < reader->end; i++) {
		guint8 byte = *reader->at++;
		*value |= (guint64)(byte & 0x7f) << (7 * i);
		if ((byte & 0x80) == 0)
			return TRUE;
	}
	return damaged(reader);
}

static gboolean take_fixed(ProtoReader *reader, gsize length, guint64 *value)
{
	guint8 bytes[sizeof(*value)] = {0};
	if ((gsize)(reader->end - reader->at) < length)
		return damaged(reader);
	memcpy(bytes, reader->at, length);
	memcpy(value, bytes, sizeof(*value));
	*value = GUINT64_FROM_LE(*value);
	reader->at += length;
	return TRUE;
}

static gboolean take_bytes(ProtoReader *reader, ProtoReader *bytes)
{
	guint64 length;
	if (!take_varint(reader, &length))
		return FALSE;
	if (length > (guint64)(reader->end - reader->at))
		return damaged(reader);
	*bytes = proto_reader(reader->at, (gsize)length);
	reader->at += length;
	return TRUE;
}

gboolean proto_next(ProtoReader *reader, ProtoField *field)
{
	guint64 key;
	*field = (ProtoField){0};
	if (reader->at == reader->end || !take_varint(reader, &key))
		return FALSE;
	if (key >> 3 == 0 || key >> 3 > G_MAXINT32)
		return damaged(reader);
	field->number = (guint32)(key >> 3);
	field->type = (ProtoType)(key & 7);
	switch (field->type) {
	case PROTO_VARINT:
		return take_varint(reader, &field->value);
	case PROTO_FIXED64:
		return take_fixed(reader, 8, &field->value);
	case PROTO_BYTES:
		return take_bytes(reader, &field->bytes);
	case PROTO_FIXED32:
		return take_fixed(reader, 4, &field->value);
	}
	return damaged(reader);
}

gboolean proto_next_integer(ProtoField *field, guint64 *value)
{
	if (field->type == PROTO_BYTES)
		return field->bytes.at != field->bytes.end && take_varint(&field->bytes, value);
	*value = field->value;
	field->type = PROTO_BYTES; /* an unpacked one is used up: no bytes are left */
	return TRUE;
}

void proto_put_varint(GByteArray *out, guint64 value)
{
	guint8 bytes[MAX_VARINT_BYTES];
	guint n = 0;
	for (; value > 0x7f; value >>= 7)
		bytes[n++] = (guint8)((value & 0x7f) | 0x80);
	bytes[n++] = (guint8)value;
	g_byte_array_append(out, bytes, n);
}

void proto_put_integer(GByteArray *out, guint32 number, guint64 value)
{
	proto_put_varint(out, (guint64)number << 3 | PROTO_VARINT);
	proto_put_varint(out, value);
}

void proto_put_bytes(GByteArray *out, guint32 number, const void *bytes, gsize length)
{
	proto_put_varint(out, (guint64)number << 3 | PROTO_BYTES);
	proto_put_varint(out, length);
	g_byte_array_append(out, bytes, (guint)length);
}
