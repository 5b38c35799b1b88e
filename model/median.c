/* SPDX-License-Identifier: Apache-2.0 */
#include "model/median.h"

#include <math.h>

static gint compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double median_of(const GArray *values)
{
	g_autoptr(GArray) finite = g_array_sized_new(FALSE, FALSE, sizeof(double), values->len);
	for (guint i = 0; i < values->len; i++) {
		double value = g_array_index(values, double, i);
		if (isfinite(value))
			g_array_append_val(finite, value);
	}
	if (finite->len == 0)
		return NAN;
	g_array_sort(finite, compare_doubles);
	double upper = g_array_index(finite, double, finite->len / 2);
	if (finite->len % 2 == 1)
		return upper;
	double lower = g_array_index(finite, double, finite->len / 2 - 1);
	return lower + (upper - lower) / 2;
}
