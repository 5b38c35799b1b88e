/* SPDX-License-Identifier: Apache-2.0 */
/* Writes small recordings for tests, as files or as pipes, of either order of bytes: software clock events, records put
 * together field by field. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

enum {
	PERF_WRITER_IP = 1 << 0,
	PERF_WRITER_TID = 1 << 1,
	PERF_WRITER_TIME = 1 << 2,
	PERF_WRITER_ADDR = 1 << 3,
	PERF_WRITER_READ = 1 << 4,
	PERF_WRITER_CHAIN = 1 << 5,
	PERF_WRITER_INNER_ID = 1 << 6, /* not at a fixed place */
	PERF_WRITER_CPU = 1 << 7,
	PERF_WRITER_PERIOD = 1 << 8,
	PERF_WRITER_STREAM_ID = 1 << 9,
	PERF_WRITER_RAW = 1 << 10,
	PERF_WRITER_BRANCHES = 1 << 11,
	PERF_WRITER_REGISTERS = 1 << 12,
	PERF_WRITER_STACK = 1 << 13,
	PERF_WRITER_ID = 1 << 16, /* first or last */
	PERF_WRITER_SAMPLE_TYPE =
	        PERF_WRITER_IP | PERF_WRITER_TID | PERF_WRITER_TIME | PERF_WRITER_CHAIN | PERF_WRITER_PERIOD,
	PERF_WRITER_ATTR_BYTES = 128,
	PERF_WRITER_FEATURES = 256,
};

/* Everything written is in this order. */
static gboolean perf_writer_is_big_endian;

typedef struct {
	guint n_events;
	GByteArray *records;
	GByteArray *features[PERF_WRITER_FEATURES]; /* left out where NULL */
	/* of all events' attributes; those below the first may be set after perf_writer_init() and before records */
	guint attr_bytes; /* 64 and more */
	guint64 sample_type, read_format, branch_type, user_registers;
} PerfWriter;

static inline void put_bytes(GByteArray *out, gconstpointer bytes, gsize length)
{
	g_byte_array_append(out, bytes, (guint)length);
}

static inline void put_u16(GByteArray *out, guint16 value)
{
	value = perf_writer_is_big_endian ? GUINT16_TO_BE(value) : GUINT16_TO_LE(value);
	put_bytes(out, &value, sizeof value);
}

static inline void put_u32(GByteArray *out, guint32 value)
{
	value = perf_writer_is_big_endian ? GUINT32_TO_BE(value) : GUINT32_TO_LE(value);
	put_bytes(out, &value, sizeof value);
}

static inline void put_u64(GByteArray *out, guint64 value)
{
	value = perf_writer_is_big_endian ? GUINT64_TO_BE(value) : GUINT64_TO_LE(value);
	put_bytes(out, &value, sizeof value);
}

/* Text with its NUL, padded to 8 bytes. */
static inline void put_text(GByteArray *out, const char *text)
{
	const guint8 zeros[8] = {0};
	gsize length = strlen(text) + 1;
	put_bytes(out, text, length);
	put_bytes(out, zeros, -length & 7);
}

/* A string of a feature: its length with padding, and the text. */
static inline void put_string(GByteArray *out, const char *text)
{
	put_u32(out, (guint32)((strlen(text) + 8) & ~(gsize)7));
	put_text(out, text);
}

/* Ids of events are 100, 101, ... and stand in records if there are several events. */
static inline void perf_writer_init(PerfWriter *writer, guint n_events)
{
	*writer = (PerfWriter){
	        .n_events = n_events,
	        .records = g_byte_array_new(),
	        .attr_bytes = PERF_WRITER_ATTR_BYTES,
	        .sample_type = PERF_WRITER_SAMPLE_TYPE | (n_events > 1 ? PERF_WRITER_ID : 0),
	};
}

static inline void perf_writer_clear(PerfWriter *writer)
{
	g_byte_array_unref(writer->records);
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++)
		g_clear_pointer(&writer->features[i], g_byte_array_unref);
}

