/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of one record of a recording. Internal to the perf.data reader.
 *
 * Every record is {u32 type, u16 misc, u16 size} and a body. All but samples end with the fields that say when and by
 * whom they were made, if the event asks for it; their place is counted from the end. (linux/perf_event.h, enum
 * perf_event_type) */
#pragma once

#include "profile/perfdata/perfdatadecoder.h"

/* TRUE if records of a type are handed out, that is, can be decoded. */
gboolean perf_decoder_knows(guint32 type);
/* Decodes a whole record, header included; samples with counters in the order in which they were made. FALSE if its
 * content does not fit its size. Pointers in `out` are good until the next call. */
gboolean perf_decoder_decode(PerfDecoder *decoder, PerfBytes record, PerfDataRecord *out);
/* When a record other than a sample was made; 0 if it does not say. */
guint64 perf_decoder_time(PerfDecoder *decoder, PerfBytes record);
