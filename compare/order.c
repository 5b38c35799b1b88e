#include "compare/order.h"

#include <math.h>
#include <stdlib.h>

int order_compare(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double order_median(const double *values, guint n)
{
	if (n == 0)
		return NAN;
	g_autoptr(GArray) sorted = g_array_sized_new(FALSE, FALSE, sizeof(double), n);
	g_array_append_vals(sorted, values, n);
	g_array_sort(sorted, order_compare);
	double upper = g_array_index(sorted, double, n / 2);
	return n % 2 == 1 ? upper : (g_array_index(sorted, double, n / 2 - 1) + upper) / 2;
}
