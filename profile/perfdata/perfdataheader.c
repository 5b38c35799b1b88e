/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdataheader.h"

#include "core/error.h"
#include "profile/perfdata/perfdatafeature.h"

enum {
	/* A pipe has only magic and size; a file has three more sections and 256 bits of features (struct
	 * perf_file_header in tools/perf/util/header.h). */
	PIPE_HEADER_BYTES = 16,
	HEADER_BYTES = 104,
	SECTION_BYTES = 16,
	FEATURE_BITS_AT = 72,
	N_FEATURES = 256,
	FEATURE_HOSTNAME = 3,
	SMALLEST_ENTRY_BYTES = 64 + SECTION_BYTES,
};

static gboolean invalid(GError **error, const char *text)
{
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, text);
	return FALSE;
}

/* A {offset, size} pair at `at` that names a part of the file. */
static gboolean read_section(PerfBytes file, gsize at, PerfBytes *part)
{
	guint64 offset, size;
	return perf_bytes_u64(file, at, &offset) && perf_bytes_u64(file, at + 8, &size) &&
	       perf_bytes_part(file, offset, size, part);
}

/* The first eight bytes are a number, so they also tell the order of bytes. */
static gboolean read_magic(PerfBytes *file, GError **error)
{
	gboolean is_little = file->size >= 8 && memcmp(file->bytes, "PERFILE2", 8) == 0;
	gboolean is_big = file->size >= 8 && memcmp(file->bytes, "2ELIFREP", 8) == 0;
	if (file->size >= 8 && (memcmp(file->bytes, "PERFFILE", 8) == 0 || memcmp(file->bytes, "ELIFFREP", 8) == 0))
		return invalid(error, "of the format before perf 3.2, which is not read; record it again");
	if (!is_little && !is_big)
		return invalid(error, "not a perf.data file");
	file->is_swapped = is_big == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
	return TRUE;
}

static gboolean read_events(PerfBytes file, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	guint64 entry_size = 0;
	PerfBytes section, entry, ids;
	if (!perf_bytes_u64(file, 16, &entry_size) || entry_size < SMALLEST_ENTRY_BYTES ||
	        !read_section(file, 24, &section))
		return invalid(error, "corrupt: its table of events is broken");
	for (guint64 at = 0; perf_bytes_part(section, at, entry_size, &entry); at += entry_size) {
		/* The size of an entry is the recorder's; what its attribute has beyond the known fields is skipped. */
		gsize attr_bytes = entry.size - SECTION_BYTES;
		guint64 offset = 0, size = 0;
		perf_bytes_u64(entry, attr_bytes, &offset);
		perf_bytes_u64(entry, attr_bytes + 8, &size);
		if (!perf_bytes_part(file, offset, size, &ids))
			return invalid(error, "corrupt: an event's ids are outside of the file");
		if (!perf_events_add(
		            events, (PerfBytes){entry.bytes, attr_bytes, file.is_swapped}, ids, summary, error))
			return FALSE;
	}
	return events->attrs->len > 0 || invalid(error, "no event in it");
}

/* The bits are an array of the recorder's words, which are 32 bits wide on some machines. That shows in a file of the
 * other order, where the bit of the host name, which every recorder sets, is not where it should be. */
static gboolean has_feature(PerfBytes file, guint feature, gboolean short_words)
{
	guint32 half = 0;
	guint64 word = 0;
	if (short_words)
		perf_bytes_u32(file, FEATURE_BITS_AT + feature / 32 * 4, &half);
	else
		perf_bytes_u64(file, FEATURE_BITS_AT + feature / 64 * 8, &word);
	return ((short_words ? half >> feature % 32 : word >> feature % 64) & 1) != 0;
}

/* The table has one {offset, size} for each bit that is set. */
static gboolean read_features(
        PerfBytes file, gsize table, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	PerfBytes content;
	gboolean short_words = file.is_swapped && !has_feature(file, FEATURE_HOSTNAME, FALSE) &&
	                       has_feature(file, FEATURE_HOSTNAME, TRUE);
	for (guint feature = 0; feature < N_FEATURES; feature++) {
		if (!has_feature(file, feature, short_words))
			continue;
		if (!read_section(file, table, &content))
			return invalid(error, "truncated: the part after its records is incomplete; record again, or "
			                      "copy the whole file");
		if (!perf_feature_read(content, feature, events, summary, error))
			return FALSE;
		table += SECTION_BYTES;
	}
	return TRUE;
}

gboolean perfdata_header_read(
        PerfBytes file, PerfDataHeader *header, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	guint64 header_bytes = 0, records_bytes = 0;
	if (!read_magic(&file, error))
		return FALSE;
	if (!perf_bytes_u64(file, 8, &header_bytes))
		return invalid(error, "truncated in its header; record again, or copy the whole file");
	if (header_bytes == PIPE_HEADER_BYTES) {
		*header = (PerfDataHeader){.records = perf_bytes_rest(file, PIPE_HEADER_BYTES), .is_pipe = TRUE};
		return TRUE;
	}
	if (header_bytes < HEADER_BYTES || file.size < HEADER_BYTES)
		return invalid(error, "truncated in its header; record again, or copy the whole file");
	/* perf writes the header with a size of 0 first and comes back when it ends. */
	if (perf_bytes_u64(file, 48, &records_bytes) && records_bytes == 0)
		return invalid(error,
		        "not finished: its recorder was killed before it wrote how many records there are; "
		        "record again and end it with SIGINT");
	*header = (PerfDataHeader){0};
	if (!read_events(file, events, summary, error))
		return FALSE;
	if (!read_section(file, 40, &header->records))
		return invalid(error, "truncated: its records are incomplete; record again, or copy the whole file");
	/* No field says where the table of features is: it follows the records. */
	gsize table = (gsize)(header->records.bytes - file.bytes) + header->records.size;
	return read_features(file, table, events, summary, error);
}
