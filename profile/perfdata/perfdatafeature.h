/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a recording: remarks of the recorder on events, machine and modules. A file has a table of them after
 * its records, a pipe has them as records; their content is the same. Internal to the perf.data reader. */
#pragma once

#include "profile/perfdata/perfdataevents.h"

/* Takes what matters from the content of a feature; content that makes no sense is counted in summary->decode_errors.
 * Errors: FIREBREAK_ERROR_INVALID if the feature says that the recording is of a kind that is not read. */
gboolean perf_feature_read(
        PerfBytes content, guint64 feature, PerfDataEvents *events, PerfDataSummary *summary, GError **error);
/* Records {header of 8 bytes, pid, 24 bytes of id, path}, as many as there are. */
void perf_feature_read_build_ids(PerfBytes records, PerfDataSummary *summary);
