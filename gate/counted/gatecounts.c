/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/counted/gatecounts.h"

#include "core/cancel.h"
#include "core/durable.h"
#include "core/error.h"
#include "gate/steps/gatetrees.h"
#include "gate/steps/gatework.h"

#include <math.h>

#define MAX_ATTEMPTS 4

static void counted_run_free(gpointer data)
{
	CountedRun *run = data;
	durable_remove_tree(run->recording, NULL);
	g_free(run->recording);
	g_clear_pointer(&run->complaints, g_ptr_array_unref);
	g_free(run);
}

void gate_counts_init(GateCounts *counts)
{
	const Gate *gate = counts->gate;
	Schedule wanted = gate->request->schedule;
	Schedule schedule = wanted != SCHEDULE_AUTO ? wanted : counts->benchmarks[SIDE_HEAD]->schedule;
	/* Counts do not depend on load, so this saves time and decides nothing. */
	counts->alone = schedule == SCHEDULE_SEQUENTIAL || gate->host->processors() < N_SIDES;
	counts->executor = gate->host->counted_executor(gate->valgrind, gate->result->findings);
	for (int s = 0; s < N_SIDES; s++)
		counts->runs[s] = g_ptr_array_new_with_free_func(counted_run_free);
}

void gate_counts_clear(GateCounts *counts)
{
	g_clear_pointer(&counts->executor, executor_free);
	g_clear_pointer(&counts->replaced, measurement_free);
	g_clear_pointer(&counts->code, code_facts_free);
	g_clear_pointer(&counts->fold, callgrind_fold_free);
	g_clear_pointer(&counts->findings, finding_list_free);
	for (int s = 0; s < N_SIDES; s++) {
		g_clear_pointer(&counts->runs[s], g_ptr_array_unref);
		g_clear_pointer(&counts->measurements[s], measurement_free);
		for (int p = 0; p < N_COUNTED; p++)
			g_clear_pointer(&counts->profiles[s][p], profile_free);
	}
}

guint gate_counts_n_runs(const GateCounts *counts, int side)
{
	const Measurement *measurement = counts->measurements[side];
	gboolean stored = side == SIDE_BASE && counts->base_is_stored;
	return stored ? measurement_n_runs(measurement) : counts->runs[side]->len;
}

double gate_counts_expected_s(const GateCounts *counts, const guint more[N_SIDES], double run_s)
{
	guint base = more[SIDE_BASE], head = more[SIDE_HEAD];
	return run_s * (counts->alone ? base + head : MAX(base, head));
}

/* Runs that are made at once: one of each side at most. */
typedef struct {
	guint n;
	int sides[N_SIDES];
	ConfigBenchmark *benchmarks[N_SIDES]; /* with a timeout that ends in time */
	char *recordings[N_SIDES];
	RunOutcome outcomes[N_SIDES];
} Batch;

static void batch_clear(Batch *batch)
{
	for (guint i = 0; i < batch->n; i++) {
		config_benchmark_free(batch->benchmarks[i]);
		g_free(batch->recordings[i]);
		run_outcome_clear(&batch->outcomes[i]);
	}
}

/* The timeout counts more under valgrind, and with `heap` there are two runs, one after the other. */
static ConfigBenchmark *within_deadline(const GateCounts *counts, const ConfigBenchmark *benchmark)
{
	double left_s = gate_seconds_until(&counts->gate->budget, counts->deadline_ns);
	return gate_limit_timeout(benchmark, left_s * 1000 / VALGRIND_SLOWDOWN / (benchmark->heap ? 2 : 1));
}

static void batch_add(GateCounts *counts, Batch *batch, int side)
{
	guint i = batch->n++;
	batch->sides[i] = side;
	batch->benchmarks[i] = within_deadline(counts, counts->benchmarks[side]);
	batch->recordings[i] = gate_trees_recording(counts->gate);
}

/* One run of each side that has runs left, or of the first of them. */
static void batch_fill(GateCounts *counts, Batch *batch, const guint left[N_SIDES])
{
	for (int s = 0; s < N_SIDES; s++)
		if (left[s] > 0 && (batch->n == 0 || !counts->alone))
			batch_add(counts, batch, s);
}

