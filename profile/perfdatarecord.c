#include "profile/perfdatarecord.h"

#include "core/error.h"

#include <string.h>

enum {
	RECORD_HEADER_BYTES = 8,
	MISC_CPU_MODE_MASK = 7,
	MISC_DATA_OR_EXEC = 1 << 13, /* of MMAP: not executable; of COMM: by exec */
	MISC_BUILD_ID = 1 << 14,     /* of MMAP2: a build-id instead of an inode */
	BRANCH_HW_INDEX = 1 << 17,
	X86_STACK_POINTER = 7,
};

enum {
	READ_ENABLED = 1,
	READ_RUNNING = 2,
	READ_ID = 4,
	READ_GROUP = 8,
	READ_LOST = 16,
};

/* Reads field by field; once something does not fit, everything is 0 and `ok` FALSE. */
typedef struct {
	PerfBytes bytes;
	gsize at;
	gboolean ok;
} Cursor;

static guint64 take_u64(Cursor *cursor)
{
	guint64 value = 0;
	cursor->ok = cursor->ok && perf_bytes_u64(cursor->bytes, cursor->at, &value);
	cursor->at += 8;
	return cursor->ok ? value : 0;
}

static void skip_words(Cursor *cursor, guint64 n)
{
	cursor->ok = cursor->ok && n <= (cursor->bytes.size - cursor->at) / 8;
	cursor->at += cursor->ok ? (gsize)n * 8 : 0;
}

static guint count_bits(guint64 value)
{
	return (guint)__builtin_popcountll(value);
}

static const PerfDataAttr *attr_at(const PerfDecoder *decoder, guint event)
{
	return &g_array_index(decoder->header->attrs, PerfDataAttr, event);
}

gboolean perf_decoder_init(PerfDecoder *decoder, const PerfDataHeader *header, GError **error)
{
	gboolean all_identified = TRUE, all_alike = TRUE;
	guint64 first_type = g_array_index(header->attrs, PerfDataAttr, 0).sample_type;
	for (guint i = 0; i < header->attrs->len; i++) {
		guint64 type = g_array_index(header->attrs, PerfDataAttr, i).sample_type;
		all_identified = all_identified && (type & PERF_FIELD_IDENTIFIER) != 0;
		all_alike = all_alike && type == first_type && (type & PERF_FIELD_ID) != 0;
	}
	if (header->attrs->len > 1 && !all_identified && !all_alike) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "its events cannot be told apart: their records have no id");
		return FALSE;
	}
	*decoder = (PerfDecoder){.header = header, .has_identifier = all_identified};
	decoder->chain = g_array_new(FALSE, FALSE, sizeof(guint64));
	return TRUE;
}

void perf_decoder_clear(PerfDecoder *decoder)
{
	g_array_unref(decoder->chain);
	*decoder = (PerfDecoder){0};
}

/* The event of a sample. Ids are first in the record, or behind those of IP, TID, TIME and ADDR that are there. */
static guint sample_event(PerfDecoder *decoder, PerfBytes record)
{
	guint64 before_id = PERF_FIELD_IP | PERF_FIELD_TID | PERF_FIELD_TIME | PERF_FIELD_ADDR;
	guint64 id = 0;
	guint event = 0;
	if (decoder->header->attrs->len == 1)
		return 0;
	guint words = decoder->has_identifier ? 0 : count_bits(attr_at(decoder, 0)->sample_type & before_id);
	perf_bytes_u64(record, RECORD_HEADER_BYTES + words * 8, &id);
	if (!perfdata_header_event(decoder->header, id, &event))
		decoder->unknown_ids++;
	return event;
}

static void skip_read_values(Cursor *cursor, guint64 format)
{
	guint per_value = 1 + count_bits(format & (READ_ID | READ_LOST));
	guint times = count_bits(format & (READ_ENABLED | READ_RUNNING));
	if ((format & READ_GROUP) == 0) {
		skip_words(cursor, times + per_value);
		return;
	}
	guint64 n = take_u64(cursor);
	skip_words(cursor, times);
	if (n > cursor->bytes.size)
		cursor->ok = FALSE;
	else
		skip_words(cursor, n * per_value);
}

/* The chain is copied, because a record need not be aligned. */
static void take_chain(PerfDecoder *decoder, Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	guint frames = 0;
	guint64 n = take_u64(cursor);
	if (!cursor->ok || n > (cursor->bytes.size - cursor->at) / 8) {
		cursor->ok = FALSE;
		return;
	}
	g_array_set_size(decoder->chain, (guint)n);
	for (guint64 i = 0; i < n; i++) {
		guint64 address = take_u64(cursor);
		g_array_index(decoder->chain, guint64, i) = address;
		frames += address < PERF_DATA_FIRST_MARKER;
	}
	sample->chain = (const guint64 *)(gpointer)decoder->chain->data;
	sample->chain_length = (guint)n;
	decoder->truncated_chains += frames >= attr->max_stack;
}

