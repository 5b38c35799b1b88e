/* SPDX-License-Identifier: Apache-2.0 */
/* Two lists of lines beside each other: which line of one is which of the other.
 *
 *     base              head              rows
 *     1 for (i..n)      1 check(n);       -  1
 *     2   sum += a[i]   2 for (i..n)      1  2
 *     3 return sum;     3   sum += b[i]   2  3    replaced by a similar line
 *                       4 return sum;     3  4
 *
 * What is the same is found by the diff of git, through libgit2. Among lines that were replaced by others, those that
 * look alike are one row, in the order of the text; they share at least half of their pairs of characters. Up to
 * TEXT_ALIGN_MAX_PAIRS pairs of lines are looked at; a passage that has more than are left is removed as a whole, then
 * added. */
#pragma once

#include <glib.h>

#define TEXT_ALIGN_MAX_PAIRS 100000

/* One row: a line of either side, from 0; TEXT_ALIGN_NONE if it is not on that side. */
typedef struct {
	guint base, head;
} AlignedRow;
#define TEXT_ALIGN_NONE G_MAXUINT

/* Lines without their ends. Borrowed, and so are the texts: any bytes but NUL and newline. */
typedef struct {
	const char *const *lines;
	guint n;
} TextLines;

/* The rows, in the order of both lists: each line of either is in exactly one. Lines that differ in nothing but blanks
 * are the same if `ignore_blanks` is set. A GArray of AlignedRow, owned by the caller. Errors: FIREBREAK_ERROR_INVALID
 * for texts that are too large for libgit2. */
GArray *text_align(const TextLines *base, const TextLines *head, gboolean ignore_blanks, GError **error);
