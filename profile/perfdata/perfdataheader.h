/* SPDX-License-Identifier: Apache-2.0 */
/* The container of a recording: where its records are. Internal to the perf.data reader.
 *
 *     file    header | attributes + ids | records ... | table of features | features
 *     pipe    header of 16 bytes | records ..., of which some are attributes and features
 *
 * (tools/perf/Documentation/perf.data-file-format.txt) */
#pragma once

#include "profile/perfdata/perfdataevents.h"

typedef struct {
	PerfBytes records;
	gboolean is_pipe;
} PerfDataHeader;

/* Reads everything but the records into `header`, `events` and `summary`. `file` need not say its order of bytes.
 * Errors: FIREBREAK_ERROR_INVALID; the caller adds the name of the file. */
gboolean perfdata_header_read(
        PerfBytes file, PerfDataHeader *header, PerfDataEvents *events, PerfDataSummary *summary, GError **error);