/* Adds a feature, or replaces it; copied. */
static inline void put_feature(PerfWriter *writer, guint number, const GByteArray *content)
{
	g_clear_pointer(&writer->features[number], g_byte_array_unref);
	writer->features[number] = g_byte_array_new();
	put_bytes(writer->features[number], content->data, content->len);
}

/* ARCH, which says the machine. */
static inline void put_machine(PerfWriter *writer, const char *machine)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	put_string(content, machine);
	put_feature(writer, 6, content);
}

/* HOSTNAME and OSRELEASE. */
static inline void put_origin(PerfWriter *writer, const char *host, const char *release)
{
	g_autoptr(GByteArray) name = g_byte_array_new(), kernel = g_byte_array_new();
	put_string(name, host);
	put_string(kernel, release);
	put_feature(writer, 3, name);
	put_feature(writer, 4, kernel);
}

/* As a recording of this machine. */
static inline void put_this_machine(PerfWriter *writer)
{
	struct utsname machine;
	uname(&machine);
	put_origin(writer, machine.nodename, machine.release);
}

static inline void put_record_into(GByteArray *out, guint32 type, guint16 misc, const GByteArray *body)
{
	put_u32(out, type);
	put_u16(out, misc);
	put_u16(out, (guint16)(8 + body->len));
	put_bytes(out, body->data, body->len);
}

static inline void put_record(PerfWriter *writer, guint32 type, guint16 misc, const GByteArray *body)
{
	put_record_into(writer->records, type, misc, body);
}

/* The fields at the end of every record but samples. */
static inline void put_trailer(PerfWriter *writer, GByteArray *body, gint32 pid, gint32 tid, guint64 time_ns)
{
	guint64 fields = writer->sample_type;
	if ((fields & PERF_WRITER_TID) != 0) {
		put_u32(body, (guint32)pid);
		put_u32(body, (guint32)tid);
	}
	if ((fields & PERF_WRITER_TIME) != 0)
		put_u64(body, time_ns);
	if ((fields & PERF_WRITER_INNER_ID) != 0)
		put_u64(body, 100);
	if ((fields & PERF_WRITER_STREAM_ID) != 0)
		put_u64(body, 55);
	if ((fields & PERF_WRITER_CPU) != 0)
		put_u64(body, 1);
	if ((fields & PERF_WRITER_ID) != 0)
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

/* Maps a whole file. */
static inline void put_program(PerfWriter *writer, gint32 pid, guint64 time_ns, guint64 start, const char *path)
{
	const guint64 page = 4096;
	GStatBuf status = {0};
	g_stat(path, &status);
	put_mmap(writer, pid, time_ns, start, ((guint64)status.st_size + page - 1) / page * page, 0, path);
}

/* The second form, without a build-id: with protection and flags, or as Linux 3.12 to 3.15 wrote it. */
static inline void put_mmap2(
        PerfWriter *writer, gint32 pid, guint64 time_ns, guint64 start, const char *path, gboolean has_protection)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)pid);
	put_u64(body, start);
	put_u64(body, 0x1000);
	put_u64(body, 0);
	put_u32(body, 8); /* device */
	put_u32(body, 1);
	put_u64(body, 1234); /* inode, generation */
	put_u64(body, 5678);
	if (has_protection) {
		put_u32(body, 5);
		put_u32(body, 2);
	}
	put_text(body, path);
	put_trailer(writer, body, pid, pid, time_ns);
	put_record(writer, 10, 2, body);
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

/* Flags of a switch record are those of the kernel: 1 << 13 off the CPU, 1 << 14 preempted. */
static inline void put_switch(PerfWriter *writer, gint32 pid, guint64 time_ns, guint16 flags)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_trailer(writer, body, pid, pid, time_ns);
	put_record(writer, 14, flags, body);
}

typedef struct {
	gint32 pid;
	guint64 time_ns, period;
	guint event;
	gboolean in_kernel;
	const guint64 *chain; /* the first address that is no marker is also the IP */
	guint chain_length;
	/* fields that the writer's sample_type may ask for; what is NULL is written as empty */
	const GByteArray *read_values; /* as read_format says */
	const GByteArray *raw;         /* of size 4 modulo 8 */
	const guint64 (*branches)[2];  /* from, to */
	guint n_branches;
	guint64 registers_abi; /* 2 = 64 bits */
	const guint64 *registers;
	guint n_registers;
	const GByteArray *stack;     /* of a size that 8 divides */
	guint64 stack_written_bytes; /* of these */
} WrittenSample;

