/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/gunzip.h"

#include "core/error.h"

#include <gio/gio.h>

#define CHUNK_BYTES 262144
#define MAX_LIMIT ((gsize)1 << 30)

typedef struct {
	GConverter *converter;
	const guint8 *at, *end;
	GByteArray *output;
} Gunzip;

gboolean gunzip_detect(const guint8 *bytes, gsize length)
{
	return length >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* One step. FALSE at the end of a compressed part, or with *error set. */
static gboolean take_chunk(Gunzip *gz, GError **error)
{
	gsize n_read = 0, n_written = 0;
	guint start = gz->output->len;
	g_byte_array_set_size(gz->output, start + CHUNK_BYTES);
	GConverterResult result = g_converter_convert(gz->converter, gz->at, (gsize)(gz->end - gz->at),
	        gz->output->data + start, CHUNK_BYTES, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, error);
	g_byte_array_set_size(gz->output, start + (guint)n_written);
	gz->at += n_read;
	return result == G_CONVERTER_CONVERTED || result == G_CONVERTER_FLUSHED;
}

/* Compressed parts may follow each other. Stops when there is more than `limit`. */
static GByteArray *decompress(const guint8 *bytes, gsize length, gsize limit, GError **error)
{
	g_autoptr(GConverter) converter = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	g_autoptr(GError) failure = NULL;
	Gunzip gz = {converter, bytes, bytes + length, g_byte_array_new()};
	/* gzip -c a b and tools that append write several parts (RFC 1952, 2.2). What follows the last one and is none
	 * is ignored, as gzip does. */
	while (failure == NULL && gz.output->len <= limit && gunzip_detect(gz.at, (gsize)(gz.end - gz.at))) {
		g_converter_reset(converter);
		while (take_chunk(&gz, &failure) && gz.output->len <= limit)
			continue;
	}
	if (failure != NULL)
		g_propagate_error(error, g_steal_pointer(&failure));
	return gz.output;
}

GByteArray *gunzip_beginning(const guint8 *bytes, gsize length, gsize limit)
{
	GByteArray *output = decompress(bytes, length, MIN(limit, MAX_LIMIT), NULL);
	g_byte_array_set_size(output, (guint)MIN(output->len, limit));
	return output;
}

GByteArray *gunzip(const guint8 *bytes, gsize length, gsize limit, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GByteArray) output = decompress(bytes, length, MIN(limit, MAX_LIMIT), &failure);
	if (failure == NULL && output->len <= MIN(limit, MAX_LIMIT))
		return g_steal_pointer(&output);
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "cannot be decompressed: %s",
	        failure != NULL ? failure->message : "its content is too large");
	return NULL;
}
