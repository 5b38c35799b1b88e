/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/gzipwrite.h"

#include <gio/gio.h>

#define CHUNK_BYTES 65536
/* Levels above take two to three times as long for a few percent. */
#define COMPRESSION_LEVEL 6

struct GzipWriter {
	GConverter *compressor;
	GString *output;
};

GzipWriter *gzip_writer_new(void)
{
	GzipWriter *writer = g_new0(GzipWriter, 1);
	writer->compressor = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, COMPRESSION_LEVEL));
	writer->output = g_string_new(NULL);
	return writer;
}

/* Compresses up to `length` bytes; *n_read is how many were taken. Compressing from memory into a free buffer cannot
 * fail. */
static GConverterResult convert(
        GzipWriter *writer, const void *bytes, gsize length, GConverterFlags flags, gsize *n_read)
{
	char chunk[CHUNK_BYTES];
	gsize n_written = 0;
	GConverterResult result = g_converter_convert(
	        writer->compressor, bytes, length, chunk, sizeof(chunk), flags, n_read, &n_written, NULL);
	g_assert(result != G_CONVERTER_ERROR);
	g_string_append_len(writer->output, chunk, (gssize)n_written);
	return result;
}

void gzip_writer_add(GzipWriter *writer, const void *bytes, gsize length)
{
	const guint8 *at = bytes;
	while (length > 0) {
		gsize n_read = 0;
		convert(writer, at, length, G_CONVERTER_NO_FLAGS, &n_read);
		at += n_read;
		length -= n_read;
	}
}

GString *gzip_writer_finish(GzipWriter *writer)
{
	gsize n_read = 0;
	GString *output = writer->output;
	while (convert(writer, "", 0, G_CONVERTER_INPUT_AT_END, &n_read) != G_CONVERTER_FINISHED)
		continue;
	g_object_unref(writer->compressor);
	g_free(writer);
	return output;
}
