/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of one sample, whose fields depend on its event (linux/perf_event.h, PERF_RECORD_SAMPLE). Internal to the
 * perf.data reader. */
#pragma once

#include "profile/perfdata/perfdatadecoder.h"

/* Decodes a whole record into out->sample and the fields that all records have but `cpu_mode`. FALSE if its content
 * does not fit its size. */
gboolean perf_sample_decode(PerfDecoder *decoder, PerfBytes record, PerfDataRecord *out);
