#include "profile/perfdataheader.h"

#include "core/error.h"
#include "profile/leafhints.h"

#include <string.h>

enum {
	HEADER_BYTES = 104,
	PIPE_HEADER_BYTES = 16,
	SECTION_BYTES = 16,
	FEATURE_TABLE_BITS = 256,
	FEATURE_BUILD_ID = 2,
	FEATURE_EVENT_DESC = 12,
	SMALLEST_ATTR_BYTES = 64,
	DEFAULT_MAX_STACK = 127,
	MISC_BUILD_ID_SIZE = 1 << 15,
	MAX_EVENTS = 4096,
};

/* Bits of the attribute's flags. */
enum {
	FLAG_EXCLUDE_USER = 1 << 4,
	FLAG_EXCLUDE_KERNEL = 1 << 5,
	FLAG_FREQ = 1 << 10,
	FLAG_SAMPLE_ID_ALL = 1 << 18,
};

gboolean perf_bytes_part(PerfBytes bytes, guint64 offset, guint64 size, PerfBytes *part)
{
	if (offset > bytes.size || size > bytes.size - offset)
		return FALSE;
	*part = (PerfBytes){bytes.bytes + offset, (gsize)size};
	return TRUE;
}

gboolean perf_bytes_u32(PerfBytes bytes, gsize offset, guint32 *value)
{
	PerfBytes part;
	if (!perf_bytes_part(bytes, offset, sizeof *value, &part))
		return FALSE;
	memcpy(value, part.bytes, sizeof *value);
	*value = GUINT32_FROM_LE(*value);
	return TRUE;
}

gboolean perf_bytes_u64(PerfBytes bytes, gsize offset, guint64 *value)
{
	PerfBytes part;
	if (!perf_bytes_part(bytes, offset, sizeof *value, &part))
		return FALSE;
	memcpy(value, part.bytes, sizeof *value);
	*value = GUINT64_FROM_LE(*value);
	return TRUE;
}

/* A {offset, size} pair at `at` that names a part of the file. */
static gboolean read_section(PerfBytes file, gsize at, PerfBytes *part)
{
	guint64 offset, size;
	return perf_bytes_u64(file, at, &offset) && perf_bytes_u64(file, at + 8, &size) &&
	       perf_bytes_part(file, offset, size, part);
}

static gboolean invalid(GError **error, const char *text)
{
	g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, text);
	return FALSE;
}

static gboolean check_magic(PerfBytes file, GError **error)
{
	guint64 header_size;
	if (file.size >= 8 && memcmp(file.bytes, "2ELIFREP", 8) == 0)
		return invalid(error, "recorded on a big-endian machine, which is not read");
	if (file.size >= 8 && memcmp(file.bytes, "PERFFILE", 8) == 0)
		return invalid(error, "an obsolete version of perf.data, which is not read");
	if (file.size < 8 || memcmp(file.bytes, "PERFILE2", 8) != 0)
		return invalid(error, "not a perf.data file");
	if (!perf_bytes_u64(file, 8, &header_size))
		return invalid(error, "truncated in its header");
	if (header_size == PIPE_HEADER_BYTES)
		return invalid(error, "recorded in pipe mode, which is not read; record with -o FILE");
	if (header_size < HEADER_BYTES || file.size < HEADER_BYTES)
		return invalid(error, "truncated in its header");
	return TRUE;
}

/* `bytes` begins with a perf_event_attr, of which as much is read as it says to have. */
static gboolean read_attr(PerfBytes bytes, PerfDataAttr *attr)
{
	guint32 size;
	guint64 flags = 0;
	if (!perf_bytes_u32(bytes, 4, &size) || size < SMALLEST_ATTR_BYTES || size > bytes.size)
		return FALSE;
	*attr = (PerfDataAttr){.max_stack = DEFAULT_MAX_STACK};
	gboolean ok = perf_bytes_u32(bytes, 0, &attr->type) && perf_bytes_u64(bytes, 8, &attr->config) &&
	              perf_bytes_u64(bytes, 16, &attr->period_or_frequency) &&
	              perf_bytes_u64(bytes, 24, &attr->sample_type) && perf_bytes_u64(bytes, 32, &attr->read_format) &&
	              perf_bytes_u64(bytes, 40, &flags);
	attr->is_frequency = (flags & FLAG_FREQ) != 0;
	attr->id_in_all = (flags & FLAG_SAMPLE_ID_ALL) != 0;
	attr->exclude_user = (flags & FLAG_EXCLUDE_USER) != 0;
	attr->exclude_kernel = (flags & FLAG_EXCLUDE_KERNEL) != 0;
	perf_bytes_u64((PerfBytes){bytes.bytes, size}, 72, &attr->branch_type);
	perf_bytes_u64((PerfBytes){bytes.bytes, size}, 80, &attr->user_registers);
	if (size >= 110) {
		guint max_stack = bytes.bytes[108] | (guint)bytes.bytes[109] << 8;
		attr->max_stack = max_stack != 0 ? max_stack : DEFAULT_MAX_STACK;
	}
	return ok;
}

