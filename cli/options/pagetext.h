/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a command (options/command.h) as blocks: paragraphs, which are filled, and lines that stay as they are
 * because they begin with a blank. Every page shows the same blocks in its own way. */
#pragma once

#include <glib.h>

typedef struct {
	gboolean verbatim; /* else a paragraph */
	gboolean apart;    /* a blank line stands before it */
	char *text;        /* without newline at the end; a verbatim block may have several lines */
} PageBlock;

/* Array of PageBlock; free it with g_array_unref(). NULL is no text. */
GArray *page_blocks(const char *text);
/* Appends the words of `text` in lines of at most `width` columns, each indented by `indent` blanks. The first one
 * begins at column `at`, which is not 0 if something stands there already; ends with a newline. */
void page_fill(GString *page, const char *text, guint at, guint indent, guint width);
