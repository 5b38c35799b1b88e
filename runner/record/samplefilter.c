/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/samplefilter.h"

#include "core/error.h"
#include "profile/perfdata/perfdata.h"
#include "profile/perfdata/perfdatarecord.h"
#include "profile/unwind/unwind.h"
#include "runner/record/recordlayout.h"
#include "runner/record/stackpiece.h"

#ifdef __x86_64__
#define THIS_MACHINE_KNOWN 1
#define THIS_MACHINE UNWIND_X86_64
#elif defined __aarch64__
#define THIS_MACHINE_KNOWN 1
#define THIS_MACHINE UNWIND_AARCH64
#else
#define THIS_MACHINE_KNOWN 0
#define THIS_MACHINE UNWIND_X86_64
#endif

enum {
	/* The size of a record has 16 bits. */
	MAX_CHAIN = (G_MAXUINT16 - SAMPLE_FIXED_BYTES) / 8 - 1,
};

/* While the files of a program are read for its stacks, nobody empties the buffers. */
#define READING_US (5 * G_USEC_PER_SEC)

struct SampleFilter {
	RecorderStacks stacks;
	gboolean is_extended; /* samples end with registers and a piece of stack */
	gboolean has_period;  /* samples come with theirs */
	PerfDataEvents events;
	PerfDataSummary summary; /* the decoder wants one */
	PerfDecoder decoder;
	ProcessMaps *maps;
	SymbolChild *child; /* with the unwinder, from the first sample on */
	Unwinder *unwinder;
	GArray *addresses, *tried; /* of guint64 */
	gboolean weighs_pieces;
	StackPieceCounts pieces;
};

static gboolean is_extending(RecorderStacks stacks)
{
	return THIS_MACHINE_KNOWN && (stacks == RECORDER_LEAF_REPAIR || stacks == RECORDER_DWARF);
}

void sample_filter_extend(struct perf_event_attr *attr, RecorderStacks stacks, guint stack_bytes)
{
	if (!is_extending(stacks))
		return;
	if (stack_bytes == 0)
		stack_bytes = stack_piece_usual(stacks);
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = unwind_registers_needed(THIS_MACHINE);
	attr->sample_stack_user = (MIN(stack_bytes, STACK_PIECE_LIMIT) + 7) / 8 * 8;
	/* a chain along frame pointers says nothing about a program that has none */
	attr->exclude_callchain_user = stacks == RECORDER_DWARF;
}

