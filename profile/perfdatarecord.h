/* Decoding of one record of a perf.data file. Internal to the reader in perfdata.c.
 *
 * Every record is {u32 type, u16 misc, u16 size} and a body. All but samples end with the fields that say when and by
 * whom they were made, if the event asks for it; their place is counted from the end. */
#pragma once

#include "profile/perfdataheader.h"

/* Record types that are looked at. */
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
	PERF_TYPE_LAST_KERNEL = 21,
	PERF_TYPE_FIRST_USER = 64,
	PERF_TYPE_AUXTRACE = 71,
	PERF_TYPE_COMPRESSED = 81,
	PERF_TYPE_COMPRESSED2 = 83,
	PERF_TYPE_LAST_USER = 83,
};

/* How records of this file are decoded; borrows the header. */
typedef struct {
	const PerfDataHeader *header;
	gboolean has_identifier; /* every event's records have their id at a fixed place, first or last */
	GArray *chain;           /* of guint64, the call chain of the last sample decoded */
	guint64 unknown_ids;     /* samples of no event */
	guint64 truncated_chains;
} PerfDecoder;

/* Errors: FIREBREAK_ERROR_INVALID if records cannot be told apart by event. */
gboolean perf_decoder_init(PerfDecoder *decoder, const PerfDataHeader *header, GError **error);
void perf_decoder_clear(PerfDecoder *decoder);
/* Decodes a whole record, header included, of type SAMPLE, MMAP, MMAP2, COMM, FORK or EXIT. FALSE if its content does
 * not fit its size. Pointers in `out` are good until the next call. */
gboolean perf_decoder_decode(PerfDecoder *decoder, guint32 type, PerfBytes record, PerfDataRecord *out);
