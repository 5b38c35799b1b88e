/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/shardsplit.h"

#include "core/error.h"

#include <math.h>

static gboolean parse_number(const char *text, guint *number)
{
	guint64 value = 0;
	if (!g_ascii_string_to_unsigned(text, 10, 1, SHARDS_MAX, &value, NULL))
		return FALSE;
	*number = (guint)value;
	return TRUE;
}

gboolean shard_parse(const char *text, Shard *shard, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", 3);
	Shard read = {0};
	gboolean numbers =
	        g_strv_length(parts) == 2 && parse_number(parts[0], &read.index) && parse_number(parts[1], &read.total);
	if (!numbers || read.index > read.total)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "\"%s\" is not a shard: write i/n, from 1/n to n/n, with n up to %d", text, SHARDS_MAX);
	*shard = read;
	return TRUE;
}

static gboolean is_known(double cost_s)
{
	return isfinite(cost_s) && cost_s > 0;
}

static double mean_known(const double *costs_s, guint n)
{
	double sum = 0;
	guint known = 0;
	for (guint i = 0; i < n; i++)
		if (is_known(costs_s[i])) {
			sum += costs_s[i];
			known++;
		}
	return known > 0 ? sum / known : 1;
}

typedef struct {
	guint index;
	double cost_s;
} Weighed;

static gint most_expensive_first(gconstpointer a, gconstpointer b)
{
	const Weighed *x = a, *y = b;
	if (x->cost_s != y->cost_s)
		return x->cost_s < y->cost_s ? 1 : -1;
	return x->index < y->index ? -1 : 1;
}

static guint least_loaded(const double *loads_s, guint total)
{
	guint least = 0;
	for (guint s = 1; s < total; s++)
		if (loads_s[s] < loads_s[least])
			least = s;
	return least;
}

guint *shard_split(const double *costs_s, guint n, guint total)
{
	double mean_s = mean_known(costs_s, n);
	g_autoptr(GArray) order = g_array_sized_new(FALSE, FALSE, sizeof(Weighed), n);
	for (guint i = 0; i < n; i++) {
		Weighed weighed = {i, is_known(costs_s[i]) ? costs_s[i] : mean_s};
		g_array_append_val(order, weighed);
	}
	g_array_sort(order, most_expensive_first);
	guint *shards = g_new0(guint, n);
	g_autofree double *loads_s = g_new0(double, total);
	for (guint i = 0; i < n; i++) {
		const Weighed *weighed = &g_array_index(order, Weighed, i);
		guint shard = least_loaded(loads_s, total);
		loads_s[shard] += weighed->cost_s;
		shards[weighed->index] = shard + 1;
	}
	return shards;
}
