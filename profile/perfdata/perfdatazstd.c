/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatazstd.h"

#include "core/error.h"

#include <zstd.h>

enum {
	BLOCK_BYTES = 1 << 20,
	MAX_BLOCKS = 2048,
};

struct PerfInflater {
	gboolean is_swapped;
	ZSTD_DStream *stream;
	ZSTD_inBuffer piece;
	GPtrArray *blocks;      /* each of BLOCK_BYTES; the last one is filled */
	gsize filled, consumed; /* bytes of the last block */
};

PerfInflater *perf_inflater_new(gboolean is_swapped)
{
	PerfInflater *inflater = g_new0(PerfInflater, 1);
	inflater->is_swapped = is_swapped;
	inflater->stream = ZSTD_createDStream();
	inflater->blocks = g_ptr_array_new_with_free_func(g_free);
	inflater->filled = inflater->consumed = BLOCK_BYTES;
	return inflater;
}

void perf_inflater_free(PerfInflater *inflater)
{
	if (inflater == NULL)
		return;
	ZSTD_freeDStream(inflater->stream);
	g_ptr_array_unref(inflater->blocks);
	g_free(inflater);
}

static guint8 *last_block(const PerfInflater *inflater)
{
	return inflater->blocks->len > 0 ? inflater->blocks->pdata[inflater->blocks->len - 1] : NULL;
}

/* A new block, which begins with what is pending in the last one, so that every record lies in one piece. Blocks stay
 * where they are: rows of records point into them. */
static gboolean add_block(PerfInflater *inflater, GError **error)
{
	gsize pending = inflater->filled - inflater->consumed;
	const guint8 *before = last_block(inflater);
	g_assert(pending < BLOCK_BYTES);
	if (inflater->blocks->len == MAX_BLOCKS) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "its compressed records inflate to more than 2 GiB; record in smaller parts, or without -z");
		return FALSE;
	}
	guint8 *block = g_malloc(BLOCK_BYTES);
	if (pending > 0)
		memcpy(block, before + inflater->consumed, pending);
	g_ptr_array_add(inflater->blocks, block);
	inflater->filled = pending;
	inflater->consumed = 0;
	return TRUE;
}

void perf_inflater_feed(PerfInflater *inflater, PerfBytes piece)
{
	inflater->piece = (ZSTD_inBuffer){piece.bytes, piece.size, 0};
}

gboolean perf_inflater_step(PerfInflater *inflater, PerfBytes *pending, gboolean *is_done, GError **error)
{
	if (inflater->filled == BLOCK_BYTES && !add_block(inflater, error))
		return FALSE;
	ZSTD_outBuffer out = {last_block(inflater), BLOCK_BYTES, inflater->filled};
	if (inflater->piece.size > 0) {
		gsize status = ZSTD_decompressStream(inflater->stream, &out, &inflater->piece);
		if (ZSTD_isError(status)) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "corrupt: its compressed records cannot be inflated: %s", ZSTD_getErrorName(status));
			return FALSE;
		}
	}
	inflater->filled = out.pos;
	/* While the output is full, zstd may hold back more of a piece that it has read to its end. */
	*is_done = inflater->piece.pos == inflater->piece.size && out.pos < out.size;
	*pending = (PerfBytes){
	        last_block(inflater) + inflater->consumed, inflater->filled - inflater->consumed, inflater->is_swapped};
	return TRUE;
}

void perf_inflater_consume(PerfInflater *inflater, gsize size)
{
	g_assert(size <= inflater->filled - inflater->consumed);
	inflater->consumed += size;
}

gboolean perf_inflater_has_rest(const PerfInflater *inflater)
{
	return inflater->consumed < inflater->filled;
}