static gboolean execute(GateCounts *counts, Batch *batch, GError **error)
{
	RunRequest requests[N_SIDES] = {0};
	gint64 begin_ns = counts->gate->host->now_ns();
	for (guint i = 0; i < batch->n; i++)
		requests[i] = (RunRequest){
		        .benchmark = batch->benchmarks[i],
		        .side = gate_trees_as_built(&counts->gate->trees, batch->sides[i]),
		        .recording = batch->recordings[i],
		        .pass_env = counts->gate->config->pass_env,
		        /* the runs of a side take turns with the CPUs, and the sides have different ones */
		        .number = counts->runs[batch->sides[i]]->len + (guint)batch->sides[i],
		};
	gboolean ok = counts->executor->execute(counts->executor, requests, batch->n, batch->outcomes, error);
	counts->elapsed_s += gate_seconds_since(&counts->gate->budget, begin_ns);
	return ok && cancel_check(error);
}

static void keep_run(GateCounts *counts, Batch *batch, guint i)
{
	GPtrArray *runs = counts->runs[batch->sides[i]];
	CountedRun *run = g_new0(CountedRun, 1);
	run->recording = g_steal_pointer(&batch->recordings[i]);
	run->facts = batch->outcomes[i].facts;
	run->facts.round = runs->len + 1;
	run->complaints = g_steal_pointer(&batch->outcomes[i].complaints);
	g_ptr_array_add(runs, run);
}

/* The failures so far, and what was learnt from them. */
typedef struct {
	guint failed;
	gboolean beside_twin[N_SIDES]; /* a run of that side failed beside its twin, and may work alone */
} Trouble;

/* Only when it did work alone: a program that fails at all is no matter of its twin. */
static void twin_finding(const GateCounts *counts, int side, Trouble *trouble)
{
	if (trouble->beside_twin[side])
		finding_add(counts->gate->result->findings, FINDING_WARNING, "cannot_run_beside_itself",
		        counts->benchmarks[SIDE_HEAD]->name,
		        "works alone but not beside a second copy of itself (a port, lock or file?); counted one run "
		        "at a time");
	trouble->beside_twin[side] = FALSE;
}

/* TRUE if it was the deadline that ended a run, and not the timeout that is configured. */
static gboolean is_cut_short(const GateCounts *counts, const Batch *batch, guint i)
{
	gint64 configured_ms = counts->benchmarks[batch->sides[i]]->timeout_ms;
	return g_str_equal(batch->outcomes[i].failure_code, TIMEOUT_FAILURE) &&
	       batch->benchmarks[i]->timeout_ms < configured_ms;
}

/* TRUE if a run that failed is worth another try; if not, sets the error that says why. */
static gboolean try_again(GateCounts *counts, const Batch *batch, guint i, Trouble *trouble, GError **error)
{
	const RunOutcome *outcome = &batch->outcomes[i];
	int side = batch->sides[i];
	counts->cut_short = counts->cut_short || is_cut_short(counts, batch, i);
	/* Beside its twin a program may fail over a port, a lock or a file. Alone it fails only if it is broken, so
	 * this try does not count as one of its failures. */
	if (batch->n > 1 && g_str_equal(outcome->failure_code, "benchmark_failed")) {
		counts->alone = trouble->beside_twin[side] = TRUE;
	} else if (!outcome->retry || ++trouble->failed >= MAX_ATTEMPTS) {
		return firebreak_refuse(error, run_outcome_error(outcome),
		        "benchmark %s of %s, run %u under valgrind: %s", counts->benchmarks[side]->name,
		        sides_name(side), counts->runs[side]->len + 1, outcome->failure);
	}
	counts->retries++;
	return TRUE;
}

/* Keeps what succeeded. */
static gboolean judge(GateCounts *counts, Batch *batch, guint left[N_SIDES], Trouble *trouble, GError **error)
{
	g_assert(batch->n <= N_SIDES);
	for (guint i = 0; i < batch->n; i++) {
		/* The other run of the batch is kept: counts do not depend on what a twin does. */
		if (batch->outcomes[i].failure_code != NULL) {
			durable_remove_tree(batch->recordings[i], NULL);
			if (!try_again(counts, batch, i, trouble, error))
				return FALSE;
			continue;
		}
		if (batch->n == 1)
			twin_finding(counts, batch->sides[i], trouble);
		keep_run(counts, batch, i);
		left[batch->sides[i]]--;
	}
	return TRUE;
}

gboolean gate_counts_run(GateCounts *counts, const guint more[N_SIDES], GError **error)
{
	guint left[N_SIDES] = {more[SIDE_BASE], more[SIDE_HEAD]};
	Trouble trouble = {0};
	gboolean ok = TRUE;
	while (ok && (left[SIDE_BASE] > 0 || left[SIDE_HEAD] > 0)) {
		Batch batch = {0};
		batch_fill(counts, &batch, left);
		ok = execute(counts, &batch, error) && judge(counts, &batch, left, &trouble, error);
		batch_clear(&batch);
	}
	return ok;
}
