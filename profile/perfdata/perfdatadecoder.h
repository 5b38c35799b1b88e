/* SPDX-License-Identifier: Apache-2.0 */
/* The state that decoding records needs of their recording, and keeps from one record to the next: where ids stand, and
 * which event an id belongs to. Internal to the perf.data reader. */
#pragma once

#include "profile/perfdata/perfdataevents.h"

/* Record types that are looked at; from FIRST_USER on they are made by the recorder and not by the kernel. */
enum {
	PERF_TYPE_MMAP = 1,
	PERF_TYPE_LOST = 2,
	PERF_TYPE_COMM = 3,
	PERF_TYPE_EXIT = 4,
	PERF_TYPE_THROTTLE = 5,
	PERF_TYPE_FORK = 7,
	PERF_TYPE_SAMPLE = 9,
	PERF_TYPE_MMAP2 = 10,
	PERF_TYPE_LOST_SAMPLES = 13,
	PERF_TYPE_SWITCH = 14,
	PERF_TYPE_SWITCH_CPU_WIDE = 15,
	PERF_TYPE_LAST_KERNEL = 21,
	PERF_TYPE_FIRST_USER = 64,
	PERF_TYPE_HEADER_ATTR = 64,
	PERF_TYPE_TRACING_DATA = 66,
	PERF_TYPE_BUILD_ID = 67,
	PERF_TYPE_AUXTRACE = 71,
	PERF_TYPE_EVENT_UPDATE = 78,
	PERF_TYPE_HEADER_FEATURE = 80,
	PERF_TYPE_COMPRESSED = 81,
	PERF_TYPE_COMPRESSED2 = 83,
	PERF_TYPE_LAST_USER = 83,
};

enum { PERF_RECORD_HEADER_BYTES = 8 };

/* The state that decoding records of a recording needs. */
typedef struct {
	PerfDataEvents *events; /* borrowed */
	guint n_prepared;       /* events when the places of ids were last worked out */
	gboolean has_ids;       /* several events, told apart by an id in each record */
	guint id_words;         /* 64-bit words of a sample before its id */
	guint id_words_at_end;  /* words of other records from their id on */
	PerfDataId last;        /* the one found last */
	/* of guint64 and PerfDataBranch: copies for the last sample, where it could not be handed out as it lies */
	GArray *chain, *registers, *calls;
	GHashTable *counters; /* guint64 id to guint64: what its counter showed in the last sample */
	guint64 unknown_ids;  /* samples of no event */
	guint64 truncated_chains;
} PerfDecoder;

/* Makes a decoder of the records of `events`, which are borrowed. The caller clears it. */
void perf_decoder_init(PerfDecoder *decoder, PerfDataEvents *events);
void perf_decoder_clear(PerfDecoder *decoder);
/* Before the records are decoded once more. */
void perf_decoder_rewind(PerfDecoder *decoder);
/* To be called before decoding whenever events may have come. Errors: FIREBREAK_ERROR_INVALID if there is none, or if
 * records cannot be told apart by event. */
gboolean perf_decoder_prepare(PerfDecoder *decoder, GError **error);
/* The event of an id; the first one if there is only one. FALSE if the id belongs to none. */
gboolean perf_decoder_find_event(PerfDecoder *decoder, guint64 id, guint *event);
