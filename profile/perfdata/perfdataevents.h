/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a recording: how their records are laid out, their ids and their names. Internal to the perf.data
 * reader.
 *
 * Files list them in their header, pipes hand them over record by record; either way each is one perf_event_attr
 * (linux/perf_event.h) of 64 to 136 bytes, of which newer ones may be longer, and the ids that its records carry. */
#pragma once

#include "profile/perfdata/perfdatabytes.h"
#include "profile/perfdata/perfdatacontent.h"

/* Bits of PerfDataAttr.sample_type. */
enum {
	PERF_FIELD_IP = 1 << 0,
	PERF_FIELD_TID = 1 << 1,
	PERF_FIELD_TIME = 1 << 2,
	PERF_FIELD_ADDR = 1 << 3,
	PERF_FIELD_READ = 1 << 4,
	PERF_FIELD_CALLCHAIN = 1 << 5,
	PERF_FIELD_ID = 1 << 6,
	PERF_FIELD_CPU = 1 << 7,
	PERF_FIELD_PERIOD = 1 << 8,
	PERF_FIELD_STREAM_ID = 1 << 9,
	PERF_FIELD_RAW = 1 << 10,
	PERF_FIELD_BRANCH_STACK = 1 << 11,
	PERF_FIELD_REGS_USER = 1 << 12,
	PERF_FIELD_STACK_USER = 1 << 13,
	PERF_FIELD_IDENTIFIER = 1 << 16,
};

/* The attributes of an event that decoding its records needs. */
typedef struct {
	guint32 type;
	guint64 config;
	guint64 period_or_frequency;
	guint64 sample_type;
	guint64 read_format;
	guint64 branch_type;
	guint64 user_registers; /* which ones are recorded */
	gboolean is_frequency;
	gboolean id_in_all; /* records other than samples end with the id fields */
	gboolean exclude_user, exclude_kernel;
	guint max_stack; /* longest call chain the kernel records */
} PerfDataAttr;

typedef struct {
	guint64 id;
	guint event;
} PerfDataId;

typedef struct {
	GArray *attrs;      /* of PerfDataAttr */
	GArray *ids;        /* of PerfDataId */
	gboolean is_sorted; /* the ids are */
} PerfDataEvents;

/* An empty table. The caller clears it. */
void perf_events_init(PerfDataEvents *events);
void perf_events_clear(PerfDataEvents *events);

/* Adds an event to the table and to summary->events, under a name made from its attribute. `attr` is a perf_event_attr
 * and may be longer. Errors: FIREBREAK_ERROR_INVALID. */
gboolean perf_events_add(
        PerfDataEvents *events, PerfBytes attr, PerfBytes ids, PerfDataSummary *summary, GError **error);
/* More ids of an event, as they stand in a list of 64-bit numbers. Of an id that is there twice, the first counts. */
void perf_events_add_ids(PerfDataEvents *events, PerfBytes ids, guint event);
/* The event of an id; FALSE if there is none. */
gboolean perf_events_find(PerfDataEvents *events, guint64 id, guint *event);
/* Another name for an event; an empty one is ignored. */
void perf_events_rename(const PerfDataEvents *events, guint event, const char *name, PerfDataSummary *summary);

static inline const PerfDataAttr *perf_events_attr(const PerfDataEvents *events, guint event)
{
	return &g_array_index(events->attrs, PerfDataAttr, event);
}
