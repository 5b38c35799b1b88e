/* SPDX-License-Identifier: Apache-2.0 */
/* From the dumps of all runs of a benchmark under valgrind (gate/counted/gatecounts.h) to the measurements of both
 * sides. */
#pragma once

#include "gate/counted/gatecounts.h"

/* "system-calls", "allocations", "allocated-bytes": names of profile and metric. */
const char *counted_profile_name(CountedProfile counted);

/* Makes measurements, profiles, code and findings anew from all runs so far. Errors: FIREBREAK_ERROR_INVALID if a dump
 * is damaged. */
gboolean gate_counts_fold(GateCounts *counts, GError **error);

/* Annotates the functions of a comparison of these measurements that a reader sees first (gate/context/gateannotate.h),
 * and frees the fold, which holds the counts of all runs. NULL if there are none. Owned by the caller. To be called
 * once, when no more runs are made and before the measurements are handed over. */
GPtrArray *gate_counts_annotate(GateCounts *counts, const BenchmarkComparison *comparison);
