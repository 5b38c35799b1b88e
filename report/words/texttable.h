/* SPDX-License-Identifier: Apache-2.0 */
/* A table of short texts for the terminal: columns as wide as their widest cell, two blanks between them, no blanks at
 * line ends. Cells are one line of text that is escaped for the terminal already; styles are escape sequences and take
 * no room. */
#pragma once

#include <glib.h>

typedef struct TextTable TextTable;

/* `alignment` has one letter per column: `l` left, `r` right. */
TextTable *text_table_new(const char *alignment);
void text_table_free(TextTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextTable, text_table_free)

/* Appends a cell; cells fill rows from left to right. The text is copied. `style` (static, such as "\033[1m") comes
 * before the cell and is reset after it; NULL = none. */
void text_table_cell(TextTable *table, const char *text, const char *style);
/* The same of a text that it takes. */
void text_table_take(TextTable *table, char *text, const char *style);

/* Appends all rows to `out`, each after `indent` and with a newline. Columns at the right end that do not fit into
 * `width` columns of the terminal are left out, but never the first two; 0 = no limit. */
void text_table_append(GString *out, const TextTable *table, const char *indent, guint width);
