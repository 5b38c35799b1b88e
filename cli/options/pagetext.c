/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/pagetext.h"

#include <string.h>

static void clear_block(gpointer block)
{
	g_free(((PageBlock *)block)->text);
}

/* Adds a line to the last block if it is of the same kind. */
static void add_line(GArray *blocks, const char *line, gboolean apart)
{
	gboolean verbatim = line[0] == ' ';
	PageBlock *last = blocks->len > 0 ? &g_array_index(blocks, PageBlock, blocks->len - 1) : NULL;
	if (last == NULL || apart || last->verbatim != verbatim) {
		PageBlock block = {.verbatim = verbatim, .apart = apart && last != NULL, .text = g_strdup(line)};
		g_array_append_val(blocks, block);
		return;
	}
	char *joined = g_strconcat(last->text, verbatim ? "\n" : " ", line, NULL);
	g_free(last->text);
	last->text = joined;
}

GArray *page_blocks(const char *text)
{
	GArray *blocks = g_array_new(FALSE, FALSE, sizeof(PageBlock));
	g_array_set_clear_func(blocks, clear_block);
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
	gboolean apart = FALSE;
	for (guint i = 0; lines[i] != NULL; i++) {
		if (*lines[i] != '\0')
			add_line(blocks, lines[i], apart);
		apart = *lines[i] == '\0';
	}
	return blocks;
}

static guint columns_of(const char *text)
{
	return (guint)g_utf8_strlen(text, -1);
}

/* Columns that have to be on one line: a number stays with the word that follows it. */
static guint columns_together(char *const *words)
{
	gboolean number = g_ascii_isdigit(words[0][0]) && words[1] != NULL;
	return columns_of(words[0]) + (number ? 1 + columns_of(words[1]) : 0);
}

void page_fill(GString *page, const char *text, guint at, guint indent, guint width)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	for (guint i = 0; words[i] != NULL; i++) {
		gboolean begins = i == 0;
		if (!begins && at + 1 + columns_together(words + i) > width) {
			g_string_append_c(page, '\n');
			at = 0;
			begins = TRUE;
		}
		if (at < indent) {
			g_string_append_printf(page, "%*s", (int)(indent - at), "");
			at = indent;
			begins = TRUE;
		}
		g_string_append_printf(page, "%s%s", begins ? "" : " ", words[i]);
		at += columns_of(words[i]) + !begins;
	}
	g_string_append_c(page, '\n');
}
