/* SPDX-License-Identifier: Apache-2.0 */
/* Writes jitdumps for tests, record by record, in either order of bytes. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct {
	GByteArray *bytes;
	gboolean is_big_endian;
} JitWriter;

static inline void jit_u32(JitWriter *writer, guint32 value)
{
	value = writer->is_big_endian ? GUINT32_TO_BE(value) : GUINT32_TO_LE(value);
	g_byte_array_append(writer->bytes, (const guint8 *)&value, sizeof value);
}

static inline void jit_u64(JitWriter *writer, guint64 value)
{
	value = writer->is_big_endian ? GUINT64_TO_BE(value) : GUINT64_TO_LE(value);
	g_byte_array_append(writer->bytes, (const guint8 *)&value, sizeof value);
}

static inline void jit_text(JitWriter *writer, const char *text)
{
	g_byte_array_append(writer->bytes, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* The header; `flags` 1 = times are not those of a clock. */
static inline JitWriter jit_writer_new(gboolean is_big_endian, guint64 flags)
{
	JitWriter writer = {g_byte_array_new(), is_big_endian};
	const guint32 words[] = {0x4a695444, 1, 40, 62, 0, 4711};
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		jit_u32(&writer, words[i]);
	jit_u64(&writer, 0);
	jit_u64(&writer, flags);
	return writer;
}

static inline void jit_head(JitWriter *writer, guint32 id, gsize body_bytes, guint64 time_ns)
{
	jit_u32(writer, id);
	jit_u32(writer, 16 + (guint32)body_bytes);
	jit_u64(writer, time_ns);
}

typedef struct {
	guint64 time_ns, address, size, index;
	const char *name;
} JitLoad;

static inline void jit_load(JitWriter *writer, const JitLoad *load)
{
	jit_head(writer, 0, 40 + strlen(load->name) + 1 + load->size, load->time_ns);
	jit_u32(writer, 4711);
	jit_u32(writer, 4711);
	const guint64 words[] = {load->address, load->address, load->size, load->index};
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		jit_u64(writer, words[i]);
	jit_text(writer, load->name);
	for (guint64 i = 0; i < load->size; i++)
		g_byte_array_append(writer->bytes, (const guint8 *)"\x90", 1);
}

static inline void jit_move(JitWriter *writer, guint64 time_ns, const guint64 words[5])
{
	jit_head(writer, 1, 48, time_ns);
	jit_u32(writer, 4711);
	jit_u32(writer, 4711);
	for (guint i = 0; i < 5; i++)
		jit_u64(writer, words[i]);
}

/* Debug information with one entry. */
static inline void jit_source(JitWriter *writer, guint64 address, const char *file, guint32 line)
{
	jit_head(writer, 2, 32 + strlen(file) + 1, 0);
	const guint64 words[] = {address, 1, address};
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		jit_u64(writer, words[i]);
	jit_u32(writer, line);
	jit_u32(writer, 0);
	jit_text(writer, file);
}
