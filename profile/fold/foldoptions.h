/* SPDX-License-Identifier: Apache-2.0 */
/* Options that choose what is folded of a recording, and the quality of a recording, which a reader must know before
 * trusting it (profile/fold/foldperf.h). */
#pragma once

#include "model/profile.h"

typedef struct {
	/* fold only this event (with or without modifiers); NULL: there must be only one with samples */
	const char *event;
	gboolean kernel;      /* kernel frames one by one instead of one `[kernel]` */
	gboolean as_recorded; /* show what perf script shows, see above; if any recording asks for it, for all */
	gboolean addresses;   /* with that: name what has no name [file <address in it>] */
	/* bits 1 << StackNote (model/stacknote.h): what stacks tell besides functions, with as_recorded only; 0 =
	 * nothing, which costs nothing. The same for all recordings. */
	guint notes;
	guint side;          /* of the recording, for perf_fold_code_facts(): 0 = base, 1 = head */
	gboolean with_code;  /* look at the code, too, for perf_fold_code_facts(); if any recording asks for it, for all
	                      */
	gboolean no_inline;  /* only functions with code of their own; if any recording asks for it, it holds for all */
	gint32 pid, tid;     /* only samples of this process or thread; 0 = all */
	const char *comm;    /* only samples under this command name; NULL = all */
	gboolean gaps_known; /* the caller tells of stacks that are not whole: perf_fold_finish() has no finding of them
	                      */
	const char *symfs;   /* object files are looked for below this directory, too, of all recordings; or NULL */
	/* NULL-terminated command names, besides "perf-exec", of processes that have not executed a workload yet; or
	 * NULL */
	const char *const *launchers;
	/* NULL-terminated directories cut off the front of source file names, or NULL */
	const char *const *strip_prefixes;
} PerfFoldOptions;

/* The quality of one recording, which a reader must know before trusting it. */
typedef struct {
	guint64 samples;          /* that went into the profile */
	guint64 dropped;          /* of the launcher */
	guint64 lost;             /* samples and records lost, as the recording says */
	guint64 throttled;        /* THROTTLE records */
	guint64 truncated_chains; /* of `samples`, those whose call chain is as long as the kernel allows */
	guint64 unknown_leaf; /* samples whose leaf is in no module; those in a module but without a symbol are counted
	                       * by perf_fold_finish() in its findings */
	guint64 incomplete;   /* samples whose stack was unwound, but not to its root */
	guint64 user_frames, unknown_frames; /* frames of all samples; of them in no module and without a name */
	guint64 depth1;                      /* samples whose user call chain has a single frame */
	guint64 without_chain;               /* samples recorded without any call chain */
	guint64 rootless;      /* samples with a chain by frame pointers that has a single frame in user code, or a root
	                        * in no module */
	guint64 decode_errors; /* records that could not be decoded, samples of no event */
	guint64 unknown_records; /* of types that are not known; skipped */
	guint64 maps_left_out;   /* memory maps of processes that have too many */
	guint64 weight_total;    /* sum of the periods of `samples`, unit of the event */
} RunQuality;
