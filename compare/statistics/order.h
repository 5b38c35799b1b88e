/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting, ranks and medians of doubles, shared by the statistics. Values are not NaN. */
#pragma once

#include <glib.h>

/* For qsort() and g_array_sort(): ascending. */
int order_compare(gconstpointer a, gconstpointer b);
/* The value that sorting would put at `index` < n. Reorders `values`; the work is about 3n steps. */
double order_select(double *values, guint n, guint index);
/* The value in the middle of two; finite if they are. */
double order_midpoint(double a, double b);
/* The median; of an even number of values the mean of the middle two; NaN for n == 0. `values` is only read. */
double order_median(const double *values, guint n);
