/* SPDX-License-Identifier: Apache-2.0 */
/* Inflates the compressed records of a recording. Internal to the perf.data reader.
 *
 * All compressed records hold the pieces of one zstd stream, whose frame need not end. A piece may end inside of a
 * record. What was inflated stays in memory where it is until the inflater goes, so records can be pointed to:
 *
 *     perf_inflater_feed()             a piece
 *       repeat until is_done:
 *         perf_inflater_step()         gives the bytes that nobody has consumed yet
 *         perf_inflater_consume()      the whole records among them */
#pragma once

#include "profile/perfdata/perfdatabytes.h"

typedef struct PerfInflater PerfInflater;

/* Bytes come out with the order that the recording has. */
PerfInflater *perf_inflater_new(gboolean is_swapped);
void perf_inflater_free(PerfInflater *inflater);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PerfInflater, perf_inflater_free)

/* Hands in the next piece; borrowed until all steps are done. */
void perf_inflater_feed(PerfInflater *inflater, PerfBytes piece);
/* Inflates a part of the piece. `pending` is everything that was not consumed; of that, at most one record (64 KiB) may
 * be left before the next step. Errors: FIREBREAK_ERROR_INVALID if the stream is corrupt or inflates to more than 2
 * GiB. */
gboolean perf_inflater_step(PerfInflater *inflater, PerfBytes *pending, gboolean *is_done, GError **error);
/* Says that the first `size` bytes of what is there were taken. */
void perf_inflater_consume(PerfInflater *inflater, gsize size);
/* TRUE if bytes are left that nobody consumed: the stream ended inside of a record. */
gboolean perf_inflater_has_rest(const PerfInflater *inflater);
