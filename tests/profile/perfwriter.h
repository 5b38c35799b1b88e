/* Writes small perf.data files for tests: one or two software clock events, records put together field by field. */
#pragma once

#include "profile/leafhints.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

enum {
	PERF_WRITER_SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8, /* IP TID TIME CALLCHAIN PERIOD */
	PERF_WRITER_ID = 1 << 16,
	PERF_WRITER_ATTR_BYTES = 128,
};

typedef struct {
	guint n_events;
	GByteArray *records;
	GByteArray *hints; /* the feature with leaf hints, left out if empty */
} PerfWriter;

static inline void put_u16(GByteArray *out, guint16 value)
{
	value = GUINT16_TO_LE(value);
	g_byte_array_append(out, (const guint8 *)&value, sizeof value);
}

static inline void put_u32(GByteArray *out, guint32 value)
{
	value = GUINT32_TO_LE(value);
	g_byte_array_append(out, (const guint8 *)&value, sizeof value);
}

static inline void put_u64(GByteArray *out, guint64 value)
{
	value = GUINT64_TO_LE(value);
	g_byte_array_append(out, (const guint8 *)&value, sizeof value);
}

/* Text with its NUL, padded to 8 bytes. */
static inline void put_text(GByteArray *out, const char *text)
{
	const guint8 zeros[8] = {0};
	gsize length = strlen(text) + 1;
	g_byte_array_append(out, (const guint8 *)text, (guint)length);
	g_byte_array_append(out, zeros, (guint)(-length & 7));
}

/* Ids of events are 100, 101, ... and stand in records if there are two events. */
static inline void perf_writer_init(PerfWriter *writer, guint n_events)
{
	writer->n_events = n_events;
	writer->records = g_byte_array_new();
	writer->hints = g_byte_array_new();
}

static inline void perf_writer_clear(PerfWriter *writer)
{
	g_byte_array_unref(writer->records);
	g_byte_array_unref(writer->hints);
}

static inline void put_record(PerfWriter *writer, guint32 type, guint16 misc, const GByteArray *body)
{
	put_u32(writer->records, type);
	put_u16(writer->records, misc);
	put_u16(writer->records, (guint16)(8 + body->len));
	g_byte_array_append(writer->records, body->data, body->len);
}

/* The fields at the end of every record but samples. */
static inline void put_trailer(PerfWriter *writer, GByteArray *body, gint32 pid, gint32 tid, guint64 time_ns)
{
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)tid);
	put_u64(body, time_ns);
	if (writer->n_events > 1)
		put_u64(body, 100);
}

static inline void put_comm(PerfWriter *writer, gint32 pid, guint64 time_ns, const char *name, gboolean is_exec)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)pid);
	put_text(body, name);
	put_trailer(writer, body, pid, pid, time_ns);
	put_record(writer, 3, is_exec ? 1 << 13 : 0, body);
}

static inline void put_mmap(PerfWriter *writer, gint32 pid, guint64 time_ns, guint64 start, guint64 length,
        guint64 page_offset, const char *path)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)pid);
	put_u64(body, start);
	put_u64(body, length);
	put_u64(body, page_offset);
	put_text(body, path);
	put_trailer(writer, body, pid, pid, time_ns);
	put_record(writer, 1, 2, body);
}

static inline void put_fork(PerfWriter *writer, gint32 pid, gint32 parent, guint64 time_ns)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)parent);
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)parent);
	put_u64(body, time_ns);
	put_trailer(writer, body, pid, pid, time_ns);
	put_record(writer, 7, 0, body);
}

static inline void put_lost(PerfWriter *writer, guint64 lost)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u64(body, 100);
	put_u64(body, lost);
	put_trailer(writer, body, 0, 0, 0);
	put_record(writer, 2, 0, body);
}

typedef struct {
	gint32 pid;
	guint64 time_ns, period;
	guint event;
	gboolean in_kernel;
	const guint64 *chain; /* the first address that is no marker is also the IP */
	guint chain_length;
} WrittenSample;