static void add_ids(PerfDataHeader *header, PerfBytes ids, guint event)
{
	PerfDataId entry = {.event = event};
	for (gsize at = 0; perf_bytes_u64(ids, at, &entry.id); at += 8)
		g_array_append_val(header->ids, entry);
}

static const char *plain_event_name(const PerfDataAttr *attr)
{
	static const char *const hardware[] = {"cycles", "instructions", "cache-references", "cache-misses", "branches",
	        "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
	static const char *const software[] = {"cpu-clock", "task-clock", "page-faults", "context-switches",
	        "cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy"};
	/* the upper half of a hardware event's config names the PMU of a hybrid processor */
	guint64 config = attr->type == 0 ? attr->config & G_MAXUINT32 : attr->config;
	if (attr->type == 0 && config < G_N_ELEMENTS(hardware))
		return hardware[config];
	if (attr->type == 1 && config < G_N_ELEMENTS(software))
		return software[config];
	return NULL;
}

static char *event_name(const PerfDataAttr *attr)
{
	const char *plain = plain_event_name(attr);
	g_autofree char *raw = g_strdup_printf("event-%u-%" G_GINT64_MODIFIER "x", attr->type, attr->config);
	const char *modifier = attr->exclude_kernel ? ":u" : attr->exclude_user ? ":k" : "";
	return g_strconcat(plain != NULL ? plain : raw, modifier, NULL);
}

/* Clocks count nanoseconds; everything else counts itself. */
static char *event_unit(const PerfDataAttr *attr, const char *name)
{
	const char *plain = plain_event_name(attr);
	if (attr->type == 1 && attr->config <= 1)
		return g_strdup("ns");
	if (plain != NULL)
		return g_strdup(plain);
	const char *colon = strrchr(name, ':');
	gboolean is_modifier = colon != NULL && strspn(colon + 1, "ukhGHIpPSDWeb") == strlen(colon + 1);
	return g_strndup(name, is_modifier ? (gsize)(colon - name) : strlen(name));
}

static void add_event(PerfDataSummary *summary, const PerfDataAttr *attr)
{
	PerfDataEvent event = {.type = attr->type, .config = attr->config, .name = event_name(attr)};
	if (attr->is_frequency)
		event.frequency_hz = attr->period_or_frequency;
	else
		event.period = attr->period_or_frequency;
	event.unit = event_unit(attr, event.name);
	g_array_append_val(summary->events, event);
}

static gint compare_ids(gconstpointer a, gconstpointer b)
{
	guint64 x = ((const PerfDataId *)a)->id, y = ((const PerfDataId *)b)->id;
	return (x > y) - (x < y);
}

static gboolean read_attrs(PerfBytes file, PerfDataHeader *header, PerfDataSummary *summary, GError **error)
{
	guint64 entry_size;
	PerfBytes section, entry, ids;
	if (!perf_bytes_u64(file, 16, &entry_size) || entry_size < SMALLEST_ATTR_BYTES + SECTION_BYTES ||
	        !read_section(file, 24, &section))
		return invalid(error, "corrupt: its table of events is broken");
	for (guint64 at = 0; perf_bytes_part(section, at, entry_size, &entry); at += entry_size) {
		PerfDataAttr attr;
		gsize attr_size = (gsize)entry_size - SECTION_BYTES;
		if (header->attrs->len == MAX_EVENTS)
			return invalid(error, "corrupt: too many events");
		if (!read_attr((PerfBytes){entry.bytes, attr_size}, &attr))
			return invalid(error, "corrupt: an event's attributes are broken");
		guint64 offset = 0, size = 0;
		perf_bytes_u64(entry, attr_size, &offset);
		perf_bytes_u64(entry, attr_size + 8, &size);
		if (!perf_bytes_part(file, offset, size, &ids))
			return invalid(error, "corrupt: an event's ids are outside of the file");
		add_ids(header, ids, header->attrs->len);
		g_array_append_val(header->attrs, attr);
		add_event(summary, &attr);
	}
	g_array_sort(header->ids, compare_ids);
	return header->attrs->len > 0 || invalid(error, "no event in it");
}

/* A string of a feature: length, then bytes with a NUL among them. Moves *at past it. */
static gboolean read_string(PerfBytes bytes, gsize *at, char **text)
{
	guint32 length;
	PerfBytes part;
	if (!perf_bytes_u32(bytes, *at, &length) || !perf_bytes_part(bytes, *at + 4, length, &part))
		return FALSE;
	*text = g_strndup((const char *)part.bytes, part.size);
	*at += 4 + (gsize)length;
	return TRUE;
}

/* Names as the user of the recorder gave them replace those made from the attributes. */
static gboolean read_event_desc(PerfBytes bytes, const PerfDataHeader *header, PerfDataSummary *summary)
{
	guint32 n_events, attr_size, n_ids;
	gsize at = 8;
	if (!perf_bytes_u32(bytes, 0, &n_events) || !perf_bytes_u32(bytes, 4, &attr_size))
		return FALSE;
	for (guint i = 0; i < n_events && i < header->attrs->len; i++) {
		g_autofree char *name = NULL;
		at += attr_size;
		if (!perf_bytes_u32(bytes, at, &n_ids))
			return FALSE;
		at += 4;
		if (!read_string(bytes, &at, &name))
			return FALSE;
		at += (gsize)n_ids * 8;
		PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, i);
		if (*name == '\0')
			continue;
		g_free(event->unit);
		g_free(event->name);
		event->unit = event_unit(&g_array_index(header->attrs, PerfDataAttr, i), name);
		event->name = g_steal_pointer(&name);
	}
	return TRUE;
}

