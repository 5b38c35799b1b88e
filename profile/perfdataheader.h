/* The container of a perf.data file: where the records are, which events were recorded and what the features say.
 * Internal to the reader in perfdata.c.
 *
 *     header | attributes + ids | records ... | table of features | features */
#pragma once

#include "profile/perfdata.h"

/* A part of the file. All reads go through the functions below, which check bounds. */
typedef struct {
	const guint8 *bytes;
	gsize size;
} PerfBytes;

/* Little endian value at `offset`; FALSE if it does not fit. */
gboolean perf_bytes_u32(PerfBytes bytes, gsize offset, guint32 *value);
gboolean perf_bytes_u64(PerfBytes bytes, gsize offset, guint64 *value);
/* The part [offset, offset + size); FALSE if it does not fit. */
gboolean perf_bytes_part(PerfBytes bytes, guint64 offset, guint64 size, PerfBytes *part);

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

/* What decoding a record of an event needs. */
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
	PerfBytes records;
	PerfBytes leaf_hints; /* profile/leafhints.h; empty if the file has none */
	GArray *attrs;        /* of PerfDataAttr */
	GArray *ids;          /* of PerfDataId, sorted by id */
} PerfDataHeader;

/* Reads everything but the records. On success `header` must be cleared, and summary->events and build_ids are filled.
 * Errors: FIREBREAK_ERROR_INVALID; the caller adds the name of the file. */
gboolean perfdata_header_read(PerfBytes file, PerfDataHeader *header, PerfDataSummary *summary, GError **error);
void perfdata_header_clear(PerfDataHeader *header);
/* The event of an id; FALSE if there is none. */
gboolean perfdata_header_event(const PerfDataHeader *header, guint64 id, guint *event);
