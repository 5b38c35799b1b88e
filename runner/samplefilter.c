#include "runner/samplefilter.h"

#include "core/error.h"
#include "profile/leafhints.h"

#include <string.h>
#include <sys/mman.h>

#define STACK_BYTES 256

/* identifier, ip, pid and tid, time, cpu, period: what stands before the call chain */
#define CHAIN_AT (sizeof(struct perf_event_header) + 6 * sizeof(guint64))

/* An executable mapping of any process of the tree. */
typedef struct {
	guint64 start, end;
} CodeRange;

struct SampleFilter {
	gboolean extended; /* samples end with a piece of stack */
	GArray *code;      /* of CodeRange */
	GByteArray *hints;
};

void sample_filter_extend(struct perf_event_attr *attr)
{
#ifdef __x86_64__
	attr->sample_type |= PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = STACK_BYTES;
#else
	(void)attr;
#endif
}

void sample_filter_reduce(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(guint64)PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = 0;
}

SampleFilter *sample_filter_new(const struct perf_event_attr *attr)
{
	SampleFilter *filter = g_new0(SampleFilter, 1);
	filter->extended = (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
	filter->code = g_array_new(FALSE, FALSE, sizeof(CodeRange));
	filter->hints = g_byte_array_new();
	return filter;
}

void sample_filter_free(SampleFilter *filter)
{
	if (filter == NULL)
		return;
	g_array_unref(filter->code);
	g_byte_array_unref(filter->hints);
	g_free(filter);
}

const GByteArray *sample_filter_hints(const SampleFilter *filter)
{
	return filter->hints;
}

static guint64 u64_at(const guint8 *record, gsize at)
{
	guint64 value;
	memcpy(&value, record + at, sizeof value);
	return value;
}

/* MMAP2: pid, tid, start, length, page offset, 24 bytes of identity, protection */
static void note_mapping(SampleFilter *filter, const guint8 *record, gsize size)
{
	guint32 protection;
	const gsize start_at = 16, protection_at = 64;
	if (size < protection_at + sizeof protection)
		return;
	memcpy(&protection, record + protection_at, sizeof protection);
	CodeRange range = {.start = u64_at(record, start_at)};
	range.end = range.start + u64_at(record, start_at + 8);
	if ((protection & PROT_EXEC) == 0)
		return;
	for (guint i = 0; i < filter->code->len; i++)
		if (memcmp(&g_array_index(filter->code, CodeRange, i), &range, sizeof range) == 0)
			return;
	g_array_append_val(filter->code, range);
}

static gboolean is_code(const SampleFilter *filter, guint64 address)
{
	/* the newest mappings first: that is the program and its libraries, not what was there before the exec */
	for (guint i = filter->code->len; i > 0; i--) {
		const CodeRange *range = &g_array_index(filter->code, CodeRange, i - 1);
		if (address >= range->start && address < range->end)
			return TRUE;
	}
	return FALSE;
}

/* Where the stack begins, behind the call chain; 0 if the sample is not of the expected shape. */
static gsize stack_at(const guint8 *record, gsize size)
{
	if (size < CHAIN_AT + sizeof(guint64))
		return 0;
	guint64 n = u64_at(record, CHAIN_AT), room = (size - CHAIN_AT) / sizeof(guint64) - 1;
	return n > room ? 0 : CHAIN_AT + (1 + n) * sizeof(guint64);
}

/* size, stack, bytes of it that are valid */
static void keep_hint(SampleFilter *filter, const guint8 *record, gsize size, gsize at, guint64 file_offset)
{
	const gsize data_at = at + sizeof(guint64), valid_at = data_at + STACK_BYTES;
	LeafHintHead head = {.record_offset = file_offset};
	if (valid_at + sizeof(guint64) > size || u64_at(record, at) != STACK_BYTES)
		return;
	gsize head_at = filter->hints->len;
	guint64 valid = MIN(u64_at(record, valid_at), STACK_BYTES);
	g_byte_array_append(filter->hints, (const guint8 *)&head, sizeof head);
	for (gsize word_at = 0; word_at + sizeof(guint64) <= valid; word_at += sizeof(guint64)) {
		LeafWord word = {.offset = word_at, .value = u64_at(record, data_at + word_at)};
		if (!is_code(filter, word.value))
			continue;
		g_byte_array_append(filter->hints, (const guint8 *)&word, sizeof word);
		head.n_words++;
	}
	if (head.n_words == 0)
		g_byte_array_set_size(filter->hints, (guint)head_at);
	else
		memcpy(filter->hints->data + head_at, &head, sizeof head);
}

static void pass_sample(SampleFilter *filter, const guint8 *record, struct perf_event_header header, GByteArray *out,
        guint64 file_offset)
{
	gsize at = filter->extended ? stack_at(record, header.size) : 0;
	if (at != 0) {
		keep_hint(filter, record, header.size, at, file_offset);
		header.size = (guint16)at;
	}
	g_byte_array_append(out, (const guint8 *)&header, sizeof header);
	g_byte_array_append(out, record + sizeof header, header.size - (guint)sizeof header);
}

static void pass_record(SampleFilter *filter, const guint8 *record, struct perf_event_header header, GByteArray *out,
        RecorderCounts *counts, guint64 file_offset)
{
	const gsize body = sizeof header;
	if (header.type == PERF_RECORD_SAMPLE) {
		counts->samples++;
		pass_sample(filter, record, header, out, file_offset);
		return;
	}
	if (header.type == PERF_RECORD_MMAP2)
		note_mapping(filter, record, header.size);
	else if (header.type == PERF_RECORD_THROTTLE)
		counts->throttled++;
	else if (header.type == PERF_RECORD_LOST && header.size >= body + 16)
		counts->lost += u64_at(record, body + 8);
	else if (header.type == PERF_RECORD_LOST_SAMPLES && header.size >= body + 8)
		counts->lost += u64_at(record, body);
	g_byte_array_append(out, record, header.size);
}

gboolean sample_filter_pass(SampleFilter *filter, const guint8 *records, gsize length, GByteArray *out,
        RecorderCounts *counts, GError **error)
{
	struct perf_event_header header;
	g_byte_array_set_size(out, 0);
	for (gsize at = 0; at < length; at += header.size) {
		gboolean whole = length - at >= sizeof header;
		if (whole)
			memcpy(&header, records + at, sizeof header);
		if (!whole || header.size < sizeof header || header.size > length - at) {
			g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "a sample buffer holds a record of impossible size");
			return FALSE;
		}
		pass_record(filter, records + at, header, out, counts, counts->bytes + out->len);
	}
	counts->bytes += out->len;
	return TRUE;
}
