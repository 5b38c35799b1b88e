#include "gate/gateshard.h"

#include "baselines/inventory.h"
#include "core/error.h"
#include "gate/timed/gatecampaign.h"

#define MAX_ANCESTORS 50 /* that are looked at for stored times, first parents only */

/* Not those of this check's plan, which depends on what this machine can count: all shards must expect the same. */
#define USUAL_ROUNDS 20
#define COUNTED_RUNS 3 /* base twice, head once */

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

/* --- stored times --- */

/* What is stored of one commit. */
typedef struct {
	BaselineStore *store;
	const char *commit;
	GPtrArray *entries; /* of BaselineEntry */
} StoredTimes;

/* Seconds of a run under an engine, by the first sound baseline in the order of fingerprints, whichever machine this
 * is; 0 = not stored. */
static double stored_run_s(const StoredTimes *times, const char *benchmark, const char *engine)
{
	for (guint i = 0; i < times->entries->len; i++) {
		const BaselineEntry *entry = times->entries->pdata[i];
		gboolean wanted = entry->problem == NULL && entry->engines != NULL && entry->runs > 0 &&
		                  g_str_equal(entry->benchmark, benchmark) &&
		                  g_strv_contains((const char *const *)entry->engines, engine);
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
	gboolean timed = config_uses_engine(benchmark, CONFIG_ENGINE_PERF);
	gboolean counted = config_uses_engine(benchmark, CONFIG_ENGINE_CALLGRIND);
	double timed_s = timed ? stored_run_s(times, benchmark->name, CONFIG_ENGINE_PERF) : 0;
	double counted_s = counted ? stored_run_s(times, benchmark->name, CONFIG_ENGINE_CALLGRIND) : 0;
	guint rounds = gate->request->rounds > 0 ? gate->request->rounds : benchmark->rounds;
	if ((timed && timed_s <= 0) || (counted && counted_s <= 0))
		return 0;
	return (timed ? (timed_s + GATE_ROUND_EXTRA_S) * (rounds > 0 ? rounds : USUAL_ROUNDS) : 0) +
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

/* 0 = not known. Head is left out: other shards may have stored it by now. Owned by the caller. */
static double *expected_costs(const Gate *gate)
{
	guint n = gate->config->benchmarks->len;
	double *costs_s = g_new0(double, n);
	g_autoptr(BaselineStore) store = baseline_store_open(gate->request->repo_path, NULL, NULL);
	g_autofree char *commit = store != NULL ? g_strdup(gate->choices[SIDE_BASE].sha) : NULL;
	const char *head = gate->choices[SIDE_HEAD].sha;
	for (guint i = 0; commit != NULL && i <= MAX_ANCESTORS && !all_known(costs_s, n); i++) {
		if (gate->request->mode != CHECK_GATE || !g_str_equal(commit, head))
			add_costs(gate, store, commit, costs_s);
		char *parent = first_parent(gate->repo, commit);
		g_free(commit);
		commit = parent;
	}
	return costs_s;
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
		        "--shard %u/%u: there are %u benchmarks, so a shard would measure nothing and prove nothing; "
		        "use at most %u shards",
		        shard->index, shard->total, n, MAX(n, 1));
	g_autofree double *costs_s = expected_costs(gate);
	for (guint i = 0; i < n; i++)
		n_known += costs_s[i] > 0;
	g_autofree guint *shards = shard_split(costs_s, n, shard->total);
	ShardPart *part = gate->result->shards->parts->pdata[0];
	part->machine = shard_machine(gate->result->environment);
	keep_own(gate, shards);
	note_split(gate, n_known, n);
	return TRUE;
}