static inline guint64 written_ip(const WrittenSample *sample)
{
	guint64 ip = 0;
	for (guint i = sample->chain_length; i-- > 0;)
		if (sample->chain[i] < (guint64)-4095)
			ip = sample->chain[i];
	return ip;
}

/* The fields before the call chain. */
static inline void put_sample_head(guint64 fields, GByteArray *body, const WrittenSample *sample)
{
	if ((fields & PERF_WRITER_ID) != 0)
		put_u64(body, 100 + sample->event);
	if ((fields & PERF_WRITER_IP) != 0)
		put_u64(body, written_ip(sample));
	if ((fields & PERF_WRITER_TID) != 0) {
		put_u32(body, (guint32)sample->pid);
		put_u32(body, (guint32)sample->pid);
	}
	if ((fields & PERF_WRITER_TIME) != 0)
		put_u64(body, sample->time_ns);
	if ((fields & PERF_WRITER_ADDR) != 0)
		put_u64(body, 44);
	if ((fields & PERF_WRITER_INNER_ID) != 0)
		put_u64(body, 100 + sample->event);
	if ((fields & PERF_WRITER_STREAM_ID) != 0)
		put_u64(body, 55);
	if ((fields & PERF_WRITER_CPU) != 0)
		put_u64(body, 1);
	if ((fields & PERF_WRITER_PERIOD) != 0)
		put_u64(body, sample->period);
	if ((fields & PERF_WRITER_READ) != 0)
		put_bytes(body, sample->read_values->data, sample->read_values->len);
}

/* The fields after the call chain. */
static inline void put_sample_state(const PerfWriter *writer, GByteArray *body, const WrittenSample *sample)
{
	if ((writer->sample_type & PERF_WRITER_RAW) != 0) {
		put_u32(body, sample->raw->len);
		put_bytes(body, sample->raw->data, sample->raw->len);
	}
	if ((writer->sample_type & PERF_WRITER_BRANCHES) != 0) {
		put_u64(body, sample->n_branches);
		if ((writer->branch_type & 1 << 17) != 0)
			put_u64(body, G_MAXUINT64);
		for (guint i = 0; i < sample->n_branches; i++) {
			put_u64(body, sample->branches[i][0]);
			put_u64(body, sample->branches[i][1]);
			put_u64(body, 1);
		}
		for (guint i = 0; (writer->branch_type & 1 << 19) != 0 && i < sample->n_branches; i++)
			put_u64(body, 0);
	}
	if ((writer->sample_type & PERF_WRITER_REGISTERS) != 0) {
		put_u64(body, sample->registers_abi);
		for (guint i = 0; i < sample->n_registers; i++)
			put_u64(body, sample->registers[i]);
	}
	if ((writer->sample_type & PERF_WRITER_STACK) != 0) {
		put_u64(body, sample->stack != NULL ? sample->stack->len : 0);
		if (sample->stack != NULL) {
			put_bytes(body, sample->stack->data, sample->stack->len);
			put_u64(body, sample->stack_written_bytes);
		}
	}
}

static inline void put_sample(PerfWriter *writer, const WrittenSample *sample)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	put_sample_head(writer->sample_type, body, sample);
	if ((writer->sample_type & PERF_WRITER_CHAIN) != 0) {
		put_u64(body, sample->chain_length);
		for (guint i = 0; i < sample->chain_length; i++)
			put_u64(body, sample->chain[i]);
	}
	put_sample_state(writer, body, sample);
	put_record(writer, 9, sample->in_kernel ? 1 : 2, body);
}

