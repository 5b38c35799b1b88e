/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of what valgrind's DHAT writes (`dhat.out.<pid>`, JSON, dhatFileVersion 2): blocks and bytes of heap memory
 * per call path.
 *
 *     "pps": [{"tb": 472, "tbk": 1, "gb": 0, ..., "fs": [1, 2, 3]}]     a path: innermost frame first
 *     "ftbl": ["[root]", "0x4848899: malloc (in /usr/libexec/...)", "0x109187: main (prog.c:12)"]
 *
 * The stack of a path ends with the allocating function (malloc, operator new); its weight is bytes, or blocks. DHAT
 * does not tell the object file of a function whose source line it knows: the frame is then one of that name that the
 * stack table has already, of the same source file first, so that paths here and in the instruction profile of the same
 * program share frames; else its module is not known.
 *
 * The text is foreign: sizes and indexes are checked. Format: dh_main.c of valgrind, "File format". */
#pragma once

#include "model/profile.h"

typedef enum {
	DHAT_BYTES,      /* allocated in all */
	DHAT_BLOCKS,     /* allocated in all */
	DHAT_PEAK_BYTES, /* alive at the moment when most bytes were */
} DhatWeight;

typedef struct {
	guint64 bytes, blocks, peak_bytes; /* over all paths */
	char *command;                     /* what was run; owned */
	gint64 pid;
} DhatSummary;

/* The kernel cuts the name of a command to so many bytes, and so do we. */
#define DHAT_COMMAND_BYTES 15

void dhat_summary_clear(DhatSummary *summary);

/* TRUE if the text begins like a file of this format. */
gboolean dhat_detect(const char *text, gsize length);

typedef struct {
	DhatWeight weight;
	Profile *profile;
	guint run;
} DhatTarget;

/* Adds `length` bytes of text to each target, which is a run of a profile; all profiles share one stack table. `name`
 * is what messages call the text. `summary` may be NULL. The root frame of each stack is the base name of the command,
 * as the kernel cuts it, if `with_command`. Errors: FIREBREAK_ERROR_USAGE if the text is of another format or mode,
 * FIREBREAK_ERROR_INVALID if it is damaged; the profiles are then untouched. */
gboolean dhat_read(const char *text, gsize length, const char *name, gboolean with_command, const DhatTarget *targets,
        guint n_targets, DhatSummary *summary, GError **error);
