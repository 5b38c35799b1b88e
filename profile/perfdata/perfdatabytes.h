/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign bytes in either order, read with bounds checked. Internal to the perf.data reader. */
#pragma once

#include <glib.h>
#include <string.h>

/* A part of a recording. */
typedef struct {
	const guint8 *bytes;
	gsize size;
	gboolean is_swapped; /* the recorder's order of bytes is not this machine's */
} PerfBytes;

/* The part [offset, offset + size); FALSE if it does not fit. */
static inline gboolean perf_bytes_part(PerfBytes bytes, guint64 offset, guint64 size, PerfBytes *part)
{
	if (offset > bytes.size || size > bytes.size - offset)
		return FALSE;
	*part = (PerfBytes){bytes.bytes + offset, (gsize)size, bytes.is_swapped};
	return TRUE;
}

/* The bytes from `offset` on; none if that is beyond the end. */
static inline PerfBytes perf_bytes_rest(PerfBytes bytes, gsize offset)
{
	gsize start = MIN(offset, bytes.size);
	return (PerfBytes){bytes.bytes + start, bytes.size - start, bytes.is_swapped};
}

/* Values at `offset`, handed out in this machine's order; FALSE, with *value untouched, if they do not fit. */
static inline gboolean perf_bytes_u16(PerfBytes bytes, gsize offset, guint16 *value)
{
	if (offset > bytes.size || sizeof *value > bytes.size - offset)
		return FALSE;
	memcpy(value, bytes.bytes + offset, sizeof *value);
	*value = bytes.is_swapped ? GUINT16_SWAP_LE_BE(*value) : *value;
	return TRUE;
}

static inline gboolean perf_bytes_u32(PerfBytes bytes, gsize offset, guint32 *value)
{
	if (offset > bytes.size || sizeof *value > bytes.size - offset)
		return FALSE;
	memcpy(value, bytes.bytes + offset, sizeof *value);
	*value = bytes.is_swapped ? GUINT32_SWAP_LE_BE(*value) : *value;
	return TRUE;
}

static inline gboolean perf_bytes_u64(PerfBytes bytes, gsize offset, guint64 *value)
{
	if (offset > bytes.size || sizeof *value > bytes.size - offset)
		return FALSE;
	memcpy(value, bytes.bytes + offset, sizeof *value);
	*value = bytes.is_swapped ? GUINT64_SWAP_LE_BE(*value) : *value;
	return TRUE;
}

/* A text that ends inside of the bytes; NULL if it does not. */
static inline const char *perf_bytes_text(PerfBytes bytes, gsize offset)
{
	if (offset >= bytes.size || memchr(bytes.bytes + offset, '\0', bytes.size - offset) == NULL)
		return NULL;
	return (const char *)bytes.bytes + offset;
}
