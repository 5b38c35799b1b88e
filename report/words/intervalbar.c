/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words/intervalbar.h"

#include <math.h>

#define BLANK 0x20
#define ZERO 0x2502    /* │ */
#define MARK 0x2506    /* ┆ */
#define LINE 0x2500    /* ─ */
#define CROSSED 0x253c /* ┼ */
#define POINT 0x25cf   /* ● */

void bar_scale_init(BarScale *scale, guint cells)
{
	g_assert(cells >= 3);
	*scale = (BarScale){.cells = cells};
}

static void include(BarScale *scale, double value)
{
	if (!isfinite(value))
		return;
	scale->lowest = MIN(scale->lowest, value);
	scale->highest = MAX(scale->highest, value);
}

void bar_scale_include(BarScale *scale, const IntervalBar *bar)
{
	include(scale, bar->lower);
	include(scale, bar->estimate);
	include(scale, bar->upper);
	include(scale, bar->mark);
}

/* The cell of a finite value, within the scale. The ends are halved first, so that their difference stays finite. */
static guint cell_of(const BarScale *scale, double value)
{
	double span = scale->highest / 2 - scale->lowest / 2;
	double place = span > 0 ? (value / 2 - scale->lowest / 2) / span : 0;
	return (guint)lround(CLAMP(place, 0, 1) * (scale->cells - 1));
}

char *interval_bar(const BarScale *scale, const IntervalBar *bar)
{
	if (!isfinite(bar->estimate))
		return g_strdup("");
	guint zero = cell_of(scale, 0), point = cell_of(scale, bar->estimate);
	guint from = isfinite(bar->lower) ? cell_of(scale, bar->lower) : 0;
	guint to = isfinite(bar->upper) ? cell_of(scale, bar->upper) : scale->cells - 1;
	guint mark = isfinite(bar->mark) ? cell_of(scale, bar->mark) : scale->cells;
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < scale->cells; i++) {
		gboolean covered = i >= from && i <= to;
		if (i == point)
			g_string_append_unichar(out, POINT);
		else if (i == zero)
			g_string_append_unichar(out, covered ? CROSSED : ZERO);
		else
			g_string_append_unichar(out, covered ? LINE : i == mark ? MARK : BLANK);
	}
	return g_string_free(out, FALSE);
}