/* cpu-clock, task-clock, ..., sampled by period, user space only. */
static inline void put_attr(GByteArray *out, const PerfWriter *writer, guint event)
{
	const guint64 flags = 1 << 18 | 1 << 5; /* sample_id_all, exclude_kernel */
	g_autoptr(GByteArray) attr = g_byte_array_new();
	put_u32(attr, 1);
	put_u32(attr, writer->attr_bytes);
	put_u64(attr, event);
	put_u64(attr, 1000);
	put_u64(attr, writer->sample_type);
	put_u64(attr, writer->read_format);
	/* bit fields begin at the other end in the other order */
	guint64 reversed = 0;
	for (guint i = 0; i < 64; i++)
		reversed |= (flags >> i & 1) << (63 - i);
	put_u64(attr, perf_writer_is_big_endian ? reversed : flags);
	put_u64(attr, 0);
	put_u64(attr, 0);
	put_u64(attr, 0);
	put_u64(attr, writer->branch_type);
	put_u64(attr, writer->user_registers);
	while (attr->len < writer->attr_bytes)
		put_u64(attr, 0);
	put_bytes(out, attr->data, writer->attr_bytes);
}

/* The header of a file; `records_at` and what follows is known from the sizes. */
static inline void put_file_head(GByteArray *out, const PerfWriter *writer, guint64 attrs_at, guint64 records_at)
{
	guint64 bits[4] = {0};
	guint64 entry_bytes = writer->attr_bytes + 16;
	put_bytes(out, perf_writer_is_big_endian ? "2ELIFREP" : "PERFILE2", 8);
	const guint64 head[] = {
	        104, entry_bytes, attrs_at, writer->n_events * entry_bytes, records_at, writer->records->len, 0, 0};
	for (guint i = 0; i < G_N_ELEMENTS(head); i++)
		put_u64(out, head[i]);
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++)
		bits[i / 64] |= (guint64)(writer->features[i] != NULL) << i % 64;
	for (guint i = 0; i < G_N_ELEMENTS(bits); i++)
		put_u64(out, bits[i]);
}

/* The whole file; owned by the caller. */
static inline GByteArray *perf_writer_file(const PerfWriter *writer)
{
	enum { HEADER_BYTES = 104 };
	GByteArray *out = g_byte_array_new();
	guint64 ids_at = HEADER_BYTES, attrs_at = ids_at + writer->n_events * 8;
	guint64 records_at = attrs_at + writer->n_events * (writer->attr_bytes + 16);
	guint64 content_at = records_at + writer->records->len;
	put_file_head(out, writer, attrs_at, records_at);
	for (guint i = 0; i < writer->n_events; i++)
		put_u64(out, 100 + i);
	for (guint i = 0; i < writer->n_events; i++) {
		put_attr(out, writer, i);
		put_u64(out, ids_at + i * 8);
		put_u64(out, 8);
	}
	put_bytes(out, writer->records->data, writer->records->len);
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++)
		content_at += writer->features[i] != NULL ? 16 : 0;
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++) {
		if (writer->features[i] == NULL)
			continue;
		put_u64(out, content_at);
		put_u64(out, writer->features[i]->len);
		content_at += writer->features[i]->len;
	}
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++)
		if (writer->features[i] != NULL)
			put_bytes(out, writer->features[i]->data, writer->features[i]->len);
	return out;
}

/* The same as a pipe: events and features are records before all others. */
static inline GByteArray *perf_writer_pipe(const PerfWriter *writer)
{
	GByteArray *out = g_byte_array_new();
	put_bytes(out, perf_writer_is_big_endian ? "2ELIFREP" : "PERFILE2", 8);
	put_u64(out, 16);
	for (guint i = 0; i < writer->n_events; i++) {
		g_autoptr(GByteArray) body = g_byte_array_new();
		put_attr(body, writer, i);
		put_u64(body, 100 + i);
		put_record_into(out, 64, 0, body);
	}
	for (guint i = 0; i < PERF_WRITER_FEATURES; i++) {
		g_autoptr(GByteArray) body = g_byte_array_new();
		if (writer->features[i] == NULL)
			continue;
		put_u64(body, i);
		put_bytes(body, writer->features[i]->data, writer->features[i]->len);
		put_record_into(out, 80, 0, body);
	}
	put_bytes(out, writer->records->data, writer->records->len);
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
