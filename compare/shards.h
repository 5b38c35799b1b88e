/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which part of a check a result is, when the check was split over several machines
 * (runner/campaign/shardsplit.h), or from which parts it was joined (compare/merge.h). Data only. */
#pragma once

#include "model/measurement.h"

typedef struct {
	guint index;           /* from 1 */
	GPtrArray *benchmarks; /* of char *: what was this shard's to measure; owned */
	Environment *machine;  /* the fields that decide whether results of two machines may stand in one; NULL = it
	                        * ended before it looked at its machine */
	int exit_code;         /* this and what follows only once it was joined with others; else -1 */
	guint64 seed;
	double elapsed_s; /* NaN = not known */
} ShardPart;

/* All shards of a check. The result of one shard has one part. */
typedef struct {
	guint total;
	GPtrArray *benchmarks; /* of char *: of the whole check, in the order of the configuration; empty if the shard
	                        * ended before it was known */
	GPtrArray *parts;      /* of ShardPart, by index */
} ShardSet;

ShardSet *shard_set_new(guint total);
void shard_set_free(ShardSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ShardSet, shard_set_free)

/* Appends a part without benchmarks and machine; borrowed. */
ShardPart *shard_set_add(ShardSet *set, guint index);
/* The only part of one shard's result; NULL if `set` is NULL or was joined. */
const ShardPart *shard_set_single(const ShardSet *set);

/* Of an environment the fields that METRIC_REPLICABLE needs equal, and the version of firebreak, whose rules are part
 * of a verdict: it counts as METRIC_DETERMINISTIC. Owned by the caller; NULL for NULL. */
Environment *shard_machine(const Environment *environment);
