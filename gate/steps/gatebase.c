/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatebase.h"

#include "baselines/store.h"
#include "compare/counted/countedbase.h"
#include "core/error.h"
#include "gate/steps/gatefiles.h"
#include "gate/steps/gateshard.h"
#include "model/engine.h"

void gate_base_free(GateBase *base)
{
	if (base == NULL)
		return;
	for (int s = 0; s < N_SIDES; s++)
		g_clear_pointer(&base->environments[s], environment_free);
	g_clear_pointer(&base->stored, measurement_free);
	g_clear_pointer(&base->table, stack_table_unref);
	g_free(base);
}

GateBase *gate_base(const Gate *gate, guint index)
{
	return gate->bases->pdata[index];
}

static Environment *side_environment(const Gate *gate, int side, const ConfigBenchmark *benchmark)
{
	gboolean head_decides = side == SIDE_HEAD || gate_is_new(gate, benchmark->name);
	gboolean own_build = head_decides && gate->head_config != NULL;
	CountedEnvironmentPlan plan = {
	        .machine = gate->result->environment,
	        .valgrind = gate->valgrind,
	        .benchmark = benchmark,
	        .build = own_build ? gate->head_config : gate->config,
	        .pass_env = gate->config->pass_env,
	        .arena_dir = arena_dir(gate->arena),
	};
	return counted_environment(&plan);
}

/* TRUE if base's stored counts may stand for counting it. */
static gboolean may_be_used(const Gate *gate)
{
	const GateRequest *request = gate->request;
	return gate->two_sides && request->mode == CHECK_GATE && !request->measure_base &&
	       !g_str_equal(gate->choices[SIDE_BASE].sha, "worktree") &&
	       /* Files of head that were laid over base (gate/steps/gatefiles.h) make it another program than the
	        * commit that counts are stored of. */
	       g_strcmp0(gate->choices[SIDE_BASE].tree, gate->own_trees[SIDE_BASE]) == 0;
}

/* Tells why a stored measurement cannot stand for base, or NULL. `has_cases`: it is one of a framework. */
static const char *unfit(const Measurement *stored, gboolean has_cases)
{
	const char *why = counted_base_unfit(stored);
	if (why == NULL && has_cases && *stored->cases == '\0')
		return "it does not say which cases of its framework were counted";
	return why;
}

static Measurement *find_stored(Gate *gate, BaselineStore *store, const ConfigBenchmark *benchmark, GateBase *base)
{
	g_autofree char *kind = environment_fingerprint(base->environments[SIDE_BASE], METRIC_REPLICABLE);
	g_autoptr(GError) error = NULL;
	g_autoptr(Measurement) stored =
	        baseline_store_get(store, gate->choices[SIDE_BASE].sha, kind, benchmark->name, base->table, &error);
	const char *why = error != NULL    ? error->message
	                  : stored != NULL ? unfit(stored, benchmark->framework > FRAMEWORK_NONE)
	                                   : NULL;
	if (why == NULL)
		return g_steal_pointer(&stored);
	finding_add(gate->result->findings, FINDING_WARNING, "stored_base_unusable", benchmark->name,
	        "base is counted again, since its stored counts cannot be used: %s", why);
	return NULL;
}

static GateBase *base_new(Gate *gate, BaselineStore *store, const ConfigBenchmark *benchmark)
{
	GateBase *base = g_new0(GateBase, 1);
	base->table = stack_table_new();
	if (!config_uses_engine(benchmark, &engine_callgrind))
		return base;
	for (int s = gate->two_sides ? SIDE_BASE : SIDE_HEAD; s < N_SIDES; s++)
		base->environments[s] = side_environment(gate, s, benchmark);
	if (store != NULL && !gate_is_new(gate, benchmark->name))
		base->stored = find_stored(gate, store, benchmark, base);
	return base;
}

void gate_bases_find(Gate *gate)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(BaselineStore) store =
	        may_be_used(gate) ? baseline_store_open(gate->request->repo_path, NULL, &error) : NULL;
	if (error != NULL)
		finding_add(gate->result->findings, FINDING_WARNING, "stored_base_unusable", NULL,
		        "base is counted again, as the store of baselines cannot be opened: %s", error->message);
	gate->bases = g_ptr_array_new_with_free_func((GDestroyNotify)gate_base_free);
	for (guint i = 0; i < gate->config->benchmarks->len; i++)
		g_ptr_array_add(gate->bases, base_new(gate, store, gate->config->benchmarks->pdata[i]));
}

gboolean gate_bases_suffice(const Gate *gate)
{
	for (guint i = 0; i < gate->config->benchmarks->len; i++)
		if (!gate_is_new(gate, ((const ConfigBenchmark *)gate->config->benchmarks->pdata[i])->name) &&
		        (config_uses_engine(gate->config->benchmarks->pdata[i], &engine_perf) ||
		                gate_base(gate, i)->stored == NULL))
			return FALSE;
	return gate->two_sides && gate->config->benchmarks->len > 0;
}

/* TRUE if a measurement of the same kind with more runs is there, and may be used. One that cannot be read is none. */
static gboolean is_better_stored(BaselineStore *store, const Measurement *measurement)
{
	g_autofree char *kind = environment_fingerprint(measurement->environment, METRIC_REPLICABLE);
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Measurement) stored =
	        baseline_store_get(store, measurement->commit, kind, measurement->benchmark, table, NULL);
	return stored != NULL && unfit(stored, *measurement->cases != '\0') == NULL &&
	       measurement_n_runs(stored) > measurement_n_runs(measurement);
}

/* `run`, which is there to store, says that something else stays. */
static void note_kept(Gate *gate, const Measurement *measurement)
{
	if (!gate->two_sides)
		finding_add(gate->result->findings, FINDING_INFO, "better_stored", measurement->benchmark,
		        "this measurement is not kept: a stored one of %.12s has more than its %u run%s",
		        measurement->commit, measurement_n_runs(measurement),
		        measurement_n_runs(measurement) == 1 ? "" : "s");
}

/* A verdict stands without a place for its counts; for `run` that is all that it is about. */
static gboolean put(Gate *gate, BaselineStore *store, const Measurement *measurement, gboolean replace, GError **error)
{
	GError *failed = NULL;
	/* More runs show better what repeats, so a quick check does not take them from those after it. */
	if (!replace && is_better_stored(store, measurement)) {
		note_kept(gate, measurement);
		return TRUE;
	}
	if (baseline_store_put(store, measurement, &failed))
		return TRUE;
	/* A damaged baseline is left alone for its owner to look at. Any other error is told: a store that keeps
	 * nothing would go unnoticed for long. */
	if (!gate->two_sides || !g_error_matches(failed, FIREBREAK_ERROR, FIREBREAK_ERROR_BASELINE)) {
		g_propagate_error(error, failed);
		return FALSE;
	}
	finding_add(gate->result->findings, FINDING_WARNING, "not_stored", measurement->benchmark,
	        "the counts of %.12s are not kept: %s", measurement->commit, failed->message);
	g_error_free(failed);
	return TRUE;
}

gboolean gate_base_put(Gate *gate, const Measurement *measurement, gboolean replace, GError **error)
{
	if (!replace && !gate_shard_may_store(gate, measurement->commit))
		return TRUE;
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, error);
	if (store != NULL)
		baseline_store_set_findings(store, gate->result->findings);
	return store != NULL && put(gate, store, measurement, replace, error);
}
