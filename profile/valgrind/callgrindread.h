/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of what valgrind's callgrind writes, and of what other programs write in its format.
 *
 *     events: Ir Dr          columns
 *     ob=(2) /srv/prog       object file, "(2)" alone from then on
 *     fl=(1) parse.c
 *     fn=(7) parse'main      function, called by main
 *     16 400 12              line (or address, or both), then a cost per column: self cost of parse
 *     cfn=(8) hash'parse
 *     calls=3 50             the cost in the next line is that of three calls of hash: no self cost of anything here
 *     16 900 30
 *
 * Every stack gets exactly the self cost of its function. What a stack is depends on how the file was made:
 *
 * - As callgrind is run by default, a file has a call graph but no call paths: each stack is one function frame, and no
 *   flame graph can be made from it that shows who called whom.
 * - With --separate-callers=N, a function is listed once per chain of N callers, and the chain is in its name:
 *   hash'parse'main is the stack main;parse;hash. Deeper callers are not known.
 *
 * A recursive function is listed by level (--separate-recs): fib'2 is fib called by itself, the stack fib;fib, and
 * stands for all deeper levels, too.
 *
 * Frames are named by the canonical name (model/canonical.h) without argument list; their module is the base
 * name of the object file, their file the source file. Callers in a chain get the module of a function of that name,
 * one of the same object file first. Functions that callgrind calls by their address are `[unknown]`. There is no frame
 * for the command. Parts and threads of a file add up.
 *
 * The text is foreign: all sizes are checked, and a file of callgrind itself that is cut off, or whose costs do not add
 * up to its totals, is refused. */
#pragma once

#include "model/profile.h"

typedef struct {
	const char *event;     /* column to read; NULL = the first, which is `Ir` for callgrind */
	gint32 pid;            /* only parts of this process; 0 = all */
	gint32 thread;         /* only parts of this thread, as callgrind counts them, from 1; 0 = all */
	const char *comm;      /* only parts of this command, its base name; NULL = all */
	gboolean may_be_empty; /* a file without any cost is no error, but has 0 parts */
} CallgrindOptions;

typedef struct {
	char *event;           /* name of the column that was read; owned */
	char *command;         /* what was run, as the file says; "" = not told; owned */
	guint64 cost;          /* sum of all self costs that went into the profile */
	guint parts;           /* that were read; a file without parts is one */
	gboolean has_contexts; /* some function was listed with its callers */
} CallgrindSummary;

void callgrind_summary_clear(CallgrindSummary *summary);

/* TRUE if the text begins like a file of this format. */
gboolean callgrind_detect(const char *text, gsize length);

/* Adds `length` bytes of text to run `run` of `profile`; weight and samples of a cell are both the cost. `name` is what
 * messages call the text. `options` and `summary` may be NULL. Errors: FIREBREAK_ERROR_USAGE if the text is of another
 * format, has no such event, or nothing passes the filters; FIREBREAK_ERROR_INVALID if it is damaged. The profile is
 * then untouched. */
gboolean callgrind_read(const char *text, gsize length, const char *name, const CallgrindOptions *options,
        Profile *profile, guint run, CallgrindSummary *summary, GError **error);