static inline void put_sample(PerfWriter *writer, const WrittenSample *sample)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	guint64 ip = 0;
	for (guint i = sample->chain_length; i-- > 0;)
		if (sample->chain[i] < (guint64)-4095)
			ip = sample->chain[i];
	if (writer->n_events > 1)
		put_u64(body, 100 + sample->event);
	put_u64(body, ip);
	put_u32(body, (guint32)sample->pid);
	put_u32(body, (guint32)sample->pid);
	put_u64(body, sample->time_ns);
	put_u64(body, sample->period);
	put_u64(body, sample->chain_length);
	for (guint i = 0; i < sample->chain_length; i++)
		put_u64(body, sample->chain[i]);
	put_record(writer, 9, sample->in_kernel ? 1 : 2, body);
}

/* A hint for the sample that comes next: one word of stack. */
static inline void put_hint(PerfWriter *writer, guint64 stack_offset, guint64 value)
{
	put_u64(writer->hints, writer->records->len);
	put_u64(writer->hints, 1);
	put_u64(writer->hints, stack_offset);
	put_u64(writer->hints, value);
}

/* cpu-clock, then task-clock, sampled by period, user space only. */
static inline void put_attr(GByteArray *out, const PerfWriter *writer, guint event)
{
	guint before = out->len;
	put_u32(out, 1);
	put_u32(out, PERF_WRITER_ATTR_BYTES);
	put_u64(out, event);
	put_u64(out, 1000);
	put_u64(out, PERF_WRITER_SAMPLE_TYPE | (writer->n_events > 1 ? PERF_WRITER_ID : 0));
	put_u64(out, 0);
	put_u64(out, 1 << 18 | 1 << 5); /* sample_id_all, exclude_kernel */
	while (out->len - before < PERF_WRITER_ATTR_BYTES)
		put_u64(out, 0);
}

/* The whole file; owned by the caller. */
static inline GByteArray *perf_writer_file(const PerfWriter *writer)
{
	enum { HEADER_BYTES = 104 };
	GByteArray *out = g_byte_array_new();
	guint64 ids_at = HEADER_BYTES, attrs_at = ids_at + writer->n_events * 8;
	guint64 attrs_bytes = writer->n_events * (PERF_WRITER_ATTR_BYTES + 16);
	g_byte_array_append(out, (const guint8 *)"PERFILE2", 8);
	guint64 records_at = attrs_at + attrs_bytes, table_at = records_at + writer->records->len;
	guint64 hints_bit = writer->hints->len > 0 ? 1 << LEAF_HINTS_FEATURE % 64 : 0;
	const guint64 head[] = {HEADER_BYTES, PERF_WRITER_ATTR_BYTES + 16, attrs_at, attrs_bytes, records_at,
	        writer->records->len, 0, 0, 0, 0, 0, hints_bit};
	for (guint i = 0; i < G_N_ELEMENTS(head); i++)
		put_u64(out, head[i]);
	for (guint i = 0; i < writer->n_events; i++)
		put_u64(out, 100 + i);
	for (guint i = 0; i < writer->n_events; i++) {
		put_attr(out, writer, i);
		put_u64(out, ids_at + i * 8);
		put_u64(out, 8);
	}
	g_byte_array_append(out, writer->records->data, writer->records->len);
	if (hints_bit != 0) {
		put_u64(out, table_at + 16);
		put_u64(out, writer->hints->len);
		g_byte_array_append(out, writer->hints->data, writer->hints->len);
	}
	return out;
}

/* Writes the first `length` bytes of a file to a temporary file and returns its path, owned by the caller. */
static inline char *write_temporary(const GByteArray *content, gsize length)
{
	char *path = NULL;
	int fd = g_file_open_tmp("firebreak-test-XXXXXX", &path, NULL);
	g_assert(fd >= 0);
	FILE *file = fdopen(fd, "wb");
	g_assert(file != NULL && fwrite(content->data, 1, length, file) == length && fclose(file) == 0);
	return path;
}
