/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses the records of a PerfWriter as `perf record -z` does: one zstd stream for all, cut into pieces without
 * regard to records, its frame never ended. */
#pragma once

#include "tests/profile/perfwriter.h"

#include <zstd.h>

enum { PERF_COMPRESSED = 81, PERF_COMPRESSED2 = 83 };

/* One piece as a record: the older kind is as long as it happens to be, the newer one is padded. */
static inline void put_piece(GByteArray *out, guint32 type, gconstpointer bytes, gsize length)
{
	const guint8 zeros[8] = {0};
	g_autoptr(GByteArray) body = g_byte_array_new();
	if (type == PERF_COMPRESSED2)
		put_u64(body, length);
	put_bytes(body, bytes, length);
	if (type == PERF_COMPRESSED2)
		put_bytes(body, zeros, -length & 7);
	put_record_into(out, type, 0, body);
}

/* Replaces the records by pieces of `piece_bytes` inflated bytes each. */
static inline void perf_writer_compress(PerfWriter *writer, guint32 type, guint piece_bytes)
{
	GByteArray *out = g_byte_array_new();
	ZSTD_CStream *stream = ZSTD_createCStream();
	gsize room = ZSTD_compressBound(piece_bytes) + 64;
	g_autofree guint8 *buffer = g_malloc(room);
	for (guint at = 0; at < writer->records->len; at += piece_bytes) {
		ZSTD_inBuffer in = {writer->records->data + at, MIN(piece_bytes, writer->records->len - at), 0};
		ZSTD_outBuffer piece = {buffer, room, 0};
		gsize left = ZSTD_compressStream2(stream, &piece, &in, ZSTD_e_flush);
		g_assert(left == 0 && in.pos == in.size);
		put_piece(out, type, buffer, piece.pos);
	}
	ZSTD_freeCStream(stream);
	g_byte_array_unref(writer->records);
	writer->records = out;
}
