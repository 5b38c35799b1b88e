#include "profile/perfdata.h"

#include "core/error.h"
#include "profile/perfdatarecord.h"

/* One record that is delivered. */
typedef struct {
	guint64 time_ns;
	guint64 offset;
} RecordRow;

/* One leaf hint of the file. */
typedef struct {
	guint64 record_offset;
	LeafHint hint;
} HintRow;

typedef struct {
	PerfDataHeader header;
	PerfDecoder decoder;
	PerfDataSummary summary;
	GArray *rows;  /* of RecordRow */
	GArray *hints; /* of HintRow, by offset */
} PerfDataReader;

static void event_clear(gpointer data)
{
	PerfDataEvent *event = data;
	g_free(event->name);
	g_free(event->unit);
}

static void build_id_clear(gpointer data)
{
	g_free(((PerfDataBuildId *)data)->path);
}

static void summary_init(PerfDataSummary *summary)
{
	*summary = (PerfDataSummary){
	        .events = g_array_new(FALSE, FALSE, sizeof(PerfDataEvent)),
	        .build_ids = g_array_new(FALSE, FALSE, sizeof(PerfDataBuildId)),
	};
	g_array_set_clear_func(summary->events, event_clear);
	g_array_set_clear_func(summary->build_ids, build_id_clear);
}

void perfdata_summary_clear(PerfDataSummary *summary)
{
	g_clear_pointer(&summary->events, g_array_unref);
	g_clear_pointer(&summary->build_ids, g_array_unref);
	*summary = (PerfDataSummary){0};
}

static gboolean is_delivered(guint32 type)
{
	return type == PERF_TYPE_SAMPLE || type == PERF_TYPE_MMAP || type == PERF_TYPE_MMAP2 ||
	       type == PERF_TYPE_COMM || type == PERF_TYPE_FORK || type == PERF_TYPE_EXIT;
}

static gboolean is_known(guint32 type)
{
	return (type >= 1 && type <= PERF_TYPE_LAST_KERNEL) ||
	       (type >= PERF_TYPE_FIRST_USER && type <= PERF_TYPE_LAST_USER);
}

static guint64 add_saturated(guint64 a, guint64 b)
{
	return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void count_sample(PerfDataSummary *summary, const PerfDataSample *sample)
{
	summary->samples++;
	summary->period_sum = add_saturated(summary->period_sum, sample->period);
	g_array_index(summary->events, PerfDataEvent, sample->event).samples++;
}

static void count_lost(PerfDataSummary *summary, PerfBytes record, gsize at)
{
	guint64 lost;
	if (perf_bytes_u64(record, at, &lost))
		summary->lost = add_saturated(summary->lost, lost);
	else
		summary->decode_errors++;
}

static void index_record(PerfDataReader *reader, guint32 type, PerfBytes record, guint64 offset)
{
	PerfDataSummary *summary = &reader->summary;
	PerfDataRecord decoded;
	summary->records++;
	if (type < PERF_DATA_KNOWN_TYPES)
		summary->by_type[type]++;
	summary->unknown += !is_known(type);
	summary->throttled += type == PERF_TYPE_THROTTLE;
	if (type == PERF_TYPE_LOST)
		count_lost(summary, record, 16);
	else if (type == PERF_TYPE_LOST_SAMPLES)
		count_lost(summary, record, 8);
	if (!is_delivered(type))
		return;
	if (!perf_decoder_decode(&reader->decoder, type, record, &decoded)) {
		summary->decode_errors++;
		return;
	}
	if (decoded.kind == PERF_DATA_SAMPLE)
		count_sample(summary, &decoded.sample);
	RecordRow row = {decoded.time_ns, offset};
	g_array_append_val(reader->rows, row);
}

static gboolean corrupt(guint64 offset, const char *text, GError **error)
{
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "%s, at byte %" G_GUINT64_FORMAT " of the records",
	        text, offset);
	return FALSE;
}

/* The record at `offset`, and how far the next one is: data of a hardware trace stand behind their record. */
static gboolean next_record(
        PerfBytes records, guint64 offset, guint32 *type, PerfBytes *record, guint64 *advance, GError **error)
{
	guint32 misc_and_size;
	guint64 trace_bytes = 0;
	if (!perf_bytes_u32(records, (gsize)offset, type) ||
	        !perf_bytes_u32(records, (gsize)offset + 4, &misc_and_size))
		return corrupt(offset, "truncated record", error);
	guint32 size = misc_and_size >> 16;
	if (size < 8)
		return corrupt(offset, "corrupt record", error);
	if (!perf_bytes_part(records, offset, size, record))
		return corrupt(offset, "truncated record", error);
	if (*type == PERF_TYPE_COMPRESSED || *type == PERF_TYPE_COMPRESSED2)
		return corrupt(offset, "compressed records, which are not read; record without -z", error);
	if (*type == PERF_TYPE_AUXTRACE && !perf_bytes_u64(*record, 8, &trace_bytes))
		return corrupt(offset, "corrupt record", error);
	if (trace_bytes > records.size - offset - size)
		return corrupt(offset, "truncated trace data", error);
	*advance = size + trace_bytes;
	return TRUE;
}

