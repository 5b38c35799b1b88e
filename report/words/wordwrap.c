/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/wordwrap.h"

#include "report/words/wording.h"

#include <string.h>

/* TRUE if a word is a unit, which stays on the line of the number before it. */
static gboolean is_unit(const char *word)
{
	static const char *const units[] = {"%", "pp", "s", "ms", "us", "ns", "min", "h", NULL};
	g_autofree char *bare = g_strndup(word, strcspn(word, ",;:.)"));
	return g_strv_contains(units, bare);
}

/* The words that are kept together, joined by blanks again. */
static GPtrArray *pieces_of(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; words[i] != NULL; i++) {
		gboolean joined = i > 0 && is_unit(words[i]) && strpbrk(words[i - 1], "0123456789") != NULL;
		char **last = joined ? (char **)&pieces->pdata[pieces->len - 1] : NULL;
		char *piece = joined ? g_strconcat(*last, " ", words[i], NULL) : g_strdup(words[i]);
		if (joined) {
			g_free(*last);
			*last = piece;
		} else {
			g_ptr_array_add(pieces, piece);
		}
	}
	return pieces;
}

void wrap_words(GString *out, const WordWrap *wrap, const char *text)
{
	g_autoptr(GPtrArray) pieces = pieces_of(text);
	gsize column = wrap->column;
	for (guint i = 0; i < pieces->len; i++) {
		const char *piece = pieces->pdata[i];
		gsize length = wording_columns(piece);
		if (i > 0 && wrap->width > 0 && column + 1 + length > wrap->width) {
			g_string_append_printf(out, "\n%*s", (int)wrap->indent, "");
			column = wrap->indent;
		} else if (i > 0) {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, piece);
		column += length;
	}
	g_string_append_c(out, '\n');
}
