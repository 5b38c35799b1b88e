/* SPDX-License-Identifier: Apache-2.0 */
/* The row of one function: its costs on both sides (compare/functions/functions.h). */
#pragma once

#include "model/stacktable.h"

typedef struct {
	FrameId base, head;                  /* differ for a renamed function only */
	const double *base_cost, *head_cost; /* per round; borrowed from the cost table */
	guint64 base_samples, head_samples;
	gint tested; /* index in the test, -1 = not tested */
} FunctionRow;
