/* SPDX-License-Identifier: Apache-2.0 */
/* Words wrapped to the width of a terminal. */
#pragma once

#include <glib.h>

typedef struct {
	guint width;  /* columns of the terminal; 0 = one long line */
	guint column; /* where the first word stands */
	guint indent; /* blanks in front of the other lines */
} WordWrap;

/* Appends `text`, one line that is escaped for the terminal already, broken at its blanks, and a newline. A word longer
 * than a line stays whole, and a unit stays with its number. */
void wrap_words(GString *out, const WordWrap *wrap, const char *text);
