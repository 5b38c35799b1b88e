/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of one sample, in two parts, from whatever the sample has:
 *
 *     kernel part   call chain                                            leaf first
 *     user part     registers and stack, unwound by call frame information
 *                   else the processor's call stack (LBR)
 *                   else call chain, by frame pointers
 *
 * Where a sample has registers, stack and a user call chain, the chain is repaired rather than walked anew. Code of a
 * guest or hypervisor is one frame each, `[guest]`, `[guest_kernel]`, `[hypervisor]`, in the kernel part. Entries at
 * the root end of the user part that point nowhere are what a walk read beyond the first function: they are cut, but
 * never the leaf. Return addresses belong to the call one byte before them; the first address after a change of context
 * is where it was interrupted. */
#pragma once

#include "profile/fold/framefinder.h"
#include "profile/unwind/unwind.h"

typedef struct {
	GArray *user, *kernel;  /* of RawFrame, leaf first */
	gboolean is_incomplete; /* unwinding ended before the root */
	/* internal */
	GArray *addresses, *unwound; /* of guint64, the user part */
} SampleStack;

/* An empty stack. The caller clears it. */
void sample_stack_init(SampleStack *stack);
void sample_stack_clear(SampleStack *stack);

typedef struct {
	FrameFinder *finder;
	Unwinder *unwinder;    /* NULL = registers are of a machine that cannot be unwound */
	UnwindMachine machine; /* of the recording */
	gboolean keeps_all;    /* entries that point nowhere are not cut */
} SampleStackSource;

/* Replaces what is in `stack` by the stack of a sample record. */
void sample_stack_collect(SampleStack *stack, const SampleStackSource *source, const PerfDataRecord *record);