static void skip_raw(Cursor *cursor)
{
	guint32 size = 0;
	cursor->ok = cursor->ok && perf_bytes_u32(cursor->bytes, cursor->at, &size);
	skip_words(cursor, ((guint64)size + 4 + 7) / 8);
}

static void skip_branches(Cursor *cursor, const PerfDataAttr *attr)
{
	guint64 n = take_u64(cursor);
	skip_words(cursor, (attr->branch_type & BRANCH_HW_INDEX) != 0);
	skip_words(cursor, n <= cursor->bytes.size ? n * 3 : n);
}

static void take_registers(Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	gsize start = cursor->at + 8;
	guint64 stack_pointer = (guint64)1 << X86_STACK_POINTER;
	if (take_u64(cursor) == 0)
		return;
	skip_words(cursor, count_bits(attr->user_registers));
	if (cursor->ok && (attr->user_registers & stack_pointer) != 0)
		perf_bytes_u64(cursor->bytes, start + 8 * (gsize)count_bits(attr->user_registers & (stack_pointer - 1)),
		        &sample->user_sp);
}

/* The recorder reserves a fixed size, of which only the first part was written. */
static void take_stack(Cursor *cursor, PerfDataSample *sample)
{
	guint64 size = take_u64(cursor);
	const guint8 *data = cursor->bytes.bytes + MIN(cursor->at, cursor->bytes.size);
	if (size == 0)
		return;
	skip_words(cursor, size / 8);
	guint64 written = take_u64(cursor);
	if (!cursor->ok)
		return;
	sample->user_stack = data;
	sample->user_stack_bytes = (guint)MIN(written, size);
}

/* The fields behind the call chain, as far as the stack. */
static void decode_user_state(Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	if ((attr->sample_type & PERF_FIELD_RAW) != 0)
		skip_raw(cursor);
	if ((attr->sample_type & PERF_FIELD_BRANCH_STACK) != 0)
		skip_branches(cursor, attr);
	if ((attr->sample_type & PERF_FIELD_REGS_USER) != 0)
		take_registers(cursor, attr, sample);
	if ((attr->sample_type & PERF_FIELD_STACK_USER) != 0)
		take_stack(cursor, sample);
}

static gboolean decode_sample(PerfDecoder *decoder, PerfBytes record, PerfDataRecord *out)
{
	Cursor cursor = {.bytes = record, .at = RECORD_HEADER_BYTES, .ok = TRUE};
	out->kind = PERF_DATA_SAMPLE;
	out->sample = (PerfDataSample){.event = sample_event(decoder, record)};
	const PerfDataAttr *attr = attr_at(decoder, out->sample.event);
	guint64 fields = attr->sample_type;
	if ((fields & PERF_FIELD_IDENTIFIER) != 0)
		take_u64(&cursor);
	if ((fields & PERF_FIELD_IP) != 0)
		out->sample.ip = take_u64(&cursor);
	if ((fields & PERF_FIELD_TID) != 0) {
		guint64 ids = take_u64(&cursor);
		out->pid = (gint32)(guint32)ids;
		out->tid = (gint32)(guint32)(ids >> 32);
	}
	if ((fields & PERF_FIELD_TIME) != 0)
		out->time_ns = take_u64(&cursor);
	skip_words(&cursor,
	        count_bits(fields & (PERF_FIELD_ADDR | PERF_FIELD_ID | PERF_FIELD_STREAM_ID | PERF_FIELD_CPU)));
	out->sample.period = attr->is_frequency ? 1 : attr->period_or_frequency;
	if ((fields & PERF_FIELD_PERIOD) != 0)
		out->sample.period = take_u64(&cursor);
	if ((fields & PERF_FIELD_READ) != 0)
		skip_read_values(&cursor, attr->read_format);
	if ((fields & PERF_FIELD_CALLCHAIN) != 0)
		take_chain(decoder, &cursor, attr, &out->sample);
	decode_user_state(&cursor, attr, &out->sample);
	return cursor.ok;
}

