/* SPDX-License-Identifier: Apache-2.0 */
/* One shard of a check: which of the benchmarks this machine measures (runner/campaign/shardsplit.h).
 *
 * The times that decide are those of the baselines stored of base, or of the nearest of its ancestors that has any. A
 * shard does not store what it measures of base, so that a shard that is started later, or once more, finds the same
 * and works out the same split. */
#pragma once

#include "gate/steps/gatestate.h"

/* Names the shard in the result, also of a check that ends before it knows its benchmarks. */
void gate_shard_begin(Gate *gate);
/* Keeps only the benchmarks of this shard, after gate_policy_select(): what gates in the whole check decides about the
 * error rates. Errors: FIREBREAK_ERROR_USAGE if there are fewer benchmarks than shards. */
gboolean gate_shard_select(Gate *gate, GError **error);
/* TRUE if a measurement of this commit may be kept, as far as shards are concerned. */
gboolean gate_shard_may_store(const Gate *gate, const char *commit);
