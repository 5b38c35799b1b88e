/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatasample.h"

/* Bits of an event's branch_sample_type. */
enum {
	BRANCH_CALL_STACK = 1 << 11,
	BRANCH_HW_INDEX = 1 << 17,
	BRANCH_COUNTERS = 1 << 19,
};

/* Bits of an event's read_format. */
enum {
	READ_ENABLED = 1,
	READ_RUNNING = 2,
	READ_ID = 4,
	READ_GROUP = 8,
	READ_LOST = 16,
};

/* Reads field by field; once something does not fit, everything is 0 and `ok` FALSE. */
typedef struct {
	const guint8 *at, *end;
	gboolean is_swapped, ok;
} Cursor;

static inline gsize bytes_left(const Cursor *cursor)
{
	return (gsize)(cursor->end - cursor->at);
}

static inline gboolean has_left(Cursor *cursor, gsize bytes)
{
	if (bytes <= bytes_left(cursor))
		return TRUE;
	cursor->ok = FALSE;
	cursor->at = cursor->end;
	return FALSE;
}

static inline guint64 take_u64(Cursor *cursor)
{
	guint64 value;
	if (!has_left(cursor, sizeof value))
		return 0;
	memcpy(&value, cursor->at, sizeof value);
	cursor->at += sizeof value;
	return cursor->is_swapped ? GUINT64_SWAP_LE_BE(value) : value;
}

static inline guint32 take_u32(Cursor *cursor)
{
	guint32 value;
	if (!has_left(cursor, sizeof value))
		return 0;
	memcpy(&value, cursor->at, sizeof value);
	cursor->at += sizeof value;
	return cursor->is_swapped ? GUINT32_SWAP_LE_BE(value) : value;
}

/* The `n` words that come next; NULL if there are not as many. A record has less than 64 KiB, so more than G_MAXUINT16
 * words are never right, and their size in bytes could overflow. */
static const guint8 *take_words(Cursor *cursor, guint64 n)
{
	const guint8 *start = cursor->at;
	if (!has_left(cursor, n <= G_MAXUINT16 ? (gsize)n * 8 : G_MAXSIZE))
		return NULL;
	cursor->at += n * 8;
	return start;
}

/* The same in this machine's order: as they lie where that can be, else copied. */
static const guint64 *take_numbers(Cursor *cursor, guint64 n, GArray *copy)
{
	const guint8 *words = take_words(cursor, n);
	if (words == NULL)
		return NULL;
	if (!cursor->is_swapped && (guintptr)words % sizeof(guint64) == 0)
		return (const guint64 *)(gconstpointer)words;
	g_array_set_size(copy, (guint)n);
	guint64 *numbers = (guint64 *)(gpointer)copy->data;
	if (n > 0)
		memcpy(numbers, words, (gsize)n * sizeof *numbers);
	for (guint i = 0; cursor->is_swapped && i < n; i++)
		numbers[i] = GUINT64_SWAP_LE_BE(numbers[i]);
	return numbers;
}

static guint count_bits(guint64 value)
{
	return (guint)__builtin_popcountll(value);
}

static guint sample_event(PerfDecoder *decoder, PerfBytes record, guint64 *id)
{
	guint event;
	*id = 0;
	perf_bytes_u64(record, PERF_RECORD_HEADER_BYTES + 8 * (gsize)decoder->id_words, id);
	if (!perf_decoder_find_event(decoder, *id, &event))
		decoder->unknown_ids++;
	return event;
}

/* The advance of the counter of that id since the last sample; `otherwise` if it went back. */
static guint64 advance_counter(PerfDecoder *decoder, guint64 id, guint64 value, guint64 otherwise)
{
	guint64 *last = g_hash_table_lookup(decoder->counters, &id);
	if (last == NULL) {
		last = g_new0(guint64, 1);
		g_hash_table_insert(decoder->counters, g_memdup2(&id, sizeof id), last);
	}
	guint64 before = *last;
	*last = value;
	return value >= before ? value - before : otherwise;
}

/* The counters of the event or of its group, {value, id, lost} each. That of the sample itself says what the sample
 * stands for, as in perf: the period beside it is what the kernel aimed at, and members of a group are counted from one
 * overflow of its leader to the next. In a group, the times stand once before all counters; of a single counter they
 * follow its value. */
static void take_counters(PerfDecoder *decoder, Cursor *cursor, guint64 format, guint64 id, PerfDataSample *sample)
{
	gboolean is_group = (format & READ_GROUP) != 0;
	guint64 n = is_group ? take_u64(cursor) : 1;
	guint times = count_bits(format & (READ_ENABLED | READ_RUNNING)), before_id = is_group ? 0 : times;
	guint words = 1 + before_id + count_bits(format & (READ_ID | READ_LOST));
	take_words(cursor, times - before_id);
	Cursor counter = *cursor;
	if (take_words(cursor, MIN(n, G_MAXUINT16) * words) == NULL || (format & READ_ID) == 0 || !decoder->has_ids)
		return;
	for (guint64 i = 0; i < n; i++, counter.at += words * sizeof(guint64)) {
		Cursor at = counter;
		guint64 value = take_u64(&at);
		take_words(&at, before_id);
		if (take_u64(&at) == id) {
			sample->period = advance_counter(decoder, id, value, sample->period);
			return;
		}
	}
}

static void take_chain(PerfDecoder *decoder, Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	guint64 n = take_u64(cursor);
	guint frames = 0;
	sample->chain = take_numbers(cursor, n, decoder->chain);
	if (sample->chain == NULL)
		return;
	sample->chain_length = (guint)n;
	/* The kernel stops at that many frames, so a chain that has all of them lacks its root. Its markers of user and
	 * kernel code count apart (perf_callchain_store_context() in include/linux/perf_event.h). */
	if (n < attr->max_stack)
		return;
	for (guint i = 0; i < n; i++)
		frames += sample->chain[i] < PERF_DATA_FIRST_MARKER;
	sample->is_full_chain = frames == attr->max_stack;
	decoder->truncated_chains += sample->is_full_chain;
}

