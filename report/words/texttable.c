/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/texttable.h"

#include "report/words/wording.h"

#include <string.h>

#define GAP 2
#define MIN_COLUMNS 2

typedef struct {
	char *text;
	const char *style;
	gsize columns; /* of the terminal */
} Cell;

struct TextTable {
	char *alignment;
	GArray *cells; /* row by row */
};

static void cell_clear(gpointer data)
{
	g_free(((Cell *)data)->text);
}

TextTable *text_table_new(const char *alignment)
{
	TextTable *table = g_new0(TextTable, 1);
	table->alignment = g_strdup(alignment);
	table->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
	g_array_set_clear_func(table->cells, cell_clear);
	return table;
}

void text_table_free(TextTable *table)
{
	if (table == NULL)
		return;
	g_free(table->alignment);
	g_array_unref(table->cells);
	g_free(table);
}

void text_table_cell(TextTable *table, const char *text, const char *style)
{
	Cell cell = {g_strdup(text), style, wording_columns(text)};
	g_array_append_val(table->cells, cell);
}

void text_table_take(TextTable *table, char *text, const char *style)
{
	g_autofree char *owned = text;
	text_table_cell(table, owned, style);
}

static gsize *column_widths(const TextTable *table, gsize n_columns)
{
	gsize *widths = g_new0(gsize, n_columns);
	for (guint i = 0; i < table->cells->len; i++) {
		gsize *width = &widths[i % n_columns];
		*width = MAX(*width, g_array_index(table->cells, Cell, i).columns);
	}
	return widths;
}

static gsize columns_that_fit(const gsize *widths, gsize n_columns, gsize room)
{
	gsize used = 0, fitting = 0;
	while (fitting < n_columns) {
		used += widths[fitting] + (fitting > 0 ? GAP : 0);
		if (used > room && fitting >= MIN_COLUMNS)
			break;
		fitting++;
	}
	return fitting;
}

static void append_blanks(GString *out, gsize count)
{
	for (gsize i = 0; i < count; i++)
		g_string_append_c(out, ' ');
}

static void append_styled(GString *out, const Cell *cell)
{
	if (cell->style != NULL && *cell->text != '\0')
		g_string_append_printf(out, "%s%s\033[0m", cell->style, cell->text);
	else
		g_string_append(out, cell->text);
}

void text_table_append(GString *out, const TextTable *table, const char *indent, guint width)
{
	gsize n_columns = strlen(table->alignment), room = width == 0 ? G_MAXSIZE : width - MIN(width, strlen(indent));
	g_autofree gsize *widths = column_widths(table, n_columns);
	gsize fitting = columns_that_fit(widths, n_columns, room);
	for (guint row = 0; row + n_columns <= table->cells->len; row += n_columns) {
		gsize owed = 0; /* blanks that only count if a cell follows */
		g_string_append(out, indent);
		for (gsize i = 0; i < fitting; i++) {
			const Cell *cell = &g_array_index(table->cells, Cell, row + i);
			gsize padding = widths[i] - cell->columns, left = table->alignment[i] == 'r' ? padding : 0;
			if (*cell->text != '\0') {
				append_blanks(out, owed + left);
				append_styled(out, cell);
				owed = 0;
			} else {
				owed += left;
			}
			owed += padding - left + GAP;
		}
		g_string_append_c(out, '\n');
	}
}
