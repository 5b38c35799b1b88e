/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which rows of a long list are shown: those that matter, some around them, and gaps for the rest.
 *
 *     weights   -  5  -  -  -  -  -  -  -  -  2       rows   0 1 2 3 4  (gap of 2)  7 8 9 10
 *
 * Rows with a weight are taken from the heaviest down as long as all that is shown, gaps included, is not too much. */
#pragma once

#include <glib.h>

typedef struct {
	guint context; /* rows shown before and after each that matters */
	guint most;    /* rows and gaps that may be shown */
} RowLimits;

/* shown[i]: row i is shown. `weights` has n numbers, 0 = does not matter. Of equal weights the first row comes first.
 * An array of n, owned by the caller. */
gboolean *row_choice(const double *weights, guint n, RowLimits limits);
