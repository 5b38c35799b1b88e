/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/order.h"

#include <math.h>
#include <stdlib.h>

int order_compare(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void swap(double *a, double *b)
{
	double kept = *a;
	*a = *b;
	*b = kept;
}

/* Quickselect (Hoare 1961): what is below the middle value goes to the left, what is above to the right, and the side
 * with the index is all that is left to look at. */
double order_select(double *values, guint n, guint index)
{
	gssize first = 0, last = (gssize)n - 1, wanted = index;
	while (first < last) {
		double pivot = values[first + (last - first) / 2];
		gssize left = first, right = last;
		while (left <= right) {
			while (values[left] < pivot)
				left++;
			while (values[right] > pivot)
				right--;
			if (left <= right)
				swap(&values[left++], &values[right--]);
		}
		if (wanted <= right)
			last = right;
		else if (wanted >= left)
			first = left;
		else
			return values[wanted];
	}
	return values[wanted];
}

/* The sum of two large values overflows, half of a tiny one is 0. */
double order_midpoint(double a, double b)
{
	double sum = a + b;
	return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

double order_median(const double *values, guint n)
{
	if (n == 0)
		return NAN;
	g_autoptr(GArray) sorted = g_array_sized_new(FALSE, FALSE, sizeof(double), n);
	g_array_append_vals(sorted, values, n);
	g_array_sort(sorted, order_compare);
	double upper = g_array_index(sorted, double, n / 2);
	return n % 2 == 1 ? upper : order_midpoint(g_array_index(sorted, double, n / 2 - 1), upper);
}
