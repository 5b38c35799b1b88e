/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/statistics/signedrank.h"

#include <math.h>

#include "compare/statistics/order.h"

/* Keeps a level that equals a probability from failing by rounding. */
#define LEVEL_SLACK 1e-12

GArray *signed_rank_null(guint k)
{
	guint n = k * (k + 1) / 2 + 1;
	GArray *null = g_array_sized_new(FALSE, TRUE, sizeof(double), n);
	g_array_set_size(null, n);
	double *f = (double *)null->data;
	f[0] = 1;
	/* Each rank has a plus or a minus with equal chance. From the largest sum down, f[s - rank] is still that of
	 * the ranks before; `s + 1 > 0` lets an unsigned s pass 0. */
	for (guint rank = 1; rank <= k; rank++)
		for (guint s = rank * (rank + 1) / 2; s + 1 > 0; s--)
			f[s] = (f[s] + (s >= rank ? f[s - rank] : 0)) / 2;
	return null;
}

double signed_rank_upper_tail(guint k, guint s)
{
	g_autoptr(GArray) null = signed_rank_null(k);
	double tail = 0;
	for (guint i = null->len; i > s; i--)
		tail += g_array_index(null, double, i - 1);
	return tail;
}

guint signed_rank_critical(guint k, double alpha)
{
	g_autoptr(GArray) null = signed_rank_null(k);
	double below = 0;
	guint c = 0;
	while (c < null->len) {
		below += g_array_index(null, double, c);
		if (!(below <= alpha + LEVEL_SLACK))
			break;
		c++;
	}
	return c;
}

GArray *walsh_averages(const double *d, guint k)
{
	GArray *walsh = g_array_sized_new(FALSE, FALSE, sizeof(double), k * (k + 1) / 2);
	for (guint i = 0; i < k; i++)
		for (guint j = i; j < k; j++) {
			double average = (d[i] + d[j]) / 2;
			g_array_append_val(walsh, average);
		}
	g_array_sort(walsh, order_compare);
	return walsh;
}

double walsh_median(const GArray *walsh)
{
	g_assert(walsh->len > 0);
	guint middle = walsh->len / 2;
	double upper = g_array_index(walsh, double, middle);
	return walsh->len % 2 == 1 ? upper : (g_array_index(walsh, double, middle - 1) + upper) / 2;
}

double walsh_lower(const GArray *walsh, guint c)
{
	return c == 0 ? -INFINITY : g_array_index(walsh, double, c - 1);
}

double walsh_upper(const GArray *walsh, guint c)
{
	return c == 0 ? INFINITY : g_array_index(walsh, double, walsh->len - c);
}

guint walsh_above(const GArray *walsh, double limit)
{
	guint above = 0;
	for (guint i = 0; i < walsh->len; i++)
		above += g_array_index(walsh, double, i) > limit;
	return above;
}
