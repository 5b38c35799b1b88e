/* SPDX-License-Identifier: Apache-2.0 */
/* From the kernel's samples to those of the file: completes the call chain of a sample from its registers and its piece
 * of stack (profile/unwind/unwind.h), and takes both out.
 *
 * Raw stack holds whatever the program holds, secrets too, so it goes no further than this module's memory. All events
 * of a recording have the same fields, those that sample_filter_extend() leaves. */
#pragma once

#include "runner/record/recordplan.h"

typedef struct SampleFilter SampleFilter;

/* Asks for what completing the chains needs: nothing for RECORDER_FRAME_POINTERS and RECORDER_NO_STACKS, registers and
 * `stack_bytes` of stack (0 = what suits) otherwise. Where the machine is not one that profile/unwind/unwind.h knows,
 * nothing.
 */
void sample_filter_extend(struct perf_event_attr *attr, RecorderStacks stacks, guint stack_bytes);
/* Takes them out again, and has the period in: the attribute that describes the records of the file. */
void sample_filter_reduce(struct perf_event_attr *attr);

/* `attr` is that of the open events. */
SampleFilter *sample_filter_new(const struct perf_event_attr *attr, RecorderStacks stacks);
void sample_filter_free(SampleFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SampleFilter, sample_filter_free)

/* To be called before the first record: completes each chain from smaller pieces, too, to count what would be lacking.
 */
void sample_filter_weigh_pieces(SampleFilter *filter);
/* Counts of what the pieces of stack so far were good for; `buffer_bytes` is 0. Borrowed. */
const StackPieceCounts *sample_filter_pieces(const SampleFilter *filter);

/* TRUE if it completes chains, and so knows which are incomplete. */
gboolean sample_filter_completes(const SampleFilter *filter);

/* Tells why call chains may have been completed less than they could be: the first reason, borrowed, or NULL. */
const GError *sample_filter_problem(const SampleFilter *filter);

/* Takes one whole record, in order of time, and appends to `out` what the file is to hold: samples with their chain
 * completed, all others as they are. Samples that came without a period have room for it, of zeros. Counts samples
 * whose stack did not reach its root in *incomplete. Errors: FIREBREAK_ERROR_INVALID for a sample of impossible shape.
 */
gboolean sample_filter_pass(
        SampleFilter *filter, const guint8 *record, gsize size, GByteArray *out, guint64 *incomplete, GError **error);
