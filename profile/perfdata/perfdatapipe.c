/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/perfdatapipe.h"

#include "profile/perfdata/perfdatafeature.h"

/* Body: attribute, ids to the end. The attribute says its own size; 0 is that of the first version. */
static gboolean take_event(PerfBytes record, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	enum { FIRST_ATTR_BYTES = 64 };
	PerfBytes attr = perf_bytes_rest(record, PERF_RECORD_HEADER_BYTES);
	guint32 size = 0;
	perf_bytes_u32(attr, 4, &size);
	PerfBytes ids = perf_bytes_rest(attr, size != 0 ? size : FIRST_ATTR_BYTES);
	return perf_events_add(events, attr, ids, summary, error);
}

/* Body: what is told, an id of the event, its new value. */
static void take_event_update(PerfBytes record, PerfDataEvents *events, PerfDataSummary *summary)
{
	enum { UPDATE_NAME = 2, ID_AT = 16, NAME_AT = 24 };
	guint64 what, id;
	guint event;
	if (!perf_bytes_u64(record, PERF_RECORD_HEADER_BYTES, &what) || !perf_bytes_u64(record, ID_AT, &id)) {
		summary->decode_errors++;
		return;
	}
	if (what != UPDATE_NAME || !perf_events_find(events, id, &event))
		return;
	const char *name = perf_bytes_text(record, NAME_AT);
	if (name != NULL)
		perf_events_rename(events, event, name, summary);
	else
		summary->decode_errors++;
}

/* Body: number of the feature, its content. A feature without content ends the list. */
static gboolean take_feature(PerfBytes record, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	guint64 feature;
	PerfBytes content = perf_bytes_rest(record, PERF_RECORD_HEADER_BYTES + sizeof feature);
	if (!perf_bytes_u64(record, PERF_RECORD_HEADER_BYTES, &feature)) {
		summary->decode_errors++;
		return TRUE;
	}
	return content.size == 0 || perf_feature_read(content, feature, events, summary, error);
}

gboolean perf_pipe_take(
        PerfBytes record, guint32 type, PerfDataEvents *events, PerfDataSummary *summary, GError **error)
{
	switch (type) {
	case PERF_TYPE_HEADER_ATTR:
		return take_event(record, events, summary, error);
	case PERF_TYPE_HEADER_FEATURE:
		return take_feature(record, events, summary, error);
	case PERF_TYPE_EVENT_UPDATE:
		take_event_update(record, events, summary);
		return TRUE;
	case PERF_TYPE_BUILD_ID:
		perf_feature_read_build_ids(record, summary);
		return TRUE;
	default:
		return TRUE;
	}
}