void sample_filter_reduce(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(guint64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_type |= PERF_SAMPLE_PERIOD;
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
}

SampleFilter *sample_filter_new(const struct perf_event_attr *attr, RecorderStacks stacks)
{
	SampleFilter *filter = g_new0(SampleFilter, 1);
	PerfBytes bytes = {.bytes = (const guint8 *)attr, .size = sizeof *attr};
	filter->stacks = stacks;
	filter->is_extended = (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
	filter->has_period = (attr->sample_type & PERF_SAMPLE_PERIOD) != 0;
	filter->summary.events = g_array_new(FALSE, FALSE, sizeof(PerfDataEvent));
	g_array_set_clear_func(filter->summary.events, perfdata_event_clear);
	perf_events_init(&filter->events);
	gboolean ok = perf_events_add(&filter->events, bytes, (PerfBytes){0}, &filter->summary, NULL);
	perf_decoder_init(&filter->decoder, &filter->events);
	g_assert(ok && perf_decoder_prepare(&filter->decoder, NULL));
	filter->maps = process_maps_new(NULL);
	filter->addresses = g_array_new(FALSE, FALSE, sizeof(guint64));
	filter->tried = g_array_new(FALSE, FALSE, sizeof(guint64));
	return filter;
}

void sample_filter_free(SampleFilter *filter)
{
	if (filter == NULL)
		return;
	perf_decoder_clear(&filter->decoder);
	perf_events_clear(&filter->events);
	perfdata_summary_clear(&filter->summary);
	process_maps_free(filter->maps);
	unwinder_free(filter->unwinder);
	symbol_child_free(filter->child);
	g_array_unref(filter->addresses);
	g_array_unref(filter->tried);
	g_free(filter);
}

void sample_filter_weigh_pieces(SampleFilter *filter)
{
	filter->weighs_pieces = TRUE;
}

const StackPieceCounts *sample_filter_pieces(const SampleFilter *filter)
{
	return &filter->pieces;
}

gboolean sample_filter_completes(const SampleFilter *filter)
{
	return filter->is_extended;
}

const GError *sample_filter_problem(const SampleFilter *filter)
{
	return filter->unwinder != NULL ? unwinder_problem(filter->unwinder) : NULL;
}

static gboolean refuse(GError **error, const char *what)
{
	g_set_error(
	        error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "a sample buffer holds a %s of impossible size", what);
	return FALSE;
}

/* Tells where the frames of user space begin in a call chain: after their marker, or at its end. */
static guint user_part(const PerfDataSample *sample)
{
	guint at = 0;
	while (at < sample->chain_length && sample->chain[at] != PERF_DATA_MARKER_USER)
		at++;
	return MIN(at + 1, sample->chain_length);
}

/* Fills `addresses` with the frames of user space. */
static UnwindEnd walk(SampleFilter *filter, const UnwindSample *asked, GArray *addresses)
{
	return filter->stacks == RECORDER_DWARF ? unwinder_walk(filter->unwinder, filter->maps, asked, addresses)
	                                        : unwinder_repair(filter->unwinder, filter->maps, asked, addresses);
}

static gboolean is_same_stack(const GArray *one, const GArray *other)
{
	return one->len == other->len && memcmp(one->data, other->data, one->len * sizeof(guint64)) == 0;
}

/* Counts the sizes with which the stack in filter->addresses, which is whole, would be another one. Compared rather
 * than asked for its end: a chain that was lost can look whole. */
static void weigh_sizes(SampleFilter *filter, UnwindSample asked)
{
	const gsize brought = asked.stack_bytes;
	for (guint i = 0; i < STACK_PIECE_SIZES && stack_piece_size(i) < brought; i++) {
		asked.stack_bytes = stack_piece_size(i);
		walk(filter, &asked, filter->tried);
		if (is_same_stack(filter->tried, filter->addresses))
			return;
		filter->pieces.lacking[i]++;
	}
}

/* Fills filter->addresses with the frames of user space. */
static UnwindEnd complete(SampleFilter *filter, const PerfDataRecord *record, guint user_at)
{
	const PerfDataSample *sample = &record->sample;
	UnwindSample asked = {.machine = THIS_MACHINE,
	        .pid = record->pid,
	        .registers = sample->user_registers,
	        .stack = sample->user_stack,
	        .stack_bytes = sample->user_stack_bytes,
	        .chain = sample->chain + user_at,
	        .chain_length = sample->chain_length - user_at};
	if (filter->unwinder == NULL) {
		filter->child = symbol_child_new();
		filter->unwinder = unwinder_new(filter->child);
		unwinder_set_budget(filter->unwinder, READING_US);
	}
	UnwindEnd end = walk(filter, &asked, filter->addresses);
	filter->pieces.samples++;
	filter->pieces.cut += end == UNWIND_STACK_END;
	if (filter->weighs_pieces && end == UNWIND_COMPLETE)
		weigh_sizes(filter, asked);
	return end;
}

static void append_words(GByteArray *out, const guint64 *words, guint n)
{
	g_byte_array_append(out, (const guint8 *)words, n * (guint)sizeof *words);
}

/* Writes the fields before the call chain, with `size` as that of the whole, and room for the period. */
static void write_fixed(const SampleFilter *filter, const guint8 *record, gsize size, GByteArray *out)
{
	const guint64 no_period = 0;
	struct perf_event_header header = record_header(record);
	header.size = (guint16)size;
	g_byte_array_append(out, (const guint8 *)&header, sizeof header);
	g_byte_array_append(out, record + sizeof header, SAMPLE_PERIOD_AT - (guint)sizeof header);
	if (filter->has_period)
		g_byte_array_append(out, record + SAMPLE_PERIOD_AT, SAMPLE_PERIOD_BYTES);
	else
		append_words(out, &no_period, 1);
}

/* The sample up to its call chain, and another chain: the kernel's part of the old one, and filter->addresses. */
static void write_sample(
        const SampleFilter *filter, const guint8 *record, const PerfDataSample *sample, guint kernel, GByteArray *out)
{
	const guint64 marker = PERF_DATA_MARKER_USER;
	guint user = MIN(filter->addresses->len, MAX_CHAIN - 1 - kernel);
	guint64 n = kernel + (user > 0 ? 1 + user : 0);
	write_fixed(filter, record, SAMPLE_FIXED_BYTES + (1 + n) * sizeof n, out);
	append_words(out, &n, 1);
	append_words(out, sample->chain, kernel);
	if (user > 0)
		append_words(out, &marker, 1);
	append_words(out, (const guint64 *)filter->addresses->data, user);
}

/* Of a sample. */
static gsize least_bytes(const SampleFilter *filter)
{
	return filter->has_period ? SAMPLE_FIXED_BYTES : SAMPLE_PERIOD_AT;
}

/* A sample that is as it should be but for its period. */
static gboolean make_room(const SampleFilter *filter, const guint8 *record, gsize size, GByteArray *out, GError **error)
{
	if (size < SAMPLE_PERIOD_AT || size > G_MAXUINT16 - SAMPLE_PERIOD_BYTES)
		return refuse(error, "sample");
	write_fixed(filter, record, size + SAMPLE_PERIOD_BYTES, out);
	g_byte_array_append(out, record + SAMPLE_PERIOD_AT, (guint)(size - SAMPLE_PERIOD_AT));
	return TRUE;
}

static gboolean pass_sample(
        SampleFilter *filter, const guint8 *record, gsize size, GByteArray *out, guint64 *incomplete, GError **error)
{
	PerfDataRecord decoded;
	PerfBytes bytes = {.bytes = record, .size = size};
	if (size < least_bytes(filter) || !perf_decoder_decode(&filter->decoder, bytes, &decoded) ||
	        decoded.sample.chain_length > MAX_CHAIN - 1)
		return refuse(error, "sample");
	const PerfDataSample *sample = &decoded.sample;
	guint user_at = user_part(sample);
	/* without registers there was no user space to return to */
	if (sample->user_registers.mask == 0) {
		g_array_set_size(filter->addresses, 0);
		write_sample(filter, record, sample, sample->chain_length, out);
		return TRUE;
	}
	*incomplete += complete(filter, &decoded, user_at) != UNWIND_COMPLETE;
	gboolean has_marker = user_at > 0 && sample->chain[user_at - 1] == PERF_DATA_MARKER_USER;
	write_sample(filter, record, sample, user_at - has_marker, out);
	return TRUE;
}

gboolean sample_filter_pass(
        SampleFilter *filter, const guint8 *record, gsize size, GByteArray *out, guint64 *incomplete, GError **error)
{
	PerfDataRecord decoded;
	PerfBytes bytes = {.bytes = record, .size = size};
	if (size < sizeof(struct perf_event_header) || record_header(record).size != size)
		return refuse(error, "record");
	guint32 type = record_header(record).type;
	if (filter->is_extended && type == PERF_RECORD_SAMPLE)
		return pass_sample(filter, record, size, out, incomplete, error);
	if (!filter->has_period && type == PERF_RECORD_SAMPLE)
		return make_room(filter, record, size, out, error);
	if (type == PERF_RECORD_SAMPLE && size < SAMPLE_FIXED_BYTES)
		return refuse(error, "sample");
	if (filter->is_extended && perf_decoder_knows(type) && perf_decoder_decode(&filter->decoder, bytes, &decoded))
		process_maps_apply(filter->maps, &decoded);
	g_byte_array_append(out, record, (guint)size);
	return TRUE;
}
