/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions in a differential flame graph: what its colours say, as text. */
#pragma once

#include "report/flame/flamecanvas.h"

/* In front of the name of a function that changed. */
#define MARK_MORE "▲ "
#define MARK_LESS "▼ "

/* Everything is borrowed. */
typedef struct {
	const BenchmarkComparison *comparison; /* NULL = nothing was compared, no table */
	const StackTable *table;
	const char *unit;            /* of costs; foreign text */
	const gboolean *significant; /* by FrameId: known to have changed */
	gboolean counted, untested;  /* as in flamediff.h */
	gboolean has_fractions;      /* costs are fractions, which no samples make up */
} FlameDiffTable;

/* Writes the rows that highlights.h puts first. */
void flame_diff_table(FlameCanvas *canvas, const FlameDiffTable *table);
