/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks from registers and a piece of stack, by call frame information (profile/objects/unwindrows.h).
 *
 * Two uses. A full walk, for programs without frame pointers: from the interrupted instruction up to the root, as far
 * as the piece of stack reaches. And the repair of a walk along frame pointers, which the kernel did:
 *
 *     kernel's chain      leaf  <- caller of the caller ...        the leaf had no frame (yet), its caller is missing
 *     repaired            leaf  <- caller <- caller of the caller ...
 *
 *     kernel's chain      callback <- qsort <- (garbage or end)    qsort uses the frame pointer for something else
 *     repaired            callback <- qsort <- qsort <- main ...
 *
 * The repair walks by call frame information from the leaf until it is in code that keeps frame pointers and the
 * kernel's chain is known to be right from there on, then goes on with that chain, or with frame pointers in the piece
 * of stack where the kernel's chain is broken.
 *
 * Rows are looked up once per range of code and remembered. x86-64 and aarch64. */
#pragma once

#include "profile/unwind/unwindcache.h"

typedef struct Unwinder Unwinder;

/* `child` reads the object files; borrowed as long as the unwinder lives. */
Unwinder *unwinder_new(SymbolChild *child);
/* The same with another reader of rows, whose `data` is borrowed. */
Unwinder *unwinder_new_reading(UnwindReader read, gpointer data);
void unwinder_free(Unwinder *unwinder);
/* Object files are looked for below this directory, too; NULL = not. Borrowed as long as the unwinder lives. To be set
 * before the first walk. */
void unwinder_set_symfs(Unwinder *unwinder, const char *symfs);
/* Wall time that may be spent on reading call frame information, in all; 30 seconds if this is not called. Code that is
 * met when it is used up counts as code without call frame information. */
void unwinder_set_budget(Unwinder *unwinder, gint64 budget_us);
/* Tells why there is code whose call frame information could not be read: the first reason, borrowed, or NULL. */
const GError *unwinder_problem(const Unwinder *unwinder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Unwinder, unwinder_free)

typedef enum { UNWIND_X86_64, UNWIND_AARCH64 } UnwindMachine;

/* perf's bits of the registers that a walk needs on this machine. */
guint64 unwind_registers_needed(UnwindMachine machine);

typedef struct {
	UnwindMachine machine;
	gint32 pid;
	PerfDataRegisters registers;
	const guint8 *stack; /* from the stack pointer upwards, little endian */
	gsize stack_bytes;
	const guint64 *chain; /* user part of the kernel's call chain: leaf first, no markers; for a repair */
	guint chain_length;
} UnwindSample;

typedef enum {
	UNWIND_COMPLETE,  /* the root was reached */
	UNWIND_STACK_END, /* the piece of stack ended first */
	UNWIND_NO_ROW,    /* code without call frame information */
	UNWIND_FAILED,    /* registers or stack make no sense */
} UnwindEnd;

/* Both replace the content of `addresses` (of guint64): the interrupted instruction first, then return addresses as
 * they are, which may be the first byte of the next function: what looks up an entry but the first must look one byte
 * earlier. To make that right for all of them, entries that are no return addresses are put one byte later than they
 * are: the trampoline that a signal handler returns to, and the instruction that the signal interrupted. With registers
 * missing there is nothing, or for a repair the chain as it was. */
UnwindEnd unwinder_walk(Unwinder *unwinder, const ProcessMaps *maps, const UnwindSample *sample, GArray *addresses);
/* Completes a chain made along frame pointers: finds callers that it lacks. Appends to `addresses`, leaf first. */
UnwindEnd unwinder_repair(Unwinder *unwinder, const ProcessMaps *maps, const UnwindSample *sample, GArray *addresses);
