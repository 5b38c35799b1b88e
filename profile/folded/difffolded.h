/* SPDX-License-Identifier: Apache-2.0 */
/* The two columns that tools for differential flame graphs read: for each stack its count in base and in head, exactly
 * as difffolded.pl (github.com/brendangregg/FlameGraph) writes them, but for the order, which is bytewise.
 *
 *     main;foo 31 33
 *
 *     diff_folded_new()
 *     diff_folded_add()  once per text of either side
 *     diff_folded_text()
 *
 * Kept from that tool, for its users only: a line is everything before its last blank and a number, so blanks at the
 * end of a stack count; whole counts that are scaled are cut to whole numbers, so one that is small becomes 0; counts
 * with a fraction are printed with 15 digits. Not kept: a line that does not match would add an empty stack and spoil
 * nothing else; here it is left out and counted. CRLF ends a line, and a line with a NUL does not match. */
#pragma once

#include "profile/folded/folded.h"

typedef enum { DIFF_FOLDED_BASE, DIFF_FOLDED_HEAD, DIFF_FOLDED_SIDES } DiffFoldedSide;

typedef struct {
	gboolean normalize; /* base's counts times head's total / base's total, cut to whole numbers */
	gboolean strip_hex; /* numbers like 0x1f become 0x... */
} DiffFoldedOptions;

typedef struct DiffFolded DiffFolded;

DiffFolded *diff_folded_new(const DiffFoldedOptions *options);
void diff_folded_free(DiffFolded *diff);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiffFolded, diff_folded_free)

/* Adds `length` bytes of folded text with one column; equal stacks add up. The lines are counted in *summary, which is
 * overwritten and cleared by the caller; may be NULL. Never fails: a text without a good line adds nothing. */
void diff_folded_add(DiffFolded *diff, DiffFoldedSide side, const char *text, gsize length, FoldedSummary *summary);

/* All stacks of both sides with two counts each. Owned by the caller. */
char *diff_folded_text(const DiffFolded *diff);

/* The text with each `0x` and the hexadecimal digits after it replaced by `0x...`. Owned by the caller. */
char *diff_folded_strip_hex(const char *text);
