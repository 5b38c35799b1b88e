/* SPDX-License-Identifier: Apache-2.0 */
/* The records by which a pipe hands over what a file has in its header: events, their names, features, build-ids.
 * Internal to the perf.data reader. */
#pragma once

#include "profile/perfdata/perfdatarecord.h"

/* Takes a whole record of a type from PERF_TYPE_FIRST_USER on; those that say nothing about the header are left alone.
 * Errors: FIREBREAK_ERROR_INVALID. */
gboolean perf_pipe_take(
        PerfBytes record, guint32 type, PerfDataEvents *events, PerfDataSummary *summary, GError **error);
