/* SPDX-License-Identifier: Apache-2.0 */
/* The costs of every stack of a table on both sides, as columns: a stack table may have millions of rows, and a picture
 * shows a few thousand of them. */
#pragma once

#include "report/flame/flamenode.h"

/* One side, by StackId; both NULL where there is no profile. */
typedef struct {
	double *cost; /* per run and unit of work */
	guint64 *samples;
} FlameColumn;

typedef struct {
	FlameColumn base, head;
	double *width; /* by StackId, in the unit of the profile */
	double extra;  /* what the root was given because of FlameInput.total, in head and width */
	guint n_rows;
} FlameCosts;

/* Self costs and own widths. `table` may be NULL: then there is the root alone. */
void flame_costs_init(FlameCosts *costs, const FlameInput *input, const StackTable *table);
void flame_costs_clear(FlameCosts *costs);

/* The self cost of one stack alone; `total` is the same. */
FlameCost flame_self_cost(const Profile *profile, double work, StackId stack);
/* Row `stack` of a column as total cost. */
FlameCost flame_column_get(const FlameColumn *column, guint stack);
/* Adds `cost` to `sum`. */
void flame_cost_add(FlameCost *sum, const FlameCost *cost);

/* The table of the profiles; NULL if there is none. */
const StackTable *flame_input_table(const FlameInput *input);
