/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdata.h"

#include "core/error.h"
#include "profile/perfdata/perfdataheader.h"
#include "profile/perfdata/perfdatapipe.h"
#include "profile/perfdata/perfdatarecord.h"
#include "profile/perfdata/perfdatazstd.h"

#include <glib/gstdio.h>

/* A GArray cannot index more rows. */
#define MAX_ROWS (1u << 27)

/* One record that is delivered. */
typedef struct {
	guint64 time_ns;
	const guint8 *bytes;
} RecordRow;

typedef struct {
	PerfDataHeader header;
	PerfDataEvents events;
	PerfDecoder decoder;
	PerfDataSummary summary;
	PerfInflater *inflater; /* NULL until there is something compressed */
	GArray *rows;           /* of RecordRow */
	gboolean is_in_order;   /* the rows are */
	guint64 lost_by_kernel; /* as the kernel wrote it between its records */
	guint64 lost_by_count;  /* as the recorder read it from the events' counters at the end */
} PerfDataReader;

void perfdata_event_clear(gpointer data)
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
	g_array_set_clear_func(summary->events, perfdata_event_clear);
	g_array_set_clear_func(summary->build_ids, build_id_clear);
}

void perfdata_summary_clear(PerfDataSummary *summary)
{
	g_clear_pointer(&summary->events, g_array_unref);
	g_clear_pointer(&summary->build_ids, g_array_unref);
	g_free(summary->machine);
	g_free(summary->host);
	g_free(summary->kernel_release);
	g_free(summary->command);
	g_free(summary->mark);
	*summary = (PerfDataSummary){0};
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

/* Samples that a filter of the recorder left out on purpose are not lost. What the recorder read from counters has no
 * time; it counts again what the kernel wrote between its records, as far as the kernel could. */
static void count_lost(PerfDataReader *reader, guint32 type, PerfBytes record)
{
	/* PERF_RECORD_MISC_LOST_SAMPLES_BPF of linux/perf_event.h. */
	enum { MISC_BY_FILTER = 1 << 15 };
	guint64 lost;
	guint16 misc = 0;
	perf_bytes_u16(record, 4, &misc);
	/* PERF_RECORD_LOST has an id before its number, PERF_RECORD_LOST_SAMPLES has not. */
	if (!perf_bytes_u64(record, type == PERF_TYPE_LOST ? 16 : 8, &lost)) {
		reader->summary.decode_errors++;
	} else if (type == PERF_TYPE_LOST || perf_decoder_time(&reader->decoder, record) != 0) {
		reader->lost_by_kernel = add_saturated(reader->lost_by_kernel, lost);
	} else if ((misc & MISC_BY_FILTER) == 0) {
		reader->lost_by_count = add_saturated(reader->lost_by_count, lost);
	}
}

static gboolean fail(GError **error, const char *text)
{
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, text);
	return FALSE;
}

static gboolean add_row(PerfDataReader *reader, PerfBytes record, GError **error)
{
	PerfDataRecord decoded;
	if (!perf_decoder_decode(&reader->decoder, record, &decoded)) {
		reader->summary.decode_errors++;
		return TRUE;
	}
	if (reader->rows->len == MAX_ROWS)
		return fail(error, "too many records; record in smaller parts");
	if (decoded.kind == PERF_DATA_SAMPLE)
		count_sample(&reader->summary, &decoded.sample);
	if (reader->rows->len > 0 &&
	        decoded.time_ns < g_array_index(reader->rows, RecordRow, reader->rows->len - 1).time_ns)
		reader->is_in_order = FALSE;
	RecordRow row = {decoded.time_ns, record.bytes};
	g_array_append_val(reader->rows, row);
	return TRUE;
}

static gboolean index_record(PerfDataReader *reader, guint32 type, PerfBytes record, GError **error)
{
	PerfDataSummary *summary = &reader->summary;
	summary->records++;
	if (type < PERF_DATA_KNOWN_TYPES)
		summary->by_type[type]++;
	summary->unknown += !is_known(type);
	if (type >= PERF_TYPE_FIRST_USER)
		/* Records from PERF_TYPE_FIRST_USER on are perf's own, not the kernel's. A file says in its header what
		 * they say in a pipe. */
		return !reader->header.is_pipe || perf_pipe_take(record, type, &reader->events, summary, error);
	if (!perf_decoder_prepare(&reader->decoder, error))
		return FALSE;
	summary->throttled += type == PERF_TYPE_THROTTLE;
	if (type == PERF_TYPE_LOST || type == PERF_TYPE_LOST_SAMPLES)
		count_lost(reader, type, record);
	return !perf_decoder_knows(type) || add_row(reader, record, error);
}

