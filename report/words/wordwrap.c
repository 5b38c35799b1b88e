/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/wordwrap.h"

#include "report/words/wording.h"

void wrap_words(GString *out, const WordWrap *wrap, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	gsize column = wrap->column;
	for (guint i = 0; words[i] != NULL; i++) {
		gsize length = wording_columns(words[i]);
		if (i > 0 && wrap->width > 0 && column + 1 + length > wrap->width) {
			g_string_append_printf(out, "\n%*s", (int)wrap->indent, "");
			column = wrap->indent;
		} else if (i > 0) {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, words[i]);
		column += length;
	}
	g_string_append_c(out, '\n');
}