/* The time that stands near the end of records other than samples; 0 if there is none. */
static guint64 trailing_time(const PerfDecoder *decoder, PerfBytes record)
{
	guint64 after_time = PERF_FIELD_ID | PERF_FIELD_STREAM_ID | PERF_FIELD_CPU | PERF_FIELD_IDENTIFIER;
	guint64 id = 0, time_ns = 0;
	guint event = 0;
	if (decoder->has_identifier && decoder->header->attrs->len > 1 && perf_bytes_u64(record, record.size - 8, &id))
		perfdata_header_event(decoder->header, id, &event);
	const PerfDataAttr *attr = attr_at(decoder, event);
	gsize from_end = 8 * (1 + (gsize)count_bits(attr->sample_type & after_time));
	if (attr->id_in_all && (attr->sample_type & PERF_FIELD_TIME) != 0 &&
	        record.size >= RECORD_HEADER_BYTES + from_end)
		perf_bytes_u64(record, record.size - from_end, &time_ns);
	return time_ns;
}

/* A text that ends inside of the record; NULL if it does not. */
static const char *text_at(PerfBytes record, gsize at)
{
	if (at >= record.size || memchr(record.bytes + at, '\0', record.size - at) == NULL)
		return NULL;
	return (const char *)record.bytes + at;
}

static gboolean decode_mmap(guint32 type, guint16 misc, PerfBytes record, PerfDataRecord *out)
{
	enum { INODE_AT = 40, BUILD_ID_AT = 44, MMAP_PATH_AT = 40, MMAP2_PATH_AT = 72 };
	Cursor cursor = {.bytes = record, .at = 16, .ok = TRUE};
	PerfDataMmap *mmap = &out->mmap;
	out->kind = PERF_DATA_MMAP;
	*mmap = (PerfDataMmap){.is_data = (misc & MISC_DATA_OR_EXEC) != 0};
	mmap->start = take_u64(&cursor);
	mmap->length = take_u64(&cursor);
	mmap->page_offset = take_u64(&cursor);
	mmap->path = text_at(record, type == PERF_TYPE_MMAP ? MMAP_PATH_AT : MMAP2_PATH_AT);
	if (!cursor.ok || mmap->path == NULL)
		return FALSE;
	if (type == PERF_TYPE_MMAP2 && (misc & MISC_BUILD_ID) != 0) {
		mmap->build_id_length = MIN(record.bytes[INODE_AT], PERF_DATA_BUILD_ID_BYTES);
		memcpy(mmap->build_id, record.bytes + BUILD_ID_AT, mmap->build_id_length);
	}
	return TRUE;
}

static gboolean decode_comm(guint16 misc, PerfBytes record, PerfDataRecord *out)
{
	out->kind = PERF_DATA_COMM;
	out->comm.name = text_at(record, 16);
	out->comm.is_exec = (misc & MISC_DATA_OR_EXEC) != 0;
	return out->comm.name != NULL;
}

/* Body: pid, ppid, tid, ptid, time. */
static gboolean decode_task(guint32 type, PerfBytes record, PerfDataRecord *out)
{
	guint32 ids[4];
	for (guint i = 0; i < G_N_ELEMENTS(ids); i++)
		if (!perf_bytes_u32(record, RECORD_HEADER_BYTES + i * 4, &ids[i]))
			return FALSE;
	out->kind = type == PERF_TYPE_FORK ? PERF_DATA_FORK : PERF_DATA_EXIT;
	out->pid = (gint32)ids[0];
	out->fork.parent_pid = (gint32)ids[1];
	out->tid = (gint32)ids[2];
	out->fork.parent_tid = (gint32)ids[3];
	return perf_bytes_u64(record, 24, &out->time_ns);
}

gboolean perf_decoder_decode(PerfDecoder *decoder, guint32 type, PerfBytes record, PerfDataRecord *out)
{
	guint32 size_and_misc = 0, pid = 0, tid = 0;
	perf_bytes_u32(record, 4, &size_and_misc);
	guint16 misc = (guint16)size_and_misc;
	*out = (PerfDataRecord){.cpu_mode = MIN(misc & MISC_CPU_MODE_MASK, PERF_DATA_CPU_GUEST_USER)};
	if (type == PERF_TYPE_SAMPLE)
		return decode_sample(decoder, record, out);
	if (type == PERF_TYPE_FORK || type == PERF_TYPE_EXIT)
		return decode_task(type, record, out);
	if (!perf_bytes_u32(record, 8, &pid) || !perf_bytes_u32(record, 12, &tid))
		return FALSE;
	out->pid = (gint32)pid;
	out->tid = (gint32)tid;
	out->time_ns = trailing_time(decoder, record);
	return type == PERF_TYPE_COMM ? decode_comm(misc, record, out) : decode_mmap(type, misc, record, out);
}