static gboolean index_records(PerfDataReader *reader, GError **error)
{
	PerfBytes records = reader->header.records, record;
	guint64 advance;
	guint32 type;
	for (guint64 offset = 0; offset < records.size; offset += advance) {
		if (!next_record(records, offset, &type, &record, &advance, error))
			return FALSE;
		index_record(reader, type, record, offset);
	}
	reader->summary.unknown_ids = reader->decoder.unknown_ids;
	reader->summary.truncated_chains = reader->decoder.truncated_chains;
	return TRUE;
}

/* Hints are optional: from the first one that does not fit on they are left aside. */
static void index_hints(PerfDataReader *reader)
{
	PerfBytes bytes = reader->header.leaf_hints;
	guint64 previous = 0;
	if (((guintptr)bytes.bytes) % sizeof(guint64) != 0)
		return;
	for (gsize at = 0; bytes.size - at >= sizeof(LeafHintHead);) {
		const LeafHintHead *head = (const LeafHintHead *)(const void *)(bytes.bytes + at);
		at += sizeof *head;
		if (head->n_words > (bytes.size - at) / sizeof(LeafWord) ||
		        (reader->hints->len > 0 && head->record_offset <= previous))
			return;
		const LeafWord *words = (const LeafWord *)(const void *)(bytes.bytes + at);
		HintRow row = {head->record_offset, {words, (guint)head->n_words}};
		g_array_append_val(reader->hints, row);
		at += head->n_words * sizeof(LeafWord);
		previous = head->record_offset;
	}
}

static gint compare_hints(gconstpointer a, gconstpointer b)
{
	const HintRow *x = a, *y = b;
	return (x->record_offset > y->record_offset) - (x->record_offset < y->record_offset);
}

static LeafHint find_hint(const PerfDataReader *reader, guint64 offset)
{
	guint found;
	if (!g_array_binary_search(reader->hints, &(HintRow){.record_offset = offset}, compare_hints, &found))
		return (LeafHint){0};
	return g_array_index(reader->hints, HintRow, found).hint;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const RecordRow *x = a, *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void deliver(PerfDataReader *reader, const PerfDataVisitor *visitor, gpointer data)
{
	g_array_sort(reader->rows, compare_rows);
	for (guint i = 0; i < reader->rows->len; i++) {
		guint64 offset = g_array_index(reader->rows, RecordRow, i).offset, advance;
		PerfDataRecord decoded;
		PerfBytes record;
		guint32 type;
		if (!next_record(reader->header.records, offset, &type, &record, &advance, NULL) ||
		        !perf_decoder_decode(&reader->decoder, type, record, &decoded))
			continue;
		if (decoded.kind == PERF_DATA_SAMPLE)
			decoded.sample.hint = find_hint(reader, offset);
		visitor->record(data, &decoded);
	}
}

static gboolean visit(PerfDataReader *reader, const PerfDataVisitor *visitor, gpointer data, GError **error)
{
	if (!index_records(reader, error))
		return FALSE;
	index_hints(reader);
	if (visitor->begin != NULL && !visitor->begin(data, &reader->summary, error))
		return FALSE;
	if (visitor->record != NULL)
		deliver(reader, visitor, data);
	return TRUE;
}

static gboolean read_bytes(
        PerfBytes file, PerfDataReader *reader, const PerfDataVisitor *visitor, gpointer data, GError **error)
{
	if (!perfdata_header_read(file, &reader->header, &reader->summary, error))
		return FALSE;
	gboolean ok = perf_decoder_init(&reader->decoder, &reader->header, error);
	if (ok) {
		ok = visit(reader, visitor, data, error);
		perf_decoder_clear(&reader->decoder);
	}
	perfdata_header_clear(&reader->header);
	return ok;
}

gboolean perfdata_read(
        const char *path, const PerfDataVisitor *visitor, gpointer data, PerfDataSummary *summary, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &failure);
	if (file == NULL) {
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, failure->message);
		return FALSE;
	}
	PerfBytes bytes = {(const guint8 *)g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
	PerfDataReader reader = {
	        .rows = g_array_new(FALSE, FALSE, sizeof(RecordRow)),
	        .hints = g_array_new(FALSE, FALSE, sizeof(HintRow)),
	};
	summary_init(&reader.summary);
	gboolean ok = read_bytes(bytes, &reader, visitor, data, error);
	if (!ok)
		g_prefix_error(error, "%s: ", path);
	g_array_unref(reader.rows);
	g_array_unref(reader.hints);
	if (ok && summary != NULL)
		*summary = reader.summary;
	else
		perfdata_summary_clear(&reader.summary);
	return ok;
}
