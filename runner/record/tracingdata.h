/* SPDX-License-Identifier: Apache-2.0 */
/* The feature TRACING_DATA of a perf.data file: what perf wants to know of tracepoints before it reads their samples.
 *
 * Source: tools/perf/util/trace-event-read.c reads it; the parts are those of trace-cmd's file version 6. */
#pragma once

#include <glib.h>

/* The feature for these tracepoints ("sched:sched_switch", modifiers after it do not matter); owned by the caller.
 * Parts that tracefs does not give are empty. */
GByteArray *tracing_data_make(const char *const *names, guint n_names);
