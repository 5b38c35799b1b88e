/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of what is read of a text of `perf script`, and what was found there. Data of
 * profile/perfscript/perfscript.h and of its parts. */
#pragma once

#include <glib.h>

typedef struct {
	const char *event;  /* with or without modifiers; NULL: there must be samples of only one */
	gint32 pid, tid;    /* only samples of this process or thread; 0 = all */
	const char *comm;   /* only samples under this command name; NULL = all */
	gboolean no_inline; /* leave inlined functions out */
	gboolean root_pid; /* the root is command-PID; `?` where the text has no process ids, which is perf's default */
	gboolean root_tid; /* the root is command-PID/TID */
	gboolean addresses;       /* name what has no name [file <address>] */
	gboolean annotate_kernel; /* suffix `_[k]` on kernel functions */
	gboolean annotate_jit;    /* suffix `_[j]` on generated code */
	/* NULL-terminated names of functions: what called the innermost of them is cut off, the command, too; or NULL
	 */
	const char *const *skip_after;
} PerfScriptOptions;

typedef struct {
	char *event;            /* name of the event that was read; owned */
	char *unit;             /* of the weights: "ns", "cycles", ..., or "samples" if no sample has a period; owned */
	char *command;          /* what was recorded, from the header; NULL = not told; owned */
	guint64 samples;        /* that went into the profile */
	guint64 weight;         /* sum of their weights */
	guint64 without_period; /* of them, those that weigh 1 for want of a period */
	guint64 without_stack;  /* of them, those that are a command only */
	guint64 unknown_leaves; /* of them, those whose leaf is `[unknown]` */
	guint64 single_frames;  /* of them, those with one frame besides the command */
	guint64 cut_stacks;     /* of them, those as deep as the kernel records by default (127) or deeper */
	guint64 filtered;       /* samples of this event that the filters left out */
	guint64 other_samples;  /* samples of other events */
	guint64 lost;           /* as PERF_RECORD_LOST lines say, with --show-lost-events */
	guint64 bad_lines;      /* lines that are neither event nor frame */
	guint64 first_bad_line; /* number of the first of them, from 1; 0 = none */
} PerfScriptSummary;