static guint build_id_length(const guint8 *id, guint16 misc)
{
	guint length = PERF_DATA_BUILD_ID_BYTES;
	if ((misc & MISC_BUILD_ID_SIZE) != 0)
		return MIN(id[PERF_DATA_BUILD_ID_BYTES], PERF_DATA_BUILD_ID_BYTES);
	while (length > 0 && memcmp(id + length - 4, "\0\0\0\0", 4) == 0)
		length -= 4;
	return length;
}

/* Records: header of 8 bytes, pid, 24 bytes of id, path. */
static gboolean read_build_ids(PerfBytes bytes, PerfDataSummary *summary)
{
	enum { ID_AT = 12, PATH_AT = 36 };
	PerfBytes record;
	guint32 word;
	for (gsize at = 0; at < bytes.size; at += record.size) {
		PerfDataBuildId id = {0};
		if (!perf_bytes_u32(bytes, at + 4, &word) || word >> 16 < PATH_AT ||
		        !perf_bytes_part(bytes, at, word >> 16, &record))
			return FALSE;
		id.length = build_id_length(record.bytes + ID_AT, (guint16)word);
		memcpy(id.bytes, record.bytes + ID_AT, id.length);
		id.path = g_strndup((const char *)record.bytes + PATH_AT, record.size - PATH_AT);
		g_array_append_val(summary->build_ids, id);
	}
	return TRUE;
}

static void read_feature(PerfBytes content, guint feature, PerfDataHeader *header, PerfDataSummary *summary)
{
	gboolean ok = TRUE;
	if (feature == FEATURE_EVENT_DESC)
		ok = read_event_desc(content, header, summary);
	else if (feature == FEATURE_BUILD_ID)
		ok = read_build_ids(content, summary);
	else if (feature == LEAF_HINTS_FEATURE)
		header->leaf_hints = content;
	if (!ok)
		summary->decode_errors++;
}

/* The table of features stands behind the records, one {offset, size} per set bit. */
static void read_features(PerfBytes file, gsize table, PerfDataHeader *header, PerfDataSummary *summary)
{
	PerfBytes content;
	for (guint feature = 0; feature < FEATURE_TABLE_BITS; feature++) {
		if ((file.bytes[72 + feature / 8] >> feature % 8 & 1) == 0)
			continue;
		if (read_section(file, table, &content))
			read_feature(content, feature, header, summary);
		else
			summary->decode_errors++;
		table += SECTION_BYTES;
	}
}

static gboolean read_all(PerfBytes file, PerfDataHeader *header, PerfDataSummary *summary, GError **error)
{
	if (!check_magic(file, error) || !read_attrs(file, header, summary, error))
		return FALSE;
	if (!read_section(file, 40, &header->records))
		return invalid(error, "truncated: its records are not all there");
	if (header->records.size == 0)
		return invalid(error, "no records in it; the recording was not finished");
	read_features(file, (gsize)(header->records.bytes - file.bytes) + header->records.size, header, summary);
	return TRUE;
}

gboolean perfdata_header_read(PerfBytes file, PerfDataHeader *header, PerfDataSummary *summary, GError **error)
{
	*header = (PerfDataHeader){
	        .attrs = g_array_new(FALSE, FALSE, sizeof(PerfDataAttr)),
	        .ids = g_array_new(FALSE, FALSE, sizeof(PerfDataId)),
	};
	if (read_all(file, header, summary, error))
		return TRUE;
	perfdata_header_clear(header);
	return FALSE;
}

void perfdata_header_clear(PerfDataHeader *header)
{
	g_array_unref(header->attrs);
	g_array_unref(header->ids);
	*header = (PerfDataHeader){0};
}

gboolean perfdata_header_event(const PerfDataHeader *header, guint64 id, guint *event)
{
	guint found;
	if (!g_array_binary_search(header->ids, &(PerfDataId){.id = id}, compare_ids, &found))
		return FALSE;
	*event = g_array_index(header->ids, PerfDataId, found).event;
	return TRUE;
}
