/* SPDX-License-Identifier: Apache-2.0 */
/* Folded stacks: the text format that flame graph tools share.
 *
 *     main;parse;read_word 42          one column
 *     main;parse;read_word 40 42       two columns: base and head
 *
 * The text has no way to say how many columns it has, and a function may be called `op 3`; so the caller says it, and
 * it is never guessed. There is no escaping: the writer puts names through escape_folded(), which replaces what the
 * format cannot carry.
 *
 * Reading. LF and CRLF; a UTF-8 byte order mark is skipped; UTF-16 is refused. Empty lines and lines that begin with
 * "# " are skipped. Bytes that are no UTF-8 stay as they are. A count is digits with an optional fraction. Equal stacks
 * add up. Fractions are kept until the end: they add up per stack as double and are rounded to the nearest integer
 * once, and a stack with a positive count never becomes 0. Where that would falsify them, as with costs in seconds,
 * they can be read as thousandths, millionths or billionths, which the scale of the profile then says. A line that does
 * not match is counted and skipped, or an error if `strict`. */
#pragma once

#include "model/profile.h"

typedef struct {
	guint columns;         /* 1 or 2 */
	gboolean strict;       /* a bad line is an error */
	gboolean dtrace_names; /* read module`function as a frame of that module */
	gboolean plain_root;   /* the first frame is a function, not the command name */
	gboolean no_inline;    /* leave out frames that are marked as inlined, `_[i]` */
	gboolean scale_small;  /* counts are multiplied by 1000 as often as rounding would change them by more than 1 %
	                          together; see Profile.scale */
	gboolean mapped;       /* the text is a private, read-only mapping of a file: pages that have been read may be
	                        * given back to the kernel, which reads them again if somebody asks */
} FoldedOptions;

typedef struct {
	guint64 stack_lines;    /* lines that counted */
	guint64 bad_lines;      /* lines that did not match */
	guint64 first_bad_line; /* number of the first of them, from 1; 0 = none */
	char *first_bad_text;   /* up to 200 bytes of it, owned by the caller; NULL = none */
} FoldedSummary;

void folded_summary_clear(FoldedSummary *summary);

/* Reads `length` bytes of text. Column i is added to run `first_run` + i of `profile`, which must exist; weight and
 * samples of a cell are both the count, and what is in the profile already is brought to the scale of the text, or the
 * text to its. `name` is what messages call the text. `options` NULL = one column, lenient.
 * `summary` may be NULL. Errors: FIREBREAK_ERROR_USAGE if the text is no folded text, has no stack at all, has a bad
 * line and `strict` is set, has counts that are too far from those of the profile for one scale, or whose sum, with
 * that of the run, is no 64-bit number; nothing of the text is then in the profile. */
gboolean folded_read(const char *text, gsize length, const char *name, const FoldedOptions *options, Profile *profile,
        guint first_run, FoldedSummary *summary, GError **error);
/* The same from a file. Errors also: FIREBREAK_ERROR_STORAGE. */
gboolean folded_read_file(const char *path, const FoldedOptions *options, Profile *profile, guint first_run,
        FoldedSummary *summary, GError **error);

/* All runs of a profile as one. */
#define FOLDED_ALL_RUNS G_MAXUINT

typedef enum {
	FOLDED_WEIGHT = 0,       /* counts are weights */
	FOLDED_SAMPLES = 1 << 0, /* counts are samples */
	FOLDED_AS_IS = 1 << 1,   /* names are not escaped: for names that another tool has made fit */
} FoldedFlags;

/* One column of run `run`, or of all runs summed: lines sorted bytewise, stacks with count 0 left out. Owned by the
 * caller. */
char *folded_write(const Profile *profile, guint run, FoldedFlags flags);
/* Two columns: `base` and `head` share one table; each summed over all its runs. Owned by the caller. */
char *folded_write_diff(const Profile *base, const Profile *head, FoldedFlags flags);
