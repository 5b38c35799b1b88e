/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatafeature.h"

#include "core/error.h"
#include "profile/perfdata/perfmap.h"

enum {
	/* The numbers are those of tools/perf/util/header.h in Linux; simpleperf has its own from 128 on. */
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_STAT = 19,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_SIMPLEPERF_FIRST = 128,
	FEATURE_SIMPLEPERF_LAST = 132,
	MISC_BUILD_ID_SIZE = 1 << 15,
};

/* A string of a feature: its length with padding, and as many bytes. */
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

/* A feature that is one string, in place of what is known so far. */
static gboolean read_text(PerfBytes content, char **text)
{
	gsize at = 0;
	/* A foreign file may have the same feature twice. */
	g_free(g_steal_pointer(text));
	return read_string(content, &at, text);
}

/* A feature that is a list of words, with blanks between them, in place of what is known so far. */
static gboolean read_words(PerfBytes content, char **text)
{
	guint32 n;
	gsize at = 4;
	g_autoptr(GString) words = g_string_new(NULL);
	if (!perf_bytes_u32(content, 0, &n))
		return FALSE;
	for (guint32 i = 0; i < n; i++) {
		g_autofree char *word = NULL;
		if (!read_string(content, &at, &word))
			return FALSE;
		g_string_append_printf(words, "%s%s", i > 0 ? " " : "", word);
	}
	g_free(*text);
	*text = g_strdup(words->str);
	return TRUE;
}

/* The data about an event that follow its attribute. */
typedef struct {
	char *name; /* as the user of the recorder gave it */
	PerfBytes ids;
} DescribedEvent;

static gboolean read_described_event(PerfBytes content, gsize *at, DescribedEvent *event)
{
	guint32 n_ids;
	if (!perf_bytes_u32(content, *at, &n_ids))
		return FALSE;
	*at += 4;
	if (!read_string(content, at, &event->name))
		return FALSE;
	if (!perf_bytes_part(content, *at, (guint64)n_ids * 8, &event->ids)) {
		g_free(event->name);
		return FALSE;
	}
	*at += event->ids.size;
	return TRUE;
}

/* The list of all events with their names. They are told by their ids, or where the header had none, by their order. */
static gboolean read_event_desc(PerfBytes content, PerfDataEvents *events, PerfDataSummary *summary)
{
	guint32 n_events, attr_bytes;
	guint64 id;
	gsize at = 8;
	gboolean have_ids = events->ids->len > 0;
	if (!perf_bytes_u32(content, 0, &n_events) || !perf_bytes_u32(content, 4, &attr_bytes))
		return FALSE;
	for (guint i = 0; i < MIN(n_events, events->attrs->len); i++) {
		DescribedEvent described;
		guint event = i;
		/* The attribute is one of those that were read already. */
		at += attr_bytes;
		if (!read_described_event(content, &at, &described))
			return FALSE;
		if (!have_ids)
			perf_events_add_ids(events, described.ids, event);
		else if (perf_bytes_u64(described.ids, 0, &id))
			perf_events_find(events, id, &event);
		perf_events_rename(events, event, described.name, summary);
		g_free(described.name);
	}
	return TRUE;
}

/* Recorders that do not say the length fill the id with zeros. */
static guint build_id_length(const guint8 *id, guint16 misc)
{
	guint length = PERF_DATA_BUILD_ID_BYTES;
	if ((misc & MISC_BUILD_ID_SIZE) != 0)
		return MIN(id[PERF_DATA_BUILD_ID_BYTES], PERF_DATA_BUILD_ID_BYTES);
	/* Single zeros at the end may belong to the id, whole words of them hardly do: usual ids have 16 or 20 bytes.
	 */
	while (length > 0 && memcmp(id + length - 4, "\0\0\0\0", 4) == 0)
		length -= 4;
	return length;
}

void perf_feature_read_build_ids(PerfBytes records, PerfDataSummary *summary)
{
	enum { ID_AT = 12, PATH_AT = 36 };
	PerfBytes record;
	guint16 misc = 0, size = 0;
	for (gsize at = 0; at < records.size; at += record.size) {
		PerfDataBuildId id = {0};
		perf_bytes_u16(records, at + 4, &misc);
		if (!perf_bytes_u16(records, at + 6, &size) || size < PATH_AT ||
		        !perf_bytes_part(records, at, size, &record)) {
			summary->decode_errors++;
			return;
		}
		id.length = build_id_length(record.bytes + ID_AT, misc);
		memcpy(id.bytes, record.bytes + ID_AT, id.length);
		id.path = g_strndup((const char *)record.bytes + PATH_AT, record.size - PATH_AT);
		g_array_append_val(summary->build_ids, id);
	}
}

/* Numbers that make no sense are none. */
static gboolean read_stacks(PerfBytes content, PerfDataSummary *summary)
{
	guint64 completed, incomplete;
	if (!perf_bytes_u64(content, 0, &completed) || !perf_bytes_u64(content, 8, &incomplete) ||
	        incomplete > completed)
		return FALSE;
	summary->completed = completed;
	summary->incomplete = incomplete;
	return TRUE;
}

static gboolean refuse(guint64 feature, GError **error)
{
	const char *text = NULL;
	if (feature == FEATURE_DIR_FORMAT)
		text = "one part of a recording that is a directory, which is not read; record without --threads";
	else if (feature == FEATURE_STAT)
		text = "made by `perf stat`, which takes no samples; record with `perf record`";
	else if (feature >= FEATURE_SIMPLEPERF_FIRST && feature <= FEATURE_SIMPLEPERF_LAST)
		text = "made by simpleperf, which is not read; hand over the text of its report_sample.py instead";
	if (text != NULL)
		g_set_error_literal(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, text);
	return text != NULL;
}

gboolean perf_feature_read(
        PerfBytes content, guint64 feature, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	gboolean ok = TRUE;
	if (refuse(feature, error))
		return FALSE;
	if (feature == FEATURE_EVENT_DESC) {
		ok = read_event_desc(content, events, summary);
	} else if (feature == FEATURE_ARCH) {
		ok = read_text(content, &summary->machine);
	} else if (feature == FEATURE_HOSTNAME) {
		ok = read_text(content, &summary->host);
	} else if (feature == FEATURE_OSRELEASE) {
		ok = read_text(content, &summary->kernel_release);
	} else if (feature == FEATURE_CMDLINE) {
		ok = read_words(content, &summary->command);
	} else if (feature == PERF_DATA_ORIGIN_FEATURE) {
		ok = read_text(content, &summary->mark);
	} else if (feature == FEATURE_BUILD_ID) {
		perf_feature_read_build_ids(content, summary);
	} else if (feature == PERF_DATA_STACKS_FEATURE) {
		ok = read_stacks(content, summary);
	} else if (feature == PERF_MAPS_FEATURE) {
		summary->perf_maps = content.bytes;
		summary->perf_maps_bytes = content.size;
	}
	/* A damaged feature costs only what it would have told; the records can be read without it. */
	summary->decode_errors += !ok;
	return TRUE;
}