/* The record at the beginning of the bytes. FALSE, with or without an error, if it is corrupt or not all there. */
static gboolean first_record(PerfBytes bytes, guint32 *type, PerfBytes *record, GError **error)
{
	guint16 size;
	if (!perf_bytes_u32(bytes, 0, type) || !perf_bytes_u16(bytes, 6, &size))
		return FALSE;
	if (size < PERF_RECORD_HEADER_BYTES)
		return fail(error, "corrupt record");
	return perf_bytes_part(bytes, 0, size, record);
}

/* Sets *size to the number of bytes that follow a record and belong to it. The size in a record's head has 16 bits, too
 * few for traces, so these two kinds are followed by data with a size of their own. */
static gboolean trailing_bytes(guint32 type, PerfBytes record, guint64 *size)
{
	guint32 short_size;
	*size = 0;
	if (type == PERF_TYPE_AUXTRACE)
		return perf_bytes_u64(record, PERF_RECORD_HEADER_BYTES, size);
	if (type == PERF_TYPE_TRACING_DATA) {
		if (!perf_bytes_u32(record, PERF_RECORD_HEADER_BYTES, &short_size))
			return FALSE;
		*size = ((guint64)short_size + 7) & ~(guint64)7;
	}
	return TRUE;
}

/* Indexes the whole records among inflated bytes. Data that follow their record are never compressed. */
static gboolean index_inflated(PerfDataReader *reader, PerfBytes bytes, gsize *used, GError **error)
{
	PerfBytes record, rest = bytes;
	GError *failure = NULL;
	guint64 trailing;
	guint32 type;
	for (; first_record(rest, &type, &record, &failure); rest = perf_bytes_rest(rest, record.size)) {
		if (type == PERF_TYPE_COMPRESSED || type == PERF_TYPE_COMPRESSED2 ||
		        !trailing_bytes(type, record, &trailing) || trailing > 0)
			return fail(error, "corrupt: a record that cannot be compressed");
		if (!index_record(reader, type, record, error))
			return FALSE;
	}
	/* A record that is not all there is no error: the next piece of the stream brings its end. */
	*used = bytes.size - rest.size;
	if (failure != NULL)
		g_propagate_prefixed_error(error, failure, "compressed: ");
	return failure == NULL;
}

static gboolean index_piece(PerfDataReader *reader, guint32 type, PerfBytes record, GError **error)
{
	PerfBytes piece = perf_bytes_rest(record, PERF_RECORD_HEADER_BYTES), pending;
	guint64 size;
	gsize used = 0;
	reader->summary.by_type[type]++;
	if (type == PERF_TYPE_COMPRESSED2 &&
	        /* Since perf 6.16 the piece is padded to a multiple of eight bytes, and has its own size in front. */
	        (!perf_bytes_u64(piece, 0, &size) || !perf_bytes_part(piece, 8, size, &piece)))
		return fail(error, "corrupt record");
	if (reader->inflater == NULL)
		reader->inflater = perf_inflater_new(record.is_swapped);
	perf_inflater_feed(reader->inflater, piece);
	for (gboolean is_done = FALSE; !is_done;) {
		if (!perf_inflater_step(reader->inflater, &pending, &is_done, error) ||
		        !index_inflated(reader, pending, &used, error))
			return FALSE;
		perf_inflater_consume(reader->inflater, used);
	}
	return TRUE;
}

/* Indexes the first of the records and cuts it off. */
static gboolean index_first(PerfDataReader *reader, PerfBytes *records, GError **error)
{
	PerfBytes record = {0}, trailing = {0};
	guint64 size;
	guint32 type;
	GError *failure = NULL;
	if (!first_record(*records, &type, &record, &failure)) {
		if (failure == NULL)
			return fail(error, "truncated record");
		g_propagate_error(error, failure);
		return FALSE;
	}
	*records = perf_bytes_rest(*records, record.size);
	if (type == PERF_TYPE_COMPRESSED || type == PERF_TYPE_COMPRESSED2)
		return index_piece(reader, type, record, error);
	if (!trailing_bytes(type, record, &size))
		return fail(error, "corrupt record");
	if (!perf_bytes_part(*records, 0, size, &trailing))
		return fail(error, "truncated data after a record");
	*records = perf_bytes_rest(*records, trailing.size);
	return index_record(reader, type, record, error);
}

/* Where standard error went into the same pipe, the recorder's last words stand among the records. */
static PerfBytes skip_talk(PerfBytes records)
{
	static const char talk[] = "[ perf record: ";
	gsize length = sizeof talk - 1;
	while (records.size > length && memcmp(records.bytes, talk, length) == 0) {
		const guint8 *end = memchr(records.bytes, '\n', records.size);
		gsize line = end != NULL ? (gsize)(end - records.bytes) + 1 : records.size;
		records = perf_bytes_rest(records, line);
	}
	return records;
}

