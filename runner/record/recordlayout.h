/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where things lie in the records of our own events: all of them have the same sample_type, so the places are
 * fixed.
 *
 *     SAMPLE   header | identifier | ip | pid, tid | time | cpu, - | period | n, chain[n] if asked for | ...
 *     others   header | body | pid, tid | time | cpu, - | identifier
 *
 * The kernel leaves the period out where it is fixed and PERF_SAMPLE_PERIOD would make it sample every single event
 * (runner/record/eventset.h); then everything after it comes 8 bytes earlier, until runner/record/samplefilter.h makes
 * room for it. Times are CLOCK_MONOTONIC nanoseconds. Source: linux/perf_event.h, perf_event_type. */
#pragma once

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>

#define RECORD_SAMPLE_TYPE                                                                                             \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |              \
	        PERF_SAMPLE_PERIOD)

enum {
	SAMPLE_ID_AT = 8,
	SAMPLE_IP_AT = 16,
	SAMPLE_TID_AT = 28,
	SAMPLE_TIME_AT = 32,
	SAMPLE_CPU_AT = 40,
	SAMPLE_PERIOD_AT = 48,
	SAMPLE_FIXED_BYTES = 56, /* the call chain begins here */
	SAMPLE_PERIOD_BYTES = SAMPLE_FIXED_BYTES - SAMPLE_PERIOD_AT,
};

/* The fields at the end of every record that is not a sample. */
typedef struct {
	guint32 pid, tid;
	guint64 time_ns;
	guint32 cpu, reserved;
	guint64 id;
} RecordTrailer;

static inline struct perf_event_header record_header(const guint8 *record)
{
	struct perf_event_header header;
	memcpy(&header, record, sizeof header);
	return header;
}

static inline guint64 record_u64(const guint8 *record, gsize at)
{
	guint64 value;
	memcpy(&value, record + at, sizeof value);
	return value;
}

static inline guint32 record_u32(const guint8 *record, gsize at)
{
	guint32 value;
	memcpy(&value, record + at, sizeof value);
	return value;
}

/* TRUE if the record is as long as its kind needs at least, a sample up to its period. */
static inline gboolean record_is_whole(struct perf_event_header header)
{
	gsize least = header.type == PERF_RECORD_SAMPLE ? SAMPLE_PERIOD_AT : sizeof header + sizeof(RecordTrailer);
	return header.size >= least;
}

static inline RecordTrailer record_trailer(const guint8 *record, gsize size)
{
	RecordTrailer trailer;
	memcpy(&trailer, record + size - sizeof trailer, sizeof trailer);
	return trailer;
}

/* Of a whole record. */
static inline guint64 record_time_ns(const guint8 *record, struct perf_event_header header)
{
	return header.type == PERF_RECORD_SAMPLE ? record_u64(record, SAMPLE_TIME_AT)
	                                         : record_trailer(record, header.size).time_ns;
}
