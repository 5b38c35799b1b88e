/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a text that somebody else owns, such as words of a mapped file: nothing is copied, and there is no NUL at
 * their end. What the readers of text formats share. */
#pragma once

#include <glib.h>

typedef struct {
	const char *start; /* not NULL, even if there is nothing */
	gsize length;
} TextPiece;

#define TEXT_NOTHING ((TextPiece){"", 0})

/* The piece from `start` to before `end`. */
TextPiece text_between(const char *start, const char *end);
/* All of a NUL-terminated string. */
TextPiece text_of(const char *string);
/* TRUE if the piece has the bytes of the string. */
gboolean text_equals(TextPiece text, const char *string);
/* TRUE if both have the same bytes. */
gboolean text_same(TextPiece a, TextPiece b);
/* TRUE if the piece begins with `prefix`. */
gboolean text_starts_with(TextPiece text, const char *prefix);
/* TRUE if the piece ends with `suffix`. */
gboolean text_ends_with(TextPiece text, const char *suffix);
/* Blanks and tabs go at both ends. */
TextPiece text_trimmed(TextPiece text);
/* The part after the last slash. */
TextPiece text_base_name(TextPiece path);

/* The line up to the newline, without it and without a carriage return. Moves *text past it. */
TextPiece text_take_line(const char **text, const char *end);
/* Moves the next word, up to a blank or tab, from the front of *text to *word. FALSE if there is none. */
gboolean text_take_word(TextPiece *text, TextPiece *word);

/* The number of decimal digits that it begins with. */
gsize text_count_digits(TextPiece text);
/* TRUE if it is decimal digits only, at least one. */
gboolean text_is_number(TextPiece text);
/* The value of decimal digits; G_MAXUINT64 if it is larger. */
guint64 text_number(TextPiece digits);

/* The number of lower-case hex digits of a string that has nothing else, such as a SHA; else, and of NULL, 0. */
gsize text_hex_digits(const char *string);

/* Appends the bytes of the piece. */
void text_append(GString *out, TextPiece text);

/* Orders an array of texts (char *) by their bytes, for g_ptr_array_sort() and qsort(). */
int text_order(gconstpointer a, gconstpointer b);
