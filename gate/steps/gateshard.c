/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gateshard.h"

#include "core/error.h"
#include "gate/steps/gatecosts.h"

static gboolean is_shard(const Gate *gate)
{
	return gate->request->shard.total > 0;
}

void gate_shard_begin(Gate *gate)
{
	const Shard *shard = &gate->request->shard;
	if (!is_shard(gate))
		return;
	gate->result->shards = shard_set_new(shard->total);
	shard_set_add(gate->result->shards, shard->index);
}

gboolean gate_shard_may_store(const Gate *gate, const char *commit)
{
	return !is_shard(gate) || !g_str_equal(commit, gate->choices[SIDE_BASE].sha);
}

/* --- the split --- */

static void note_split(Gate *gate, guint n_known, guint n_all)
{
	const Shard *shard = &gate->request->shard;
	const ShardPart *part = shard_set_single(gate->result->shards);
	g_autofree char *by = n_known == n_all ? g_strdup("by their stored times")
	                      : n_known == 0   ? g_strdup("evenly, as no times are stored")
	                                       : g_strdup_printf("by the stored times of %u", n_known);
	finding_add(gate->result->findings, FINDING_INFO, "shard", NULL,
	        "shard %u of %u measures %u of %u benchmarks, split %s; `firebreak merge` joins the results of all "
	        "shards",
	        shard->index, shard->total, part->benchmarks->len, n_all, by);
	gate_progress(gate, "shard %u of %u: %u of %u benchmarks, split %s", shard->index, shard->total,
	        part->benchmarks->len, n_all, by);
}

static void keep_own(Gate *gate, const guint *shards)
{
	ShardSet *set = gate->result->shards;
	ShardPart *part = set->parts->pdata[0];
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		g_ptr_array_add(set->benchmarks, g_strdup(benchmark->name));
		if (shards[i] == part->index)
			g_ptr_array_add(part->benchmarks, g_strdup(benchmark->name));
	}
	for (guint i = gate->config->benchmarks->len; i > 0; i--)
		if (shards[i - 1] != part->index)
			g_ptr_array_remove_index(gate->config->benchmarks, i - 1);
}

gboolean gate_shard_select(Gate *gate, GError **error)
{
	const Shard *shard = &gate->request->shard;
	guint n = gate->config->benchmarks->len, n_known = 0;
	if (!is_shard(gate))
		return TRUE;
	if (n < shard->total)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "--shard %u/%u: there are only %u benchmarks, so some shards would have none; use at most %u "
		        "shards",
		        shard->index, shard->total, n, MAX(n, 1));
	g_autofree double *costs_s = gate_costs_s(gate, GATE_COSTS_ANCESTORS);
	for (guint i = 0; i < n; i++)
		n_known += costs_s[i] > 0;
	g_autofree guint *shards = shard_split(costs_s, n, shard->total);
	ShardPart *part = gate->result->shards->parts->pdata[0];
	part->machine = shard_machine(gate->result->environment);
	keep_own(gate, shards);
	note_split(gate, n_known, n);
	return TRUE;
}
