/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which benchmarks a shard of a check measures, when a check is split over several machines.
 *
 *     costs: a 60 s, b 50 s, c 20 s, d 10 s    over two machines: 1/2 = a, d (70 s)    2/2 = b, c (70 s)
 *
 * A benchmark goes to one shard as a whole, both sides: they are compared on the machine that measured them. Every
 * shard works out the same split by itself, so the costs must be those of what is stored, the same for all, and never
 * what this machine measured. All functions are pure. */
#pragma once

#include <glib.h>

#define SHARDS_MAX 1000

/* `index` of `total`, counted from 1; a total of 0 = not split. */
typedef struct {
	guint index, total;
} Shard;

/* Reads "2/4". Errors: FIREBREAK_ERROR_USAGE. */
gboolean shard_parse(const char *text, Shard *shard, GError **error);

/* The shard (from 1) of each of `n` benchmarks, owned by the caller: the most expensive first, each to the shard that
 * has least to do so far; of equals the first. No shard gets more than 4/3 of what the best split would give (Graham
 * 1969). Costs that are not known (not above 0, or not finite) count as the mean of the known ones. Shards are without
 * benchmarks only if there are fewer benchmarks than shards. */
guint *shard_split(const double *costs_s, guint n, guint total);