static gboolean index_records(PerfDataReader *reader, GError **error)
{
	PerfBytes rest = reader->header.records;
	while (rest.size > 0) {
		gsize offset = reader->header.records.size - rest.size;
		if (!index_first(reader, &rest, error)) {
			g_prefix_error(error, "at byte %" G_GSIZE_FORMAT " of its records: ", offset);
			return FALSE;
		}
		rest = reader->header.is_pipe ? skip_talk(rest) : rest;
	}
	if (reader->inflater != NULL && perf_inflater_has_rest(reader->inflater))
		return fail(error,
		        "truncated: its last compressed record is incomplete; record again, or copy the whole file");
	if (reader->events.attrs->len == 0)
		return fail(error, "no event in it");
	/* Both count the same losses, and either may know only a part of them. */
	reader->summary.lost = MAX(reader->lost_by_kernel, reader->lost_by_count);
	reader->summary.unknown_ids = reader->decoder.unknown_ids;
	reader->summary.truncated_chains = reader->decoder.truncated_chains;
	return TRUE;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const RecordRow *x = a, *y = b;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* The sort is stable: records of one time stay in the order of the file. */
static void deliver(PerfDataReader *reader, const PerfDataVisitor *visitor, gpointer data)
{
	gboolean is_swapped = reader->header.records.is_swapped;
	if (!reader->is_in_order)
		g_array_sort(reader->rows, compare_rows);
	/* Indexing read all samples already, so the last values of counters are those of the end. */
	perf_decoder_rewind(&reader->decoder);
	for (guint i = 0; i < reader->rows->len; i++) {
		/* A row keeps only where its record is, which saves most of the memory; the record is decoded a second
		 * time, with the size that was checked when it was indexed. */
		PerfBytes record = {g_array_index(reader->rows, RecordRow, i).bytes, G_MAXUINT16, is_swapped};
		PerfDataRecord decoded;
		guint16 size = 0;
		perf_bytes_u16(record, 6, &size);
		record.size = size;
		if (perf_decoder_decode(&reader->decoder, record, &decoded))
			visitor->record(data, &decoded);
	}
}

static gboolean visit(
        PerfDataReader *reader, PerfBytes file, const PerfDataVisitor *visitor, gpointer data, GError **error)
{
	if (!perfdata_header_read(file, &reader->header, &reader->events, &reader->summary, error) ||
	        !index_records(reader, error))
		return FALSE;
	if (visitor->begin != NULL && !visitor->begin(data, &reader->summary, error))
		return FALSE;
	if (visitor->record != NULL)
		deliver(reader, visitor, data);
	return TRUE;
}

static void reader_clear(PerfDataReader *reader)
{
	perf_decoder_clear(&reader->decoder);
	perf_events_clear(&reader->events);
	perf_inflater_free(reader->inflater);
	g_array_unref(reader->rows);
}

gboolean perfdata_read_bytes(const guint8 *bytes, gsize length, const char *name, const PerfDataVisitor *visitor,
        gpointer data, PerfDataSummary *summary, GError **error)
{
	PerfDataReader reader = {
	        .rows = g_array_new(FALSE, FALSE, sizeof(RecordRow)),
	        .is_in_order = TRUE,
	};
	summary_init(&reader.summary);
	perf_events_init(&reader.events);
	perf_decoder_init(&reader.decoder, &reader.events);
	gboolean ok = visit(&reader, (PerfBytes){.bytes = bytes, .size = length}, visitor, data, error);
	if (!ok)
		g_prefix_error(error, "%s: ", name);
	/* The maps lie in the caller's bytes, which may go before the summary does. */
	reader.summary.perf_maps = NULL;
	reader.summary.perf_maps_bytes = 0;
	reader_clear(&reader);
	if (ok && summary != NULL)
		*summary = reader.summary;
	else
		perfdata_summary_clear(&reader.summary);
	return ok;
}

/* A named pipe cannot be mapped and is read to its end; it must not be opened twice. */
static GBytes *load(const char *path, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GMappedFile) file = NULL;
	GStatBuf status = {0};
	gchar *content = NULL;
	gsize length = 0;
	if (g_stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "%s: a directory, as `perf record --threads` and --kcore make it; record without --threads, "
		        "or read the file `data` in it",
		        path);
		return NULL;
	}
	if (S_ISFIFO(status.st_mode) && g_file_get_contents(path, &content, &length, &failure))
		return g_bytes_new_take(content, length);
	if (!S_ISFIFO(status.st_mode))
		file = g_mapped_file_new(path, FALSE, &failure);
	if (file != NULL)
		return g_mapped_file_get_bytes(file);
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_STORAGE, failure->message);
	return NULL;
}

gboolean perfdata_read(
        const char *path, const PerfDataVisitor *visitor, gpointer data, PerfDataSummary *summary, GError **error)
{
	gsize length = 0;
	g_autoptr(GBytes) content = load(path, error);
	if (content == NULL)
		return FALSE;
	const guint8 *bytes = g_bytes_get_data(content, &length);
	return perfdata_read_bytes(bytes, length, path, visitor, data, summary, error);
}
