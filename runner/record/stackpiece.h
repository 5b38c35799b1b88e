/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the size of the piece of stack that each sample of a benchmark brings.
 *
 * Call frame information finds callers only as far as the piece reaches (profile/unwind/unwind.h), and how far the next
 * frame with a frame pointer or the root is depends on the program: a call of printf() for a double takes 5 KiB of
 * stack, a `char buffer[4096]` in main() as much. The kernel copies the whole piece for each sample, so it should not
 * be larger than needed, either. Therefore the warm-up run of each side brings the largest piece, and each of its
 * stacks is completed from the smaller ones, too:
 *
 *     largest piece    printf_fp  vfprintf  snprintf  dump_real  dump  main       the stack as it is
 *     of 3072 bytes    printf_fp  vfprintf  snprintf                              lacks something
 *     of 6144 bytes    printf_fp  vfprintf  snprintf  dump_real  dump  main       the same: enough
 *
 * The smallest size that is enough for nearly all stacks of both sides is used in all rounds, by both sides. */
#pragma once

#include "runner/record/recordplan.h"

/* The most that is taken unless the configuration says more: a larger copy costs time with every sample. */
#define STACK_PIECE_MAX 32768
/* The kernel's own limit. */
#define STACK_PIECE_LIMIT 65528

/* The size for a recording that nothing is known of: of this way of making stacks, in bytes. */
guint stack_piece_usual(RecorderStacks stacks);
/* The size with index `i`, ascending, of STACK_PIECE_SIZES. */
guint stack_piece_size(guint i);
/* The smallest of these sizes that is larger than `bytes`, 0 if there is none up to the kernel's limit. */
guint stack_piece_larger(guint bytes);

/* The size with which at most 1 % of the samples of every recording lack something, the usual size at least; 0, which
 * is what suits, if no sample brought a piece. `counts` are `n` recordings that weighed sizes (RecorderPlan), of
 * `stacks`. Where buffers are too small for that many bytes, or no size is enough, the largest one that fits. The order
 * of `counts` does not matter. */
guint stack_piece_choose(const StackPieceCounts *const *counts, guint n, RecorderStacks stacks);
