/* SPDX-License-Identifier: Apache-2.0 */
#include "report/flame/flamedifftable.h"

#include "model/numbers/number.h"
#include "model/numbers/numberwords.h"
#include "profile/hotspots/hotspots.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <math.h>
#include <string.h>

#define TABLE_FUNCTIONS 6
#define TABLE_UNCHANGED 2
#define NAME_CHARS 34 /* with the mark before it the cell is full */
#define WAS " (was )"

typedef struct {
	double x_pct;
	const char *title;
	gboolean right;
} Column;

#define MAX_COLUMNS 7

static const Column sampled_columns[] = {
        {FLAME_CANVAS_PAD, "function", FALSE},
        {38, "contribution", TRUE},
        {39, "95 % interval", FALSE},
        {57, "own change", TRUE},
        {75, "base → head", TRUE},
        {88.5, "samples", TRUE},
        {89.8, "class", FALSE},
};

static const Column counted_columns[] = {
        {FLAME_CANVAS_PAD, "function", FALSE},
        {38, "contribution", TRUE},
        {39, "over the runs", FALSE},
        {57, "own change", TRUE},
        {82, "base → head", TRUE},
        {84, "class", FALSE},
};

static const Column *columns_of(const FlameDiffTable *table, gsize *n)
{
	*n = table->counted ? G_N_ELEMENTS(counted_columns) : G_N_ELEMENTS(sampled_columns);
	return table->counted ? counted_columns : sampled_columns;
}

static void write_cell(FlameCanvas *canvas, const Column *column, const char *text, gboolean bold, gboolean title)
{
	FlameText style = {
	        .x_pct = column->x_pct,
	        .y = canvas->y,
	        .anchor = column->right ? "end" : NULL,
	        .mono = !title,
	        .bold = bold,
	        .faint = title,
	        .cell = TRUE,
	        .max_chars = column->x_pct == FLAME_CANVAS_PAD ? 36 : 40,
	};
	flame_canvas_text(canvas, &style, text);
}

/* "read_token (was next_token)"; where two names are too long together, each gets half of the room or what the other
 * leaves. Owned by the caller. */
static char *name_of(const FlameDiffTable *table, const FunctionComparison *function)
{
	const char *name = highlights_name(table->table, function->frame);
	if (!function_comparison_is_renamed(function))
		return hotspots_short_name(name, NAME_CHARS);
	const char *former = highlights_name(table->table, function->renamed_from);
	gsize room = NAME_CHARS - strlen(WAS);
	gsize name_room = room - MIN(wording_columns(former), room / 2);
	gsize former_room = room - MIN(wording_columns(name), name_room);
	g_autofree char *is = hotspots_short_name(name, name_room), *was = hotspots_short_name(former, former_room);
	return g_strdup_printf("%s (was %s)", is, was);
}

/* Fills the columns: the same for both kinds but for the samples. Texts are owned by the caller. */
static void fill_cells(const FlameDiffTable *table, const FunctionComparison *function, char *cells[MAX_COLUMNS])
{
	const NumberWords *words = number_words(table->counted);
	const char *unit = table->counted ? NULL : table->unit;
	gboolean significant = table->significant[function->frame.index];
	g_autofree char *base = words->value(function->base_cost, unit);
	g_autofree char *head = words->value(function->head_cost, unit);
	g_autofree char *from = number_count(function->base_samples), *to = number_count(function->head_samples);
	g_autofree char *name = name_of(table, function);
	const char *mark = !significant ? "  " : function->contribution < 0 ? MARK_LESS : MARK_MORE;
	gsize n = 0;
	cells[n++] = g_strconcat(mark, name, NULL);
	cells[n++] = words->points(function->contribution);
	cells[n++] = words->points_range(function->contribution_lower, function->contribution_upper);
	cells[n++] = isnan(function->change_ratio) ? g_strdup("-") : words->change(function->change_ratio);
	cells[n++] = g_strconcat(base, " → ", head, NULL);
	if (!table->counted)
		cells[n++] = table->has_fractions ? g_strdup("-") : g_strconcat(from, " → ", to, NULL);
	cells[n++] = g_strdup(table->untested ? "not tested" : highlights_class(table->comparison, function));
}

static void write_row(FlameCanvas *canvas, const FlameDiffTable *table, const FunctionComparison *function)
{
	gsize n;
	const Column *columns = columns_of(table, &n);
	char *cells[MAX_COLUMNS] = {NULL};
	fill_cells(table, function, cells);
	for (gsize i = 0; i < n; i++) {
		write_cell(canvas, &columns[i], cells[i], i == 0 && table->significant[function->frame.index], FALSE);
		g_free(cells[i]);
	}
	canvas->y += 18;
}

void flame_diff_table(FlameCanvas *canvas, const FlameDiffTable *table)
{
	const BenchmarkComparison *comparison = table->comparison;
	if (comparison == NULL || comparison->functions->len == 0)
		return;
	g_autoptr(GPtrArray) functions =
	        highlights_functions(comparison, TABLE_FUNCTIONS, table->untested ? TABLE_FUNCTIONS : TABLE_UNCHANGED);
	gsize n;
	const Column *columns = columns_of(table, &n);
	canvas->y += 12;
	for (gsize i = 0; i < n; i++)
		write_cell(canvas, &columns[i], columns[i].title, FALSE, TRUE);
	canvas->y += 19;
	for (guint i = 0; i < functions->len; i++)
		write_row(canvas, table, g_ptr_array_index(functions, i));
}
