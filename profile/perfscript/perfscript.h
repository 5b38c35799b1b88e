/* Reader of the text that `perf script` prints, whatever the version of perf and of most choices of fields:
 *
 *     # cmdline : /usr/bin/perf record -g ./prog          header lines, with --header
 *     prog 4711/4712 [003] 1234.567890:   250000 cycles:u:
 *             55d0c0de1234 parse+0x14 (/srv/prog)         innermost first
 *             55d0c0de1100 main+0x40 (/srv/prog)
 *                                                         an empty line ends the sample, or the end of the file
 *     prog 4711 1234.567890: 250000 cpu-clock: 55d0c0de1234 parse+0x14 (/srv/prog)      without call chains
 *
 * Event lines. The command name may have blanks and numbers in it: the process is the last number, or pair of numbers,
 * before the time. The event is named in full, with its modifiers. Text of a tracepoint behind it is skipped.
 *
 * Weights. A sample counts 1, and weighs what its period is; 1 if there is none or it is 0.
 *
 * Frames. The root is the command name, blanks become `_`. Offsets are cut, argument lists are cut, `;` becomes `:`,
 * half-demangled Rust names are mended (model/toolnames.h); mangled names stay. What has no name is `[file]`, or
 * `[unknown]` if the file is not known either. `a->b->c`, as Java's maps have it, is a with b and c inlined, which get
 * the suffix `_[i]`; `operator->` is no such thing. For a command that starts with `java`, the L in front of a class
 * goes. Frames whose name starts with `(` are notes of old versions of perf and are skipped, but not `(anonymous
 * namespace)`. The module of a frame is the base name of its file; frames that perf shows as `(inlined)` are in that of
 * their caller, and generated code is in none. A sample without frames is kept as its command.
 *
 * The text is foreign. It is read in one pass without an allocation per line; lines that are neither events nor frames
 * are counted. */
#pragma once

#include "model/profile.h"

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

void perf_script_summary_clear(PerfScriptSummary *summary);

/* TRUE if the text begins like the output of `perf script`. */
gboolean perf_script_detect(const char *text, gsize length);

/* Adds the samples of `length` bytes of text to run `run` of `profile`. `name` is what messages call the text.
 * `options` and `summary` may be NULL. Errors: FIREBREAK_ERROR_USAGE if there is no sample, if the choice of the event
 * is not clear, or if there are no process ids to filter by; the profile is then untouched. */
gboolean perf_script_read(const char *text, gsize length, const char *name, const PerfScriptOptions *options,
        Profile *profile, guint run, PerfScriptSummary *summary, GError **error);
