/* SPDX-License-Identifier: Apache-2.0 */
/* The orders of a recording (RecorderPlan) and what it turned out to hold (RecorderCounts). Data of
 * runner/record/recorder.h and of its parts. */
#pragma once

#include "runner/events/perfevent.h"
#include "runner/record/sideband.h"

/* The way in which call chains of user space are made. */
typedef enum {
	RECORDER_FRAME_POINTERS, /* along frame pointers, as the kernel does it */
	RECORDER_LEAF_REPAIR,    /* the same, with callers of functions without frame found by call frame information */
	RECORDER_DWARF,          /* by call frame information alone, for programs without frame pointers */
	RECORDER_NO_STACKS,      /* no call chains */
} RecorderStacks;

typedef struct {
	PerfEventSpec spec;   /* borrowed text */
	guint64 frequency_hz; /* samples per second; 0 = fixed period */
	guint64 period;       /* with frequency 0: one sample every `period` units of the event */
	gboolean off_cpu;  /* time spent blocked: each sample is a wait, its period the nanoseconds it took; `spec` and
	                      the rate are not looked at */
	gboolean or_clock; /* where the event is refused, cpu-clock at the same frequency, with a finding */
} RecorderEvent;

typedef struct {
	const RecorderEvent *events;
	guint n_events;
	RecorderStacks stacks;
	guint stack_bytes;       /* piece of stack per sample; 0 = what suits `stacks` */
	gboolean weigh_pieces;   /* take a large piece instead, and count what smaller ones would lack */
	gboolean kernel;         /* also sample kernel mode where an event's modifiers do not say */
	gboolean start_disabled; /* until recorder_enable() */
	gboolean waits;          /* also tell how long the run waited (runner/record/waits.h) */
	gboolean alone;          /* no second recording at once has to share the limit of locked memory */
	const int *pinned_cpus;  /* the only ones that the process may run on; n_pinned 0 = any */
	guint n_pinned;
	const char *const *command; /* what is recorded, for the head of the file; NULL-terminated, or NULL */
} RecorderPlan;

/* Counts of what pieces of stack were good for (runner/record/stackpiece.h). */
enum { STACK_PIECE_SIZES = 6 };
typedef struct {
	guint64 samples;      /* that brought a piece of stack */
	guint64 cut;          /* of these, those whose stack ended with the piece, before its root */
	guint64 buffer_bytes; /* room for samples on each CPU */
	/* with `weigh_pieces`: of `samples`, those whose stack is whole, but not with a piece of this size */
	guint64 lacking[STACK_PIECE_SIZES];
} StackPieceCounts;

typedef struct {
	guint64 samples, lost;   /* seen in the stream, and the kernel's own count of lost samples */
	guint64 throttled;       /* how often the kernel stopped an event until the next tick of its clock */
	guint64 throttled_first; /* of these, the first event */
	double worst_lost_share; /* lost / (lost + samples) of the event that lost most of its own, 0..1 */
	guint64 incomplete;      /* of `samples`, those whose stack could not be followed to its root */
	StackPieceCounts pieces;
	guint64 bytes;
	double wait_ns;         /* NaN = not asked for, or not known */
	gboolean small_buffers; /* the limit of locked memory did not allow the usual ones */
	SidebandFacts sideband;
} RecorderCounts;
