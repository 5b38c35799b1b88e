/* SPDX-License-Identifier: Apache-2.0 */
#include "baselines/git/looseobject.h"

#include "core/error.h"

#include <gio/gio.h>

/* Unpacks the stream and throws the result away. Whole means that it ends, with a right checksum, where the data do. */
static gboolean stream_is_whole(const char *data, gsize length)
{
	g_autoptr(GZlibDecompressor) zlib = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
	char discarded[16384];
	gsize done = 0;
	while (done < length) {
		gsize n_read, n_written;
		GConverterResult result = g_converter_convert(G_CONVERTER(zlib), data + done, length - done, discarded,
		        sizeof discarded, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
		if (result == G_CONVERTER_ERROR)
			return FALSE;
		done += n_read;
		if (result == G_CONVERTER_FINISHED)
			return done == length;
		if (n_read == 0 && n_written == 0)
			return FALSE;
	}
	return FALSE;
}

gboolean loose_object_check(const char *objects_folder, const char *oid, gboolean *is_whole, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%.2s/%s", objects_folder, oid, oid + 2);
	g_autofree char *data = NULL;
	g_autoptr(GError) cause = NULL;
	gsize length;
	*is_whole = TRUE;
	if (g_file_get_contents(path, &data, &length, &cause)) {
		*is_whole = stream_is_whole(data, length);
		return TRUE;
	}
	if (g_error_matches(cause, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		return TRUE;
	return firebreak_refuse(error, FIREBREAK_ERROR_STORAGE, "%s", cause->message);
}