/* A size of 32 bits, that many bytes, and padding. */
static void skip_raw(Cursor *cursor)
{
	gsize size = take_u32(cursor);
	gsize padded = ((size + 4 + 7) & ~(gsize)7) - 4;
	if (has_left(cursor, padded))
		cursor->at += padded;
}

/* Branches are {from, to, flags}, the last one taken first. */
static void take_branches(PerfDecoder *decoder, Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	guint64 n = take_u64(cursor);
	/* a kernel that has no branches at all for a sample writes no index either */
	if ((attr->branch_type & BRANCH_HW_INDEX) != 0 && (n > 0 || bytes_left(cursor) > 0))
		take_u64(cursor);
	Cursor branches = *cursor;
	const guint8 *words = take_words(cursor, MIN(n, G_MAXUINT16) * 3);
	if ((attr->branch_type & BRANCH_COUNTERS) != 0)
		take_words(cursor, n);
	/* Only where the processor was asked to keep its branches as a call stack do they tell callers. */
	if (words == NULL || (attr->branch_type & BRANCH_CALL_STACK) == 0)
		return;
	g_array_set_size(decoder->calls, (guint)n);
	for (guint i = 0; i < n; i++) {
		PerfDataBranch *call = &g_array_index(decoder->calls, PerfDataBranch, i);
		call->from = take_u64(&branches);
		call->to = take_u64(&branches);
		take_u64(&branches);
	}
	sample->calls = (const PerfDataBranch *)(gpointer)decoder->calls->data;
	sample->n_calls = (guint)n;
}

static void take_registers(PerfDecoder *decoder, Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	enum { ABI_NONE = 0, ABI_32 = 1 };
	guint64 abi = take_u64(cursor);
	/* A kernel thread has no user registers, and no words follow. */
	if (abi == ABI_NONE)
		return;
	const guint64 *values = take_numbers(cursor, count_bits(attr->user_registers), decoder->registers);
	if (values != NULL)
		sample->user_registers = (PerfDataRegisters){attr->user_registers, abi == ABI_32, values};
}

/* The recorder reserves a fixed size, of which only the first part was written. */
static void take_stack(Cursor *cursor, PerfDataSample *sample)
{
	guint64 size = take_u64(cursor);
	/* Nothing follows an empty piece, not even the number of bytes that were written. */
	if (size == 0)
		return;
	const guint8 *stack = take_words(cursor, size / 8);
	guint64 written = take_u64(cursor);
	if (!cursor->ok)
		return;
	sample->user_stack = stack;
	sample->user_stack_bytes = (guint)MIN(written, size);
}

/* The fields from the call chain on, as far as the stack; what follows is about data and caches. */
static void take_stacks(PerfDecoder *decoder, Cursor *cursor, const PerfDataAttr *attr, PerfDataSample *sample)
{
	guint64 fields = attr->sample_type;
	if ((fields & PERF_FIELD_CALLCHAIN) != 0)
		take_chain(decoder, cursor, attr, sample);
	if ((fields & PERF_FIELD_RAW) != 0)
		skip_raw(cursor);
	if ((fields & PERF_FIELD_BRANCH_STACK) != 0)
		take_branches(decoder, cursor, attr, sample);
	if ((fields & PERF_FIELD_REGS_USER) != 0)
		take_registers(decoder, cursor, attr, sample);
	if ((fields & PERF_FIELD_STACK_USER) != 0)
		take_stack(cursor, sample);
}

gboolean perf_sample_decode(PerfDecoder *decoder, PerfBytes record, PerfDataRecord *out)
{
	const guint8 *body = record.bytes + PERF_RECORD_HEADER_BYTES;
	Cursor cursor = {body, record.bytes + record.size, record.is_swapped, TRUE};
	out->kind = PERF_DATA_SAMPLE;
	guint64 id; /* of any use only if there are several events */
	out->sample = (PerfDataSample){.event = sample_event(decoder, record, &id), .cpu = -1};
	out->tid = -1;
	const PerfDataAttr *attr = perf_events_attr(decoder->events, out->sample.event);
	guint64 fields = attr->sample_type;
	if ((fields & PERF_FIELD_IDENTIFIER) != 0)
		take_u64(&cursor);
	if ((fields & PERF_FIELD_IP) != 0)
		out->sample.ip = take_u64(&cursor);
	if ((fields & PERF_FIELD_TID) != 0) {
		out->pid = (gint32)take_u32(&cursor);
		out->tid = (gint32)take_u32(&cursor);
	}
	if ((fields & PERF_FIELD_TIME) != 0)
		out->time_ns = take_u64(&cursor);
	take_words(&cursor, count_bits(fields & (PERF_FIELD_ADDR | PERF_FIELD_ID | PERF_FIELD_STREAM_ID)));
	if ((fields & PERF_FIELD_CPU) != 0) {
		out->sample.cpu = (gint32)take_u32(&cursor);
		take_u32(&cursor);
	}
	/* Where samples were asked for by frequency and carry no period, nobody knows what one stands for: each counts
	 * once. */
	out->sample.period = attr->is_frequency ? 1 : attr->period_or_frequency;
	if ((fields & PERF_FIELD_PERIOD) != 0)
		out->sample.period = take_u64(&cursor);
	if ((fields & PERF_FIELD_READ) != 0)
		take_counters(decoder, &cursor, attr->read_format, id, &out->sample);
	take_stacks(decoder, &cursor, attr, &out->sample);
	return cursor.ok;
}
