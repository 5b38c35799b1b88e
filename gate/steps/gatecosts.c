/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatecosts.h"

#include "baselines/inventory.h"
#include "model/engine.h"

/* The rough time that a round takes besides the run: starting processes, opening events, the yardstick. */
#define ROUND_EXTRA_S .2
/* Not those of this check's plan, which depends on what this machine can count. */
#define USUAL_ROUNDS 20
#define COUNTED_RUNS 3 /* base twice, head once */

/* The stored measurements of one commit. */
typedef struct {
	BaselineStore *store;
	const char *commit;
	GPtrArray *entries; /* of BaselineEntry */
} StoredTimes;

/* Seconds of a run under an engine, by the first sound baseline in the order of fingerprints, whichever machine this
 * is; 0 = not stored. */
static double stored_run_s(const StoredTimes *times, const char *benchmark, const Engine *engine)
{
	for (guint i = 0; i < times->entries->len; i++) {
		const BaselineEntry *entry = times->entries->pdata[i];
		gboolean wanted = entry->problem == NULL && entry->engines != NULL && entry->runs > 0 &&
		                  g_str_equal(entry->benchmark, benchmark) &&
		                  g_strv_contains((const char *const *)entry->engines, engine->name);
		if (!wanted)
			continue;
		g_autoptr(StackTable) table = stack_table_new();
		g_autoptr(Measurement) measurement =
		        baseline_store_get(times->store, times->commit, entry->fingerprint, benchmark, table, NULL);
		double sum_ns = 0;
		for (guint run = 0; measurement != NULL && run < measurement->runs->len; run++)
			sum_ns += (double)g_array_index(measurement->runs, RunFacts, run).wall_ns;
		return measurement == NULL ? 0 : sum_ns / 1e9 / MAX(measurement->runs->len, 1);
	}
	return 0;
}

/* Seconds that a benchmark is expected to take with all its engines; 0 = not known. */
static double stored_cost_s(const Gate *gate, const StoredTimes *times, const ConfigBenchmark *benchmark)
{
	gboolean timed = config_uses_engine(benchmark, &engine_perf);
	gboolean counted = config_uses_engine(benchmark, &engine_callgrind);
	double timed_s = timed ? stored_run_s(times, benchmark->name, &engine_perf) : 0;
	double counted_s = counted ? stored_run_s(times, benchmark->name, &engine_callgrind) : 0;
	guint rounds = gate->request->rounds > 0 ? gate->request->rounds : benchmark->rounds;
	if ((timed && timed_s <= 0) || (counted && counted_s <= 0))
		return 0;
	return (timed ? (timed_s + ROUND_EXTRA_S) * (rounds > 0 ? rounds : USUAL_ROUNDS) : 0) +
	       counted_s * COUNTED_RUNS;
}

/* Fills the costs that are not known yet from what is stored of a commit. */
static void add_costs(const Gate *gate, BaselineStore *store, const char *commit, double *costs_s)
{
	g_autoptr(GPtrArray) entries = baseline_store_list_commit(store, commit, NULL);
	StoredTimes times = {store, commit, entries};
	for (guint i = 0; entries != NULL && entries->len > 0 && i < gate->config->benchmarks->len; i++)
		if (costs_s[i] <= 0)
			costs_s[i] = stored_cost_s(gate, &times, gate->config->benchmarks->pdata[i]);
}

static gboolean all_known(const double *costs_s, guint n)
{
	for (guint i = 0; i < n; i++)
		if (costs_s[i] <= 0)
			return FALSE;
	return TRUE;
}

/* The first parent, or NULL where the clone or the history ends. Owned by the caller. */
static char *first_parent(Repo *repo, const char *commit)
{
	g_auto(GStrv) parents = NULL;
	if (!repo_commit_parents(repo, commit, &parents, NULL) || parents[0] == NULL ||
	        !repo_has_commit(repo, parents[0]))
		return NULL;
	return g_strdup(parents[0]);
}

double *gate_costs_s(const Gate *gate, guint ancestors)
{
	guint n = gate->config->benchmarks->len;
	double *costs_s = g_new0(double, n);
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, NULL);
	g_autofree char *commit = store != NULL ? g_strdup(gate->choices[SIDE_BASE].sha) : NULL;
	const char *head = gate->choices[SIDE_HEAD].sha;
	for (guint i = 0; commit != NULL && i <= ancestors && !all_known(costs_s, n); i++) {
		if (gate->request->mode != CHECK_GATE || !g_str_equal(commit, head))
			add_costs(gate, store, commit, costs_s);
		char *parent = first_parent(gate->repo, commit);
		g_free(commit);
		commit = parent;
	}
	return costs_s;
}
